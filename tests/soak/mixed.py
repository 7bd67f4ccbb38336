#!/usr/bin/env python3
"""Mixed load for as long as asked for: every failure is counted, and memory, files and the
log are watched for growth. Sixteen connections list, search, look and click without a
pause, while products are imported, backups are made and the database is checked beside the
server. Prints a line every ten seconds and fails when any answer was not as it should be.
Python 3.10 or newer, nothing else.

    tests/soak/mixed.py target/release/deals 10        # minutes; 1440 for a day
"""

import asyncio
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import urllib.request

PORT = 8094
WORDS = ["lamp", "cotton", "steel", "story", "phone", "kitchen", "cable", "novel", "shirt"]


def product(number):
    words = " ".join(random.choices(WORDS, k=12))
    return {
        "title": f"{words[:30]} {number}",
        "description": words,
        "price": 100 + number % 5000,
        "discount": number % 60,
        "category": ["Electronics", "Clothing", "Books", "Home"][number % 4],
        "source": ["Amazon", "Flipkart", "Croma"][number % 3],
        "affiliateLink": f"https://shop.example/{number}",
        "images": [f"https://pictures.example/{number}.jpg"],
        "averageRating": 4.1,
        "totalRatings": 10 + number,
    }


async def client(until, ids, counts):
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    while time.monotonic() < until:
        choice = random.random()
        if choice < 0.4:
            page = random.randint(1, 50)
            request = f"GET /product/get-products?page={page}&sortBy=price"
        elif choice < 0.6:
            request = f"GET /product/get-products?search={random.choice(WORDS)}"
        elif choice < 0.7:
            request = f"GET /details/{random.choice(ids)}"
        elif choice < 0.8:
            request = f"GET /product/facets?search={random.choice(WORDS)}"
        else:
            request = f"POST /product/increament-views/{random.choice(ids)}"
            counts["clicks"] += 1
        writer.write(f"{request} HTTP/1.1\r\nhost: a\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        await reader.readexactly(int(head.split(b"content-length: ")[1].split(b"\r\n")[0]))
        status = head.split(b" ")[1].decode()
        counts["answers"] += 1
        if status != "200":
            counts.setdefault(f"{request.split('/')[1]} {status}", 0)
            counts[f"{request.split('/')[1]} {status}"] += 1
    writer.close()


async def command(deals, folder, *arguments):
    process = await asyncio.create_subprocess_exec(
        deals, *arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    said, _ = await process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"{arguments} failed: {said.decode()}")


async def beside(deals, folder, until, number):
    while time.monotonic() < until:
        rows = [product(n) for n in random.sample(range(number * 2), 500)]
        path = pathlib.Path(folder, "more.json")
        path.write_text(json.dumps(rows))
        await command(deals, folder, "import", "more.json")
        await command(deals, folder, "backup", "copy.sqlite", "--keep", "2")
        await command(deals, folder, "check")
        await asyncio.sleep(5)


def clicks_in(folder, deals):
    out = subprocess.run([deals, "export"], cwd=folder, check=True, capture_output=True)
    return sum(found["clicks"] for found in json.loads(out.stdout))


async def main(deals, minutes):
    deals = str(pathlib.Path(deals).resolve())
    folder = tempfile.TemporaryDirectory()
    number = 5000
    pathlib.Path(folder.name, "first.json").write_text(json.dumps([product(n) for n in range(number)]))
    subprocess.run([deals, "import", "first.json"], cwd=folder.name, check=True)
    server = subprocess.Popen([deals, "serve", "--listen", f"127.0.0.1:{PORT}"], cwd=folder.name,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        site = f"http://127.0.0.1:{PORT}"
        while True:
            try:
                found = json.load(urllib.request.urlopen(f"{site}/product/get-products?limit=100"))
                break
            except OSError:
                pass
        ids = [product["_id"] for product in found["data"]]
        counts = {"answers": 0, "clicks": 0}
        start = time.monotonic()
        until = start + minutes * 60
        crowd = [asyncio.create_task(client(until, ids, counts)) for _ in range(16)]
        crowd.append(asyncio.create_task(beside(deals, folder.name, until, number)))
        print("seconds  answers  MiB  files  log MB  not as it should be")
        while time.monotonic() < until:
            await asyncio.sleep(10)
            status = pathlib.Path(f"/proc/{server.pid}/status").read_text()
            mib = int(status.split("VmRSS:")[1].split()[0]) // 1024
            files = len(list(pathlib.Path(f"/proc/{server.pid}/fd").iterdir()))
            log = pathlib.Path(folder.name, "deals.sqlite-wal").stat().st_size / 1e6
            bad = {name: count for name, count in counts.items() if name not in ("answers", "clicks")}
            passed = time.monotonic() - start
            print(f"{passed:7.0f} {counts['answers']:8} {mib:4} {files:6} {log:7.1f}  {bad}", flush=True)
        await asyncio.gather(*crowd)
        counted = clicks_in(folder.name, deals)
        print(f"clicks answered {counts['clicks']}, counted {counted}")
        bad = [name for name in counts if name not in ("answers", "clicks")]
        if bad or counted != counts["clicks"]:
            raise SystemExit("something was not as it should be")
    finally:
        server.terminate()
        server.wait()
        folder.cleanup()


asyncio.run(main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 10))
