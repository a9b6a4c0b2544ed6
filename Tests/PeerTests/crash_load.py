"""The people of a busy house: each asks, and asks again under the same name until they know what became of it.

They live through every power cut; what they were told is the acknowledged truth that the house is held to.
"""

import http.client
import itertools
import json
import random
import threading
import time
import traceback
import urllib.parse

import house

# What an answer means for whoever waits for it.
CONFIRMED, FAILED, UNKNOWN = "confirmed", "failed", "unknown"


class Wire:
    """One caller's connection, opened again whenever the house has lost power."""

    def __init__(self, house_at):
        self.place = urllib.parse.urlsplit(house_at)
        self.connection = None

    def ask(self, method, path, body, headers):
        """Answers (status, body, headers), or None where the answer was lost."""
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection(self.place.hostname, self.place.port, timeout=60)
            self.connection.request(method, path, json.dumps(body), {"Content-Type": "application/json", **headers})
            answer = self.connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null"), answer.headers
        except (OSError, http.client.HTTPException, ValueError):
            if self.connection:
                self.connection.close()
            self.connection = None
            return None


class Intent:
    """Something somebody wanted done once."""

    def __init__(self, lock, action, key):
        self.lock, self.action, self.key = lock, action, key
        self.begun = time.monotonic_ns()
        self.outcome = self.command_id = self.told = None
        self.tries = 0

    def __repr__(self):
        return f"{self.action} at lock {self.lock}: {self.outcome} after {self.tries} tries, command {self.command_id}"


class Load:
    """Everybody who asks, and everything they were told."""

    def __init__(self, url, owner_token, password, doors, seed, keyed=True):
        self.url, self.password, self.doors, self.seed, self.keyed = url, password, doors, seed, keyed
        self.owner = {"Authorization": f"Bearer {owner_token}"}
        self.powered = threading.Event()
        self.over = threading.Event()
        self.intents = []
        self.guests = {}  # guest_id -> what was acknowledged last: "invited" or "revoked"
        self.names = set()
        self.passes = []
        self.renewals = {}  # refresh token -> the successors that it was answered with
        self.faults = []
        self.threads = []
        self.numbers = itertools.count()

    def start(self, *bodies):
        for number, body in enumerate(bodies):
            dice = random.Random(f"{self.seed}/{number}/{body.__qualname__ if hasattr(body, '__qualname__') else number}")
            self.threads.append(threading.Thread(target=self.live, args=(body, dice), daemon=True))
        for thread in self.threads:
            thread.start()

    def live(self, body, dice):
        wire = Wire(self.url)
        try:
            while not self.over.is_set():
                body(wire, dice)
        except Exception:  # A caller that dies quietly would make the test easier than it says.
            self.faults.append(traceback.format_exc())

    def everything(self):
        """What was asked of doors, by whomever."""
        return [*self.intents, *(intent for visit in list(self.passes) for intent in list(visit.intents))]

    def answered(self):
        """How many of these know what became of them."""
        return sum(intent.told is not None for intent in self.everything())

    def finish(self):
        """Nobody begins anything new; everybody learns what became of the last thing they asked."""
        self.over.set()
        for thread in self.threads:
            thread.join(house.LIMIT)
            assert not thread.is_alive(), "somebody never learnt what became of their request"
        assert not self.faults, "\n".join(self.faults[:3])

    def ask(self, wire, method, path, body, headers):
        """The same as the wire's. The owner who is asked who they are says it, and has no answer yet: whoever lets people in for longer than five
        minutes says it once more."""
        answer = wire.ask(method, path, body, headers)
        if not answer or answer[0] != 403 or answer[1]["error"]["code"] != "step_up_required":
            return answer
        wire.ask("POST", "/api/v1/auth/step-up", {"password": self.password}, self.owner)
        return None

    def insist(self, wire, method, path, body, headers, settled):
        """Asks until `settled` knows what an answer means; with the same Idempotency-Key every time, unless dedupe is off.

        Without a key every try is a new command, so one that failed is tried again too: just after a start most doors are not there yet.
        """
        if not self.keyed:
            headers = {name: value for name, value in headers.items() if name != "Idempotency-Key"}
        tries = 0
        while True:
            self.powered.wait()
            tries += 1
            answer = self.ask(wire, method, path, body, headers)
            meaning = settled(*answer) if answer else None
            if meaning is not None and (self.keyed or meaning != FAILED or self.over.is_set()):
                return meaning, tries
            # Not yet known: the power is out, the door is busy, or the broker is not there yet.
            house.pause(0.02)

    # Doors

    def at_door(self, lock, rate):
        """Somebody who opens and closes one door, one thing after the other."""
        device_id = self.doors[lock]
        actions = itertools.cycle(["unlock", "lock"])

        def turn(wire, dice):
            intent = Intent(lock, next(actions), f"door-{lock}-{next(self.numbers)}")
            self.intents.append(intent)
            headers = {**self.owner, "Idempotency-Key": intent.key}
            body = {"action": intent.action}
            intent.outcome, intent.tries = self.insist(
                wire, "PUT", f"/api/v1/devices/{device_id}/control", body, headers, lambda *answer: door_outcome(intent, *answer)
            )
            intent.told = time.monotonic_ns()
            self.over.wait(dice.expovariate(rate))

        return turn

    # Guests who were let in

    def invites(self, rate):
        """The owner lets people in, and takes some of it back."""

        def turn(wire, dice):
            name = f"Guest {next(self.numbers)}"
            body = house.draft({"device_id": self.doors[0], "actions": ["door.open"]}, name=name, max_uses=dice.randint(0, 5))
            headers = {**self.owner, "Idempotency-Key": name.replace(" ", "-")}
            guest_id, _ = self.insist(wire, "POST", "/api/v1/guests", body, headers, invited)
            self.guests[guest_id] = "invited"
            self.names.add(name)
            if dice.random() < 0.3:
                self.insist(wire, "POST", f"/api/v1/guests/{guest_id}/revoke", {}, self.owner, lambda status, *_: status == 200 or None)
                self.guests[guest_id] = "revoked"
            self.over.wait(dice.expovariate(rate))

        return turn

    # Who stays signed in

    def signed_in(self, username, password, rate, hands=2):
        """Somebody whose program renews its tokens, from two places at once as a browser's tabs do, and asks again for what was cut off."""
        refresh = None

        def renew(token, answers):
            answers.append(self.insist(Wire(self.url), "POST", "/api/v1/auth/refresh", {"refresh_token": token}, {}, renewed)[0])

        def turn(wire, dice):
            nonlocal refresh
            if refresh is None:
                asked = {"username": username, "password": password}
                refresh, _ = self.insist(wire, "POST", "/api/v1/auth/login", asked, {}, renewed)
            answers = []
            threads = [threading.Thread(target=renew, args=(refresh, answers), daemon=True) for _ in range(hands)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert len(answers) == hands, "somebody was signed out"
            self.renewals[refresh] = set(answers)
            refresh = answers[0]
            self.over.wait(dice.expovariate(rate))

        return turn

    def spenders(self, lock, hands=3):
        """One guest after another at a door, each with a few uses and several hands that spend them at once."""

        def turn(wire, dice):
            limit = dice.randint(2, 5)
            door = Visit(self, lock, limit, wire, dice)
            self.passes.append(door)
            door.spend(hands)

        return turn


class Visit:
    """One guest's pass from its invitation to its last use."""

    def __init__(self, load, lock, limit, wire, dice):
        self.load, self.lock, self.limit = load, lock, limit
        number = next(load.numbers)
        body = house.draft({"device_id": load.doors[lock], "actions": ["door.open"]}, name=f"Visitor {number}", max_uses=limit)
        headers = {**load.owner, "Idempotency-Key": f"visitor-{number}"}
        self.guest_id, _ = load.insist(wire, "POST", "/api/v1/guests", body, headers, invited)
        self.token, _ = load.insist(wire, "POST", "/none", {}, {}, lambda *_: self.pair(wire))
        self.begun = time.monotonic_ns()
        self.intents = []

    def pair(self, wire):
        """A phone whose pairing was cut off asks the owner for a new code; codes are redeemed once."""
        answer = self.load.ask(wire, "POST", f"/api/v1/guests/{self.guest_id}/code", {}, self.load.owner)
        if not answer or answer[0] != 200:
            return None
        answer = wire.ask("POST", "/api/guest_access/pair", {"pairing_code": answer[1]["pairing_code"]}, {})
        return answer[1]["guest_token"] if answer and answer[0] == 200 else None

    def spend(self, hands):
        threads = [threading.Thread(target=self.hand, daemon=True) for _ in range(hands)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def hand(self):
        wire = Wire(self.load.url)
        while not self.load.over.is_set():
            intent = Intent(self.lock, "door.open", f"visit-{next(self.load.numbers)}")
            headers = {"Authorization": f"Bearer {self.token}", "Idempotency-Key": intent.key}
            outcome, intent.tries = self.load.insist(
                wire, "POST", "/api/guest_access/action", {"action": "door.open"}, headers, lambda *answer: guest_outcome(intent, *answer)
            )
            if outcome == "over":
                return
            intent.outcome, intent.told = outcome, time.monotonic_ns()
            self.intents.append(intent)


def invited(status, told, headers):
    if status == 201:
        return told["guest_id"]
    assert status in (503, 500, 429), f"{status} {told}"
    return None


def renewed(status, told, headers):
    """The next refresh token. A 401 would be somebody who is signed out for a lost answer."""
    if status == 200:
        return told["refresh_token"]
    assert status in (503, 500, 429), f"{status} {told}"
    return None


def door_outcome(intent, status, told, headers):
    """What an answer says of a door; None where it must be asked again."""
    if status == 200:
        intent.command_id = told["command_id"]
        assert told["status"] == CONFIRMED, told
        return CONFIRMED
    error = told["error"]
    if "command" in error["details"]:
        # The command was taken on and has ended: asked again under the same name, it would say the same.
        intent.command_id = error["details"]["command"]["command_id"]
        return UNKNOWN if error["code"] == "outcome_unknown" else FAILED
    assert error["code"] in ("in_flight", "rate_limited", "device_unreachable", "integration_not_ready", "service_unavailable"), told
    return None


def guest_outcome(intent, status, told, headers):
    intent.command_id = told.get("command_id", intent.command_id)
    if status == 200:
        return CONFIRMED
    code = told["error"]
    if code == "token_max_uses_exceeded":
        return "over"
    if code == "outcome_unknown":
        return UNKNOWN
    if code == "action_execution_failed" or (code == "device_unreachable" and "command_id" in told):
        return FAILED
    assert code in ("in_flight", "rate_limited", "device_unreachable", "integration_not_ready", "service_unavailable"), told
    return None
