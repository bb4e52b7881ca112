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
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SINEW = None
SCRATCH = None

BALL = """
duration = 0.5
[output]
checkpoint_every = 2
[[bodies]]
name = "ball"
resolution = 0.03
shape = { type = "sphere", center = [0, 0.12, 0], radius = 0.1 }
material = { law = "neo-hookean", young_modulus = 2e4, poisson_ratio = 0.3, density = 1000, \
damping = { mass_rate = 0, stiffness_time = 1e-3 } }
[[colliders]]
name = "floor"
friction = 0.3
shape = { type = "plane", point = [0, 0, 0], normal = [0, 1, 0] }
"""


def sinew(*arguments, **options):
    return subprocess.run([SINEW, *map(str, arguments)], capture_output=True, text=True,
                          timeout=options.pop("timeout", 300), **options)


def folder(name):
    path = SCRATCH / name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def write_ball(where):
    scene = where / "ball.toml"
    scene.write_text(BALL)
    return scene


class Command(unittest.TestCase):
    def test_help_of_every_verb_has_an_example(self):
        for verb in ["phantom", "build", "run", "view", "live", "check", "export", "compare", "bench",
                     "lab", "calibrate"]:
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
                 ("lab", "tendon-length", "-o", here / "lab")]
        for call in calls:
            result = sinew(*call, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            document = json.loads(result.stdout)
            self.assertEqual(document["verb"], call[0])
            self.assertIs(document["ok"], True)
            for row in document["rows"]:
                self.assertLessEqual({"name", "value", "unit"}, set(row))

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


def serve(case, *arguments, verb="view"):
    """The address of a server that shows a folder, or runs a scene, until the test case ends."""
    server = subprocess.Popen([SINEW, verb, *map(str, arguments), "--port", "0"],
                              stdout=subprocess.PIPE, text=True)

    def stop():
        server.send_signal(signal.SIGINT)
        server.wait(timeout=20)
        server.stdout.close()
    case.addCleanup(stop)
    return re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline()).group()


def run_node(case, here, name, *arguments):
    """Runs a script of this folder in `here`, with its packages."""
    for file in [name, "package.json", "package-lock.json"]:
        shutil.copy(HERE / file, here)
    subprocess.run(["npm", "ci", "--prefer-offline", "--no-audit", "--no-fund"], cwd=here,
                   check=True, capture_output=True)
    result = subprocess.run(["node", name, *arguments], cwd=here, capture_output=True, text=True,
                            timeout=800)
    case.assertEqual(result.returncode, 0, result.stdout + result.stderr)
    print(result.stdout)


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


class Live(unittest.TestCase):
    """A simulation that is steered through HTTP and through its page."""

    def setUp(self):
        self.here = folder("live")
        self.url = serve(self, ROOT / "scenes/live-muscle.toml", "-o", self.here / "takes",
                         verb="live")

    def ask(self, path, data=None, method=None, **headers):
        """Status and body of an answer; `data` is posted as it is."""
        if data is not None:
            headers = {"Content-Type": "application/json",
                       **{name.replace("_", "-"): value for name, value in headers.items()}}
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def claim(self, header):
        """The status of a message that announces its size so, and is never sent."""
        import socket
        port = int(self.url.rsplit(":", 1)[1])
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(b"POST /api/live/command HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                               b"Content-Type: application/json\r\n" + header.encode() +
                               b"\r\n\r\n")
            return int(connection.makefile("rb").readline().split()[1])

    def post(self, **message):
        status, body = self.ask("/api/live/command", json.dumps(message).encode())
        self.assertEqual(status, 200, body)
        return json.loads(body)["number"]

    def stream(self):
        """Messages of a stream of its own: dictionaries with the arrays as "data"."""
        with urllib.request.urlopen(self.url + "/api/live/stream", timeout=60) as answer:
            while True:
                head = answer.read(8)
                if len(head) < 8:
                    return
                text, arrays = (int.from_bytes(head[i:i + 4], "little") for i in (0, 4))
                message = json.loads(answer.read(text))
                message["data"] = answer.read(arrays)
                yield message

    def wait(self, stream, condition):
        """The first snapshot that fulfils the condition; as many as that takes."""
        return next(message for message in stream if "frame" in message and condition(message))

    def info(self):
        return json.loads(self.ask("/api/live")[1])

    def test_the_api_describes_what_it_streams(self):
        info = self.info()
        names = [control["name"] for control in info["controls"]]
        self.assertEqual(names, ["activation.muscle.left", "activation.muscle.right", "gravity",
                                 "stiffness.muscle", "pull_strength"])
        size = sum(4 * body["num_vertices"] * (3 + len(body["fields"])) for body in info["bodies"])
        stream = self.stream()
        self.assertIn("page", next(stream))
        for _ in range(3):
            snapshot = self.wait(stream, lambda s: True)
            self.assertEqual(len(snapshot["data"]), size)
            self.assertEqual(len(snapshot["controls"]), len(names))
            self.assertEqual(len(snapshot["certificate"]), len(info["certificate"]))
        body = info["bodies"][0]
        status, topology = self.ask("/api/body/0/topology")
        self.assertEqual(len(topology), 12 * (body["num_vertices"] + body["num_triangles"]))
        for path in ["/api/body/1/topology", "/api/live/", "/api/recording", "/api/live/nothing"]:
            self.assertEqual(self.ask(path)[0], 404, path)

    def test_a_control_moves_the_tissue_and_two_streams_tell_the_same(self):
        import numpy as np
        one, two = self.stream(), self.stream()
        self.post(do="set", control=1, value=0)
        number = self.post(do="set", control=0, value=0.7)
        first = self.wait(one, lambda s: s["applied"] >= number)
        self.assertEqual(first["controls"][:2], [0.7, 0])
        self.wait(one, lambda s: s["frame"] >= first["frame"] + 20)
        self.post(do="pause")
        last = self.wait(one, lambda s: s["paused"])
        other = self.wait(two, lambda s: s["paused"])
        self.assertEqual(last["frame"], other["frame"])
        self.assertEqual(last["data"], other["data"])
        vertices = self.info()["bodies"][0]["num_vertices"]
        before, after = (np.frombuffer(s["data"], "<f4", 3 * vertices) for s in (first, last))
        self.assertGreater(np.abs(after - before).max(), 0.002)
        self.post(do="step", frames=3)
        self.assertEqual(self.wait(one, lambda s: s["frame"] >= last["frame"] + 3)["frame"],
                         last["frame"] + 3)

    def test_bad_messages_are_refused_with_a_line_and_stop_nothing(self):
        stream = self.stream()
        page = next(stream)["page"]
        pull = {"do": "pull", "page": page, "body": 0, "vertex": 0, "target": [0, 0, 0]}
        bad = [b"", b"nonsense", b"[]", b"3", b"{}", b"\xff\xfe", b'{"do": 3}', b'{"do": "fly"}',
               b'{"do": "set"}', b'{"do": "set", "control": 0}',
               b'{"do": "set", "control": -1, "value": 0}',
               b'{"do": "set", "control": 0.5, "value": 0}',
               b'{"do": "set", "control": 99, "value": 0}',
               b'{"do": "set", "control": 0, "value": 1.5}',
               b'{"do": "set", "control": 0, "value": 1e999}',
               b'{"do": "set", "control": 0, "value": "1"}',
               b'{"do": "set", "control": 0, "value": null}',
               b'{"do": "set", "control": 0, "value": 0, "more": 1}',
               b'{"do": "step", "frames": 0}', b'{"do": "step", "frames": 99999999999999999999}',
               b'{"do": "pause", "value": 1}', b'{"do": "release", "page": 999999}',
               b'{"do": "seen", "page": 999999, "messages": 1}', b'{"do": "seen", "messages": 1}',
               b"[" * 4000, b'{"do": "pause"' + b" " * 4000]
        bad += [json.dumps({**pull, **wrong}).encode() for wrong in
                [{"vertex": 10**9}, {"body": 7}, {"page": 10**6}, {"target": [0, 0]},
                 {"target": [0, 0, "x"]}, {"vertex": -1}, {"more": 0}]]
        for message in bad:
            status, body = self.ask("/api/live/command", message)
            self.assertEqual(status, 400, message[:80])
            self.assertRegex(body, rb"^[^\n]+\n$", message[:80])
        self.assertEqual(self.ask("/api/live/command", b" " * 4097)[0], 413)
        self.assertEqual(self.claim("Content-Length: 99999999999999999999"), 413)
        self.assertEqual(self.claim("Content-Length: 50000000"), 413)
        self.assertEqual(self.claim("Content-Length: -1"), 411)
        self.assertEqual(self.claim("Transfer-Encoding: chunked"), 411)
        good = b'{"do": "resume"}'
        for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]:
            self.assertEqual(self.ask("/api/live/command", good, Content_Type=kind)[0], 415)
        for path in ["/api/live", "/", "/api/live/stream", "/api/nothing"]:
            self.assertEqual(self.ask(path, good)[0], 405, path)
        for method in ["PUT", "DELETE", "PATCH"]:
            self.assertEqual(self.ask("/api/live/command", good, method)[0], 405, method)
        self.assertEqual(self.ask("/api/live/command")[0], 405)
        self.assertEqual(self.ask("/api/live/command", good)[0], 200)
        now = self.wait(stream, lambda s: True)
        self.wait(stream, lambda s: s["frame"] > now["frame"] + 2)

    def test_foreign_hosts_and_origins_are_refused(self):
        good = b'{"do": "resume"}'
        own = self.url
        for headers, status in [({}, 200), ({"Origin": own}, 200),
                                ({"Sec_Fetch_Site": "same-origin"}, 200),
                                ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403),
                                ({"Origin": "http://127.0.0.1:1"}, 403),
                                ({"Origin": own + ".evil.example"}, 403),
                                ({"Origin": own.replace("127.0.0.1", "localhost")}, 403),
                                ({"Sec_Fetch_Site": "cross-site"}, 403),
                                ({"Sec_Fetch_Site": "same-site"}, 403),
                                ({"Host": "evil.example"}, 403)]:
            self.assertEqual(self.ask("/api/live/command", good, **headers)[0], status, headers)
        for path in ["/api/live", "/api/live/stream"]:
            request = urllib.request.Request(self.url + path, headers={"Host": "evil.example"})
            with self.assertRaises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=60)
            with refused.exception as answer:
                self.assertEqual(answer.code, 403)
        # Other addresses of this machine find nobody.
        import socket
        port = int(self.url.rsplit(":", 1)[1])
        with self.assertRaises(OSError):
            socket.create_connection(("127.0.0.2", port), timeout=5).close()

    def test_slow_and_vanished_streams_hold_up_nobody(self):
        import socket
        port = int(self.url.rsplit(":", 1)[1])
        slow = []
        for _ in range(3):  # they ask and never read
            connection = socket.create_connection(("127.0.0.1", port), timeout=60)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(b"GET /api/live/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            slow.append(connection)
        stream = self.stream()
        first = self.wait(stream, lambda s: True)
        self.wait(stream, lambda s: s["frame"] > first["frame"] + 60)
        slow[0].close()
        now = self.wait(stream, lambda s: True)
        self.wait(stream, lambda s: s["frame"] > now["frame"] + 60)
        for connection in slow[1:]:
            connection.close()

    def test_a_stream_that_ends_lets_go_of_what_it_pulled(self):
        one, two = self.stream(), self.stream()
        page = next(two)["page"]
        self.post(do="pull", page=page, body=0, vertex=5, target=[0.1, 0.1, 0])
        pulled = self.wait(one, lambda s: s["pulls"])
        self.assertEqual(pulled["pulls"],
                         [{"page": page, "body": 0, "vertex": 5, "target": [0.1, 0.1, 0]}])
        two.close()
        self.wait(one, lambda s: not s["pulls"])

    def test_a_page_that_goes_with_pictures_to_draw_lets_go_too(self):
        one, two = self.stream(), self.stream()
        page = next(two)["page"]
        self.ask("/api/live/command", json.dumps(
            {"do": "seen", "page": page, "messages": 0}).encode())
        self.post(do="pull", page=page, body=0, vertex=5, target=[0.1, 0.1, 0])
        self.wait(one, lambda s: s["pulls"])
        for message in two:  # until it is sent no more snapshots, only signs of life
            if "page" in message:
                break
        two.close()
        self.wait(one, lambda s: not s["pulls"])

    def test_a_page_that_says_what_it_has_drawn_is_never_sent_old_snapshots(self):
        stream, other = self.stream(), self.stream()
        page = next(stream)["page"]
        first = self.wait(stream, lambda s: True)
        self.assertEqual(json.loads(self.ask("/api/live/command", json.dumps(
            {"do": "seen", "page": page, "messages": 0}).encode())[1]), {"number": 0})
        later = self.wait(other, lambda s: s["frame"] > first["frame"] + 40)
        # Those that went before it spoke, and one that was being waited for; then the newest.
        self.ask("/api/live/command", json.dumps(
            {"do": "seen", "page": page, "messages": 10**6}).encode())
        missed = 0
        for _ in range(40):
            snapshot = self.wait(stream, lambda s: True)
            if snapshot["frame"] >= later["frame"]:
                break
            missed += 1
        self.assertLess(missed, 40)

    def test_streams_have_a_limit_and_make_room_again(self):
        streams = [self.stream() for _ in range(16)]
        for stream in streams:
            next(stream)
        status, body = self.ask("/api/live/stream")
        self.assertEqual(status, 503, body)
        streams.pop().close()
        for _ in range(600):  # until the server notices
            try:
                self.assertIn("page", next(self.stream()))
                break
            except urllib.error.HTTPError:
                time.sleep(0.1)
        else:
            self.fail("a closed stream still takes its place")

    def test_takes_are_recordings(self):
        stream = self.stream()
        self.post(do="record")
        told = self.wait(stream, lambda s: s["recorded_frames"] >= 5)
        self.assertTrue(told["recording"].endswith("take-001"), told["recording"])
        self.post(do="end-recording")
        self.wait(stream, lambda s: s["recording"] == "")
        result = sinew("check", self.here / "takes/take-001")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.post(do="restart")
        self.wait(stream, lambda s: s["time"] < 0.05)

    def test_the_page_steers_it(self):
        run_node(self, self.here, "live_page_test.mjs", self.url, self.here / "live.png")


class Model(unittest.TestCase):
    """From a built-in anatomy to a model, its reports and its page."""

    @classmethod
    def setUpClass(cls):
        cls.here = folder("model")
        cls.made = sinew("phantom", "eye", "-o", cls.here / "eye", "--json")
        text = (cls.here / "eye/model.toml").read_text()
        cls.model_file = cls.here / "eye/with_meshes.toml"
        cls.model_file.write_text(text.replace("[build]", "[build]\nmeshes = true"))
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

        def ask(path):
            try:
                with urllib.request.urlopen(url + path, timeout=60) as answer:
                    return answer.status, answer.read()
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, error.read()
        model = json.loads(ask("/api/model")[1])
        muscle, tissue = model["muscles"][0], model["tissues"][0]

        def surface(part):
            return 12 * part["num_vertices"] + 12 * part["num_triangles"]
        self.assertEqual(len(ask("/api/tissue/0")[1]), surface(tissue))
        lines = 12 * muscle["num_line_points"] + 4 * (muscle["num_lines"] + 1)
        self.assertGreater(muscle["num_lines"], 0)
        self.assertEqual(len(ask("/api/muscle/0")[1]),
                         surface(muscle) + lines + 3 * muscle["num_vertices"])
        edges = len(ask("/api/muscle/0/lattice")[1]) - 12 * muscle["num_nodes"]
        self.assertGreater(edges, 8 * muscle["num_nodes"])
        self.assertEqual(edges % 8, 0)
        last = len(model["muscles"])
        for path in [f"/api/muscle/{last}", "/api/muscle/-1", "/api/muscle/0/", "/api/muscle",
                     "/api/muscle/0/nodes", "/api/muscle/0/lattice/0", "/api/tissue/999",
                     "/api/recording", "/api/body/0/topology", "/api/nothing", "/model.h5"]:
            self.assertEqual(ask(path)[0], 404, path)

    def test_the_page_of_the_model_draws_it(self):
        run_node(self, self.here, "model_page_test.mjs", serve(self, self.out),
                 self.here / "page.png")


if __name__ == "__main__":
    SINEW, SCRATCH = sys.argv[1], Path(sys.argv[2])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
