"""The last use of a pass opens the door once, however many requests compete for it, and a revoked pass opens nothing."""

import http.client
import json
import threading
import time

import house
import pytest

pytestmark = pytest.mark.long
HANDS = 64
ROUNDS = 30
REVOCATIONS = 5


def all_at_once(count, act):
    """Runs `act(number)` in `count` threads that start together; returns what each one got."""
    gate = threading.Barrier(count)
    answers = [None] * count

    def hand(number):
        gate.wait()
        answers[number] = act(number)

    hands = [threading.Thread(target=hand, args=(number,)) for number in range(count)]
    for thread in hands:
        thread.start()
    for thread in hands:
        thread.join()
    return answers


def told(answer):
    return answer.status_code, answer.json().get("error")


class Hand:
    """One of many concurrent callers. Each half of them has its own address, since one address gets 64 connections."""

    def __init__(self, hub, number):
        host, port = hub.url.removeprefix("http://").split(":")
        source = (f"127.0.0.{2 + number % 2}", 0)
        self.connection = http.client.HTTPConnection(host, int(port), timeout=60, source_address=source)

    def tap(self, guest, action="door.open", key=None, **body):
        """Returns status, error and body."""
        headers = {"Authorization": f"Bearer {guest.token}", "Content-Type": "application/json"}
        if key:
            headers["Idempotency-Key"] = key
        self.connection.request("POST", "/api/guest_access/action", json.dumps({"action": action, **body}), headers)
        answer = self.connection.getresponse()
        found = json.loads(answer.read())
        return answer.status, found.get("error"), found


@pytest.fixture
def hands(hub):
    hands = [Hand(hub, number) for number in range(HANDS)]
    yield hands
    for hand in hands:
        hand.connection.close()


def test_the_last_use_opens_the_door_once(owner, hands):
    """Also where the garage is requested at the same time: a use belongs to the pass, not to the door."""
    garage = {"device_id": "garage", "actions": ["garage.open", "garage.close"]}
    for number in range(ROUNDS):
        guest = house.let_in(owner, {"device_id": "front-door", "actions": ["door.open"]}, garage, max_uses=1)
        door_before, garage_before = house.actuations(owner), house.actuations(owner, "garage")
        garage_action = "garage.open" if garage_before % 2 == 0 else "garage.close"

        def act(hand, guest=guest, both=number % 5 == 4, garage_action=garage_action):
            if both and hand % 2:
                return hands[hand].tap(guest, garage_action, entity_id="cover.garage")
            return hands[hand].tap(guest, entity_id="lock.front_door")

        answers = all_at_once(HANDS, act)
        opened = [body for status, _, body in answers if status == 200]
        assert len(opened) == 1, sorted(answer[:2] for answer in answers)
        assert opened[0]["remaining_uses"] == 0
        refused = {answer[:2] for answer in answers if answer[0] != 200}
        assert refused <= {(401, "token_max_uses_exceeded"), (429, "rate_limited")}, refused
        moved = house.actuations(owner) - door_before + house.actuations(owner, "garage") - garage_before
        assert moved == 1, f"round {number}: one use moved {moved} bolts"
        assert owner.get(f"/api/v1/guests/{guest.guest_id}").json()["used_count"] == 1


def test_the_same_request_sent_64_times_opens_once(owner, hands):
    guest = house.let_in(owner, max_uses=5)
    before = house.actuations(owner)
    answers = all_at_once(HANDS, lambda hand: hands[hand].tap(guest, key="one-tap"))
    assert {answer[:2] for answer in answers} <= {(200, None), (409, "in_flight")}
    again = guest.act(key="one-tap")
    assert again.status_code == 200 and again.headers["Idempotent-Replayed"] == "true"
    assert house.actuations(owner) == before + 1
    assert owner.get(f"/api/v1/guests/{guest.guest_id}").json()["used_count"] == 1


def test_a_revoked_pass_is_refused_at_once(owner):
    for _ in range(REVOCATIONS):
        guest = house.let_in(owner, {"device_id": "hall-light", "actions": ["light.on", "light.off"]}, max_uses=0)
        stop = threading.Event()
        seen = []

        def keep_tapping(guest=guest, stop=stop, seen=seen):
            while not stop.is_set():
                asked = time.monotonic()
                seen.append((asked, told(guest.act("light.on"))))

        tapping = threading.Thread(target=keep_tapping, daemon=True)
        tapping.start()
        house.until(lambda: any(answer == (200, None) for _, answer in seen), "a pass that works")
        assert owner.post(f"/api/v1/guests/{guest.guest_id}/revoke").status_code == 200
        answered = time.monotonic()
        house.until(lambda: seen[-1][1] == (401, "token_revoked"), "a revoked pass is refused")
        stop.set()
        tapping.join()
        late = [answer for asked, answer in seen if asked > answered and answer != (401, "token_revoked")]
        assert not late, f"after the revocation was acknowledged: {late}"
        assert guest.get("/api/guest_access/states").status_code == 401
