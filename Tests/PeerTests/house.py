"""Short helpers for the tests: invite a guest, pair, open, and wait until a condition holds."""

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


# Seconds after which a wait gives up: a guard against hanging, which says nothing about expected speed.
LIMIT = 120


def until(condition, what):
    """Calls `condition` until its result is true and returns that; fails after `LIMIT` seconds with a message that names what it waited for."""
    deadline = time.monotonic() + LIMIT
    while not (answer := condition()):
        assert time.monotonic() < deadline, f"gave up after {LIMIT} s: {what}"
        time.sleep(0.01)
    return answer


def pause(seconds, over=None):
    """The pause of a simulated person between two actions. A test itself waits with `until`.

    Returns whether `over`, an event that ends the pause early, has been set.
    """
    return (over or threading.Event()).wait(seconds)


def focused(page, part, expected, why="the keyboard is there"):
    """Waits until the focused element shows `expected` in this property: a page draws the result of an action first, and moves the focus after it."""
    said = lambda: page.evaluate(f"document.activeElement.{part}")  # noqa: E731
    until(lambda: re.fullmatch(expected, said() or "") if isinstance(expected, re.Pattern) else said() == expected, f"{why}: {expected}")


def in_seconds(seconds):
    """A time that many seconds from now, in the wire format."""
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


# Ports below the system's ephemeral range: the system gives none of them away between the choice and its use, or while a hub restarts.
PORTS = iter(range(20_000, 32_768))
# Locks by which other processes see that a port belongs to this one, for as long as it lives.
RESERVED = []


def free_port():
    """A port without a listener that no other caller here gets."""
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
    """A running broker of the household; yields its port."""
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
    """Claims the house for the first owner; returns the tokens."""
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
    """What a phone with its own key sends with a code."""
    raw = Ed25519PrivateKey.generate().public_key().public_bytes_raw()
    return {"device_id": name, "device_public_key": base64.urlsafe_b64encode(raw).rstrip(b"=").decode()}


def link_code(invitation):
    """The code in the link's fragment, which the guest's page reads and no server receives."""
    return invitation["link"].split("#")[1]


def end(data_dir, table, identity):
    """Writes into the store of a running house that a guest's or an API token's time is over. A short validity could end before its use."""
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


# Refusals are recorded, wrong guesses and requests with an invalid pass are counted, the mind keeps thinking, the clock is
# checked once a minute, and a new house records its first retention sweep soon after its start: only these tables may change where nothing else may.
NOTEBOOKS = {
    "audit", "audit_index", "audit_keys", "audit_checkpoints", "audit_segments", "throttles", "journal", "sqlite_sequence", "sqlite_stat1", "happenings", "mind_sheets",
    "retention", "clock", "guest_looks",
}

# The virtual weather changes by itself.
WEATHER = ("living-climate", "living_room", "garden-temperature", "garden_temperature", "hall-motion", "hall_motion", "house-meter",
           "house_power", "house_energy")


def digests(data_dir):
    """One digest per table of the house, so that a test can name the rows that changed."""
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
    """The files and sockets that a process holds open, by name. A connection that closes during the look is left out."""
    held = set()
    for descriptor in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            held.add(os.readlink(descriptor))
    return held
