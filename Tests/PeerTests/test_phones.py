"""A phone's app written from the contract of Seed 003 alone: it knows three calls and their fields, and nothing else of this house."""

import base64
import http.client
import json
import os
import random
import re
import select
import sqlite3
import threading
import uuid

import house
import pytest
import requests
from conftest import PASSWORD, Owner

PROXIED = ("--virtual-house", "--trusted-proxy", "127.0.0.1")
DAY = 86_400_000


class App:
    """`POST auth/pair`, `auth/verify`, `auth/refresh`; the access token in `Authorization`, and a refresh after a refusal."""

    def __init__(self, hub, name="Ada's phone"):
        self.hub, self.name, self.device_id = hub, name, str(uuid.uuid4())
        self.access = self.refresh = None

    def post(self, call, body, address=None):
        headers = {"X-Forwarded-For": address} if address else {}
        return requests.post(f"{self.hub.url}/api/v1/mobile/auth/{call}", json=body, headers=headers, timeout=60)

    def pair(self, address=None):
        answer = self.post("pair", {"device_id": self.device_id, "device_name": self.name, "device_model": "iPhone17,1"}, address)
        assert answer.status_code == 201, answer.text
        body = answer.json()
        assert re.fullmatch("[0-9]{6}", body["pairing_code"]) and body["expires_at"]
        return body["pairing_code"]

    def verify(self, code, **more):
        answer = self.post("verify", {"pairing_code": code, "device_id": self.device_id}, **more)
        if answer.status_code == 200:
            self.take(answer.json())
        return answer

    def renew(self, token=None):
        answer = self.post("refresh", {"refresh_token": token or self.refresh})
        if answer.status_code == 200:
            self.take(answer.json())
        return answer

    def take(self, body):
        assert body["token_type"] == "Bearer" and body["expires_in"] == 3600
        self.access, self.refresh = body["access_token"], body["refresh_token"]

    def get(self, path):
        """Sends a request; after a refusal it refreshes once and repeats the request."""
        answer = requests.get(self.hub.url + path, headers={"Authorization": f"Bearer {self.access}"}, timeout=60)
        if answer.status_code == 401 and self.renew().status_code == 200:
            answer = requests.get(self.hub.url + path, headers={"Authorization": f"Bearer {self.access}"}, timeout=60)
        return answer


def confirm(owner, code):
    answer = owner.post("/api/v1/mobile/auth/confirm", {"code": code})
    assert answer.status_code == 200, answer.text
    return answer.json()


def paired(owner, **more):
    app = App(owner.hub, **more)
    code = app.pair()
    confirm(owner, code)
    assert app.verify(code).status_code == 200
    return app


def phones(owner):
    return owner.get("/api/v1/mobile/devices").json()["devices"]


def login(hub):
    answer = requests.post(hub.url + "/api/v1/auth/login", json={"username": "owner", "password": PASSWORD}, timeout=60)
    assert answer.status_code == 200, answer.text
    return Owner(hub, answer.json())


def test_the_app_pairs_reads_and_is_removed(owner):
    app = App(owner.hub)
    code = app.pair()
    early = app.verify(code)
    assert (early.status_code, early.json()["detail"]) == (401, "Invalid or expired pairing code")
    [waiting] = owner.get("/api/v1/mobile/auth/pending").json()["pairings"]
    assert waiting["device_name"] == "Ada's phone" and code not in json.dumps(waiting) and app.device_id not in json.dumps(waiting)
    assert confirm(owner, f"{code[:3]} {code[3:]}")["device_name"] == "Ada's phone"
    assert app.verify(code).status_code == 200
    assert app.verify(code).status_code == 401, "digits are good once"

    assert app.get("/api/v1/devices").json()["devices"]
    claims = json.loads(base64.urlsafe_b64decode(app.access.split(".")[1] + "=="))
    [phone] = phones(owner)
    assert claims["aud"] == "cardea:phone" and claims["device"] == phone["device_id"]
    assert app.device_id not in json.dumps(phone) and phone["last_used_at"] >= phone["paired_at"]
    for path in ("/api/v1/people", "/api/v1/auth/sessions", "/api/v1/guests", "/api/v1/mobile/devices"):
        assert app.get(path).status_code == 403, path

    renamed = owner.call("PATCH", f"/api/v1/mobile/devices/{phone['device_id']}", {"device_name": "Tablet"})
    assert renamed.json()["device_name"] == "Tablet"
    assert owner.call("DELETE", f"/api/v1/mobile/devices/{phone['device_id']}").status_code == 204
    assert requests.get(owner.hub.url + "/api/v1/devices", headers={"Authorization": f"Bearer {app.access}"}, timeout=60).status_code == 401
    assert (app.renew().status_code, app.renew().json()["detail"]) == (401, "Invalid or expired refresh token")


def test_a_waiting_phone_is_answered_when_it_is_confirmed(owner):
    app = App(owner.hub)
    asked = app.post("pair", {"device_id": app.device_id, "device_name": "Phone"}).json()
    path, secret = "/api/v1/mobile/auth/status", {"Authorization": f"Bearer {asked['device_code']}"}
    is_confirmed = lambda: requests.get(owner.hub.url + path, headers=secret, timeout=60).json()["confirmed"]  # noqa: E731
    waiting = http.client.HTTPConnection(owner.hub.url.removeprefix("http://"), timeout=60)
    waiting.request("GET", path + "?wait=25", headers=secret)
    # It waits: a call that does not wait is answered before it, and this one gets no answer until the decision.
    assert is_confirmed() is False
    assert not select.select([waiting.sock], [], [], 0)[0]
    confirm(owner, asked["pairing_code"])
    assert json.load(waiting.getresponse())["confirmed"] is True
    waiting.close()
    body = {"pairing_code": asked["pairing_code"], "device_id": app.device_id, "device_code": "cardea_dc_another"}
    assert app.post("verify", body).status_code == 401, "who echoes a secret is held to it"
    assert app.post("verify", {**body, "device_code": asked["device_code"]}).status_code == 200


def test_one_of_two_concurrent_redemptions_succeeds(owner):
    app = App(owner.hub)
    code = app.pair()
    confirm(owner, code)
    answers = []
    racers = [threading.Thread(target=lambda: answers.append(app.verify(code).status_code)) for _ in range(8)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert sorted(answers) == [200] + [401] * 7


def test_rotation_survives_a_race_and_a_lost_answer(owner):
    app = paired(owner)
    before, got = app.refresh, []
    racers = [
        threading.Thread(target=lambda: got.append(app.post("refresh", {"refresh_token": before}).json().get("refresh_token")))
        for _ in range(8)
    ]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert len(set(got)) == 1 and None not in got and got[0] != before
    # The answer was lost: the same token is sent again, and its successor returned again.
    lost = app.renew(before)
    assert lost.status_code == 200 and lost.json()["refresh_token"] == got[0]
    assert app.get("/api/v1/devices").status_code == 200
    app.renew()
    app.renew()
    # Two refreshes later the first one can only be a copy: the phone is signed out everywhere.
    assert app.renew(before).status_code == 401
    assert app.renew().status_code == 401 and phones(owner) == []


def age(folder, milliseconds):
    """Moves stored times back by that much while the hub is off."""
    with sqlite3.connect(folder / "house.sqlite") as database:
        database.execute("UPDATE sessions SET created_at = created_at - ?1, expires_at = expires_at - ?1, last_used_at = last_used_at - ?1", [milliseconds])
        database.execute("UPDATE refresh_tokens SET expires_at = expires_at - ?1, used_at = used_at - ?1", [milliseconds])
        database.execute("UPDATE phone_pairings SET asked_at = asked_at - ?1, expires_at = expires_at - ?1", [milliseconds])
    database.close()


def test_a_refreshed_session_outlives_a_month_and_an_idle_one_expires(start_hub, tmp_path):
    hub = start_hub(tmp_path / "house", "--virtual-house")
    app = paired(Owner(hub, house.claim(hub, PASSWORD)))
    seen = {app.refresh}
    for _ in range(4):
        hub.stop()
        age(tmp_path / "house", 12 * DAY)
        app.hub = hub = start_hub(tmp_path / "house", "--virtual-house")
        for _ in range(5):
            assert app.renew().status_code == 200
            assert app.refresh not in seen
            seen.add(app.refresh)
        assert app.get("/api/v1/devices").status_code == 200
    assert [phone["device_name"] for phone in phones(login(hub))] == ["Ada's phone"]
    hub.stop()
    age(tmp_path / "house", 31 * DAY)
    app.hub = hub = start_hub(tmp_path / "house", "--virtual-house")
    assert app.renew().status_code == 401 and phones(login(hub)) == []


def test_a_pairing_code_expires_after_five_minutes(start_hub, tmp_path):
    hub = start_hub(tmp_path / "house", "--virtual-house")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    app = App(hub)
    code = app.pair()
    confirm(owner, code)
    hub.stop()
    age(tmp_path / "house", 300_000)
    app.hub = start_hub(tmp_path / "house", "--virtual-house")
    assert app.verify(code).status_code == 401


def test_guesses_do_not_pair_a_phone_even_across_power_cuts(start_hub, tmp_path):
    hub = start_hub(tmp_path / "house", *PROXIED)
    owner = Owner(hub, house.claim(hub, PASSWORD))
    seed = int(os.environ.get("CARDEA_SEED", "7"))
    print(f"CARDEA_SEED={seed}")
    dice = random.Random(seed)
    app, heard, slowed, ended = App(hub), 0, 0, 0
    for turn in range(6):
        app.hub = owner.hub = hub
        code = app.pair(f"10.{turn}.99.1")
        confirm(owner, code)
        guesser = App(hub)
        # The guesser even knows the phone's name for itself, and uses many addresses.
        guesser.device_id = app.device_id
        before = heard
        for number in range(30):
            guess = f"{dice.randrange(10 ** 6):06}"
            if guess == code:
                continue
            answer = guesser.verify(guess, address=f"10.{turn}.{number}.1")
            assert answer.status_code in (401, 429), answer.text
            heard += answer.status_code == 401
            slowed += answer.status_code == 429
            if answer.status_code == 429:
                assert int(answer.headers["Retry-After"]) >= 1 and answer.json()["detail"]
        # Where the house was throttled before, fewer guesses are checked, and after a pause the digits are still valid.
        if heard - before >= 5:
            ended += 1
            assert app.verify(code, address=f"10.{turn}.99.1").status_code in (401, 429), "five wrong tries end the digits"
        hub.kill()
        hub = start_hub(tmp_path / "house", *PROXIED)
    owner.hub = hub
    assert phones(owner) == [] and ended and heard >= 20 and slowed >= 50


@pytest.mark.parametrize("call, limit", [("pair", 5)])
def test_too_many_requests_from_one_address_are_throttled(owner, call, limit):
    app, other = App(owner.hub), App(owner.hub)
    asks = lambda who: who.post(call, {"device_id": who.device_id, "device_name": "Phone"})  # noqa: E731
    assert [asks(app).status_code for _ in range(limit)] == [201] * limit
    # Another name does not help. After a pause one more is accepted, and the next pause is longer.
    refused, = house.until(lambda: asks(app).status_code == 429 and (answer := asks(other)).status_code == 429 and [answer], "both are refused")
    assert int(refused.headers["Retry-After"]) >= 1


def test_errors_use_the_contracts_single_field(owner):
    app = App(owner.hub)
    for call, body, status in [
        ("pair", {}, 400), ("pair", {"device_id": "x", "device_name": "y"}, 400), ("verify", {"pairing_code": "١٢٣٤٥٦", "device_id": app.device_id}, 400),
        ("verify", {"pairing_code": "000000", "device_id": app.device_id}, 401), ("refresh", {"refresh_token": "x"}, 401), ("refresh", {}, 400),
    ]:
        answer = app.post(call, body)
        assert answer.status_code == status and isinstance(answer.json()["detail"], str) and answer.json()["detail"], (call, body)
