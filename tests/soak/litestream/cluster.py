#!/usr/bin/env python3
"""Two machines of a cluster with Litestream and moto, clicked on by 16 clients, while servers, Litestream or
both are killed, frozen for 30 s, cut off from the bucket or released, or all machines are killed. Each client has a
product of its own: what it was told must be there in the end, and no more than it asked for. Then clicks with a
bucket that takes 50 ms for each request. Keeps the logs of a failure. Needs litestream 0.5.17 and moto_server.

  tests/soak/litestream/cluster.py target/release/deals litestream moto_server [ROUNDS] [SECONDS OF 50 MS]

`chrt -r 1` before it has everything run before other programs, and TMPDIR=/dev/shm in memory. MACHINES=3 has two
machines race for each take-over. KINDS="both,all" chooses what happens; KINDS=away takes the bucket away from all
machines for AWAY=60 seconds, and prints what was answered meanwhile. WAIT=never is the option of `deals serve`.
"""
import asyncio, atexit, http.client, json, os, random, shutil, signal, socket, subprocess, sys, tempfile, threading, time

deals = os.path.realpath(sys.argv[1])
litestream, moto = (os.path.realpath(shutil.which(name)) for name in sys.argv[2:4])
rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 20
slow_seconds = int(sys.argv[5]) if len(sys.argv) > 5 else 10
PORT = int(os.environ.get("PORT", "8310"))
CLICKERS = int(os.environ.get("CLICKERS", "16"))
MACHINES = int(os.environ.get("MACHINES", "2"))
AWAY = float(os.environ.get("AWAY", "60"))
WAIT = os.environ.get("WAIT", "always")
folder = tempfile.mkdtemp()
environment = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "DEALS_"))}
environment |= {"AWS_ACCESS_KEY_ID": "known", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}


class Way:
    """A machine's way to the bucket, which can be slow, or away."""

    def __init__(self, port):
        self.port, self.delay, self.is_away = port, 0.0, False
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(asyncio.start_server(self.carry, "127.0.0.1", self.port))
        self.loop.run_forever()

    async def carry(self, reader, writer):
        if self.is_away:
            return writer.close()
        try:
            there, to = await asyncio.open_connection("127.0.0.1", PORT)
        except OSError:
            return writer.close()
        await asyncio.gather(self.pump(reader, to, True), self.pump(there, writer, False))

    async def pump(self, source, to, is_request):
        try:
            while data := await source.read(65536):
                if is_request and self.delay and data[:4] in (b"GET ", b"PUT ", b"POST", b"HEAD", b"DELE"):
                    await asyncio.sleep(self.delay)
                if self.is_away:
                    break
                to.write(data)
                await to.drain()
        except (OSError, ConnectionError):
            pass
        to.close()


class Machine:
    def __init__(self, number):
        self.name = "abcdefgh"[number]
        self.folder = os.path.join(folder, self.name)
        os.mkdir(self.folder)
        self.way = Way(PORT + 1 + number)
        self.port = PORT + 11 + number
        self.metrics = PORT + 21 + number
        self.socket = os.path.join(self.folder, "litestream.sock")
        self.environment = environment | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.way.port}"}
        self.running = {}
        with open(os.path.join(self.folder, "litestream.yml"), "w") as file:
            file.write(f"socket:\n  enabled: true\n  path: {self.socket}\n")

    def start(self, what):
        command = {
            "server": [deals, "serve", "--cluster", "s3://shop/cluster", "--litestream-socket", self.socket, "--wait", WAIT,
                       "--listen", f"127.0.0.1:{self.port}", "--public-url", "https://deals.example",
                       "--metrics-listen", f"127.0.0.1:{self.metrics}",
                       "--trusted-proxy", "127.0.0.1", "--connections-per-address", "100000"],
            "litestream": [litestream, "replicate", "-config", "litestream.yml"],
        }[what]
        with open(os.path.join(self.folder, what + ".log"), "a") as log:
            self.running[what] = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=log, stderr=log)

    def revive(self):
        for what in ("litestream", "server"):
            if what not in self.running or self.running[what].poll() is not None:
                self.start(what)
                time.sleep(1 if what == "litestream" else 0)

    def signal(self, what, number):
        if self.running[what].poll() is None:
            self.running[what].send_signal(number)
            if number == signal.SIGKILL:
                self.running[what].wait()

    def run(self, *arguments):
        return subprocess.run([deals, *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True)

    def ask(self, method, path, headers={}, timeout=20):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def leads(self):
        try:
            return self.ask("GET", "/healthz", {"cookie": "a=b"}, 2)[0] == 200
        except (OSError, http.client.HTTPException):
            return False


class Clicker(threading.Thread):
    """Clicks on a product, and knows how often it asked and what it was told."""

    def __init__(self, number):
        super().__init__(daemon=True)
        self.path = f"/product/increament-views/p{number + 1}"
        self.asked, self.told, self.most, self.went_back = 0, 0, 0, 0

    def run(self):
        global last_told
        at = 0
        while not is_over.is_set():
            machine = machines[at % MACHINES]
            self.asked += 1
            try:
                # One that waits for a frozen machine sees late that the other leads.
                status, body = machine.ask("POST", self.path, timeout=1)
            except (OSError, http.client.HTTPException):
                status = 0
            if status == 200:
                clicks = json.loads(body)["clicks"]
                self.told += 1
                self.went_back += clicks <= self.most
                self.most = max(self.most, clicks)
                last_told = time.time()
                time.sleep(0.02)
            else:
                at += 1
                time.sleep(0.1)


def leader():
    until = time.time() + 90
    while time.time() < until:
        for machine in machines:
            if machine.leads():
                return machine
        time.sleep(0.1)
    fail("nobody leads")


def fail(reason):
    print(f"FAILED: {reason}; logs in {folder}", flush=True)
    os._exit(end() or 1)


@atexit.register
def end():
    for machine in machines:
        for process in machine.running.values():
            process.kill()
    bucket.kill()
    if proxy:
        proxy.kill()


def back_after(start):
    """Seconds until a click is acknowledged again that was made after a failure."""
    while time.time() - start < 120:
        if last_told > start + 0.3:
            return last_told - start
        time.sleep(0.05)
    fail("no writes for two minutes")


def wait(what, holds, seconds=300):
    until = time.time() + seconds
    while not holds():
        if time.time() > until:
            fail(what)
        time.sleep(0.1)


def is_up(machine, path="/healthz"):
    try:
        return machine.ask("GET", path, timeout=5)[0] == 200
    except (OSError, http.client.HTTPException):
        return False


def state():
    """The epoch, and what `deals replica` says of it."""
    for _ in range(60):
        said = machines[0].run("replica", "--cluster", "s3://shop/cluster").stdout
        if " leads in epoch " in said:
            return int(said.split(" leads in epoch ")[1].split(":")[0]), said
        time.sleep(0.5)
    fail("the bucket can't be read")


def status(machine, method, path):
    try:
        return machine.ask(method, path, timeout=60)[0]
    except (OSError, http.client.HTTPException):
        return 0


def size(machine):
    """Megabytes of the machine's folder."""
    files = (os.path.join(at, name) for at, _, names in os.walk(machine.folder) for name in names)
    return sum(os.path.getsize(file) for file in files if os.path.exists(file)) / 1e6


def without_bucket(first):
    """Takes the bucket away from all machines; returns how often what was answered meanwhile."""
    seen, until, before = {}, time.time() + AWAY, size(first)
    for machine in machines:
        machine.way.is_away = True
    while time.time() < until:
        for machine in machines:
            role = "leader" if machine is first else "follower"
            writes = [("POST", "/product/increament-views/p2998")] if machine is first else []
            for method, path in [("GET", "/"), ("GET", "/readyz"), *writes]:
                answer = f"{role} {method} {path} {status(machine, method, path)}"
                seen[answer] = seen.get(answer, 0) + 1
        time.sleep(min(10, AWAY / 60))
    answers = ", ".join(f"{answer}: {count}" for answer, count in sorted(seen.items()))
    if any("GET / " in answer and not answer.endswith("200") for answer in seen):
        fail(f"a page was not answered: {answers}")
    return f"{answers}; the folder of the leader grew by {size(first) - before:.0f} MB"


def clicks_of(machine):
    counts = {}
    for page in range(1, 3):
        data = json.loads(machine.ask("GET", f"/product/get-products?sortBy=clicks&limit=100&page={page}")[1])["data"]
        counts |= {product["_id"]: product["clicks"] for product in data}
    return counts


def section(name):
    lines = open(docs).read().split(f"<!-- {name} -->\n```\n")[1].split("```")[0]
    for machine, address in zip(machines, ("10.0.0.1:8080", "10.0.0.2:8080")):
        lines = lines.replace(address, f"127.0.0.1:{machine.port}")
    more = "".join(f"\n    server {machine.name} 127.0.0.1:{machine.port}" for machine in machines[2:])
    lines = lines.replace(f":{machines[1].port}", f":{machines[1].port}{more}")
    return lines.replace("bind :80", f"bind 127.0.0.1:{PORT + 9}")


def start_proxy():
    """HAProxy with the file of docs/scaling.md, if it is installed."""
    if shutil.which("haproxy") is None:
        return None
    with open("haproxy.cfg", "w") as file:
        file.write(section("haproxy").split("\nbackend readers")[0] + "\n" + section("backends"))
    log = open("haproxy.log", "w")
    return subprocess.Popen(["haproxy", "-f", "haproxy.cfg"], stdout=log, stderr=log)


def by_proxy(method, path):
    connection = http.client.HTTPConnection("127.0.0.1", PORT + 9, timeout=5)
    try:
        connection.request(method, path)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0


docs = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../../docs/scaling.md")
os.chdir(folder)
machines, proxy = [], None
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
bucket = subprocess.Popen([moto, "-H", "127.0.0.1", "-p", str(PORT)], stdout=open("moto.log", "w"), stderr=subprocess.STDOUT)
for _ in range(600):
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", PORT)) == 0:
            break
    time.sleep(0.1)
connection = http.client.HTTPConnection("127.0.0.1", PORT)
connection.request("PUT", "/shop", headers={"host": f"127.0.0.1:{PORT}", "authorization": "AWS4-HMAC-SHA256 Credential=known/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"})
assert connection.getresponse().status == 200, "moto makes no bucket"
machines = [Machine(number) for number in range(MACHINES)]
with open("products.ndjson", "w") as file:
    for i in range(1, 3001):
        product = {"_id": f"p{i}", "title": f"Product {i} of many", "description": f"Made up to be kept, number {i}.",
                   "price": 100 + i, "discount": 10, "category": "Books", "source": "Amazon",
                   "affiliateLink": f"https://shop.example/p/{i}", "images": [f"https://img.example/{i}.jpg"],
                   "averageRating": 4, "totalRatings": i}
        file.write(json.dumps(product) + "\n")
assert machines[0].run("import", "../products.ndjson").returncode == 0
machines[0].revive()
# moto sometimes lets two clients create an object, and is refused then: try it again.
wait("the first does not lead", lambda: machines[0].revive() or machines[0].leads())
wait("it has sent nothing", lambda: "durable" in state()[1])
for machine in machines[1:]:
    shutil.copy(os.path.join(machines[0].folder, "deals.sqlite.key"), machine.folder)
    machine.revive()
wait("the others do not follow", lambda: all(map(is_up, machines)))
proxy = start_proxy()
last_told = time.time()
is_over = threading.Event()
clickers = [Clicker(number) for number in range(CLICKERS)]
for clicker in clickers:
    clicker.start()
kinds = os.environ.get("KINDS", "server,litestream,both,frozen,cut off,release,all").split(",")
times = {kind: [] for kind in kinds}
for number in range(rounds):
    kind = kinds[number % len(kinds)]
    time.sleep(random.uniform(0.5, 2))
    first, epoch, answers = leader(), state()[0], ""
    start = time.time()
    if kind in ("server", "litestream", "both"):
        for what in ("server", "litestream") if kind == "both" else (kind,):
            first.signal(what, signal.SIGKILL)
        if kind == "litestream":
            time.sleep(1)
            first.revive()
    elif kind == "frozen":
        for what in ("server", "litestream"):
            first.signal(what, signal.SIGSTOP)
    elif kind == "cut off":
        first.way.is_away = True
    elif kind == "all":
        for machine in machines:
            for what in machine.running:
                machine.signal(what, signal.SIGKILL)
        for machine in random.sample(machines, MACHINES):
            machine.revive()
    elif kind == "away":
        answers = "\n" + without_bucket(first)
        start = time.time()
        for machine in machines:
            machine.way.is_away = False
    else:
        released = first.run("replica", "--cluster", "s3://shop/cluster", "--release")
        if released.returncode:
            fail(released.stderr)
    took = back_after(start)
    times[kind].append(took)
    if kind == "frozen":
        time.sleep(max(0, start + 30 - time.time()))
        for what in ("server", "litestream"):
            first.signal(what, signal.SIGCONT)
    if MACHINES > 2 and kind in ("server", "both", "release"):
        # Those that did not win the race follow, while the one that led is away.
        others = [machine for machine in machines if machine is not first]
        wait("a loser of the race does not follow", lambda: all(is_up(machine, "/readyz") for machine in others))
        if sum(machine.leads() for machine in others) != 1:
            fail("not one of them leads")
    first.way.is_away = False
    # As systemd would start them again until they are there.
    wait("a machine does not come back", lambda: any(map(Machine.revive, machines)) or all(map(is_up, machines)))
    # It follows, and could take over.
    wait("both lead", lambda: sum(machine.leads() for machine in machines) == 1)
    wait("the follower is late", lambda: all(is_up(machine, "/readyz") for machine in machines))
    if proxy:
        wait("the proxy finds no leader", lambda: by_proxy("POST", "/product/increament-views/p2999") == 200)
        wait("the proxy finds nobody who answers", lambda: by_proxy("GET", "/") == 200)
    # A take-over begins one epoch, and a dead Litestream, or bucket, none.
    begun = state()[0] - epoch
    if begun > 1 or begun and kind in ("litestream", "away"):
        fail(f"{begun} epochs were begun after {kind}")
    told = sum(clicker.told for clicker in clickers)
    print(f"{number + 1} {kind}: writes back after {took:.1f} s, {told} acknowledged{answers}", flush=True)
is_over.set()
for clicker in clickers:
    clicker.join()
wait("the copy differs", lambda: all(map(is_up, machines)) and all(clicks_of(machine) == clicks_of(machines[0]) for machine in machines))
counts = clicks_of(leader())
lost = sum(max(0, max(clicker.told, clicker.most) - counts[f"p{n + 1}"]) for n, clicker in enumerate(clickers))
invented = sum(max(0, counts[f"p{n + 1}"] - clicker.asked) for n, clicker in enumerate(clickers))
back = sum(clicker.went_back for clicker in clickers)
told = sum(clicker.told for clicker in clickers)
for kind, values in times.items():
    if values:
        middle = sorted(values)[len(values) // 2]
        print(f"{kind}: writes back after {middle:.1f} s, at most {max(values):.1f} s ({len(values)} times)")
print(f"{rounds} rounds, {told} clicks acknowledged: {lost} lost, {invented} invented, {back} told a number again", flush=True)


async def hurry(machine, seconds):
    counted, refused, until = 0, 0, time.time() + seconds

    async def one():
        nonlocal counted, refused
        reader, writer = await asyncio.open_connection("127.0.0.1", machine.port)
        while time.time() < until:
            writer.write(b"POST /product/increament-views/p99 HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n")
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r")[0])
            await reader.readexactly(length)
            counted += head.startswith(b"HTTP/1.1 200")
            refused += not head.startswith(b"HTTP/1.1 200")
        writer.close()

    await asyncio.gather(*(one() for _ in range(256)))
    return counted / seconds, refused


if slow_seconds:
    for delay in (0, 0.05):
        for machine in machines:
            machine.way.delay = delay
        time.sleep(2)
        rate, refused = asyncio.run(hurry(leader(), slow_seconds))
        print(f"{rate:.0f} clicks/s of 256 clients, {refused} refused, {delay * 1000:.0f} ms more a request of the bucket", flush=True)
if lost or invented or back:
    fail("clicks are wrong")
end()
shutil.rmtree(folder)
