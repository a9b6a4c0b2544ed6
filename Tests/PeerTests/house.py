"""What the tests say to a house in one line: let a guest in, pair, open, and wait until something is so."""

import base64
import contextlib
import datetime
import hashlib
import os
import pathlib
import re
import socket
import sqlite3
import subprocess
import threading
import time

import requests
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


# Seconds after which a wait gives up: a guard against hanging, which says nothing of how fast anything should be.
LIMIT = 120


def until(condition, what):
    """Asks again until `condition` answers something true, and returns that; fails after `LIMIT` seconds, saying what it waited for."""
    deadline = time.monotonic() + LIMIT
    while not (answer := condition()):
        assert time.monotonic() < deadline, f"gave up after {LIMIT} s: {what}"
        time.sleep(0.01)
    return answer


def pause(seconds, over=None):
    """The time that somebody takes whom a test plays, between two of their turns: a test itself waits with `until`.

    Returns whether `over`, an event that ends it early, has been set.
    """
    return (over or threading.Event()).wait(seconds)


def focused(page, part, expected, why="the keyboard is there"):
    """Waits until what has the focus shows `expected` in this part: a page draws first what came of a deed, and moves the focus after it."""
    said = lambda: page.evaluate(f"document.activeElement.{part}")  # noqa: E731
    until(lambda: re.fullmatch(expected, said() or "") if isinstance(expected, re.Pattern) else said() == expected, f"{why}: {expected}")


def in_seconds(seconds):
    """A moment from now, as the wire writes it."""
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


# Ports below those that the system hands out by itself: nobody is given one of them between its choice and its use, or while a hub restarts.
PORTS = iter(range(20_000, 32_768))
# What other processes see of the ports that are this one's, for as long as it lives.
RESERVED = []


def free_port():
    """A port at which nobody listens, and that nobody else who asks here is given."""
    for port in PORTS:
        reservation = socket.socket(socket.AF_UNIX)
        try:
            reservation.bind(f"\0cardea-test-port-{port}")
            with socket.socket() as listener:
                listener.bind(("127.0.0.1", port))
        except OSError:
            reservation.close()
            continue
        RESERVED.append(reservation)
        return port
    raise RuntimeError("no port is free")


@contextlib.contextmanager
def broker(folder):
    """A broker of the household's own while it is looked at; answers its port."""
    port = free_port()
    config = folder / "mosquitto.conf"
    config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\nset_tcp_nodelay true\n")
    process = subprocess.Popen(["mosquitto", "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: process.poll() is not None or listens(port), "the broker is there")
        assert process.poll() is None, f"the broker ended with {process.returncode}"
        yield port
    finally:
        process.terminate()
        process.wait(60)


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def claim(hub, password):
    """The first owner moves in; answers the tokens of the claim."""
    answer = requests.post(
        hub.url + "/api/v1/claim",
        json={
            "claim_token": hub.claim_url.split("#")[1].split("&")[0],
            "username": "owner",
            "password": password,
            "house_name": "Linden Street 14",
            "time_zone": "Europe/Berlin",
            "name": "Owner",
        },
        timeout=60,
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


def draft(*grants, name="Plumber", expires=3600, max_uses=2, **more):
    """The body of an invitation; the front door where no grant is named."""
    grants = grants or ({"device_id": "front-door", "actions": ["door.open"]},)
    return {"name": name, "grants": list(grants), "expires_at": in_seconds(expires), "max_uses": max_uses, **more}


def invite(owner, *grants, **more):
    answer = owner.post("/api/v1/guests", draft(*grants, **more))
    assert answer.status_code == 201, answer.text
    return answer.json()


def pair(hub, code, **more):
    return requests.post(hub.url + "/api/guest_access/pair", json={"pairing_code": code, **more}, timeout=60)


def phone_key(name):
    """What a phone with a key of its own sends with a code."""
    raw = Ed25519PrivateKey.generate().public_key().public_bytes_raw()
    return {"device_id": name, "device_public_key": base64.urlsafe_b64encode(raw).rstrip(b"=").decode()}


def link_code(invitation):
    """The code in the link's fragment, which the guest's page reads and no server is sent."""
    return invitation["link"].split("#")[1]


def end(data_dir, table, identity):
    """Writes into the store of a running house that the time of a guest, or of a program's token, is over: a short one could end before its use."""
    with contextlib.closing(sqlite3.connect(f"{data_dir}/house.sqlite", timeout=60)) as database, database:
        assert database.execute(f"UPDATE {table} SET expires_at = created_at WHERE id = ?", (identity,)).rowcount == 1, f"{identity} is not in {table}"


class Pass:
    """A guest's phone with a pass on it."""

    def __init__(self, hub, guest_id, token):
        self.hub = hub
        self.guest_id = guest_id
        self.token = token

    def act(self, action="door.open", key=None, **body):
        headers = {"Authorization": f"Bearer {self.token}"}
        if key:
            headers["Idempotency-Key"] = key
        url = self.hub.url + "/api/guest_access/action"
        return requests.post(url, json={"action": action, **body}, headers=headers, timeout=60)

    def get(self, path):
        return requests.get(self.hub.url + path, headers={"Authorization": f"Bearer {self.token}"}, timeout=60)


def let_in(owner, *grants, **more):
    """Invites a guest and pairs their phone."""
    invitation = invite(owner, *grants, **more)
    answer = pair(owner.hub, invitation["pairing_code"])
    assert answer.status_code == 200, answer.text
    return Pass(owner.hub, invitation["guest_id"], answer.json()["guest_token"])


def actuations(owner, device_id="front-door"):
    """How often the virtual bolt has moved, by its own count."""
    return owner.get(f"/api/v1/devices/{device_id}").json()["attributes"]["actuations"]


# Refusals are kept too, a wrong guess is counted, so is a look with a pass that is not good now, the mind goes on thinking, the clock is
# looked at once a minute, and when it was looked for what has outlived its time is put down, in a new house soon after its start: these tables may change where nothing else may.
NOTEBOOKS = {
    "audit", "audit_index", "audit_keys", "audit_checkpoints", "audit_segments", "throttles", "journal", "sqlite_sequence", "sqlite_stat1", "happenings", "mind_sheets",
    "retention", "clock", "guest_looks",
}

# The virtual weather changes by itself.
WEATHER = ("living-climate", "living_room", "garden-temperature", "garden_temperature", "hall-motion", "hall_motion", "house-meter",
           "house_power", "house_energy")


def digests(data_dir):
    """One digest per table of the house, so that a test can say which row changed behind its back."""
    house = sqlite3.connect(f"file:{data_dir}/house.sqlite?mode=ro", uri=True, timeout=60)
    try:
        house.execute("BEGIN")
        tables = [row[0] for row in house.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name")]
        found = {}
        for table in tables:
            if table in NOTEBOOKS:
                continue
            rows = sorted(repr(row) for row in house.execute(f'SELECT * FROM "{table}"'))
            if table in ("devices", "entities", "readings"):
                rows = [row for row in rows if not any(word in row for word in WEATHER)]
            found[table] = hashlib.sha256("\n".join(rows).encode()).hexdigest()
        return found
    finally:
        house.close()


def open_files(pid):
    """What a process holds open, by name. A line that is closed while we look is no longer held."""
    held = set()
    for descriptor in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            held.add(os.readlink(descriptor))
    return held
