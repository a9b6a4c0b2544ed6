"""The terminal without the hub: what it shows, what it stores for later, what it refuses, and what a kill may not break.

A proxy stands between the terminal and the hub. Closing it cuts the terminal off, like a phone in a tunnel.
"""

import contextlib
import json
import math
import os
import queue
import random
import signal
import socket
import subprocess
import threading
import time

import house
import pytest

from conftest import PASSWORD, ROOT
from screen import Screen
from test_command_line import DONE, REFUSED, UNREACHABLE, USAGE, Terminal, cli_binary, terminal  # noqa: F401

KILLS = int(os.environ.get("CARDEA_KILLS", "16"))
SEED = int(os.environ.get("CARDEA_SEED", "20261122"))


class Proxy:
    """Forwards bytes to the hub while it is open; closed, its port refuses connections."""

    def __init__(self, port):
        self.hub, self.port = port, house.free_port()
        self.door, self.lines = None, []
        # Seconds that an answer takes on its way back.
        self.delay = 0
        # The text of the request whose answer never arrives, and whether there was one.
        self.swallows, self.has_swallowed = None, threading.Event()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def open(self):
        self.door = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._answer, args=(self.door,), daemon=True).start()

    def shut(self):
        door, self.door = self.door, None
        door.shutdown(socket.SHUT_RDWR)
        door.close()
        for line in self.lines:
            with contextlib.suppress(OSError):  # The process has ended.
                line.shutdown(socket.SHUT_RDWR)
        self.lines = []

    def _answer(self, door):
        while True:
            try:
                caller, _ = door.accept()
            except OSError:
                return
            hub = socket.create_connection(("127.0.0.1", self.hub))
            self.lines += [caller, hub]
            is_asked = threading.Event()
            for source, sink, is_answer in ((caller, hub, False), (hub, caller, True)):
                threading.Thread(target=self._carry, args=(source, sink, is_answer, is_asked), daemon=True).start()

    def _carry(self, source, sink, is_answer, is_asked):
        try:
            while data := source.recv(65536):
                if self.swallows and self.swallows in data and not is_answer:
                    is_asked.set()
                if is_answer and is_asked.is_set():
                    self.has_swallowed.set()
                    continue
                if is_answer and self.delay:
                    house.pause(self.delay)
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # Either end has gone, or the proxy was closed: the other end is closed below.
        finally:
            for one in (source, sink):
                one.close()


class Lines:
    """A program's output, line by line, as it arrives."""

    def __init__(self, stream):
        self.lines = queue.Queue()
        threading.Thread(target=lambda: [self.lines.put(line.rstrip("\n")) for line in stream], daemon=True).start()

    def until(self, fits, what):
        seen = []
        while True:
            try:
                seen.append(self.lines.get(timeout=60))
            except queue.Empty:
                pytest.fail(f"no {what} in {seen[-12:]}")
            if fits(seen[-1]):
                return seen[-1]


@pytest.fixture
def proxy(hub):
    proxy = Proxy(int(hub.url.rsplit(":", 1)[1]))
    proxy.open()
    yield proxy
    if proxy.door:
        proxy.shut()


@pytest.fixture
def resident(terminal, proxy, owner):  # noqa: F811
    resident = terminal("resident")
    resident.run("login", "--url", proxy.url, "--username", "owner", "--password-stdin", typed=PASSWORD + "\n")
    return resident


def test_the_terminal_while_offline_and_after_reconnecting(resident, proxy, owner):
    assert resident.json("sync") | {"level_at": ""} == {
        "reached": True, "sent": 0, "changes": 0, "whole": True, "waiting": 0, "ended": 0, "conflicts": 0, "answers": [],
        "level_at": ""}
    proxy.shut()

    shown = resident.json("devices")
    assert shown["stale"] and shown["as_of"] and shown["total"] == len(shown["devices"]) == 9
    assert "cannot be reached" in resident.run("devices", "--room", "Hall").stderr
    for listing in (["rooms"], ["scenes"], ["guests"], ["activity"], ["status"], ["devices", "show", "hall-light"]):
        assert resident.json(*listing)["stale"], listing
    assert len(resident.json("activity")["entries"]) > 0

    queued = resident.json("devices", "control", "hall light", "on")["queued"]
    assert queued["name"] == "Hall light" and queued["status"] == "waiting" and queued["not_after"]
    for door in (["open", "front-door"], ["lock", "front-door"], ["devices", "control", "front-door", "unlock"], ["devices", "control", "garage", "open"]):
        assert resident.error(*door, expect=UNREACHABLE)["code"] == "no_connection"
    renamed = resident.json("rooms", "rename", "Study", "Library")["queued"]
    assert "Library" in resident.run("rooms").stdout
    assert [entry["id"] for entry in resident.json("queue")["entries"]] == [queued["id"], renamed["id"]]
    told = resident.run("sync", "--json", expect=UNREACHABLE)
    assert json.loads(told.stdout)["waiting"] == 2 and not json.loads(told.stdout)["reached"]

    # Another person renames the study.
    study = owner.get("/api/v1/rooms/study").json()
    assert owner.call("PUT", "/api/v1/rooms/study", {"name": "Office"}, If_Match=f'"{study["version"]}"').ok
    proxy.open()
    report = resident.json("sync")
    assert report["sent"] == 1 and report["conflicts"] == 1 and report["waiting"] == 0
    assert owner.get("/api/v1/devices/hall-light").json()["entities"][0]["state"] == "on"
    assert owner.get("/api/v1/devices/front-door").json()["attributes"]["actuations"] == 0

    conflict, = resident.json("conflicts")["conflicts"]
    assert conflict["name"] == "Study" and conflict["mine"]["name"] == "Library" and conflict["theirs"]["name"] == "Office"
    shown = resident.run("conflicts").stdout
    assert "Library" in shown and "Office" in shown and "--mine" in shown and "--theirs" in shown
    assert owner.get("/api/v1/rooms/study").json()["name"] == "Office"
    resident.run("conflicts", "resolve", conflict["id"][:8], "--mine")
    assert owner.get("/api/v1/rooms/study").json()["name"] == "Library"
    assert resident.json("conflicts")["conflicts"] == [] and resident.json("queue")["entries"] == []


@pytest.fixture
def conflict(resident, proxy, owner):
    """Returns a function that renames the study to `Library` here and to `Office` there, and gives the conflict's id."""

    def meet():
        study = owner.get("/api/v1/rooms/study").json()
        assert owner.call("PUT", "/api/v1/rooms/study", {"name": "Study"}, If_Match=f'"{study["version"]}"').ok
        resident.run("sync")
        proxy.shut()
        resident.run("rooms", "rename", "Study", "Library")
        study = owner.get("/api/v1/rooms/study").json()
        assert owner.call("PUT", "/api/v1/rooms/study", {"name": "Office"}, If_Match=f'"{study["version"]}"').ok
        proxy.open()
        assert resident.json("sync")["conflicts"] == 1
        return resident.json("conflicts")["conflicts"][0]["id"]

    return meet


def study(owner):
    return owner.get("/api/v1/rooms/study").json()["name"]


def test_a_local_export_contains_the_persons_waiting_commands(resident, owner, conflict, tmp_path):
    """The house does not know them, so the house's export does not contain them."""
    assert "conflicts_file" not in resident.json("privacy", "export", str(tmp_path / "before.zip"))
    assert [path.name for path in tmp_path.glob("before*")] == ["before.zip"]
    found = conflict()
    told = resident.run("privacy", "export", str(tmp_path / "me.zip")).stdout
    beside = tmp_path / "me.conflicts.json"
    assert str(beside) in told and beside.stat().st_mode & 0o777 == 0o600
    waiting, = json.loads(beside.read_text())["conflicts"]
    assert waiting["id"] == found and (waiting["mine"]["name"], waiting["theirs"]["name"]) == ("Library", "Office")
    assert resident.json("conflicts")["conflicts"][0]["id"] == found, "it still waits"


def test_a_local_export_omits_other_peoples_waiting_commands(resident, owner, conflict, tmp_path):
    conflict()
    owner.post("/api/v1/people", {"name": "Ada", "role": "member"})
    assert "conflicts_file" not in resident.json("privacy", "export", str(tmp_path / "ada.zip"), "--person", "Ada")
    assert not (tmp_path / "ada.conflicts.json").exists()


def test_a_script_resolves_a_conflict_field_by_field(resident, owner, conflict):
    found = conflict()
    told = resident.error("conflicts", "resolve", found, expect=USAGE)
    assert told["code"] == "usage" and "--mine or --theirs" in told["message"] and "Still open: name." in told["message"]
    assert "Still open: name." in resident.error("conflicts", "resolve", found, "--merge", expect=USAGE)["message"]
    assert "has no field" in resident.error("conflicts", "resolve", found, "--mine", "--set", "colour=red", expect=USAGE)["message"]
    assert resident.error("conflicts", "resolve", "zzz", "--mine")["code"] == "not_found"
    assert len(resident.json("conflicts")["conflicts"]) == 1 and study(owner) == "Office"
    assert resident.json("conflicts", "resolve", found[:8], "--set", "name=Den") == {"resolved": found, "sent": True}
    assert study(owner) == "Den"

    for side, name in [("mine", "Library"), ("theirs", "Office")]:
        resident.run("conflicts", "resolve", conflict(), "--merge", "--set", f"name={side}")
        assert study(owner) == name and resident.json("conflicts")["conflicts"] == []


def answered(resident, *words, answers):
    """At a terminal; returns its last screen and its exit status."""
    screen = Screen(resident.binary, *words, env=resident.env, columns=110, rows=40)
    try:
        for question, answer in answers:
            screen.shows(question)
            screen.press(answer + "\r")
        status = screen.wait()
        return "\n".join(screen.lines), status, screen.raw.decode()
    finally:
        screen.end()


def test_a_conflict_is_shown_in_full_and_resolved_at_the_terminal(resident, owner, conflict):
    shown, status, raw = answered(
        resident, "conflicts", "resolve", conflict(), answers=[("or decide (e)ach", "what?"), ("Type m, t or e", "e"), ("a new value", "Den")])
    assert status == DONE and "Resolved: your decision is saved." in shown and study(owner) == "Den"
    lines = shown.split("\n")
    place = next(place for place, line in enumerate(lines) if line.startswith("* name "))
    assert lines[place].split() == ["*", "name", "here:", "Library"] and lines[place + 1].split() == ["elsewhere:", "Office"]
    assert "room id" in shown and "\x1b[32mLibrary" in raw and "\x1b[31mOffice" in raw
    assert "name: here Library, elsewhere Office" in shown

    shown, status, _ = answered(resident, "conflicts", "resolve", conflict(), answers=[("or decide (e)ach", "t")])
    assert status == DONE and "Resolved: their version stays." in shown and study(owner) == "Office"
    shown, status, _ = answered(resident, "conflicts", "resolve", conflict(), "--merge", answers=[("a new value", "m")])
    assert status == DONE and study(owner) == "Library"

    found = conflict()
    shown, status, _ = answered(resident, "conflicts", "resolve", found, answers=[("or decide (e)ach", "\x03")])
    assert status != DONE and resident.json("conflicts")["conflicts"][0]["id"] == found


def test_a_slow_request_shows_progress_and_clears_it(resident, proxy):
    proxy.delay = 1
    shown, status, raw = answered(resident, "sync", answers=[])
    assert status == DONE and "Syncing with the house…" in raw and "Syncing" not in shown and shown.startswith("In sync with the house.")
    piped = resident.run("sync")
    assert "Syncing" not in piped.stderr
    proxy.delay = 0
    # A quick request shows no progress, and neither does one without a terminal.
    shown, status, raw = answered(resident, "queue", answers=[])
    assert status == DONE and "…" not in raw


def test_a_scene_that_opens_a_door_needs_confirmation(resident, owner):
    resident.run("scenes", "make", "Coming home", "hall-light:on", "front-door:unlock")
    refused = resident.error("scenes", "run", "Coming home", expect=USAGE)
    assert refused["message"] == "Coming home opens Front door. Run it? Add --yes to confirm in a script."
    assert owner.get("/api/v1/devices/front-door").json()["attributes"]["actuations"] == 0
    shown, status, _ = answered(resident, "scenes", "run", "Coming home", answers=[("(yes/no)", "no")])
    assert status == REFUSED and "Nothing was changed." in shown
    assert owner.get("/api/v1/devices/front-door").json()["attributes"]["actuations"] == 0
    assert resident.run("scenes", "run", "Coming home", "--yes").stdout == "Coming home: done.\n"
    assert owner.get("/api/v1/devices/front-door").json()["attributes"]["actuations"] == 1


def test_sign_out_with_waiting_commands_needs_confirmation(resident, proxy):
    resident.run("sync")
    proxy.shut()
    waiting = resident.json("devices", "control", "hall-light", "on")["queued"]
    assert resident.error("logout")["code"] == "queue_not_empty"
    assert resident.json("queue", "discard", waiting["id"])["discarded"] == 1
    resident.run("logout", expect=UNREACHABLE)
    # The lock file is empty, and stays: another process may be waiting for it.
    assert [file.name for file in (resident.home / "houses").iterdir() if file.stat().st_size] == []


def test_a_question_asked_offline_is_answered_later_and_runs_nothing(resident, proxy, owner):
    resident.run("sync")
    proxy.shut()
    kept = resident.run("ask", "unlock", "the", "front", "door").stdout
    assert "The question is queued" in kept and "\n  Front door: " in kept
    assert "asked: unlock the front door" in resident.run("queue").stdout
    before = owner.get("/api/v1/devices/front-door").json()["attributes"]["actuations"]
    proxy.open()
    # Every command that reads the house sends it on the way.
    assert "Late answers: 1." in resident.run("devices").stderr
    assert "answered late: " in resident.run("queue").stdout
    said = resident.run("sync").stdout
    assert "You asked " in said and "Late answer, " in said and "nothing is done now" in said
    assert owner.get("/api/v1/devices/front-door").json()["attributes"]["actuations"] == before
    assert "Late answer, " not in resident.run("sync").stdout and resident.json("queue")["entries"] == []


def test_a_guest_pass_while_offline(terminal, proxy, owner):  # noqa: F811
    invited = owner.post("/api/v1/guests", {
        "name": "Plumber", "grants": [{"device_id": "front-door", "actions": ["door.open"]}],
        "expires_at": "2036-01-01T00:00:00Z", "max_uses": 3}).json()
    guest = terminal("guest")
    guest.run("pair", "--url", proxy.url, typed=invited["pairing_code"] + "\n")
    guest.run("open")
    assert guest.json("pass")["passes"][0]["used_count"] == 1
    proxy.shut()
    shown = guest.run("pass")
    assert "Front door" in shown.stdout and "cannot be reached" in shown.stderr
    assert guest.json("pass")["passes"][0]["used_count"] == 1
    assert guest.error("open", expect=UNREACHABLE)["code"] == "no_connection"


def test_the_replica_is_encrypted(resident, owner):
    resident.run("sync")
    kept = list((resident.home / "houses").iterdir())
    assert kept
    for file in kept:
        assert file.stat().st_mode & 0o777 == 0o600
        for word in (b"front-door", b"Front door", b"hall-light", b"owner"):
            assert word not in file.read_bytes(), f"{file.name} says {word}"


def test_exit_codes_are_documented(resident):
    page = resident.run("help", "exit-codes").stdout
    for code in ("0 ", "1 ", "2 ", "3 ", "4 ", "5 ", "75 "):
        assert f"\n  {code}" in "\n" + page


def test_watch_continues_through_a_lost_connection(resident, proxy, owner):
    watching = resident.start("watch", "--json")
    try:
        lines = Lines(watching.stdout)

        def heard(wanted, device=None):
            """The next event of a kind, and of a device where one is named: the weather changes by itself."""
            def fits(line):
                event = json.loads(line)
                return event["type"] == wanted and (device is None or event["device"]["device_id"] == device)

            return json.loads(lines.until(fits, wanted))

        assert len(heard("snapshot")["devices"]) == 9
        owner.put("/api/v1/devices/hall-light/control", {"action": "on"})
        assert heard("device", "hall-light")["said"]["state"] == "on"
        proxy.shut()
        heard("interrupted")
        owner.put("/api/v1/devices/hall-light/control", {"action": "off"})
        proxy.open()
        heard("connected")
        assert heard("device", "hall-light")["said"]["state"] == "off"
    finally:
        watching.send_signal(signal.SIGINT)
        watching.wait(60)


def test_a_client_killed_while_sending_its_outbox_sends_each_command_once(resident, proxy, owner):
    """Each accepted command runs once, whenever the kill comes: before it is recorded, while it is sent, after its answer was lost."""
    print(f"CARDEA_SEED={SEED}")
    rolls = random.Random(SEED)
    each, killed, wished, halfway, took = 8, 0, 0, 0, math.inf
    resident.run("sync")

    def wish_in_the_tunnel():
        nonlocal wished
        proxy.shut()
        for _ in range(each):
            resident.run("devices", "control", "hall-light", "set_brightness", "--value", str(1 + wished % 100))
            wished += 1
        proxy.open()

    # At random moments: with fixed times, a slow machine placed all kills after the action they were meant for.
    while killed < KILLS:
        proxy.delay = 0
        begun = time.monotonic()
        resident.run("sync")
        took = min(took, time.monotonic() - begun)
        wish_in_the_tunnel()
        proxy.delay = 0.003
        for _ in range(each):
            syncing = resident.start("sync")
            with contextlib.suppress(subprocess.TimeoutExpired):
                syncing.wait(rolls.uniform(0.2, 1.3) * took)
            syncing.kill()
            syncing.communicate()
            killed += 1
        # Reading the queue sends nothing to the house.
        halfway += sum(entry["status"] == "sent" for entry in resident.json("queue")["entries"])
    # And once for certain between the request and its answer.
    proxy.delay = 0
    resident.run("sync")
    wish_in_the_tunnel()
    proxy.swallows = b"/control"
    syncing = resident.start("sync")
    house.until(lambda: proxy.has_swallowed.is_set() or syncing.poll() is not None, "the house has answered")
    syncing.kill()
    syncing.communicate()
    killed += 1
    proxy.swallows = None
    lost = sum(entry["status"] == "sent" for entry in resident.json("queue")["entries"])
    assert lost > 0, "no kill fell between asking and hearing"
    report = resident.json("sync")
    assert report["waiting"] == 0 and report["ended"] == 0 and resident.json("queue")["entries"] == []
    entries, before = [], None
    while before != 0:
        page = owner.get("/api/v1/activity?limit=200&device_id=hall-light" + (f"&before={before}" if before else "")).json()
        entries += page["entries"]
        before = page.get("next_before") or 0
    taken = [entry["command_id"] for entry in entries if entry["action"] == "set_brightness"]
    assert len(taken) == len(set(taken)) == wished, f"{wished} wished, {len(taken)} heard by the house, {killed} kills"
    print(f"{killed} kills, {wished} wishes, {halfway + lost} of them ended between asking and hearing")


def test_the_tutorials_live_devices_example_works_offline(hub, owner, proxy, tmp_path):
    example = subprocess.Popen(
        [str(ROOT / ".build/debug/LiveDevices")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "CARDEA_HUB": proxy.url, "CARDEA_USER": "owner", "LIVE_DEVICES_HOME": str(tmp_path / "kept")})
    try:
        example.stdin.write(PASSWORD + "\n")
        example.stdin.flush()
        lines = Lines(example.stdout)

        def heard(*wanted):
            for what in wanted:
                lines.until(lambda line: what in line, what)

        heard("now:", "Hall light: off")
        owner.put("/api/v1/devices/hall-light/control", {"action": "on"})
        heard("Hall light: on")
        proxy.shut()
        heard("s ago:", "Hall light: on")
        owner.put("/api/v1/devices/hall-light/control", {"action": "off"})
        proxy.open()
        heard("Hall light: off")
    finally:
        example.kill()
        example.communicate()
