#!/usr/bin/env python3
"""The command as users run it. Usage: app_test.py SINEW SCRATCH_FOLDER TEST_CLASS"""
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
import urllib.request

from app_tools import (BALL, HERE, ROOT, SINEW, ask, folder, main, run_node, serve, sinew,
                       write_ball)


SKELETONS = ROOT / "tests/data/skeletons"
BVH = """HIERARCHY
ROOT hip
{
OFFSET 0 0 0
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 1 0
}
}
MOTION
Frames: 2
Frame Time: 0.1
0 0 0
0 0 1
"""
ARM = """
duration = 0.05
[solver]
integrator = "backward-euler"
[skeleton]
file = "{}"
two_way = true
collide = false
[[bodies]]
name = "strip"
resolution = 0.02
shape = {{ type = "box", center = [0.03, -0.2, 0], size = [0.04, 0.3, 0.04] }}
material = {{ preset = "muscle" }}
[[bodies.attachments]]
name = "origin"
shape = {{ type = "plane", point = [0, -0.07, 0], normal = [0, -1, 0] }}
bone = "upper"
"""


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

    def test_damaged_models_and_motions_are_refused_by_every_verb(self):
        here, arm = folder("damaged_motions"), (SKELETONS / "arm.osim").read_text()
        muscle = re.search(r"<Millard.*?</Millard\w+>", arm, re.S).group()
        models = {
            "cycle": arm.replace("/ground</socket_parent_frame><socket_child_frame>/bodyset/upper",
                                 "/bodyset/hand</socket_parent_frame><socket_child_frame>"
                                 "/bodyset/upper"),
            "missing": arm.replace("<socket_child_frame>/bodyset/hand", "<socket_child_frame>/no"),
            "nan": arm.replace("<mass>2</mass>", "<mass>nan</mass>"),
            "truncated": arm[:2000],
            "doctype": arm.replace("<OpenSim", '<!DOCTYPE a [<!ENTITY b "c">]><OpenSim', 1),
            "tags": arm.replace("<ConstraintSet>", "<a/>" * 500000 + "<ConstraintSet>"),
            "muscles": arm.replace(muscle, "".join(
                muscle.replace("flexor", f"m{i}") for i in range(5001)))}
        mot, trc = (SKELETONS / "lift.mot").read_text(), (SKELETONS / "lift.trc").read_text()
        motions = {
            "column.mot": mot.replace("\n0.5\t", "\n0.5\t1\t"),
            "nan.mot": mot.replace("\n0.5\t", "\n0.5\tnan\t").replace("\t0\n1\t", "\n1\t"),
            "rows.mot": mot.replace("nRows=21", "nRows=1000000000"),
            "others.mot": mot.replace("_angle", "_force"),
            "blanks.trc": re.sub(r"\n21\t(\S+)\t\S+\t\S+\t\S+\t(.*)",
                                 lambda m: f"\n21 {m[1]} " + m[2].replace("\t", " "), trc),
            "cut.trc": trc[:-20],
            "count.trc": trc.replace("21\t3\tmm", "21\t1000000000\tmm"),
            "frames.bvh": BVH.replace("Frames: 2", "Frames: 1000000000"),
            "channel.bvh": BVH.replace("0 0 1\n", "0 1\n")}
        (here / "whole.bvh").write_text(BVH)
        self.assertEqual(sinew("check", here / "whole.bvh").returncode, 0)
        calls = []
        for name, text in models.items():
            path = here / (name + ".osim")
            path.write_text(text)
            calls += [(path, "check", path), (path, "ik", path, SKELETONS / "lift.trc"),
                      (path, "activations", path, SKELETONS / "lift.mot")]
        for name, text in motions.items():
            self.assertNotIn(text, [mot, trc, BVH], name)
            path = here / name
            path.write_text(text)
            if name != "others.mot":
                calls.append((path, "check", path))
            if name.endswith(".trc"):
                calls.append((path, "ik", SKELETONS / "arm.osim", path))
            if name.endswith(".mot"):
                calls.append((path, "activations", SKELETONS / "arm.osim", path))
        for path, *call in calls:
            output = [] if call[0] == "check" else ["-o", here / "out.sto"]
            result = sinew(*call, *output)
            self.assertEqual(result.returncode, 2, (call, result.stdout, result.stderr))
            self.assertIn(path.name, result.stderr.splitlines()[-1])
            self.assertFalse((here / "out.sto").exists(), call)

    def test_resume_refuses_what_does_not_fit_and_leaves_the_run_alone(self):
        here = folder("misfit")
        scene = write_ball(here)
        self.assertEqual(sinew("run", scene, "-o", here / "out", "--resume").returncode, 2)
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


class Skeleton(unittest.TestCase):
    """tests/data/skeletons: an arm of our own, lift.trc and lift.mot are the same motion."""

    def rows(self, *call):
        result = sinew(*call, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return ({row["name"]: row["value"] for row in json.loads(result.stdout)["rows"]},
                result.stderr)

    def table(self, path):
        lines = path.read_text().split("endheader\n")[1].splitlines()
        values = [[float(word) for word in line.split()] for line in lines[1:]]
        return {name: [row[i] for row in values] for i, name in enumerate(lines[0].split("\t"))}

    def test_markers_give_the_motion_back(self):
        here = folder("ik")
        trc = here / "more.trc"  # with a marker that the model does not have
        lines = (SKELETONS / "lift.trc").read_text().splitlines()
        lines[2] = lines[2].replace("\t3\t", "\t4\t")
        lines[3] += "thumb\t\t"
        trc.write_text("\n".join(lines[:6] + [line + "\t\t\t" for line in lines[6:]]) + "\n")
        rows, said = self.rows("ik", SKELETONS / "arm.osim", trc, "-o", here / "out.mot")
        self.assertEqual(rows["frames"], 21)
        self.assertLess(rows["marker_error_largest"], 1e-7)  # eight digits in the file
        self.assertIn("thumb", said)
        found, wanted = self.table(here / "out.mot"), self.table(SKELETONS / "lift.mot")
        for name, values in wanted.items():
            for a, b in zip(values, found[name], strict=True):
                self.assertAlmostEqual(a, b, delta=1e-5, msg=name)

    def test_a_motion_gives_activations_forces_and_reserves(self):
        here = folder("activations")
        for exponent in ["2", "10"]:
            rows, said = self.rows("activations", SKELETONS / "arm.osim", SKELETONS / "lift.mot",
                                   "-o", here / "act.sto", "--exponent", exponent)
            self.assertEqual(rows["poses_not_solved"], 0)
            self.assertLess(rows["elbow_angle_reserve"], 1e-3)
            self.assertGreater(rows["elbow_angle_moment"], 1)
            self.assertIn("check", said)  # for the spring that has no effect
            for name in ["act.sto", "act_force.sto"]:
                self.assertEqual(set(self.table(here / name)),
                                 {"time", "flexor", "extensor", "raiser", "biceps"})
            self.assertIn("elbow_angle_reserve", self.table(here / "act_reserve.sto"))
        found = self.table(here / "act.sto")
        self.assertGreater(max(found["flexor"]), 0.01)
        self.assertLessEqual(max(map(max, (found["flexor"], found["biceps"]))), 1)

    def test_a_scene_says_what_of_its_skeleton_has_no_effect(self):
        here = folder("notes")
        scene = here / "arm.toml"
        scene.write_text(ARM.format(SKELETONS / "arm.osim"))
        for call in [("check", scene), ("run", scene, "-o", here / "out", "-q")]:
            result = sinew(*call)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("PathSpring skin", result.stderr)

    def test_check_refuses_a_joint_that_moves_no_mass_as_run_does(self):
        here = folder("massless")
        model = (SKELETONS / "pendulum.osim").read_text()
        (here / "light.osim").write_text(
            model.replace("<mass>1</mass>", "<mass>0</mass>").replace("0.01 0.001 0.01", "0 0 0"))
        scene = here / "light.toml"
        scene.write_text(ARM.format(here / "light.osim"))
        for call in [("check", scene), ("run", scene, "-o", here / "out")]:
            result = sinew(*call)
            self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
            self.assertIn("elbow", result.stderr)


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
            # Twice, the second one killed while it resumes.
            if not (out / "checkpoint.bin").exists():
                continue
            self.assertEqual(sinew("check", out).returncode, 0)
            finished = len(self.hashes(out))
            self.assertGreater(finished, 0)
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


class Bones(unittest.TestCase):
    """Goals of a hand become a motion, which a scene of bones alone plays."""

    GOALS = """rate = 20
[[goals]]
body = "lower"
point = [0, -0.2, 0]
times = [0, 1]
targets = [[0, -0.5, 0], [0.2, -0.3, 0]]
"""

    def setUp(self):
        self.here = folder("bones")
        shutil.copy(ROOT / "tests/data/skeletons/pendulum.osim", self.here)
        (self.here / "goals.toml").write_text(self.GOALS)

    def test_goals_become_a_motion_that_a_scene_plays(self):
        made = sinew("ik", self.here / "pendulum.osim", "--goals", self.here / "goals.toml",
                     "-o", self.here / "reach.mot", "--json")
        self.assertEqual(made.returncode, 0, made.stderr)
        rows = {row["name"]: row["value"] for row in json.loads(made.stdout)["rows"]}
        self.assertEqual(rows["poses"], 21)
        self.assertLess(rows["goal_error_largest"], 0.09)  # targets on a chord, the hand on its arc
        scene = self.here / "reach.toml"
        scene.write_text('duration = 1\n[output]\nframe_rate = 4\n[skeleton]\n'
                         'file = "pendulum.osim"\nmotion = { file = "reach.mot" }\n')
        out = self.here / "out"
        self.assertEqual(sinew("check", scene).returncode, 0)
        run = sinew("run", scene, "-o", out, "-q", "--json")
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = {row["name"]: row["value"] for row in json.loads(run.stdout)["rows"]}
        self.assertAlmostEqual(rows["coordinate.elbow"], 1.5707963, delta=1e-4)
        self.assertEqual(sinew("check", out).returncode, 0)
        self.assertEqual(sinew("export", out, "--to", "png").returncode, 0)
        self.assertTrue((out / "png/frames.png").exists())

    def test_ik_takes_either_markers_or_goals(self):
        goals = self.here / "goals.toml"
        model = self.here / "pendulum.osim"
        bad = self.here / "bad.toml"
        bad.write_text(self.GOALS.replace("lower", "louwer"))
        for call in [(), (self.here / "a.trc", "--goals", goals), ("--goals", bad),
                     ("--goals", goals, "--from", "1"), ("--goals", self.here / "none.toml")]:
            result = sinew("ik", model, *call, "-o", self.here / "bad.mot")
            self.assertEqual(result.returncode, 2, (call, result.stderr))
        self.assertFalse((self.here / "bad.mot").exists())


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


class Model(unittest.TestCase):
    """From a built-in anatomy to a model, its reports and its page."""

    @classmethod
    def setUpClass(cls):
        cls.here = folder("model")
        cls.made = sinew("phantom", "eye", "-o", cls.here / "eye", "--json")
        text = (cls.here / "eye/model.toml").read_text()
        cls.model_file = cls.here / "eye/with_meshes.toml"
        cls.model_file.write_text(text.replace("[build]", "[build]\nmeshes = true\nbricks = true"))
        cls.out = cls.here / "out"
        cls.built = sinew("build", cls.model_file, "-o", cls.out, "--json")

    def rows(self, text):
        document = json.loads(text)
        self.assertIs(document["ok"], True)
        for row in document["rows"]:
            self.assertLessEqual({"name", "value", "unit"}, set(row))
        return {row["name"]: row["value"] for row in document["rows"]}

    def test_reports_have_the_shape_of_every_json_and_no_muscle_is_missing(self):
        self.assertEqual(self.made.returncode, 0, self.made.stderr)
        self.assertEqual(self.built.returncode, 0, self.built.stderr)
        self.assertGreater(self.rows(self.made.stdout)["size_x"], 50)
        printed = self.rows(self.built.stdout)
        kept = self.rows((self.out / "report.json").read_text())
        for rows in [printed, kept]:
            self.assertEqual(rows["missing_muscles"], 0)
            self.assertEqual(rows["muscles"], self.model_file.read_text().count("[[muscles]]"))
            self.assertEqual(rows["invalid_ends"], 0, self.built.stderr)
        self.assertEqual(sum(v for k, v in kept.items() if k.endswith(".built")), kept["muscles"])

    def test_the_page_of_the_build_has_a_picture_of_every_muscle(self):
        page = (self.out / "report.html").read_text()
        names = [name[:-len(".built")] for name in
                 self.rows((self.out / "report.json").read_text()) if name.endswith(".built")]
        self.assertGreaterEqual(page.count("data:image/png;base64,"), len(names))
        for name in names:
            self.assertIn(name, page)
        self.assertNotRegex(page, r'(src|href)="(?!data:|#)', "one file without others")

    def test_check_knows_volumes_models_and_meshes(self):
        mesh = sorted((self.out / "meshes").glob("*.vtu"))[0]
        for path, row in [(self.here / "eye/labels.nrrd", None), (self.out, "muscles"),
                          (self.out / "model.h5", "muscles"), (self.model_file, "muscles"),
                          (mesh, None)]:
            result = sinew("check", path, "--json")
            self.assertEqual(result.returncode, 0, (path, result.stdout, result.stderr))
            rows = self.rows(result.stdout)
            self.assertTrue(rows)
            self.assertTrue(row is None or rows[row] > 0, path)

    def test_bad_input_exits_with_2_and_one_line(self):
        text = self.model_file.read_text()
        labels = (self.here / "eye/labels.nrrd").read_bytes()
        cut = self.here / "cut.nrrd"
        cut.write_bytes(labels[:len(labels) // 2])
        model = self.here / "cut/model.h5"
        model.parent.mkdir(exist_ok=True)
        model.write_bytes((self.out / "model.h5").read_bytes()[:3000])
        wrong = {"misspelt": text.replace("[build]", "[biuld]", 1),
                 "no_volume": text.replace("labels.nrrd", "nowhere.nrrd"),
                 "no_label": text.replace("labels = [1]", "labels = [999]")}
        calls = [("build", self.here / "nowhere.toml"), ("build", cut), ("check", cut),
                 ("check", model), ("view", model.parent),
                 ("build", self.model_file, "--volume", cut),
                 ("build", self.model_file, "--data", self.here / "nowhere")]
        for name, content in wrong.items():
            path = self.here / "eye" / (name + ".toml")
            path.write_text(content)
            calls.append(("build", path))
        for call in calls:
            more = ("-o", self.here / "bad", "-q") if call[0] == "build" else ()
            result = sinew(*call, *more)
            self.assertEqual(result.returncode, 2, (call, result.stdout, result.stderr))
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
            self.assertFalse((self.here / "bad").exists(), "nothing may be left behind")

    def test_the_server_answers_with_the_documented_bytes(self):
        url = serve(self, self.out)

        def get(path):
            return ask(url + path)
        model = json.loads(get("/api/model")[1])
        muscle, tissue = model["muscles"][0], model["tissues"][0]

        def surface(part):
            return 12 * part["num_vertices"] + 12 * part["num_triangles"]
        self.assertEqual(len(get("/api/tissue/0")[1]), surface(tissue))
        lines = 12 * muscle["num_line_points"] + 4 * (muscle["num_lines"] + 1)
        self.assertGreater(muscle["num_lines"], 0)
        self.assertEqual(len(get("/api/muscle/0")[1]),
                         surface(muscle) + lines + 3 * muscle["num_vertices"])
        edges = len(get("/api/muscle/0/lattice")[1]) - 12 * muscle["num_nodes"]
        self.assertGreater(edges, 8 * muscle["num_nodes"])
        self.assertEqual(edges % 8, 0)
        last = len(model["muscles"])
        for path in [f"/api/muscle/{last}", "/api/muscle/-1", "/api/muscle/0/", "/api/muscle",
                     "/api/muscle/0/nodes", "/api/muscle/0/lattice/0", "/api/tissue/999",
                     "/api/recording", "/api/body/0/topology", "/api/nothing", "/model.h5"]:
            self.assertEqual(get(path)[0], 404, path)

    def copy_of_the_model(self, name):
        """One that may be changed."""
        copy = self.here / name
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        shutil.copy(self.out / "model.h5", copy)
        return copy

    def test_bricks_are_built_around_every_muscle(self):
        rows = self.rows((self.out / "report.json").read_text())
        names = [name[:-len(".built")] for name in rows if name.endswith(".built")]
        for name in names:
            self.assertEqual(rows[name + ".bricks"], 4, name)
            self.assertEqual(rows[name + ".vertices_outside_bricks"], 0, name)
            self.assertGreater(rows[name + ".brick_quality"], 0, name)
            self.assertGreater(rows[name + ".brick_volume_ratio"], 1, name)
        self.assertIn("time_bricks", rows)

    def test_a_brick_scene_takes_a_muscle_of_the_model(self):
        name = self.model_file.read_text().split("[[muscles]]")[1].split('"')[1]
        scene = self.here / "bricks.toml"
        scene.write_text(f"""
engine = "brick"
duration = 0.04
[[bodies]]
name = "{name}"
model = "out"
modes = 12
material = {{ law = "neo-hookean", young_modulus = 3e4, poisson_ratio = 0.45, density = 1060 }}
[bodies.muscle]
max_force = 0.5
excitation = {{ times = [0], values = [1] }}
[[bodies.ties]]
name = "origin"
end = "origin"
[[bodies.ties]]
name = "insertion"
end = "insertion"
""")
        result = sinew("run", scene, "-o", self.here / "bricks", "-q")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sinew("check", self.here / "bricks").returncode, 0)
        bad = scene.read_text().replace(f'name = "{name}"', 'name = "nobody"', 1)
        scene.write_text(bad)
        result = sinew("check", scene)
        self.assertEqual(result.returncode, 2)
        self.assertIn("muscle of the model", result.stderr)

    def test_bricks_are_laid_anew_and_saved_by_messages(self):
        copy = self.copy_of_the_model("saved")
        file = copy / "model.h5"
        url = serve(self, copy)

        def send(message, path="/api/model/bricks", **headers):
            data = message if isinstance(message, bytes) else json.dumps(message).encode()
            return ask(url + path, data, **headers)

        def get(muscle=0):
            with urllib.request.urlopen(f"{url}/api/muscle/{muscle}/bricks", timeout=60) as answer:
                return json.loads(answer.read())
        before, bytes_before = get(), file.read_bytes()
        self.assertEqual(before["counts"], [1, 1, 4])
        self.assertEqual(len(before["levels"]), 5)
        self.assertEqual(before["outside"], 0)
        self.assertEqual(len(before["edges"]) % 3, 0)
        right = {"do": "wrap", "muscle": 0, "counts": [1, 1, 2], "levels": [0, 0.3, 1]}
        status, body = send(right)
        self.assertEqual(status, 200, body)
        shown = json.loads(body)
        self.assertEqual(shown["levels"], [0, 0.3, 1])
        self.assertEqual(shown["outside"], 0)
        self.assertGreater(shown["quality"], 0)
        self.assertEqual(get(), before, "looking changes nothing")
        self.assertEqual(send({**right, "levels": []})[0], 200, "levels are found")
        wrong = [b"", b"{", b"[]", b"null", b'"wrap"', b"\xff\xfe", {"do": "wrap"},
                 {**right, "do": "unwrap"}, {**right, "do": 1}, {**right, "muscle": 999},
                 {**right, "muscle": -1}, {**right, "muscle": 0.5}, {**right, "muscle": "0"},
                 {**right, "more": 1}, {**right, "counts": [1, 1]}, {**right, "counts": [1, 1, 0]},
                 {**right, "counts": [1, 1, 1e30]}, {**right, "counts": [1, 1, 2**63]},
                 {**right, "counts": [16, 16, 2]}, {**right, "counts": "many"},
                 {**right, "levels": [0, 1]}, {**right, "levels": [0, 1.5, 1]},
                 {**right, "levels": [0, 0.0001, 1]}, {**right, "levels": ["a", "b", "c"]},
                 {**right, "levels": [0, None, 1]}, {**right, "levels": {"0": 0}},
                 b'{"do": "wrap", "muscle": 0, "counts": [1, 1, 2], "levels": [0, NaN, 1]}',
                 b'{"do": "wrap", "muscle": 0, "counts": [1, 1, 2], "levels": [0, 1e999, 1]}']
        for message in wrong:
            for do in ["wrap", "save"]:
                if isinstance(message, dict) and message.get("do") == "wrap":
                    message = {**message, "do": do}
                status, body = send(message)
                self.assertEqual(status, 400, (message, body))
                self.assertEqual(body.count(b"\n"), 1, body)
        self.assertEqual(send({**right, "levels": [0] * 5000})[0], 413)
        self.assertEqual(send(right, **{"Origin": "http://example.com"})[0], 403)
        self.assertEqual(send(right, **{"Host": "example.com"})[0], 403)
        self.assertEqual(send(right, **{"Content-Type": "text/plain"})[0], 415)
        self.assertEqual(send(right, path="/api/model")[0], 405)
        self.assertEqual(file.read_bytes(), bytes_before, "nothing of this was saved")
        status, body = send({**right, "do": "save"})
        self.assertEqual(status, 200, body)
        self.assertEqual(get()["levels"], [0, 0.3, 1])
        self.assertEqual(get()["nodes"], json.loads(body)["nodes"])
        self.assertEqual(get(1)["counts"], [1, 1, 4], "the others are as they were")
        self.assertNotEqual(file.read_bytes(), bytes_before)
        self.assertEqual(sinew("check", copy).returncode, 0)
        # The line for the model file makes the same bricks again.
        line = json.loads(body)["toml"]
        text = self.model_file.read_text().replace("[[muscles]]", "[[muscles]]\n" + line, 1)
        again = self.here / "eye/again.toml"
        again.write_text(text.replace("meshes = true\nbricks = true\n", ""))
        self.assertEqual(sinew("check", again).returncode, 0, line)
        # A model that was built anew meanwhile is not overwritten.
        import h5py
        with h5py.File(file, "r+") as model:
            name = model["muscles"].attrs["names"][0]
            vertices = model["muscles"][name.decode() if isinstance(name, bytes) else name]["vertices"]
            vertices[0] = vertices[0] + 1e-6
        fresh = file.read_bytes()
        status, body = send({**right, "do": "save"})
        self.assertEqual(status, 503, body)
        self.assertIn(b"built again", body)
        self.assertEqual(file.read_bytes(), fresh)

    def test_the_page_of_the_model_draws_it(self):
        run_node(self, self.here, "model_page_test.mjs", serve(self, self.copy_of_the_model("shown")),
                 self.here / "page.png")


if __name__ == "__main__":
    main()
