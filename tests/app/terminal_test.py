#!/usr/bin/env python3
"""Names from files on their way to the terminal. Usage: terminal_test.py SINEW SCRATCH_FOLDER CLASS"""
import json
import os
import pty
import re
import subprocess
import unittest

from app_tools import BALL, SINEW, folder, main, serve_line, sinew

# Title of the window, red, C1 introducer, a line of its own, right to left, byte order mark.
HOSTILE = "a\x1b]0;owned\x07\x1b[31m\u009b31m\nsinew: ok\r\u202etxt\ufeff\x7f"
SHOWN = "a?]0;owned??[31m?31m?sinew: ok??txt??"

MODEL = """<?xml version="1.0"?>
<OpenSimDocument Version="40000"><Model name="m"><BodySet><objects>
<Body name="b"><mass>1</mass><mass_center>0 0 0</mass_center>
<inertia>1 1 1 0 0 0</inertia></Body></objects></BodySet>
<JointSet><objects><PinJoint name="j"><socket_parent_frame>/ground</socket_parent_frame>
<socket_child_frame>/bodyset/b</socket_child_frame><coordinates><Coordinate name="q"/></coordinates>
</PinJoint></objects></JointSet>
<ForceSet><objects><StrangeForce name="%s"/></objects></ForceSet>
</Model></OpenSimDocument>
"""


def obeyed(text):
    """What of a text a terminal would obey."""
    return re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\ufeff]", text)


class Terminal(unittest.TestCase):
    def check_words(self, result, shown=SHOWN):
        said = result.stdout + result.stderr
        self.assertEqual(obeyed(said), [], said)
        self.assertNotIn("\nsinew: ok", said)
        self.assertIn(shown, said)

    def test_a_path_is_made_visible(self):
        here = folder("terminal") / HOSTILE
        here.mkdir()
        scene = here / "ball.toml"
        for text, verb, code in [(BALL, "check", 0), ("nonsense", "check", 2), (BALL, "run", 0)]:
            scene.write_text(text.replace("duration = 0.5", "duration = 0.05"))
            result = sinew(verb, scene, *(["-o", here / "out"] if verb == "run" else []))
            self.assertEqual(result.returncode, code, result.stderr)
            if verb == "run" or code != 0:
                self.check_words(result)
        self.check_words(sinew("export", here / "out", "--to", "csv"))
        self.check_words(sinew("run", here / "no.toml"))
        self.check_words(sinew("export", here / "out", "--to", HOSTILE), "is none of vtu")

    def test_letters_of_any_script_stay(self):
        here = folder("terminal-letters") / "Gr\u00f6\u00dfe-\u7b4b-\u05e9\u05e8\u05d9\u05e8-\U0001f4aa"
        here.mkdir()
        self.check_words(sinew("check", here / "none.toml"), here.name)

    def test_bytes_that_are_no_text_become_marks(self):
        result = subprocess.run([SINEW, "check", b"\xff\xc3\x28\xe2\x82.toml"], capture_output=True)
        self.assertIn(b"sinew check: ??(?.toml: no such", result.stderr)

    def test_a_name_inside_a_file_is_made_visible(self):
        here = folder("terminal-inside")
        model = here / "model.osim"
        model.write_text(MODEL % "s&#x1b;[2Jx\u009b2Jy\u202ez")
        self.check_words(sinew("check", model), "x")

    def test_json_has_its_own_escapes(self):
        here = folder("terminal-json") / HOSTILE
        here.mkdir()
        result = sinew("check", here / "none.toml", "--json")
        self.assertEqual([c for c in result.stdout if not " " <= c <= "~" and c != "\n"], [])
        self.assertIn(str(here), json.loads(result.stdout)["error"])

    def test_a_server_says_names_without_orders(self):
        here = folder("terminal-serve") / HOSTILE
        here.mkdir()
        (here / "ball.toml").write_text(BALL.replace("duration = 0.5", "duration = 0.05"))
        sinew("run", here / "ball.toml", "-o", here / "out", "-q")
        line = serve_line(self, here / "out")
        self.assertEqual(obeyed(line), [])
        self.assertIn(SHOWN, line)

    def test_on_a_terminal_colours_are_our_own(self):
        here = folder("terminal-colours") / HOSTILE
        here.mkdir()
        (here / "ball.toml").write_text(BALL.replace("duration = 0.5", "duration = 0.05"))
        sinew("run", here / "ball.toml", "-o", here / "out", "-q")
        master, slave = pty.openpty()
        child = subprocess.Popen([SINEW, "check", here / "out"], stdout=slave, stderr=slave,
                                 env={**os.environ, "TERM": "xterm"})
        os.close(slave)
        said = b""
        try:
            while part := os.read(master, 4096):
                said += part
        except OSError:  # the other end is closed
            pass
        os.close(master)
        self.assertEqual(child.wait(), 0)
        self.assertIn(b"\x1b[32mok\x1b[0m", said)
        rest = re.sub(r"\x1b\[(32|31|33|0)m", "", said.decode()).replace("\r\n", "\n")
        self.assertEqual(obeyed(rest), [])


if __name__ == "__main__":
    main()
