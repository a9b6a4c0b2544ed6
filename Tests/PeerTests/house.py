"""What the tests say to a house in one line: let a guest in, pair, open, and wait until something is so."""

import contextlib
import datetime
import hashlib
import os
import pathlib
import re
import socket
import sqlite3
import subprocess
import time

import requests


def until(condition, within, what):
    """Asks again until `condition` answers something true, and answers that; never longer than `within` seconds."""
    deadline = time.monotonic() + within
    while True:
        answer = condition()
        if answer:
            return answer
        assert time.monotonic() < deadline, f"not within {within} s: {what}"
        time.sleep(0.01)


def focused(page, part, expected, why="the keyboard is there"):
    """Waits until what has the focus shows `expected` in this part: a page draws first what came of a deed, and moves the focus after it."""
    said = lambda: page.evaluate(f"document.activeElement.{part}")  # noqa: E731
    until(lambda: re.fullmatch(expected, said() or "") if isinstance(expected, re.Pattern) else said() == expected, 5, f"{why}: {expected}")


def in_seconds(seconds):
    """A moment from now, as the wire writes it."""
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def broker(folder):
    """A broker of the household's own while it is looked at; answers its port."""
    port = free_port()
    config = folder / "mosquitto.conf"
    config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\nset_tcp_nodelay true\n")
    process = subprocess.Popen(["mosquitto", "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: listens(port), 10, "the broker is there")
        yield port
    finally:
        process.terminate()
        process.wait(10)


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
        timeout=30,
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


def pair(hub, code):
    return requests.post(hub.url + "/api/guest_access/pair", json={"pairing_code": code}, timeout=30)


def link_code(invitation):
    """The code in the link's fragment, which the guest's page reads and no server is sent."""
    return invitation["link"].split("#")[1]


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
        return requests.post(url, json={"action": action, **body}, headers=headers, timeout=40)

    def get(self, path):
        return requests.get(self.hub.url + path, headers={"Authorization": f"Bearer {self.token}"}, timeout=30)


def let_in(owner, *grants, **more):
    """Invites a guest and pairs their phone."""
    invitation = invite(owner, *grants, **more)
    answer = pair(owner.hub, invitation["pairing_code"])
    assert answer.status_code == 200, answer.text
    return Pass(owner.hub, invitation["guest_id"], answer.json()["guest_token"])


def actuations(owner, device_id="front-door"):
    """How often the virtual bolt has moved, by its own count."""
    return owner.get(f"/api/v1/devices/{device_id}").json()["attributes"]["actuations"]


# Refusals are kept too, a wrong guess is counted, the mind goes on thinking, and when it was looked for what has outlived its time is put
# down, in a new house soon after its start: these tables may grow where nothing may change.
NOTEBOOKS = {
    "audit", "audit_index", "audit_keys", "audit_checkpoints", "audit_segments", "throttles", "journal", "sqlite_sequence", "sqlite_stat1", "happenings", "mind_sheets",
    "retention",
}

# The virtual weather changes by itself.
WEATHER = ("living-climate", "living_room", "garden-temperature", "garden_temperature", "hall-motion", "hall_motion", "house-meter",
           "house_power", "house_energy")


def digests(data_dir):
    """One digest per table of the house, so that a test can say which row changed behind its back."""
    house = sqlite3.connect(f"file:{data_dir}/house.sqlite?mode=ro", uri=True, timeout=10)
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
