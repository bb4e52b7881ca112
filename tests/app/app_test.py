#!/usr/bin/env python3
"""The command as users run it. Usage: app_test.py SINEW SCRATCH_FOLDER TEST_CLASS"""
import json
import random
import re
import signal
import subprocess
import sys
import time
import unittest

from app_tools import BALL, HERE, ROOT, SINEW, folder, main, run_node, serve, sinew, write_ball


class Command(unittest.TestCase):
    def test_help_of_every_verb_has_an_example(self):
        for verb in ["phantom", "build", "run", "view", "live", "check", "export", "compare", "bench",
                     "lab", "calibrate", "ik", "activations"]:
            result = sinew(verb, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn("Example:\n  sinew " + verb, result.stdout)

    def test_version_is_printed(self):
        self.assertRegex(sinew("--version").stdout, r"^sinew \d+\.\d+\.\d+\n$")

    def test_json_of_every_verb_has_one_shape(self):
        here = folder("json")
        scene = write_ball(here)
        calls = [("run", scene, "-o", here / "out", "-q"), ("check", here / "out"),
                 ("check", scene), ("export", here / "out", "--to", "csv"),
                 ("compare", here / "out", here / "out"),
                 ("bench", "step", "--repeats", "1"), ("lab",),
                 ("lab", "tendon-length", "--on", "line", "-o", here / "lab")]
        for call in calls:
            result = sinew(*call, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            document = json.loads(result.stdout)
            self.assertEqual(document["verb"], call[0])
            self.assertIs(document["ok"], True)
            for row in document["rows"]:
                self.assertLessEqual({"name", "value", "unit"}, set(row))

    def test_a_bare_call_shows_the_verbs_and_where_to_start(self):
        result = sinew()
        self.assertIn("phantom", result.stderr)
        self.assertIn("Start with:", result.stderr)

    def test_progress_goes_to_standard_error_and_plain_lines_where_there_is_no_terminal(self):
        here = folder("progress")
        result = sinew("run", write_ball(here), "-o", here / "out")
        self.assertIn("frame 12 of 12", result.stderr)
        self.assertIn("ETA", result.stderr)
        self.assertNotIn("\r", result.stderr)
        self.assertNotIn("ETA", result.stdout)

    def test_check_of_a_scene_says_what_it_costs(self):
        rows = {row["name"]: row["value"] for row in json.loads(
            sinew("check", write_ball(folder("check")), "--json").stdout)["rows"]}
        self.assertGreater(rows["tets"], 500)
        self.assertAlmostEqual(rows["mass"], 4.18879, delta=0.05)


class BadInput(unittest.TestCase):
    def test_every_bad_scene_is_refused_with_file_and_place(self):
        scenes = sorted((ROOT / "tests/data/bad_scenes").glob("*.toml"))
        self.assertGreaterEqual(len(scenes), 60)
        out = folder("bad") / "out"
        for scene in scenes:
            result = sinew("run", scene, "-o", out)
            self.assertEqual(result.returncode, 2, scene.name)
            self.assertRegex(result.stderr, re.escape(scene.name) + r": line \d+[:,]", scene.name)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
            self.assertFalse(out.exists(), "nothing may be left behind by " + scene.name)

    def test_wrong_words_on_the_command_line_exit_with_2(self):
        for call in [(), ("rum",), ("run",), ("run", "--fast"), ("export", "x", "--to", "fbx"),
                     ("bench", "nothing"), ("calibrate", "nowhere"), ("lab", "nothing"),
                     ("lab", "isotonic", "--on", "x"), ("lab", "isotonic", "--emit", "inp"),
                     ("run", "x.toml", "--threads", "0"),
                     ("check", "nowhere"), ("export", "nowhere", "--to", "obj"),
                     ("view", "nowhere"), ("compare", "nowhere", "nowhere"), ("live",),
                     ("live", "nowhere.toml"), ("live", "x.toml", "--rate", "0"),
                     ("check", HERE / "package.json")]:
            result = sinew(*call)
            self.assertEqual(result.returncode, 2, call)
            self.assertNotEqual(result.stderr, "")

    def test_a_name_that_is_not_text_is_refused_in_json_too(self):
        result = subprocess.run([SINEW, "check", b"\xff.toml", "--json"], capture_output=True)
        self.assertEqual(result.returncode, 2)
        self.assertIs(json.loads(result.stdout)["ok"], False)

    def test_a_part_smaller_than_a_cell_is_refused_by_run_and_check(self):
        here = folder("chip")
        scene = here / "chip.toml"
        scene.write_text(BALL.replace('{ type = "sphere", center = [0, 0.12, 0], radius = 0.1 }',
                                      '{ type = "mesh", file = "chip.obj" }'))
        corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
        faces = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
        lines = []
        for index, (size, shift) in enumerate([(0.2, 0.0), (0.0005, 0.507)]):
            lines += [f"v {x * size + shift} {y * size + shift} {z * size + shift}"
                      for x, y, z in corners]
            lines += ["f " + " ".join(str(i + 8 * index) for i in face) for face in faces]
        (here / "chip.obj").write_text("\n".join(lines) + "\n")
        for verb in ["run", "check"]:
            result = sinew(verb, scene)
            self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
            self.assertIn("smaller resolution", result.stderr)
            self.assertIn("chip.toml", result.stderr)

    def test_truncated_recordings_are_refused_by_every_reader(self):
        here = folder("truncated")
        sinew("run", write_ball(here), "-o", here / "out", "-q")
        whole = (here / "out/recording.h5").read_bytes()
        for part in [0, 7, 100, 2000]:
            damaged = here / "damaged.h5"
            damaged.write_bytes(whole[:part])
            for call in [("check", damaged), ("export", damaged, "--to", "obj"),
                         ("view", damaged)]:
                result = sinew(*call)
                self.assertEqual(result.returncode, 2, (call, part))
                self.assertIn("damaged.h5", result.stderr)

    def test_resume_refuses_what_does_not_fit_and_leaves_the_run_alone(self):
        here = folder("misfit")
        scene = write_ball(here)
        sinew("run", scene, "-o", here / "out", "-q")
        before = (here / "out/recording.h5").read_bytes()
        scene.write_text(BALL.replace("2e4", "3e4"))
        result = sinew("run", scene, "-o", here / "out", "--resume")
        self.assertEqual(result.returncode, 2)
        self.assertIn("another scene", result.stderr)
        self.assertEqual(before, (here / "out/recording.h5").read_bytes())

    def test_an_impossible_run_exits_with_1_and_keeps_its_frames(self):
        here = folder("impossible")
        scene = here / "stiff.toml"
        scene.write_text(BALL.replace("2e4", "1e9") + "[solver]\nmin_step = 1e-3\n")
        result = sinew("run", scene, "-o", here / "out")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("min_step", result.stderr)
        self.assertEqual(sinew("check", here / "out").returncode, 0)


class Reproducibility(unittest.TestCase):
    def run_to_end(self, scene, out, *options):
        result = sinew("run", scene, "-o", out, "-q", "--json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def hashes(self, out):
        import h5py
        with h5py.File(out / "recording.h5", "r", swmr=True) as recording:
            return list(recording["/frames/state_hash"][:])

    def test_one_thread_and_two_leave_the_same_bits(self):
        here = folder("threads")
        scene = write_ball(here)
        # Finer than the other runs: enough nodes for the work to be cut into several pieces.
        scene.write_text(BALL.replace("0.03", "0.016").replace("duration = 0.5", "duration = 0.2"))
        one = self.run_to_end(scene, here / "one", "--threads", "1")
        two = self.run_to_end(scene, here / "two", "--threads", "2")
        self.assertEqual(one["state_hash"], two["state_hash"])
        self.assertEqual(self.hashes(here / "one"), self.hashes(here / "two"))

    def test_a_killed_and_resumed_run_equals_the_straight_one(self):
        here = folder("killed")
        scene = write_ball(here)
        started = time.monotonic()
        straight = self.run_to_end(scene, here / "straight")
        usual = time.monotonic() - started
        chance = random.Random(20)
        kills = 0
        for attempt in range(6):
            out = here / f"killed{attempt}"
            process = subprocess.Popen([SINEW, "run", scene, "-o", out, "-q"],
                                       stdout=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.02, 0.9) * usual)
            process.send_signal(signal.SIGKILL)
            process.wait()
            # Twice, the second one killed while it resumes. Before the first checkpoint it starts
            # anew.
            if (out / "checkpoint.bin").exists():
                self.assertEqual(sinew("check", out).returncode, 0)
                self.assertGreater(len(self.hashes(out)), 0)
                kills += 1
            again = subprocess.Popen([SINEW, "run", scene, "-o", out, "-q", "--resume"],
                                     stdout=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.02, 0.5) * usual)
            again.send_signal(signal.SIGKILL)
            again.wait()
            resumed = self.run_to_end(scene, out, "--resume")
            self.assertEqual(resumed["state_hash"], straight["state_hash"])
            self.assertEqual(self.hashes(out), self.hashes(here / "straight"))
        self.assertGreater(kills, 0, "every kill came before the first checkpoint")


class Export(unittest.TestCase):
    def setUp(self):
        self.here = folder("export")
        sinew("run", write_ball(self.here), "-o", self.here / "out", "-q")

    def test_vtu_read_by_vtk_equals_the_recording(self):
        result = sinew("export", self.here / "out", "--to", "vtu")
        self.assertEqual(result.returncode, 0, result.stderr)
        check = subprocess.run([sys.executable, HERE / "check_vtu.py",
                                self.here / "out/recording.h5", self.here / "out/vtu"],
                               capture_output=True, text=True)
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)

    def test_obj_csv_and_png_are_written(self):
        for form, pattern, count in [("obj", "*.obj", 13), ("csv", "*.csv", 1), ("png", "*.png", 1)]:
            result = sinew("export", self.here / "out", "--to", form)
            self.assertEqual(result.returncode, 0, result.stderr)
            files = list((self.here / "out" / form).glob(pattern))
            self.assertEqual(len(files), count)
            self.assertTrue(all(f.stat().st_size > 100 for f in files))


class Compare(unittest.TestCase):
    def test_a_ball_on_two_lattices_is_nearly_the_same_and_one_of_another_size_is_not(self):
        here = folder("compare")
        scene = write_ball(here)
        other = here / "other.toml"
        rows = {}
        for name, old, new in [("fine", "0.03", "0.024"), ("large", "radius = 0.1", "radius = 0.11")]:
            self.assertIn(old, BALL)
            other.write_text(BALL.replace(old, new).replace("duration = 0.5", "duration = 0.1"))
            self.assertEqual(sinew("run", other, "-o", here / name, "-q").returncode, 0)
        self.assertEqual(sinew("run", scene, "-o", here / "out", "-q").returncode, 0)
        for name in ["fine", "large"]:
            result = sinew("compare", here / "out", here / name, "-o", here / "table.csv", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            rows[name] = {row["name"]: row["value"] for row in json.loads(result.stdout)["rows"]}
        self.assertEqual(rows["fine"]["moments"], 4)
        self.assertLess(rows["fine"]["distance_mean.ball"], 1e-3)
        self.assertGreater(rows["fine"]["distance_mean.ball"], 1e-6)
        self.assertAlmostEqual(rows["large"]["distance_mean.ball"], 0.01, delta=1e-3)
        self.assertAlmostEqual(rows["large"]["volume_difference.ball"], 0.331, delta=0.01)
        self.assertEqual(len((here / "table.csv").read_text().splitlines()), 5)

    def test_what_has_nothing_in_common_exits_with_2(self):
        here = folder("compare-bad")
        scene = here / "cube.toml"
        scene.write_text(BALL.replace('name = "ball"', 'name = "egg"').replace("0.5", "0.05"))
        self.assertEqual(sinew("run", scene, "-o", here / "a", "-q").returncode, 0)
        self.assertEqual(sinew("run", write_ball(here), "-o", here / "b", "-q").returncode, 0)
        for more in [(), ("--body", "egg=yolk")]:
            result = sinew("compare", here / "a", here / "b", *more)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertEqual(sinew("compare", here / "a", here / "b", "--body", "egg=ball").returncode, 0)


class Puddle(unittest.TestCase):
    """scenes/torus-puddle.toml does what teran2005's figure 8 shows."""

    def test_the_torus_is_crushed_flat_and_stands_up_again(self):
        import h5py
        import numpy as np
        out = folder("puddle") / "out"
        result = sinew("run", ROOT / "scenes/torus-puddle.toml", "-o", out, "-q", timeout=580)
        self.assertEqual(result.returncode, 0, result.stderr)
        tube, major = 0.08, 0.1  # m, as in the scene
        with h5py.File(out / "recording.h5", "r", swmr=True) as recording:
            body = recording["/bodies/torus"]
            inverted = recording["/certificate/inverted"][:]
            volume = recording["/certificate/volume_ratio.torus"][:]
            height = np.ptp(body["surface"][:, :, 1], axis=1)
            rest, end = body["rest_nodes"][:].astype(float), body["nodes"][-1].astype(float)
        flattest = height.argmin()
        deviation = np.linalg.norm(align(rest, end) - end, axis=1).max()
        print(f"height {height[flattest] / tube:.3f} of the tube at frame {flattest}, "
              f"{inverted[flattest]:.0f} elements inverted; at the end {inverted[-1]:.0f} inverted, "
              f"volume {volume[-1]:.4f}, worst node {deviation / major:.4f} of the major radius")
        self.assertLess(height[flattest], 0.15 * tube)
        self.assertGreater(inverted[flattest], 2000)
        self.assertEqual(inverted[-1], 0)
        self.assertAlmostEqual(volume[-1], 1, delta=0.01)
        self.assertLess(deviation, 0.02 * major)


def align(points, target):
    """`points` moved rigidly onto `target` in the sense of least squares (Kabsch)."""
    import numpy as np
    a, b = points - points.mean(axis=0), target - target.mean(axis=0)
    u, _, vt = np.linalg.svd(a.T @ b)
    flip = np.diag([1, 1, np.sign(np.linalg.det(u @ vt))])
    return a @ (u @ flip @ vt) + target.mean(axis=0)


class Viewer(unittest.TestCase):
    """The page in headless Chromium, and what the server refuses."""

    def setUp(self):
        self.here = folder("viewer")
        sinew("run", write_ball(self.here), "-o", self.here / "out", "-q")
        self.url = serve(self, self.here / "out")

    def run_script(self, name):
        run_node(self, self.here, name, self.url)

    def test_the_server_refuses_what_it_must(self):
        self.run_script("server_test.mjs")

    def test_the_page_plays_scrubs_and_recolours(self):
        self.run_script("browser_test.mjs")

    def test_the_page_shows_bones_lines_of_action_and_their_plots(self):
        import skeleton_recording
        skeleton_recording.write(self.here / "skeleton.h5")
        run_node(self, self.here, "browser_test.mjs", serve(self, self.here / "skeleton.h5"),
                 self.here / "skeleton.png")


if __name__ == "__main__":
    main()
