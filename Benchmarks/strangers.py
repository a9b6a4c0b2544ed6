#!/usr/bin/env python3
"""Strangers that take every connection a hub gives them, and open new ones all the time.

    Benchmarks/strangers.py --port 8080 --addresses 64 --rate 500

They come at a steady rate from loopback addresses of this machine. Half of the connections send nothing; the others become WebSockets and
never show a token. A connection is kept until the hub closes it. SIGTERM ends the load, and the counts are printed as one line of JSON.

It is a process of its own: in the process that measures, it would delay the callers that are measured.
"""

import argparse
import base64
import collections
import itertools
import json
import os
import selectors
import signal
import socket
import time

# After a longer delay, the newcomers that are overdue are dropped: they would come as a burst.
LONGEST_DELAY = 0.1


class Strangers:
    def __init__(self, port, addresses):
        self.port = port
        # Each address does both: first all of them open a silent connection, then all of them a WebSocket.
        self.turns = itertools.cycle(itertools.product((False, True), addresses))
        self.selector = selectors.DefaultSelector()
        self.counts = collections.Counter(opened=0, upgraded=0, closed=0)

    def open(self):
        upgrades, address = next(self.turns)
        line = socket.socket()
        line.setblocking(False)
        line.bind((address, 0))
        line.connect_ex(("127.0.0.1", self.port))
        self.counts["opened"] += 1
        self.selector.register(line, selectors.EVENT_READ | (selectors.EVENT_WRITE if upgrades else 0))

    def handle(self, line, events):
        """Sends the upgrade once the connection is established, and closes a connection that the hub has closed."""
        try:
            if events & selectors.EVENT_WRITE:
                line.send(self.upgrade())
                self.selector.modify(line, selectors.EVENT_READ)
            if not events & selectors.EVENT_READ:
                return
            if received := line.recv(4096):
                self.counts["upgraded"] += received.startswith(b"HTTP/1.1 101")
                return
        except OSError:
            # Reset by the hub; handled like a close.
            pass
        self.selector.unregister(line)
        line.close()
        self.counts["closed"] += 1

    def upgrade(self):
        key = base64.b64encode(os.urandom(16)).decode()
        return (
            f"GET /api/v1/realtime HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode()

    def run(self, rate, is_over):
        due = time.monotonic()
        while not is_over():
            now = time.monotonic()
            if now - due > LONGEST_DELAY:
                due = now
            while due <= now:
                self.open()
                due += 1 / rate
            for key, events in self.selector.select(max(0, due - time.monotonic())):
                self.handle(key.fileobj, events)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, required=True, help="the hub's")
    parser.add_argument("--addresses", type=int, default=64, choices=range(1, 255), metavar="1-254", help="number of addresses (default 64)")
    parser.add_argument("--rate", type=int, default=500, help="new connections a second, of all addresses together (default 500)")
    options = parser.parse_args()
    ending = []
    signal.signal(signal.SIGTERM, lambda *_: ending.append(True))
    strangers = Strangers(options.port, [f"127.0.60.{last}" for last in range(1, options.addresses + 1)])
    strangers.run(options.rate, lambda: ending)
    print(json.dumps(strangers.counts))


if __name__ == "__main__":
    main()
