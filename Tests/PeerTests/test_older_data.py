"""A house, a replica and a terminal's folder as commit 0855354 wrote them, opened by today's programs: everything issued then still works.

`house-of-2026-11-28/make.py` made them and documents their content; `secrets.json` beside it holds the secrets to use them. The clock is set to their
day. The addresses are those of that day too, of a loopback network that nothing else uses: tokens are bound to the address they were given for.
"""

import base64
import contextlib
import fcntl
import hashlib
import hmac
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import unicodedata

import paho.mqtt.client as paho
import pytest
import requests
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

import conftest
import house
from test_backup import restore
from test_command_line import DONE, Terminal, cli_binary  # noqa: F401
from test_tags import Chip

FOLDER = pathlib.Path(__file__).with_name("house-of-2026-11-28")
SECRETS = json.loads((FOLDER / "secrets.json").read_text()) if (FOLDER / "secrets.json").exists() else {}

ADDRESS = "127.85.53.54"
HUB, BROKER, ASSISTANT, PUSH = 18300, 11883, 18123, 18301
HUB_ARGS = ("--listen", f"{ADDRESS}:{HUB}", "--virtual-house", "--push-service", f"http://{ADDRESS}:{PUSH}")
# Seconds after the data was made at which it is opened: the house's cooldowns are over, and a five-minute code is still valid.
LATER = 20

# A house's own certificate has no authority; its key is checked below.
pytestmark = pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning")


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Caller:
    """A caller of the house, with a token if it has one."""

    def __init__(self, url, token=None):
        self.url, self.token = url, token
        self.line = requests.Session()
        # Nor by a list of authorities or a proxy from this machine's environment.
        self.line.verify = self.line.trust_env = False

    def call(self, method, path, body=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return self.line.request(method, self.url + path, json=body, headers=headers, timeout=60)

    def ask(self, method, path, body=None, expect=200, **headers):
        answer = self.call(method, path, body, **headers)
        assert answer.status_code == expect, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def get(self, path):
        return self.ask("GET", path)

    def post(self, path, body=None, expect=200, **headers):
        return self.ask("POST", path, body, expect, **headers)

    def sign_in(self, person):
        self.token = self.post("/api/v1/auth/login", {key: person[key] for key in ("username", "password")})["access_token"]
        return self

    def control(self, device_id, action, **more):
        return self.ask("PUT", f"/api/v1/devices/{device_id}/control", {"action": action, **more})

    def state(self, device_id):
        return self.get(f"/api/v1/devices/{device_id}")["entities"][0]["state"]

    def integration(self, name):
        return next(one for one in self.get("/api/v1/integrations")["integrations"] if one["integration"] == name)

    def connected(self, name, devices):
        """Waits until an integration is connected and its devices answer."""
        house.until(lambda: self.integration(name)["status"] == "connected", f"{name} is connected")
        online = lambda: {one["device_id"] for one in self.get("/api/v1/devices?status=online")["devices"]}  # noqa: E731
        house.until(lambda: set(devices) <= online(), f"{devices} are online")


class SoftwareAuthenticator:
    """A software authenticator. WebAuthn Level 3, ES256, without an attestation and without a counter."""

    RP = "localhost"

    def __init__(self, key=None, credential_id=None, user_handle=None):
        self.key = key or ec.generate_private_key(ec.SECP256R1())
        self.credential_id = credential_id or os.urandom(32)
        self.user_handle = user_handle

    @classmethod
    def kept(cls, kept):
        key = serialization.load_der_private_key(unb64(kept["private_key"]), None)
        return cls(key, unb64(kept["credential_id"]), unb64(kept["user_handle"]))

    @property
    def point(self):
        return self.key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)

    def to_keep(self):
        der = self.key.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        return {"credential_id": b64(self.credential_id), "user_handle": b64(self.user_handle), "private_key": b64(der)}

    def _ask(self, caller, path, body=None, expect=200):
        # Browsers bind passkeys to a host name, which the house has beside its IP address.
        return caller.post("/api/v1/auth/" + path, body or {}, expect, Host=f"{self.RP}:{HUB}")

    def _said(self, kind, challenge, flags, more=b""):
        client = json.dumps({"type": f"webauthn.{kind}", "challenge": challenge, "origin": f"https://{self.RP}:{HUB}"}).encode()
        return client, hashlib.sha256(self.RP.encode()).digest() + bytes([flags, 0, 0, 0, 0]) + more

    def register(self, caller, name):
        asked = self._ask(caller, "passkeys/register/options")["public_key"]
        self.user_handle = unb64(asked["user"]["id"])
        cose = bytes([0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20]) + self.point[1:33] + bytes([0x22, 0x58, 0x20]) + self.point[33:]
        made = bytes(16) + len(self.credential_id).to_bytes(2) + self.credential_id + cose
        client, data = self._said("create", asked["challenge"], 0x5D, made)
        attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58" + bytes([len(data)]) + data
        return self._ask(caller, "passkeys/register/verify", {"name": name, "credential": {
            "id": b64(self.credential_id), "rawId": b64(self.credential_id), "type": "public-key", "clientExtensionResults": {},
            "response": {"clientDataJSON": b64(client), "attestationObject": b64(attestation), "transports": ["internal"]},
        }}, 201)

    def shown(self, caller, path):
        client, data = self._said("get", self._ask(caller, "passkeys/login/options")["public_key"]["challenge"], 0x1D)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._ask(caller, path, {"credential": {
            "id": b64(self.credential_id), "rawId": b64(self.credential_id), "type": "public-key", "clientExtensionResults": {},
            "response": {"clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signature), "userHandle": b64(self.user_handle)},
        }})


class GuestsPhone(Caller):
    """A guest's phone, with a pass that may be bound to its key."""

    ACTION = "/api/guest_access/action"

    def __init__(self, url, token=None, device_id=None, key=None):
        super().__init__(url, token)
        self.device_id = device_id
        self.key = ed25519.Ed25519PrivateKey.from_private_bytes(unb64(key)) if key else None

    def pair(self, code):
        bound = {}
        if self.key:
            raw = self.key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
            bound = {"device_id": self.device_id, "device_public_key": b64(raw)}
        taken = self.post("/api/guest_access/pair", {"pairing_code": code, **bound})
        self.token = taken["guest_token"]
        return taken

    def proof(self, body):
        """The headers by which a bound pass proves its key."""
        asked = self.get(self.ACTION + "/nonce")
        said = {
            "nonce": asked["nonce"], "ts": asked["now"], "method": "POST", "path": self.ACTION,
            "body_sha256": hashlib.sha256(body).hexdigest(), "jti": asked["jti"], "device_id": self.device_id,
        }
        signed = "\n".join(str(said[name]) for name in ("method", "path", "ts", "nonce", "jti", "device_id", "body_sha256"))
        return {"X-Cardea-Proof": b64(json.dumps(said).encode()), "X-Cardea-Proof-Signature": b64(self.key.sign(signed.encode()))}

    def act(self, action="door.open", is_proven=True, **more):
        body = json.dumps({"action": action, **more}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        if self.key and is_proven:
            headers |= self.proof(body)
        return self.line.post(self.url + self.ACTION, data=body, headers=headers, timeout=60)


class HomeAssistant:
    """The part of Home Assistant's WebSocket that the hub uses, with one lamp."""

    LAMP = "light.reading_lamp"

    def __init__(self, token):
        self.token, self.now = token, "off"
        self.server = serve(self.meet, ADDRESS, ASSISTANT)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def state(self):
        moment = "2026-11-28T03:00:00+00:00"
        attributes = {"friendly_name": "Reading lamp", "supported_color_modes": ["onoff"], "color_mode": "onoff" if self.now == "on" else None}
        return {"entity_id": self.LAMP, "state": self.now, "attributes": attributes, "last_changed": moment, "last_updated": moment}

    def answer(self, message):
        return {
            "get_config": {"state": "RUNNING", "unit_system": {"temperature": "°C"}, "version": "2025.11.0"},
            "get_states": [self.state()],
            "config/device_registry/list": [{"id": "d1", "name": "Reading lamp", "identifiers": [["test", "d1"]], "area_id": "living_room"}],
            "config/entity_registry/list": [{"id": "e1", "entity_id": self.LAMP, "device_id": "d1", "unique_id": "e1", "platform": "test"}],
            "config/area_registry/list": [{"area_id": "living_room", "name": "Living room"}],
        }.get(message["type"])

    def meet(self, line):
        say = lambda message: line.send(json.dumps(message))  # noqa: E731
        say({"type": "auth_required", "ha_version": "2025.11.0"})
        if json.loads(line.recv())["access_token"] != self.token:
            return say({"type": "auth_invalid", "message": "Invalid access token or password"})
        say({"type": "auth_ok", "ha_version": "2025.11.0"})
        with contextlib.suppress(ConnectionClosed):  # The hub has disconnected.
            subscription = None
            while True:
                message = json.loads(line.recv())
                number, kind = message["id"], message["type"]
                if kind == "ping":
                    say({"id": number, "type": "pong"})
                    continue
                if kind == "subscribe_events" and message.get("event_type") == "state_changed":
                    subscription = number
                say({"id": number, "type": "result", "success": True, "result": self.answer(message)})
                if kind == "call_service":
                    say({"id": subscription, "type": "event", "event": self.switched(message["service"])})

    def switched(self, service):
        old, self.now = self.state(), {"turn_on": "on", "turn_off": "off"}[service]
        return {"event_type": "state_changed", "data": {"entity_id": self.LAMP, "old_state": old, "new_state": self.state()}, "origin": "LOCAL"}

    def close(self):
        self.server.shutdown()


def listens():
    with socket.socket() as probe:
        return probe.connect_ex((ADDRESS, BROKER)) == 0


@contextlib.contextmanager
def broker(folder, settings):
    """A broker at the address of that day, with the user name and password that the house has stored."""
    config, passwords = folder / "mosquitto.conf", folder / "mosquitto.passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, settings["username"], settings["password"]], check=True, capture_output=True)
    config.write_text(f"user root\nlistener {BROKER} {ADDRESS}\nallow_anonymous false\npassword_file {passwords}\npersistence false\n")
    process = subprocess.Popen(["mosquitto", "-c", config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        house.until(listens, "the broker is there")
        yield
    finally:
        process.terminate()
        process.wait(60)


class Porch:
    """On the broker: a lamp and a door that announce themselves and obey commands, and a gate that receives a button's messages."""

    LAMP, DOOR, GATE = "porch/lamp", "porch/door", "porch/gate"
    DONE = {"ON": "ON", "OFF": "OFF", "LOCK": "LOCKED", "UNLOCK": "UNLOCKED"}

    def __init__(self, settings):
        self.heard, self.subscribed = [], threading.Event()
        self.client = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id="porch", protocol=paho.MQTTv5)
        self.client.username_pw_set(settings["username"], settings["password"])
        self.client.on_connect = lambda client, *_: client.subscribe([(self.LAMP + "/set", 1), (self.DOOR + "/set", 1), (self.GATE, 1)])
        self.client.on_subscribe = lambda *_: self.subscribed.set()
        self.client.on_message = self.told
        self.client.connect(ADDRESS, BROKER)
        self.client.loop_start()
        assert self.subscribed.wait(house.LIMIT)
        for kind, name, topic, state in (("light", "Porch lamp", self.LAMP, "OFF"), ("lock", "Back door", self.DOOR, "LOCKED")):
            announced = {
                "name": None, "unique_id": topic, "command_topic": topic + "/set", "state_topic": topic,
                "device": {"identifiers": [topic], "name": name, "manufacturer": "Simulated"},
            }
            self.say(f"homeassistant/{kind}/{topic.replace('/', '_')}/config", json.dumps(announced), retain=True)
            self.say(topic, state, retain=True)

    def say(self, topic, payload, **more):
        self.client.publish(topic, payload, qos=1, **more)

    def told(self, _client, _data, message):
        if message.topic == self.GATE:
            self.heard.append(json.loads(message.payload))
            self.say(self.GATE + "/state", json.dumps({"id": self.heard[-1]["id"]}))
        else:
            self.say(message.topic.removesuffix("/set"), self.DONE[message.payload.decode()], retain=True)

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


class OldTerminal(Terminal):
    """A terminal whose folder has a fixed name, since its secrets are sealed for that name.

    Its clock stands at `day`, or `later` seconds after it.
    """

    def __init__(self, binary, home, day=None):
        super().__init__(binary, home)
        self.env["CARDEA_HOME"] = f"/proc/self/cwd/{home.name}"
        self.day, self.later = day, 0

    def run(self, *args, typed="", expect=DONE):
        env = {**self.env, **(self.day.environment(self.later) if self.day else {})}
        done = subprocess.run(
            [str(self.binary), *args], input=typed, capture_output=True, text=True, env=env, cwd=self.home.parent, timeout=house.LIMIT)
        assert done.returncode == expect, f"{args}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done


class Day:
    """The day on which the data was made: a process started in its `environment` has a clock that stands there.

    `CARDEA_CLOCK_FILE` does not work here: a terminal does not read it, and the hub drops MQTT messages by the system's clock.
    """

    def __init__(self, folder):
        self.ahead = SECRETS["made_at"] + LATER - time.time()
        self.library = folder / "clock.so"
        # Beside the compiler that built the hub, wherever that is.
        clang = pathlib.Path(shutil.which("swift")).resolve().with_name("clang")
        subprocess.run([clang, "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", self.library, FOLDER / "clock.c"], check=True)

    def environment(self, later=0):
        return {"LD_PRELOAD": str(self.library), "CLOCK_AHEAD": str(round(self.ahead + later))}


@contextlib.contextmanager
def the_addresses():
    """Held by one run of these tests at a time on one machine, since the addresses are fixed. Another run waits."""
    with open(pathlib.Path(tempfile.gettempdir()) / f"cardea-{FOLDER.name}.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Opened:
    """The data, unpacked and opened."""

    def __init__(self, folder, hub_binary, cli_binary):
        shutil.unpack_archive(FOLDER / "data.tar.xz", folder)
        self.folder, self.hub_binary, self.day = folder, hub_binary, Day(folder)
        self.terminal = OldTerminal(cli_binary, folder / "terminal", self.day)

    def check(self, name):
        """The problems that `cardea-hub check` reports for a house in this folder."""
        done = subprocess.run(
            [self.hub_binary, "check", "--data", self.folder / name, "--json"], capture_output=True, text=True, timeout=60,
            env={**os.environ, **self.day.environment()})
        return json.loads(done.stdout)["problems"]

    def caller(self, token=None):
        return Caller(SECRETS["url"], token)

    def owner(self):
        return self.caller().sign_in(SECRETS["people"][0])


@pytest.fixture(scope="module")
def opened(hub_binary, cli_binary, tmp_path_factory):  # noqa: F811
    folder = tmp_path_factory.mktemp("older")
    with the_addresses(), broker(folder, SECRETS["mqtt"]), conftest.hubs(hub_binary) as start:
        opened = Opened(folder, hub_binary, cli_binary)
        # Before the hub answers.
        opened.offline = {words: opened.terminal.json(*words) for words in (("devices",), ("rooms",), ("queue",), ("conflicts",), ("guests",))}
        opened.porch, opened.assistant = Porch(SECRETS["mqtt"]), HomeAssistant(SECRETS["home_assistant"]["token"])
        opened.start, opened.hub = start, start(opened.folder / "house", *HUB_ARGS, insecure=False, besides=opened.day.environment())
        yield opened
        opened.porch.close()
        opened.assistant.close()
    assert opened.check("house") == [], "the house is whole after all of it"


def test_the_house_passes_its_check_and_keeps_its_key(opened):
    assert opened.check("house") == []
    assert opened.hub.url == SECRETS["url"] and opened.hub.ready["pin"] == SECRETS["pin_of_the_house"]
    assert opened.owner().get("/api/v1/house")["house_id"] == SECRETS["house_id"]


@pytest.mark.parametrize("person", SECRETS.get("people", []), ids=lambda person: person["form"])
def test_a_password_is_accepted_in_both_unicode_forms(opened, person):
    # The form that was not typed comes first: after it the house stores the composed one.
    for form in sorted(("NFC", "NFD"), key=lambda form: form == person["form"]):
        typed = person | {"password": unicodedata.normalize(form, person["password"])}
        assert opened.caller().sign_in(typed).get("/api/v1/people/me")["username"] == person["username"], form


def test_a_browser_session_without_a_key_signs_in_again(opened):
    browser, cookie = opened.caller(SECRETS["browser"]["access_token"]), SECRETS["browser"]["cookie"]
    assert browser.call("GET", "/api/v1/people/me").status_code == 401
    browser.token = None
    answer = browser.call("POST", "/api/v1/auth/refresh", Cookie=f"cardea_refresh={cookie}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "dpop_proof_required"), answer.text
    # Sent like an API token, it is refused too.
    assert browser.call("POST", "/api/v1/auth/refresh", {"refresh_token": cookie}).status_code == 401


def test_a_phone_stays_paired(opened):
    kept = SECRETS["phone"]
    phone = opened.caller(kept["access_token"])
    assert phone.get("/api/v1/devices")["devices"]
    refresh = kept["refresh_token"]
    for _ in range(2):
        tokens = opened.caller().post("/api/v1/mobile/auth/refresh", {"refresh_token": refresh, "device_id": kept["device_id"]})
        refresh = tokens["refresh_token"]
    assert opened.caller(tokens["access_token"]).get("/api/v1/devices")["devices"]
    assert [one["device_name"] for one in opened.owner().get("/api/v1/mobile/devices")["devices"]] == ["Ada's phone"]


def test_a_passkey_and_a_recovery_code_sign_in(opened):
    passkey = SoftwareAuthenticator.kept(SECRETS["passkey"])
    for _ in range(2):
        tokens = passkey.shown(opened.caller(), "passkeys/login/verify")
        assert opened.caller(tokens["access_token"]).get("/api/v1/people/me")["username"] == "owner"
    # A step-up of an older session works with it, too.
    assert passkey.shown(opened.caller(tokens["access_token"]), "step-up")["until"]
    code = SECRETS["recovery_codes"][3]
    recovered = opened.caller().post("/api/v1/auth/recovery", {"code": code})
    assert opened.caller(recovered["access_token"]).get("/api/v1/auth/recovery-codes")["left"] == 9
    opened.caller().post("/api/v1/auth/recovery", {"code": code}, 401)


def test_a_programs_token_keeps_its_permissions(opened):
    panel = opened.caller(SECRETS["api_token"])
    assert {one["device_id"] for one in panel.get("/api/v1/devices")["devices"]} == {"hall-light", "front-door"}
    assert panel.control("hall-light", "on")["status"] == "confirmed"
    assert panel.call("PUT", "/api/v1/devices/front-door/control", {"action": "unlock"}).status_code == 403


def test_passes_open_bound_and_unbound(opened):
    owner = opened.owner()
    actuations = lambda: owner.get("/api/v1/devices/front-door")["attributes"]["actuations"]  # noqa: E731
    before = actuations()
    plumber = GuestsPhone(SECRETS["url"], SECRETS["unbound_pass"]["token"])
    opening = plumber.act()
    assert opening.status_code == 200 and (opening.json()["used_count"], opening.json()["remaining_uses"]) == (2, 3), opening.text

    kept = SECRETS["bound_pass"]
    carpenter = GuestsPhone(SECRETS["url"], kept["token"], kept["device_id"], kept["private_key"])
    thief = carpenter.act(is_proven=False)
    assert (thief.status_code, thief.json()["error"]) == (401, "action_proof_required")
    opening = carpenter.act()
    assert opening.status_code == 200 and opening.json()["used_count"] == 2, opening.text
    assert actuations() == before + 2

    cleaner = GuestsPhone(SECRETS["url"])
    assert cleaner.pair(SECRETS["code_that_waits"])["name"] == "Cleaner"
    assert cleaner.act("light.on").status_code == 200
    history = owner.get(f"/api/v1/guests/{kept['guest_id']}")["history"]
    assert [one["result"] for one in history if one["action"] == "door.open"] == ["confirmed", "refused", "confirmed"]


def test_a_tag_keeps_its_counter(opened):
    owner, kept = opened.owner(), SECRETS["tag"]
    chip = Chip(kept["uid"], kept["meta_key"], kept["file_key"], kept["url"])
    chip.count = kept["counter"]
    tap = lambda url, **more: owner.post("/api/v1/tags/tap", {"url": url, **more})  # noqa: E731
    assert tap(kept["touched"])["reason"] == "already_used"
    touched = tap(chip.touch())
    assert (touched["accepted"], touched["outcome"], touched["action"]["device_id"]) == (True, "confirmed", "front-door"), touched
    assert owner.get(f"/api/v1/tags/{kept['tag_id']}")["label"] == "Front gate"
    assert tap(SECRETS["sticker"])["reason"] == "confirmation_required"
    assert tap(SECRETS["sticker"], confirm=True)["accepted"]


def test_a_button_and_a_scene_still_work(opened):
    owner = opened.owner()
    for device in ("hall-light", "study-light"):
        owner.control(device, "off")
    assert owner.post(f"/api/v1/buttons/{SECRETS['buttons']['light']}/press")["status"] == "confirmed"
    assert owner.state("hall-light") == "on"
    owner.connected("mqtt", ["porch-lamp"])
    results = owner.post(f"/api/v1/scenes/{SECRETS['scene_id']}/run")["results"]
    assert [(one["device_id"], one["status"]) for one in results] == [
        (device, "confirmed") for device in ("hall-light", "study-light", "porch-lamp")], results
    assert owner.get("/api/v1/devices/study-light")["state"]["brightness"] == 40


def test_both_integrations_connect_with_their_stored_settings(opened):
    owner = opened.owner()
    owner.connected("mqtt", ["porch-lamp"])
    owner.connected("home-assistant", ["reading-lamp"])
    for device in ("porch-lamp", "reading-lamp"):
        for action in ("on", "off"):
            assert owner.control(device, action)["status"] == "confirmed"
            assert owner.state(device) == action
    assert opened.assistant.now == "off"


def test_the_gate_accepts_a_buttons_signature(opened):
    owner, gate = opened.owner(), SECRETS["buttons"]["gate"]
    owner.connected("mqtt", ["porch-lamp"])
    before = len(opened.porch.heard)
    assert owner.post(f"/api/v1/buttons/{gate['button_id']}/press")["status"] == "confirmed"
    (order,) = opened.porch.heard[before:]
    said = "\n".join(["cardea-command-1", order["device"], order["id"], str(order["time"]), order["command"]])
    assert hmac.new(bytes.fromhex(gate["signing_key"]), said.encode(), hashlib.sha256).hexdigest() == order["mac"]
    assert order["device"] == gate["topic"] and order["command"].startswith("open ")
    stamp = bytes.fromhex(order["command"].removeprefix("open "))
    block = Cipher(algorithms.AES(bytes.fromhex(gate["timestamp_key"])), modes.ECB()).decryptor().update(stamp)
    assert block[15] == sum(block[:15]) & 0xFF


def test_the_interview_continues(opened):
    owner, kept = opened.owner(), SECRETS["interview"]
    path = f"/api/v1/interview/{kept['interview_id']}"
    turns = owner.get(path + "/conversation")["turns"]
    assert [one["text"] for one in turns if one["speaker"] == "person"] == ["two Hue lamps in the hall and a Yale lock at the back"]
    assert kept["question"] == turns[-1]["text"]
    assert {one["detected_brand"] for one in owner.get(path + "/status")["candidates"]} == {"Hue", "Yale"}
    for message in ("done", "yes"):
        said = owner.post(path + "/message", {"message": message})
    assert said["status"] == "completed", said
    planned = [one["name"] for one in owner.get("/api/v1/devices")["devices"] if one["integration"] == "planned"]
    assert "Yale lock" in planned, planned


def test_memories_and_automations_still_work(opened):
    owner = opened.owner()
    remembered = {one["memory_id"]: one for one in owner.get("/api/v1/memory?limit=100")["memories"]}
    boiler, bins = (remembered[one] for one in SECRETS["memories"])
    assert (boiler["title"], boiler["content"], boiler["tags"]) == ("Boiler", "The boiler was serviced in May.", ["heating"])
    assert (bins["memory_type"], bins["is_pinned"], bins["related_devices"]) == ("procedural", True, ["front-door"])

    path = f"/api/v1/automations/{SECRETS['automation_id']}"
    (before,) = owner.get(path + "/history")["runs"]
    assert (before["result"], [one["status"] for one in before["outcomes"]]) == ("ran", ["confirmed", "told"])
    assert [one["name"] for one in owner.get("/api/v1/automations")["automations"]] == ["Everybody out"]
    owner.control("front-door", "unlock")
    for is_home in (True, False):
        owner.ask("PUT", "/api/v1/people/me/presence", {"is_home": is_home})
    runs = lambda: [one for one in owner.get(path + "/history")["runs"] if len(one["outcomes"]) == 2]  # noqa: E731
    house.until(lambda: len(runs()) == 2, "it has run again")
    assert owner.state("front-door") == "locked"


def test_stored_records_are_read(opened):
    owner = opened.owner()
    camera = owner.get(f"/api/v1/cameras/{SECRETS['camera_id']}")
    assert (camera["name"], camera["source"]["has_credentials"], camera["detection"]["zones"][0]["name"]) == ("Porch", True, "Path")
    (found,) = owner.get("/api/v1/mobile/events?q=ladder")["events"]
    assert found["id"] == SECRETS["event_id"] and found["description"] == "Somebody with a ladder"
    assert owner.get(f"/api/v1/maintenance/{SECRETS['task_id']}")["notes"] == "In the cellar"
    (subscription,) = owner.get("/api/v1/push")["subscriptions"]
    assert subscription["way"] == "web" and ADDRESS in subscription["service"]


@pytest.mark.parametrize("number", range(len(SECRETS.get("named", []))), ids=lambda number: SECRETS["named"][number]["path"])
def test_a_repeated_write_gets_the_stored_answer(opened, number):
    one = SECRETS["named"][number]
    caller = opened.owner() if one["who"] == "owner" else opened.caller(SECRETS["unbound_pass"]["token"])
    answer = caller.call(one["method"], one["path"], one["body"], Idempotency_Key=one["key"])
    assert (answer.status_code, answer.headers.get("Idempotent-Replayed")) == (one["status"], "true"), answer.text
    # Its later changes are included in the repeated answer. A camera's reason is worded by the version that answers.
    since = {"reason", "person", "status", "paired_at", "last_used_at", "used_count", "remaining_uses", "version"}
    told = {name: value for name, value in one["answer"].items() if name not in since}
    assert answer.json() | told == answer.json()


def test_the_terminal_reads_its_replica_and_sends_its_outbox(opened):
    owner, terminal = opened.owner(), opened.terminal
    assert opened.offline[("devices",)]["stale"] and {"porch-lamp", "front-door"} <= {
        one["device_id"] for one in opened.offline[("devices",)]["devices"]}
    assert "Entrance" in [one["name"] for one in opened.offline[("rooms",)]["rooms"]], "as it will be called"
    assert {"Plumber", "Carpenter", "Gardener"} <= {one["name"] for one in opened.offline[("guests",)]["guests"]}
    assert [one["kind"] for one in opened.offline[("queue",)]["entries"]] == SECRETS["waiting"]
    (conflict,) = opened.offline[("conflicts",)]["conflicts"]
    assert (conflict["mine"]["name"], conflict["theirs"]["name"]) == ("Library", "Office")

    owner.control("hall-light", "on")
    report = terminal.json("sync")
    assert (report["sent"], report["waiting"], report["ended"], report["conflicts"]) == (len(SECRETS["waiting"]), 0, 0, 1), report
    assert owner.state("hall-light") == "off"
    assert owner.get("/api/v1/rooms/hall")["name"] == "Entrance"
    assert owner.get(f"/api/v1/guests/{SECRETS['gardener']}")["suspended_at"]
    assert owner.get("/api/v1/memory?q=ladder")["memories"]
    assert "Reading" in [one["name"] for one in owner.get("/api/v1/scenes")["scenes"]]
    terminal.run("conflicts", "resolve", conflict["id"], "--mine")
    assert owner.get("/api/v1/rooms/study")["name"] == "Library"
    assert "Linden Street 14" in terminal.run("status").stdout
    terminal.run("audit", "check")

    # By its clock the stored access token has expired: it gets another one, and stores that.
    sealed = terminal.home / "secrets.sealed"
    before = sealed.read_bytes()
    terminal.later = 2 * 3600
    terminal.run("status")
    terminal.later = 0
    assert sealed.read_bytes() != before


def test_terminal_passes_open_with_and_without_a_pin(opened):
    owner, terminal = opened.owner(), opened.terminal
    assert {one["name"] for one in terminal.json("pass")["passes"]} == {"Neighbour", "Uncle"}
    assert terminal.run("open", "front-door", "--pass").stdout.startswith("It is open.")
    owner.connected("mqtt", ["back-door"])
    assert terminal.error("open", "back-door", "--pass", typed="sesame-8\n")["code"] == "pin_wrong"
    assert owner.state("back-door") == "locked"
    assert terminal.run("open", "back-door", "--pass", typed=SECRETS["pin"] + "\n").stdout.startswith("It is open.")
    assert owner.state("back-door") == "unlocked"


def test_a_backup_is_restored_with_its_recovery_key(opened):
    key = opened.folder / "recovery.key"
    key.write_text(SECRETS["backup_key"])
    # It is older than the authentication of backups.
    archive = opened.folder / "drawer/house.backup"
    refused = restore(opened.hub_binary, opened.folder / "restored", archive, key, code=1)
    assert SECRETS["house_id"] in refused and "--accept-unauthenticated" in refused and not (opened.folder / "restored").exists()
    put_back = restore(opened.hub_binary, opened.folder / "restored", archive, key, "--accept-unauthenticated")
    assert put_back["house_id"] == SECRETS["house_id"] and not put_back["authenticated"]
    assert opened.check("restored") == []
    hub = opened.start(opened.folder / "restored", "--virtual-house", insecure=False)
    owner, zoe = SECRETS["people"]
    back = Caller(hub.url).sign_in(owner)
    assert back.get("/api/v1/house")["house_id"] == SECRETS["house_id"]
    assert "porch-lamp" in {one["device_id"] for one in back.get("/api/v1/devices")["devices"]}
    # After a restore only the owner may sign in, who lets in the others.
    (other,) = [one for one in back.get("/api/v1/people")["people"] if one["username"] == zoe["username"]]
    back.ask("PATCH", f"/api/v1/people/{other['person_id']}", {"disabled": False})
    assert Caller(hub.url).sign_in(zoe).get("/api/v1/people/me")["name"] == "Zoë"
    assert hub.stop() == 0
