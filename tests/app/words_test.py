#!/usr/bin/env python3
"""What the command says to small mistakes. Usage: words_test.py SINEW SCRATCH_FOLDER TEST_CLASS"""
import json
import unittest

from app_tools import BALL, ROOT, folder, main, sinew, write_ball

CUBE = "".join(f"v {x} {y} {z}\n" for x in (1, 3) for y in (-1, 0) for z in (0, 5)) + "".join(
    "f " + " ".join(map(str, face)) + "\n"
    for face in [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)])


class Words(unittest.TestCase):
    def refusal(self, *call):
        result = sinew(*call)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        return result.stderr

    def test_a_misspelt_verb_or_option_is_answered_with_the_one_that_was_meant(self):
        self.assertIn('sinew: "rnu" is no verb; did you mean "run"?', self.refusal("rnu", "x.toml"))
        self.assertIn('"--ouput" was not expected; did you mean "--output"?',
                      self.refusal("run", "x.toml", "--ouput", "y"))
        self.assertNotIn("did you mean", self.refusal("run", "x.toml", "--qqqqqq"))

    def test_a_folder_that_is_no_scene_is_called_a_folder(self):
        here = folder("folder")
        write_ball(here)
        said = self.refusal("run", here)
        self.assertIn("is a folder, where a scene file is wanted; in it are: ball.toml", said)

    def test_a_missing_model_or_recording_says_which_command_makes_it(self):
        here = folder("no-model")
        scene = here / "scene.toml"
        scene.write_text('duration = 1\n[[models]]\nfolder = "arm"\n')
        said = self.refusal("check", scene)
        self.assertIn("line 3: models[0].folder", said)
        self.assertIn("there is no such model; `sinew build", said)
        self.assertIn("sinew phantom arm", said)
        self.assertIn("`sinew run SCENE", self.refusal("export", here / "none", "--to", "csv"))

    def test_frames_in_the_wrong_order_are_named(self):
        here = folder("order")
        sinew("run", write_ball(here), "-o", here / "out", "-q")
        said = self.refusal("export", here / "out", "--to", "csv", "--first", 5, "--last", 2)
        self.assertIn("--first: 5 is after --last 2", said)
        self.assertFalse((here / "out/csv").exists())

    def test_a_misspelt_value_is_answered_with_the_one_that_was_meant(self):
        for call, said in [(("export", "x", "--to", "cvs"), '"cvs" is none of vtu, obj, csv, png; '
                            'did you mean "csv"?'),
                           (("phantom", "amr"), 'did you mean "arm"?'),
                           (("bench", "implict"), 'did you mean "implicit"?'),
                           (("lab", "beam", "--on", "brick"), 'did you mean "bricks"?'),
                           (("activations", "a", "b", "-o", "c", "--wrap", "geodesc"),
                            'did you mean "geodesic"?')]:
            self.assertIn(said, self.refusal(*call))

    def test_numbers_that_cannot_be_are_refused(self):
        out = folder("numbers") / "out"
        for call in [("export", "x", "--to", "csv", "--first", "-1"),
                     ("export", "x", "--to", "csv", "--last", "-1"),
                     ("phantom", "eye", "--voxel", "-1", "-o", out),
                     ("phantom", "eye", "--voxel", "0", "-o", out)]:
            self.assertRegex(self.refusal(*call), r"--(first|last|voxel): ")
        self.assertFalse(out.exists())
        skeletons = ROOT / "tests/data/skeletons"
        said = self.refusal("ik", skeletons / "arm.osim", skeletons / "lift.trc", "-o", out,
                            "--from", 2, "--to", 1)
        self.assertIn("the first time, 2 s, is after the last, 1 s", said)

    def test_a_folder_where_a_file_is_wanted_is_called_a_folder(self):
        here = folder("folders")
        model = ROOT / "tests/data/skeletons/arm.osim"
        for call, wanted in [(("ik", here, "x.trc", "-o", "y.mot"), "a model file"),
                             (("ik", model, here, "-o", "y.mot"), "a motion file"),
                             (("activations", model, here, "-o", "y.sto"), "a motion file"),
                             (("build", here), "a model file"), (("live", here), "a scene file")]:
            self.assertIn(f"is a folder, where {wanted} is wanted", self.refusal(*call))

    def test_check_of_a_surface_prints_where_it_is(self):
        here = folder("bounds")
        (here / "cube.obj").write_text(CUBE)
        result = sinew("check", here / "cube.obj", "--json")
        rows = {row["name"]: row["value"] for row in json.loads(result.stdout)["rows"]}
        self.assertEqual([rows[f"low_{axis}"] for axis in "xyz"], [1, -1, 0])
        self.assertEqual([rows[f"high_{axis}"] for axis in "xyz"], [3, 0, 5])

    def test_a_phantom_can_be_quiet(self):
        here = folder("phantom")
        loud = sinew("phantom", "eye", "-o", here / "a", "--voxel", "0.0008")
        quiet = sinew("phantom", "eye", "-o", here / "b", "--voxel", "0.0008", "-q")
        self.assertEqual([loud.returncode, quiet.returncode], [0, 0])
        self.assertIn("sinew build", loud.stderr)
        self.assertEqual(quiet.stderr, "")

    def test_a_solve_that_starts_at_its_solution_leaves_no_residual(self):
        here = folder("still")
        scene = here / "still.toml"
        held = ('[[bodies.attachments]]\nname = "foot"\n'
                'shape = { type = "box", center = [0, 0.02, 0], size = [0.2, 0.05, 0.2] }\n')
        body = BALL.replace("duration = 0.5", "duration = 0.1").split("[[colliders]]")[0]
        scene.write_text(body + held + '[solver]\nintegrator = "quasi-static"\nstep = 0.05\n'
                         '[world]\ngravity = [0, 0, 0]\n')
        result = sinew("run", scene, "-o", here / "out", "-q", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = {row["name"]: row["value"] for row in json.loads(result.stdout)["rows"]}
        self.assertGreater(rows["solves"], 0)
        self.assertEqual(rows["iterations"], 0)
        self.assertLess(rows["residual"], 0.01)


if __name__ == "__main__":
    main()
