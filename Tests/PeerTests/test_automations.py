"""Automations in a running house: the last person leaves, the door locks, and the author is notified."""

import house

PATH = "/api/v1/automations"
OUT = {
    "name": "Everybody out",
    "triggers": [{"type": "presence", "change": "last_leaves"}],
    "actions": [
        {"type": "control", "device_id": "front-door", "action": "lock"},
        {"type": "notify", "words": "Everybody has left. The front door is locked."},
    ],
}


def test_the_door_locks_when_the_last_person_leaves_and_the_author_is_notified(hub, owner):
    assert owner.put("/api/v1/devices/front-door/control", {"action": "unlock"}).ok
    made = owner.post(PATH, OUT)
    assert made.status_code == 201, made.text
    one = f"{PATH}/{made.json()['automation_id']}"
    assert owner.put("/api/v1/people/me/presence", {"is_home": True}).ok
    assert owner.put("/api/v1/people/me/presence", {"is_home": False}).ok

    (run,) = house.until(lambda: [one for one in owner.get(one + "/history").json()["runs"] if len(one["outcomes"]) == 2], "it has run")
    assert run["result"] == "ran" and [outcome["status"] for outcome in run["outcomes"]] == ["confirmed", "told"], run
    assert owner.get("/api/v1/devices/front-door").json()["entities"][0]["state"] == "locked"
    (notice,) = house.until(lambda: [one for one in owner.get("/api/v1/notices").json()["notices"] if one["kind"] == "automation"], "it is told")
    assert notice["words"] == OUT["actions"][1]["words"]
    tried = owner.post(one + "/dry-run", {"days": 1}).json()
    assert tried["total"] == 1 and tried["runs"][0]["event"] == run["event"]


def test_a_door_that_stays_open_is_locked_after_its_delay(hub, owner):
    made = owner.post(PATH, {
        "name": "Left open", "triggers": [{"type": "state", "entity_id": "lock.front_door", "to": "unlocked", "for_seconds": 2}],
        "actions": [{"type": "control", "device_id": "front-door", "action": "lock"}],
    })
    assert made.status_code == 201, made.text
    assert owner.put("/api/v1/devices/front-door/control", {"action": "unlock"}).ok
    house.until(lambda: owner.get("/api/v1/devices/front-door").json()["entities"][0]["state"] == "locked", "the door is locked")
