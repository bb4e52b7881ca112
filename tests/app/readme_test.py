#!/usr/bin/env python3
"""The README's commands, run as they stand. Usage: readme_test.py SINEW SCRATCH_FOLDER TEST_CLASS

What a clone has (scenes, test data) is copied into a scratch folder, `sinew` is on the PATH, and each
line of a block goes to a shell, in order. Two things are shorter than a user's: the phantom arm is
built with voxels and cells of twice the size, by its model file, and the scene that runs all of its
muscles ends after two frames. Servers get `--port 0`, are asked for their page, and are ended by
Ctrl-C. scripts/demo and scripts/test install packages and are no part of this."""
import os
import re
import shutil
import signal
import subprocess
import time
import unittest
import urllib.request
from pathlib import Path

from app_tools import ROOT, SINEW, folder, main

README = (ROOT / "README.md").read_text()


def blocks(language):
    found = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.S | re.M)
    return [text for name, text in found if name == language]


def commands(first_words):
    """The lines of the block that begins so, without what is said about them."""
    [block] = [block for block in blocks("sh") if block.startswith(first_words)]
    return [re.sub(r"\s+# .*", "", line) for line in block.splitlines() if line.strip()]


def replace(path, *edits):
    text = path.read_text()
    for old, new in edits:
        text, count = re.subn(old, new, text)
        assert count == 1, (path, old)
    path.write_text(text)


class Readme(unittest.TestCase):
    def clone(self, name):
        here = folder("readme-" + name)
        shutil.copytree(ROOT / "scenes", here / "scenes")
        shutil.copytree(ROOT / "tests/data/skeletons", here / "tests/data/skeletons")
        (here / "bin").mkdir()
        (here / "bin/sinew").symlink_to(Path(SINEW).resolve())
        self.here = here
        self.environment = {**os.environ, "PATH": f"{here}/bin:{os.environ['PATH']}"}

    def run_line(self, line):
        result = subprocess.run(["bash", "-c", line], cwd=self.here, env=self.environment,
                                capture_output=True, text=True, timeout=500)
        self.assertEqual(result.returncode, 0, f"{line}\n{result.stdout}{result.stderr}")
        return result

    def serve_line(self, line):
        server = subprocess.Popen(["bash", "-c", f"exec {line} --port 0"], cwd=self.here,
                                  env=self.environment, stdout=subprocess.PIPE, text=True)
        try:
            url = re.search(r"http://\S+", server.stdout.readline()).group()
            with urllib.request.urlopen(url, timeout=60) as page:
                self.assertEqual(page.status, 200)
            server.send_signal(signal.SIGINT)
            self.assertEqual(server.wait(timeout=20), 0, line)
        finally:
            server.kill()
            server.wait()
            server.stdout.close()

    def run_block(self, first_words, after=None):
        """`after`: what is done once a line that begins so has run."""
        lines = commands(first_words)
        self.assertGreater(len(lines), 5)
        for line in lines:
            start = time.monotonic()
            if re.match(r"sinew (view|live) ", line):
                self.serve_line(line)
            else:
                self.run_line(line)
            print(f"{time.monotonic() - start:6.1f} s  {line}", flush=True)
            for begin, do in (after or {}).items():
                if line.startswith(begin):
                    do()

    def test_the_short_tour(self):
        self.clone("tour")
        (self.here / "ball.toml").write_text(blocks("toml")[0])
        self.run_block("sinew check ball.toml")
        self.assertTrue((self.here / "out/ball/vtu/surface.pvd").is_file())
        self.assertTrue((self.here / "out/ball/png/frames.png").is_file())
        self.assertTrue((self.here / "out/lab/tension-length/index.html").is_file())
        # So does what the text says of interrupted runs.
        self.assertIn("`sinew run ball.toml --resume`", README)
        self.run_line("sinew run ball.toml --resume")

    def test_from_a_scan_to_a_muscle(self):
        self.clone("scan")
        replace(self.here / "scenes/models/arm-isometric.toml",
                (r"(?m)^duration = .*", "duration = 0.0834"))

        def build_coarser():
            replace(self.here / "arm/model.toml", (r"(?m)^voxel = .*", "voxel = 0.002"),
                    (r"(?m)^cell = .*", "cell = 0.008"))
        self.run_block("sinew phantom arm", {"sinew phantom arm": build_coarser})
        self.assertTrue((self.here / "out/arm/report.html").is_file())
        self.assertTrue((self.here / "out/arm/force_length.html").is_file())

    def test_a_mistake_is_named_as_it_says(self):
        self.clone("mistake")
        [said] = [block for block in blocks("") if block.startswith("sinew run: ball.toml")]
        scene = blocks("toml")[0].replace("poisson_ratio", "poison_ratio")
        (self.here / "ball.toml").write_text(scene)
        result = subprocess.run(["sinew", "run", "ball.toml"], cwd=self.here,
                                env=self.environment, capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (2, said))

    def test_every_block_of_commands_is_known(self):
        begins = [block.split("\n")[0].split("  ")[0] for block in blocks("sh")]
        self.assertEqual(begins, ["scripts/demo", "sinew check ball.toml", "sinew phantom arm -o arm"])


if __name__ == "__main__":
    main()
