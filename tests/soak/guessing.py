#!/usr/bin/env python3
"""A stranger guesses at an administrator's password and at a code that was mailed, from
ever new addresses: at most some ten guesses are looked at in a minute, the administrator's
own browser gets in all the while, the code works at the end, and so does a password that is
set by a command (security, R23 and R24). A minute and a half, or as many seconds as are
named, 540 at most: a code lives ten minutes.

    tests/soak/guessing.py target/release/deals 540
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

PORT = 8094
OWNER = "owner@example.com"
PASSWORD = "tiger-lamp-42"
SECONDS = min(int(sys.argv[2]), 540) if len(sys.argv) > 2 else 90
deals = pathlib.Path(sys.argv[1]).resolve()
folder = tempfile.TemporaryDirectory()
calls = 0


def post(path, body, cookie=""):
    """The status, the answer and the cookies that are set; from a new address each time."""
    global calls
    calls += 1
    headers = {"content-type": "application/json", "x-forwarded-for": f"2001:db8:{calls >> 16:x}:{calls & 65535:x}::1"}
    request = urllib.request.Request(
        f"http://127.0.0.1:{PORT}{path}", json.dumps(body).encode(), {**headers, "cookie": cookie}, method="POST"
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            cookies = [line.split(";")[0] for line in answer.headers.get_all("set-cookie") or []]
            return answer.status, json.load(answer), "; ".join(cookies)
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused), ""


def sign_in(password, cookie=""):
    return post("/user/sign-in", {"email": OWNER, "password": password}, cookie)


def user(*arguments, password=PASSWORD):
    subprocess.run(
        [deals, "user", *arguments, "--password-stdin"],
        cwd=folder.name, input=password + "\n", text=True, check=True, stdout=subprocess.DEVNULL,
    )


user("add", OWNER, "--username", "owner", "--admin")
log = open(f"{folder.name}/log", "w")
server = subprocess.Popen(
    [deals, "serve", "--listen", f"127.0.0.1:{PORT}", "--trusted-proxy", "127.0.0.1"],
    cwd=folder.name, stdout=subprocess.PIPE, stderr=log, text=True,
)
try:
    assert server.stdout.readline().startswith("listening on ")
    status, _, known = sign_in(PASSWORD)
    assert status == 200
    _, asked, _ = post("/user/forgot-password", {"email": OWNER})
    code = None
    while code is None:
        found = re.search(r"\b(\d{6})\b", pathlib.Path(f"{folder.name}/log").read_text())
        code = found and found[1]
        time.sleep(0.1)
    # A form of the stranger's own, whose password is theirs.
    post("/user/register", {"username": "evil", "email": OWNER, "password": "evil-horse-77"})
    statuses = {}
    begin = last = time.monotonic()
    tries = 0
    while time.monotonic() - begin < SECONDS:
        for kind, call in [
            ("guess", lambda: sign_in(f"wrong-guess-{calls}")),
            ("own form", lambda: sign_in("evil-horse-77")),
            ("code", lambda: post("/user/reset-password", {"email": OWNER, "code": "000000", "password": PASSWORD})),
        ]:
            status = call()[0]
            statuses[kind, status] = statuses.get((kind, status), 0) + 1
        if time.monotonic() - last > 10:
            last = time.monotonic()
            assert sign_in(PASSWORD, known)[0] == 200, "the known browser is kept out"
            tries += 1
    looked_at = statuses.get(("guess", 401), 0)
    minutes = max((time.monotonic() - begin) / 60, 1)
    print(f"in {minutes:.1f} minutes: {statuses}; the known browser got in {tries} times")
    assert looked_at <= 10 + 12 * minutes, "too many guesses were looked at"
    new = "another-fine-password"
    status, answer, _ = post(
        "/user/reset-password", {"email": OWNER, "code": code, "request": asked["request"], "password": new}
    )
    assert status == 200, answer
    print("ok: the code that was mailed works")
    for n in range(30):
        sign_in(f"more-guesses-{n}")
    assert sign_in(new)[0] == 429
    user("set-password", OWNER, password="yet-another-pass-77")
    assert sign_in("yet-another-pass-77")[0] == 200
    print("ok: a command lifts the delay at once")
finally:
    server.terminate()
    server.wait()
    folder.cleanup()
