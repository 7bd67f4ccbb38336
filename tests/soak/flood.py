#!/usr/bin/env python3
"""Thousands of clients that do harm by doing nothing, and what others notice of them.

For each kind (idle, half a head, a body that stalls, nobody reading the answer, many
signing in) as many connections as asked for come from many loopback addresses, while one
healthy client asks for the list. Prints, for each kind, the healthy client's 99th
percentile, the server's memory, and how many connections it had ended after half a minute.
Takes some five minutes; Linux, Python 3.10 or newer, nothing else.

    tests/soak/flood.py target/release/deals 10000
"""

import asyncio
import json
import pathlib
import resource
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
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    folder = tempfile.TemporaryDirectory()
    server = subprocess.Popen(
        [pathlib.Path(deals).resolve(), "serve", "--demo", "--listen", f"127.0.0.1:{PORT}"]
        + ["--trusted-proxy", "127.0.0.1"],
        cwd=folder.name,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{PORT}/healthz").read()
                break
            except OSError:
                pass
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
asyncio.run(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10000))
