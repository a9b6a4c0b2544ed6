"""The gate's table: every case with the result of a real Home Assistant, one a line."""

import contextlib
import json
import pathlib

import home_assistant

from mqtt_devices import assistant, cases, play, wire

ROOT = pathlib.Path(__file__).resolve().parents[3]
TABLE = ROOT / "Tests/CardeaMQTTTests/mqtt-devices.json"
DIFFERENCES = ROOT / "Tests/CardeaMQTTTests/mqtt-differences.json"
VERSION = "2025.4"


def written(rows):
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in sorted(rows, key=lambda row: row["id"])]
    return "[\n" + ",\n".join(lines) + "\n]\n"


@contextlib.contextmanager
def running(folder):
    """A broker, a client of it, and a Home Assistant beside it, on a network with loopback only."""
    (folder / "home-assistant").mkdir()
    with home_assistant.one_host_network(), wire.broker(folder) as port:
        client = wire.Wire(port)
        home = assistant.Assistant(VERSION, folder / "home-assistant", port, client)
        try:
            home.start()
            yield home, client, port
        finally:
            home.stop()
            client.close()


def rows(home, client):
    found = []
    for batch in cases.batches():
        found += play.Play(home, client, batch).run()
    return found
