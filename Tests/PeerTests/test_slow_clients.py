"""Clients that are slow, or stuck, or very many: each is let go in its time, and nobody else waits for them.

A source address of their own (`127.0.1.7`) makes them strangers to one another: all of 127/8 is this machine.
"""

import base64
import contextlib
import http.client
import itertools
import os
import re
import resource
import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import house
import pytest
import requests
from conftest import PASSWORD, hubs

PER_ADDRESS, TOTAL = 64, 1024
DRIPPING = 2000


@pytest.fixture(scope="module")
def port(module_hub):
    return int(module_hub.url.rsplit(":", 1)[1])


@pytest.fixture(scope="module", autouse=True)
def room_for_sockets():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))


def dial(port, address="127.0.0.1", timeout=10):
    return socket.create_connection(("127.0.0.1", port), timeout=timeout, source_address=(address, 0))


def addresses(first=1):
    """Addresses of this machine that nobody else uses."""
    return (f"127.0.{third}.{last}" for third in range(first, 255) for last in range(1, 255))


def ask(port, path="/healthz", more=""):
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{more}\r\n".encode()


def hung_up_after(line, say=b"", every=0.5, within=100):
    """Seconds until the hub hangs up, while `say` is dripped. What it answers is not read where `say` is nothing."""
    begun = time.monotonic()
    line.settimeout(every)
    while time.monotonic() - begun < within:
        try:
            if say:
                line.send(say)
            if not line.recv(65536):
                break
        except TimeoutError:
            continue
        except OSError:
            break
    return time.monotonic() - begun


def written(address, port):
    """An end of a connection as the kernel's own table has it."""
    return socket.inet_aton(address)[::-1].hex().upper() + f":{port:04X}"


def held(port):
    """The other ends of connections whose end at the hub is open."""
    ours = written("127.0.0.1", port)
    with open("/proc/net/tcp") as table:
        ends = [line.split()[1:4] for line in table if ours in line]
    return [remote for local, remote, state in ends if local == ours and state == "01"]


def holds(port, address):
    """Whether the hub's end of a connection from this address is still open."""
    return any(remote.startswith(written(address, 0)[:8]) for remote in held(port))


def is_served(port, address):
    """Whether one more caller is answered; a refused one is hung up on."""
    with contextlib.suppress(OSError), dial(port, address) as line:
        line.sendall(ask(port))
        return line.recv(12) == b"HTTP/1.1 200"
    return False


def ninety_ninth(line, port, count=400):
    """The 99th percentile of a caller who keeps one connection, in seconds."""
    times = []
    for _ in range(count):
        begun = time.monotonic()
        line.sendall(ask(port))
        head = b""
        while b"\r\n\r\n" not in head or not head.endswith(b"ok\n"):
            more = line.recv(4096)
            assert more, "the caller was hung up on"
            head += more
        times.append(time.monotonic() - begun)
    return sorted(times)[int(count * 0.99)]


def test_two_thousand_who_drip_their_heads_are_let_go_and_a_caller_does_not_notice(port):
    """A byte at a time: with the caller at most 1 024 are held, each for ten seconds, and the others are hung up on at once."""
    lines, caller = [], dial(port, "127.0.250.1")
    try:
        usual = min(ninety_ninth(caller, port) for _ in range(5))
        strangers = (address for address in addresses(first=10) for _ in range(50))
        dripping = True

        def drip():
            # One after another, each about once in ten seconds: this process has its own callers to serve.
            gone = set()
            while dripping:
                for line in [line for line in lines if line not in gone]:
                    if not dripping:
                        break
                    try:
                        line.send(b"a")
                    except OSError:
                        gone.add(line)
                    else:
                        time.sleep(0.01)
                time.sleep(0.01)

        def enter(count):
            for address in itertools.islice(strangers, count):
                line = dial(port, address)
                with contextlib.suppress(OSError):
                    line.sendall(b"GET /healthz HTTP/1.1\r\nX-")
                lines.append(line)

        dripper = threading.Thread(target=drip)
        dripper.start()
        try:
            # It is looked at as soon as it is full: dripping prolongs nobody's ten seconds, and on a busy machine so many calls take long.
            enter(TOTAL + 76)
            house.until(lambda: TOTAL - 8 <= len(held(port)) <= TOTAL, 5, "there is room for 1 024, and for no more")
            enter(DRIPPING - len(lines))
            begun = time.monotonic()
            house.until(lambda: len(held(port)) <= TOTAL, 5, "there is no room for those who come later")
            crowded = min(ninety_ninth(caller, port) for _ in range(5))
        finally:
            dripping = False
            dripper.join()
        # Five milliseconds are what a busy machine's clock is worth; below that twice nothing is nothing.
        assert crowded <= max(2 * usual, 0.005), f"{usual * 1000:.2f} ms alone, {crowded * 1000:.2f} ms in the crowd"
        for line in lines:
            hung_up_after(line, within=max(0.1, 16 - (time.monotonic() - begun)))
        assert time.monotonic() - begun < 17, "somebody who never ended their head is still there"
    finally:
        for line in [caller, *lines]:
            line.close()


def test_one_address_gets_64_connections_all_together_1024_and_the_rest_wait_for_a_place(port):
    lines = []
    try:
        served = 0
        for address in list(addresses(first=40))[:17]:
            for _ in range(PER_ADDRESS):
                line = dial(port, address)
                lines.append(line)
                line.sendall(ask(port))
        for line in lines:
            with contextlib.suppress(OSError):
                served += line.recv(12) == b"HTTP/1.1 200"
        assert TOTAL - 8 <= served <= TOTAL, f"{served} connections were served at once"
        assert not is_served(port, "127.0.200.1"), "one more than there is room for was served"
        for line in lines[:PER_ADDRESS]:
            line.close()
        house.until(lambda: is_served(port, "127.0.200.1"), 10, "places that were given back are given out again")
    finally:
        for line in lines:
            line.close()


def slow_reader(port):
    """Asks for much, and reads nothing of it."""
    with dial(port, "127.0.100.1", timeout=1) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        begun = time.monotonic()
        with contextlib.suppress(OSError):
            for _ in range(2000):
                line.sendall(ask(port, "/assets/Shell/text.js"))
        while holds(port, "127.0.100.1") and time.monotonic() - begun < 100:
            time.sleep(1)
        return time.monotonic() - begun


def idle(port):
    """Asked once, was answered, and says nothing more."""
    with dial(port, "127.0.100.2") as line:
        line.sendall(ask(port))
        return hung_up_after(line)


def half_a_head_later(port):
    """The second request of a connection comes a byte at a time."""
    with dial(port, "127.0.100.3") as line:
        line.sendall(ask(port))
        line.recv(65536)
        line.sendall(b"GET /healthz HTTP/1.1\r\nX-")
        return hung_up_after(line, b"a", every=1)


def deaf_listener(port, token):
    """Subscribed, and answers no ping."""
    with dial(port, "127.0.100.4") as line:
        key = base64.b64encode(os.urandom(16)).decode()
        line.sendall(
            ask(port, "/api/v1/realtime",
                f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
                f"Authorization: Bearer {token}\r\n"))
        while b"\r\n\r\n" not in line.recv(65536):
            pass
        text, mask = b'{"type":"subscribe","kinds":["house_update"]}', b"\x01\x02\x03\x04"
        line.sendall(struct.pack("!BB", 0x81, 0x80 | len(text)) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(text)))
        return hung_up_after(line)


@pytest.fixture(scope="module", autouse=True)
def dawdlers(hub_binary, tmp_path_factory, room_for_sockets):
    """Those who are let go after a minute or sooner, at a house of their own while the other tests have theirs. Answers after how many seconds
    each of them was, once all are."""
    over = threading.Event()
    with hubs(hub_binary) as start, ThreadPoolExecutor(5) as pool:
        hub = start(tmp_path_factory.mktemp("dawdled"), "--virtual-house")
        port, token = int(hub.url.rsplit(":", 1)[1]), house.claim(hub, PASSWORD)["access_token"]
        callers = {
            "reads nothing": pool.submit(slow_reader, port), "says nothing more": pool.submit(idle, port),
            "drips later": pool.submit(half_a_head_later, port), "answers no ping": pool.submit(deaf_listener, port, token),
        }

        def others():
            """Nobody else waits for them."""
            while not over.is_set() and not all(caller.done() for caller in callers.values()):
                assert requests.get(hub.url + "/readyz", timeout=2).status_code == 200
                over.wait(0.5)

        served = pool.submit(others)

        def ended():
            served.result()
            return {name: caller.result() for name, caller in callers.items()}

        try:
            yield ended
        finally:
            over.set()
            # Where nobody asked for their end, they have it now.
            hub.stop()


def test_whoever_does_not_read_falls_silent_or_dawdles_later_is_let_go_too(dawdlers):
    found = dawdlers()
    assert 25 <= found["reads nothing"] <= 45, found
    assert found["says nothing more"] <= 65 and 8 <= found["drips later"] <= 15, found
    assert 55 <= found["answers no ping"] <= 85, found


def hangs_up_on_who_reads_nothing(hub, owner, address, wrap=lambda line: line):
    """Holds that somebody who listens, and reads nothing, has no connection any more a second after their session ended."""
    port = int(hub.url.rsplit(":", 1)[1])
    login = {"username": "owner", "password": PASSWORD}
    tokens = requests.post(hub.url + "/api/v1/auth/login", json=login, timeout=30).json()
    bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.settimeout(10)
        raw.bind((address, 0))
        raw.connect(("127.0.0.1", port))
        with wrap(raw) as line:
            line.sendall(ask(port, "/api/v1/realtime/events", f"Authorization: {bearer['Authorization']}\r\n"))
            assert line.recv(64).startswith(b"HTTP/1.1 200")
            # More than fits on the way to it: each change tells of the whole device.
            for change in range(200):
                told = owner.call("PATCH", "/api/v1/devices/hall-light", {"user_description": f"{change:03}" + "🏡" * 490})
                assert told.status_code == 200, told.text
            assert holds(port, address)
            requests.post(hub.url + "/api/v1/auth/logout", json={"refresh_token": tokens["refresh_token"]}, headers=bearer, timeout=10)
            house.until(lambda: not holds(port, address), 1, "whoever may not listen any more is hung up on")


def test_a_listener_that_reads_nothing_is_hung_up_on_within_a_second_of_its_revocation(module_hub, module_owner):
    """It kept the last write waiting, and its connection, for the half minute that a slow reader is given."""
    hangs_up_on_who_reads_nothing(module_hub, module_owner, "127.0.100.5")


def numbers(answer):
    """The numbers of what arrived whole on a stream, up to its end."""
    found, number = [], None
    with contextlib.suppress(http.client.HTTPException, OSError):
        for line in answer:
            if line.startswith(b"id: ") and line.endswith(b"\n"):
                number = int(line[4:])
            if line.startswith(b"data: ") and line.endswith(b"\n"):
                found.append(number)
    return found


def test_a_listener_that_is_a_mebibyte_behind_is_hung_up_on_and_comes_back_without_a_loss(port, module_hub, module_owner):
    """Sooner than for the half minute in which it must have read something, and with nothing but its last number."""
    devices, address = ("hall-light", "study-light", "front-door"), "127.0.100.7"
    path = f"/api/v1/realtime/events?kinds=device_update&devices={','.join(devices)}"
    ended = threading.Event()
    bearer = {"Authorization": f"Bearer {module_owner.token}"}

    def listeners():
        metrics = requests.get(module_hub.url + "/metrics", timeout=10).text
        return int(re.search(r"^cardea_realtime_listeners (\d+)", metrics, re.MULTILINE)[1])

    def describe(device):
        """Changes one device until somebody is hung up on; answers how often."""
        changes = 0
        with requests.Session() as session:
            while not ended.is_set():
                changes += 1
                text = f"{changes:04}" + "🏡" * 490
                told = session.patch(
                    f"{module_hub.url}/api/v1/devices/{device}", json={"user_description": text}, headers=bearer, timeout=30)
                assert told.status_code == 200, told.text
        return changes

    with socket.socket() as line, ThreadPoolExecutor(len(devices)) as pool:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(10)
        line.bind((address, 0))
        line.connect(("127.0.0.1", port))
        before = listeners()
        line.sendall(ask(port, path, f"Authorization: {bearer['Authorization']}\r\n"))
        answer = http.client.HTTPResponse(line)
        answer.begin()
        assert answer.status == 200
        house.until(lambda: listeners() == before + 1, 5, "it has heard how things stand, and listens on")
        begun = time.monotonic()
        describing = {device: pool.submit(describe, device) for device in devices}
        try:
            while holds(port, address) and time.monotonic() - begun < 30 and not any(one.done() for one in describing.values()):
                time.sleep(0.05)
            took = time.monotonic() - begun
        finally:
            ended.set()
        changes = {device: one.result() for device, one in describing.items()}
        # Who has read nothing for half a minute is let go for that: until then there is no other reason than how far it is behind.
        assert took < 30, f"after {changes} it was waited for until it had read nothing for half a minute"
        # Each change tells of the whole device.
        told = sum(times * len(module_owner.get(f"/api/v1/devices/{device}").content) for device, times in changes.items())
        assert told > 1 << 20, f"it was {told} bytes behind"
        snapshot, *heard = numbers(answer)
        house.until(lambda: listeners() == before, 5, "it counts as nobody's ear")

    happened, cursor = [], snapshot
    while True:
        page = module_owner.get(f"/api/v1/changes?after={cursor}&limit=500").json()
        happened += [change["seq"] for change in page["changes"]
                     if change["type"] == "device_update" and change["data"]["device_id"] in devices]
        cursor = page["next"]
        if not page["more"]:
            break
    assert len(happened) == sum(changes.values()) > len(heard)
    last = {"Last-Event-ID": str([snapshot, *heard][-1])}
    with requests.get(module_hub.url + path, headers={**bearer, **last}, stream=True, timeout=20) as stream:
        for told in stream.iter_lines():
            if told.startswith(b"id: "):
                heard.append(int(told[4:]))
                if heard[-1] == happened[-1]:
                    break
    assert heard == happened


def test_the_house_still_stands(module_hub):
    assert module_hub.process.poll() is None
    assert requests.get(module_hub.url + "/readyz", timeout=5).status_code == 200
