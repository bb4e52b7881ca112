#!/usr/bin/env python3
"""Live sessions as users run them. Usage: live_test.py SINEW SCRATCH_FOLDER TEST_CLASS"""
import json
import time
import unittest
import urllib.error
import urllib.request

from app_tools import ROOT, ask, folder, main, run_node, serve, sinew


class Session(unittest.TestCase):
    """A session of a scene, and how it is talked to."""

    def start(self, scene):
        self.here = folder("live-" + scene)
        self.url = serve(self, ROOT / f"scenes/{scene}.toml", "-o", self.here / "takes",
                         verb="live")

    def ask(self, path, data=None, method=None, **headers):
        return ask(self.url + path, data, method, **headers)

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


class Live(Session):
    """A simulation that is steered through HTTP and through its page."""

    def setUp(self):
        self.start("live-muscle")

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


class LiveBricks(Session):
    """Scenes of bricks, with modes and with large strains."""

    def control(self, name):
        return [c["name"] for c in self.info()["controls"]].index(name)

    def surface(self, snapshot):
        import numpy as np
        return np.frombuffer(snapshot["data"], "<f4", 3 * self.info()["bodies"][0]["num_vertices"])

    def restart(self):
        """Paused at the beginning: what follows is counted in frames, not in seconds."""
        stream = self.stream()
        self.post(do="pause")
        number = self.post(do="restart")
        self.wait(stream, lambda s: s["applied"] >= number)
        self.frames = 0
        return stream

    def step(self, stream, frames):
        self.frames += frames
        self.post(do="step", frames=frames)
        return self.wait(stream, lambda s: s["trouble"] != "" or
                         round(60 * s["time"]) >= self.frames)

    def test_a_muscle_answers_to_its_slider(self):
        self.start("frog-gastrocnemius")
        stream = self.restart()
        activation = self.control("activation.gastrocnemius")
        self.post(do="set", control=activation, value=0)
        still = self.step(stream, 30)
        self.post(do="set", control=activation, value=1)
        pulled = self.step(stream, 30)
        self.assertEqual(pulled["trouble"], "")
        names = [column["name"] for column in self.info()["certificate"]]
        force = names.index("force.gastrocnemius.insertion")
        self.assertGreater(pulled["certificate"][force], 5 * still["certificate"][force])
        self.assertGreater(pulled["certificate"][force], 0.5)
        self.assertGreater(abs(self.surface(pulled) - self.surface(still)).max(), 2e-4)

    def test_a_muscle_with_modes_answers_to_all_its_sliders(self):
        self.start("live-modal-muscle")
        stream = self.restart()
        self.assertEqual([control["name"] for control in self.info()["controls"]],
                         ["activation.muscle", "gravity", "stiffness.muscle", "modes.muscle",
                          "pull_strength"])

        def length(snapshot):
            along = self.surface(snapshot).reshape(-1, 3)[:, 0]
            return along.max() - along.min()

        for name, value in [("activation.muscle", 0), ("gravity", 0)]:
            self.post(do="set", control=self.control(name), value=value)
        still = self.step(stream, 60)
        self.post(do="set", control=self.control("activation.muscle"), value=1)
        pulled = self.step(stream, 60)
        self.assertLess(length(pulled), 0.9 * length(still))
        # Five times as stiff it shortens less; by one mode alone hardly at all.
        self.post(do="set", control=self.control("stiffness.muscle"), value=5)
        stiff = self.step(stream, 60)
        self.assertGreater(length(stiff), length(pulled) + 0.2 * (length(still) - length(pulled)))
        self.post(do="set", control=self.control("modes.muscle"), value=1)
        one = self.step(stream, 60)
        self.assertGreater(length(one), length(stiff))
        self.assertEqual(one["trouble"], "")

    def test_the_page_steers_a_muscle_with_modes(self):
        self.start("live-modal-muscle")
        run_node(self, self.here, "live_page_test.mjs", self.url, self.here / "live.png")

    def test_a_body_with_modes_follows_gravity_and_keeps_fewer_modes(self):
        self.start("jello")
        stream = self.restart()
        info = self.info()
        modes = next(i for i, c in enumerate(info["controls"]) if c["name"].startswith("modes."))
        self.post(do="set", control=modes, value=info["controls"][modes]["low"])
        self.post(do="set", control=self.control("gravity"), value=-30)
        told = self.step(stream, 1)
        self.assertEqual(told["controls"][modes], info["controls"][modes]["low"])
        fallen = self.step(stream, 20)
        way = (self.surface(fallen) - self.surface(told)).reshape(-1, 3).mean(axis=0)
        self.assertGreater(abs(way).max(), 0.01)
        self.assertEqual(fallen["trouble"], "")


if __name__ == "__main__":
    main()
