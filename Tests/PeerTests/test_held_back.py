"""A request whose body is held back. The caller is authenticated when the whole body has arrived."""

import json
import socket
import urllib.parse

import house
from conftest import PASSWORD, Owner


def begin(hub, method, path, token, body):
    """Sends the head alone; returns the connection and the rest of the body."""
    place = urllib.parse.urlsplit(hub.url)
    data = json.dumps(body).encode()
    line = socket.create_connection((place.hostname, place.port), timeout=60)
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n"
    )
    line.sendall(head.encode())
    return line, data


def finish(line, data):
    """Sends the rest; returns the status."""
    line.sendall(data)
    answer = b""
    while piece := line.recv(65536):
        answer += piece
    line.close()
    return int(answer.split(b" ", 2)[1])


def test_a_session_that_ends_before_the_body_arrives_opens_no_door(hub, owner):
    """A stolen session could start a request, wait until the session ended, and open the door half a minute later."""
    signed_in = {"username": "owner", "password": PASSWORD}
    stolen = Owner(hub, owner.post("/api/v1/auth/login", signed_in).json())
    door = begin(hub, "PUT", "/api/v1/devices/front-door/control", stolen.token, {"action": "unlock"})
    invitation = begin(
        hub, "POST", "/api/v1/guests", stolen.token, house.draft({"device_id": "front-door", "actions": ["door.open"]}, name="Mallory")
    )

    assert owner.post("/api/v1/auth/sessions/revoke-all", {"keep_current": True}).status_code == 200

    assert finish(*door) == 401
    assert finish(*invitation) == 401
    assert house.actuations(owner) == 0
    assert "Mallory" not in owner.get("/api/v1/guests").text


def test_a_pass_taken_by_another_phone_before_the_body_arrives_opens_no_door(hub, owner):
    guest = house.let_in(owner, {"device_id": "front-door", "actions": ["door.open"]})
    door = begin(hub, "POST", "/api/guest_access/action", guest.token, {"action": "door.open"})

    code = owner.post(f"/api/v1/guests/{guest.guest_id}/code", {}).json()["pairing_code"]
    assert house.pair(hub, code).status_code == 200

    assert finish(*door) == 401
    assert house.actuations(owner) == 0
