#!/usr/bin/env python3
"""The hub and Home Assistant in one run: the same reads, commands and subscriptions, on the same doors of one MQTT broker.

    make bench-peers            builds the release hub, then runs this
    Benchmarks/peers.py --help

Each measurement takes turns: Home Assistant, the hub, Home Assistant, the hub. Other work on the machine affects both. The figure is the
median of the rounds. Everything is in one network namespace, so it needs root; the load is made by `wrk` on the same cores.
"""

import argparse
import asyncio
import base64
import contextlib
import http.client
import json
import os
import pathlib
import select
import shutil
import socket
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/PeerTests"))

import requests  # noqa: E402
from websockets.sync.client import connect  # noqa: E402

import home_assistant  # noqa: E402
import doors  # noqa: E402
import house  # noqa: E402

DOORS = 24
# Home Assistant answers once a lock has its command. The hub waits for the lock's report, unless the request says not to.
SOON = "Prefer: respond-async\r\n"
LISTENERS, CHANGES = 1000, 50

REPORT = """
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %f %f %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
"""
# One door after the other: all are unlocked in turn, then all are locked.
COMMAND = """
local unlock, lock = { %s }, { %s }
local count = -1
request = function()
  count = count + 1
  local round = math.floor(count / #lock) %% 2 == 0 and unlock or lock
  return round[1 + count %% #lock]
end
"""


class Peer:
    """One of the two: how it is started, read, commanded and subscribed to."""

    def rss(self):
        """Resident memory in MB."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError(f"{self.name} has ended")

    def headers(self):
        return {"Authorization": f"Bearer {self.token}"}

    def list(self):
        return requests.get(self.url + self.states, headers=self.headers(), timeout=60)

    def start_timed(self):
        """Seconds from being started to the first answer that lists every entity."""
        begun = time.monotonic()
        self.launch()
        while True:
            with contextlib.suppress(OSError, requests.RequestException):
                if self.list().status_code == 200:
                    return time.monotonic() - begun
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} ended while it started")
            time.sleep(0.002)

    def request(self, door, command):
        """A door command as bytes, for a caller that does not wait for its answer."""
        method, path, body = self.command(door, command)
        return self.bytes(method, path, json.dumps(body), SOON)

    def bytes(self, method, path, text, more=""):
        return (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.token}\r\nContent-Type: application/json\r\n"
            f"{more}Content-Length: {len(text)}\r\n\r\n{text}").encode()

    def script(self):
        def all(command):
            requests = [self.command(door, command) for door in range(DOORS)]
            return ", ".join(json.dumps(self.bytes(method, path, json.dumps(body)).decode()) for method, path, body in requests)

        return COMMAND % (all("UNLOCK"), all("LOCK"))

    def wait_for_doors(self):
        house.until(lambda: self.count(self.list().json()) == DOORS * doors.ENTITIES, f"{self.name} knows every door")

    @property
    def port(self):
        return int(self.url.rsplit(":", 1)[1])


class HomeAssistant(Peer):
    name = "Home Assistant"
    states = "/api/states"

    def __init__(self, version, folder, broker):
        self.version, self.broker = version, broker
        self.inner = home_assistant.HomeAssistant(version, folder)
        # Without its demo house: the doors on the broker are its only devices.
        settings = folder / "configuration.yaml"
        settings.write_text(settings.read_text().replace("demo:\n", ""))

    def move_in(self):
        self.inner.start()
        self.inner.move_in()
        self.token, self.url = self.inner.token, self.inner.url
        self.inner.set_up("mqtt", broker="127.0.0.1", port=self.broker)
        self.locks = [f"lock.door_{door}" for door in range(DOORS)]
        self.wait_for_doors()
        self.stop()

    def count(self, answer):
        # A person and the home zone are listed beside the doors' entities.
        return sum(state["state"] not in ("unknown", "unavailable") and "door_" in state["entity_id"] for state in answer)

    @property
    def process(self):
        return self.inner.process

    def launch(self):
        log = open(self.inner.config / "output.txt", "ab")
        command = [str(self.inner.folder / "bin/python"), "-m", "homeassistant", "-c", str(self.inner.config), "--skip-pip"]
        self.inner.process = subprocess.Popen(command, stdout=log, stderr=log)
        log.close()

    def stop(self):
        self.inner.stop()

    def command(self, door, command):
        return "POST", f"/api/services/lock/{command.lower()}", {"entity_id": self.locks[door]}

    socket_path = "/api/websocket"
    socket_headers = {}

    def hello(self):
        """Each: how many messages to wait for, and what to send then."""
        return [
            (1, {"type": "auth", "access_token": self.token}), (1, {"id": 1, "type": "subscribe_events", "event_type": "state_changed"}),
            (1, None),
        ]

    def mark(self, door):
        """The text that identifies this door in a message."""
        return f'"{self.locks[door]}"'


class Hub(Peer):
    name = "Cardea"
    states = "/api/v1/devices"

    def __init__(self, binary, folder, broker):
        self.binary, self.folder, self.broker, self.token = binary, folder, broker, ""
        self.process = None

    def move_in(self):
        self.launch()
        self.token = house.claim(self, "correct horse battery staple")["access_token"]
        requests.put(
            self.url + "/api/v1/integrations/mqtt", json={"host": "127.0.0.1", "port": self.broker}, headers=self.headers(), timeout=30
        ).raise_for_status()
        self.wait_for_doors()
        devices = {device["name"]: device["device_id"] for device in self.list().json()["devices"]}
        self.doors = [devices[doors.name(door)] for door in range(DOORS)]
        self.stop()

    def count(self, answer):
        return sum(entity["state"] != "unknown" for device in answer["devices"] for entity in device["entities"])

    def launch(self):
        self.process = subprocess.Popen(
            [str(self.binary), "serve", "--data", str(self.folder), "--insecure-http", "--json", "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE, text=True)
        ready = json.loads(self.process.stdout.readline())
        self.url, self.claim_url = ready["url"], ready.get("claim_url")

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(30)

    def command(self, door, command):
        return "PUT", f"/api/v1/devices/{self.doors[door]}/control", {"action": command.lower()}

    socket_path = "/api/v1/realtime"

    @property
    def socket_headers(self):
        return self.headers()

    def hello(self):
        return [(0, {"type": "subscribe", "kinds": ["device_update"]}), (2, None)]

    def mark(self, door):
        return f'"device_id":"{self.doors[door]}"'


# MARK: Load by wrk


def wrk(peer, script, callers, seconds, path):
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script + REPORT)
        file.flush()
        said = subprocess.run(
            ["wrk", "-t1", f"-c{callers}", f"-d{seconds}s", "--timeout", "20s", "-H", f"Authorization: Bearer {peer.token}",
             "-H", "Content-Type: application/json", "-s", file.name, peer.url + path],
            capture_output=True, text=True, check=True).stdout
    words = next(line for line in said.splitlines() if line.startswith("RESULT")).split()
    count, microseconds, p50, p99, errors = int(words[1]), int(words[2]), float(words[3]), float(words[4]), int(words[5])
    if errors > count / 100:
        raise RuntimeError(f"{peer.name} answered {errors} of {count} requests with an error")
    return {"rate": count / (microseconds / 1e6), "p50": p50 / 1000, "p99": p99 / 1000, "errors": errors}


# MARK: One listener


def call(peer):
    # From an address of its own: the hub gives each address 64 connections, and the listeners have taken theirs.
    return socket.create_connection(("127.0.0.1", peer.port), source_address=("127.0.0.101", 0))


class Bell:
    """Records each door's commands with their times."""

    def __init__(self):
        self.rung = []

    def __call__(self, door, command):
        self.rung.append((time.perf_counter(), door, command))


class BareCommits:
    """Durable commits of one row by SQLite alone, on the hub's disk and with the hub's settings."""

    def __init__(self, folder):
        self.store = sqlite3.connect(pathlib.Path(folder) / "bare.sqlite", isolation_level=None)
        self.store.execute("PRAGMA journal_mode=WAL")
        self.store.execute("PRAGMA synchronous=FULL")
        self.store.execute("CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, what TEXT)")
        # A commit costs more while its log still grows than once it is overwritten, like the hub's.
        self.store.execute("PRAGMA wal_autocheckpoint=1000")
        for _ in range(600):
            self.one()

    def one(self):
        self.store.execute("BEGIN IMMEDIATE")
        self.store.execute("INSERT INTO rows (what) VALUES ('door')")
        self.store.execute("COMMIT")

    def close(self):
        self.store.close()


def lone(peer, broker, count, folder):
    """Milliseconds of door commands, one after the other: until the lock has it, until the caller is answered, and from the lock's word
    to a listener's WebSocket. The caller is answered by Home Assistant when the lock has been told, and by the hub, asked to
    `respond-async`, when the command is durable. Between two commands one bare commit: the disk and the cores are as they were for them.

    `… kept` is each command with a bare commit added: the time of a system without storage, if it stored the command."""
    bare = BareCommits(folder)
    bell = Bell()
    ours = doors.Doors(broker, DOORS, bell)
    # A repeated command for the current state may get no report.
    for door in range(DOORS):
        ours.move(door, "LOCK")
    house.until(lambda: peer.list().text.count('"state":"locked"') == DOORS, f"{peer.name} knows that every door is locked")
    with connect(peer.url.replace("http", "ws", 1) + peer.socket_path, max_size=None, additional_headers=peer.socket_headers) as line:
        for wait, message in peer.hello():
            for _ in range(wait):
                line.recv(timeout=20)
            if message is not None:
                line.send(json.dumps(message))
        caller = call(peer)
        caller.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        times = {"reached": [], "answered": [], "told": [], "bare commit": []}
        for index in range(count):
            door, command = index % DOORS, ("UNLOCK", "LOCK")[index // DOORS % 2]
            bell.rung.clear()
            answered = None
            asked = peer.request(door, command)
            begun = time.perf_counter()
            caller.sendall(asked)
            while answered is None or not bell.rung:
                heard, _, _ = select.select([caller, ours.socket] if answered is None else [ours.socket], [], [], 20)
                if not heard:
                    raise RuntimeError(f"{peer.name} did not pass a command on")
                if ours.socket in heard:
                    ours.read()
                if caller in heard:
                    answered = time.perf_counter()
                    read_answer(caller)
            (reached, rung, what), = bell.rung
            if (rung, what) != (door, command):
                raise RuntimeError(f"{peer.name} told door {rung} to {what}, not door {door} to {command}")
            spoken = time.perf_counter()
            ours.move(door, command)
            while peer.mark(door) not in line.recv(timeout=20):
                pass
            told = time.perf_counter()
            bare.one()
            spans = {"reached": (begun, reached), "answered": (begun, answered), "told": (spoken, told), "bare commit": (told, time.perf_counter())}
            for name, (first, last) in spans.items():
                times[name].append((last - first) * 1000)
        caller.close()
    ours.close()
    bare.close()
    for name in ("reached", "answered", "told"):
        times[f"{name} kept"] = [sum(both) for both in zip(times[name], times["bare commit"])]
    return {name: percentiles(values) for name, values in times.items()}


def percentiles(values):
    values = sorted(values)
    return {"p50": values[len(values) // 2], "p99": values[len(values) * 99 // 100]}


@contextlib.contextmanager
def bolts(broker):
    """The doors, in a process of their own, beside the load."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "Benchmarks/doors.py"), "--port", str(broker), "--doors", str(DOORS)], stdout=subprocess.PIPE, text=True)
    try:
        if process.stdout.readline() != "ready\n":
            raise RuntimeError("the doors did not come up")
        yield
    finally:
        process.terminate()
        process.wait(10)


def read_answer(caller):
    answer = http.client.HTTPResponse(caller)
    answer.begin()
    body = answer.read()
    if answer.status not in (200, 202):
        raise RuntimeError(f"{answer.status}: {body[:200]}")


# MARK: Many listeners


class Ear(asyncio.Protocol):
    """Records the time of each frame about a door, without parsing it."""

    def __init__(self, peer, crowd):
        self.peer, self.crowd = peer, crowd
        self.data, self.is_open, self.heard, self.times = bytearray(), False, 0, []
        self.steps, self.mark = peer.hello(), peer.mark(0).encode()

    def connection_made(self, transport):
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        more = "".join(f"{name}: {value}\r\n" for name, value in self.peer.socket_headers.items())
        transport.write(
            f"GET {self.peer.socket_path} HTTP/1.1\r\nHost: 127.0.0.1:{self.peer.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n{more}\r\n".encode())

    def connection_lost(self, problem):
        if not self.crowd.is_over:
            self.crowd.lost += 1

    def data_received(self, data):
        now = time.perf_counter()
        self.data += data
        if not self.is_open:
            end = self.data.find(b"\r\n\r\n")
            if end < 0:
                return
            if not self.data.startswith(b"HTTP/1.1 101"):
                raise RuntimeError(bytes(self.data[:200]))
            del self.data[:end + 4]
            self.is_open = True
            self.go_on()
        while len(self.data) >= 2:
            length, start = self.data[1] & 0x7F, 2
            if length == 126:
                if len(self.data) < 4:
                    return
                length, start = struct.unpack_from("!H", self.data, 2)[0], 4
            elif length == 127:
                if len(self.data) < 10:
                    return
                length, start = struct.unpack_from("!Q", self.data, 2)[0], 10
            if len(self.data) < start + length:
                return
            opcode = self.data[0] & 0x0F
            is_news = opcode == 1 and not self.steps and self.data.find(self.mark, start, start + length) >= 0
            del self.data[:start + length]
            if opcode == 9:
                self.send(10, b"")
            elif is_news:
                self.times.append(now)
                self.crowd.heard += 1
            elif opcode == 1 and self.steps:
                self.heard += 1
                self.go_on()

    def go_on(self):
        while self.steps and self.heard >= self.steps[0][0]:
            wait, message = self.steps.pop(0)
            self.heard -= wait
            if message is not None:
                self.send(1, json.dumps(message).encode())
        if not self.steps:
            self.crowd.ready += 1

    def send(self, opcode, payload):
        size = bytes([0x80 | len(payload)]) if len(payload) < 126 else struct.pack("!BH", 0x80 | 126, len(payload))
        self.transport.write(bytes([0x80 | opcode]) + size + b"\0\0\0\0" + payload)


class Crowd:
    def __init__(self):
        self.ready = self.heard = self.lost = 0
        self.is_over = False


async def crowd(peer, listeners, changes):
    """Milliseconds from sending a command until each of many listeners receives the event, at ten commands a second."""
    loop, state, ears = asyncio.get_running_loop(), Crowd(), []
    for index in range(listeners):
        _, ear = await loop.create_connection(
            lambda: Ear(peer, state), "127.0.0.1", peer.port, local_addr=(f"127.0.0.{1 + index % 16}", 0))
        ears.append(ear)
    deadline = time.monotonic() + 120
    while state.ready < listeners:
        if time.monotonic() > deadline:
            raise RuntimeError(f"{peer.name}: only {state.ready} of {listeners} listen")
        await asyncio.sleep(0.05)
    sent, problems = [], []

    def command():
        try:
            caller = call(peer)
            begun = time.perf_counter()
            for index in range(changes):
                time.sleep(max(0, begun + index / 10 - time.perf_counter()))
                asked = peer.request(0, ("UNLOCK", "LOCK")[index % 2])
                sent.append(time.perf_counter())
                caller.sendall(asked)
                read_answer(caller)
            caller.close()
        except Exception as problem:  # noqa: BLE001 - reported by the waiting thread
            problems.append(problem)

    commander = threading.Thread(target=command)
    commander.start()
    deadline = time.monotonic() + changes / 10 + 60
    while state.heard < listeners * changes and time.monotonic() < deadline and not problems:
        await asyncio.sleep(0.05)
    commander.join()
    if problems:
        raise problems[0]
    state.is_over = True
    times = sorted((at - begun) * 1000 for ear in ears for at, begun in zip(ear.times, sent))
    last = max((ear.times[-1] for ear in ears if ear.times), default=time.perf_counter())
    for ear in ears:
        ear.transport.abort()
    await asyncio.sleep(0.2)
    return {
        "missing": listeners * changes - len(times), "lost": state.lost, "p50": times[len(times) // 2],
        "p99": times[len(times) * 99 // 100], "rate": len(times) / (last - sent[0])}


# MARK: The run


class Figures:
    """The measurements, round by round."""

    def __init__(self):
        self.kept = {}

    def add(self, line, peer, values):
        for what, value in values.items():
            self.kept.setdefault((line, what), {}).setdefault(peer, []).append(value)
        print(f"  {line}, {peer}: " + ", ".join(f"{what} {value:.2f}" for what, value in values.items()), file=sys.stderr)

    def median(self, line, what, peer):
        return statistics.median(self.kept[(line, what)][peer])


def measure(assistant, hub, broker, starts, rounds, seconds, folder):
    figures = Figures()
    peers = (assistant, hub)
    for number in range(starts):
        for peer in peers:
            if number:
                peer.stop()
            figures.add("start", peer.name, {"seconds": peer.start_timed()})
    for peer in peers:
        peer.wait_for_doors()
    time.sleep(5)
    for peer in peers:
        figures.add("memory after start", peer.name, {"MB": peer.rss()})
        figures.add("list", peer.name, {"bytes": len(peer.list().content)})
    for number in range(rounds):
        print(f"Round {number + 1} of {rounds}", file=sys.stderr)
        for callers in (1, 16):
            for peer in peers:
                figures.add(f"read {callers}", peer.name, wrk(peer, "", callers, seconds, peer.states))
        with bolts(broker):
            for peer in peers:
                figures.add("command 16", peer.name, wrk(peer, peer.script(), 16, seconds, "/"))
        for peer in peers:
            for what, values in lone(peer, broker, 20 * DOORS, folder).items():
                figures.add(what, peer.name, values)
    with bolts(broker):
        for peer in peers * 2:
            figures.add("crowd", peer.name, asyncio.run(crowd(peer, LISTENERS, CHANGES)))
    for peer in peers:
        figures.add("memory after load", peer.name, {"MB": peer.rss()})
    return figures


def table(figures, assistant, hub):
    def both(line, what):
        return figures.median(line, what, assistant.name), figures.median(line, what, hub.name)

    rows, bare = [], []
    commit = figures.median("bare commit", "p50", hub.name)

    def row(title, theirs, ours, unit, more_is_better=False):
        factor = ours / theirs if more_is_better else theirs / ours
        verdict = f"{factor:.1f} ×" if factor >= 1 else f"**behind**, {factor:.2f} ×"
        rows.append((title, number(theirs, unit), number(ours, unit), verdict))

    def number(value, unit):
        return f"{value:,.0f}{unit}".replace(",", " ") if value >= 100 else f"{value:.2f}{unit}" if value < 10 else f"{value:.1f}{unit}"

    for callers in (1, 16):
        who = "one caller" if callers == 1 else "16 callers"
        row(f"reading all states, {who}", *both(f"read {callers}", "rate"), "/s", more_is_better=True)
        row("the same, p50", *both(f"read {callers}", "p50"), " ms")
        row("the same, p99", *both(f"read {callers}", "p99"), " ms")
    row("door commands, 16 callers", *both("command 16", "rate"), "/s", more_is_better=True)
    row("the same, p50", *both("command 16", "p50"), " ms")
    row("the same, p99", *both("command 16", "p99"), " ms")
    lone_lines = (
        ("reached", "a door command, one caller, until the lock has it"), ("answered", "the same, until the caller is answered"),
        ("told", "the same, from the lock's word to a listener"))
    for what, title in lone_lines:
        for percentile in ("p50", "p99"):
            theirs, ours = both(what, percentile)
            row(f"{title}, {percentile}", figures.median(f"{what} kept", percentile, assistant.name), ours, " ms")
            bare.append(number(theirs, " ms"))
    row(f"10 changes a second to {LISTENERS} listeners, p50", *both("crowd", "p50"), " ms")
    row("the same, p99", *both("crowd", "p99"), " ms")
    row("from start to the first answer", *both("start", "seconds"), " s")
    row("resident after start", *both("memory after start", "MB"), " MB")
    row("resident after the load", *both("memory after load", "MB"), " MB")
    lines = [f"| | Home Assistant {assistant.version} | Cardea | Cardea is ahead by |", "|---|---|---|---|"]
    lines += ["| " + " | ".join(cells) + " |" for cells in rows]
    their_bytes, our_bytes = both("list", "bytes")
    lines.append("")
    lines.append(
        f"{DOORS} doors with {DOORS * doors.ENTITIES} entities, lists of {their_bytes / 1000:.0f} kB and {our_bytes / 1000:.0f} kB. "
        f"Home Assistant keeps nothing of a command: to each of its six figures of one caller's command the bare durable commit of one row is "
        f"added that was made right after it ({commit:.2f} ms, p99 {figures.median('bare commit', 'p99', hub.name):.2f} ms beside the hub). "
        f"Without it they are {', '.join(bare)}.")
    for peer in (assistant, hub):
        failed = sum(figures.kept[("command 16", "errors")][peer.name])
        if failed:
            lines.append(f"{peer.name}: {failed} commands of 16 callers were refused, the door being busy, or did not end as confirmed.")
        if missing := figures.median("crowd", "missing", peer.name):
            lines.append(f"{peer.name}: {missing:.0f} of {LISTENERS * CHANGES} messages did not come; "
                         f"{figures.median('crowd', 'lost', peer.name):.0f} listeners were hung up on.")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hub", type=pathlib.Path, default=ROOT / ".build/release/cardea-hub", help="the hub's binary; a release build")
    parser.add_argument("--home-assistant", default="2024.3", choices=home_assistant.installed() or ["2024.3"], help="which version")
    parser.add_argument("--starts", type=int, default=3, help="how often each is started, to see how long it takes (default 3)")
    parser.add_argument("--rounds", type=int, default=4, help="how often each measurement takes its turn (default 4)")
    parser.add_argument("--seconds", type=int, default=4, help="how long each load lasts (default 4)")
    options = parser.parse_args()
    if not options.hub.exists():
        parser.error(f"there is no hub at {options.hub}; build it with: make release")
    if options.home_assistant not in home_assistant.installed():
        parser.error("Home Assistant is not there; make it with: scripts/home-assistant")
    if not shutil.which("wrk"):
        parser.error("wrk is not there; install it with: scripts/setup")
    with tempfile.TemporaryDirectory(prefix="cardea-bench-") as place, home_assistant.one_host_network():
        theirs, ours = pathlib.Path(place) / "home-assistant", pathlib.Path(place) / "hub"
        theirs.mkdir()
        with contextlib.ExitStack() as ending:
            broker = ending.enter_context(house.broker(pathlib.Path(place)))
            announcer = doors.Doors(broker, DOORS, lambda *_: None)
            announcer.announce()
            announcer.close()
            print("Home Assistant moves in", file=sys.stderr)
            assistant = HomeAssistant(options.home_assistant, theirs, broker)
            ending.callback(assistant.stop)
            assistant.move_in()
            print("The hub moves in", file=sys.stderr)
            hub = Hub(options.hub, ours, broker)
            ending.callback(hub.stop)
            hub.move_in()
            figures = measure(assistant, hub, broker, options.starts, options.rounds, options.seconds, place)
        print(table(figures, assistant, hub))


if __name__ == "__main__":
    main()
