#!/usr/bin/env python3
"""Nothing is lost: two writers, signals, full disks, outputs over inputs, too little memory.
Usage: kept_test.py SINEW SCRATCH_FOLDER TEST_CLASS"""
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

from app_tools import BALL, SINEW, folder, main, sinew, write_ball

# Some seconds in all, tens of milliseconds a frame.
SLOW = BALL.replace("0.03", "0.02").replace("duration = 0.5", "duration = 2")
# One frame of a minute or so.
ENDLESS = BALL.replace("0.03", "0.01").replace("[output]", "[output]\nframe_rate = 0.1").replace(
    "duration = 0.5", "duration = 10")


def write(where, text, name="scene.toml"):
    scene = where / name
    scene.write_text(text)
    return scene


def hashes(out):
    import h5py
    with h5py.File(out / "recording.h5", "r", libver="latest", swmr=True) as recording:
        return list(recording["/frames/state_hash"][:])


def limited(kind, amount):
    """Of a child: a limit of its resources."""
    return lambda: resource.setrlimit(kind, (amount, amount))


class Kept(unittest.TestCase):
    def start(self, *arguments, wait_for=None, **options):
        process = subprocess.Popen([SINEW, *map(str, arguments)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        self.said = ""
        while wait_for is not None and not re.search(wait_for, self.said):
            line = process.stderr.readline()
            self.assertNotEqual(line, "", self.said)
            self.said += line
        return process

    def refused(self, result, *words):
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        for word in words:
            self.assertIn(str(word), result.stderr)

    def test_a_second_writer_of_a_folder_is_refused_with_the_first_ones_process(self):
        here = folder("two-runs")
        scene = write(here, SLOW)
        first = self.start("run", scene, "-o", here / "out", wait_for="frame ")
        first.send_signal(signal.SIGSTOP)
        for call in [("run", scene, "-o", here / "out"),
                     ("run", scene, "-o", here / "out", "--resume"),
                     ("export", here / "out", "--to", "csv", "-o", here / "out"),
                     ("phantom", "eye", "-o", here / "out"),
                     ("lab", "tendon-length", "--on", "line", "-o", here / "out")]:
            self.refused(sinew(*call), here / "out", f"process {first.pid} is writing")
        first.send_signal(signal.SIGCONT)
        out, err = first.communicate()
        self.assertEqual(first.returncode, 0, err)
        self.assertEqual(len(hashes(here / "out")), 49)
        self.assertEqual(sorted(p.name for p in (here / "out").iterdir()),
                         ["checkpoint.bin", "recording.h5"])

    def test_ctrl_c_and_sigterm_end_a_run_at_a_frame_that_it_goes_on_from(self):
        here = folder("signals")
        scene = write(here, SLOW)
        self.assertEqual(sinew("run", scene, "-o", here / "straight", "-q").returncode, 0)
        for sent, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            out = here / f"out{code}"
            process = self.start("run", scene, "-o", out, "--json", wait_for="frame ")
            process.send_signal(sent)
            document, err = process.communicate()
            self.assertEqual(process.returncode, code, err)
            self.assertIn("ending after this frame", err)
            self.assertIn(f"`sinew run {scene} -o {out} --resume` goes on from there", err)
            self.assertIs(json.loads(document)["ok"], False)
            kept = len(hashes(out))
            self.assertLess(kept, 49)
            result = sinew("run", scene, "-o", out, "--resume", "--json", "-q")
            rows = {row["name"]: row["value"] for row in json.loads(result.stdout)["rows"]}
            self.assertEqual(rows["resumed_from_frame"], kept - 1)
            self.assertEqual(hashes(out), hashes(here / "straight"))

    def test_a_run_without_a_checkpoint_starts_anew(self):
        here = folder("anew")
        scene = write_ball(here)
        out = here / "out"
        self.assertEqual(sinew("run", scene, "-o", here / "straight", "-q").returncode, 0)
        # As a kill before the first checkpoint leaves it: there is no room for the first frame.
        sinew("run", scene, "-o", out, "-q", preexec_fn=limited(resource.RLIMIT_FSIZE, 280_000))
        self.assertEqual([p.name for p in out.iterdir()], ["recording.h5"])
        other = write(here, BALL.replace("2e4", "3e4"), "other.toml")
        self.refused(sinew("run", other, "-o", out, "--resume"), "another scene")
        result = sinew("run", scene, "-o", out, "--resume", "-q")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("the run starts anew", result.stderr)
        self.assertEqual(hashes(out), hashes(here / "straight"))

    def test_a_second_signal_ends_at_once(self):
        here = folder("twice")
        process = self.start("run", write(here, ENDLESS), "-o", here / "out",
                             wait_for="frame 0 of 1")
        process.send_signal(signal.SIGINT)
        self.assertIn("ending after this frame", process.stderr.readline()
                      + process.stderr.readline())
        time.sleep(0.2)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=5), -signal.SIGINT)

    def test_a_build_that_is_ended_leaves_no_outputs(self):
        here = folder("ended-build")
        self.assertEqual(sinew("phantom", "eye", "-o", here / "eye", "-q").returncode, 0)
        process = self.start("build", here / "eye/model.toml", "-o", here / "out",
                             wait_for=r"\w+ +\d+ parts")
        process.send_signal(signal.SIGTERM)
        process.communicate()
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertLessEqual({p.name for p in (here / "out").iterdir()}, {".sinew-lock"})

    def test_a_recording_that_is_deleted_or_replaced_ends_the_run_with_2(self):
        here = folder("deleted")
        scene = write(here, SLOW)
        self.assertEqual(sinew("run", write_ball(here), "-o", here / "other", "-q").returncode, 0)
        for replaced in [False, True]:
            out = here / f"out-{replaced}"
            process = self.start("run", scene, "-o", out, wait_for="frame ")
            (out / "recording.h5").unlink()
            if replaced:
                shutil.copy(here / "other/recording.h5", out)
            _, err = process.communicate()
            self.assertEqual(process.returncode, 2, err)
            self.assertIn(f"{out}/recording.h5: was deleted or replaced", err)
        self.assertEqual(hashes(out), hashes(here / "other"))

    def test_standard_output_that_takes_nothing_is_2(self):
        here = folder("full-output")
        scene = write_ball(here)
        for call in [("check", scene), ("check", scene, "--json"), ("lab",), ("--help",),
                     ("run", "--help"), ("run", scene, "-o", here / "out", "-q"),
                     ("run", scene, "-o", here / "out", "-q", "--json"),
                     ("check", here / "nowhere", "--json")]:
            with open("/dev/full", "w") as full:
                result = subprocess.run([SINEW, *map(str, call)], stdout=full,
                                        stderr=subprocess.PIPE, text=True)
            self.assertEqual(result.returncode, 2, call)
            self.assertNotEqual(result.stderr, "", call)
        self.assertEqual(len(hashes(here / "out")), 13)

    def test_closed_streams_never_become_a_recording(self):
        here = folder("closed")
        scene = write_ball(here)
        for closing, code in [(">&-", 2), ("2>&-", 0), ("<&- >&- 2>&-", 2)]:
            result = subprocess.run(
                ["bash", "-c", f'"$0" run "$1" -o "$2" {closing}', SINEW, scene, here / "out"],
                capture_output=True, text=True)
            self.assertEqual(result.returncode, code, closing + result.stderr)
            self.assertEqual(sinew("check", here / "out").returncode, 0, closing)
            self.assertEqual(len(hashes(here / "out")), 13)

    def write_all(self, here, run, where, check):
        """Every writer, into `where`; `check` gets the result of each and what it should name."""
        scene = write_ball(here)
        check(("run", scene, "-o", where / "run", "-q"), where / "run")
        for form in ["vtu", "obj", "csv", "png"]:
            check(("export", run, "--to", form, "-o", where / form), where / form)
        check(("compare", run, run, "-o", where / "table.csv"), where / "table.csv")
        check(("phantom", "eye", "-o", where / "eye", "-q"), where / "eye")
        check(("lab", "tendon-length", "--on", "line", "-o", where / "lab"), where / "lab")
        check(("ik", here / "arm.toml", "--goals", here / "goals.toml", "-o", where / "m.mot"),
              where / "m.mot")

    def prepare(self, name):
        here = folder(name)
        self.assertEqual(sinew("run", write_ball(here), "-o", here / "ball", "-q").returncode, 0)
        write(here, '[[links]]\nname = "a"\na = 0.2\n[[links]]\nname = "b"\na = 0.2\n', "arm.toml")
        write(here, '[[goals]]\nbody = "b"\npoint = [0, 0, 0]\ntimes = [0]\n'
              'targets = [[0.2, 0.2, 0]]\n', "goals.toml")
        return here

    def test_files_that_cannot_grow_are_2_with_their_names_and_leave_no_halves(self):
        here = self.prepare("full-files")
        (here / "out").mkdir()

        def check(call, name):
            result = sinew(*call, preexec_fn=limited(resource.RLIMIT_FSIZE, 20))
            self.refused(result, name)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.write_all(here, here / "ball", here / "out", check)
        left = [p for p in (here / "out").rglob("*") if p.is_file()]
        self.assertEqual([p for p in left if p.suffix == ".part"], [])

    def test_a_full_device_is_2_with_the_files_name(self):
        here = self.prepare("full-device")
        disk = here / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk],
                          capture_output=True).returncode != 0:
            self.skipTest("no tmpfs can be mounted here")
        self.addCleanup(lambda: subprocess.run(["umount", disk], check=True))
        # Fills up in the middle of a run: its whole frames stay.
        self.refused(sinew("run", write_ball(here), "-o", disk / "run", "-q"), disk / "run")
        self.assertGreater(len(hashes(disk / "run")), 0)

        def check(call, name):
            with open(disk / "rest", "ab", buffering=0) as rest:
                try:
                    while rest.write(bytes(4096)) > 0:
                        pass
                except OSError:
                    pass
            self.refused(sinew(*call), name)
        self.write_all(here, here / "ball", disk, check)

    def test_outputs_replace_no_input_follow_no_link_and_touch_no_device(self):
        here = self.prepare("outputs")
        run = here / "ball/recording.h5"
        inputs = {p: p.read_bytes() for p in [run, here / "arm.toml", here / "goals.toml"]}
        (here / "link").symlink_to("arm.toml")
        os.mkfifo(here / "pipe")
        os.link(here / "arm.toml", here / "twin.toml")
        goals = ("ik", here / "arm.toml", "--goals", here / "goals.toml", "-o")
        for name, word in [("arm.toml", "is an input"), ("goals.toml", "is an input"),
                           ("twin.toml", "is an input"), ("link", "is a link"),
                           ("pipe", "is a device, a pipe")]:
            self.refused(sinew(*goals, here / name), here / name, word)
        for name, word in [(run, "is an input"), (here / "link", "is a link"),
                           (here / "pipe", "is a device, a pipe")]:
            self.refused(sinew("compare", run, run, "-o", name), name, word)
        (here / "ball/csv").mkdir()
        (here / "ball/csv/certificate.csv").symlink_to(here / "arm.toml")
        self.refused(sinew("export", here / "ball", "--to", "csv"), "is a link")
        (here / "linked").mkdir()
        (here / "linked/recording.h5").symlink_to(here / "arm.toml")
        self.refused(sinew("run", write_ball(here), "-o", here / "linked"), "is a link")
        for path, content in inputs.items():
            self.assertEqual(path.read_bytes(), content, path)
        self.assertTrue((here / "link").is_symlink() and (here / "pipe").is_fifo())

    def limit_memory(self, megabytes):
        limit = limited(resource.RLIMIT_AS, megabytes << 20)
        if sinew("--version", preexec_fn=limit).returncode != 0:
            self.skipTest("this build of the program needs more by itself")
        return limit

    def test_a_scene_that_does_not_fit_is_refused_before_it_is_built(self):
        here = folder("too-large")
        # 17 million cubes, which the limit on their number allows.
        scene = write(here, BALL.replace("0.03", "0.00078"))
        limit = self.limit_memory(1000)
        for call in [("check", scene), ("run", scene, "-o", here / "out")]:
            started = time.monotonic()
            result = sinew(*call, preexec_fn=limit)
            self.assertLess(time.monotonic() - started, 20)
            self.refused(result, "scene.toml: bodies: \"ball\" has about 1.0", "tetrahedra",
                         "GiB of memory; there are", "(ulimit -v)", "m instead of 0.00078 m")
        self.assertFalse((here / "out").exists())
        rows = {row["name"]: row["value"] for row in json.loads(
            sinew("check", write_ball(here), "--json").stdout)["rows"]}
        self.assertGreater(rows["memory_of_a_run"], 50e6)
        self.assertLess(rows["memory_of_a_run"], 100e6)

    def test_memory_that_runs_out_anywhere_is_a_sentence_and_an_exit_code(self):
        here = folder("memory")
        self.limit_memory(1000)
        run = here / "ball"
        scene = write(here, BALL.replace("0.03", "0.012").replace("= 0.5", "= 0.04"))
        self.assertEqual(sinew("run", scene, "-o", run, "-q").returncode, 0)
        self.assertEqual(sinew("phantom", "eye", "-o", here / "eye", "-q").returncode, 0)
        ends = set()
        for megabytes in [130, 160, 180, 250]:
            limit = limited(resource.RLIMIT_AS, megabytes << 20)
            if b"shared libraries" in subprocess.run([SINEW, "--version"], capture_output=True,
                                                     preexec_fn=limit).stderr:
                continue  # the system's own words, before the program begins
            for call in [("check", scene), ("run", scene, "-o", here / "out", "-q"),
                         ("check", run), ("export", run, "--to", "png", "-o", here / "png"),
                         ("build", here / "eye/model.toml", "-o", here / "model", "-q"),
                         ("view", here / "nothing")]:
                result = sinew(*call, preexec_fn=limit, timeout=60)
                ends.add(result.returncode)
                self.assertIn(result.returncode, [0, 1, 2], (megabytes, call, result.stderr))
                self.assertNotIn("terminate", result.stderr)
                if result.returncode != 0:
                    self.assertRegex(result.stderr, "memory|unavailable|nothing", (megabytes, call))
        self.assertLessEqual({1, 2}, ends, "no limit was tight enough to test anything")


if __name__ == "__main__":
    main()
