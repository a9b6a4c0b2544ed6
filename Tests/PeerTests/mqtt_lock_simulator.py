"""Locks on an MQTT broker, in their own process, that count every movement of their bolts.

The judge of the crash tests: each line in --counts happened, whatever the hub believes. One line per actuation,
`<monotonic_ns> <lock> <command_id> <payload>`, flushed to the file before the new state is published.

    python mqtt_lock_simulator.py --port 1883 --locks 4 --counts counts.log

Announces `Door 0` … by Home Assistant's MQTT discovery; prints `ready` once the broker has confirmed every subscription.
"""

import argparse
import json
import os
import queue
import signal
import sys
import threading
import time

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

ROOT = "cardea-test/locks"


def topic(lock: int, name: str) -> str:
    return f"{ROOT}/{lock}/{name}"


def announcement(lock: int) -> str:
    return json.dumps(
        {
            "name": None,
            "unique_id": f"cardea-test-lock-{lock}",
            "command_topic": topic(lock, "set"),
            "state_topic": topic(lock, "state"),
            "availability_topic": topic(lock, "available"),
            "device": {"identifiers": [f"cardea-test-lock-{lock}"], "name": f"Door {lock}", "manufacturer": "Simulated"},
        }
    )


class Bolt:
    """One bolt: runs its commands in order, moves, and reports."""

    def __init__(self, number: int, options: argparse.Namespace, counts, client: mqtt.Client) -> None:
        self.number = number
        self.options = options
        self.counts = counts
        self.client = client
        self.state = "LOCKED"
        self.commands: queue.Queue[tuple[str, str]] = queue.Queue()
        self.relock_at: float | None = None
        threading.Thread(target=self.work, daemon=True).start()

    def work(self) -> None:
        while True:
            patience = None if self.relock_at is None else max(0.0, self.relock_at - time.monotonic())
            try:
                payload, command_id = self.commands.get(timeout=patience)
            except queue.Empty:
                self.relock_at = None
                self.tell("LOCKING")
                self.tell("LOCKED")
                continue
            self.actuate(payload, command_id)

    def actuate(self, payload: str, command_id: str) -> None:
        """Counts first: a movement without a report is still a movement."""
        line = f"{time.monotonic_ns()} {self.number} {command_id} {payload}\n"
        os.write(self.counts, line.encode())
        moving, moved = {"UNLOCK": ("UNLOCKING", "UNLOCKED"), "LOCK": ("LOCKING", "LOCKED")}.get(payload, (None, None))
        if moved is None:
            return
        self.tell(moving)
        time.sleep(self.options.delay_ms / 1000)
        self.tell(moved)
        relocks = moved == "UNLOCKED" and self.options.relock_ms > 0
        self.relock_at = time.monotonic() + self.options.relock_ms / 1000 if relocks else None

    def tell(self, state: str) -> None:
        self.state = state
        if not self.options.silent:
            self.client.publish(topic(self.number, "state"), state, qos=1, retain=True)


def command_id(message: mqtt.MQTTMessage) -> str:
    for name, value in getattr(message.properties, "UserProperty", []):
        if name == "cardea-command-id":
            return "".join(value.split()) or "-"
    return "-"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--locks", type=int, default=1)
    parser.add_argument("--counts", required=True, help="file that gets one line per actuation")
    parser.add_argument("--delay-ms", type=float, default=0, help="how long a bolt takes to move")
    parser.add_argument("--relock-ms", type=float, default=0, help="locks by itself after this; 0 never")
    parser.add_argument("--silent", action="store_true", help="moves, and says nothing of it")
    parser.add_argument("--prefix", default="homeassistant", help="discovery prefix")
    options = parser.parse_args()

    counts = os.open(options.counts, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    client = mqtt.Client(
        mqtt.CallbackAPIVersion.VERSION2, client_id=f"cardea-lock-simulator-{os.getpid()}", protocol=mqtt.MQTTv5
    )
    bolts = [Bolt(number, options, counts, client) for number in range(options.locks)]
    by_topic = {topic(bolt.number, "set"): bolt for bolt in bolts}
    stopped = threading.Event()
    said_ready = threading.Event()

    def on_connect(client, _data, _flags, reason, _properties) -> None:
        if reason.is_failure:
            print(f"refused: {reason}", file=sys.stderr, flush=True)
            stopped.set()
            return
        client.subscribe([(name, 0) for name in by_topic])

    def on_subscribe(client, _data, _id, reasons, _properties) -> None:
        if any(reason.is_failure for reason in reasons):
            print(f"subscription refused: {reasons}", file=sys.stderr, flush=True)
            stopped.set()
            return
        for bolt in bolts:
            client.publish(topic(bolt.number, "available"), "online", qos=1, retain=True)
            client.publish(topic(bolt.number, "state"), bolt.state, qos=1, retain=True)
            client.publish(f"{options.prefix}/lock/cardea_test_{bolt.number}/config", announcement(bolt.number), qos=1, retain=True)
        if not said_ready.is_set():
            said_ready.set()
            print("ready", flush=True)

    def on_message(_client, _data, message) -> None:
        bolt = by_topic.get(message.topic)
        if bolt is None:
            return
        # A retained command is its sender's fault; it counts, so that the judge sees it.
        identity = ("retained:" if message.retain else "") + command_id(message)
        bolt.commands.put((message.payload.decode(errors="replace"), identity))

    client.on_connect = on_connect
    client.on_subscribe = on_subscribe
    client.on_message = on_message
    client.reconnect_delay_set(min_delay=1, max_delay=1)
    # The session ends with the connection: the broker queues nothing for a lock that was away.
    properties = Properties(PacketTypes.CONNECT)
    properties.SessionExpiryInterval = 0
    client.connect_async(options.host, options.port, keepalive=10, clean_start=True, properties=properties)
    client.loop_start()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    stopped.wait()
    client.disconnect()
    client.loop_stop()
    return 0 if said_ready.is_set() else 1


if __name__ == "__main__":
    sys.exit(main())
