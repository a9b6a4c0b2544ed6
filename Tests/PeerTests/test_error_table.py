"""The guest's error table (Seed 000, docs/protocol.md) in practice: each code's status, its format, and whether the use counts."""

import contextlib
import datetime
import sqlite3
import threading
import zoneinfo

import house
import pytest
import requests
from conftest import PASSWORD, Owner

HUB_ARGS = ("--trusted-proxy", "127.0.0.1")
LIGHTS = [{"device_id": "hall-light", "actions": ["light.on"]}, {"device_id": "study-light", "actions": ["light.on"]}]


@pytest.fixture(scope="module")
def owner(module_owner):
    return module_owner


def expect(answer, status, code, challenge=None):
    """Compares an answer with the contract's format; returns its body."""
    body = answer.json()
    assert (answer.status_code, body.get("error")) == (status, code), answer.text
    assert body["success"] is False and body["message"] and isinstance(body["message"], str)
    assert answer.headers["X-Request-Id"] and answer.headers["Content-Type"] == "application/json"
    if status == 401:
        error = f', error="{challenge}"' if challenge else ""
        assert answer.headers["WWW-Authenticate"] == f'Bearer realm="cardea"{error}'
    if status in (429, 503):
        assert int(answer.headers["Retry-After"]) >= 1
    return body


def used(owner, guest):
    return owner.get(f"/api/v1/guests/{guest.guest_id}").json()["used_count"]


def last_reason(owner, guest):
    """Why the newest entry of the guest's history was refused: every attempt is recorded."""
    history = owner.get(f"/api/v1/guests/{guest.guest_id}").json()["history"]
    return history[0]["result"], history[0].get("reason")


def fault(owner, device_id, kind):
    answer = owner.post("/api/v1/integrations/virtual/faults", {"device_id": device_id, "fault": kind})
    assert answer.status_code in (200, 204), answer.text


@pytest.fixture
def faulty(owner):
    """Injects a fault into a device, and removes it after the test."""
    made = []

    def make(device_id, kind):
        made.append(device_id)
        fault(owner, device_id, kind)

    yield make
    for device_id in made:
        fault(owner, device_id, "none")


# Callers


def test_without_a_token(owner):
    answer = requests.post(owner.hub.url + "/api/guest_access/action", json={"action": "door.open"}, timeout=60)
    expect(answer, 401, "missing_bearer_token")


def test_with_an_unknown_token(owner):
    expect(house.Pass(owner.hub, "", "cardea_gp_" + "A" * 43).act(), 401, "unauthorized", "invalid_token")


def test_an_access_token_is_not_a_pass(owner):
    expect(house.Pass(owner.hub, "", owner.token).act(), 401, "unauthorized", "invalid_token")


def test_a_pass_is_not_an_access_token(owner):
    guest = house.let_in(owner)
    answer = guest.get("/api/v1/devices")
    assert answer.status_code == 401 and answer.json()["error"]["code"] == "unauthorized"


def test_an_expired_pass(owner):
    guest = house.let_in(owner)
    house.end(owner.hub.data, "guests", guest.guest_id)
    expect(guest.act("door.open", entity_id="light.other"), 401, "token_expired", "invalid_token")
    body = expect(guest.act(), 401, "token_expired", "invalid_token")
    assert isinstance(body["expires_at"], int)
    expect(guest.get("/api/guest_access/states"), 401, "token_expired", "invalid_token")
    shown = guest.get("/api/guest_access/pass")
    assert shown.status_code == 200 and shown.json()["status"] == "expired"
    assert last_reason(owner, guest) == ("refused", "expired")


def test_a_pass_that_is_not_valid_yet(owner):
    guest = house.let_in(owner, starts_at=house.in_seconds(600))
    body = expect(guest.act(), 401, "token_not_yet_valid", "invalid_token")
    assert isinstance(body["starts_at"], int)
    assert used(owner, guest) == 0


def test_a_revoked_pass(owner):
    guest = house.let_in(owner)
    owner.post(f"/api/v1/guests/{guest.guest_id}/revoke")
    expect(guest.act(), 401, "token_revoked", "invalid_token")
    assert last_reason(owner, guest) == ("refused", "revoked")
    answer = requests.post(owner.hub.url + "/api/guest_access/token/validate", json={"guest_token": guest.token}, timeout=60)
    expect(answer, 401, "token_revoked", "invalid_token")


def test_a_pass_on_another_phone(owner):
    guest = house.let_in(owner)
    code = owner.post(f"/api/v1/guests/{guest.guest_id}/code").json()["pairing_code"]
    assert house.pair(owner.hub, code).status_code == 200
    expect(guest.act(), 401, "token_revoked", "invalid_token")


def test_a_pass_without_uses_left(owner):
    guest = house.let_in(owner, {"device_id": "hall-light", "actions": ["light.on"]}, max_uses=1)
    assert guest.act("light.on").json()["remaining_uses"] == 0
    body = expect(guest.act("light.on"), 401, "token_max_uses_exceeded", "invalid_token")
    assert (body["max_uses"], body["used_count"], body["remaining_uses"]) == (1, 1, 0)


def test_a_pass_without_a_use_limit_reports_minus_one(owner):
    guest = house.let_in(owner, {"device_id": "hall-light", "actions": ["light.on"]}, max_uses=0)
    assert [guest.act("light.on").json()["remaining_uses"] for _ in range(3)] == [-1, -1, -1]


# Requests


def test_an_action_outside_the_pass(owner):
    guest = house.let_in(owner)
    expect(guest.act("door.lock"), 403, "action_not_allowed")
    assert used(owner, guest) == 0 and last_reason(owner, guest) == ("refused", "action_not_allowed")


def test_an_action_of_another_device_kind(owner):
    guest = house.let_in(owner)
    expect(guest.act("light.on"), 403, "scope_mismatch")
    expect(guest.act("garage.open", entity_id="lock.front_door"), 403, "scope_mismatch")
    assert used(owner, guest) == 0


def test_a_door_outside_the_pass(owner):
    guest = house.let_in(owner)
    expect(guest.act("garage.open", entity_id="cover.garage"), 403, "entity_not_in_scope")
    expect(guest.act("door.open", entity_id="lock.nowhere"), 403, "entity_not_in_scope")
    assert used(owner, guest) == 0


def test_a_pass_for_several_devices_needs_an_entity(owner):
    guest = house.let_in(owner, *LIGHTS)
    expect(guest.act("light.on"), 400, "entity_required")
    assert used(owner, guest) == 0
    assert guest.act("light.on", entity_id="light.study").json()["entity_id"] == "light.study"
    assert used(owner, guest) == 1


def test_a_read_only_device(owner):
    guest = house.let_in(owner, {"device_id": "garden-temperature", "actions": ["sensor.read"]})
    answer = guest.act("sensor.read")
    assert answer.status_code == 200 and answer.json()["state"]
    expect(guest.act("light.on", entity_id="sensor.garden_temperature"), 400, "read_only_entity")
    assert used(owner, guest) == 0, "looking costs nothing"


UNSPOKEN = ["door.fly", "open", "door", "door.", ".open", "door.open.now", "DOOR.OPEN", "switch.toggle", "house.open"]


@pytest.mark.parametrize("action", UNSPOKEN)
def test_an_unknown_action(owner, action):
    guest = house.let_in(owner)
    expect(guest.act(action), 400, "unsupported_action")
    assert used(owner, guest) == 0


def test_an_action_that_is_not_a_string(owner):
    guest = house.let_in(owner)
    for action in ("", 1, None, ["door.open"]):
        expect(guest.act(action), 400, "invalid_action")


def test_an_invalid_value(owner):
    guest = house.let_in(owner, {"device_id": "hall-light", "actions": ["light.set_brightness"]})
    for value in ("bright", True, {}):
        expect(guest.act("light.set_brightness", brightness_pct=value), 400, "invalid_value")
    assert used(owner, guest) == 0
    assert guest.act("light.set_brightness", brightness_pct=500).status_code == 200, "the contract clamps what is too much"


# Time and place


def test_outside_the_hours_of_the_pass(owner):
    days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    today = datetime.datetime.now(zoneinfo.ZoneInfo("Europe/Berlin")).weekday()
    hours = {"days": [days[(today + 3) % 7]], "from": "14:00", "to": "18:00"}
    guest = house.let_in(owner, schedule=hours, expires=30 * 86_400)
    body = expect(guest.act(), 403, "outside_schedule")
    opening = datetime.datetime.fromtimestamp(body["next_opening"], zoneinfo.ZoneInfo("Europe/Berlin"))
    assert (opening.weekday(), opening.hour, opening.minute) == ((today + 3) % 7, 14, 0)
    assert used(owner, guest) == 0


def test_a_suspended_pass(owner):
    guest = house.let_in(owner, {"device_id": "hall-light", "actions": ["light.on"]})
    owner.post(f"/api/v1/guests/{guest.guest_id}/suspend")
    expect(guest.act("light.on"), 403, "pass_suspended")
    owner.post(f"/api/v1/guests/{guest.guest_id}/resume")
    assert guest.act("light.on").status_code == 200


def test_a_pass_for_the_house_s_own_network(owner):
    invitation = house.invite(owner, {"device_id": "hall-light", "actions": ["light.on"]}, local_only=True)

    def ask(path, body, forwarded, **more):
        headers = {**more, **({"X-Forwarded-For": forwarded} if forwarded else {})}
        return requests.post(owner.hub.url + "/api/guest_access" + path, json=body, headers=headers, timeout=60)

    code = {"pairing_code": house.link_code(invitation)}
    expect(ask("/pair", code, "8.8.8.8"), 403, "forbidden_remote")
    token = {"Authorization": "Bearer " + ask("/pair", code, "192.168.1.20").json()["guest_token"]}
    # The trusted proxy gives the caller's address; without one the caller is not at home.
    for forwarded in ("8.8.8.8", "192.168.1.1, 8.8.8.8", "2001:4860:4860::8888", None):
        expect(ask("/action", {"action": "light.on"}, forwarded, **token), 403, "forbidden_remote")
    assert ask("/action", {"action": "light.on"}, "192.168.1.20", **token).status_code == 200


def test_a_device_no_longer_open_to_guests(owner):
    guest = house.let_in(owner, {"device_id": "study-light", "actions": ["light.on"]})
    owner.call("PATCH", "/api/v1/devices/study-light", {"is_guest_accessible": False})
    try:
        expect(guest.act("light.on"), 403, "not_guest_accessible")
        assert guest.get("/api/guest_access/states").json()["entities"] == []
    finally:
        owner.call("PATCH", "/api/v1/devices/study-light", {"is_guest_accessible": True})
    assert guest.act("light.on").status_code == 200


# Codes and approvals


def test_an_unknown_code_and_a_used_code(owner):
    expect(house.pair(owner.hub, "AAAAAAAAAA"), 400, "pairing_code_invalid")
    expect(house.pair(owner.hub, ""), 400, "invalid_pairing_code")
    code = house.invite(owner)["pairing_code"]
    assert house.pair(owner.hub, code).status_code == 200
    expect(house.pair(owner.hub, code), 400, "pairing_code_invalid")


def test_a_code_of_an_expired_pass(owner):
    invitation = house.invite(owner)
    house.end(owner.hub.data, "guests", invitation["guest_id"])
    assert owner.get(f"/api/v1/guests/{invitation['guest_id']}").json()["status"] == "expired"
    for code in (invitation["pairing_code"], house.link_code(invitation)):
        expect(house.pair(owner.hub, code), 410, "pass_expired")


def test_a_code_of_a_revoked_pass(owner):
    invitation = house.invite(owner)
    owner.post(f"/api/v1/guests/{invitation['guest_id']}/revoke")
    expect(house.pair(owner.hub, invitation["pairing_code"]), 401, "token_revoked", "invalid_token")


def test_a_phone_waits_for_approval(owner):
    invitation = house.invite(owner, requires_approval=True)
    waiting = house.pair(owner.hub, invitation["pairing_code"])
    body = waiting.json()
    assert waiting.status_code == 202 and (body["success"], body["status"]) == (False, "pending_approval"), waiting.text
    assert body["retry_after"] == int(waiting.headers["Retry-After"]) and isinstance(body["expires_at"], int)
    [ask] = [ask for ask in owner.get("/api/v1/asks").json()["asks"] if ask["guest_id"] == invitation["guest_id"]]
    assert ask["number"] == body["number"] and ask["is_second_phone"] is False
    # Another phone with the same code, before and after the approval.
    expect(house.pair(owner.hub, invitation["pairing_code"]), 403, "other_phone_asked")
    assert owner.post(f"/api/v1/guests/{invitation['guest_id']}/approve", {"number": body["number"]}).status_code == 200
    expect(house.pair(owner.hub, invitation["pairing_code"]), 403, "other_phone_asked")
    assert house.pair(owner.hub, invitation["pairing_code"], claim_secret=body["claim_secret"]).status_code == 200


def test_two_phones_ask_for_one_pass(owner):
    invitation = house.invite(owner, requires_approval=True)
    numbers = [house.pair(owner.hub, invitation["pairing_code"], **house.phone_key(name)).json()["number"] for name in ("first", "second")]
    several = owner.post(f"/api/v1/guests/{invitation['guest_id']}/approve")
    assert several.status_code == 409 and several.json()["error"]["code"] == "several_phones", several.text
    assert several.json()["error"]["details"]["numbers"] == numbers
    assert owner.post(f"/api/v1/guests/{invitation['guest_id']}/reject", {"number": numbers[0]}).status_code == 200
    assert owner.post(f"/api/v1/guests/{invitation['guest_id']}/approve").status_code == 200


def test_a_phone_that_the_owner_rejects(owner):
    invitation = house.invite(owner, requires_approval=True)
    assert house.pair(owner.hub, invitation["pairing_code"]).status_code == 202
    assert owner.post(f"/api/v1/guests/{invitation['guest_id']}/reject").status_code == 200
    expect(house.pair(owner.hub, invitation["pairing_code"]), 403, "pairing_rejected")


@pytest.mark.parametrize("answer", ["approve", "reject"])
def test_a_pass_with_approval_for_each_use(owner, answer):
    guest = house.let_in(owner, ask_each_time=True)
    before = house.actuations(owner)
    waiting = guest.act(key=f"ask-{answer}")
    assert waiting.status_code == 202 and waiting.json()["status"] == "pending_approval", waiting.text
    ask = next(ask for ask in owner.get("/api/v1/asks").json()["asks"] if ask["guest_id"] == guest.guest_id)
    assert ask["kind"] == "command" and house.actuations(owner) == before
    assert owner.post(f"/api/v1/commands/{ask['command_id']}/{answer}").status_code == 200
    [final] = house.until(lambda: _ended(guest.act(key=f"ask-{answer}")), "the door's answer")
    if answer == "approve":
        assert final.status_code == 200 and house.actuations(owner) == before + 1
    else:
        expect(final, 403, "approval_rejected")
        assert house.actuations(owner) == before and used(owner, guest) == 0


def _ended(answer):
    return [answer] if answer.status_code not in (202, 409) else None


# Repeated requests


def test_an_idempotency_key_reused_for_another_request(owner):
    guest = house.let_in(owner, *LIGHTS)
    assert guest.act("light.on", key="again", entity_id="light.study").status_code == 200
    expect(guest.act("light.on", key="again", entity_id="light.hall"), 422, "idempotency_key_reused")
    assert used(owner, guest) == 1


def is_open(owner, guest):
    """Whether a command of this guest is still running."""
    with contextlib.closing(sqlite3.connect(f"file:{owner.hub.data}/house.sqlite?mode=ro", uri=True, timeout=60)) as database:
        return database.execute("SELECT 1 FROM commands WHERE guest_id = ? AND finished_at IS NULL", (guest.guest_id,)).fetchone() is not None


def asked_meanwhile(owner):
    """The answers to a guest who repeats a command, with its key and with another one, while a silent lock is waited for. None where
    the wait was over before they came."""
    guest = house.let_in(owner)
    opening = threading.Thread(target=guest.act, kwargs={"key": "slow"})
    opening.start()
    house.until(lambda: used(owner, guest) == 1, "the door is asked to open")
    answers = guest.act(key="slow"), guest.act()
    was_open = is_open(owner, guest)
    opening.join()
    assert not was_open or used(owner, guest) == 1
    return answers if was_open else None


def test_the_same_command_while_it_is_running(owner, faulty):
    faulty("front-door", "silent")
    same, another = house.until(lambda: asked_meanwhile(owner), "both were answered while the lock was waited for")
    expect(same, 409, "in_flight")
    expect(another, 429, "rate_limited")


def test_another_guests_command_waits_in_the_queue(owner):
    guest, other = house.let_in(owner), house.let_in(owner)
    opening = threading.Thread(target=guest.act)
    opening.start()
    house.until(lambda: used(owner, guest) == 1, "the door is being opened")
    assert other.act().status_code == 200
    opening.join()
    assert used(owner, guest) == 1


# Devices


def test_a_jammed_lock_returns_the_use(owner, faulty):
    guest = house.let_in(owner)
    faulty("front-door", "jam")
    body = expect(guest.act(), 500, "action_execution_failed")
    assert (body["reason"], body["use_returned"], body["remaining_uses"]) == ("jammed", True, 2)
    assert used(owner, guest) == 0


def test_a_silent_lock_keeps_the_use(owner, faulty):
    guest = house.let_in(owner)
    faulty("front-door", "silent")
    answer = guest.act(key="silent")
    body = expect(answer, 504, "outcome_unknown")
    assert body["success"] is False and body["remaining_uses"] == 1 and not body.get("use_returned")
    assert used(owner, guest) == 1
    again = guest.act(key="silent")
    assert expect(again, 504, "outcome_unknown")["command_id"] == body["command_id"] and used(owner, guest) == 1


def test_an_unreachable_lock_returns_the_use(owner, faulty):
    guest = house.let_in(owner)
    faulty("front-door", "unreachable")
    expect(guest.act(), 503, "device_unreachable")
    assert used(owner, guest) == 0


# Time and restarts


def test_an_expired_code(start_hub, tmp_path):
    """The code's time is moved back by five minutes while the hub is off."""
    hub = start_hub(tmp_path / "house", "--virtual-house")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    invitation = house.invite(owner)
    hub.stop()
    with sqlite3.connect(tmp_path / "house/house.sqlite") as database:
        assert database.execute("UPDATE guest_codes SET expires_at = expires_at - 300000 WHERE kind = 'spoken'").rowcount == 1
    database.close()
    hub = start_hub(tmp_path / "house", "--virtual-house")
    expect(house.pair(hub, invitation["pairing_code"]), 410, "pairing_code_expired")
    assert house.pair(hub, house.link_code(invitation)).status_code == 200, "the link is good until it is redeemed or the pass ends"


def test_a_pass_survives_a_power_cut_and_waits_for_its_device(start_hub, tmp_path):
    hub = start_hub(tmp_path / "house", "--virtual-house")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    invitation = house.invite(owner)
    guest = house.let_in(owner)
    hub.kill()
    hub = start_hub(tmp_path / "house")
    guest.hub = owner.hub = hub
    expect(guest.act(), 503, "integration_not_ready")
    assert house.pair(hub, invitation["pairing_code"]).status_code == 200, "pairing survives a restart"
    assert used(owner, guest) == 0
    hub.kill()
    guest.hub = start_hub(tmp_path / "house", "--virtual-house")
    assert guest.act().status_code == 200
