"""Buttons that publish: a real broker that requires a client certificate, and a garage door's firmware by `docs/firmware.md`."""

import contextlib
import datetime
import hashlib
import hmac
import ipaddress
import json
import signal
import subprocess
import threading
import time

import paho.mqtt.client as paho
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.x509.oid import NameOID

import house
from conftest import PASSWORD
from test_tags import FILE, META, UID, Chip, tagged

TOPIC, STATE = "home/garage", "home/garage/state"


class Authority:
    """Signs the certificates of the broker, the hub and the garage."""

    def __init__(self, folder):
        self.folder, self.key = folder, ec.generate_private_key(ec.SECP256R1())
        self.certificate = self.made("ca", self.key.public_key(), is_authority=True)
        self.save("ca.crt", self.certificate.public_bytes(serialization.Encoding.PEM))
        for name in ("broker", "hub", "garage"):
            key = ec.generate_private_key(ec.SECP256R1())
            self.save(f"{name}.crt", self.made(name, key.public_key()).public_bytes(serialization.Encoding.PEM))
            self.save(
                f"{name}.key",
                key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
            )

    def made(self, name, key, is_authority=False):
        now = datetime.datetime.now(datetime.timezone.utc)
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        issuer = subject if is_authority else self.certificate.subject
        names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        return (
            x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key).serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(hours=1)).not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.BasicConstraints(is_authority, None), True).add_extension(names, False).sign(self.key, hashes.SHA256())
        )

    def save(self, name, data):
        (self.folder / name).write_bytes(data)

    def text(self, name):
        return (self.folder / name).read_text()


class Broker:
    """mosquitto with mutual TLS, which keeps sessions on request: what it delivers late carries a mark."""

    def __init__(self, authority):
        self.authority, self.port, self.process = authority, house.free_port(), None
        folder = authority.folder
        (folder / "tls.conf").write_text(
            f"user root\nlistener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\nset_tcp_nodelay true\nrequire_certificate true\n"
            f"cafile {folder}/ca.crt\ncertfile {folder}/broker.crt\nkeyfile {folder}/broker.key\n"
        )

    def start(self):
        words = ["mosquitto", "-c", str(self.authority.folder / "tls.conf")]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        house.until(lambda: house.listens(self.port), "the broker is there")

    def kill(self):
        self.process.kill()
        self.process.wait(60)

    @property
    def settings(self):
        text = self.authority.text
        return {"host": "127.0.0.1", "port": self.port, "cert_pem": text("hub.crt"), "key_pem": text("hub.key"), "ca_pem": text("ca.crt")}


class Garage:
    """A garage door's firmware: it checks messages by the firmware page alone, and its relay pulses when every check passes."""

    def __init__(self, broker, key=None):
        self.key, self.heard, self.pulses, self.refused, self.ids, self.answers = key, [], [], [], set(), True
        self.commands = []
        self.client = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id="garage", protocol=paho.MQTTv5)
        folder = broker.authority.folder
        self.client.tls_set(str(folder / "ca.crt"), str(folder / "garage.crt"), str(folder / "garage.key"))
        self.client.on_message = self.told
        self.subscribed = []
        self.client.on_connect = lambda client, *_: client.subscribe(TOPIC, qos=1)
        self.client.on_subscribe = lambda *_: self.subscribed.append(True)
        self.client.connect("127.0.0.1", broker.port)
        self.client.loop_start()
        house.until(lambda: self.subscribed, "the garage listens")

    def told(self, client, _, message):
        # By this the house names the command of the message, so a receiver tells two messages from one delivered twice.
        self.commands += [value for name, value in getattr(message.properties, "UserProperty", []) if name == "cardea-command-id"]
        self.heard.append((message.payload, message.qos, message.retain, getattr(message.properties, "MessageExpiryInterval", None)))
        if self.key is None:
            self.pulses.append(message.payload.decode())
            if self.answers:
                client.publish(STATE, "open", qos=1)
            return
        try:
            order = json.loads(message.payload)
        except ValueError:
            return self.refused.append("no envelope")
        said = "\n".join(["cardea-command-1", order["device"], order["id"], str(order["time"]), order["command"]])
        if not hmac.compare_digest(hmac.new(self.key, said.encode(), hashlib.sha256).hexdigest(), order["mac"]):
            return self.refused.append("code")
        if order["device"] != TOPIC:
            return self.refused.append("device")
        if abs(time.time() - order["time"]) > 30:
            return self.refused.append("time")
        if order["id"] in self.ids:
            return self.refused.append("twice")
        self.ids.add(order["id"])
        self.pulses.append(order["command"])
        if self.answers:
            client.publish(STATE, json.dumps({"id": order["id"]}), qos=1)

    def say(self, topic, payload, retain=False):
        self.client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(house.LIMIT)

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture(scope="module")
def broker(tmp_path_factory, module_owner):
    broker = Broker(Authority(tmp_path_factory.mktemp("broker")))
    broker.start()
    answer = module_owner.put("/api/v1/integrations/endpoint", broker.settings)
    assert answer.status_code == 200, answer.text
    connected(module_owner)
    yield broker
    broker.process.kill()


def standing(owner):
    return next(one for one in owner.get("/api/v1/integrations").json()["integrations"] if one["integration"] == "endpoint")


def connected(owner):
    house.until(lambda: standing(owner)["status"] == "connected", "the endpoint is connected")


@contextlib.contextmanager
def garage(broker, key=None):
    one = Garage(broker, key)
    try:
        yield one
    finally:
        one.close()


def button(owner, **publish):
    body = {"title": "Garage", "publish": {"via": "endpoint", "topic": TOPIC, "message": "open", **publish}}
    answer = owner.post("/api/v1/buttons", body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def pressed(owner, one):
    answer = owner.post(f"/api/v1/buttons/{one['button_id']}/press")
    return answer.status_code, answer.json()


def tapped(owner, one, **more):
    def made():
        # A button has one live link per second.
        answer = owner.post("/api/v1/tags", {"kind": "live", "button_id": one["button_id"]})
        assert answer.status_code in (201, 429), answer.text
        return answer.json() if answer.status_code == 201 else None

    link = house.until(made, "there is a link")
    return owner.post("/api/v1/tags/tap", {"url": link["url"], **more}).json()


def test_each_accepted_tap_publishes_one_message_and_the_garage_confirms(broker, module_owner):
    with garage(broker) as door:
        one = button(module_owner, state_topic=STATE, state_message="open")
        door.say(STATE, "open", retain=True)
        asked = []
        for count in range(1, 21):
            answer = tapped(module_owner, one)
            assert (answer["accepted"], answer["outcome"]) == (True, "confirmed"), answer
            asked.append(answer["command_id"])
            house.until(lambda: len(door.pulses) >= count, "the relay pulses")
        assert len(door.heard) == 20 and door.commands == asked and len(set(asked)) == 20
        assert {(payload, qos, retain) for payload, qos, retain, _ in door.heard} == {(b"open", 1, False)}
        assert all(expiry is not None and 0 < expiry <= 5 for *_, expiry in door.heard)
        door.say(STATE, b"", retain=True)

        device = module_owner.get(f"/api/v1/devices/{one['button_id']}").json()
        assert (device["status"], device["name"]) == ("online", "Garage")


def test_a_tap_of_either_tag_kind_publishes_one_message(broker, module_owner):
    gate = button(module_owner, state_topic=STATE, state_message="open")
    lamp = button(module_owner, state_topic=STATE, state_message="open", risk="control")
    chip = Chip(UID, META, FILE, tagged(module_owner, gate, "sun", uid=UID, meta_key=META, file_key=FILE)["url"])
    sticker = tagged(module_owner, lamp, "static")["url"]
    with garage(broker) as door:
        taps = [{"url": chip.touch()}, {"url": sticker, "confirm": True}]
        answers = [module_owner.post("/api/v1/tags/tap", one).json() for one in taps]
        assert [(answer["accepted"], answer["outcome"]) for answer in answers] == [(True, "confirmed")] * 2, answers
        assert module_owner.post("/api/v1/tags/tap", taps[0]).json()["reason"] == "already_used"
        door.say(TOPIC, "fence")
        house.until(lambda: door.heard and door.heard[-1][0] == b"fence", "the fence is heard")
        assert door.commands == [answer["command_id"] for answer in answers] and len(door.heard) == 3


def test_without_a_report_from_the_garage_the_outcome_is_unknown(broker, module_owner):
    with garage(broker) as door:
        door.answers = False
        heard = button(module_owner, state_topic=STATE, state_message="open")
        unheard = button(module_owner)
        answer = tapped(module_owner, unheard)
        assert (answer["outcome"], answer["reason"], "does not report its state" in answer["message"]) == ("unknown", "no_report", True), answer
        answer = tapped(module_owner, heard)
        assert (answer["accepted"], answer["outcome"]) == (True, "unknown"), answer
        assert len(door.pulses) == 2


def test_without_a_subscriber_or_broker_nothing_moves_later(broker, module_owner):
    one = button(module_owner)
    answer = tapped(module_owner, one)
    assert (answer["outcome"], "no client subscribes" in answer["message"]) == ("failed", True), answer

    broker.kill()
    house.until(lambda: standing(module_owner)["status"] != "connected", "the loss is noticed")
    answer = tapped(module_owner, one)
    assert (answer["accepted"], answer["reason"]) == (False, "device_unreachable"), answer
    broker.start()
    with garage(broker) as door:
        connected(module_owner)
        door.say(TOPIC, "fence")
        house.until(lambda: door.heard, "the fence is heard")
        assert [payload for payload, *_ in door.heard] == [b"fence"]


def test_a_broker_killed_during_taps_delivers_no_message_twice_or_late(broker, module_owner):
    one = button(module_owner, state_topic=STATE)
    accepted, heard, commands = [], [], []
    for round in range(4):
        with garage(broker) as door:
            connected(module_owner)
            door.answers = round % 2 == 0
            if round % 3 == 1:
                broker.process.send_signal(signal.SIGSTOP)
            threads = [tapped_in_thread(module_owner, one, accepted) for _ in range(3)]
            if round % 3 == 2:
                house.until(lambda: door.heard, "one of them is heard")
            broker.kill()
            for thread in threads:
                thread.join()
        heard += [payload for payload, *_ in door.heard]
        commands += door.commands
        broker.start()
        with garage(broker) as door:
            connected(module_owner)
            door.say(TOPIC, "fence")
            house.until(lambda: door.heard, "the fence is heard")
            assert [payload for payload, *_ in door.heard] == [b"fence"]
    assert len(accepted) == 12
    sure = sum(answer["outcome"] == "confirmed" for answer in accepted)
    possible = sum(answer["outcome"] in ("confirmed", "unknown") for answer in accepted)
    assert sure <= len(heard) <= possible, (sure, len(heard), possible)
    assert len(commands) == len(heard) == len(set(commands)), "each is one command's, and none comes twice"
    assert set(commands) <= {answer["command_id"] for answer in accepted if answer["outcome"] in ("confirmed", "unknown")}, "each was accepted"


def tapped_in_thread(owner, one, answers):
    thread = threading.Thread(target=lambda: answers.append(tapped(owner, one)))
    thread.start()
    return thread


def test_the_garage_accepts_only_messages_signed_by_the_house(broker, module_owner):
    one = button(module_owner, signed=True, state_topic=STATE)
    with garage(broker, b"") as door:
        status, answer = pressed(module_owner, one)
        assert (status, "no key to sign with" in answer["error"]["message"]) == (503, True), answer
        assert not door.heard

        assert module_owner.post("/api/v1/auth/step-up", {"password": PASSWORD}).status_code == 200
        made = module_owner.post(f"/api/v1/buttons/{one['button_id']}/signing-key")
        assert made.status_code == 201, made.text
        assert made.json()["device"] == TOPIC
        door.key = bytes.fromhex(made.json()["key"])

        status, answer = pressed(module_owner, one)
        assert (status, answer["status"]) == (200, "confirmed"), answer
        assert door.pulses == ["open"]

        # Another client of the broker replays the message, and sends the bell's message to the garage.
        kept = door.heard[-1][0]
        door.say(TOPIC, kept)
        forged = json.loads(kept)
        door.say(TOPIC, json.dumps({**forged, "id": "cmd_2"}))
        door.say(TOPIC, "open")
        house.until(lambda: len(door.refused) == 3, "each is refused")
        assert (door.refused, door.pulses) == (["twice", "code", "no envelope"], ["open"])
        assert made.json()["key"] not in json.dumps(module_owner.get(f"/api/v1/buttons/{one['button_id']}").json())


def test_older_firmware_decrypts_the_timestamp(broker, module_owner):
    key = "11223344556677889900aabbccddeeff"
    with garage(broker) as door:
        one = button(module_owner, message='{"command":1,"otp-auth":"%T"}', timestamp_key=key, risk="control")
        begun = int(time.time())
        tapped(module_owner, one)
        house.until(lambda: door.heard, "it is heard")
        order = json.loads(door.heard[0][0])
        block = Cipher(algorithms.AES(bytes.fromhex(key)), modes.ECB()).decryptor().update(bytes.fromhex(order["otp-auth"]))
        assert begun <= int.from_bytes(block[4:8], "little") <= time.time() + 1
        assert block[15] == sum(block[:15]) & 0xFF
        shown = module_owner.get(f"/api/v1/buttons/{one['button_id']}").json()["publish"]
        assert shown["has_timestamp_key"] and key not in json.dumps(shown)


@pytest.mark.parametrize(
    "publish, words",
    [
        ({"topic": "home/#", "message": "1"}, "MQTT topic must not have +"),
        ({"topic": TOPIC, "message": "%T"}, "timestamp key format incorrect"),
        ({"topic": TOPIC, "message": "%T", "timestamp_key": "00" * 16}, "timestamp key format incorrect"),
        ({"topic": TOPIC, "message": "1", "state_message": "x"}, "state message"),
    ],
)
def test_an_unpublishable_message_is_refused_with_a_reason(module_owner, publish, words):
    answer = module_owner.post("/api/v1/buttons", {"title": "Garage", "publish": publish})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_publication"), answer.text
    assert words in answer.json()["error"]["message"]


def test_a_wrong_client_certificate_is_refused_in_the_settings(broker, module_owner):
    text = broker.authority.text
    for change, words in [
        ({"host": ""}, "MQTT endpoint empty"), ({"cert_pem": ""}, "certificate empty"), ({"key_pem": ""}, "private key empty"),
        ({"key_pem": text("garage.key")}, "certificate and private key mismatch"), ({"cert_pem": "x"}, "certificate or private key incorrect"),
    ]:
        answer = module_owner.put("/api/v1/integrations/endpoint", {**broker.settings, **change})
        assert answer.status_code == 400 and words in answer.json()["error"]["message"], answer.text
    # A secret that is not shown need not be typed again.
    answer = module_owner.put("/api/v1/integrations/endpoint", {"host": "127.0.0.1", "port": broker.port})
    assert answer.status_code == 200, answer.text
    assert answer.json()["settings"]["has_client_certificate"] and "PRIVATE" not in answer.text
    connected(module_owner)
