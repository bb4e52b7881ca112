"""What tests of the command share: how it is run, served and looked at in a browser."""
import re
import shutil
import signal
import subprocess
import sys
import unittest
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SINEW = sys.argv[1]
SCRATCH = Path(sys.argv[2])

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


def serve_line(case, *arguments, verb="view"):
    """What a server says when it has begun to show a folder, or run a scene: until the case ends."""
    server = subprocess.Popen([SINEW, verb, *map(str, arguments), "--port", "0"],
                              stdout=subprocess.PIPE, text=True)

    def stop():
        server.send_signal(signal.SIGINT)
        server.wait(timeout=20)
        server.stdout.close()
    case.addCleanup(stop)
    return server.stdout.readline()


def serve(case, *arguments, verb="view"):
    """The address of such a server."""
    return re.search(r"http://127\.0\.0\.1:\d+", serve_line(case, *arguments, verb=verb)).group()


def ask(url, data=None, method=None, **headers):
    """Status and body of an answer; `data` is posted as it is, as JSON unless headers say else."""
    if data is not None:
        headers = {"Content-Type": "application/json",
                   **{name.replace("_", "-"): value for name, value in headers.items()}}
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def run_node(case, here, name, *arguments):
    """Runs a script of this folder in `here`, with its packages."""
    for file in [name, "chromium.mjs", "package.json", "package-lock.json"]:
        shutil.copy(HERE / file, here)
    subprocess.run(["npm", "ci", "--prefer-offline", "--no-audit", "--no-fund"], cwd=here,
                   check=True, capture_output=True)
    result = subprocess.run(["node", name, *arguments], cwd=here, capture_output=True, text=True,
                            timeout=800)
    case.assertEqual(result.returncode, 0, result.stdout + result.stderr)
    print(result.stdout)


def main():
    """Usage of a test: FILE SINEW SCRATCH_FOLDER TEST_CLASS"""
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
