"""What Schemathesis needs to know of the house: the caller, its address, and the ids that exist.

The JSON file named by `CARDEA_CONTRACT_HOUSE` describes the house; test_contract.py writes it.
"""

import json
import os
import pathlib
import random
import time

import house
import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation

HOUSE = json.loads(pathlib.Path(os.environ["CARDEA_CONTRACT_HOUSE"]).read_text())
CHANCE = random.Random(os.environ.get("CARDEA_SEED", "") + HOUSE["role"])


def elsewhere():
    """Sends every request from its own address, so that one wrong guess does not slow the next request."""
    return f"10.{CHANCE.randrange(256)}.{CHANCE.randrange(256)}.{CHANCE.randrange(1, 255)}"


class Bearer:
    """The role's token. An ended session is renewed, and so is one that began minutes ago: some calls need a recent sign-in."""

    token = HOUSE.get("token")
    since = time.monotonic()

    @classmethod
    def renew(cls):
        for _ in range(8):
            answer = requests.post(
                HOUSE["url"] + "/api/v1/auth/login", json=HOUSE["login"], headers={"X-Forwarded-For": elsewhere()}, timeout=60)
            if answer.status_code != 429:
                break
            # A test has sent wrong passwords for this account; the hub says how long to wait.
            house.pause(int(answer.headers["Retry-After"]))
        assert answer.status_code == 200, answer.text
        cls.token, cls.since = answer.json()["access_token"], time.monotonic()

    @classmethod
    def is_over(cls):
        me = {"Authorization": f"Bearer {cls.token}", "X-Forwarded-For": elsewhere()}
        return requests.get(HOUSE["url"] + "/api/v1/people/me", headers=me, timeout=60).status_code == 401

    def get(self, case, context):
        if "login" in HOUSE and time.monotonic() - Bearer.since > 240:
            Bearer.renew()
        return Bearer.token

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


if "token" in HOUSE:
    schemathesis.auth(refresh_interval=None)(Bearer)


def known(path, method):
    """The ids that exist; ids that later requests need are not removed."""
    ids = next((ids for start, ids in HOUSE["ids"].items() if path.startswith(start)), [])
    return ids[-1:] if method == "DELETE" else ids[:-1]


def is_broken(case, place):
    return case.meta is not None and case.meta.is_negative_at(place)


@schemathesis.hook
def before_call(context, case, kwargs):
    case.headers["X-Forwarded-For"] = elsewhere()
    ids = known(case.operation.path, case.method.upper())
    # Most requested objects exist, and most calls have their own idempotency key: one key for all of them would give 422 for all
    # but the first.
    if ids and "id" in case.path_parameters and not is_broken(case, ParameterLocation.PATH) and CHANCE.random() < 0.7:
        case.path_parameters["id"] = CHANCE.choice(ids)
    if "Idempotency-Key" in case.headers and not is_broken(case, ParameterLocation.HEADER) and CHANCE.random() < 0.9:
        case.headers["Idempotency-Key"] = f"{CHANCE.getrandbits(64):x}"
    # A device with an injected jam answers 500, correctly: here that device does not exist.
    if case.operation.path.endswith("/virtual/faults") and isinstance(case.body, dict) and case.body.get("fault") != "none":
        case.body = {**case.body, "device_id": "no-such-door"}


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code == 401 and "login" in HOUSE and Bearer.is_over():
        Bearer.renew()
