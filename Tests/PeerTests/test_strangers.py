"""Strangers who hold every connection they can get do not block the residents.

Benchmarks/times/test_strangers_speed.py measures the response time meanwhile.
"""

import base64
import collections
import contextlib
import http.client
import itertools
import json
import os

import house
import requests
from conftest import PASSWORD, Owner
from test_realtime import control, hear_until, is_light, subscribe, ws
from test_slow_clients import PER_ADDRESS, STRANGERS, addresses, ask, dial, held, room_for_sockets  # noqa: F401

LOGIN = {"username": "owner", "password": PASSWORD}


def port_of(hub):
    return int(hub.url.rsplit(":", 1)[1])


def upgrade(port, more=""):
    """Requests a WebSocket without a token."""
    key = base64.b64encode(os.urandom(16)).decode()
    fields = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n{more}"
    return ask(port, "/api/v1/realtime", fields)


@contextlib.contextmanager
def strangers(port, sources):
    """Returns a function that opens connections until strangers hold all they may: every other one is silent, the
    others become WebSockets without a token."""
    lines, turn = collections.deque(), itertools.count()

    def enter():
        line = dial(port, next(sources))
        lines.append(line)
        # The first were disconnected long ago.
        if len(lines) > 2 * STRANGERS:
            lines.popleft().close()
        if next(turn) % 2:
            with contextlib.suppress(OSError):
                line.sendall(upgrade(port))

    def are_many():
        # Each is disconnected after a few seconds, and another takes its place.
        for _ in range(STRANGERS + PER_ADDRESS - len(held(port))):
            enter()
        return len(held(port)) >= STRANGERS // 2

    try:
        yield lambda: house.until(are_many, "strangers hold what they can get")
    finally:
        for line in lines:
            line.close()


def test_sixteen_addresses_holding_every_connection_block_no_resident(module_hub, module_owner):
    """Between any two requests of a resident, the strangers take every connection again."""
    port = port_of(module_hub)
    sources = itertools.cycle(itertools.islice(addresses(first=60), 16))
    with ws(module_hub, module_owner.token) as resident, strangers(port, sources) as fill:
        subscribe(resident, kinds=["device_update"], devices=["hall-light"])
        fill()
        signed_in = requests.post(module_hub.url + "/api/v1/auth/login", json=LOGIN, timeout=60)
        assert signed_in.status_code == 200, signed_in.text
        owner = Owner(module_hub, signed_in.json())
        fill()
        ticket = owner.post("/api/v1/realtime/ticket").json()["ticket"]
        fill()
        with ws(module_hub) as newcomer:
            subscribe(newcomer, ticket=ticket, kinds=["device_update"], devices=["hall-light"])
            fill()
            control(owner, "hall-light", "set_brightness", 41)
            hear_until(newcomer, is_light(41))
        # It was there before them, and kept its place.
        hear_until(resident, is_light(41))
        fill()
        guest = house.let_in(owner)
        fill()
        opened = guest.act()
        assert opened.status_code == 200, opened.text


def read(line, wanted):
    """Reads until this was received, or the hub disconnects."""
    heard = b""
    while wanted not in heard and (more := line.recv(4096)):
        heard += more
    return heard


def test_sockets_without_a_token_behind_a_proxy_block_no_resident(start_hub, tmp_path):
    """A trusted proxy is not one address: every caller arrives through it."""
    proxy = "127.0.61.1"
    hub = start_hub(tmp_path / "house", "--virtual-house", "--trusted-proxy", proxy)
    house.claim(hub, PASSWORD)
    port, lines = port_of(hub), []
    try:
        for number in range(3 * PER_ADDRESS):
            line = dial(port, proxy)
            lines.append(line)
            line.sendall(upgrade(port, f"X-Forwarded-For: 203.0.113.{number}\r\n"))
            assert read(line, b"\r\n\r\n").startswith(b"HTTP/1.1 101"), f"socket {number} was turned away"
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(proxy, 0))
        with contextlib.closing(connection):
            headers = {"Content-Type": "application/json", "X-Forwarded-For": "192.168.1.50"}
            connection.request("POST", "/api/v1/auth/login", json.dumps(LOGIN), headers)
            answer = connection.getresponse()
            token = json.loads(answer.read())["access_token"]
            assert answer.status == 200
            # On the same connection, which kept its place meanwhile.
            connection.request("GET", "/api/v1/devices", headers={**headers, "Authorization": f"Bearer {token}"})
            assert connection.getresponse().status == 200
    finally:
        for line in lines:
            line.close()
