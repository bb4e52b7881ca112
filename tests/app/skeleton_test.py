#!/usr/bin/env python3
"""Skeletons and motions by the command. Usage: skeleton_test.py SINEW SCRATCH_FOLDER CLASS"""
import json
import re
import shutil
import unittest

from app_tools import ROOT, folder, main, sinew

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


class Skeleton(unittest.TestCase):
    """tests/data/skeletons: an arm of our own, lift.trc and lift.mot are the same motion."""

    def rows(self, *call, codes=(0,)):
        result = sinew(*call, "--json")
        self.assertIn(result.returncode, codes, result.stderr)
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

    def spoilt_markers(self, here, change, codes=(0,)):
        """lift.trc with each number of its frames changed, and what `ik` says of it."""
        lines = (SKELETONS / "lift.trc").read_text().splitlines()
        for i in range(6, len(lines)):
            cells = lines[i].split("\t")
            lines[i] = "\t".join(cells[:2] + change(i - 6, [float(x) for x in cells[2:]]))
        trc = here / "spoilt.trc"
        trc.write_text("\n".join(lines) + "\n")
        return self.rows("ik", SKELETONS / "arm.osim", trc, "-o", here / "out.mot",
                         codes=codes)

    def test_markers_that_do_not_fit_are_warned_of(self):
        here = folder("ik_warnings")

        def write(values):
            return [f"{x:.6f}" for x in values]

        rows, said = self.spoilt_markers(here, lambda i, x: write(x))
        self.assertEqual(rows["warnings"], 0, said)
        self.assertNotIn("warning", said)
        rows, said = self.spoilt_markers(here, lambda i, x: write(v / 1000 for v in x), (0, 1))
        self.assertRegex(said, r"spoilt.trc: its markers lie \d+ times closer than the model's: "
                               "its header says mm, but m would fit")
        rows, said = self.spoilt_markers(
            here, lambda i, x: write(v + 2000 * (k % 3 == 2) for k, v in enumerate(x)))
        self.assertIn("moved by (0.000, 0.000, -2.000) m", said)
        self.assertGreater(rows["marker_error_rms"], 1)
        self.assertEqual(rows["warnings"], 1)
        rows, said = self.spoilt_markers(
            here, lambda i, x: write(x[:6] + ([9, -900, 500] if i == 7 else x[6:])))
        self.assertIn('most "finger_tip"', said)
        self.assertIn("at 0.35 s", said)
        self.assertEqual(rows["marker_error_largest_time"], 0.35)
        self.assertIn("worst_marker: finger_tip", rows)

    def test_hidden_markers_and_missing_frames_are_told(self):
        here = folder("ik_gaps")
        rows, said = self.spoilt_markers(
            here, lambda i, x: ["0", "0", "0"] * (i == 3) + [str(v) for v in x][3 * (i == 3):])
        self.assertIn("elbow_bone (1 of 21 frames)", said)
        self.assertEqual(rows["markers_at_zero_in_the_file"], 1)
        self.assertEqual(rows["markers_not_seen"], 1)
        self.assertLess(rows["marker_error_largest"], 1e-6)
        short = here / "short.trc"
        short.write_text("\n".join((SKELETONS / "lift.trc").read_text().splitlines()[:12]) + "\n")
        rows, said = self.rows("ik", SKELETONS / "arm.osim", short, "-o", here / "out.mot")
        self.assertIn("there are 6 frames, though the header says NumFrames=21", said)
        self.assertEqual(rows["frames_promised"], 21)
        rows, _ = self.rows("check", short)
        self.assertTrue(any(name.startswith("warning: ") and "NumFrames=21" in name
                            for name in rows), rows)
        self.assertEqual(rows["unit of the file: mm"], 0.001)
        self.assertAlmostEqual(rows["rate"], 20)
        self.assertLess(rows["low y"], -0.6)

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

    def test_forces_on_joints_act_are_left_out_or_refused(self):
        here, arm = folder("joint_forces"), (SKELETONS / "arm.osim").read_text()
        limit = ('<CoordinateLimitForce name="stop"><coordinate>elbow_angle</coordinate>'
                 "<upper_limit>20</upper_limit><upper_stiffness>0.1</upper_stiffness>"
                 "<lower_limit>-20</lower_limit><transition>5</transition>"
                 "</CoordinateLimitForce>")
        contact = '<HuntCrossleyForce name="palm"/>'
        (here / "arm.osim").write_text(
            arm.replace("</objects></ForceSet>", limit + contact + "</objects></ForceSet>"))
        call = ["activations", here / "arm.osim", SKELETONS / "lift.mot", "-o", here / "act.sto"]
        result = sinew(*call)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        for words in ['HuntCrossleyForce "palm"', "--ignore", "arm.osim"]:
            self.assertIn(words, result.stderr)
        self.assertFalse((here / "act.sto").exists())
        stopped, said = self.rows(*call, "--ignore", "palm")
        self.assertIn('left out: HuntCrossleyForce "palm"', said)
        self.assertEqual(stopped["joint_forces"], 1)
        free, said = self.rows(*call, "--ignore", "palm", "--ignore", "CoordinateLimitForce")
        self.assertIn('left out: CoordinateLimitForce "stop"', said)
        self.assertGreater(stopped["elbow_angle_moment"], free["elbow_angle_moment"] + 1)
        result = sinew(*call, "--ignore", "plam")
        self.assertEqual(result.returncode, 2)
        self.assertIn('did you mean "palm"?', result.stderr)

    def test_files_that_do_not_fit_are_refused_or_named(self):
        here = folder("misfits")
        degrees = (SKELETONS / "lift.mot").read_text()
        few = "lift\nnRows=2\nnColumns=2\ninDegrees=yes\nendheader\ntime\telbow_angle\n"
        (here / "few.mot").write_text(few + "0\t10\n1\t40\n")
        _, said = self.rows("activations", SKELETONS / "arm.osim", here / "few.mot",
                            "-o", here / "act.sto")
        self.assertIn("1 of 2 coordinates have no column", said)
        self.assertIn("shoulder_angle", said)
        (here / "lift.sto").write_text(degrees.replace("inDegrees=yes\n", ""))
        result = sinew("activations", SKELETONS / "arm.osim", here / "lift.sto", "-o",
                       here / "none.sto")
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn("are these degrees?", result.stderr)
        # What is said to be in radians is computed, and fails as no arm can do it.
        (here / "lift.sto").write_text(degrees.replace("inDegrees=yes", "inDegrees=no"))
        result = sinew("activations", SKELETONS / "arm.osim", here / "lift.sto", "-o",
                       here / "some.sto", "--json")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("are these degrees?", result.stderr)
        rows = {row["name"]: row for row in json.loads(result.stdout)["rows"]}
        self.assertFalse(rows["moment_over_strength"]["pass"])
        self.assertIn("muscles leave", result.stderr)

    def test_check_says_by_which_law_each_muscle_pulls(self):
        here = folder("laws")
        kinds = iter(["DeGrooteFregly2016Muscle", "Schutte1993Muscle_Deprecated",
                      "Thelen2003Muscle", "Millard2012EquilibriumMuscle"])
        text = re.sub(r"<Millard2012EquilibriumMuscle(.*?)</Millard2012EquilibriumMuscle>",
                      lambda m: f"<{(kind := next(kinds))}{m[1]}</{kind}>",
                      (SKELETONS / "arm.osim").read_text(), flags=re.S)
        biceps = re.search(r"<Millard.*?</Millard\w+>", text, re.S).group()
        text = text.replace(biceps, "").replace(
            "<BodySet>", f"<components>{biceps}</components><BodySet>")
        (here / "arm.osim").write_text(text)
        result = sinew("check", here / "arm.osim", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        laws = {row["muscle"]: (row["kind"], row["law"])
                for row in json.loads(result.stdout)["muscle_laws"]}
        self.assertEqual(laws, {
            "flexor": ("DeGrooteFregly2016Muscle", "De Groote et al. 2016"),
            "extensor": ("Schutte1993Muscle_Deprecated", "Zajac 1989 in place of its own"),
            "raiser": ("Thelen2003Muscle", "Thelen 2003"),
            "biceps": ("Millard2012EquilibriumMuscle", "Millard et al. 2013")})
        said = sinew("check", here / "arm.osim").stdout
        self.assertRegex(said, r"\n  muscle +kind +law\n")
        self.assertRegex(said, r"\n  flexor +DeGrooteFregly2016Muscle +De Groote et al. 2016\n")

    def test_tables_that_are_odd_are_taken_with_a_warning(self):
        here, mot = folder("odd"), (SKELETONS / "lift.mot").read_text()
        (here / "odd.mot").write_text(mot.replace("nRows=21", "nRows=20"))
        rows, _ = self.rows("check", here / "odd.mot")
        self.assertEqual(rows["frames"], 21)
        self.assertEqual(sum(name.startswith("warning: ") for name in rows), 1, rows)
        trc = (SKELETONS / "lift.trc").read_text().replace("finger_tip", "wrist_bone")
        (here / "odd.trc").write_text(trc)
        calls = [("activations", SKELETONS / "arm.osim", here / "odd.mot", "-o", here / "act.sto"),
                 ("ik", SKELETONS / "arm.osim", here / "odd.trc", "-o", here / "out.mot")]
        for call, words in zip(calls, ["though the header says nRows=20",
                                       "of which the first is taken: wrist_bone"], strict=True):
            _, said = self.rows(*call)
            self.assertIn("warning: ", said)
            self.assertIn(words, said)

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


if __name__ == "__main__":
    main()
