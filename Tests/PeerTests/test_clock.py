"""A clock set back, as a guest, a resident and the administrator meet it. The house's last trusted time is set an hour ahead while the hub is off."""

import json
import os
import re
import sqlite3
import subprocess

import house
from conftest import PASSWORD, Owner
from test_error_table import expect


def clock(hub_binary, folder, *words):
    # Without a locale: months are words all the same.
    env = {**os.environ, "LC_ALL": "C"}
    return subprocess.run([str(hub_binary), "clock", "--data", str(folder), *words], capture_output=True, text=True, timeout=60, env=env)


def ahead(folder, seconds):
    with sqlite3.connect(folder / "house.sqlite") as database:
        assert database.execute("UPDATE clock SET sure_at = sure_at + ?1, looked_at = looked_at + ?1", (seconds * 1000,)).rowcount == 1
    database.close()


def check(hub_binary, folder):
    return json.loads(subprocess.run([str(hub_binary), "check", "--data", str(folder), "--json"], capture_output=True, text=True, timeout=60).stdout)


def test_passes_are_refused_while_the_clock_is_behind_until_it_is_trusted(start_hub, hub_binary, tmp_path):
    folder = tmp_path / "house"
    hub = start_hub(folder, "--virtual-house")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    guest = house.let_in(owner)
    waiting = house.invite(owner)
    hub.stop()
    assert check(hub_binary, folder).get("clock_problem") is None
    ahead(folder, 3600)
    said = check(hub_binary, folder)
    # The last trusted time is as long ago as stopping the hub and this call took.
    assert said["ok"] and re.search("(1 hour|5[0-9] minutes) behind", said["clock_problem"]), said

    hub = start_hub(folder, "--virtual-house")
    guest.hub = owner.hub = hub
    expect(guest.act(), 503, "clock_behind")
    expect(house.pair(hub, waiting["pairing_code"]), 503, "clock_behind")
    assert owner.put("/api/v1/devices/front-door/control", {"action": "unlock"}).status_code == 200
    told = lambda: any("clock went back" in (one.get("words") or "") for one in owner.get("/api/v1/notices").json()["notices"])  # noqa: E731
    house.until(told, "the owner is told")

    # While the hub runs; without `--trust` the command only reports.
    asked = clock(hub_binary, folder)
    assert asked.returncode != 0 and "--trust" in asked.stderr
    told = clock(hub_binary, folder, "--trust")
    assert told.returncode == 0 and re.match(r"The clock is confirmed: \d+ [A-Z][a-z]+ \d{4}, ", told.stdout), told
    assert guest.act().status_code == 200
    hub.stop()
    # And while it is stopped.
    ahead(folder, 86_400)
    assert "behind" in check(hub_binary, folder)["clock_problem"]
    assert clock(hub_binary, folder, "--trust").returncode == 0
    assert check(hub_binary, folder).get("clock_problem") is None
    assert "no house" in clock(hub_binary, tmp_path / "nowhere", "--trust").stderr


def test_a_pass_expires_by_the_clock_the_test_moves(start_hub, moved_clock, tmp_path):
    hub = start_hub(tmp_path / "house", "--virtual-house", besides=moved_clock.environment)
    owner = Owner(hub, house.claim(hub, PASSWORD))
    guest = house.let_in(owner, expires=1800)
    assert guest.act().status_code == 200
    moved_clock.ahead(1801)
    expect(guest.act(), 401, "token_expired", "invalid_token")
    assert owner.get(f"/api/v1/guests/{guest.guest_id}").json()["status"] == "expired"
