#!/usr/bin/env python3
"""Takes the power from a virtual machine while 32 writers of every kind write, and looks
after each time for everything that was acknowledged (security, R2).

The server runs in QEMU on an ext4 disk, the writers outside of it. Killing QEMU takes the
machine's memory, and with it what the system had not written. The disk is a new qcow2
overlay each time: where its blocks are is kept in QEMU's memory until the system flushes
the disk, so that most of what was written without a flush is lost too, as with the cache
of a real disk.

Needs the static program, qemu-system-x86_64, qemu-img, mke2fs, a static busybox, and a
Linux kernel with the folder of its modules, as a distribution's package holds them.
Without KVM each time takes some half a minute.

    tests/soak/power.py PROGRAM vmlinuz lib/modules/VERSION 20
"""

import asyncio
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

PORT = 8093
PASSWORD = "tiger-lamp-42"
OWNER = "owner@example.com"
CLICKING = EDITING = 16
PATIENCE = 240
# What the kernel needs for its disk and network, each after what it needs itself.
MODULES = [
    "virtio_ring", "virtio", "virtio_pci_legacy_dev", "virtio_pci_modern_dev", "virtio_pci",
    "virtio_blk", "failover", "net_failover", "virtio_net",
]  # fmt: skip
INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc none /proc; mount -t sysfs none /sys; mount -t devtmpfs none /dev
for module in /modules/*; do insmod $module; done
ip link set lo up; ip link set eth0 up; ip addr add 10.0.2.15/24 dev eth0
mount -t ext4 /dev/vda /data || echo "SAID wrong: the file system is damaged"
/deals check --db /data/deals.sqlite | sed "s/^/SAID /"
[ -e /data/deals.sqlite ] && /deals serve --db /data/deals.sqlite --listen 0.0.0.0:8080 \
  --public-url http://localhost:8080 --connections-per-address 1000
echo "SAID wrong: the server ended"
sleep 1000
"""


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options)


def prepare(folder, deals, modules):
    """The machine's memory disk, and the disk with a shop on it."""
    root = folder / "root"
    for name in ["bin", "proc", "sys", "dev", "data", "modules", "tmp"]:
        (root / name).mkdir(parents=True)
    shutil.copy(shutil.which("busybox"), root / "bin/busybox")
    shutil.copy(deals, root / "deals")
    for number, name in enumerate(MODULES):
        (found,) = modules.rglob(f"{name}.ko")
        shutil.copy(found, root / f"modules/{number:02}.ko")
    (root / "init").write_text(INIT)
    (root / "init").chmod(0o755)
    pack = "find . | cpio --quiet -o -H newc | gzip -1 > ../initrd"
    run("sh", "-c", pack, cwd=root)

    shop = folder / "shop"
    shop.mkdir()
    database = shop / "deals.sqlite"
    (folder / "one.json").write_text(json.dumps([product("https://shop.example/clicked")]))
    run(deals, "import", folder / "one.json", "--db", database)
    add = ["user", "add", OWNER, "--username", "Owner", "--admin", "--password-stdin"]
    run(deals, *add, "--db", database, input=PASSWORD + "\n")
    run("mke2fs", "-q", "-t", "ext4", "-d", shop, folder / "disk0", "256m")


class Machine:
    def __init__(self, folder, kernel, number):
        before, disk = folder / f"disk{number}", folder / f"disk{number + 1}"
        kind = "raw" if number == 0 else "qcow2"
        run("qemu-img", "create", "-q", "-f", "qcow2", "-b", before, "-F", kind, disk)
        accelerated = ["-accel", "kvm"] if "--kvm" in sys.argv else ["-accel", "tcg"]
        self.output = folder / f"said{number}"
        self.process = subprocess.Popen(
            ["qemu-system-x86_64", *accelerated, "-m", "512", "-smp", "2", "-display", "none",
             "-no-reboot", "-kernel", kernel, "-initrd", folder / "initrd",
             "-append", "console=ttyS0 quiet panic=-1", "-serial", f"file:{self.output}",
             "-drive", f"file={disk},if=virtio,format=qcow2,cache=writeback",
             "-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{PORT}-:8080",
             "-device", "virtio-net-pci,netdev=net"],
            stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def said(self):
        text = self.output.read_text(errors="replace") if self.output.exists() else ""
        return [line.strip() for line in text.splitlines() if "SAID" in line]

    async def ready(self):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            assert self.process.poll() is None, self.output.read_text()
            try:
                async with Client() as client:
                    if (await asyncio.wait_for(client.call("GET", "/healthz"), 5))[0] == 200:
                        return
            except (OSError, EOFError, TimeoutError, asyncio.TimeoutError):
                await asyncio.sleep(0.2)
        raise AssertionError(self.output.read_text())

    def cut(self):
        self.process.kill()
        self.process.wait()


class Client:
    """One connection."""

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", PORT)
        return self

    async def __aexit__(self, *_):
        self.writer.close()

    async def call(self, method, path, body=None, token=None):
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(data)}\r\n"
        if body is not None:
            head += "content-type: application/json\r\n"
        if token:
            head += f"authorization: Bearer {token}\r\n"
        self.writer.write(head.encode() + b"\r\n" + data)
        answer = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        status = int(answer.split(" ", 2)[1])
        if "transfer-encoding: chunked" in answer:
            parts = []
            while size := int(await self.reader.readline(), 16):
                parts.append(await self.reader.readexactly(size))
                await self.reader.readexactly(2)
            await self.reader.readline()
            return status, b"".join(parts)
        length = int(answer.split("content-length: ")[1].split("\r\n")[0])
        return status, await self.reader.readexactly(length)


def product(link):
    return {
        "title": "A lamp", "description": "A lamp that was sold before.", "price": 100,
        "discount": 5, "category": "Electronics", "source": "Shop", "affiliateLink": link,
        "images": ["https://shop.example/lamp.jpg"], "averageRating": 4, "totalRatings": 2,
    }  # fmt: skip


class Edits:
    """What one writer knows: prices by link as acknowledged, and the change in doubt."""

    def __init__(self):
        self.prices, self.deleted, self.doubt = {}, set(), None

    async def go_on(self, client, token, prefix, acknowledged):
        step = 0
        while True:
            step += 1
            link = f"{prefix}/{step}"
            body = product(link)
            self.doubt = (link, {None, 100})
            answer = await done(client, "POST", "/product/add-product", body, token)
            identity = json.loads(answer)["product"]["_id"]
            self.prices[link] = 100
            acknowledged.append(1)
            self.doubt = (link, {100, 1000 + step})
            body["price"] = 1000 + step
            await done(client, "PUT", f"/product/update-product/{identity}", body, token)
            self.prices[link] = 1000 + step
            acknowledged.append(1)
            if step % 3 == 0:
                self.doubt = (link, {1000 + step, None})
                await done(client, "DELETE", f"/product/delete-product/{identity}", None, token)
                del self.prices[link]
                self.deleted.add(link)
                acknowledged.append(1)
            self.doubt = None

    def check(self, there):
        if self.doubt:
            link, allowed = self.doubt
            found = there.get(link)
            assert found in allowed, f"{link} costs {found}, not one of {allowed}"
            self.prices.pop(link, None)
            self.deleted.discard(link)
            if found is None:
                self.deleted.add(link)
            else:
                self.prices[link] = found
            self.doubt = None
        for link, price in self.prices.items():
            assert there.get(link) == price, f"{link} costs {there.get(link)}, not {price}"
        back = self.deleted & there.keys()
        assert not back, f"{back} came back"


async def done(client, method, path, body, token):
    status, answer = await client.call(method, path, body, token)
    assert status in (200, 201), (status, answer)
    return answer


async def write(machine, token, clicked, edits, counts, number):
    """Has everybody write until the power is cut."""
    acknowledged = []

    async def click():
        async with Client() as client:
            while True:
                counts["sent"] += 1
                await done(client, "POST", f"/product/increament-views/{clicked}", None, None)
                counts["counted"] += 1
                acknowledged.append(1)

    async def edit(writer):
        async with Client() as client:
            prefix = f"https://shop.example/{writer}/{number}"
            await edits[writer].go_on(client, token, prefix, acknowledged)

    async def cut():
        enough = random.randint(300, 1500)
        # One that ends before has found something wrong.
        while len(acknowledged) < enough and not any(writer.done() for writer in writers):
            await asyncio.sleep(0.005)
        machine.cut()

    writers = [click() for _ in range(CLICKING)] + [edit(writer) for writer in range(EDITING)]
    writers = [asyncio.ensure_future(writer) for writer in writers]
    ended = await asyncio.gather(cut(), *writers, return_exceptions=True)
    for outcome in ended:
        if not isinstance(outcome, (OSError, EOFError, type(None))):
            raise outcome
    return len(acknowledged)


async def main():
    deals, kernel, modules = (pathlib.Path(name).resolve() for name in sys.argv[1:4])
    rounds = int(sys.argv[4])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        prepare(folder, deals, modules)
        token = clicked = None
        edits = [Edits() for _ in range(EDITING)]
        counts = {"sent": 0, "counted": 0}
        for number in range(rounds + 1):
            machine = Machine(folder, kernel, number)
            try:
                await machine.ready()
                wrong = [line for line in machine.said() if "wrong" in line]
                assert not wrong and any("integrity" in line for line in machine.said()), wrong
                async with Client() as client:
                    if token is None:
                        account = {"email": OWNER, "password": PASSWORD}
                        answer = await done(client, "POST", "/user/sign-in", account, None)
                        token = json.loads(answer)["token"]
                    path = "/product/export?format=ndjson"
                    lines = (await done(client, "GET", path, None, token)).splitlines()
                products = [json.loads(line) for line in lines]
                (seen,) = [each for each in products if each["affiliateLink"].endswith("clicked")]
                clicked = seen["_id"]
                assert counts["counted"] <= seen["clicks"] <= counts["sent"], (seen, counts)
                counts = {"sent": seen["clicks"], "counted": seen["clicks"]}
                there = {each["affiliateLink"]: each["price"] for each in products}
                for each in edits:
                    each.check(there)
                print(f"ok: {len(products)} products, {seen['clicks']} clicks", flush=True)
                if number < rounds:
                    written = await write(machine, token, clicked, edits, counts, number)
                    print(f"cut {number + 1}: after {written} acknowledged writes", flush=True)
            finally:
                machine.cut()


asyncio.run(main())
