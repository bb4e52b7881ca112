#!/usr/bin/env python3
"""Random scenes of each engine: a run is right, or says that it is not.
Usage: random_scenes_test.py SINEW SCRATCH_FOLDER TEST_CLASS"""
import json
import subprocess
import unittest

import h5py
import numpy

from app_tools import folder, main, sinew
from random_scenes import FRAMES, Draw, sane, to_toml, wild_bricks, wild_grids, wild_tets

SEED = 15
NUM_WILD, NUM_SANE = 100, 50
# Attempts at a step that a frame may take: a semi-explicit frame of a tenth of a second at its
# shortest allowed step; all others are cut into far fewer.
MOST_STEPS = 12000 * FRAMES


def run(here, scene):
    """Exit code, document and recording of a scene; none where it wrote none."""
    here.mkdir()
    (here / "scene.toml").write_text(to_toml(scene))
    result = sinew("run", here / "scene.toml", "-o", here / "out", "-q", "--json", "--threads", "1",
                   timeout=400)
    document = json.loads(result.stdout) if result.stdout else {}
    recording = here / "out/recording.h5"
    return result, document, recording if recording.exists() else None


def read_columns(recording):
    """The certificate's columns and whether all positions are numbers."""
    with h5py.File(recording, "r", libver="latest", swmr=True) as file:
        columns = {name: column[:] for name, column in file["certificate"].items()}
        finite = all(numpy.isfinite(body[part][:]).all() for body in file["bodies"].values()
                     for part in ("surface", "nodes") if part in body)
    return columns, finite


def explosions(columns):
    """What of a recording nobody may take for right."""
    found = []
    for name, values in columns.items():
        if name in ("inverted", "inverted_cells", "unconverged_steps") and values.max() > 0:
            found.append(f"{name} {values.max():g}")
        if name.startswith(("volume_ratio.", "surface_volume_ratio.")):
            if abs(values - 1).max() > 0.2:
                found.append(f"{name} {values[abs(values - 1).argmax()]:g}")
    return found


def fault_of(result, document, recording):
    """Why this may not be; empty where all is well."""
    if result.returncode not in (0, 1):
        return f"exit {result.returncode}: {result.stderr.strip() or document.get('error', '')}"
    failed = [row["name"] for row in document["rows"] if row.get("pass") is False]
    if result.returncode == 1 and not failed and not document.get("error"):
        return "exit 1 without a reason"
    if result.returncode == 1 and "warning:" not in result.stderr and not document.get("error"):
        return "exit 1 without a warning"
    if recording is None:
        return "no recording"
    columns, finite = read_columns(recording)
    if not finite or not all(numpy.isfinite(values).all() for values in columns.values()):
        return "numbers that are not finite"
    tries = sum(columns[name].sum() for name in ("steps", "halved_steps") if name in columns)
    if tries > MOST_STEPS:
        return f"{tries:g} steps"
    if result.returncode == 0 and explosions(columns):
        return "exit 0 with " + ", ".join(explosions(columns))
    return ""


class Scenes(unittest.TestCase):
    def run_scenes(self, name, make, count):
        """Of each scene: its number, exit code and fault."""
        here = folder("random-" + name)
        faults, codes = [], []
        for number in range(count):
            seed = f"{name}-{SEED}-{number}"
            try:
                result, document, recording = run(here / str(number), make(Draw(seed)))
                fault = fault_of(result, document, recording)
                codes.append(result.returncode)
            except subprocess.TimeoutExpired:
                fault = "hangs"
            if fault:
                faults.append(f"{here / str(number) / 'scene.toml'} (seed {seed}): {fault}")
        print(f"{name}: seed {SEED}, {codes.count(0)} right, {codes.count(1)} named as wrong")
        self.assertEqual(faults, [], "\n" + "\n".join(faults))
        return codes

    def wild(self, name, make):
        codes = self.run_scenes(name, make, NUM_WILD)
        # Else the scenes would be too tame, or too wild, to tell anything.
        self.assertGreater(codes.count(0), NUM_WILD / 10)
        self.assertGreater(codes.count(1), NUM_WILD / 10)


class RandomTets(Scenes):
    def test_a_run_is_right_or_says_that_it_is_not(self):
        self.wild("tets", wild_tets)


class RandomBricks(Scenes):
    def test_a_run_is_right_or_says_that_it_is_not(self):
        self.wild("bricks", wild_bricks)


class RandomGrids(Scenes):
    def test_a_run_is_right_or_says_that_it_is_not(self):
        self.wild("grids", wild_grids)


class SaneScenes(Scenes):
    def test_what_is_sane_is_right(self):
        codes = self.run_scenes("sane", sane, NUM_SANE)
        self.assertEqual(codes, [0] * NUM_SANE)


if __name__ == "__main__":
    main()
