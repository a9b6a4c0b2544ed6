"""Invalid bodies and headers, and every call that takes a body."""

import json

# Not JSON at all.
NOT_JSON = {
    "nothing": b"",
    "half an object": b'{"action":',
    "a bare word": b"nul",
    "single quotes": b"{'action': 1}",
    "something after the end": b'{"action": 1} x',
    "two objects": b"{}{}",
    "a form": b"pairing_code=ABC&guest_token=x",
    "arrays a mile deep": b"[" * 30_000,
    "objects a mile deep": b'{"action":' * 5_000,
    "a comment": b"{/* */}",
    "a byte too many before it": b"\x00{}",
}
# Values that are not JSON, in the place of a valid string.
NO_VALUES = {
    "not a number": b"NaN",
    "bytes that are no text": b'"\xff\xfe"',
    "overlong UTF-8": b'"\xc0\xaf"',
    "a surrogate in UTF-8": b'"\xed\xa0\x80"',
    "a lone surrogate": b'"\\ud800"',
    "a surrogate pair the wrong way round": b'"\\udc00\\ud800"',
    "a bad escape": b'"\\x41"',
    "a raw NUL": b'"\x00"',
    "a raw newline in a text": b'"\n"',
    "a text without end": b'"x',
}
# JSON that is not an object.
NO_OBJECT = {"an array": b"[]", "a text": b'"door.open"', "a number": b"1", "true": b"true", "null": b"null", "an array of objects": b'[{"a": 1}]'}

# Valid JSON strings that must unlock nothing.
ODD_TEXTS = {
    "empty": "",
    "blank": " ",
    "NUL": "\u0000",
    "NUL in between": "a\u0000b",
    "bidi override": "\u202eedoc",
    "bidi isolate": "\u2066x\u2069",
    "line separator": "\u2028",
    "byte order mark": "\ufeff",
    "four bytes": "🚪🔑",
    "private use": "\ue000",
    "not a character": "\uffff",
    "a hundred marks on one letter": "e" + "\u0301" * 100,
    "very long": "a" * 10_000,
    "very long and wide": "🚪" * 4_000,
    "line breaks": "a\r\nX-Evil: 1",
    "SQL": "' OR '1'='1'; DROP TABLE guests; --",
    "markup": "<script>alert(1)</script>",
    "a path": "../../hub.key",
    "a topic": "#/+/x",
    "digits of another script": "１２３４５６７８９０",
}
WRONG = {str: [1, 1.5, True, [], {}, ["a"]], int: ["1", 1.5, True, [], {}, 10**30, -1], bool: ["true", 1, 0, [], {}], list: ["a", 1, {}, True]}


class Call:
    """One call of the hub that takes a body: a valid body, and which fields are optional."""

    def __init__(self, method, path, body, optional=(), who=None, whole=True):
        self.method, self.path, self.body, self.optional, self.who = method, path, body, set(optional), who
        self.is_guests = path.startswith("/api/guest_access")
        # Whether there must be a body at all.
        self.whole = whole

    def __str__(self):
        return f"{self.method} {self.path}"

    def codes(self, field):
        """The contract's error codes for this field."""
        if not self.is_guests:
            return {"validation_error"}
        return {
            "pairing_code": {"invalid_pairing_code"}, "guest_token": {"invalid_guest_token"}, "action": {"invalid_action"},
        }.get(field, {"invalid_payload", "invalid_value"})

    def not_json(self):
        yield from ((name, body) for name, body in NOT_JSON.items() if body or self.whole)
        field = next((name for name, value in self.body.items() if isinstance(value, str)), next(iter(self.body)))
        body = json.dumps({**self.body, field: "@"}).encode()
        for name, value in NO_VALUES.items():
            yield name, body.replace(b'"@"', value)

    def wrong_types(self):
        """The valid body, once for each way in which one field is missing or has the wrong type."""
        for field, value in self.body.items():
            for kind, others in WRONG.items():
                if type(value) is not kind:
                    continue
                for other in others:
                    yield f"{field} = {other!r}", field, json.dumps({**self.body, field: other}).encode()
            if field not in self.optional:
                rest = {name: other for name, other in self.body.items() if name != field}
                yield f"{field} missing", field, json.dumps(rest).encode()
                yield f"{field} null", field, json.dumps({**self.body, field: None}).encode()

    def strange_fields(self):
        for name in ["surprise", "", "__proto__", "actions.0", "id", "\u0000", "🚪", "a" * 5000]:
            yield f"field {name[:20]!r}", json.dumps({**self.body, name: 1}).encode()


GUEST_CALLS = [
    Call("POST", "/api/guest_access/pair", {"pairing_code": "7KQ2M9PXRT"}),
    Call("POST", "/api/guest_access/pair/scanned", {"pairing_code": "7KQ2M9PXRT"}),
    Call("POST", "/api/guest_access/token/validate", {"guest_token": "cardea_gp_x"}),
    Call("POST", "/api/guest_access/action", {"action": "door.open", "entity_id": "lock.front_door"}, ["entity_id"], who="guest"),
    Call("POST", "/api/guest_access/action/cancel", {"command_id": "cmd_0"}, who="guest"),
]
GRANTS = [{"device_id": "front-door", "actions": ["door.open"]}]
STRANGER_CALLS = [
    Call("POST", "/api/v1/claim", {"claim_token": "x", "username": "eve", "password": "12345678", "house_name": "x"}),
    Call("POST", "/api/v1/auth/login", {"username": "eve", "password": "12345678", "cookie": False}, ["cookie"]),
    Call("POST", "/api/v1/people/accept", {"invite_token": "x", "username": "eve", "password": "12345678"}),
]
OWNER_CALLS = [
    Call("POST", "/api/v1/people", {"name": "Eve", "role": "member"}, who="owner"),
    Call("PUT", "/api/v1/people/me/password", {"current_password": "12345678", "new_password": "123456789"}, ["current_password"], who="owner"),
    Call(
        "POST", "/api/v1/guests",
        {
            "name": "Eve", "grants": GRANTS, "expires_at": "2036-01-01T00:00:00Z", "max_uses": 2, "requires_approval": True,
            "ask_each_time": False, "local_only": False,
        },
        ["requires_approval", "ask_each_time", "local_only"], who="owner",
    ),
    Call("PUT", "/api/v1/devices/front-door/control", {"action": "unlock", "entity_id": "lock.front_door"}, ["entity_id"], who="owner"),
    Call(
        "PATCH", "/api/v1/devices/front-door", {"name": "Door", "room_id": "hall", "is_security_device": True, "is_guest_accessible": True},
        ["name", "room_id", "is_security_device", "is_guest_accessible"], who="owner",
    ),
    Call("POST", "/api/v1/audit/export", {"format": "json", "person_id": "person_x", "from": "2026-11-21T14:31:07Z"}, ["format", "person_id", "from"], who="owner"),
    Call("POST", "/api/v1/explain", {"guest_id": "guest_x", "device_id": "front-door", "action": "unlock"}, ["guest_id"], who="owner"),
    Call("POST", "/api/v1/integrations/virtual/faults", {"device_id": "garage", "fault": "none"}, who="owner"),
    Call("POST", "/api/v1/scenes", {"name": "Night", "icon": "x", "actions": [{"device_id": "hall-light", "action": "off"}]}, ["icon"], who="owner"),
    Call("POST", "/api/v1/memory", {"type": "semantic", "content": "x", "importance": 0.5, "is_pinned": True}, ["importance", "is_pinned"], who="owner"),
    Call("POST", "/api/v1/safla/trigger", {"loop_id": "house", "parameters": {"leave_safe_mode": True}}, ["parameters"], who="owner"),
    Call("POST", "/api/v1/buttons", {"title": "Light", "action": {"device_id": "hall-light", "action": "off"}, "tags_enabled": True}, ["tags_enabled"], who="owner"),
    Call("POST", "/api/v1/tags", {"kind": "live", "grant": {"device_id": "hall-light", "actions": ["off"]}}, who="owner"),
    Call("POST", "/api/v1/tags/tap", {"url": "https://house.example/t/nobodys", "confirm": True}, ["confirm"], who="owner"),
    Call("POST", "/api/v1/tags/nobodys/promote", {"url": "https://house.example/t/nobodys"}, who="owner"),
    Call("POST", "/api/v1/tags/nobodys/keys/promote", {"url": "https://house.example/t/nobodys"}, who="owner"),
    Call("PUT", "/api/v1/tags/policy", {"on": True, "control": "confirmed", "open": "never"}, who="owner"),
    Call("POST", "/api/v1/interview/nobodys/message", {"message": "a lamp"}, who="owner"),
    Call("PUT", "/api/v1/retention", {"days": {"notices": 20}}, who="owner"),
    Call("POST", "/api/v1/erasures", {"confirmed": ["person_nobody"]}, who="owner"),
    Call(
        "POST", "/api/v1/maintenance",
        {"title": "Filter", "category": "heating", "due_on": "2027-01-31", "recurrence": "monthly", "notes": "x"},
        ["category", "due_on", "recurrence", "notes"], who="owner",
    ),
    Call("PATCH", "/api/v1/maintenance/nobodys", {"title": "Filter", "priority": "low"}, ["title", "priority"], who="owner"),
    Call("POST", "/api/v1/maintenance/nobodys/complete", {"notes": "x", "service_provider": "Air"}, ["notes", "service_provider"], who="owner", whole=False),
    Call("POST", "/api/v1/rooms", {"name": "Den", "window_count": 1, "activities": ["x"]}, ["window_count", "activities"], who="owner"),
    Call("PUT", "/api/v1/rooms/hall", {"name": "Hall", "door_count": 1}, ["door_count"], who="owner"),
    Call(
        "PUT", "/api/v1/people/me/preferences", {"temperature_unit": "celsius"}, ["temperature_unit"], who="owner",
    ),
    Call(
        "POST", "/api/v1/twins", {"device_id": "porch-light", "fidelity_level": "advanced", "config": {"name": "Porch", "kind": "light"}},
        ["fidelity_level"], who="owner",
    ),
    Call(
        "POST", "/api/v1/predictions/what-if",
        {"scenario": "x", "changes": {"device": {"hall-light": {"power": "off"}}}, "duration": "8h", "metrics": ["energy"]},
        ["scenario", "metrics"], who="owner",
    ),
    Call(
        "POST", "/api/v1/automations",
        {
            "name": "Out", "is_on": True, "triggers": [{"type": "presence", "change": "last_leaves"}], "conditions": [],
            "actions": [{"type": "control", "device_id": "hall-light", "action": "off"}],
        },
        ["is_on", "conditions"], who="owner",
    ),
    Call("PUT", "/api/v1/integrations/home-assistant", {"url": "http://127.0.0.1:1", "token": "t"}, ["token"], who="owner"),
    Call("PUT", "/api/v1/integrations/mqtt", {"host": "127.0.0.1", "port": 1883, "tls": False}, ["tls", "port"], who="owner"),
]
CALLS = GUEST_CALLS + STRANGER_CALLS + OWNER_CALLS
