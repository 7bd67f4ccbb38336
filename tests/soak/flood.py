#!/usr/bin/env python3
"""Thousands of clients that do harm by doing nothing, and what others notice of them.

For each kind (idle, half a head, a body that stalls, nobody reading the answer, many
signing in) as many connections as asked for come from many loopback addresses, while one
healthy client asks for the list. Prints, for each kind, the healthy client's 99th
percentile, the server's memory, and how many connections it had ended after half a minute.
Takes some five minutes; Linux, Python 3.10 or newer, nothing else.

    tests/soak/flood.py target/release/deals 10000

With `memory`, connections of 20 networks send what does not end, or read nothing, and each kind
has a server of its own. Prints its memory, and fails if what is unfinished takes more than 160 MB. Takes a minute or two.

    tests/soak/flood.py target/release/deals memory 9000
"""

import asyncio
import json
import pathlib
import resource
import selectors
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

PORT = 8095
PATIENCE = 34
LIST = b"GET /product/get-products HTTP/1.1\r\nhost: a\r\n\r\n"
SIGN_IN = json.dumps({"email": "owner@example.com", "password": "wrong-pass-1"}).encode()
KINDS = {
    "idle": b"",
    "half a head": b"GET / HTTP/1.1\r\nhost: a\r\nx-slow: ",
    "stalled body": b"POST /user/sign-in HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n"
    b"content-length: 90\r\n\r\n{",
    "nobody reads": b"GET /product/get-products?limit=100 HTTP/1.1\r\nhost: a\r\n\r\n" * 60,
}


HOST = b" HTTP/1.1\r\nhost: a\r\n"
JSON = HOST + b"content-type: application/json\r\n"
MOST = 160
UNFINISHED = {
    "idle": b"",
    "head, 40 B": b"GET /" + HOST + b"x-slow: ",
    "head, 15 kB": b"GET /" + HOST + b"x-slow: " + b"a" * 15_000,
    "head, 120 kB": b"GET /" + HOST + b"x-slow: " + b"a" * 120_000,
    "stranger's body": b"POST /product/add-product"
    + JSON
    + b"content-length: 200000\r\n\r\n"
    + b" " * 190_000,
    "chunked body": b"POST /product/import"
    + JSON
    + b"transfer-encoding: chunked\r\n\r\nffff\r\n"
    + b" " * 60_000,
    "sign-in's body": b"POST /user/sign-in"
    + JSON
    + b"content-length: 16000\r\n\r\n"
    + b" " * 15_900,
    "picture's body": b"POST /product/picture-failed/x"
    + JSON
    + b"transfer-encoding: chunked\r\n\r\n3fff0\r\n"
    + b" " * 240_000,
    "sent ahead": b"GET /?search=prodict" + HOST + b"\r\n" + (b"GET /" + HOST + b"\r\n") * 4_000,
    "read, then idle": b"GET /product/get-products?limit=100" + HOST + b"\r\n",
    "nobody reads": (b"GET /product/get-products?limit=100" + HOST + b"\r\n") * 60,
}


def start(deals, folder, *options):
    server = subprocess.Popen(
        [pathlib.Path(deals).resolve(), "serve", "--demo", "--listen", f"127.0.0.1:{PORT}", *options],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while server.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/healthz").read()
            return server
        except OSError:
            time.sleep(0.05)
    sys.exit("the server did not start")


def send_some(selector, rest, client):
    try:
        sent = client.send(rest[client])
    except BlockingIOError:
        return
    except OSError:
        sent = len(rest[client])
    rest[client] = rest[client][sent:]
    if not rest[client]:
        selector.unregister(client)


def memory_of(deals, data, reads, count):
    """Returns the most memory during the flood, and how many connections are open after it."""
    with tempfile.TemporaryDirectory() as folder:
        server = start(deals, folder)
        selector, rest, most = selectors.DefaultSelector(), {}, memory(server.pid)
        files = len(list(pathlib.Path(f"/proc/{server.pid}/fd").iterdir()))
        for number in range(count):
            client = socket.socket()
            client.setblocking(False)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.bind((f"127.1.{number % 20}.1", 0))
            client.connect_ex(("127.0.0.1", PORT))
            rest[client] = memoryview(data or b" ")[: len(data)]
            selector.register(client, selectors.EVENT_WRITE)
            if number % 50 == 0:
                for key, _ in selector.select(0):
                    send_some(selector, rest, key.fileobj)
                most = max(most, memory(server.pid))
        until = time.monotonic() + 4
        while time.monotonic() < until:
            for key, _ in selector.select(0.1) if selector.get_map() else []:
                send_some(selector, rest, key.fileobj)
            for client in rest if reads else []:
                try:
                    client.recv(65536)
                except OSError:
                    pass
            most = max(most, memory(server.pid))
        left = max(0, len(list(pathlib.Path(f"/proc/{server.pid}/fd").iterdir())) - files)
        server.terminate()
        server.wait()
        for client in rest:
            client.close()
        return most, left


def measure_memory(deals, count):
    print(f"{'':17} {'MiB':>5} {'open':>6} of {count}")
    worst = 0
    for kind, data in UNFINISHED.items():
        most, left = memory_of(deals, data, kind == "read, then idle", count)
        print(f"{kind:17} {most:5} {left:6}", flush=True)
        if kind != "read, then idle":
            worst = max(worst, most)
    sys.exit(f"more than {MOST} MiB" if worst > MOST else 0)


def memory(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


async def misbehave(number, data, ended):
    source = f"127.0.{1 + number // 250 // 250}.{2 + number // 250 % 250}"
    try:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", PORT, local_addr=(source, 0), limit=1024
        )
        if data.startswith(b"GET /product"):
            # Reading stops after a little: the rest stays with the server.
            reader._transport.pause_reading()
        writer.write(data)
        start = time.monotonic()
        if data.startswith(b"GET /product"):
            await asyncio.sleep(PATIENCE)
            reader._transport.resume_reading()
            while await reader.read(65536):
                pass
        else:
            await asyncio.wait_for(reader.read(), PATIENCE)
        ended.append(time.monotonic() - start)
        writer.close()
    except (asyncio.TimeoutError, TimeoutError):
        writer.close()
    except OSError:
        ended.append(0)


async def healthy(seconds):
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    times = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        start = time.monotonic()
        writer.write(LIST)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        assert head.startswith(b"http/1.1 200"), head
        await reader.readexactly(int(head.split(b"content-length: ")[1].split(b"\r\n")[0]))
        times.append((time.monotonic() - start) * 1000)
        await asyncio.sleep(0.02)
    writer.close()
    times.sort()
    return times[int(len(times) * 0.99)]


async def healthy_elsewhere(seconds):
    """In a process of its own: this one is busy with the crowd."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, __file__, "healthy", str(seconds), stdout=subprocess.PIPE
    )
    said, _ = await process.communicate()
    return float(said)


async def sign_in(number):
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    address = f"9.9.{number // 250}.{number % 250}".encode()
    writer.write(
        b"POST /user/sign-in HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-forwarded-for: "
        + address
        + b"\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(SIGN_IN)
        + SIGN_IN
    )
    status = (await reader.read()).split(b" ")[1]
    writer.close()
    return status


async def main(deals, count):
    folder = tempfile.TemporaryDirectory()
    server = start(deals, folder.name, "--trusted-proxy", "127.0.0.1")
    try:
        print(f"{'':15} {'p99 ms':>8} {'MiB':>5} {'ended':>7} of {count}")
        print(f"{'alone':15} {await healthy_elsewhere(5):8.1f} {memory(server.pid):5}")
        for kind, data in KINDS.items():
            ended = []
            crowd = [
                asyncio.create_task(misbehave(number, data, ended)) for number in range(count)
            ]
            watched = asyncio.create_task(healthy_elsewhere(PATIENCE - 4))
            most = 0
            while not watched.done():
                await asyncio.sleep(1)
                most = max(most, memory(server.pid))
            p99 = await watched
            await asyncio.gather(*crowd)
            print(f"{kind:15} {p99:8.1f} {most:5} {len(ended):7}")
        crowd = [asyncio.create_task(sign_in(number)) for number in range(200)]
        watched = asyncio.create_task(healthy_elsewhere(10))
        statuses = await asyncio.gather(*crowd)
        counts = {status.decode(): statuses.count(status) for status in sorted(set(statuses))}
        print(f"{'200 sign in':15} {await watched:8.1f} {memory(server.pid):5}  {counts}")
    finally:
        server.terminate()
        server.wait()
        folder.cleanup()


if sys.argv[1] == "healthy":
    print(asyncio.run(healthy(float(sys.argv[2]))))
    sys.exit()
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
if sys.argv[2:3] == ["memory"]:
    measure_memory(sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 9000)
asyncio.run(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10000))
