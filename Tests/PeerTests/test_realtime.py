"""Realtime events for a client that is not ours: the `websockets` package, and raw frames for what it refuses to send."""

import base64
import contextlib
import itertools
import json
import os
import random
import socket
import struct
import threading
import time

import house
import pytest
import requests
from conftest import PASSWORD
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import connect

URL = "/api/v1/realtime"
SEED = int(os.environ.get("CARDEA_SEED", "7"))


def ws(hub, token=None, origin=None, **more):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return connect(hub.url.replace("http", "ws", 1) + URL, additional_headers=headers, origin=origin, open_timeout=60, **more)


def hear(connection):
    return json.loads(connection.recv(timeout=house.LIMIT))


def hear_until(connection, wanted):
    """All messages up to the first for which `wanted` is true."""
    heard = []
    deadline = time.monotonic() + house.LIMIT
    while not heard or not wanted(heard[-1]):
        assert time.monotonic() < deadline, f"it did not come; heard were {heard[-5:]}"
        heard.append(hear(connection))
    return heard


def lines_of(stream):
    """The lines of an endless answer. It gives up after the limit, since the stream itself sends keep-alives."""
    deadline = time.monotonic() + house.LIMIT
    for line in stream.iter_lines(decode_unicode=True):
        assert time.monotonic() < deadline, "it goes on, and what was waited for did not come"
        yield line


def changes_since(owner, cursor):
    """Every change in the journal from there on, page by page."""
    found = []
    while True:
        page = owner.get(f"/api/v1/changes?after={cursor}&limit=500").json()
        found += page["changes"]
        cursor = page["next"]
        if not page["more"]:
            return found


def subscribe(connection, **more):
    """Returns the cursor of the subscription, and the snapshot where one came."""
    connection.send(json.dumps({"type": "subscribe", **more}))
    answer = hear(connection)
    assert answer["type"] == "subscribed", answer
    if more.get("after") is not None:
        return answer["seq"], None
    snapshot = hear(connection)
    assert snapshot["type"] == "snapshot"
    return answer["seq"], snapshot


def control(owner, device, action, value=None):
    body = {"action": action} if value is None else {"action": action, "value": value}
    answer = owner.put(f"/api/v1/devices/{device}/control", body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def is_light(level):
    return lambda m: m.get("type") == "device_update" and m["data"]["device_id"] == "hall-light" and (
        m["data"]["entities"][0]["attributes"].get("brightness") == level
    )


def test_a_browser_gets_a_ticket_and_receives_events(module_hub, module_owner):
    ticket = module_owner.post("/api/v1/realtime/ticket")
    assert ticket.status_code == 201 and ticket.json()["expires_in"] == 30
    with ws(module_hub, origin=module_hub.url) as browser:
        _, snapshot = subscribe(browser, ticket=ticket.json()["ticket"])
        listed = module_owner.get("/api/v1/devices").json()["devices"]
        assert [d["device_id"] for d in snapshot["devices"]] == [d["device_id"] for d in listed]
        assert snapshot["devices"][0].keys() == listed[0].keys()
        control(module_owner, "front-door", "unlock")
        told = hear_until(browser, lambda m: m.get("type") == "command_update" and m["data"]["status"] == "confirmed")
        states = [m["data"]["entities"][0]["state"] for m in told if m["type"] == "device_update" and m["data"]["device_id"] == "front-door"]
        assert states[-1] == "unlocked"
        numbers = [m["seq"] for m in told]
        assert numbers == sorted(set(numbers)) and numbers[0] > snapshot["seq"]
        assert all(m["timestamp"].endswith("Z") for m in told)
        # A ticket works once.
        with ws(module_hub) as other:
            other.send(json.dumps({"type": "subscribe", "ticket": ticket.json()["ticket"]}))
            with pytest.raises(ConnectionClosed) as closed:
                hear(other)
            assert closed.value.rcvd.code == 4401


def test_a_token_in_the_url_and_a_foreign_origin_are_refused(module_hub, module_owner):
    with pytest.raises(InvalidStatus) as refused:
        ws(module_hub, module_owner.token, origin="https://elsewhere.example")
    assert refused.value.response.status_code == 403
    for lookalike in (module_hub.url + ".example.org", "null", module_hub.url[:-1] + ("2" if module_hub.url.endswith("1") else "1")):
        with pytest.raises(InvalidStatus):
            ws(module_hub, module_owner.token, origin=lookalike)
    with pytest.raises(InvalidStatus) as refused:
        ws(module_hub, "not-a-token")
    assert refused.value.response.status_code == 401
    with connect(module_hub.url.replace("http", "ws", 1) + URL + "?token=" + module_owner.token, open_timeout=60) as silent:
        silent.send(json.dumps({"type": "subscribe"}))
        with pytest.raises(ConnectionClosed) as closed:
            hear(silent)
        assert closed.value.rcvd.code == 4401


def test_plain_http_is_told_to_upgrade_and_other_upgrades_are_ignored(module_hub, module_owner):
    assert requests.get(module_hub.url + URL, timeout=60).status_code == 426
    answer = requests.get(module_hub.url + "/healthz", headers={"Upgrade": "h2c", "Connection": "Upgrade, HTTP2-Settings"}, timeout=60)
    assert answer.status_code == 200 and answer.headers["Connection"] == "close"
    assert requests.get(module_hub.url + URL, headers={"Upgrade": "h2c", "Connection": "Upgrade"}, timeout=60).status_code == 426


def test_a_reconnecting_client_gets_every_event_once(module_hub, module_owner):
    with ws(module_hub, module_owner.token) as first:
        _, snapshot = subscribe(first, kinds=["device_update"], devices=["hall-light"])
        control(module_owner, "hall-light", "set_brightness", 11)
        last = hear_until(first, is_light(11))[-1]["seq"]
    for level in (12, 13, 14):
        control(module_owner, "hall-light", "set_brightness", level)
    with ws(module_hub, module_owner.token) as second:
        now, _ = subscribe(second, after=last, kinds=["device_update"], devices=["hall-light"])
        control(module_owner, "hall-light", "set_brightness", 15)
        told = hear_until(second, lambda m: m.get("change", {}).get("attributes", {}).get("brightness") == 15)
    numbers = [m["seq"] for m in told]
    assert numbers == sorted(set(numbers)) and all(n > last for n in numbers)
    assert [m["change"]["attributes"]["brightness"] for m in told if "change" in m][-4:] == [12, 13, 14, 15]
    # The same, a page at a time.
    pages, cursor = [], last
    while True:
        page = module_owner.get(f"/api/v1/changes?after={cursor}&limit=5").json()
        pages += page["changes"]
        cursor = page["next"]
        if not page["more"]:
            break
    mine = [c["seq"] for c in pages if c["type"] == "device_update" and c["data"]["device_id"] == "hall-light"]
    assert mine[: len(numbers)] == numbers
    assert now >= last


def test_a_cursor_of_another_house_gets_a_gap_and_a_snapshot(module_hub, module_owner):
    with ws(module_hub, module_owner.token) as lost:
        subscribe(lost, after=10**12)
        gap, snapshot = hear(lost), hear(lost)
        assert gap["type"] == "gap" and gap["from"] == 10**12 and snapshot["type"] == "snapshot"
    answer = module_owner.get(f"/api/v1/changes?after={10**12}")
    assert answer.status_code == 410 and answer.json()["error"]["code"] == "cursor_too_old"
    assert module_owner.get("/api/v1/changes?after=-1").status_code == 400


def test_the_changes_list_a_removed_device(hub, owner):
    """A client that was away deletes the device by it: no other message names it."""
    def changes(after, limit=500):
        found = []
        while True:
            page = owner.get(f"/api/v1/changes?after={after}&limit={limit}").json()
            found += page["changes"]
            after = page["next"]
            if not page["more"]:
                return found

    def removals(after, limit=500):
        return [change for change in changes(after, limit) if change["type"] == "device_removed"]

    cursor = owner.get("/api/v1/changes").json()["next"]
    assert removals(cursor) == []
    assert owner.call("DELETE", "/api/v1/devices/study-light").status_code == 204
    gone, = removals(cursor)
    assert gone["data"] == {"device_id": "study-light"} and gone["seq"] > cursor and gone["timestamp"].endswith("Z")
    assert removals(cursor, limit=1) == [gone], "a page at a time it is the same"
    assert removals(gone["seq"]) == [], "whoever goes on from there has heard of it"
    # A client from far back learns that it is gone, without the history.
    known = [change["type"] for change in changes(0) if change["data"].get("device_id") == "study-light"]
    assert known and set(known) == {"device_removed"}
    with ws(hub, owner.token) as screen:
        subscribe(screen, after=cursor, kinds=["device_removed"])
        assert hear(screen) == gone


def test_a_pass_receives_events_of_its_own_door_only(module_hub, module_owner):
    guest = house.let_in(module_owner, max_uses=0)
    ticket = requests.post(module_hub.url + "/api/v1/realtime/ticket", headers={"Authorization": f"Bearer {guest.token}"}, timeout=60)
    with ws(module_hub) as phone:
        _, snapshot = subscribe(phone, ticket=ticket.json()["ticket"])
        assert [d["device_id"] for d in snapshot["devices"]] == ["front-door"]
        assert snapshot["devices"][0]["attributes"] == {} and len(snapshot["devices"][0]["entities"]) == 1
        assert {snapshot["devices"][0][name] for name in ("user_description", "discovery_method", "hub_id", "model")} == {None}
        control(module_owner, "hall-light", "set_brightness", 40)
        control(module_owner, "front-door", "unlock")
        assert guest.act().status_code == 200
        told = hear_until(phone, lambda m: m.get("type") == "command_update" and m["data"]["status"] == "confirmed")
        assert {m["data"]["device_id"] for m in told if m["type"] != "guest_update"} == {"front-door"}
        # Only the guest's own command.
        assert len({m["data"]["command_id"] for m in told if m["type"] == "command_update"}) == 1
        assert module_owner.post(f"/api/v1/guests/{guest.guest_id}/revoke").status_code in (200, 204)
        with pytest.raises(ConnectionClosed) as closed:
            hear_until(phone, lambda _: False)
        assert closed.value.rcvd.code == 4401


def test_signing_out_closes_the_socket(module_hub, module_owner):
    tokens = requests.post(
        module_hub.url + "/api/v1/auth/login", json={"username": "owner", "password": "correct horse battery staple"}, timeout=60
    ).json()
    with ws(module_hub, tokens["access_token"]) as screen:
        subscribe(screen)
        requests.post(
            module_hub.url + "/api/v1/auth/logout", json={"refresh_token": tokens["refresh_token"]},
            headers={"Authorization": f"Bearer {tokens['access_token']}"}, timeout=60)
        with pytest.raises(ConnectionClosed) as closed:
            hear_until(screen, lambda _: False)
        assert closed.value.rcvd.code == 4401


def test_server_sent_events_carry_the_same_events_and_cursor(module_hub, module_owner):
    headers = {"Authorization": f"Bearer {module_owner.token}"}
    url = module_hub.url + "/api/v1/realtime/events?kinds=device_update&devices=study-light"
    last = module_owner.get("/api/v1/changes?after=0&limit=500").json()["next"]
    control(module_owner, "study-light", "set_brightness", 21)
    with requests.get(url, headers={**headers, "Last-Event-ID": str(last)}, stream=True, timeout=60) as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        assert stream.headers["X-Accel-Buffering"] == "no", "nginx passes each event on as it comes"
        lines = lines_of(stream)
        numbers, levels = [], []
        changed = False
        for line in lines:
            if line.startswith("id: "):
                numbers.append(int(line[4:]))
            if line.startswith("data: "):
                levels.append(json.loads(line[6:])["data"]["entities"][0]["attributes"].get("brightness"))
                if levels[-1] == 21 and not changed:
                    changed = True
                    threading.Thread(target=control, args=(module_owner, "study-light", "set_brightness", 22)).start()
                if levels[-1] == 22:
                    break
        assert numbers == sorted(set(numbers)) and numbers[0] > last
    with requests.get(url, headers=headers, stream=True, timeout=60) as stream:
        assert next(l for l in lines_of(stream) if l.startswith("event: ")) == "event: snapshot"


def test_server_sent_events_end_with_a_revoked_pass_or_session(module_hub, module_owner):
    def listen(token):
        stream = requests.get(
            module_hub.url + "/api/v1/realtime/events", headers={"Authorization": f"Bearer {token}"}, stream=True, timeout=60)
        lines = lines_of(stream)
        assert next(line for line in lines if line.startswith("event: ")) == "event: snapshot"
        return stream, lines

    guest = house.let_in(module_owner, max_uses=0)
    tokens = requests.post(module_hub.url + "/api/v1/auth/login", json={"username": "owner", "password": PASSWORD}, timeout=60).json()
    bearer = {"Authorization": f"Bearer {tokens['access_token']}"}

    def take_back():
        assert module_owner.post(f"/api/v1/guests/{guest.guest_id}/revoke").status_code in (200, 204)

    def sign_out():
        requests.post(
            module_hub.url + "/api/v1/auth/logout", json={"refresh_token": tokens["refresh_token"]}, headers=bearer, timeout=60)

    for token, end in ((guest.token, take_back), (tokens["access_token"], sign_out)):
        stream, lines = listen(token)
        with stream:
            end()
            for _ in lines:
                pass


# Frames that no regular client sends.


def raw(hub, token):
    port = int(hub.url.rsplit(":", 1)[1])
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    key = base64.b64encode(os.urandom(16)).decode()
    connection.sendall(
        f"GET {URL} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {key}\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    )
    head = b""
    while b"\r\n\r\n" not in head:
        piece = connection.recv(1)
        assert piece, f"it hung up: {head}"
        head += piece
    assert head.startswith(b"HTTP/1.1 101"), head
    return connection


def frame(opcode, payload, fin=True, mask=True, rsv=0):
    first = (0x80 if fin else 0) | rsv | opcode
    length = len(payload)
    size = bytes([length | (0x80 if mask else 0)]) if length < 126 else struct.pack("!BH", 126 | (0x80 if mask else 0), length)
    if length > 0xFFFF:
        size = struct.pack("!BQ", 127 | (0x80 if mask else 0), length)
    if not mask:
        return bytes([first]) + size + payload
    key = b"\x01\x02\x03\x04"
    return bytes([first]) + size + key + bytes(b ^ key[i % 4] for i, b in enumerate(payload))


def close_code(connection):
    """The hub's close code; None where it only drops the connection."""
    data = b""
    while True:
        try:
            chunk = connection.recv(4096)
        except ConnectionResetError:
            chunk = b""
        data += chunk
        while len(data) >= 2:
            length, start = data[1] & 0x7F, 2
            if length == 126 and len(data) >= 4:
                length, start = struct.unpack("!H", data[2:4])[0], 4
            if len(data) < start + length:
                break
            opcode, payload, data = data[0] & 0x0F, data[start : start + length], data[start + length :]
            if opcode == 8:
                return struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else 1005
        if not chunk:
            return None


BAD_FRAMES = {
    "unmasked text": (frame(1, b"{}", mask=False), {1002}),
    "a reserved bit": (frame(1, b"{}", rsv=0x40), {1002}),
    "all reserved bits": (frame(1, b"{}", rsv=0x70), {1002}),
    "an unknown opcode": (frame(3, b"{}"), {1002}),
    "an unknown control opcode": (frame(11, b""), {1002}),
    "text that is no UTF-8": (frame(1, b"\xff\xfe\xfd"), {1007}),
    "an overlong UTF-8 form": (frame(1, b"\xc0\xaf"), {1007}),
    "a surrogate in UTF-8": (frame(1, b"\xed\xa0\x80"), {1007}),
    "a binary message": (frame(2, b"\x00\x01"), {1003}),
    "a message of 17 KiB": (frame(1, b"x" * 17 * 1024), {1009}),
    "fragments of 17 KiB together": (frame(1, b"x" * 9000, fin=False) + frame(0, b"x" * 9000), {1009}),
    "a claim of a gigabyte": (struct.pack("!BBQ", 0x81, 0xFF, 1 << 30) + b"\x00" * 4, {1009}),
    "a claim of 2^63 bytes": (struct.pack("!BBQ", 0x81, 0xFF, 1 << 63) + b"\x00" * 4, {1002, 1009, None}),
    "a continuation of nothing": (frame(0, b"x"), {1002}),
    "a new message inside a message": (frame(1, b"x", fin=False) + frame(1, b"y"), {1002}),
    "a hundred empty fragments": (frame(1, b"", fin=False) + frame(0, b"", fin=False) * 100, {1002, 1009}),
    "a fragmented ping": (frame(9, b"", fin=False), {1002, None}),
    "a ping of 126 bytes": (frame(9, b"x" * 126), {1002, None}),
    "a close of one byte": (frame(8, b"\x03"), {1002}),
    "a close with code 1005": (frame(8, struct.pack("!H", 1005)), {1002}),
    "a close with code 999": (frame(8, struct.pack("!H", 999)), {1002}),
    "a close with a reason that is no UTF-8": (frame(8, struct.pack("!H", 1000) + b"\xff"), {1002}),
    "a flood of pings": (frame(9, b"") * 200, {1008}),
    "a flood of messages": (frame(1, b'{"type":"ping"}') * 200, {1008}),
}


@pytest.mark.parametrize("name", BAD_FRAMES)
def test_a_bad_frame_closes_only_its_own_socket_with_its_code(module_hub, module_owner, name):
    data, codes = BAD_FRAMES[name]
    with raw(module_hub, module_owner.token) as connection:
        connection.sendall(data)
        assert close_code(connection) in codes
    assert requests.get(module_hub.url + "/healthz", timeout=60).status_code == 200


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"type":7}', '{"type":"subscribe","after":"x"}', '{"type":"subscribe","after":-1}',
                                  '{"type":"nonsense"}', '{"type":"subscribe","x":1}', '{"type":"subscribe","kinds":[1]}', "\u0000"])
def test_an_unknown_message_gets_an_error_or_a_snapshot_and_the_socket_stays(module_hub, module_owner, text):
    with ws(module_hub, module_owner.token) as connection:
        connection.send(text)
        answer = hear(connection)
        assert answer["type"] in ("error", "subscribed"), answer
        connection.send('{"type":"ping"}')
        hear_until(connection, lambda m: m["type"] == "pong")


def test_a_frame_in_the_handshake_packet_ends_only_its_own_socket(module_hub, module_owner):
    port = int(module_hub.url.rsplit(":", 1)[1])
    key = base64.b64encode(os.urandom(16)).decode()
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as hasty:
            hasty.sendall(
                f"GET {URL} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Key: {key}\r\nAuthorization: Bearer {module_owner.token}\r\n\r\n".encode() + frame(1, b'{"type":"ping"}') * 3
            )
            assert hasty.recv(12) == b"HTTP/1.1 101"
    assert requests.get(module_hub.url + "/healthz", timeout=60).status_code == 200


def test_a_silent_socket_is_closed(module_hub, module_owner):
    begun = time.monotonic()
    with raw(module_hub, module_owner.token) as connection:
        assert close_code(connection) == 1008
    assert time.monotonic() - begun > 9, "it is given ten seconds"


def test_a_stalled_reader_is_closed_and_delays_no_other(module_hub, module_owner):
    with ws(module_hub, module_owner.token, max_queue=None) as reader, raw(module_hub, module_owner.token) as stuck:
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        subscribe(reader, kinds=["device_update"], devices=["hall-light"])
        is_gone = threading.Event()

        def ask_and_read_nothing():
            """Each subscription brings a snapshot that is not read, so the next ones find no room.
    A hundred in ten seconds would close the socket for that."""
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                while True:
                    stuck.sendall(frame(1, b'{"type":"subscribe"}') * 8)
                    house.pause(1)
            is_gone.set()

        asking = threading.Thread(target=ask_and_read_nothing, daemon=True)
        asking.start()
        levels = itertools.cycle(range(1, 100))

        def is_told_until_the_other_is_gone():
            level = next(levels)
            control(module_owner, "hall-light", "set_brightness", level)
            hear_until(reader, is_light(level))
            return house.pause(1, is_gone)

        house.until(is_told_until_the_other_is_gone, "the one that reads nothing is hung up on")
        asking.join()


def test_the_hub_stops_cleanly_with_open_sockets(start_hub, tmp_path):
    from conftest import PASSWORD, Owner

    hub = start_hub(tmp_path / "house", "--virtual-house")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    with ws(hub, owner.token) as screen:
        subscribe(screen)
        ending = threading.Thread(target=hub.stop)
        ending.start()
        with pytest.raises(ConnectionClosed) as closed:
            hear_until(screen, lambda _: False)
        ending.join()
        assert closed.value.rcvd.code == 1001
        assert hub.process.returncode == 0


def test_a_stopping_hub_closes_every_connection_and_finishes_its_work(start_hub, tmp_path):
    """Each of them would otherwise hold up the stop: half a head for ten seconds, a body for thirty, an idle connection for sixty, and
    a socket that does not answer a close frame forever."""
    from conftest import Owner

    hub = start_hub(tmp_path / "house", "--virtual-house")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    port = int(hub.url.rsplit(":", 1)[1])
    body = json.dumps({"action": "unlock"}).encode()
    health = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    unlock = (
        f"PUT /api/v1/devices/front-door/control HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {owner.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode()

    def is_answered(line):
        heard = b""
        while not heard.endswith(b"ok\n"):
            chunk = line.recv(4096)
            assert chunk, heard
            heard += chunk

    def rest(line):
        heard = b""
        with contextlib.suppress(ConnectionResetError):
            while chunk := line.recv(4096):
                heard += chunk
        return heard

    with contextlib.ExitStack() as lines:
        silent, half, later, idle, busy = (
            lines.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60)) for _ in range(5))
        half.sendall(b"GET /healthz HTTP/1.1\r\nHost:")
        later.sendall(health + b"GET /healthz HTTP/1.1\r\nHost:")
        idle.sendall(health)
        # At the answer to the first request the hub has the second one's head, which came with it.
        busy.sendall(health + unlock + body[:5])
        for line in (later, idle, busy):
            is_answered(line)
        # It does not answer the close frame.
        listener = lines.enter_context(raw(hub, owner.token))

        hub.process.terminate()
        assert [rest(line) for line in (silent, half, later, idle)] == [b""] * 4
        assert close_code(listener) == 1001 and rest(listener) == b""
        assert hub.process.poll() is None, "somebody is still being answered"
        busy.sendall(body[5:])
        answer = rest(busy)
        assert answer.startswith(b"HTTP/1.1 200 ") and b'"confirmed"' in answer
        assert hub.process.wait(60) == 0


def test_hub_and_clients_killed_at_random_agree_with_the_journal(start_hub, tmp_path):
    """Each client stores its events and its last cursor; whichever process dies, in the end all have the journal's events."""
    from conftest import PASSWORD, Owner

    data = tmp_path / "house"
    port = house.free_port()
    hub = start_hub(data, "--virtual-house", "--listen", f"127.0.0.1:{port}")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    print(f"CARDEA_SEED={SEED}")
    chance = random.Random(SEED)
    settled, over = threading.Event(), threading.Event()
    logs = [[] for _ in range(4)]
    first = changes_since(owner, 0)[-1]["seq"]

    def cut(line):
        """Until the last restart, each connection is cut after a moment."""
        with contextlib.suppress(OSError):  # The process has ended.
            settled.is_set() or line.shutdown(socket.SHUT_RDWR)

    def follow(log, dice):
        cursor = first
        while not over.is_set():
            with contextlib.suppress(OSError, ConnectionClosed, InvalidHandshake, TimeoutError, EOFError):
                with connect(f"ws://127.0.0.1:{port}{URL}", additional_headers={"Authorization": f"Bearer {owner.token}"}, open_timeout=60) as c:
                    life = threading.Timer(dice.uniform(0.1, 1.5), cut, [c.socket])
                    life.start()
                    try:
                        c.send(json.dumps({"type": "subscribe", "after": cursor, "kinds": ["device_update"], "devices": ["hall-light"]}))
                        for message in map(json.loads, c):
                            assert message["type"] not in ("gap", "snapshot"), message
                            if "seq" in message and message["type"] == "device_update":
                                log.append(message["seq"])
                                cursor = message["seq"]
                    finally:
                        life.cancel()
            house.pause(0.05, over)

    followers = [
        threading.Thread(target=follow, args=(log, random.Random(f"{SEED}/{number}")), daemon=True) for number, log in enumerate(logs)]
    for follower in followers:
        follower.start()
    level = 0
    for _ in range(6):
        for _ in range(chance.randint(5, 40)):
            level = level % 99 + 1
            control(owner, "hall-light", "set_brightness", level)
        hub.kill()
        hub = start_hub(data, "--virtual-house", "--listen", f"127.0.0.1:{port}")
        owner.hub = hub
    settled.set()
    rows = [c["seq"] for c in changes_since(owner, first) if c["type"] == "device_update" and c["data"]["device_id"] == "hall-light"]
    try:
        house.until(lambda: all(log and log[-1] == rows[-1] for log in logs), "every follower has the last row")
    finally:
        over.set()
        hub.kill()
        for follower in followers:
            follower.join()
    assert len(rows) > 20
    for log in logs:
        assert log == rows


def test_devices_changed_together_arrive_in_one_message_with_their_own_numbers(module_hub, module_owner):
    control(module_owner, "hall-light", "set_brightness", 21)
    single = [change for change in changes_since(module_owner, 0) if change["type"] == "device_update"]

    def replay(after, upto):
        """The messages that a reader of batches gets from `after` on."""
        with ws(module_hub, module_owner.token) as reader:
            subscribe(reader, after=after, kinds=["batch_device_update", "command_update"])
            # An event between two device changes splits the batch, so that the order of all events is kept.
            return [m for m in hear_until(reader, lambda m: m["seq"] >= upto) if m["type"] != "command_update"]

    def events(messages):
        every = [event for m in messages for event in (m["data"]["events"] if m["type"] == "batch_device_update" else [m])]
        # The weather keeps changing meanwhile.
        return [event for event in every if event["seq"] <= single[-1]["seq"]]

    # The devices were added in a few commits: a reader from the beginning gets the same devices, in fewer messages.
    told = replay(0, single[-1]["seq"])
    batches = [m for m in told if m["type"] == "batch_device_update"]
    assert batches and len(told) < len(single)
    assert [(e["seq"], e["type"], e["data"]["device_id"]) for e in events(told)] == [
        (e["seq"], e["type"], e["data"]["device_id"]) for e in single
    ]
    for batch in batches:
        numbers = [e["seq"] for e in batch["data"]["events"]]
        assert 2 <= len(numbers) <= 64 and numbers == sorted(set(numbers)) and batch["seq"] == numbers[-1]
        assert batch["timestamp"] == batch["data"]["events"][-1]["timestamp"]
        assert batch["data"]["events"][0]["data"].keys() == single[0]["data"].keys()
    # A client that resumes with a batch's cursor, or with that of an event in the middle of it, gets exactly the rest.
    for cursor in (batches[0]["seq"], batches[0]["data"]["events"][0]["seq"]):
        assert cursor < single[-1]["seq"]
        rest = events(replay(cursor, single[-1]["seq"]))
        assert [e["seq"] for e in rest] == [e["seq"] for e in single if e["seq"] > cursor]
    # A single change comes alone; a client without a filter of kinds gets each event separately.
    with ws(module_hub, module_owner.token) as batched, ws(module_hub, module_owner.token) as everything:
        subscribe(batched, kinds=["batch_device_update"], devices=["hall-light"])
        subscribe(everything, after=0)
        control(module_owner, "hall-light", "set_brightness", 22)
        assert hear(batched)["type"] == "device_update"
        heard = hear_until(everything, is_light(22))
        assert not any(m["type"] == "batch_device_update" for m in heard)
    with requests.get(
        module_hub.url + URL + "/events?kinds=batch_device_update,command_update&after=0", headers={"Authorization": f"Bearer {module_owner.token}"},
        stream=True, timeout=60) as stream:
        lines = lines_of(stream)
        assert next(lines) == f"id: {told[0]['seq']}"
        assert next(lines) == f"event: {told[0]['type']}"


def test_connection_state_is_sent_to_those_who_manage_it(module_hub, module_owner):
    guest = house.let_in(module_owner, {"device_id": "front-door", "actions": ["door.open"]}, max_uses=1)
    invited = module_owner.post("/api/v1/people", {"name": "Kim", "role": "member"}).json()
    kim = requests.post(
        module_hub.url + "/api/v1/people/accept",
        json={"invite_token": invited["invite_link"].split("#")[1], "username": "kim", "password": PASSWORD}, timeout=60).json()

    def standings(connection, last):
        """The connection states of the broker sent up to this point; the mind sends its mood, too."""
        is_brokers = lambda m: m["data"].get("integration") == "mqtt"  # noqa: E731
        return list(filter(is_brokers, hear_until(connection, lambda m: is_brokers(m) and m["data"]["status"] == last)))

    with ws(module_hub, module_owner.token) as owner, ws(module_hub, kim["access_token"]) as member, ws(module_hub, guest.token) as visitor:
        seq, _ = subscribe(owner, kinds=["status_update"])
        for other in (member, visitor):
            subscribe(other)
        port = house.free_port()
        assert module_owner.put("/api/v1/integrations/mqtt", {"host": "127.0.0.1", "port": port}).status_code == 200
        told = standings(owner, "failed")
        assert [m["data"]["status"] for m in told] == ["connecting", "failed"]
        assert told[0]["data"] == {"integration": "mqtt", "status": "connecting", "reason": None}
        assert "refused" in told[1]["data"]["reason"]
        assert module_owner.call("DELETE", "/api/v1/integrations/mqtt").status_code == 204
        # It is retried meanwhile, and may fail for another reason.
        told += standings(owner, "off")
        assert {m["data"]["status"] for m in told[2:-1]} <= {"connecting", "failed"}
        # The others received what they may, and nothing of this.
        control(module_owner, "front-door", "unlock")
        for other in (member, visitor):
            heard = hear_until(other, lambda m: m["type"] == "device_update" and m["data"]["device_id"] == "front-door")
            assert not any(m["type"] == "status_update" for m in heard)
    with ws(module_hub, module_owner.token) as again:
        subscribe(again, after=seq, kinds=["status_update"])
        assert [(m["seq"], m["data"]) for m in standings(again, "off")] == [(m["seq"], m["data"]) for m in told]
