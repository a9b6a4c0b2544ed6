"""docs/operations.md, "A proxy in front": the real nginx, Caddy and HAProxy, each with its block as documented, and a hub behind each.

Only ports and certificate paths are filled in. The document's host name resolves to this machine while these tests run.
"""

import base64
import contextlib
import datetime
import hashlib
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import threading

import house
import paho.mqtt.client as mqtt
import pytest
import requests
from conftest import PASSWORD, ROOT, hubs
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from dpop import BrowserKey
from test_older_data import SoftwareAuthenticator
from test_realtime import hear_until, is_light, lines_of, subscribe
from websockets.sync.client import connect

pytestmark = pytest.mark.long

NAME = "door.example.org"
KINDS = ["nginx", "caddy", "haproxy"]
LOGIN, REFRESH = "/api/v1/auth/login", "/api/v1/auth/refresh"
# Not the address of the proxies, which are trusted.
VISITOR = "127.0.0.9"
# More than the 30 seconds of an earlier block, and less than the 45 of a cover, by more than a machine stalls.
TRAVEL = 34
LARGEST_PICTURE = 4 << 20


def block(kind):
    """The one block of the document for this proxy."""
    found = re.findall(rf"^```{kind}\n(.*?)^```", (ROOT / "docs/operations.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(found) == 1, f"{len(found)} blocks for {kind}"
    return found[0]


def put_in(text, **places):
    """The block with this machine's values; each placeholder occurs in it once."""
    for place, ours in places.values():
        assert text.count(place) == 1, f"{place!r} stands {text.count(place)} times in\n{text}"
        text = text.replace(place, ours)
    return text


def certificate(folder):
    """A certificate for the name, and its key: apart, and in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.datetime.now(datetime.timezone.utc)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True).sign(key, hashes.SHA256())
    ).public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    for file, data in (("certificate.pem", made), ("key.pem", secret), ("both.pem", made + secret)):
        (folder / file).write_bytes(data)


def nginx(folder, port, upstream):
    text = put_in(
        block("nginx"), port=("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"), hub=("http://127.0.0.1:8300;", f"http://{upstream};"),
        certificate=("/etc/ssl/door.example.org.pem", f"{folder}/certificate.pem"), key=("/etc/ssl/door.example.org.key", f"{folder}/key.pem"))
    user = "user root;" if os.geteuid() == 0 else ""
    own = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    config = folder / "nginx.conf"
    config.write_text(f"{user} daemon off; pid {folder}/pid; error_log {folder}/error.log warn; events {{}}\nhttp {{ access_log off; {own}\n{text}\n}}\n")
    return ["nginx", "-e", f"{folder}/error.log", "-p", folder, "-c", config]


def caddy(folder, port, upstream):
    text = put_in(
        block("caddy"), hub=("reverse_proxy 127.0.0.1:8300 ", f"reverse_proxy {upstream} "),
        certificate=("/etc/ssl/door.example.org.pem", f"{folder}/certificate.pem"), key=("/etc/ssl/door.example.org.key", f"{folder}/key.pem"))
    config = folder / "Caddyfile"
    config.write_text(f"{{\n\tadmin off\n\thttps_port {port}\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n}}\n{text}")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", config]


def haproxy(folder, port, upstream):
    text = put_in(
        block("haproxy"), port=("bind :443 ", f"bind 127.0.0.1:{port} "), hub=("server hub 127.0.0.1:8300", f"server hub {upstream}"),
        certificate=("/etc/haproxy/door.example.org.pem", f"{folder}/both.pem"))
    # Debian's own file begins with these limits, which are too short for a garage door.
    usual = "defaults\n    mode http\n    timeout connect 5000\n    timeout client 50000\n    timeout server 50000\n\n"
    config = folder / "haproxy.cfg"
    config.write_text(usual + text)
    return ["haproxy", "-db", "-f", config]


class AtHome(requests.adapters.HTTPAdapter):
    """The network of a visitor with their own address."""

    def init_poolmanager(self, *places, **more):
        super().init_poolmanager(*places, source_address=(VISITOR, 0), **more)


class Front:
    """A house behind its proxy."""

    def __init__(self, kind, port, trusted):
        self.kind, self.url, self.trusted = kind, f"https://{NAME}:{port}", trusted
        self.web = self.browser()
        self.token = None

    def browser(self):
        web = requests.Session()
        web.trust_env, web.verify = False, str(self.trusted)
        web.mount("https://", AtHome())
        return web

    def ask(self, method, path, body=None, token=None, web=None, headers=None, **more):
        bearer = {"Authorization": f"Bearer {token}"} if token else {}
        return (web or self.web).request(method, self.url + path, json=body, headers={**bearer, **(headers or {})}, timeout=house.LIMIT, **more)

    def done(self, method, path, body=None, status=200, **more):
        answer = self.ask(method, path, body, self.token, **more)
        assert answer.status_code == status, (self.kind, path, answer.status_code, answer.text[:400])
        return answer

    def claim(self, hub):
        body = {
            "claim_token": hub.claim_token, "username": "owner", "password": PASSWORD, "house_name": "Lime", "time_zone": "Europe/Berlin", "name": "Owner",
        }
        self.token = self.done("POST", "/api/v1/claim", body, 201).json()["access_token"]

    def step_up(self):
        self.done("POST", "/api/v1/auth/step-up", {"password": PASSWORD})

    def brighten(self, level):
        self.done("PUT", "/api/v1/devices/hall-light/control", {"action": "set_brightness", "value": level})


@contextlib.contextmanager
def running(command, port, log):
    """A program in the foreground, from the moment it listens; it is ended by its process id."""
    program = shutil.which(command[0], path=f"{os.environ['PATH']}:/usr/sbin")
    assert program, f"no {command[0]} here; run scripts/setup long"
    environment = {**os.environ, "HOME": str(log.parent), "XDG_DATA_HOME": str(log.parent), "XDG_CONFIG_HOME": str(log.parent)}
    with log.open("wb") as out:
        process = subprocess.Popen([program, *map(str, command[1:])], stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment)
    try:
        house.until(lambda: process.poll() is not None or house.listens(port), f"{command[0]} is there")
        assert process.poll() is None, log.read_text()
        yield
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(60)


@pytest.fixture(scope="module")
def by_name():
    """The document's host name resolves to this machine."""
    real = socket.getaddrinfo
    socket.getaddrinfo = lambda host, *more, **named: real("127.0.0.1" if host == NAME else host, *more, **named)
    yield
    socket.getaddrinfo = real


@pytest.fixture(scope="module")
def fronts(hub_binary, tmp_path_factory, by_name):
    with hubs(hub_binary) as start, contextlib.ExitStack() as proxies:
        there = {}
        for kind, recipe in (("nginx", nginx), ("caddy", caddy), ("haproxy", haproxy)):
            folder, port = tmp_path_factory.mktemp(kind), house.free_port()
            certificate(folder)
            front = Front(kind, port, folder / "certificate.pem")
            hub = start(folder / "house", "--virtual-house", "--public-url", front.url, "--trusted-proxy", "127.0.0.1")
            proxies.enter_context(running(recipe(folder, port, hub.url.removeprefix("http://")), port, folder / "output.log"))
            front.claim(hub)
            there[kind] = front
        yield there


@pytest.fixture(params=KINDS)
def front(request, fronts):
    return fronts[request.param]


def test_a_page_and_a_sign_in_pass_with_the_visitors_address(front):
    page = front.done("GET", "/")
    assert page.headers["Content-Type"].startswith("text/html") and "<script" in page.text
    # An address claimed by the visitor is ignored; without the proxy's address the visitor would not be at home.
    told = {"X-Forwarded-For": "203.0.113.7"}
    answer = front.ask("POST", LOGIN, {"username": "owner", "password": PASSWORD}, headers=told)
    assert answer.status_code == 200, answer.text
    sessions = front.ask("GET", "/api/v1/auth/sessions", token=answer.json()["access_token"], headers=told).json()["sessions"]
    assert [one["place"] for one in sessions if one["current"]] == ["local network"]


def test_a_browser_session_is_bound_to_the_proxys_port(front):
    web, key, ours = front.browser(), BrowserKey(), {"Origin": front.url}
    body = {"username": "owner", "password": PASSWORD, "cookie": True}
    answer = front.ask("POST", LOGIN, body, web=web, headers={**ours, **key.proof(front.url + LOGIN)})
    assert answer.status_code == 200 and "refresh_token" not in answer.json(), answer.text
    assert [cookie.secure for cookie in web.cookies if cookie.name.startswith("cardea_refresh")] == [True]
    proof = key.proof(front.url + REFRESH, answer.headers["DPoP-Nonce"])
    again = front.ask("POST", REFRESH, web=web, headers={**ours, **proof})
    assert again.status_code == 200, again.text
    # The same name at the default port is another origin.
    other = front.ask("POST", LOGIN, {"username": "owner", "password": PASSWORD}, headers={"Origin": f"https://{NAME}"})
    assert (other.status_code, other.json()["error"]["code"]) == (403, "origin_not_allowed")


def test_a_websocket_passes(front):
    trusting = ssl.create_default_context(cafile=front.trusted)
    bearer = {"Authorization": f"Bearer {front.token}"}
    address = front.url.replace("https", "wss", 1) + "/api/v1/realtime"
    with connect(address, additional_headers=bearer, origin=front.url, ssl=trusting, proxy=None, open_timeout=60) as screen:
        subscribe(screen)
        for level in (31, 32):
            front.brighten(level)
            hear_until(screen, is_light(level))


def test_events_are_not_buffered(front):
    last = front.done("GET", "/api/v1/changes?after=0&limit=500").json()["next"]
    front.brighten(41)
    wanted = iter(range(42, 46))
    path = "/api/v1/realtime/events?kinds=device_update&devices=hall-light"
    with front.done("GET", path, headers={"Last-Event-ID": str(last)}, stream=True) as stream:
        level = 41
        # Nothing else fills the proxy's buffer: each event arrives alone, or never.
        for line in lines_of(stream):
            if not line.startswith("data: "):
                continue
            if json.loads(line[6:])["data"]["entities"][0]["attributes"].get("brightness") != level:
                continue
            level = next(wanted, None)
            if level is None:
                break
            front.brighten(level)
    assert level is None


def picture(width):
    """A JPEG of noise, as large as a camera's with many more pixels."""
    film = f"testsrc=size={width}x{width * 3 // 4},noise=alls=100:all_seed=7"
    command = ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", film, "-frames:v", "1", "-q:v", "3", "-f", "mjpeg", "-"]
    return subprocess.run(command, check=True, capture_output=True, timeout=60).stdout


@pytest.fixture(scope="module")
def largest():
    """The body of an event, with the largest picture that the hub accepts."""
    for width in range(2800, 1200, -80):
        seen = picture(width)
        if len(seen) <= LARGEST_PICTURE:
            # Viewers ignore bytes after the end marker.
            seen += bytes(LARGEST_PICTURE - len(seen))
            return {"source": "porch", "type": "person", "occurred_at": house.in_seconds(-5), "image_base64": base64.b64encode(seen).decode()}
    raise AssertionError("no picture is small enough")


def test_the_largest_event_passes(front, largest):
    front.done("POST", "/api/v1/events", largest, 201)


class Passkey(SoftwareAuthenticator):
    """A passkey for the public name, made on a page at the proxy's port."""

    RP = NAME

    def __init__(self, front):
        super().__init__()
        self.front = front

    def _ask(self, token, path, body=None, expect=200):
        answer = self.front.ask("POST", "/api/v1/auth/" + path, body or {}, token, headers={"Origin": self.front.url})
        assert answer.status_code == expect, answer.text
        return answer.json()

    def _said(self, kind, challenge, flags, more=b""):
        client = json.dumps({"type": f"webauthn.{kind}", "challenge": challenge, "origin": self.front.url}).encode()
        return client, hashlib.sha256(self.RP.encode()).digest() + bytes([flags, 0, 0, 0, 0]) + more


def test_a_passkey_for_the_public_name_signs_in(front):
    front.step_up()
    passkey = Passkey(front)
    assert passkey.register(front.token, "Key ring")["rp_id"] == NAME
    token = passkey.shown(None, "passkeys/login/verify")["access_token"]
    assert front.ask("GET", "/api/v1/people/me", token=token).json()["role"] == "owner"


class Garages:
    """A slow garage door for each house, on one broker."""

    def __init__(self, port):
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id="garages")
        self.client.on_message = self._heard
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        self.client.subscribe("garages/+/set", qos=1)
        for kind in KINDS:
            config = {
                "name": None, "unique_id": f"garage-{kind}", "device_class": "garage", "command_topic": f"garages/{kind}/set",
                "state_topic": f"garages/{kind}/state", "device": {"identifiers": [f"garage-{kind}"], "name": f"Garage {kind}"},
            }
            self._tell(f"homeassistant/cover/garage_{kind}/config", json.dumps(config))
            self._tell(f"garages/{kind}/state", "closed")

    def _tell(self, topic, text):
        self.client.publish(topic, text, qos=1, retain=True)

    def _heard(self, client, _, message):
        state = message.topic.replace("/set", "/state")
        if message.payload == b"OPEN":
            self._tell(state, "opening")
            arrival = threading.Timer(TRAVEL, self._tell, (state, "open"))
            arrival.daemon = True
            arrival.start()

    def close(self):
        self.client.loop_stop()
        self.client.disconnect()


def test_a_slow_garage_door_is_waited_for(fronts, tmp_path):
    """All three at once, since each is slow."""
    answers = {}

    def open_it(front):
        answers[front.kind] = front.ask("PUT", f"/api/v1/devices/{found[front.kind]}/control", {"action": "open"}, front.token)

    with house.broker(tmp_path) as port, contextlib.closing(Garages(port)):
        found = {}
        for kind, front in fronts.items():
            front.step_up()
            front.done("PUT", "/api/v1/integrations/mqtt", {"host": "127.0.0.1", "port": port})

            def garage():
                devices = front.done("GET", "/api/v1/devices?status=online").json()["devices"]
                return next((one["device_id"] for one in devices if one["name"] == f"Garage {kind}" and one["entities"][0]["state"] == "closed"), None)

            found[kind] = house.until(garage, f"{kind}: its garage is closed")
        threads = [threading.Thread(target=open_it, args=(front,)) for front in fronts.values()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(house.LIMIT)
    assert {kind: (answer.status_code, answer.json().get("status")) for kind, answer in answers.items()} == {kind: (200, "confirmed") for kind in KINDS}
    assert all(answer.json()["execution_time"] >= 1000 * (TRAVEL - 1) for answer in answers.values())
