"""Tests of the judge: the simulated locks announce themselves, move once per command, and count before they report."""

import json
import queue
import subprocess
import sys
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

import house

SIMULATOR = Path(__file__).with_name("mqtt_lock_simulator.py")


@pytest.fixture
def broker(tmp_path):
    port = house.free_port()
    configuration = tmp_path / "mosquitto.conf"
    configuration.write_text(f"user root\npersistence false\nlistener {port} 127.0.0.1\nallow_anonymous true\nlog_dest stderr\n")
    process = subprocess.Popen(["mosquitto", "-c", configuration], stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if "running" in line:
            break
    yield port
    process.terminate()
    process.wait()


class Hub:
    """A paho client in the hub's place."""

    def __init__(self, port: int) -> None:
        self.heard: queue.Queue[tuple[str, str]] = queue.Queue()
        subscribed = queue.Queue()
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self.client.on_message = lambda _c, _d, message: self.heard.put((message.topic, message.payload.decode()))
        self.client.on_subscribe = lambda *_: subscribed.put(True)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        self.client.subscribe([("homeassistant/#", 1), ("cardea-test/#", 1)])
        subscribed.get(timeout=60)

    def send(self, topic: str, payload: str, command_id: str) -> None:
        properties = Properties(PacketTypes.PUBLISH)
        properties.UserProperty = [("cardea-command-id", command_id)]
        self.client.publish(topic, payload, qos=0, properties=properties)

    def until(self, topic: str, payload: str | None = None) -> list[tuple[str, str]]:
        """All messages up to and with this one."""
        heard = []
        while True:
            heard.append(self.heard.get(timeout=house.LIMIT))
            if heard[-1][0] == topic and payload in (None, heard[-1][1]):
                return heard


def start(port: int, counts: Path, *more: str) -> subprocess.Popen:
    process = subprocess.Popen(
        [sys.executable, SIMULATOR, "--port", str(port), "--counts", counts, *more], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    return process


def test_a_lock_announces_itself_moves_once_and_counts_before_it_reports(broker, tmp_path):
    counts = tmp_path / "counts"
    hub = Hub(broker)
    process = start(broker, counts, "--locks", "2", "--relock-ms", "50", "--delay-ms", "5")
    try:
        config = hub.until("homeassistant/lock/cardea_test_1/config")[-1][1]
        assert json.loads(config)["device"]["name"] == "Door 1"

        hub.send(json.loads(config)["command_topic"], "UNLOCK", "first")
        hub.until("cardea-test/locks/1/state", "UNLOCKED")
        moved = counts.read_text().split("\n")
        heard = hub.until("cardea-test/locks/1/state", "LOCKED")

        assert [line.split()[1:] for line in moved if line] == [["1", "first", "UNLOCK"]]
        assert [state for topic, state in heard if topic.endswith("state")] == ["LOCKING", "LOCKED"]
        assert len(counts.read_text().splitlines()) == 1
    finally:
        process.terminate()
        assert process.wait(timeout=60) == 0


def test_a_silent_lock_moves_without_a_report(broker, tmp_path):
    counts = tmp_path / "counts"
    hub = Hub(broker)
    process = start(broker, counts, "--silent")
    try:
        hub.until("homeassistant/lock/cardea_test_0/config")
        hub.send("cardea-test/locks/0/set", "UNLOCK", "one")
        hub.send("cardea-test/locks/0/set", "LOCK", "two")
        house.until(lambda: counts.read_text().count("\n") == 2, "both commands are counted")
    finally:
        process.terminate()
        assert process.wait(timeout=60) == 0
    # Every report comes before its end, and so before the fence.
    hub.client.publish("cardea-test/fence", "x", qos=1)
    heard = hub.until("cardea-test/fence")
    assert [line.split()[2] for line in counts.read_text().splitlines()] == ["one", "two"]
    assert [topic for topic, _ in heard if topic.endswith("/state")] == []
