"""Slow, stuck or very many clients: each is disconnected in time, and no other caller waits for them.

A source address of their own (`127.0.1.7`) makes each a separate stranger: all of 127/8 is this machine. Benchmarks/times/test_slow_clients_speed.py
measures how fast other callers are served meanwhile.
"""

import base64
import contextlib
import http.client
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
from test_realtime import changes_since, lines_of

pytestmark = pytest.mark.long
PER_ADDRESS, STRANGERS = 64, 768
DRIPPING = 2000


@pytest.fixture(scope="module")
def port(module_hub):
    return int(module_hub.url.rsplit(":", 1)[1])


@pytest.fixture(scope="module", autouse=True)
def room_for_sockets():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))


def dial(port, address="127.0.0.1", timeout=60):
    return socket.create_connection(("127.0.0.1", port), timeout=timeout, source_address=(address, 0))


def addresses(first=1):
    """Addresses of this machine that nothing else uses."""
    return (f"127.0.{third}.{last}" for third in range(first, 255) for last in range(1, 255))


def ask(port, path="/healthz", more=""):
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{more}\r\n".encode()


def until_hung_up_on(line, say=b"", every=0.5):
    """Waits until the hub disconnects, while `say` is dripped. Without `say` its answer is not read."""
    line.settimeout(every)

    def is_hung_up_on():
        try:
            if say:
                line.send(say)
            return not line.recv(65536)
        except TimeoutError:
            return False
        except OSError:
            return True

    house.until(is_hung_up_on, "it is hung up on")


def written(address, port):
    """An endpoint in the notation of the kernel's table."""
    return socket.inet_aton(address)[::-1].hex().upper() + f":{port:04X}"


def held(port):
    """The remote ends of connections that the hub holds open."""
    ours = written("127.0.0.1", port)
    with open("/proc/net/tcp") as table:
        ends = [line.split()[1:4] for line in table if ours in line]
    return [remote for local, remote, state in ends if local == ours and state == "01"]


def holds(port, address):
    """Whether the hub's end of a connection from this address is still open."""
    return any(remote.startswith(written(address, 0)[:8]) for remote in held(port))


def is_served(port, address):
    """Whether one more caller is answered; a refused one is disconnected."""
    with contextlib.suppress(OSError), dial(port, address) as line:
        line.sendall(ask(port))
        return line.recv(12) == b"HTTP/1.1 200"
    return False


def is_answered(line, port):
    """Sends another request on a kept connection."""
    line.sendall(ask(port))
    head = b""
    while not head.endswith(b"ok\n"):
        more = line.recv(4096)
        assert more, "the caller was hung up on"
        head += more


@contextlib.contextmanager
def resident(port, owner, address="127.0.250.1"):
    """A connection that has shown a resident's token: it keeps its place."""
    with dial(port, address) as line:
        line.sendall(ask(port, "/api/v1/house", f"Authorization: Bearer {owner.token}\r\n"))
        answer = http.client.HTTPResponse(line)
        answer.begin()
        assert answer.status == 200 and answer.read()
        yield line


@contextlib.contextmanager
def crowd(port):
    """Yields `DRIPPING` connections that each send a byte of a head now and then, at a house whose strangers hold every connection they may."""
    lines, gone, over = [], set(), threading.Event()
    strangers = (address for address in addresses(first=10) for _ in range(50))

    def drip():
        # One after another, each about once in ten seconds: this process has its own callers to serve.
        while not house.pause(0.01, over):
            for line in [line for line in lines if line not in gone]:
                if house.pause(0.01, over):
                    return
                try:
                    line.send(b"a")
                except OSError:
                    gone.add(line)

    def enter():
        line = dial(port, next(strangers))
        with contextlib.suppress(OSError):
            line.sendall(b"GET /healthz HTTP/1.1\r\nX-")
        lines.append(line)

    def is_full():
        """Dripping does not extend the ten seconds: when many have left meanwhile, others take their place."""
        if (inside := len(held(port))) < STRANGERS - 8:
            for _ in range(STRANGERS + 76 - inside):
                enter()
        return STRANGERS - 8 <= len(held(port)) <= STRANGERS + 8

    dripper = threading.Thread(target=drip)
    dripper.start()
    try:
        house.until(is_full, "there is room for 768 strangers, and for no more")
        while len(lines) < DRIPPING:
            enter()
        house.until(lambda: len(held(port)) <= STRANGERS + 8, "those who come later take the places of the first")
        yield lines
    finally:
        over.set()
        dripper.join()
        for line in lines:
            line.close()


def test_two_thousand_slow_request_heads_are_disconnected_and_a_caller_is_served(port, module_owner):
    """A byte at a time: at most 768 are held, each for ten seconds or until another one arrives. The caller keeps its connection."""
    with resident(port, module_owner) as caller:
        is_answered(caller, port)
        with crowd(port) as lines:
            for _ in range(400):
                is_answered(caller, port)
            for line in lines:
                until_hung_up_on(line)


def test_strangers_get_768_connections_and_the_next_replaces_the_longest_idle(port):
    house.until(lambda: len(held(port)) < 8, "those of the other tests have gone")
    lines = []
    try:
        for address in list(addresses(first=40))[:17]:
            for _ in range(PER_ADDRESS):
                line = dial(port, address)
                lines.append(line)
                is_answered(line, port)
        house.until(lambda: len(held(port)) <= STRANGERS + 8, "strangers hold no more than they may")
        for line in lines[:len(lines) - STRANGERS - 8]:
            until_hung_up_on(line)
        is_answered(lines[-1], port)
        assert is_served(port, "127.0.200.1"), "a newcomer was not served"
    finally:
        for line in lines:
            line.close()


# Each of these returns the seconds until its disconnection, counted from before it fell silent.


def slow_reader(port):
    """Requests a large answer, and reads none of it."""
    with dial(port, "127.0.100.1") as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        begun = time.monotonic()
        with contextlib.suppress(OSError):
            for _ in range(2000):
                line.sendall(ask(port, "/assets/Shell/text.js"))
        house.until(lambda: not holds(port, "127.0.100.1"), "whoever does not read is hung up on")
        return time.monotonic() - begun


def idle(port):
    """Sent one request, got its answer, and sends nothing more."""
    with dial(port, "127.0.100.2") as line:
        begun = time.monotonic()
        line.sendall(ask(port))
        until_hung_up_on(line)
        return time.monotonic() - begun


def half_a_head_later(port):
    """The second request of a connection arrives a byte at a time."""
    with dial(port, "127.0.100.3") as line:
        is_answered(line, port)
        begun = time.monotonic()
        line.sendall(b"GET /healthz HTTP/1.1\r\nX-")
        until_hung_up_on(line, b"a", every=1)
        return time.monotonic() - begun


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
        begun = time.monotonic()
        line.sendall(struct.pack("!BB", 0x81, 0x80 | len(text)) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(text)))
        until_hung_up_on(line)
        return time.monotonic() - begun


@pytest.fixture(scope="module", autouse=True)
def dawdlers(hub_binary, tmp_path_factory, room_for_sockets):
    """The clients that are disconnected after a minute or sooner, at a separate house while the other tests use theirs. Returns the seconds
    until each was disconnected, once all are."""
    over = threading.Event()
    with hubs(hub_binary) as start, ThreadPoolExecutor(5) as pool:
        hub = start(tmp_path_factory.mktemp("dawdled"), "--virtual-house")
        port, token = int(hub.url.rsplit(":", 1)[1]), house.claim(hub, PASSWORD)["access_token"]
        callers = {
            "reads nothing": pool.submit(slow_reader, port), "says nothing more": pool.submit(idle, port),
            "drips later": pool.submit(half_a_head_later, port), "answers no ping": pool.submit(deaf_listener, port, token),
        }

        def others():
            """No other caller waits for them."""
            while not over.is_set() and not all(caller.done() for caller in callers.values()):
                assert requests.get(hub.url + "/readyz", timeout=60).status_code == 200
                house.pause(0.5, over)

        served = pool.submit(others)

        def ended():
            served.result()
            return {name: caller.result() for name, caller in callers.items()}

        try:
            yield ended
        finally:
            over.set()
            # Their end is awaited here if no test has done so yet.
            hub.stop()


def test_stalled_silent_and_slow_clients_are_disconnected(dawdlers):
    found = dawdlers()
    assert found["reads nothing"] >= 25 and found["says nothing more"] >= 55, found
    assert found["drips later"] >= 9 and found["answers no ping"] >= 55, found


# The seconds within which a client with a backlog must have read some of it: it is not disconnected sooner for reading nothing.
READ_TIME = 30


def hangs_up_on_who_reads_nothing(hub, owner, address, wrap=lambda line: line):
    """Checks that a subscriber who reads nothing is disconnected when their session ends, and not only for reading nothing.

    On a machine too slow to tell the two apart it is tried again.
    """
    for _ in range(3):
        took, _ = ends_a_session_that_reads_nothing(hub, owner, address, wrap)
        if took < READ_TIME:
            return
    raise AssertionError(f"whoever may not listen any more was hung up on only after {took:.0f} s, for reading nothing")


def ends_a_session_that_reads_nothing(hub, owner, address, wrap=lambda line: line):
    """Returns the seconds until the disconnection, from before there was too much to read, and from the end of the session."""
    port = int(hub.url.rsplit(":", 1)[1])
    login = {"username": "owner", "password": PASSWORD}
    tokens = requests.post(hub.url + "/api/v1/auth/login", json=login, timeout=60).json()
    bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
    with socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.settimeout(60)
        raw.bind((address, 0))
        raw.connect(("127.0.0.1", port))
        with wrap(raw) as line:
            line.sendall(ask(port, "/api/v1/realtime/events", f"Authorization: {bearer['Authorization']}\r\n"))
            assert line.recv(64).startswith(b"HTTP/1.1 200")
            begun = time.monotonic()
            # More than the buffers on the way hold: each change contains the whole device.
            for change in range(200):
                told = owner.call("PATCH", "/api/v1/devices/hall-light", {"user_description": f"{change:03}" + "🏡" * 490})
                assert told.status_code == 200, told.text
            assert holds(port, address) or time.monotonic() - begun >= READ_TIME, "it was hung up on for nothing"
            requests.post(hub.url + "/api/v1/auth/logout", json={"refresh_token": tokens["refresh_token"]}, headers=bearer, timeout=60)
            ended = time.monotonic()
            house.until(lambda: not holds(port, address), "whoever may not listen any more is hung up on")
            return time.monotonic() - begun, time.monotonic() - ended


def test_a_stalled_subscriber_is_disconnected_when_its_session_ends(module_hub, module_owner):
    """It once held its last write, and its connection, for the half minute that a slow reader gets."""
    hangs_up_on_who_reads_nothing(module_hub, module_owner, "127.0.100.5")


def numbers(answer):
    """The numbers of the events that arrived completely on a stream."""
    found, number = [], None
    with contextlib.suppress(http.client.HTTPException, OSError):
        for line in answer:
            if line.startswith(b"id: ") and line.endswith(b"\n"):
                number = int(line[4:])
            if line.startswith(b"data: ") and line.endswith(b"\n"):
                found.append(number)
    return found


def listeners(hub):
    metrics = requests.get(hub.url + "/metrics", timeout=60).text
    return int(re.search(r"^cardea_realtime_listeners (\d+)", metrics, re.MULTILINE)[1])


DEVICES = ("hall-light", "study-light", "front-door")
EVENTS = f"/api/v1/realtime/events?kinds=device_update&devices={','.join(DEVICES)}"


def fall_behind(hub, owner, address):
    """Subscribes and reads nothing, while devices change until the hub disconnects. Returns the seconds until then, how often which device was
    changed, and the numbers of the snapshot and of the changes that arrived."""
    ended = threading.Event()
    bearer = {"Authorization": f"Bearer {owner.token}"}

    def describe(device):
        changes = 0
        with requests.Session() as session:
            while not ended.is_set():
                changes += 1
                text = f"{changes:04}" + "🏡" * 490
                told = session.patch(f"{hub.url}/api/v1/devices/{device}", json={"user_description": text}, headers=bearer, timeout=60)
                assert told.status_code == 200, told.text
        return changes

    port = int(hub.url.rsplit(":", 1)[1])
    house.until(lambda: listeners(hub) == 0, "those of the other tests have gone")
    with socket.socket() as line, ThreadPoolExecutor(len(DEVICES)) as pool:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(60)
        line.bind((address, 0))
        line.connect(("127.0.0.1", port))
        line.sendall(ask(port, EVENTS, f"Authorization: {bearer['Authorization']}\r\n"))
        answer = http.client.HTTPResponse(line)
        answer.begin()
        assert answer.status == 200
        house.until(lambda: listeners(hub) == 1, "it has heard how things stand, and listens on")
        begun = time.monotonic()
        describing = {device: pool.submit(describe, device) for device in DEVICES}
        try:
            house.until(lambda: not holds(port, address) or any(one.done() for one in describing.values()), "it is hung up on")
            took = time.monotonic() - begun
        finally:
            ended.set()
        changes = {device: one.result() for device, one in describing.items()}
        snapshot, *heard = numbers(answer)
        house.until(lambda: listeners(hub) == 0, "it counts as nobody's ear")
    return took, changes, snapshot, heard


def test_a_subscriber_one_mebibyte_behind_is_disconnected_and_resumes_without_loss(module_hub, module_owner):
    """For its backlog, before the half minute is over in which it must have read something; and it resumes with its last cursor alone."""
    for _ in range(3):
        took, changes, snapshot, heard = fall_behind(module_hub, module_owner, "127.0.100.7")
        # So slow a machine tries again.
        if took < READ_TIME:
            break
    else:
        raise AssertionError(f"after {changes} it was hung up on only after {took:.0f} s, for reading nothing")
    # Each change contains the whole device.
    told = sum(times * len(module_owner.get(f"/api/v1/devices/{device}").content) for device, times in changes.items())
    assert told > 1 << 20, f"it was {told} bytes behind"

    happened = [change["seq"] for change in changes_since(module_owner, snapshot)
                if change["type"] == "device_update" and change["data"]["device_id"] in DEVICES]
    assert len(happened) == sum(changes.values()) > len(heard)
    headers = {"Authorization": f"Bearer {module_owner.token}", "Last-Event-ID": str([snapshot, *heard][-1])}
    with requests.get(module_hub.url + EVENTS, headers=headers, stream=True, timeout=60) as stream:
        for told in lines_of(stream):
            if told.startswith("id: "):
                heard.append(int(told[4:]))
                if heard[-1] == happened[-1]:
                    break
    assert heard == happened


def test_the_hub_still_serves(module_hub):
    assert module_hub.process.poll() is None
    assert requests.get(module_hub.url + "/readyz", timeout=60).status_code == 200
