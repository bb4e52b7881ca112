#!/usr/bin/env python3
"""Runs that go wrong, and what is said of them. Usage: explosions_test.py SINEW SCRATCH TEST_CLASS"""
import json
import unittest

from app_tools import BALL, folder, main, sinew

# A bar of jelly that cannot carry its own weight: small strains know no end to it.
JELLY = """
engine = "brick"
duration = 0.4
[output]
checkpoint_every = 1
[[bodies]]
name = "bar"
bricks = [3, 1, 1]
shape = { type = "box", center = [0, 0, 0], size = [0.3, 0.05, 0.05] }
material = { law = "neo-hookean", young_modulus = 50, poisson_ratio = 0.3, density = 1000 }
[[bodies.ties]]
name = "wall"
shape = { type = "plane", point = [-0.1499, 0, 0], normal = [1, 0, 0] }
"""


def rows_of(result):
    return {row["name"]: row for row in json.loads(result.stdout)["rows"]}


class Explosions(unittest.TestCase):
    def run_scene(self, name, text, *options):
        here = folder(name)
        (here / "scene.toml").write_text(text)
        return here, sinew("run", here / "scene.toml", "-o", here / "out", "-q", "--json", *options)

    def test_a_body_that_explodes_fails_run_and_check(self):
        here, result = self.run_scene("jelly", JELLY)
        self.assertEqual(result.returncode, 1)
        rows = rows_of(result)
        self.assertIs(rows["volume_ratio.bar, most"]["pass"], False)
        self.assertGreater(rows["volume_ratio.bar, most"]["value"], 2)
        self.assertIn("warning: volume_ratio.bar, most is", result.stderr)
        self.assertIn("[limits]", result.stderr)
        checked = sinew("check", here / "out", "--json")
        self.assertEqual(checked.returncode, 1)
        self.assertIs(json.loads(checked.stdout)["ok"], False)
        self.assertEqual(rows_of(checked)["volume_ratio.bar, most"],
                         rows["volume_ratio.bar, most"])
        self.assertEqual(rows_of(checked)["frames"]["value"], 11, "all frames are kept")

    def test_a_scene_may_allow_it(self):
        here, result = self.run_scene("allowed", JELLY + "[limits]\nvolume = 1e9\ninverted = 1e9\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("warning", result.stderr)
        self.assertEqual(sinew("check", here / "out").returncode, 0)

    def test_rows_are_of_the_whole_run_from_before_a_resume_too(self):
        here, whole = self.run_scene("resumed", BALL)
        rows = rows_of(whole)
        self.assertGreater(rows["steps"]["value"], 100)
        self.assertGreater(rows["kinetic_energy, most"]["value"], rows["kinetic_energy"]["value"])
        resumed = sinew("run", here / "scene.toml", "-o", here / "out", "-q", "--json", "--resume")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        again = rows_of(resumed)
        for name, row in rows.items():
            if name not in ("wall_time", "resumed_from_frame"):
                self.assertEqual(again[name], row, name)

    def test_what_starts_within_something_is_named(self):
        here = folder("overlaps")
        scene = here / "scene.toml"
        scene.write_text(BALL.replace("[0, 0.12, 0]", "[0, 0.07, 0]"))
        result = sinew("check", scene, "--json")
        self.assertRegex(result.stderr,
                         r'warning: "ball" starts 0\.0\d+ m deep in the collider "floor"')
        rows = rows_of(result)
        self.assertEqual(rows["overlaps_at_start"]["value"], 1)
        self.assertAlmostEqual(rows["deepest_overlap_at_start"]["value"], 0.03, delta=0.005)
        scene.write_text(BALL)
        self.assertEqual(sinew("check", scene).stderr, "")


if __name__ == "__main__":
    main()
