"""The hub's HTTP server with clients that break HTTP, over bare sockets."""

import concurrent.futures
import re
import socket
import time

import hostile_requests
import house
import pytest
import requests

BODY_LIMIT = 64 * 1024


@pytest.fixture(scope="module")
def place(module_hub):
    return module_hub.url.removeprefix("http://")


class Line:
    """One bare connection to the hub, from an address of this machine."""

    def __init__(self, place, raw=b"", address=""):
        host, port = place.split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=60, source_address=(address, 0))
        self.received = b""
        self.say(raw)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def say(self, raw):
        try:
            self.socket.sendall(raw)
        except OSError:
            pass  # Refused before the whole request arrived: the answer is still read.

    def hears(self, enough):
        """Reads until `enough(bytes)` or the end; returns whether the hub closed the connection."""
        self.socket.settimeout(house.LIMIT)
        deadline = time.monotonic() + house.LIMIT
        while not enough(self.received):
            assert time.monotonic() < deadline, f"no answer, only {self.received[:200]!r}"
            try:
                more = self.socket.recv(65536)
            except ConnectionResetError:
                return True
            if not more:
                return True
            self.received += more
        return False

    def answer(self):
        """The status and head of the first answer."""
        self.hears(lambda heard: b"\r\n\r\n" in heard)
        found = re.match(rb"HTTP/1\.1 (\d{3}).*?\r\n\r\n", self.received, re.DOTALL)
        assert found, f"no HTTP answer: {self.received[:200]!r}"
        return int(found[1]), found[0].decode("latin-1").lower()

    def hung_up(self):
        return self.hears(lambda _: False)


def seen(place, route):
    """The hub's own count of requests for a route."""
    metrics = requests.get(f"http://{place}/metrics", timeout=60).text
    return sum(float(line.rsplit(" ", 1)[1]) for line in metrics.splitlines() if f'route="{route}"' in line)


def test_every_parsed_request_is_counted(place):
    """The other tests rely on this count to show that nothing was smuggled in: it rises by one for each request, also for a second one in a packet."""
    honest = hostile_requests.SMUGGLED.replace(b"{host}", place.encode())
    before = seen(place, "/readyz")
    with Line(place, honest) as line:
        assert line.answer()[0] == 200
    house.until(lambda: seen(place, "/readyz") == before + 1, "it is counted")
    with Line(place, hostile_requests.get().replace(b"{host}", place.encode()) + honest) as line:
        line.hears(lambda heard: heard.count(b"HTTP/1.1 ") == 2)
    house.until(lambda: seen(place, "/readyz") == before + 2, "it is counted")


@pytest.mark.parametrize("raw,statuses,ends", [pytest.param(*case[1:], id=case[0]) for case in hostile_requests.CASES])
def test_a_hostile_request_is_refused_and_smuggles_nothing_in(place, module_hub, raw, statuses, ends):
    before = seen(place, "/readyz")
    with Line(place, raw.replace(b"{host}", place.encode())) as line:
        status, _ = line.answer()
        assert status in statuses, line.received[:300]
        if ends:
            assert line.hung_up(), "the connection stays open although nobody knows where the next request begins"
        assert line.received.count(b"HTTP/1.1 ") == 1, line.received
    assert module_hub.process.poll() is None
    assert seen(place, "/readyz") == before, "a second request was parsed"


def test_there_are_at_least_120_cases():
    assert len(hostile_requests.CASES) >= 120
    assert len({name for name, *_ in hostile_requests.CASES}) == len(hostile_requests.CASES)


@pytest.mark.parametrize(
    "raw",
    [
        hostile_requests.get(),
        hostile_requests.get(b"X: " + b"a" * 8000),
        hostile_requests.get(*(b"X-%d: a" % number for number in range(90))),
        hostile_requests.get(path=b"http://{host}/healthz"),
        hostile_requests.get(b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABkAAQAAP__"),
        hostile_requests.get(
            b"Connection: Upgrade", b"Upgrade: websocket", b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
        ),
        hostile_requests.get(b"Transfer-Encoding: CHUNKED") + b"0\r\n\r\n",
        hostile_requests.get(b"Content-Length:    0"),
        hostile_requests.get(b"Transfer-Encoding:\tchunked") + b"0\r\n\r\n",
        hostile_requests.get(b"Expect: 100-continue"),
        hostile_requests.get(b"Origin: http://{host}"),
        b"\r\n" + hostile_requests.get(),
    ],
    ids=[
        "plain", "8 KB field", "90 fields", "absolute form", "h2c offer", "socket offer", "chunked in capitals", "padded length",
        "a tab before chunked", "an expectation without a body", "our own page", "blank line first",
    ],
)
def test_an_unusual_valid_request_is_answered(place, raw):
    with Line(place, raw.replace(b"{host}", place.encode())) as line:
        status, head = line.answer()
        # An interim answer may come before the final one.
        if status == 100:
            line.hears(lambda heard: b"HTTP/1.1 200" in heard)
        assert status == 200 or (status == 100 and b"HTTP/1.1 200" in line.received)
        assert "upgrade:" not in head


def test_two_requests_in_a_row_get_two_answers_in_order(place):
    both = hostile_requests.get() + hostile_requests.get(path=b"/nothing-here")
    with Line(place, both.replace(b"{host}", place.encode())) as line:
        line.hears(lambda heard: heard.count(b"HTTP/1.1 ") == 2)
        assert re.findall(rb"HTTP/1\.1 (\d+)", line.received) == [b"200", b"404"]


def test_a_request_inside_a_body_is_not_run(place):
    before = seen(place, "/readyz")
    for path in (b"/nothing-here", b"/api/guest_access/pair", b"/api/v1/auth/login"):
        inner = hostile_requests.SMUGGLED.replace(b"{host}", place.encode())
        raw = hostile_requests.post(b"Content-Length: %d" % len(inner), body=inner, path=path)
        with Line(place, raw.replace(b"{host}", place.encode())) as line:
            assert line.answer()[0] in (400, 404)
    assert seen(place, "/readyz") == before


def test_bytes_after_a_closing_request_are_not_read(place):
    before = seen(place, "/readyz")
    for raw in (
        hostile_requests.get(b"Connection: close"), b"GET /healthz HTTP/1.0\r\n" + hostile_requests.HOST + b"\r\n",
        hostile_requests.post(b"Content-Length: 0", b"Connection: close", path=b"/nothing-here"),
    ):
        with Line(place, (raw + hostile_requests.SMUGGLED).replace(b"{host}", place.encode())) as line:
            assert line.hung_up()
            assert line.received.count(b"HTTP/1.1 ") == 1
    assert seen(place, "/readyz") == before


@pytest.mark.parametrize(
    "method,path",
    [
        ("DELETE", "/healthz"), ("POST", "/healthz"), ("GET", "/api/guest_access/pair"), ("PUT", "/api/guest_access/action"),
        ("POST", "/api/guest_access/states"), ("DELETE", "/api/v1/guests"), ("POST", "/api/v1/devices"), ("GET", "/api/v1/auth/login"),
        ("OPTIONS", "/api/v1/claim"), ("POST", "/g"), ("TRACE", "/api/v1/people"), ("PATCH", "/api/v1/devices/front-door/control"),
    ],
)
def test_a_wrong_method_is_answered_with_the_allowed_ones(place, method, path):
    answer = requests.request(method, f"http://{place}{path}", timeout=60)
    assert answer.status_code == 405
    allowed = answer.headers["Allow"].split(", ")
    assert allowed and method not in allowed
    code = answer.json()["error"]
    assert (code if isinstance(code, str) else code["code"]) == "method_not_allowed"


@pytest.mark.parametrize("path", ["/api/v1/auth/login", "/api/v1/claim", "/api/guest_access/pair", "/api/guest_access/token/validate"])
@pytest.mark.parametrize("framing", ["length", "chunked"])
def test_a_body_one_byte_too_long_is_refused(place, path, framing):
    body = b" " * (BODY_LIMIT + 1)
    fields, rest = (b"Content-Length: %d" % len(body), body)
    if framing == "chunked":
        fields, rest = (b"Transfer-Encoding: chunked", b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n")
    with Line(place, hostile_requests.post(fields, body=rest, path=path.encode()).replace(b"{host}", place.encode())) as line:
        status, _ = line.answer()
        assert status == 413
        line.hears(lambda heard: b"payload_too_large" in heard)


def test_a_body_of_exactly_the_limit_is_read(place):
    answer = requests.post(f"http://{place}/api/guest_access/pair", data=b" " * (BODY_LIMIT - 2) + b"{}", timeout=60)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_pairing_code")


def slow_head(place):
    """One byte now and then, forever: disconnected after ten seconds. Returns the seconds it took."""
    return seconds_until_hung_up_on(place, b"GET /healthz HTTP/1.1\r\n", b"X")


def slow_body(place):
    raw = hostile_requests.post(b"Content-Length: 60000", path=b"/api/v1/auth/login")
    return seconds_until_hung_up_on(place, raw.replace(b"{host}", place.encode()), b" ")


def silent(place):
    return seconds_until_hung_up_on(place, b"", b"")


def endless_body(place):
    """A body refused as too long continues anyway."""
    raw = hostile_requests.post(b"Content-Length: 99999999999", path=b"/api/v1/auth/login")
    return seconds_until_hung_up_on(place, raw.replace(b"{host}", place.encode()) + b" " * (BODY_LIMIT + 1), b" " * 1000)


def seconds_until_hung_up_on(place, raw, drip):
    begun = time.monotonic()
    with Line(place, raw) as line:
        line.socket.setblocking(False)

        def is_hung_up_on():
            house.pause(0.5)
            try:
                if drip:
                    line.socket.send(drip)
                return not line.socket.recv(65536)
            except BlockingIOError:
                return False
            except OSError:
                return True

        house.until(is_hung_up_on, "whoever dawdles is hung up on")
    return time.monotonic() - begun


@pytest.mark.long
def test_a_slow_client_is_disconnected(place):
    with concurrent.futures.ThreadPoolExecutor(8) as callers:
        heads = [callers.submit(slow_head, place) for _ in range(3)] + [callers.submit(silent, place)]
        body, endless = callers.submit(slow_body, place), callers.submit(endless_body, place)
        for head in heads:
            assert head.result() >= 9, "a head is given ten seconds"
        assert body.result() >= 25, "a body is given thirty"
        endless.result()
    assert requests.get(f"http://{place}/healthz", timeout=60).status_code == 200


def test_an_address_gets_64_connections_and_the_next_replaces_the_longest_idle(place):
    ask = hostile_requests.get().replace(b"{host}", place.encode())
    # An address that no other test uses.
    address = "127.0.9.1"
    lines = []
    try:
        for _ in range(80):
            line = Line(place, ask, address)
            lines.append(line)
            assert line.answer()[0] == 200, "a newcomer was not served"
        for line in lines[:16]:
            assert line.hung_up(), "an address holds more than its 64"
        for line in lines[16:]:
            line.received = b""
            line.say(ask)
            assert line.answer()[0] == 200, "an open connection suffered from the others"
    finally:
        for line in lines:
            line.socket.close()


def test_the_hub_still_serves(module_hub):
    assert module_hub.process.poll() is None
    assert requests.get(module_hub.url + "/readyz", timeout=60).status_code == 200
