"""The broker of a run, and a client of it that publishes like the devices and records every message."""

import contextlib
import subprocess
import threading

import house
import paho.mqtt.client as paho


@contextlib.contextmanager
def broker(folder):
    """A broker that drops no message, however many are published at once; yields its port."""
    port = house.free_port()
    config = folder / "mosquitto.conf"
    config.write_text(
        f"user root\nlistener {port} 127.0.0.1\nallow_anonymous true\npersistence false\nset_tcp_nodelay true\n"
        "max_queued_messages 0\nmax_inflight_messages 0\n")
    process = subprocess.Popen(["mosquitto", "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        house.until(lambda: house.listens(port), "the broker is there")
        yield port
    finally:
        process.terminate()
        process.wait(60)


class Wire:
    def __init__(self, port):
        self.heard, self._lock = [], threading.Lock()
        self.client = paho.Client(paho.CallbackAPIVersion.VERSION2)
        self.client.max_inflight_messages_set(1000)
        self.client.on_message = self._hear
        is_subscribed = threading.Event()
        self.client.on_subscribe = lambda *_: is_subscribed.set()
        self.client.connect("127.0.0.1", port)
        self.client.subscribe("#")
        self.client.loop_start()
        assert is_subscribed.wait(house.LIMIT), "the broker takes the subscription"

    def _hear(self, client, _, message):
        with self._lock:
            self.heard.append((message.topic, message.payload.decode(errors="replace")))

    def publish(self, topic, payload, retain=False):
        self.client.publish(topic, payload, qos=1, retain=retain)

    @property
    def mark(self):
        with self._lock:
            return len(self.heard)

    def since(self, mark):
        with self._lock:
            return self.heard[mark:]

    def until_heard(self, topic, payload, since):
        """Waits for a message, and returns the messages before it."""
        house.until(lambda: (topic, payload) in self.since(since), f"{payload} is heard on {topic}")
        heard = self.since(since)
        return heard[:heard.index((topic, payload))]

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()
