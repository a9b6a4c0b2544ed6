"""Published vulnerabilities of other smart home hubs, each by its CVE number, tried on this one.

Two of them are tested with the real peers: the check of the broker's certificate (CVE-2025-25305) in `BrokerTests`, and Home
Assistant's in `test_home_assistant.py`, where a redirect is not followed either (CVE-2023-41899). CVE-2023-41895 and 44385 do not
apply: the hub never redirects to an address from a request.
"""

import json
import pathlib
import re
import socket

import house
import pytest
import requests

import hostile_requests
from test_hostile_http import Line
from test_tour import PASSWORD, browser  # noqa: F401

pytestmark = pytest.mark.long

HUB_ARGS = ("--trusted-proxy", "127.0.0.9")


@pytest.fixture(scope="module")
def place(module_hub):
    return module_hub.url.removeprefix("http://")


# CVE-2023-27482: another spelling of a path bypassed the check of the plain one.

WAYS = [
    "/{}", "//{}", "/./{}", "/x/../{}", "/x/%2e%2e/{}", "/%2e/{}", "/healthz/../{}", "/assets/../{}", "/assets/..%2f{}", "/assets/%2e%2e%2f{}",
    "/api/guest_access/../../{}", "/api/guest_access/..%2f..%2f{}", "/api/v1/claim/../../../{}", "/api/v1/claim;/../../../{}", "/..;/{}",
    "/{}/", "/{}/.", "/{}/x/..", "/{}%00", "/{}%20", "/{}.json", "/{};x=1", "/{}?x=/healthz", "/{}%3f", "/{}#/healthz", "/{}%23", "/{}%2f",
    "/{}..;/", "/%61pi/../{}", "http://127.0.0.1/{}", "http://localhost/x/../{}", "/\\{}", "/{}\\", "/{}%5c..", "/app/.%2e/{}",
    "/api/hassio/app/%252e%252e/{}",
]
GUARDED = ["api/v1/people", "api/v1/devices", "api/v1/guests", "api/v1/activity", "api/guest_access/states", "api/v1/changes", "api/v1/house"]


def spellings(path):
    yield from (way.format(path) for way in WAYS)
    yield from ("/" + path.upper(), "/" + path.replace("/", "//"), "/" + path.replace("/", "%2f"), "/" + path.replace("a", "%61"),
                "/" + path.replace("api", "API"), "/" + path.replace("/", "/./"), "/" + path.replace("e", "%65"))


@pytest.mark.parametrize("path", GUARDED)
def test_no_spelling_of_a_path_bypasses_authorization(place, module_owner, path):
    let_in = []
    for spelling in spellings(path):
        for method in (b"GET", b"HEAD"):
            raw = method + b" " + spelling.encode() + b" HTTP/1.1\r\n" + hostile_requests.HOST + b"Connection: close\r\n\r\n"
            with Line(place, raw.replace(b"{host}", place.encode())) as line:
                line.hung_up()
                status = re.match(rb"HTTP/1\.1 (\d{3})", line.received)
                assert status, f"{spelling}: {line.received[:80]!r}"
                # The app's own page is served under a few paths, and contains no data of the house.
                is_page = b"text/html" in line.received
                if int(status[1]) < 400 and not is_page:
                    let_in.append((method, spelling, line.received[:200]))
    assert not let_in


# CVE-2023-50715: the residents were listed to any caller on the home network.

def test_a_signed_out_visitor_learns_no_user_names(module_hub, module_owner):
    url = module_hub.url
    guest = house.invite(module_owner, name="Wilhelmina Zwetschgenbaum")
    module_owner.post("/api/v1/people", {"name": "Philippa Quittenstein", "role": "member"})
    secrets = ["owner", "Wilhelmina", "Philippa", "Quittenstein", "Linden Street", guest["guest_id"]]
    for path in ["/", "/g", "/sign-in", "/claim", "/join", "/people", "/api/v1/claim", "/healthz", "/readyz", "/metrics", "/api/v1/people",
                 "/api/v1/house", "/manifest.webmanifest", "/guest.webmanifest", "/api/v1/nowhere", f"/api/v1/guests/{guest['guest_id']}"]:
        answer = requests.get(url + path, timeout=60)
        if "text/html" not in answer.headers.get("Content-Type", ""):
            assert not [word for word in secrets if word in answer.text], path
        assert not [word for word in secrets[1:5] if word in answer.text], path
    known, unknown = (
        requests.post(url + "/api/v1/auth/login", json={"username": name, "password": "not this one"}, timeout=60) for name in ("owner", "nobody"))
    assert known.status_code == unknown.status_code == 401

    def told(answer):
        return {name: value for name, value in answer.json()["error"].items() if name not in ("timestamp", "request_id")}

    assert told(known) == told(unknown)
    options = requests.post(
        url.replace("127.0.0.1", "localhost") + "/api/v1/auth/passkeys/login/options", json={}, timeout=60).json()["public_key"]
    assert options["allowCredentials"] == []


# CVE-2023-41897: a page of the house was framed under another one, and clicked on.

@pytest.mark.parametrize("path", ["/", "/g", "/claim", "/join", "/sign-in", "/api/v1/claim", "/api/v1/people", "/nothing", "/healthz"])
def test_no_response_can_be_framed(module_hub, path):
    answer = requests.get(module_hub.url + path, timeout=60)
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


def test_a_browser_refuses_to_frame_our_pages(browser, module_hub):  # noqa: F811
    page = browser.new_context().new_page()
    page.set_default_timeout(60_000)
    with page.expect_console_message(lambda message: "frame" in message.text.lower()):
        page.set_content(f'<iframe src="{module_hub.url}/g" width="400" height="400"></iframe>')
    frame = page.frames[1]
    assert not frame.url.startswith(module_hub.url) or frame.evaluate("document.querySelectorAll('script,main,door-leaf').length") == 0
    page.context.close()


# CVE-2023-41896: the page's address, or a value stored in the browser, told the page which server to trust.

def test_no_url_and_no_stored_value_makes_the_page_contact_another_hub(browser, module_hub):  # noqa: F811
    context = browser.new_context()
    context.set_default_timeout(60_000)
    asked = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.on("websocket", lambda line: asked.append(line.url))
    elsewhere = "http://evil.example:8123"
    page.goto(module_hub.url + "/g")
    page.evaluate("""(url) => { for (const name of ["hub", "url", "hassUrl", "hassTokens", "cardea", "server", "origin"]) {
        localStorage.setItem(name, JSON.stringify({ hassUrl: url, url, hub: url })); sessionStorage.setItem(name, url); } }""", elsewhere)
    for path in [f"/?hub={elsewhere}&url={elsewhere}&hassUrl={elsewhere}&state=x&auth_callback=1", f"/sign-in?redirect_uri=javascript:alert(1)",
                 f"/sign-in?next={elsewhere}", f"/g?hub={elsewhere}#{elsewhere}", f"/claim#{elsewhere}", f"/join#{elsewhere}", "/#javascript:alert(1)"]:
        page.goto(module_hub.url + path)
        page.wait_for_load_state("networkidle")
        assert page.url.startswith(module_hub.url)
    assert [url for url in asked if not url.startswith((module_hub.url, module_hub.url.replace("http", "ws", 1), "blob:" + module_hub.url))] == []
    policy = requests.get(module_hub.url + "/", timeout=60).headers["Content-Security-Policy"]
    assert "connect-src 'self'" in policy and "default-src 'none'" in policy
    context.close()


# CVE-2023-41894: a service for the home network only was reachable through a relay.

def test_only_a_configured_proxy_decides_who_is_local(module_hub, module_owner):
    guest = house.let_in(module_owner, {"device_id": "hall-light", "actions": ["light.on"]}, local_only=True, max_uses=0)
    port = int(module_hub.url.rsplit(":", 1)[1])

    def opens(source, *fields):
        body = json.dumps({"action": "light.on"}).encode()
        head = [f"Host: 127.0.0.1:{port}", f"Authorization: Bearer {guest.token}", "Content-Type: application/json",
                f"Content-Length: {len(body)}", "Connection: close", *fields]
        with socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0)) as line:
            line.sendall(("POST /api/guest_access/action HTTP/1.1\r\n" + "\r\n".join(head) + "\r\n\r\n").encode() + body)
            answer = b""
            while more := line.recv(65536):
                answer += more
        return int(answer.split(b" ", 2)[1])

    far = "8.8.8.8"
    assert opens("127.0.0.1") == 200
    # The trusted relay names the caller, in the one trusted field.
    assert opens("127.0.0.9", f"X-Forwarded-For: {far}") == 403
    assert opens("127.0.0.9", f"X-Forwarded-For: 127.0.0.1, {far}") == 403
    assert opens("127.0.0.9", "X-Forwarded-For: 127.0.0.1", f"X-Forwarded-For: {far}") == 403
    for field in ("X-Real-IP", "Forwarded", "CF-Connecting-IP", "True-Client-IP", "X-Client-IP", "X-Forwarded-Host"):
        value = "for=192.168.1.2" if field == "Forwarded" else "192.168.1.2"
        assert opens("127.0.0.9", f"X-Forwarded-For: {far}", f"{field}: {value}") == 403
    # No other relay is trusted, whatever it claims.
    assert opens("127.0.0.1", f"X-Forwarded-For: {far}") == 200


# CVE-2026-34205: a service for the host only listened on the whole network.

def listening(pid):
    """Every address at which a process listens, from the kernel's table."""
    held = house.open_files(pid)
    found = []
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in pathlib.Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            words = line.split()
            if f"socket:[{words[9]}]" in held and (words[3] == "0A" or table.startswith("udp")):
                found.append((table, words[1]))
    return found


def test_the_hub_listens_only_at_the_configured_address(module_hub):
    port = int(module_hub.url.rsplit(":", 1)[1])
    assert listening(module_hub.process.pid) == [("tcp", f"0100007F:{port:04X}")]


def test_a_caller_on_the_same_machine_needs_a_token(module_hub, module_owner):
    """Neither loopback nor the home network grants access."""
    port = int(module_hub.url.rsplit(":", 1)[1])
    for source in ("127.0.0.1", "127.0.0.2", "127.0.0.9"):
        for field in ("", "X-Forwarded-For: 127.0.0.1\r\n", "X-Ingress-Path: /\r\n", "X-Remote-User: owner\r\n", "X-Hass-Source: core.ingress\r\n"):
            with socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0)) as line:
                line.sendall(f"GET /api/v1/people HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n{field}\r\n".encode())
                assert line.recv(12) == b"HTTP/1.1 401"
