"""A house with a real broker and locks that count their own movements. Its power is cut again and again."""

import contextlib
import json
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import house

HERE = pathlib.Path(__file__).parent
# Without nodelay, a broker on Linux delays the second of two quick messages by 40 ms.
BROKER = "allow_anonymous true\npersistence false\nset_tcp_nodelay true\nmax_queued_messages 100000\n"


class Bench:
    """Broker, locks and the hub's folder: everything that survives a power cut of the hub."""

    def __init__(self, folder, locks, bolt_ms):
        self.folder, self.locks = folder, locks
        self.data, self.counts = folder / "house", folder / "counts.log"
        self.broker_port, self.port = house.free_port(), house.free_port()
        self.processes = []
        config = folder / "mosquitto.conf"
        config.write_text(f"listener {self.broker_port} 127.0.0.1\n{BROKER}")
        self.run("mosquitto", "-c", str(config), stdout=subprocess.DEVNULL, stderr=open(folder / "mosquitto.log", "wb"))
        house.until(self.broker_answers, "the broker is there")
        simulator = self.run(
            sys.executable, str(HERE / "mqtt_lock_simulator.py"), "--port", str(self.broker_port), "--locks", str(locks),
            "--counts", str(self.counts), "--delay-ms", str(bolt_ms), stdout=subprocess.PIPE, text=True,
        )
        assert simulator.stdout.readline().strip() == "ready"

    def run(self, *command, **how):
        self.processes.append(subprocess.Popen(command, **how))
        return self.processes[-1]

    def broker_answers(self):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.broker_port), timeout=60):
            return True

    def close(self):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()

    def doors(self, owner):
        """The device ids of the locks by their number, once all locks are online."""
        answer = owner.get("/api/v1/devices").json()["devices"]
        found = {int(device["name"].split()[-1]): device["device_id"] for device in answer if device["status"] == "online"}
        return [found[number] for number in range(self.locks)] if len(found) == self.locks else None

    def moved(self):
        """The judge's own log: (nanoseconds, lock, command id, payload) of every movement."""
        if not self.counts.exists():
            return []
        lines = [line.split() for line in self.counts.read_text().splitlines()]
        return [(int(at), int(lock), command, payload) for at, lock, command, payload in lines]


class Inspector:
    """Checks copies of the house as each power cut left it, while the house keeps running."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.hands = ThreadPoolExecutor(1)
        self.findings = []

    def look(self, data, number, closely):
        copy = self.folder / f"after-{number}"
        shutil.copytree(data, copy, ignore=shutil.ignore_patterns("hub.lock", "hub.sock"))
        self.findings.append((number, self.hands.submit(self.judge, copy, closely)))

    def judge(self, copy, closely):
        """The problems of a house; the list should be empty."""
        wrong = []
        if closely:
            with contextlib.closing(sqlite3.connect(copy / "house.sqlite")) as database:
                wrong += [row[0] for row in database.execute("PRAGMA integrity_check") if row[0] != "ok"]
                wrong += [f"foreign key {row}" for row in database.execute("PRAGMA foreign_key_check")]
        wrong += checked(self.binary, copy)
        shutil.rmtree(copy)
        return wrong

    def problems(self):
        found = [(number, problem) for number, finding in self.findings for problem in finding.result()]
        self.hands.shutdown()
        return found


def checked(binary, data):
    """The problems that `cardea-hub check` reports."""
    run = subprocess.run([str(binary), "check", "--data", str(data), "--json"], capture_output=True, text=True, timeout=60)
    report = json.loads(run.stdout)
    return [] if report["ok"] and run.returncode == 0 else report["problems"] or [run.stderr]


def serve(start_hub, bench, **how):
    """Starts the hub at its usual address; returns it and the seconds until it was ready."""
    begun = time.monotonic()
    hub = start_hub(bench.data, "--listen", f"127.0.0.1:{bench.port}", **how)
    return hub, time.monotonic() - begun


def cut_the_power(hub, seconds, is_enough=lambda: True):
    """Lets the house run for a moment, and on until `is_enough`, then kills it like a power cut."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        hub.process.wait(seconds)
    house.until(lambda: hub.process.poll() is not None or is_enough(), "enough was done in this life")
    assert hub.process.poll() is None, f"the hub ended by itself with {hub.process.poll()}: {''.join(hub.log[-20:])}"
    hub.kill()


def by_intent(intents, moved):
    """How often the bolt moved for each intent: from that intent until the next one at the same door."""
    at_lock = defaultdict(list)
    for at, lock, _, _ in moved:
        at_lock[lock].append(at)
    per_lock = defaultdict(list)
    for intent in intents:
        per_lock[intent.lock].append(intent)
    for lock, wanted in per_lock.items():
        wanted.sort(key=lambda intent: intent.begun)
        ends = [intent.begun for intent in wanted[1:]] + [2**63]
        for intent, end in zip(wanted, ends):
            yield intent, sum(intent.begun <= at < end for at in at_lock[lock])
