"""The hub and its followers are killed at random, each at its own moments; in the end each follower has the events that the hub lists for it.

`CARDEA_REALTIME_ROUNDS` says how often the hub is killed (3 in the long suite, 100 in `make chaos`, with more followers), `CARDEA_SEED` says at
which moments.
"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import threading

import crash_house
import follower
import house
import pytest
import requests
from conftest import PASSWORD, Owner
from test_realtime_access import program, resident

ROUNDS = int(os.environ.get("CARDEA_REALTIME_ROUNDS", "3"))
SEED = int(os.environ.get("CARDEA_SEED", "20261127"))
pytestmark = pytest.mark.long
SCRIPT = pathlib.Path(follower.__file__)


class Followed:
    """A follower whose process is killed again and again, and the changes that the hub lists for it."""

    def __init__(self, folder, name, token, by="socket", kinds=None, devices=None):
        self.name, self.token, self.by, self.kinds, self.devices = name, token, by, kinds, devices
        self.file, self.words = folder / f"{name}.heard", folder / f"{name}.words"
        self.told, self.kills, self.faults, self.process = [], 0, [], None
        self.dice, self.over = random.Random(f"{SEED}/{name}"), threading.Event()
        self.thread = threading.Thread(target=self.live, daemon=True)

    def begin(self, url, first):
        self.url, self.first, self.cursor = url, first, first
        self.thread.start()

    def start(self):
        words = [sys.executable, str(SCRIPT), "--url", self.url, "--heard", str(self.file), "--after", str(self.first), "--by", self.by]
        for name, wanted in (("kinds", self.kinds), ("devices", self.devices)):
            words += [f"--{name}", ",".join(wanted)] if wanted else []
        with open(self.words, "a") as told:
            self.process = subprocess.Popen(words, env={**os.environ, "CARDEA_TOKEN": self.token}, stdout=told, stderr=told)

    def live(self):
        while not self.over.is_set():
            told = self.written()
            self.start()
            # It gets time to receive something: a follower without events proves nothing.
            while self.written() <= told and self.process.poll() is None:
                if house.pause(0.02, self.over):
                    return
            if house.pause(self.dice.uniform(0, 1.5), self.over):
                return
            self.kill()
            house.pause(self.dice.uniform(0, 0.3), self.over)

    def written(self):
        """The bytes it has written."""
        return self.file.stat().st_size if self.file.exists() else 0

    def kill(self):
        self.process.kill()
        if self.process.wait(60) == -signal.SIGKILL:
            self.kills += 1
        else:
            # It found a fault in its events.
            self.faults.append(self.words.read_text()[-2000:])

    def settle(self):
        """Ends the kills of this follower."""
        self.over.set()
        self.thread.join()
        if self.process.poll() == -signal.SIGKILL:
            self.start()

    def end(self):
        self.over.set()
        if self.process:
            self.thread.join()
            self.process.kill()
            self.process.wait(60)

    def is_meant(self, change):
        kind, data = change["type"], change["data"]
        if self.kinds and kind not in self.kinds and not (kind == "device_update" and "batch_device_update" in self.kinds):
            return False
        return not self.devices or kind not in ("device_update", "command_update") or data["device_id"] in self.devices

    def look(self):
        """Reads the new `/changes` of the house for this caller."""
        while True:
            answer = requests.get(
                self.url + f"/api/v1/changes?after={self.cursor}&limit=500", headers={"Authorization": f"Bearer {self.token}"}, timeout=60)
            assert answer.status_code == 200, answer.text
            page = answer.json()
            self.told += [follower.line(change) for change in page["changes"] if self.is_meant(change)]
            self.cursor = page["next"]
            if not page["more"]:
                return

    def heard(self):
        """What it wrote down, up to the last change that was read."""
        return [line for line in follower.heard(self.file) if int(line.split()[0]) <= self.cursor]

    def has_heard_all(self):
        assert self.process.poll() is None and not self.faults, f"{self.name} ended by itself: {self.faults or self.words.read_text()[-2000:]}"
        return len(self.heard()) >= len(self.told)


class Doing:
    """People who send one command after the other for as long as they may, whatever the result."""

    def __init__(self, *deeds):
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self.live, args=(deed,), daemon=True) for deed in deeds]
        for thread in self.threads:
            thread.start()

    def live(self, deed):
        number = 0
        while not house.pause(0.02, self.over):
            number += 1
            try:
                deed(number)
            except requests.RequestException:
                continue

    def end(self):
        self.over.set()
        for thread in self.threads:
            thread.join()


def test_hub_and_followers_killed_at_random_agree_with_the_changes(start_hub, tmp_path, capsys):
    with capsys.disabled():
        print(f"\nCARDEA_SEED={SEED}, {ROUNDS} rounds")
    port, dice = house.free_port(), random.Random(SEED)
    options = ("--virtual-house", "--listen", f"127.0.0.1:{port}")
    hub = start_hub(tmp_path / "house", *options)
    owner = Owner(hub, house.claim(hub, PASSWORD))
    member = resident(owner, "kim")
    guest = house.let_in(owner, max_uses=0)
    first = owner.get("/api/v1/changes").json()["next"]
    all_of_them = [
        Followed(tmp_path, "owner", owner.token),
        Followed(tmp_path, "guest", guest.token),
        Followed(tmp_path, "stream", member.token, by="sse", kinds=["device_update", "command_update"]),
        Followed(tmp_path, "light", owner.token, kinds=["device_update"], devices=["hall-light"]),
        Followed(tmp_path, "batches", owner.token, kinds=["batch_device_update", "command_update"]),
        Followed(tmp_path, "member", member.token, devices=["study-light", "front-door"]),
        Followed(tmp_path, "program", program(owner, grants=[{"device_id": "front-door", "actions": ["door.open"]}])["token"]),
        Followed(tmp_path, "guests-stream", guest.token, by="sse"),
    ]
    followed = all_of_them if ROUNDS > 10 else all_of_them[:3]

    def brightness(person, device):
        return lambda number: person.put(f"/api/v1/devices/{device}/control", {"action": "set_brightness", "value": number % 99 + 1})

    doing = Doing(
        brightness(owner, "hall-light"), brightness(member, "study-light"), brightness(member, "hall-light"), lambda _: guest.act())
    try:
        for one in followed:
            one.begin(hub.url, first)
        house.until(lambda: all(one.written() or one.faults for one in followed), "each has heard something")
        for _ in range(ROUNDS):
            crash_house.cut_the_power(hub, dice.uniform(0.5, 1.2))
            hub = start_hub(tmp_path / "house", *options)
            # The house no longer lists changes from long ago.
            for one in followed:
                one.look()
        house.until(lambda: is_enough(followed), "enough was told, and those who follow were killed as often as the hub")
        doing.end()
        for one in followed:
            one.settle()
            one.look()
        house.until(lambda: all(one.has_heard_all() for one in followed), "everybody has heard all there was to hear")
        for one in followed:
            assert one.heard() == one.told, f"{one.name}: {difference(one.heard(), one.told)}"
    finally:
        doing.end()
        for one in followed:
            one.end()
    with capsys.disabled():
        print(f"{', '.join(f'{one.name} {len(one.told)} heard, {one.kills} times killed' for one in followed)}")


def is_enough(followed):
    """Whether the followers were killed as often as the hub, and received enough of each kind."""
    for one in followed:
        one.look()
    kinds = {line.split()[1] for one in followed for line in one.told}
    is_told = all(len(one.told) > ROUNDS for one in followed) and {"device_update", "command_update"} <= kinds
    return is_told and sum(one.kills for one in followed) >= ROUNDS


def difference(heard, told):
    missed, more = sorted(set(told) - set(heard)), sorted(set(heard) - set(told))
    return f"{len(heard) - len(set(heard))} twice, {len(missed)} missed {missed[:5]}, {len(more)} that it is not told {more[:5]}"
