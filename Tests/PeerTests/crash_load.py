"""The people of a busy house. Each repeats a request under the same idempotency key until its outcome is known.

The load runs through every power cut. The answers are the acknowledged truth that the house is checked against.
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

# What an answer means for its caller.
CONFIRMED, FAILED, UNKNOWN = "confirmed", "failed", "unknown"


class Wire:
    """One caller's connection, reopened whenever the house has lost power."""

    def __init__(self, house_at):
        self.place = urllib.parse.urlsplit(house_at)
        self.connection = None

    def ask(self, method, path, body, headers):
        """Returns (status, body, headers), or None where the answer was lost."""
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
    """One action that a person wanted done once."""

    def __init__(self, lock, action, key):
        self.lock, self.action, self.key = lock, action, key
        self.begun = time.monotonic_ns()
        self.outcome = self.command_id = self.told = None
        self.tries = 0

    def __repr__(self):
        return f"{self.action} at lock {self.lock}: {self.outcome} after {self.tries} tries, command {self.command_id}"


class Load:
    """All callers, and every answer they got."""

    def __init__(self, url, owner_token, password, doors, seed, keyed=True):
        self.url, self.password, self.doors, self.seed, self.keyed = url, password, doors, seed, keyed
        self.owner = {"Authorization": f"Bearer {owner_token}"}
        self.powered = threading.Event()
        self.over = threading.Event()
        self.intents = []
        self.guests = {}  # guest_id -> the last acknowledged write: "invited" or "revoked"
        self.names = set()
        self.passes = []
        self.renewals = {}  # refresh token -> the successors in its answers
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
        except Exception:  # A caller that ends silently would make the test easier than it claims.
            self.faults.append(traceback.format_exc())

    def everything(self):
        """All door requests, of all callers."""
        return [*self.intents, *(intent for visit in list(self.passes) for intent in list(visit.intents))]

    def answered(self):
        """How many of these have a known outcome."""
        return sum(intent.told is not None for intent in self.everything())

    def finish(self):
        """Starts no new request, and waits until every caller knows the outcome of its last one."""
        self.over.set()
        for thread in self.threads:
            thread.join(house.LIMIT)
            assert not thread.is_alive(), "somebody never learnt what became of their request"
        assert not self.faults, "\n".join(self.faults[:3])

    def ask(self, wire, method, path, body, headers):
        """Like the wire's `ask`, with a step-up where the owner is asked for one: inviting for longer than five
        minutes needs it once more."""
        answer = wire.ask(method, path, body, headers)
        if not answer or answer[0] != 403 or answer[1]["error"]["code"] != "step_up_required":
            return answer
        wire.ask("POST", "/api/v1/auth/step-up", {"password": self.password}, self.owner)
        return None

    def insist(self, wire, method, path, body, headers, settled):
        """Repeats a request until `settled` knows its outcome, with the same Idempotency-Key unless dedupe is off.

        Without a key every try is a new command, so a failed one is tried again too: just after a start most doors are not there yet.
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
            # Outcome not known yet: the power is cut, the door is busy, or the broker is not connected yet.
            house.pause(0.02)

    # Doors

    def at_door(self, lock, rate):
        """A person who opens and closes one door, one command after the other."""
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

    # Guests with a pass

    def invites(self, rate):
        """The owner invites guests and revokes some of the passes."""

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

    # Signed-in people

    def signed_in(self, username, password, rate, hands=2):
        """A person whose program refreshes its tokens from two places at once, like a browser's tabs, and repeats every lost request."""
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
        """One guest after another at a door, each with a few uses and several threads that spend them at once."""

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
        """A phone whose pairing was cut off asks the owner for a new code, because a code is redeemed once."""
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
    """The next refresh token. A 401 would mean that a lost answer signed a person out."""
    if status == 200:
        return told["refresh_token"]
    assert status in (503, 500, 429), f"{status} {told}"
    return None


def door_outcome(intent, status, told, headers):
    """The outcome that an answer states for a door; None where the request must be repeated."""
    if status == 200:
        intent.command_id = told["command_id"]
        assert told["status"] == CONFIRMED, told
        return CONFIRMED
    error = told["error"]
    if "command" in error["details"]:
        # The command was accepted and has ended: a repetition with the same key would give the same answer.
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
