#!/usr/bin/env python3
"""What a visitor notices of floods by others (security, R30 and R34).

For each flood, a visitor asks for pages that are not cached, and somebody in a browser that the
shop does not know signs in. Prints the 99th percentile of the pages and the longest sign-in.
The flooding client shares the machine. Takes some three minutes; Python 3.10 or newer.

    tests/soak/fairness.py target/release/deals
"""

import asyncio
import http.client
import json
import multiprocessing
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

PORT = 8096
SECONDS = 14
PRODUCTS = 10_000
OWNER, PASSWORD = "owner@example.com", "tiger-lamp-42"
HOST = f"127.0.0.1:{PORT}"


def product(number):
    return {
        "title": f"Product {number}",
        "description": f"The description of cable {number % 97}, product number {number}.",
        "price": 100 + number,
        "discount": 10,
        "category": "Electronics",
        "source": "Amazon",
        "affiliateLink": f"https://shop.example/p/{number}",
        "images": [f"https://pictures.example/{number}.jpg"],
        "averageRating": 4.5,
        "totalRatings": 10,
    }


def call(method, path, address, body=None, cookie=""):
    """Returns the status, the headers and the seconds of a request."""
    start = time.monotonic()
    connection = http.client.HTTPConnection(HOST, timeout=60)
    headers = {"x-forwarded-for": address, "cookie": cookie, "content-type": "application/json"}
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.headers, time.monotonic() - start


def credentials(email, password):
    return json.dumps({"email": email, "password": password})


def search(number, address):
    return "GET", f"/?search=prodict+descripton+numbr+x{number}", address, b"", ""


def guess(number, address):
    return "POST", "/user/sign-in", address, credentials(f"u{number}@example.com", "wrong-pass-1").encode(), ""


async def attack(number, step, make, addresses):
    """Sends one request after the other."""
    while True:
        method, path, address, body, cookie = make(number, addresses[number % len(addresses)])
        number += step
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
            head = f"{method} {path} HTTP/1.1\r\nhost: a\r\nx-forwarded-for: {address}\r\nconnection: close\r\n"
            head += f"accept: text/html\r\ncookie: {cookie}\r\ncontent-type: application/json\r\n"
            writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
            await reader.read(-1)
            writer.close()
        except OSError:
            await asyncio.sleep(0.05)


def flood(count, make, addresses):
    async def everybody():
        await asyncio.gather(*(attack(n, count, make, addresses) for n in range(count)))

    asyncio.run(everybody())


def measure(round_):
    """Returns the pages' 99th percentile in milliseconds, the longest sign-in, and all that was refused."""
    pages, sign_ins, refused = [], [], []
    until = time.monotonic() + SECONDS

    def signing_in():
        while time.monotonic() < until:
            status, _, took = call("POST", "/user/sign-in", f"10.98.{round_}.1", credentials(OWNER, PASSWORD))
            sign_ins.append(took)
            refused.extend([f"sign-in {status}"] if status != 200 else [])
            time.sleep(2)

    other = threading.Thread(target=signing_in)
    other.start()
    number = 0
    while time.monotonic() < until:
        number += 1
        status, _, took = call("GET", f"/?limit=10&page={number}&minPrice={round_ + 1}", f"10.99.{round_}.1")
        pages.append(took * 1000)
        refused.extend([f"page {status}"] if status != 200 else [])
        time.sleep(0.02)
    other.join()
    pages.sort()
    return pages[int(len(pages) * 0.99)], max(sign_ins), refused


def main(deals):
    folder = tempfile.TemporaryDirectory()
    rows = "\n".join(json.dumps(product(number)) for number in range(PRODUCTS))

    def run(*arguments, text):
        subprocess.run([deals, *arguments], cwd=folder.name, input=text, text=True, check=True, stdout=subprocess.DEVNULL)

    run("import", "-", text=rows)
    run("user", "add", OWNER, "--username", "owner", "--admin", "--password-stdin", text=PASSWORD + "\n")
    server = subprocess.Popen(
        [deals, "serve", "--listen", HOST, "--trusted-proxy", "127.0.0.1"],
        cwd=folder.name, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert server.stdout.readline().startswith("listening on ")
        _, headers, _ = call("POST", "/user/sign-in", "10.97.0.1", credentials(OWNER, PASSWORD))
        cookie = next(line for line in headers.get_all("set-cookie") if line.startswith("session")).split(";")[0]
        upload = "[" + ",".join(rows.split("\n")) + "]"
        list_ = {"list": "category=Electronics", "total": PRODUCTS, "action": "changePrice", "value": 1, "unit": "percent"}
        listed = json.dumps(list_)

        def preview(_, address):
            return "POST", "/product/import/preview", address, upload.encode(), cookie

        def bulk_preview(_, address):
            return "POST", "/product/bulk/preview", address, listed.encode(), cookie

        for path, body in [("/product/import/preview", upload), ("/product/bulk/preview", listed)]:
            status, _, took = call("POST", path, "10.97.0.1", body, cookie)
            assert status == 200, (path, status)
            print(f"one {path} alone: {took * 1000:.0f} ms")
        one, forty = ["10.1.0.1"], [f"10.2.0.{n}" for n in range(40)]
        network = [f"2001:db8:1:{n:x}::1" for n in range(400)]
        print(f"{'':34} {'page p99 ms':>12} {'sign-in s':>10}  refused")
        for round_, (name, *crowd) in enumerate([
            ("nobody",),
            ("searches, one address", 64, search, one),
            ("searches, 40 addresses", 40, search, forty),
            ("searches, 400 /64 of one /48", 400, search, network),
            ("sign-ins, one address", 64, guess, one),
            ("sign-ins, 40 addresses", 80, guess, forty),
            ("sign-ins, 400 /64 of one /48", 400, guess, network),
            ("20 previews of a file", 20, preview, one),
            ("8 previews of a bulk change", 8, bulk_preview, one),
        ]):  # fmt: skip
            process = multiprocessing.Process(target=flood, args=crowd, daemon=True) if crowd else None
            if process:
                process.start()
                time.sleep(1)
            p99, longest, refused = measure(round_)
            if process:
                process.kill()
                process.join()
            print(f"{name:34} {p99:12.0f} {longest:10.2f}  {len(refused)} {sorted(set(refused))}", flush=True)
    finally:
        server.terminate()
        server.wait()
        folder.cleanup()


multiprocessing.set_start_method("fork")
main(pathlib.Path(sys.argv[1]).resolve())
