#!/usr/bin/env python3
"""The servers of view and live while others send or take a byte now and then.
Usage: slow_clients_test.py SINEW SCRATCH_FOLDER TEST_CLASS"""
import re
import select
import signal
import socket
import subprocess
import threading
import time
import unittest

from app_tools import ROOT, SINEW, ask, folder, main, serve, sinew, write_ball

REQUEST_TIME = 5  # s, as in apps/sinew/bounded_server.h
CROWD = 200       # more than the server's places


def port_of(url):
    return int(url.rsplit(":", 1)[1])


class Crowd:
    """Connections that each send `first` and then one byte of `drip` a second, and take nothing."""

    def __init__(self, case, url, first, drip=b"x"):
        self.drip, self.ended = drip, threading.Event()
        self.sockets = []
        for _ in range(CROWD):
            one = socket.create_connection(("127.0.0.1", port_of(url)), timeout=20)
            one.sendall(first)
            self.sockets.append(one)
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        case.addCleanup(self.end)

    def run(self):
        while not self.ended.wait(1):
            for one in self.sockets if self.drip else []:
                try:
                    one.sendall(self.drip)
                except OSError:  # the server closed it
                    pass

    def end(self):
        self.ended.set()
        self.thread.join()
        for one in self.sockets:
            one.close()


class SlowClients(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.here = folder("slow-clients")
        made = sinew("run", write_ball(cls.here), "-o", cls.here / "out", "-q")
        assert made.returncode == 0, made.stderr

    def view(self):
        return serve(self, self.here / "out")

    def live(self):
        return serve(self, ROOT / "scenes/live-muscle.toml", "-o", self.here / "takes", verb="live")

    def expect_answers(self, url, path):
        """For longer than a request may take, so that those who are thrown out are seen too."""
        slowest = 0
        for _ in range(2 * REQUEST_TIME + 2):
            start = time.monotonic()
            status, _ = ask(url + path)
            slowest = max(slowest, time.monotonic() - start)
            self.assertEqual(status, 200)
            time.sleep(0.5)
        print(f"the slowest of the answers took {slowest:.3f} s")
        self.assertLess(slowest, 1)

    def status_of(self, url, sent, drip):
        """Status of a request whose rest drips in, and the time until the connection's end."""
        start = time.monotonic()
        with socket.create_connection(("127.0.0.1", port_of(url)), timeout=30) as one:
            one.sendall(sent)
            while not select.select([one], [], [], 0.2)[0]:
                self.assertLess(time.monotonic() - start, 3 * REQUEST_TIME)
                one.sendall(drip)
            answer = one.makefile("rb").read()
            return int(answer.split()[1]) if answer else None, time.monotonic() - start

    def test_view_answers_while_two_hundred_headers_drip(self):
        url = self.view()
        Crowd(self, url, b"GET /api/recording HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ")
        self.expect_answers(url, "/api/recording")

    def test_live_answers_while_two_hundred_messages_drip(self):
        url = self.live()
        Crowd(self, url, b"POST /api/live/command HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                         b"Content-Type: application/json\r\nContent-Length: 4000\r\n\r\n{", b" ")
        self.expect_answers(url, "/api/live")

    def test_view_answers_while_two_hundred_say_nothing(self):
        url = self.view()
        Crowd(self, url, b"", b"")
        self.expect_answers(url, "/api/recording")

    def test_view_answers_while_two_hundred_take_no_answer(self):
        url = self.view()
        get = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"  # so many answers fill every buffer
        frame = b"GET /api/body/0/frame/0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        Crowd(self, url, (get + frame) * 300, b"")
        self.expect_answers(url, "/api/recording")

    def test_a_request_has_a_deadline_as_a_whole(self):
        url = self.live()
        head = b"POST /api/live/command HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        body = head + b"Content-Type: application/json\r\nContent-Length: 4000\r\n\r\n"
        for sent in [b"G", head + b"X-A: ", body]:
            status, seconds = self.status_of(url, sent, b" ")
            self.assertEqual(status, 408, sent)
            self.assertGreater(seconds, REQUEST_TIME - 0.5, sent)
            self.assertLess(seconds, REQUEST_TIME + 2, sent)

    def test_a_request_has_a_largest_size_as_a_whole(self):
        url = self.view()
        line = b"X-A: " + b"a" * 1000 + b"\r\n"
        status, seconds = self.status_of(url, b"GET / HTTP/1.1\r\n" + line, line * 10)
        self.assertEqual(status, 431)
        self.assertLess(seconds, REQUEST_TIME)

    def test_the_server_ends_at_once_while_two_hundred_drip(self):
        server = subprocess.Popen([SINEW, "view", str(self.here / "out"), "--port", "0"],
                                  stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.stdout.close)
        url = re.search(r"http://\S+", server.stdout.readline()).group()
        Crowd(self, url, b"GET / HTTP/1.1\r\nX-A: ")
        start = time.monotonic()
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(timeout=20), 0)
        self.assertLess(time.monotonic() - start, 2)


if __name__ == "__main__":
    main()
