"""A client whose bytes are in its own hands, between TLS and the socket."""

import socket
import ssl
import struct


class Ended(Exception):
    """The server has ended the connection."""


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body


class Peer:
    def __init__(self, server, source="127.0.0.1", name=None, context=None, session=None, buffer=None, timeout=20):
        self.socket = socket.socket()
        self.socket.settimeout(timeout)
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # The port is chosen when it connects, so that there are enough of them.
        self.socket.setsockopt(socket.IPPROTO_IP, 24, 1)
        try:
            self.socket.bind((source, 0))
            self.socket.connect(("127.0.0.1", server.port))
        except OSError:
            self.socket.close()
            raise
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = (context or server.context).wrap_bio(
            self._incoming, self._outgoing, server_hostname=name or "localhost", session=session)
        self._unread = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    # Below TLS

    def send_raw(self, data):
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Ended(str(error)) from error

    def receive_raw(self):
        """The next bytes; none at the end of the stream."""
        try:
            return self.socket.recv(65536)
        except ConnectionResetError as error:
            raise Ended(str(error)) from error

    def has_ended(self, seconds=0.0):
        """Whether the server ends the connection within the time, whatever it says before."""
        timeout = self.socket.gettimeout()
        self.socket.settimeout(max(0.001, seconds))
        try:
            while self.receive_raw():
                pass
            return True
        except Ended:
            return True
        except (TimeoutError, BlockingIOError):
            return False
        finally:
            self.socket.settimeout(timeout)

    # TLS

    def hello(self):
        """The first bytes of a handshake."""
        try:
            self.tls.do_handshake()
        except ssl.SSLWantReadError:
            pass
        return self._outgoing.read()

    def shake_hands(self):
        while True:
            try:
                self.tls.do_handshake()
                self._flush()
                return
            except ssl.SSLWantReadError:
                self._flush()
                self._feed()

    def seal(self, data):
        """Records with the data in them."""
        self.tls.write(data)
        return self._outgoing.read()

    def send(self, data):
        self.send_raw(self.seal(data))

    def say_goodbye(self):
        try:
            self.tls.unwrap()
        except ssl.SSLError:
            pass
        self._flush()

    def _flush(self):
        data = self._outgoing.read()
        if data:
            self.send_raw(data)

    def _feed(self):
        data = self.receive_raw()
        if not data:
            raise Ended("the stream ended")
        self._incoming.write(data)

    def read(self):
        """The next decrypted bytes; none after `close_notify`."""
        while True:
            try:
                return self.tls.read(65536)
            except ssl.SSLWantReadError:
                self._feed()
            except ssl.SSLZeroReturnError:
                return b""

    # HTTP

    def answer(self, has_body=True):
        while b"\r\n\r\n" not in self._unread:
            self._more()
        head, self._unread = self._unread.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split(" ")[1])
        fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            fields[name.lower()] = value
        count = int(fields.get("content-length", "0")) if has_body and status != 304 else 0
        while len(self._unread) < count:
            self._more()
        body, self._unread = self._unread[:count], self._unread[count:]
        return Answer(status, fields, body)

    def _more(self):
        data = self.read()
        if not data:
            raise Ended(f"the stream ended after {self._unread[:100]!r}")
        self._unread += data


def request(name, method="GET", path="/.well-known/apple-app-site-association", fields=""):
    return f"{method} {path} HTTP/1.1\r\nHost: {name}\r\n{fields}\r\n".encode()
