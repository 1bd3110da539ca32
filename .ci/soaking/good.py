"""Clients that are entitled to an answer: each that they do not get is a failure."""

import random
import re
import shutil
import ssl
import subprocess
import urllib.error
import urllib.request

from .gate import End
from .peer import Ended, Peer, request

# Those whose file is another one from time to time.
CHANGING = ["changing.example", "broken.example"]
NAMES = ["localhost", "a.example", "changing.example", "broken.example", "big.example"]


def check(server, name, answer, status=200):
    """What every good answer has to be."""
    assert answer.status == status, f"{name}: status {answer.status}, expected {status}"
    assert "location" not in answer.fields, f"{name}: a redirect"
    assert answer.fields.get("date"), f"{name}: no date"
    if status == 200:
        assert server.is_version(name, answer.body), f"{name}: {len(answer.body)} bytes that are no version of its file"
        assert answer.fields["content-type"] == "application/json", f"{name}: {answer.fields['content-type']}"


class Good:
    def __init__(self, server, gate, tally):
        self.server, self.gate, self.tally = server, gate, tally

    def workers(self):
        workers = [self.kept, self.fresh, self.resumed, self.large]
        if shutil.which("wrk"):
            workers.append(self.heavy)
        if shutil.which("h2load"):
            workers.append(self.streams)
        if self.server.has_admin:
            workers.append(self.admin)
        return workers

    def run(self, worker):
        """One of them, again and again until the end."""
        kind = worker.__name__
        while not self.gate.is_ended:
            try:
                worker()
            except End:
                return
            except (AssertionError, Ended, OSError, ssl.SSLError, ValueError) as error:
                self.tally.fail(f"good {kind}", f"{type(error).__name__}: {error}")

    def _count(self, kind, number=1):
        self.tally.count(self.tally.good, kind, number)

    def kept(self):
        """Many requests of all kinds on one connection, which floods must not disturb."""
        with self.gate.work("fresh"):
            peer = Peer(self.server, name="localhost")
            peer.shake_hands()
        with peer:
            for _ in range(400):
                if self.gate.is_paused:
                    break
                with self.gate.work("kept"):
                    self._ask(peer, random.choice(NAMES))
            peer.say_goodbye()

    def _ask(self, peer, name):
        kind = random.choice(["get", "get", "head", "etag", "since", "missing", "pipelined"])
        if kind == "get":
            peer.send(request(name))
            check(self.server, name, peer.answer())
        elif kind == "head":
            peer.send(request(name, "HEAD"))
            answer = peer.answer(has_body=False)
            assert answer.status == 200 and int(answer.fields["content-length"]) > 0, f"{name}: {answer.status} to HEAD"
        elif kind == "etag":
            peer.send(request(name))
            tag = peer.answer().fields["etag"]
            peer.send(request(name, fields=f"If-None-Match: {tag}\r\n"))
            # Its file may have changed between the two.
            answer = peer.answer()
            assert answer.status == 304 or name in CHANGING, f"{name}: {answer.status} to its own tag"
        elif kind == "since":
            peer.send(request(name, fields="If-Modified-Since: Sat, 01 Jan 2000 00:00:00 GMT\r\n"))
            check(self.server, name, peer.answer())
        elif kind == "missing":
            peer.send(request(name, path="/missing"))
            check(self.server, name, peer.answer(), 404)
        else:
            peer.send(request("localhost") * 10)
            for _ in range(10):
                check(self.server, "localhost", peer.answer())
        self._count(kind)

    def fresh(self):
        """A full handshake and one request."""
        name = random.choice([*NAMES, "rsa.example", "x.wild.example", "y.wild.example"])
        with self.gate.work("fresh"):
            context = random.choice([self.server.context, self.server.context12])
            with Peer(self.server, name=name, context=context) as peer:
                peer.shake_hands()
                peer.send(request(name, fields="Connection: close\r\n"))
                check(self.server, name, peer.answer())
                assert peer.read() == b"", "bytes behind the last answer"
        self._count("full handshake")

    def resumed(self):
        """A session that is used again."""
        context = random.choice([self.server.context, self.server.context12])
        session = None
        for _ in range(10):
            with self.gate.work("fresh"):
                with Peer(self.server, name="a.example", context=context, session=session) as peer:
                    peer.shake_hands()
                    if session is not None:
                        self._count("resumed" if peer.tls.session_reused else "not resumed")
                    peer.send(request("a.example"))
                    check(self.server, "a.example", peer.answer())
                    session = peer.tls.session
                    peer.say_goodbye()

    def large(self):
        """A large file, read slowly but steadily."""
        with self.gate.work("fresh"):
            with Peer(self.server, name="big.example", buffer=32768) as peer:
                peer.shake_hands()
                peer.send(request("big.example") * 8)
                for _ in range(8):
                    check(self.server, "big.example", peer.answer())
                    self._count("large")

    def streams(self):
        """Many streams of HTTP/2 on a few connections, small files and large ones."""
        with self.gate.work("fresh"):
            name = random.choice(["localhost", "big.example"])
            output = subprocess.run(
                ["h2load", "-n1000", "-c4", "-m20", "--connect-to", f"localhost:{self.server.port}",
                 f"https://{name}:{self.server.port}/.well-known/apple-app-site-association"],
                capture_output=True, text=True).stdout
            assert "status codes: 1000 2xx" in output, output
        self._count("streams", 1000)
        self.gate.wait_for_end(1)

    def heavy(self):
        """As much as the machine can do, for a while; then as long nothing."""
        with self.gate.work("fresh"):
            path = "/.well-known/apple-app-site-association"
            output = subprocess.run(
                ["wrk", "-t1", "-c24", "-d4s", "--timeout", "10s", f"https://localhost:{self.server.port}{path}"],
                capture_output=True, text=True).stdout
            match = re.search(r"(\d+) requests in ", output)
            assert match, f"wrk: {output}"
            self._count("wrk", int(match[1]))
            for problem in ("Socket errors", "Non-2xx"):
                assert problem not in output, f"wrk: {output[output.index(problem):].splitlines()[0]}"
        self.gate.wait_for_end(4)

    def admin(self):
        """Whoever watches the server."""
        with self.gate.work("kept"):
            for path in ("healthz", "readyz", "sites", "metrics"):
                url = f"http://127.0.0.1:{self.server.admin_port}/{path}"
                try:
                    with urllib.request.urlopen(url, timeout=10) as answer:
                        assert answer.read(), f"/{path} is empty"
                except urllib.error.HTTPError as error:
                    raise AssertionError(f"/{path}: {error.code}") from error
                self._count("admin")
        self.gate.wait_for_end(1)
