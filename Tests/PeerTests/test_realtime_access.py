"""Who receives what over the socket: every kind of credential, by header and by ticket, for every device.

The rows of plain HTTP are in the access matrix of WholeHouseTests; these are the socket's own, with a client and a hub in their own processes.
Tests with a moved clock, rooms, streams and every single event are in RealtimeMatrixTests.
"""

import base64
import json

import house
import pytest
import requests
from conftest import PASSWORD, Owner
from dpop import BrowserKey
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

EVERYTHING, DOOR, NOTHING = "everything", "the front door", "nothing"
DEVICES = {"own": ["front-door"], "another's": ["hall-light"], "another house's": ["door-of-another-house"], "nobody's": ["nowhere"]}


class Visitor:
    def __init__(self, name, hears=None, token=None, fields=None, query="", known=False):
        self.name, self.hears, self.token, self.query, self.known = name, hears, token, query, known
        self.is_guest = bool(token) and token.startswith("cardea_gp_")
        self.fields = fields if fields is not None else [("Authorization", f"Bearer {token}")] if token else []

    def __str__(self):
        return self.name


def resident(owner, name, role="member"):
    link = owner.post("/api/v1/people", {"name": name, "role": role}).json()["invite_link"]
    body = {"invite_token": link.split("#")[1], "username": name, "password": PASSWORD}
    return Owner(owner.hub, requests.post(owner.hub.url + "/api/v1/people/accept", json=body, timeout=60).json())


def program(owner, **more):
    answer = owner.post("/api/v1/auth/api-tokens", {"name": "Script", **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def visitors(module_hub, module_owner, hub_binary, tmp_path_factory):
    """All visitors, each with the events they may receive; None where the connection is refused."""
    from conftest import hubs

    owner, url = module_owner, module_hub.url
    grants = [{"device_id": "front-door", "actions": ["door.open"]}]
    login = {"username": "owner", "password": PASSWORD}
    ended = requests.post(url + "/api/v1/auth/login", json=login, timeout=60).json()
    requests.post(url + "/api/v1/auth/logout", json={"refresh_token": ended["refresh_token"]}, timeout=60)
    removed, disabled = resident(owner, "removed"), resident(owner, "disabled")
    orphan = program(removed)["token"]
    for person, change in ((removed, None), (disabled, {"disabled": True})):
        path = "/api/v1/people/" + person.get("/api/v1/people/me").json()["person_id"]
        assert (owner.call("PATCH", path, change) if change else owner.call("DELETE", path)).status_code in (200, 204)
    gone = program(owner)
    assert owner.call("DELETE", "/api/v1/auth/api-tokens/" + gone["token_id"]).status_code == 204
    short, over = program(owner, expires_at=house.in_seconds(3600)), house.let_in(owner, max_uses=0)
    house.end(module_hub.data, "api_tokens", short["token_id"])
    house.end(module_hub.data, "guests", over.guest_id)
    used, revoked, suspended, replaced = (house.let_in(owner, max_uses=1) for _ in range(4))
    assert used.act().status_code == 200
    for guest, decision in ((revoked, "revoke"), (suspended, "suspend")):
        assert owner.post(f"/api/v1/guests/{guest.guest_id}/{decision}").status_code == 200
    house.pair(module_hub, owner.post(f"/api/v1/guests/{replaced.guest_id}/code").json()["pairing_code"])
    with hubs(hub_binary) as start:
        other = start(tmp_path_factory.mktemp("other"), "--virtual-house")
        others = Owner(other, house.claim(other, PASSWORD))
        foreign_owner, foreign_guest, foreign_program = others.token, house.let_in(others).token, program(others)["token"]
    header, claims, _ = owner.token.split(".")
    unsigned = json.loads(base64.urlsafe_b64decode(header + "=="))
    unsigned = base64.urlsafe_b64encode(json.dumps({**unsigned, "alg": "none"}).encode()).decode().rstrip("=")
    bearer = ("Authorization", f"Bearer {owner.token}")
    proof = BrowserKey().proof(url + "/api/v1/auth/login")
    ((cookie, value),) = requests.post(url + "/api/v1/auth/login", json={**login, "cookie": True}, headers=proof, timeout=60).cookies.items()
    return [
        Visitor("nobody", NOTHING, fields=[]),
        Visitor("the token in the address", NOTHING, fields=[], query="?token=" + owner.token + "&access_token=" + owner.token),
        Visitor("another scheme", NOTHING, fields=[("Authorization", "Basic b3duZXI6cHc=")]),
        Visitor("the token under another scheme", NOTHING, fields=[("Authorization", f"Token {owner.token}")]),
        Visitor("a cookie alone", NOTHING, fields=[("Cookie", f"{cookie}={value}")]),
        Visitor("two Authorization fields", fields=[bearer, bearer]),
        Visitor("nonsense for a token", token="x.y.z"),
        Visitor("a refresh token as access", token=owner.refresh_token),
        Visitor("claims that nobody signed", token=f"{unsigned}.{claims}."),
        Visitor("a session that ended", token=ended["access_token"]),
        Visitor("somebody who was removed", token=removed.token),
        Visitor("somebody who was disabled", token=disabled.token),
        Visitor("another house's owner", token=foreign_owner),
        Visitor("another house's guest", token=foreign_guest),
        Visitor("another house's program", token=foreign_program),
        Visitor("a program whose maker went", token=orphan),
        Visitor("a program's token that was revoked", token=gone["token"]),
        Visitor("a program's token that is over", token=short["token"]),
        Visitor("a pass that another phone took over", token=replaced.token, known=True),
        Visitor("the owner", EVERYTHING, owner.token),
        Visitor("an admin", EVERYTHING, resident(owner, "admin", "admin").token),
        Visitor("a member", EVERYTHING, resident(owner, "member").token),
        Visitor("a role that holds nothing", NOTHING, resident(owner, "nothing", "guest").token, known=True),
        Visitor("a program for everything", EVERYTHING, program(owner)["token"]),
        Visitor("a program for one door", DOOR, program(owner, grants=grants)["token"]),
        Visitor("a pass", DOOR, house.let_in(owner).token),
        Visitor("a pass that is used up", DOOR, used.token),
        Visitor("a pass that has not begun", NOTHING, house.let_in(owner, starts_at=house.in_seconds(1800)).token, known=True),
        Visitor("a pass that is over", NOTHING, over.token, known=True),
        Visitor("a pass that was revoked", NOTHING, revoked.token, known=True),
        Visitor("a pass that is suspended", NOTHING, suspended.token, known=True),
    ]


def socket(hub, visitor, with_fields=True):
    fields = visitor.fields if with_fields else []
    return connect(hub.url.replace("http", "ws", 1) + "/api/v1/realtime" + visitor.query, additional_headers=fields, open_timeout=60)


def says(connection, **message):
    connection.send(json.dumps(message))


def hears(connection):
    return json.loads(connection.recv(timeout=60))


def snapshot(connection, **more):
    """The devices of the snapshot, or the code with which the hub closes."""
    says(connection, type="subscribe", **more)
    try:
        assert hears(connection)["type"] == "subscribed"
        return {device["device_id"] for device in hears(connection)["devices"]}
    except ConnectionClosed as closed:
        return closed.rcvd.code


def expected(visitor, filter, listed):
    if visitor.hears == NOTHING:
        return 4401
    seen = listed if visitor.hears == EVERYTHING else {"front-door"}
    return seen if filter is None else seen & set(filter)


def newest(owner):
    return owner.get("/api/v1/activity?limit=1").json()["entries"][0]


def test_each_caller_receives_only_permitted_events_and_refusals_are_audited(module_hub, module_owner, visitors):
    listed = {device["device_id"] for device in module_owner.get("/api/v1/devices").json()["devices"]}
    before = house.digests(module_hub.data)
    wrong, cells = [], 0

    def cell(visitor, what, found, right):
        nonlocal cells
        cells += 1
        if found != right:
            wrong.append(f"{visitor}, {what}: {found}, not {right}")

    for visitor in visitors:
        if visitor.hears is None:
            last = newest(module_owner)
            with pytest.raises(InvalidStatus) as refused:
                socket(module_hub, visitor)
            cell(visitor, "handshake", refused.value.response.status_code, 401)
            if visitor.known:
                # That is no new attempt: the last attempt is still the last.
                cell(visitor, "on record", newest(module_owner)["id"], last["id"])
            ticket = requests.post(module_hub.url + "/api/v1/realtime/ticket", headers=dict(visitor.fields[:1]), timeout=60)
            right = 401 if len(visitor.fields) == 1 else 201
            cell(visitor, "ticket", ticket.status_code, right)
            continue
        with socket(module_hub, visitor) as connection:
            says(connection, type="ping")
            cell(visitor, "ping", hears(connection)["type"], "pong")
        for name, filter in [("all", None), *DEVICES.items()]:
            more = {} if filter is None else {"devices": filter}
            last = newest(module_owner)["id"]
            with socket(module_hub, visitor) as connection:
                cell(visitor, f"subscribing to {name}", snapshot(connection, **more), expected(visitor, filter, listed))
            if visitor.known:
                entry = newest(module_owner)
                if visitor.is_guest:
                    cell(visitor, f"on record for {name}", entry["id"], last)
                else:
                    found = (entry["action"], entry["result"], entry["id"] > last)
                    cell(visitor, f"on record for {name}", found, ("look.realtime", "refused", True))
            if not visitor.token:
                continue
            ticket = requests.post(module_hub.url + "/api/v1/realtime/ticket", headers=dict(visitor.fields), timeout=60)
            cell(visitor, "ticket", ticket.status_code, 201)
            with socket(module_hub, visitor, with_fields=False) as connection:
                shown = snapshot(connection, ticket=ticket.json()["ticket"], **more)
                cell(visitor, f"subscribing to {name} by a ticket", shown, expected(visitor, filter, listed))
            with socket(module_hub, visitor, with_fields=False) as connection:
                cell(visitor, f"the ticket for {name} again", snapshot(connection, ticket=ticket.json()["ticket"], **more), 4401)
    after = house.digests(module_hub.data)
    assert not wrong, "\n".join(wrong)
    assert [table for table in after if after[table] != before.get(table)] == []
    print(f"{cells} cells of the socket")
    assert cells > 200


def test_no_websocket_extension_is_negotiated(module_hub, module_owner):
    with connect(
        module_hub.url.replace("http", "ws", 1) + "/api/v1/realtime",
        additional_headers={"Authorization": f"Bearer {module_owner.token}"}, compression="deflate", open_timeout=60,
    ) as connection:
        assert "Sec-WebSocket-Extensions" not in connection.response.headers
        assert connection.protocol.extensions == []


def test_our_own_page_needs_a_ticket(module_hub, module_owner):
    with connect(module_hub.url.replace("http", "ws", 1) + "/api/v1/realtime", origin=module_hub.url, open_timeout=60) as page:
        assert snapshot(page) == 4401
