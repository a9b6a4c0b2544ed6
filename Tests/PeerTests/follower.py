"""A subscriber in its own process that writes down each event before it goes on. Killed at any moment, it resumes from its own file.

    CARDEA_TOKEN=… python follower.py --url http://127.0.0.1:8300 --heard FILE --after SEQ [--by sse] [--kinds a,b] [--devices a,b]
"""

import argparse
import json
import os

import house
import requests
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

# Events about connection state, which are not events of the house.
FRAME = {"subscribed", "snapshot", "pong"}


def line(event):
    """One event as it is written down: its number, its kind, and what it is about."""
    data = event["data"]
    return f"{event['seq']} {event['type']} {data.get('command_id') or data.get('device_id') or '-'}"


def heard(file):
    """The complete lines: a line that was being written when the process was killed does not count."""
    if not file.exists():
        return []
    return file.read_text().split("\n")[:-1]


class Follower:
    def __init__(self, url, token, path, after, kinds, devices):
        self.url, self.headers, self.after, self.kinds, self.devices = url, {"Authorization": f"Bearer {token}"}, after, kinds, devices
        self.file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        kept = os.pread(self.file, os.fstat(self.file).st_size, 0)
        kept = kept[:kept.rfind(b"\n") + 1]
        os.ftruncate(self.file, len(kept))
        os.lseek(self.file, 0, os.SEEK_END)
        if kept:
            self.after = int(kept.splitlines()[-1].split()[0])

    def take(self, message):
        if message["type"] in FRAME:
            assert message["type"] != "snapshot", "it is told everything anew, though it said how far it was"
            return
        assert message["type"] not in ("gap", "error"), message
        events = message["data"]["events"] if message["type"] == "batch_device_update" else [message]
        for event in events:
            os.write(self.file, (line(event) + "\n").encode())
            self.after = event["seq"]

    def by_socket(self):
        subscribe = {"type": "subscribe", "after": self.after}
        for name, wanted in (("kinds", self.kinds), ("devices", self.devices)):
            if wanted:
                subscribe[name] = wanted
        with connect(self.url.replace("http", "ws", 1) + "/api/v1/realtime", additional_headers=self.headers, open_timeout=60) as socket:
            socket.send(json.dumps(subscribe))
            for message in socket:
                self.take(json.loads(message))

    def by_sse(self):
        wanted = "&".join(f"{name}={','.join(value)}" for name, value in (("kinds", self.kinds), ("devices", self.devices)) if value)
        headers = {**self.headers, "Last-Event-ID": str(self.after)}
        with requests.get(f"{self.url}/api/v1/realtime/events?{wanted}", headers=headers, stream=True, timeout=60) as answer:
            assert answer.status_code == 200, answer.text
            number, data = None, None
            for text in answer.iter_lines():
                if text.startswith(b"id: "):
                    number = text[4:]
                elif text.startswith(b"data: "):
                    data = text[6:]
                elif not text and data:
                    # Only complete events are read.
                    message = json.loads(data)
                    assert message["type"] in FRAME or int(number) == message["seq"], (number, message)
                    self.take(message)
                    number, data = None, None


def main():
    parser = argparse.ArgumentParser()
    for name in ("url", "heard"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--after", type=int, required=True)
    parser.add_argument("--by", choices=("socket", "sse"), default="socket")
    for name in ("kinds", "devices"):
        parser.add_argument(f"--{name}", type=lambda text: text.split(","))
    asked = parser.parse_args()
    follower = Follower(asked.url, os.environ["CARDEA_TOKEN"], asked.heard, asked.after, asked.kinds, asked.devices)
    while True:
        try:
            (follower.by_sse if asked.by == "sse" else follower.by_socket)()
        except (OSError, EOFError, TimeoutError, ConnectionClosed, InvalidHandshake, requests.RequestException):
            pass
        # The hub is not running just now.
        house.pause(0.05)


if __name__ == "__main__":
    main()
