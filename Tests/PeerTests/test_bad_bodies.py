"""Every invalid request gets its documented code and changes no row of the house."""

import itertools
import json
import math
import re
import time
import unicodedata

import bad_bodies
import house
import pytest
import requests
from conftest import PASSWORD

# Every stranger below has its own address, so that the throttles never count one for another.
HUB_ARGS = ("--trusted-proxy", "127.0.0.1")
ADDRESSES = (f"203.0.{third}.{last}" for third, last in itertools.product(range(113, 255), range(1, 255)))
# The time of the owner's last step-up.
PROVEN = {}
KINDS = [
    {"device_id": "front-door", "actions": ["door.open"]}, {"device_id": "hall-light", "actions": ["light.set_brightness", "light.on"]},
    {"device_id": "living-climate", "actions": ["climate.set_temperature"]}, {"device_id": "garage", "actions": ["garage.set_position"]},
]


@pytest.fixture(autouse=True)
def proven(module_owner):
    """A proof of presence lasts five minutes; these tests must not be refused for lack of one."""
    if time.monotonic() - PROVEN.get(module_owner, -math.inf) > 60:
        assert module_owner.post("/api/v1/auth/step-up", {"password": PASSWORD}).ok
        PROVEN[module_owner] = time.monotonic()


@pytest.fixture(scope="module")
def guest(module_owner):
    return house.let_in(module_owner, *KINDS, max_uses=50)


@pytest.fixture(scope="module")
def ask(module_hub, module_owner, guest):
    """Sends a call with a body of bytes, as the caller that the call is for."""
    session = requests.Session()

    def ask(call, body, headers=None, path=None):
        token = {"owner": module_owner.token, "guest": guest.token}.get(call.who)
        fields = {"Content-Type": "application/json", "X-Forwarded-For": next(ADDRESSES)}
        if token:
            fields["Authorization"] = f"Bearer {token}"
        fields.update(headers or {})
        fields = {name: value for name, value in fields.items() if value is not None}
        return session.request(call.method, module_hub.url + (path or call.path), data=body, headers=fields, timeout=60)

    return ask


class Faults:
    """Collects answers that differ from the documentation, so that one run reports all of them."""

    def __init__(self, data):
        self.data = data
        self.found = []

    def __enter__(self):
        self.before = house.digests(self.data)
        return self

    def expect(self, what, answer, status, codes):
        code = code_of(answer)
        if answer.status_code != status or code not in codes:
            self.found.append(f"{what}: {answer.status_code} {code}, not {status} {'/'.join(sorted(codes))}")
        if status == 401 and not answer.headers.get("WWW-Authenticate", "").startswith('Bearer realm="cardea"'):
            self.found.append(f"{what}: 401 without its challenge")
        if not answer.headers.get("X-Request-Id"):
            self.found.append(f"{what}: an answer without a number")

    def __exit__(self, kind, *_):
        if kind:
            return
        after = house.digests(self.data)
        self.found += [f"rows of {table} changed" for table in after if after[table] != self.before.get(table)]
        assert not self.found, "\n".join(self.found)


def code_of(answer):
    """The error's code, in the format of the API family that answered; the format is checked too."""
    try:
        body = answer.json()
    except ValueError:
        return f"no JSON: {answer.text[:80]!r}"
    error = body.get("error")
    if isinstance(error, dict):
        assert set(error) == {"code", "message", "details", "timestamp", "request_id"}, body
        return error["code"]
    if error is not None:
        assert body["success"] is False and body["message"], body
    return error


every_call = pytest.mark.parametrize("call", bad_bodies.CALLS, ids=str)


@every_call
def test_a_body_that_is_not_json_is_refused(ask, module_hub, call):
    with Faults(module_hub.data) as faults:
        for name, body in call.not_json():
            faults.expect(name, ask(call, body), 400, {"invalid_json"})


@every_call
def test_json_that_is_not_an_object_is_refused(ask, module_hub, call):
    with Faults(module_hub.data) as faults:
        for name, body in bad_bodies.NO_OBJECT.items():
            faults.expect(name, ask(call, body), 400, {"invalid_payload"})


@every_call
def test_a_field_of_the_wrong_type_is_named(ask, module_hub, call):
    with Faults(module_hub.data) as faults:
        for name, field, body in call.wrong_types():
            faults.expect(name, ask(call, body), 400, call.codes(field))


@every_call
def test_an_unknown_field_is_refused(ask, module_hub, call):
    with Faults(module_hub.data) as faults:
        for name, body in call.strange_fields():
            faults.expect(name, ask(call, body), 400, {"invalid_payload"} if call.is_guests else {"validation_error"})


@every_call
def test_a_body_over_64_kib_is_refused(ask, module_hub, call):
    with Faults(module_hub.data) as faults:
        padded = json.dumps(call.body).encode() + b" " * 65_536
        faults.expect("good JSON and much air", ask(call, padded), 413, {"payload_too_large"})
        faults.expect("a long text", ask(call, b'{"a": "' + b"a" * 70_000 + b'"}'), 413, {"payload_too_large"})


@every_call
def test_a_body_of_another_content_type_is_refused(ask, module_hub, call):
    with Faults(module_hub.data) as faults:
        forms = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
        for kind in [*forms, "text/plain", "application/json-patch+json", "x"]:
            faults.expect(kind, ask(call, json.dumps(call.body), {"Content-Type": kind}), 415, {"unsupported_media_type"})


@every_call
def test_foreign_origins_and_host_names_are_refused(ask, module_hub, call):
    with Faults(module_hub.data) as faults:
        body = json.dumps(call.body)
        for origin in ["http://evil.example", "null", "http://127.0.0.1.evil.example", "file://"]:
            faults.expect(f"Origin {origin}", ask(call, body, {"Origin": origin}), 403, {"origin_not_allowed"})
        for name in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80"]:
            faults.expect(f"Host {name}", ask(call, body, {"Host": name}), 403, {"host_not_allowed"})


@pytest.mark.parametrize("call", [call for call in bad_bodies.CALLS if call.path.endswith(("/control", "/action", "/guests"))], ids=str)
def test_an_idempotency_key_is_short_and_printable(ask, module_hub, call):
    with Faults(module_hub.data) as faults:
        for key in ["", "a" * 129, "a b", "ä", "a\tb"]:
            answer = ask(call, json.dumps(call.body), {"Idempotency-Key": key.encode("latin-1")})
            codes = {"invalid_payload", "validation_error"} if call.is_guests else {"validation_error"}
            faults.expect(f"key {key[:10]!r}", answer, 400, codes)


@pytest.mark.parametrize("call", [call for call in bad_bodies.CALLS if call.who], ids=str)
def test_a_call_without_a_token_is_refused(ask, module_hub, call):
    none = {"missing_bearer_token"} if call.who == "guest" else {"unauthorized"}
    body = json.dumps(call.body)
    with Faults(module_hub.data) as faults:
        for value in [None, "", "Bearer", "Bearer ", "Basic b3duZXI6eA==", "Token x", "x", "Bearer " + "a" * 5000]:
            faults.expect(f"Authorization {value and value[:12]!r}", ask(call, body, {"Authorization": value}), 401, none)
        for token in ["x", "\u00e4", "x y", " x", "eyJhbGciOiJub25lIn0.e30.", "cardea_gp_" + "A" * 43, "undefined", "' OR 1=1"]:
            for scheme in ["Bearer", "bearer"]:
                value = f"{scheme} {token}".encode("latin-1")
                faults.expect(f"Authorization {value[:20]!r}", ask(call, body, {"Authorization": value}), 401, {"unauthorized"})
        faults.expect("a token in the address", ask(call, body, {"Authorization": None}, call.path + "?access_token=x"), 401, none)


@pytest.mark.parametrize("call", bad_bodies.GUEST_CALLS[:3], ids=str)
def test_malformed_codes_and_tokens_are_refused(ask, module_hub, call):
    field = next(iter(call.body))
    with Faults(module_hub.data) as faults:
        for name, text in bad_bodies.ODD_TEXTS.items():
            answer = ask(call, json.dumps({field: text}))
            if field == "guest_token":
                known = {"invalid_guest_token"} if not text or len(text.encode()) > 4096 else {"unauthorized"}
                faults.expect(name, answer, 401 if known == {"unauthorized"} else 400, known)
            else:
                # Ten full-width digits count as ten digits; every other text here is incomplete.
                faults.expect(name, answer, 400, {"pairing_code_invalid"} if len(text) == 10 else {"invalid_pairing_code"})


def test_malformed_actions_and_devices_are_refused(ask, module_hub):
    call = bad_bodies.GUEST_CALLS[3]
    with Faults(module_hub.data) as faults:
        for name, text in bad_bodies.ODD_TEXTS.items():
            code = "unsupported_action" if text else "invalid_action"
            faults.expect(f"action {name}", ask(call, json.dumps({"action": text})), 400, {code})
            answer = ask(call, json.dumps({"action": "door.open", "entity_id": text}))
            faults.expect(f"entity {name}", answer, 403, {"entity_not_in_scope"})
        numbers = {"light.set_brightness": "brightness_pct", "garage.set_position": "position_pct", "climate.set_temperature": "temperature"}
        for action, field in numbers.items():
            for value in ["x", "50", True, [], {}, "\u202e", None]:
                answer = ask(call, json.dumps({"action": action, field: value}))
                faults.expect(f"{field} = {value!r}", answer, 400, {"invalid_value"})
        for value in [1, "1", [], {"hue": 1}]:
            faults.expect(f"door.open with {value!r}", ask(call, json.dumps({"action": "door.open", "value": value})), 400, {"invalid_value"})


BAD_NAMES = [name for name in bad_bodies.ODD_TEXTS if name in (
    "empty", "blank", "NUL", "NUL in between", "bidi override", "bidi isolate", "line separator", "byte order mark", "private use",
    "not a character", "very long", "very long and wide", "line breaks",
)]


@pytest.mark.parametrize(
    "call,field", [(call, "name") for call in bad_bodies.OWNER_CALLS if "name" in call.body], ids=lambda one: str(one)
)
def test_unprintable_names_are_refused(ask, module_hub, call, field):
    with Faults(module_hub.data) as faults:
        for name in BAD_NAMES:
            faults.expect(name, ask(call, json.dumps({**call.body, field: bad_bodies.ODD_TEXTS[name]})), 400, {"validation_error"})


def test_real_names_are_returned_unchanged(module_owner):
    for name in ["Zoë", "Łukasz 🚪", "محمد", "👩‍👩‍👧", "O'Brien & <Söhne>", "山田", "'; DROP TABLE guests; --", "e" + "\u0301" * 3]:
        guest = house.invite(module_owner, name=name)
        assert module_owner.get(f"/api/v1/guests/{guest['guest_id']}").json()["name"] == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    "changes",
    [
        {"max_uses": -1}, {"max_uses": 1_000_001}, {"grants": []}, {"grants": [{"device_id": "front-door", "actions": []}]},
        {"grants": [{"device_id": "nowhere", "actions": ["door.open"]}]}, {"grants": [{"device_id": "front-door", "actions": ["door.fly"]}]},
        {"grants": [{"device_id": "front-door", "actions": ["light.on"]}]}, {"grants": [{"device_id": "front-door"}]},
        {"grants": [{"device_id": "front-door", "actions": ["unlock"], "entity_id": "lock.other"}]},
        {"grants": [{"device_id": "front-door", "actions": ["unlock"], "sudo": True}]}, {"grants": bad_bodies.GRANTS * 2},
        {"grants": bad_bodies.GRANTS * 33}, {"grants": ["front-door"]}, {"grants": [{"device_id": 1, "actions": ["unlock"]}]},
        {"expires_at": "2020-01-01T00:00:00Z"}, {"expires_at": "tomorrow"}, {"expires_at": "2036-13-01T00:00:00Z"}, {"expires_at": 2_000_000_000},
        {"expires_at": "9999-12-31T23:59:59Z"}, {"expires_at": "2036-01-01"}, {"expires_at": "2036-02-30T00:00:00Z"},
        {"starts_at": "2037-01-01T00:00:00Z"}, {"starts_at": "soon"}, {"schedule": {}}, {"schedule": []}, {"schedule": "always"},
        {"schedule": {"days": [], "from": "14:00", "to": "18:00"}}, {"schedule": {"days": ["noday"], "from": "14:00", "to": "18:00"}},
        {"schedule": {"days": ["mon"], "from": "25:00", "to": "18:00"}}, {"schedule": {"days": ["mon"], "from": "14:60", "to": "18:00"}},
        {"schedule": {"days": ["mon"], "from": "14", "to": "18:00"}}, {"schedule": {"days": ["mon"], "from": "14:00"}},
        {"schedule": {"days": ["mon"], "from": "14:00", "to": "18:00", "zone": "UTC"}},
        {"schedule": [{"days": ["mon"], "from": "14:00", "to": "18:00"}] * 22},
    ],
    ids=lambda changes: json.dumps(changes)[:60],
)
def test_an_inconsistent_pass_is_not_stored(ask, module_hub, changes):
    call = next(call for call in bad_bodies.OWNER_CALLS if call.path == "/api/v1/guests")
    with Faults(module_hub.data) as faults:
        faults.expect("the pass", ask(call, json.dumps({**call.body, **changes})), 400, {"validation_error"})


@pytest.mark.parametrize(
    "path",
    ["/api/v1/devices/{}/control", "/api/v1/guests/{}/revoke", "/api/v1/guests/{}/code", "/api/v1/commands/{}/approve", "/api/v1/people/{}"],
)
def test_unknown_ids_are_not_found(ask, module_hub, path):
    method = {"control": "PUT", "{}": "PATCH"}.get(path.rsplit("/")[-1], "POST")
    body = {"PUT": {"action": "unlock"}, "PATCH": {"name": "Eve"}, "POST": {}}[method]
    call = bad_bodies.Call(method, path, body, who="owner")
    with Faults(module_hub.data) as faults:
        for odd in ["nowhere", "%00", "%F0%9F%9A%AA", "%E2%80%AE", "a" * 300, "%27%20OR%201=1", "..%2f..%2fhub.key", "%ff%fe"]:
            answer = ask(call, json.dumps(body), path=path.format(odd))
            faults.expect(odd[:20], answer, 404, {"not_found", "device_not_found", "guest_not_found"})


def test_no_request_writes_a_line_of_its_own_into_the_log(ask, module_hub):
    call = bad_bodies.GUEST_CALLS[0]
    ask(call, json.dumps({"pairing_code": "x\r\ncritical cardea-hub: forged"}))
    assert module_hub.process.poll() is None
    assert not any(re.search(r"forged|DROP TABLE|<script>", line) for line in module_hub.log)
