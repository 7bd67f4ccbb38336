#!/usr/bin/env python3
"""Floods by HTTP/2 frames: heads without end on twenty connections, complete heads of
many one-byte fields, and ten seconds each of frames that carry nothing. The server ends
these connections, its memory grows by less than 40 MB, and others are answered meanwhile:
the 99th percentile at most doubles, or stays below 10 ms. Needs openssl; a minute and a half.

    tests/soak/http2_floods.py target/release/deals
"""

import pathlib
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

PORT = 8093
DATA, HEADERS, PRIORITY, SETTINGS, WINDOW_UPDATE, CONTINUATION, UNKNOWN = 0, 1, 2, 4, 8, 9, 77
END_HEADERS = 4
MOST_GROWTH = 40 * 1024 * 1024
SECONDS = 10


def context(protocol):
    made = ssl.create_default_context()
    made.check_hostname = False
    made.verify_mode = ssl.CERT_NONE
    made.set_alpn_protocols([protocol])
    return made


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def field(name, value):
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


HEAD = b"".join(
    field(name, value)
    for name, value in [(b":method", b"POST"), (b":scheme", b"https"), (b":authority", b"a"), (b":path", b"/user/sign-in")]
)


def connect():
    stream = context("h2").wrap_socket(socket.create_connection(("127.0.0.1", PORT), 10))
    stream.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0))
    return stream


def is_ended(stream):
    """Whether the server hangs up within ten seconds."""
    stream.settimeout(10)
    try:
        while stream.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def memory():
    status = pathlib.Path(f"/proc/{server.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


def visit(seconds, during=None):
    """Reads the list for a while, over a connection each; the 99th percentile in ms."""
    times = []
    plain = context("http/1.1")
    end = time.monotonic() + seconds
    if during is not None:
        during.start()
    while time.monotonic() < end:
        begin = time.monotonic()
        with urllib.request.urlopen(f"https://127.0.0.1:{PORT}/product/get-products", context=plain, timeout=10) as answer:
            answer.read()
        times.append((time.monotonic() - begin) * 1000)
    if during is not None:
        during.join()
    times.sort()
    return times[len(times) * 99 // 100]


def endless_heads():
    """One name in the table, and references to it of a byte each."""
    streams = []
    for _ in range(20):
        stream = connect()
        streams.append(stream)
        try:
            stream.sendall(frame(HEADERS, 0, 1, HEAD + b"\x40\x01a\0"))
            for _ in range(28):
                stream.sendall(frame(CONTINUATION, 0, 1, b"\xbe" * 16384))
        except OSError:
            pass
    return streams


def whole_heads():
    """Requests whose heads have thousands of fields of a byte each."""
    streams = []
    for _ in range(20):
        stream = connect()
        streams.append(stream)
        try:
            for number in range(1, 200, 2):
                stream.sendall(frame(HEADERS, END_HEADERS, number, HEAD + b"\x40\x01a\0" + b"\xbe" * 16000))
        except OSError:
            pass
    return streams


def flood(kind, payload):
    """Sends the same frame for ten seconds, over a new connection whenever one is ended."""
    end = time.monotonic() + SECONDS
    many = frame(kind, 0, 0 if kind == WINDOW_UPDATE else 1, payload) * 500
    while time.monotonic() < end:
        try:
            stream = connect()
            stream.sendall(frame(HEADERS, END_HEADERS, 1, HEAD))
            while time.monotonic() < end:
                stream.sendall(many)
        except OSError:
            time.sleep(0.25)


folder = tempfile.TemporaryDirectory()
subprocess.run(
    ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem"]
    + ["-out", "cert.pem", "-days", "2", "-subj", "/CN=localhost"],
    cwd=folder.name, check=True, stderr=subprocess.DEVNULL,
)
server = subprocess.Popen(
    [pathlib.Path(sys.argv[1]).resolve(), "serve", "--demo", "--listen", f"127.0.0.1:{PORT}"]
    + ["--tls-cert", "cert.pem", "--tls-key", "key.pem"],
    cwd=folder.name, stdout=subprocess.PIPE, stderr=open(f"{folder.name}/log", "w"), text=True,
)
failed = []


def hold(name, holds, figures):
    print(f"{'ok' if holds else 'FAILED'}: {name}: {figures}", flush=True)
    if not holds:
        failed.append(name)


try:
    assert server.stdout.readline().startswith("listening on https://")
    visit(2)
    healthy = visit(5)
    before = memory()
    print(f"healthy: p99 {healthy:.1f} ms, {before >> 20} MiB", flush=True)
    for name, attack in [("heads without end", endless_heads), ("heads of many fields", whole_heads)]:
        streams = []
        p99 = visit(5, threading.Thread(target=lambda: streams.extend(attack())))
        grown = memory() - before
        ended = all(is_ended(stream) for stream in streams)
        holds = ended and grown < MOST_GROWTH and p99 <= max(2 * healthy, 10)
        hold(name, holds, f"{grown / 2**20:+.1f} MiB, p99 {p99:.1f} ms, {'all ended' if ended else 'NOT ended'}")
    for name, kind, payload in [
        ("empty DATA", DATA, b""),
        ("PRIORITY", PRIORITY, b"\0\0\0\0\1"),
        ("WINDOW_UPDATE", WINDOW_UPDATE, b"\0\0\0\1"),
        ("unknown frames", UNKNOWN, b"nothing"),
    ]:
        p99 = visit(SECONDS, threading.Thread(target=flood, args=(kind, payload)))
        grown = memory() - before
        holds = grown < MOST_GROWTH and p99 <= max(2 * healthy, 10)
        hold(name, holds, f"{grown / 2**20:+.1f} MiB, p99 {p99:.1f} ms")
    log = pathlib.Path(f"{folder.name}/log").read_text()
    hold("the log", "ERROR" not in log, f"{log.count(chr(10))} lines, {log.count('ERROR')} errors")
finally:
    server.terminate()
    server.wait()
    folder.cleanup()
sys.exit(bool(failed))
