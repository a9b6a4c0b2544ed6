"""docs/offline.md, run line by line: with the hub away, the terminal does what the table states."""

import re

import pytest

from conftest import ROOT
from house import in_seconds
from test_command_line import UNREACHABLE, cli_binary, terminal  # noqa: F401
from test_offline import proxy, resident  # noqa: F401

# Each command's arguments, where it needs some.
ASKED = {
    "devices show": ["front-door"],
    "devices control": ["hall-light", "on"],
    "devices way-in": ["front-door"],
    "devices merge": ["front-door", "back-door", "--yes"],
    "devices replace": ["front-door", "lock.old", "--entity", "lock.front_door", "--yes"],
    "rooms show": ["Hall"],
    "rooms rename": ["Hall", "Lobby"],
    "scenes run": ["Evening"],
    "scenes make": ["Late", "hall-light:off"],
    "scenes remove": ["Evening"],
    "guests show": ["Plumber"],
    "guests suspend": ["Plumber"],
    "guests revoke": ["Plumber"],
    "history": ["garden-temperature"],
    "cameras show": ["Porch"],
    "cameras add": ["Yard", "rtsp://192.168.1.21/stream"],
    "cameras change": ["Porch", "--name", "Yard"],
    "cameras remove": ["Porch", "--yes"],
    "webhooks add": ["Bell"],
    "webhooks revoke": ["Bell"],
    "buttons add": ["Night", "hall-light:off"],
    "buttons change": ["Light", "--countdown", "3"],
    "buttons press": ["Light"],
    "buttons remove": ["Light", "--yes"],
    "buttons regenerate": ["Light"],
    "buttons key": ["Light"],
    "tags write": ["Light"],
    "tags enrol": ["Light"],
    "tags test": ["Light"],
    "tags renew": ["Mirror"],
    "tags tap": ["https://house.example/t/tag_x"],
    "tags seen": ["Mirror"],
    "tags remove": ["Mirror", "--yes"],
    "audit proof": ["1"],
    "audit export": ["audit.jsonl"],
    "privacy keep": ["events=30"],
    "privacy export": ["me.zip"],
    "privacy stop": ["job_x"],
    "privacy erase": ["Owner", "--yes"],
    "guests export": ["Plumber", "plumber.zip"],
    "guests erase": ["Plumber", "--yes"],
    "maintenance add": ["Bleed the radiators"],
    "maintenance done": ["Gutters"],
    "maintenance history": ["Filter"],
    "maintenance remove": ["Filter", "--yes"],
    "integrations check-announcement": [str(ROOT / "Tests/PeerTests/announcement.json")],
    "integrations code": ["lock.front_door"],
    "integrations home-assistant": ["http://homeassistant.local:8123"],
    "explain": ["--guest", "Plumber", "front-door", "unlock"],
    "ask": ["is anything on?"],
    "memory add": ["The boiler was serviced"],
    "interview say": ["two Hue lamps in the hall"],
    "whatif": ["--device", "hall-light", "--power", "off"],
    "twins show": ["front-door"],
    "twins make": ["hall-light", "--level", "basic"],
    "twins remove": ["front-door"],
    "automations show": ["Dusk"],
    "automations history": ["Dusk"],
    "automations add": ["Dawn", "--when", "06:00", "--do", "hall-light:off"],
    "automations on": ["Dusk"],
    "automations off": ["Dusk"],
    "automations remove": ["Noon", "--yes"],
    "automations try": ["Dusk"],
    "presence": ["home"],
    "open": ["front-door"],
    "lock": ["front-door"],
    "guests invite": ["Cleaner", "--door", "front-door", "--for", "4h"],
    "guests code": ["Plumber"],
    "guests approve": ["Plumber"],
    "guests reject": ["Plumber"],
    "guests resume": ["Plumber"],
    "guests revoke-all": ["--yes"],
    "people invite": ["Cleo"],
    "people link": ["Owner"],
    "people change": ["Owner", "--name", "Ada"],
    "people remove": ["Owner"],
    "tokens make": ["Radio", "--device", "hall-light", "--action", "on"],
    "tokens revoke": ["Radio"],
    "sessions end": ["--others"],
    "access off": ["Plumber"],
    "access on": ["Plumber"],
    "notify seen": ["--all"],
    "phones rename": ["Phone", "Tablet"],
    "phones remove": ["--all"],
    "phones reject": ["Phone"],
}


def rows():
    for line in (ROOT / "docs/offline.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 5 and cells[0] != "Screen" and not cells[0].startswith("-"):
            kind = cells[4].split(":")[0]
            for command in re.findall(r"`([^`]+)`", cells[2]):
                if command[0].islower():
                    yield command, kind


def of(kind, *left_out):
    return [command for command, how in rows() if how == kind and command not in left_out]


@pytest.fixture
def away(resident, proxy, owner):  # noqa: F811
    """The terminal after it has read everything, with the house away."""
    resident.run("scenes", "make", "Evening", "hall-light:on")
    resident.run("guests", "invite", "Plumber", "--door", "front-door", "--for", "4h")
    seen = {"source": "bell", "type": "ring", "description": "Somebody rang", "occurred_at": in_seconds(0)}
    rung = owner.post("/api/v1/events", seen)
    assert rung.status_code == 201
    ASKED["events delete"] = [rung.json()["id"], "--yes"]
    porch = {"name": "Porch", "source": {"kind": "rtsp", "url": "rtsp://192.168.1.20/stream"}}
    assert owner.post("/api/v1/cameras", porch).status_code == 201
    light = {"title": "Light", "action": {"device_id": "hall-light", "action": "on"}}
    button = owner.post("/api/v1/buttons", light).json()["button_id"]
    assert owner.post("/api/v1/tags", {"kind": "static", "button_id": button, "label": "Mirror"}).status_code == 201
    resident.run("events", "show")
    resident.run("cameras")
    resident.run("tags")
    resident.run("buttons")
    resident.run("audit")
    resident.run("privacy")
    resident.run("privacy", "retention")
    resident.run("privacy", "jobs")
    resident.run("maintenance", "add", "Filter", "--due", "2027-01-31", "--every", "monthly")
    resident.run("maintenance")
    resident.run("maintenance", "history", "Filter")
    resident.run("mood")
    resident.run("memory")
    told = owner.post("/api/v1/memory", {"type": "semantic", "content": "The bins go out on Tuesday"}).json()
    ASKED["memory show"] = [told["memory_id"]]
    ASKED["memory edit"] = [told["memory_id"], "--pin"]
    # Not the one that is changed.
    other = owner.post("/api/v1/memory", {"type": "semantic", "content": "The spare key is with Ada"}).json()
    ASKED["memory forget"] = [other["memory_id"]]
    resident.run("memory", "show", told["memory_id"])
    resident.run("interview")
    resident.run("interview", "status")
    resident.run("twins", "make", "front-door", "--level", "basic")
    resident.run("twins")
    resident.run("twins", "show", "front-door")
    resident.run("automations", "add", "Dusk", "--when", "20:00", "--do", "hall-light:on")
    resident.run("automations")
    resident.run("automations", "history", "Dusk")
    # Not the one that is switched off.
    resident.run("automations", "add", "Noon", "--when", "12:00", "--do", "hall-light:off")
    resident.run("automations")
    resident.run("tokens", "make", "Radio", "--device", "hall-light", "--action", "on")
    resident.run("tokens")
    resident.run("webhooks", "add", "Bell")
    resident.run("webhooks")
    resident.run("maintenance", "add", "Gutters")
    resident.run("maintenance")
    resident.run("maintenance", "history", "Filter")
    resident.run("phones")
    resident.run("access")
    resident.run("whatif", *ASKED["whatif"])
    resident.run("integrations", "nearby")
    resident.run("integrations", "mqtt")
    for about in ("list", "settings", "places"):
        resident.run("notify", about)
    resident.run("sync")
    resident.run("explain", *ASKED["explain"])
    proxy.shut()
    return resident


def test_commands_that_show_data_show_its_age(away):
    # `watch` runs until it is ended, and a pass is a guest's: each has its own test.
    for command in of("shown", "watch", "pass", "sync", "status"):
        answer = away.json(*command.split(), *ASKED.get(command, []))
        assert answer["stale"] and answer["as_of"], command
        assert "cannot be reached" in away.run(*command.split(), *ASKED.get(command, [])).stderr, command
    report = away.run("sync", "--json", expect=UNREACHABLE)
    assert '"reached":false' in report.stdout.replace(" ", "")
    assert "cannot be reached" in away.run("status").stderr


def test_commands_that_wait_run_once(away, proxy, owner):
    waiting = of("waits")
    for command in waiting:
        answer = away.json(*command.split(), *ASKED[command])
        assert answer["queued"], command
    queued = away.json("queue")["entries"]
    assert len(queued) == len(waiting)
    proxy.open()
    report = away.json("sync")
    assert report["sent"] == len(waiting) and report["waiting"] == report["ended"] == report["conflicts"] == 0, away.json("queue")
    assert owner.get("/api/v1/devices/hall-light").json()["entities"][0]["state"] == "on"
    assert [scene["name"] for scene in owner.get("/api/v1/scenes").json()["scenes"]] == ["Late"]
    assert {guest["name"]: guest["status"] for guest in owner.get("/api/v1/guests").json()["guests"]} == {
        "Plumber": "revoked", "Cleaner": "waiting"}
    assert "Lobby" in [room["name"] for room in owner.get("/api/v1/rooms").json()["rooms"]]
    assert {one["name"]: one["is_on"] for one in owner.get("/api/v1/automations").json()["automations"]} == {"Dusk": False}
    tasks = [task["title"] for task in owner.get("/api/v1/maintenance").json()["tasks"]]
    assert "Bleed the radiators" in tasks and not {"Filter", "Gutters"} & set(tasks)
    told = {memory["memory_id"]: memory["is_pinned"] for memory in owner.get("/api/v1/memory?limit=200").json()["memories"]}
    assert told.get(ASKED["memory edit"][0]) is True and ASKED["memory forget"][0] not in told
    assert owner.get(f"/api/v1/mobile/events/{ASKED['events delete'][0]}").status_code == 404
    levels = {twin["device_id"]: twin["fidelity_level"] for twin in owner.get("/api/v1/twins").json()["twins"]}
    assert (levels["hall-light"], levels["front-door"]) == ("basic", "advanced")
    assert not owner.get("/api/v1/auth/api-tokens").json()["tokens"] and not owner.get("/api/v1/webhooks").json()["webhooks"]
    assert owner.get("/api/v1/interview").json()["interviews"]
    # The question is sent once; its answer is shown once, marked as late, and runs nothing.
    assert [(answer["query"], bool(answer["response"])) for answer in report["answers"]] == [(ASKED["ask"][0], True)]
    assert away.json("sync")["answers"] == []
    # The house confirms the done commands, and not the refused ones.
    assert "the hall light is on" in away.run("ask", "is the hall light on?").stdout
    imagined = away.run("whatif", "--watch", "light.hall=on", "--for", "10m").stdout
    assert "Of the Hall light there would have been 0 notices; nothing that I know of tells of it now." in imagined, imagined


def test_commands_that_need_the_hub_fail_and_send_nothing(away, proxy, owner):
    before = owner.get("/api/v1/devices/front-door").json()["attributes"]["actuations"]
    # Commands that need a password or a code first are refused before they send anything.
    for command in of("no", "login", "claim", "join", "pair", "step-up"):
        answer = away.run(*command.split(), *ASKED.get(command, []), "--json", expect=UNREACHABLE)
        assert "no_connection" in answer.stderr + answer.stdout, command
    assert away.json("queue")["entries"] == []
    proxy.open()
    assert away.json("sync")["sent"] == 0
    assert owner.get("/api/v1/devices/front-door").json()["attributes"]["actuations"] == before
