#!/usr/bin/env python3
"""Doors on an MQTT broker, announced by Home Assistant's discovery: each a lock with its battery, its radio and its contact.

    Benchmarks/doors.py --port 1883 --doors 24      their bolts move at once on a command

`peers.py` runs this beside the load; to measure when a lock gets its command, it simulates the doors itself.
"""

import argparse
import json
import select
import signal
import socket

import paho.mqtt.client as mqtt

# A lock's other entities: the domain, the fields of its discovery, and its value.
SENSORS = {
    "battery": ("sensor", {"device_class": "battery", "unit_of_measurement": "%"}, "87"),
    "signal": ("sensor", {"device_class": "signal_strength", "unit_of_measurement": "dBm"}, "-61"),
    "contact": ("binary_sensor", {"device_class": "door"}, "OFF"),
}
ENTITIES = 1 + len(SENSORS)
MOVED = {"UNLOCK": "UNLOCKED", "LOCK": "LOCKED"}


def topic(door, name):
    return f"doors/{door}/{name}"


def name(door):
    return f"Door {door}"


class Doors:
    """All of them on one connection, which is read on request."""

    def __init__(self, port, count, told):
        """`told` is called with a door's number and its command."""
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        self.client.on_message = lambda _client, _data, message: told(int(message.topic.split("/")[1]), message.payload.decode())
        self.count, subscribed = count, []
        self.client.on_subscribe = lambda *_: subscribed.append(True)
        self.client.connect("127.0.0.1", port, keepalive=600)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.client.subscribe("doors/+/set")
        while not subscribed:
            self.client.loop(0.1)

    def announce(self):
        for door in range(self.count):
            device = {"identifiers": [f"door-{door}"], "name": name(door), "manufacturer": "Simulated", "model": "Bolt"}
            lock = {"name": None, "command_topic": topic(door, "set")}
            for what, (domain, words, value) in {"lock": ("lock", lock, "LOCKED"), **SENSORS}.items():
                about = {"unique_id": f"door-{door}-{what}", "state_topic": topic(door, what), "device": device, **words}
                self.say(f"homeassistant/{domain}/door-{door}/{what}/config", json.dumps(about))
                self.say(topic(door, what), value)

    def say(self, where, what):
        self.client.publish(where, what, retain=True)

    def move(self, door, command):
        """The bolt has moved, and its lock reports it."""
        self.say(topic(door, "lock"), MOVED[command])

    @property
    def socket(self):
        return self.client.socket()

    def read(self):
        self.client.loop_read()
        while self.client.want_write():
            self.client.loop_write()

    def close(self):
        self.client.disconnect()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True, help="the broker's")
    parser.add_argument("--doors", type=int, required=True)
    options = parser.parse_args()
    ending = []
    signal.signal(signal.SIGTERM, lambda *_: ending.append(True))
    doors = Doors(options.port, options.doors, lambda door, command: doors.move(door, command))
    print("ready", flush=True)
    # A bolt in motion at the end still finishes.
    while select.select([doors.socket], [], [], 0.3)[0] or not ending:
        doors.read()
    doors.close()


if __name__ == "__main__":
    main()
