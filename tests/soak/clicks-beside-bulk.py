#!/usr/bin/env python3
"""How long a click waits beside a change of 10,000 products, its undo, and a change of a seller's tag:
one connection clicks without a pause while another sends the change. Prints the clicks' median, 99th
percentile and longest wait for each, and fails above 250 ms (or the second argument). Takes a minute.
Python 3.10 or newer, nothing else.

    tests/soak/clicks-beside-bulk.py target/release/deals
"""

import http.client
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
MOST = float(sys.argv[2]) if len(sys.argv) > 2 else 250
PORT = 8095
PRODUCTS = 10_000


def product(number):
    return {
        "_id": f"p{number}",
        "title": f"Steel lamp with cotton shade, number {number}",
        "description": f"A lamp for reading, kitchen and travel, with a cable of {number} cm. " * 5,
        "price": 100 + number % 5000,
        "discount": number % 60,
        "category": ["Electronics", "Clothing", "Home"][number % 3],
        "source": "Amazon",
        "affiliateLink": f"https://www.amazon.in/Any-Title/dp/B{number:09}?tag=other-21",
        "images": [f"https://pictures.example/{number}.jpg"],
        "averageRating": 4.1,
        "totalRatings": 10 + number,
    }


def call(connection, method, path, body=None, cookie=None):
    headers = {"content-type": "application/json"}
    if cookie:
        headers["cookie"] = cookie
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    answer = connection.getresponse()
    text = answer.read()
    # A deleted product has no clicks.
    if answer.status >= 300 and not (answer.status == 404 and "increament-views" in path):
        sys.exit(f"{path}: {answer.status} {text[:300]}")
    return answer, json.loads(text)


def waits_beside(work):
    """Clicks until the work is done; returns its answer, its seconds, and the clicks' milliseconds."""
    done = []
    start = time.monotonic()
    worker = threading.Thread(target=lambda: done.append(work()))
    worker.start()
    clicks = http.client.HTTPConnection("127.0.0.1", PORT)
    waits = []
    while worker.is_alive():
        begun = time.monotonic()
        call(clicks, "POST", "/product/increament-views/p7")
        waits.append(1_000 * (time.monotonic() - begun))
    worker.join()
    if not done:
        sys.exit("the change failed")
    return done[0], time.monotonic() - start, sorted(waits)


def main():
    folder = pathlib.Path(tempfile.mkdtemp())

    def run(*arguments, text=None):
        subprocess.run([PROGRAM, *arguments], cwd=folder, check=True, text=True, input=text,
                       stdout=subprocess.DEVNULL)

    rows = "\n".join(json.dumps(product(number)) for number in range(PRODUCTS))
    (folder / "rows.ndjson").write_text(rows)
    run("import", "rows.ndjson")
    run("user", "add", "o@b.example", "--username", "Owner", "--admin", "--password-stdin",
        text="tiger-lamp-42")
    with open(folder / "log", "w") as log:
        server = subprocess.Popen([PROGRAM, "serve", "--listen", f"127.0.0.1:{PORT}"], cwd=folder,
                                  stdout=log, stderr=log)
    try:
        measure()
    finally:
        server.terminate()
        server.wait()


def measure():
    office = http.client.HTTPConnection("127.0.0.1", PORT)
    for _ in range(300):
        try:
            office.connect()
            break
        except OSError:
            time.sleep(0.1)
    answer, _ = call(office, "POST", "/user/sign-in",
                     {"email": "o@b.example", "password": "tiger-lamp-42"})
    cookie = answer.getheader("set-cookie").split(";")[0]
    worst = 0
    print(f"{'':28}{'seconds':>8}{'clicks':>8}{'median':>8}{'p99':>8}{'longest':>9}  (ms)")

    def beside(name, path, body):
        nonlocal worst
        office = http.client.HTTPConnection("127.0.0.1", PORT, timeout=300)
        done, seconds, waits = waits_beside(lambda: call(office, "POST", path, body, cookie)[1])
        p99 = waits[min(len(waits) - 1, len(waits) * 99 // 100)]
        worst = max(worst, waits[-1])
        print(f"{name:28}{seconds:8.2f}{len(waits):8}{waits[len(waits) // 2]:8.1f}{p99:8.1f}"
              f"{waits[-1]:9.1f}", flush=True)
        return done

    for action, value in [("changePrice", 10), ("discount", 25), ("category", "Books"),
                          ("setEnd", "2126-01-01T00:00:00Z"), ("end", None), ("delete", None)]:
        body = {"list": "", "total": PRODUCTS, "action": action, "value": value, "unit": "percent"}
        done = beside(action, "/product/bulk", body)
        beside(f"{action}: undo", f"/product/undo/{done['undo']}", {})
    done = beside("tag of a seller", "/source/Amazon/tag", {"tag": "x-21"})
    beside("tag of a seller: undo", f"/product/undo/{done['undo']}", {})
    if worst > MOST:
        sys.exit(f"a click waited {worst:.0f} ms")


main()
