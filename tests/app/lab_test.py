#!/usr/bin/env python3
"""Every experiment of the lab through the command, on the models that are quick.
Usage: lab_test.py SINEW SCRATCH_FOLDER TEST_CLASS"""
import json
import unittest

from app_tools import folder, main, sinew

# What takes a minute and more is left to `sinew lab NAME` by hand: grids (tension-length 122 s of
# one core, volume 38 s), bricks of tendon-length (25 s) and force-velocity (13 s). What they are made
# of is in tests/lab: GridSpecimen, BrickSpecimen, Fan2014.
QUICK = {
    "tendon-length": "line,tets",
    "tension-length": "line,tets,bricks",
    "force-velocity": "line,tets",
    "isotonic": "line,tets,bricks",
    "quick-release": "line,bricks",
    "twitch-summation": "line,tets",
    "beam": "bricks",
    "modes": "bricks",
    "volume": "tets,bricks",
    "inhomogeneous": "bricks",
    "gravity-sag": "tets",
    "fan2014": None,  # on grids only, minutes
}


class Lab(unittest.TestCase):
    def test_every_experiment_passes_where_it_is_quick(self):
        here = folder("lab")
        for name, models in QUICK.items():
            if models is None:
                continue
            with self.subTest(name):
                result = sinew("lab", name, "--on", models, "-o", here / name, "--json", timeout=500)
                document = json.loads(result.stdout)
                held = [row for row in document["rows"] if "pass" in row]
                failed = [row for row in held if not row["pass"]]
                print(f"{name} on {models}: {len(held)} rows with a limit, {len(failed)} failed")
                self.assertEqual((result.returncode, failed), (0, []), result.stderr)
                self.assertIs(document["ok"], True)
                self.assertTrue(held)
                for file in document["files"]:
                    self.assertIn(str(here / name), file)
                self.assertIn("<svg", (here / name / "index.html").read_text())
                self.assertGreater(len((here / name / "rows.csv").read_text().splitlines()),
                                   len(held))

    def test_every_experiment_is_known_here(self):
        rows = json.loads(sinew("lab", "--json").stdout)["rows"]
        self.assertEqual([row["name"] for row in rows], list(QUICK))

    def test_models_that_take_no_part_are_refused(self):
        result = sinew("lab", "beam", "--on", "line", "-o", folder("lab-none") / "out")
        self.assertEqual(result.returncode, 2)
        self.assertIn("none of the chosen models takes part; there are bricks", result.stderr)


if __name__ == "__main__":
    main()
