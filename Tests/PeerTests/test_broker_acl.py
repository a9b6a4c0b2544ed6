"""The access list of docs/threat-model.md, in a real mosquitto: who may write which topics, and that no other topic moves a door."""

import pathlib
import re
import subprocess
import threading

import paho.mqtt.client as mqtt
import pytest
from house import free_port, listens, until

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "threat-model.md"
USERS = ["cardea", "zigbee2mqtt", "relay", "gadget"]


class Client:
    """A client of the broker, told by MQTT 5 which writes are refused."""

    def __init__(self, port, user):
        self.heard, self.change = [], threading.Condition()
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self.client.username_pw_set(user, user)
        self.client.on_publish = lambda _client, _data, _mid, code, _properties: self._note(("published", code.value))
        self.client.on_connect = lambda *_: self._note("connected")
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        self.until("connected")

    def _note(self, what):
        with self.change:
            self.heard.append(what)
            self.change.notify_all()

    def until(self, what):
        with self.change:
            assert self.change.wait_for(lambda: what in self.heard, timeout=60), f"never came: {what}, but {self.heard}"

    def may_write(self, topic):
        """The broker's own answer: MQTT 5 says not authorized (0x87)."""
        with self.change:
            before = len(self.heard)
        self.client.publish(topic, "x", qos=1)
        with self.change:
            def codes():
                return [what[1] for what in self.heard[before:] if isinstance(what, tuple)]
            assert self.change.wait_for(codes, timeout=60)
            return codes()[0] < 0x80

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture
def broker(tmp_path):
    port = free_port()
    rules = re.search(r"```mosquitto-acl\n(.*?)```", DOCUMENT.read_text(), re.S)[1]
    (tmp_path / "acl").write_text(rules)
    for index, user in enumerate(USERS):
        create = ["-c"] if index == 0 else []
        subprocess.run(["mosquitto_passwd", "-b", *create, tmp_path / "passwords", user, user], check=True)
    (tmp_path / "conf").write_text(
        # Started by root, it would switch to a user who may not read these files; started by another user, it does not.
        f"user root\nlistener {port} 127.0.0.1\nallow_anonymous false\npassword_file {tmp_path}/passwords\nacl_file {tmp_path}/acl\n")
    process = subprocess.Popen(["mosquitto", "-c", tmp_path / "conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: process.poll() is not None or listens(port), "the broker is there")
        assert process.poll() is None, "mosquitto does not take the list"
        yield port
    finally:
        process.terminate()
        process.wait(60)


ALLOWED = {
    "cardea": ["zigbee2mqtt/front_door/set", "cmnd/relay/POWER", "cardea/status", "homeassistant/status", "gadgets/lamp/set"],
    "zigbee2mqtt": ["homeassistant/lock/0x1/lock/config", "zigbee2mqtt/front_door"],
    "relay": ["homeassistant/switch/relay/1/config", "stat/relay/POWER"],
    "gadget": ["homeassistant/light/lamp/config", "homeassistant/light/lamp/1/config", "homeassistant/device/lamp/config", "gadgets/lamp/state"],
}
DENIED = {
    "cardea": [
        "zigbee2mqtt/all_doors/set", "zigbee2mqtt/0x00158d0001234567/set", "zigbee2mqtt/bridge/request/device/rename", "cmnd/tasmotas/POWER",
        "cmnd/DVES_4A1B2C_fb/POWER", "homeassistant/lock/front/config", "zigbee2mqtt/front_door", "zigbee2mqtt/front_door/set/state"],
    "zigbee2mqtt": ["cmnd/relay/POWER", "cardea/status"],
    "relay": ["zigbee2mqtt/front_door/set", "homeassistant/lock/front/config", "cmnd/relay/POWER"],
    "gadget": [
        "zigbee2mqtt/front_door/set", "zigbee2mqtt/front_door", "homeassistant/lock/front_door/config", "homeassistant/device/front_door/config",
        "cmnd/relay/POWER", "homeassistant/status"],
}


@pytest.mark.parametrize("user", USERS)
def test_each_user_may_write_only_its_own_topics(broker, user):
    client = Client(broker, user)
    try:
        assert {topic: client.may_write(topic) for topic in ALLOWED[user]} == {topic: True for topic in ALLOWED[user]}
        assert {topic: client.may_write(topic) for topic in DENIED[user]} == {topic: False for topic in DENIED[user]}
    finally:
        client.close()
