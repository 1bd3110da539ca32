"""Clients that want the worst. They get what the limits allow, and no connection of theirs outlives its time."""

import os
import random
import ssl
import time

from . import frames
from .gate import End
from .peer import Ended, Peer, request
from .server import LIMITS, TIMEOUTS

# How much later than its time a connection may end: ticks of the server, and a busy machine.
GRACE = 6


class Hostile:
    def __init__(self, server, gate, tally):
        self.server, self.gate, self.tally = server, gate, tally

    def workers(self):
        return [
            self.silent, self.trickled_hello, self.half_handshake, self.slow_head, self.slow_record, self.slow_reader,
            self.garbage, self.garbage_in_tls, self.reset, self.large_head, self.endless_body, self.pipelining,
            self.flood_of_address, self.flood_of_all, self.flood_of_frames, self.narrow_window, self.half_frame,
        ]

    def run(self, worker):
        """One of them, again and again until the end, from an address of its own."""
        kind = worker.__name__
        source = f"127.0.0.{10 + [each.__name__ for each in self.workers()].index(kind)}"
        while not self.gate.is_ended:
            try:
                worker(source)
            except End:
                return
            except (Ended, OSError, ssl.SSLError):
                # Whatever the server does to them is right, but for those that it keeps.
                pass
            except AssertionError as error:
                self.tally.fail(kind, str(error))

    def _open(self, kind, source, count, **options):
        """So many connections, less those that the server refuses."""
        peers = []
        for _ in range(count):
            try:
                peers.append(Peer(self.server, source, **options))
            except OSError:
                pass
        self.tally.count(self.tally.hostile, kind, len(peers))
        return peers

    def _each(self, peers, work):
        """Those of the connections that the server has not ended yet, after the work."""
        left = []
        for peer in peers:
            try:
                work(peer)
                left.append(peer)
            except (Ended, OSError, ssl.SSLError):
                peer.close()
        return left

    def _expect_end(self, peers, seconds):
        """All have to end within the time."""
        end = time.monotonic() + seconds + GRACE
        for peer in peers:
            with peer:
                has_ended = peer.has_ended(end - time.monotonic())
                assert has_ended or self.gate.is_ended, f"a connection is open after {seconds + GRACE} s"

    def _trickle(self, peers, pieces, seconds):
        """A byte of each now and then, until the server has ended all."""
        end = time.monotonic() + seconds + GRACE
        place = 0
        while peers:
            assert time.monotonic() < end, f"{len(peers)} connections are open after {seconds + GRACE} s"
            peers = self._each(peers, lambda peer: peer.send_raw(pieces(peer, place)))
            peers = [peer for peer in peers if not peer.has_ended(0.001)]
            place += 1
            time.sleep(0.1)

    # Handshake

    def silent(self, source):
        with self.gate.work("hostile"):
            peers = self._each(self._open("silent", source, 10), lambda peer: peer.send_raw(b"\x16"))
            self._expect_end(peers, TIMEOUTS["handshake"])

    def trickled_hello(self, source):
        with self.gate.work("hostile"):
            peers = self._open("trickled hello", source, 10)
            hellos = {id(peer): peer.hello() for peer in peers}
            self._trickle(
                peers, lambda peer, place: hellos[id(peer)][place:place + 1], TIMEOUTS["handshake"])

    def half_handshake(self, source):
        def begin(peer):
            hello = peer.hello()
            peer.send_raw(hello[:random.choice([len(hello), random.randrange(1, len(hello))])])

        with self.gate.work("hostile"):
            peers = self._each(self._open("half handshake", source, 20), begin)
            self._expect_end(peers, TIMEOUTS["handshake"])

    # Heads

    def slow_head(self, source):
        text = request("localhost", fields="X: " + "x" * 1000)
        with self.gate.work("hostile"):
            peers = self._each(self._open("slow head", source, 20), lambda peer: peer.shake_hands())
            self._trickle(
                peers, lambda peer, place: peer.seal(text[place:place + 1]), TIMEOUTS["header"])

    def slow_record(self, source):
        with self.gate.work("hostile"):
            peers = self._each(self._open("slow record", source, 10), lambda peer: peer.shake_hands())
            records = {id(peer): peer.seal(request("localhost", fields="X: " + "x" * 1000)) for peer in peers}
            self._trickle(
                peers, lambda peer, place: records[id(peer)][place:place + 1], TIMEOUTS["header"])

    def large_head(self, source):
        heads = [
            (b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\n", 414), (b"GET / HTTP/1.1\r\nX: " + b"x" * 9000, 431),
            (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 200, 431), (b"GET /\x00 HTTP/1.1\r\n\r\n", 400),
            (b"\x00" * 20000, 400), (b"GET / HTTP/3.0\r\n\r\n", 505),
        ]
        with self.gate.work("hostile"):
            for head, status in heads:
                for peer in self._each(self._open("bad head", source, 1), lambda peer: peer.shake_hands()):
                    with peer:
                        peer.send(head)
                        answer = peer.answer()
                        assert answer.status == status, f"{answer.status} to {head[:30]!r}…, expected {status}"
                        assert peer.read() == b"", "bytes behind the last answer"
        self.gate.wait_for_end(0.2)

    # Answers

    def slow_reader(self, source):
        def ask(peer):
            peer.shake_hands()
            peer.send(request("big.example") * 100)

        with self.gate.work("hostile"):
            peers = self._each(self._open("slow reader", source, 10, buffer=4096), ask)
            # Only what ends at the server frees its memory: looked at from outside when all is over.
            self.gate.wait_for_end(TIMEOUTS["write"] + 1)
            for peer in peers:
                peer.close()

    def pipelining(self, source):
        with self.gate.work("hostile"):
            for peer in self._each(self._open("pipelining", source, 2), lambda peer: peer.shake_hands()):
                with peer:
                    # More than it takes before it wants its answers read.
                    peer.socket.settimeout(1)
                    try:
                        peer.send(request("localhost") * 20000)
                    except (TimeoutError, Ended):
                        pass
                    if random.random() < 0.5:
                        for _ in range(random.randrange(2000)):
                            peer.answer()
                    peer.reset()
        self.gate.wait_for_end(0.5)

    def endless_body(self, source):
        with self.gate.work("hostile"):
            for peer in self._each(self._open("endless body", source, 3), lambda peer: peer.shake_hands()):
                with peer:
                    peer.send(request("localhost", "POST", fields="Content-Length: 99999999999\r\n"))
                    sent = 0
                    while sent < 50_000_000:
                        peer.send(b"x" * 16000)
                        sent += 16000
                    raise AssertionError(f"{sent} bytes of a body were taken")
        self.gate.wait_for_end(0.5)

    # Noise

    def garbage(self, source):
        starts = [
            b"", b"\x16\x03\x01", b"\x16\x03\x01\x40\x00\x01", b"\x80\x2e\x01", b"GET / HTTP/1.1\r\n\r\n",
            b"\x15\x03\x03\x00\x02\x02\x28",
        ]
        with self.gate.work("hostile"):
            peers = self._open("garbage", source, 10)
            peers = self._each(
                peers, lambda peer: peer.send_raw(random.choice(starts) + os.urandom(random.randrange(1, 3000))))
            self._expect_end(peers, TIMEOUTS["handshake"])
        self.gate.wait_for_end(0.2)

    def garbage_in_tls(self, source):
        def spoil(peer):
            peer.shake_hands()
            record = bytearray(peer.seal(request("localhost")))
            how = random.randrange(4)
            if how == 0:
                record[random.randrange(5, len(record))] ^= 1 << random.randrange(8)
            elif how == 1:
                kind = random.choice([b"\x14", b"\x15", b"\x16", b"\x17", b"\x18"])
                record = bytearray(kind + b"\x03\x03\x00\x20" + os.urandom(32))
            elif how == 2:
                record = bytearray(os.urandom(1000))
            else:
                record += os.urandom(500)
            peer.send_raw(bytes(record))

        with self.gate.work("hostile"):
            peers = self._each(self._open("garbage in TLS", source, 10), spoil)
            # A record that is announced and never comes is an idle connection's.
            self._expect_end(peers, TIMEOUTS["idle"])
        self.gate.wait_for_end(0.2)

    def reset(self, source):
        """At any moment of a connection's life."""
        steps = [
            lambda peer: peer.send_raw(peer.hello()), lambda peer: peer.shake_hands(),
            lambda peer: peer.send(request("big.example") * 3), lambda peer: peer.receive_raw(),
            lambda peer: peer.send_raw(peer.seal(request("localhost"))[:-1]),
        ]
        with self.gate.work("hostile"):
            for peer in self._open("reset", source, 20):
                for step in steps[:random.randrange(len(steps) + 1)]:
                    try:
                        step(peer)
                    except (Ended, OSError, ssl.SSLError):
                        break
                if random.random() < 0.8:
                    peer.reset()
                else:
                    peer.close()
        self.gate.wait_for_end(0.2)

    # HTTP/2

    def _speak(self, peers, data):
        def speak(peer):
            peer.shake_hands()
            assert peer.tls.selected_alpn_protocol() == "h2", "no HTTP/2"
            peer.send(data)

        return self._each(peers, speak)

    def flood_of_frames(self, source):
        kind, piece = random.choice(list(frames.FLOODS.items()))
        with self.gate.work("hostile"):
            peers = self._open(f"HTTP/2 {kind}", source, 3, context=self.server.context_h2)
            for peer in self._speak(peers, frames.PREFACE + frames.settings((4, random.choice([0, 65535])))):
                with peer:
                    peer.socket.settimeout(TIMEOUTS["write"] + TIMEOUTS["idle"] + GRACE)
                    for place in range(100_000):
                        peer.send(piece(place))
                    raise AssertionError(f"100,000 frames of '{kind}' were taken")
        self.gate.wait_for_end(0.2)

    def narrow_window(self, source):
        """A window that opens by a byte at a time."""
        with self.gate.work("hostile"):
            peers = self._open("HTTP/2 narrow window", source, 10, context=self.server.context_h2)
            begin = frames.PREFACE + frames.settings((4, 0)) + b"".join(
                frames.request(frames.number(place), name="big.example") for place in range(50))
            peers = self._speak(peers, begin)
            update = frames.frame(frames.WINDOW_UPDATE, b"\0\0\0\1", stream=1)
            # Cancelled once, then idle.
            self._trickle(peers, lambda peer, place: peer.seal(update), TIMEOUTS["write"] + TIMEOUTS["idle"])

    def half_frame(self, source):
        whole = frames.PREFACE + frames.settings() + frames.request(1)
        with self.gate.work("hostile"):
            peers = self._open("HTTP/2 half frame", source, 20, context=self.server.context_h2)
            peers = self._speak(peers, whole[:random.randrange(1, len(whole))])
            self._expect_end(peers, TIMEOUTS["idle"])

    # Floods

    def flood_of_address(self, source):
        with self.gate.work("hostile"):
            peers = self._open("flood of an address", source, LIMITS["perAddress"] + 50)
            peers = self._each(peers, lambda peer: peer.send_raw(b"\x16"))
            peers = self._each(peers, lambda peer: None)
            self.gate.wait_for_end(1)
            for peer in peers:
                peer.close()
        self.gate.wait_for_end(5)

    def flood_of_all(self, source):
        """From several addresses, until nobody else comes in. Those that are in go on."""
        with self.gate.work("hostile"):
            with self.gate.flood():
                peers = []
                for number in range(6):
                    peers += self._open("flood of all", f"127.0.1.{number}", LIMITS["perAddress"])
                peers = self._each(peers, lambda peer: peer.send_raw(b"\x16"))
                self.gate.wait_for_end(1)
                for peer in peers:
                    peer.close()
                # Until there is room again.
                end = time.monotonic() + 10
                while time.monotonic() < end and not self.gate.is_ended:
                    try:
                        with Peer(self.server, source) as peer:
                            peer.shake_hands()
                        break
                    except (Ended, OSError, ssl.SSLError):
                        time.sleep(0.05)
        self.gate.wait_for_end(15)
