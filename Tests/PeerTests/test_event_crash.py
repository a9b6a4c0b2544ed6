"""The power is cut while cameras and scripts report events: each acknowledged event is there afterwards, with its picture.

`CARDEA_CHAOS_ROUNDS` says how often (8 in the gate), `CARDEA_SEED` says at which moments.
"""

import base64
import itertools
import os
import random
import sqlite3
import subprocess
import threading

import crash_house
import crash_load
import house
import pytest
import requests
from conftest import PASSWORD, Owner

ROUNDS = int(os.environ.get("CARDEA_CHAOS_ROUNDS", "8"))
SEED = int(os.environ.get("CARDEA_SEED", "20261127"))
KEPT_BYTES = 2 << 20


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    """A camera's picture, made by ffmpeg's own test pattern."""
    file = tmp_path_factory.mktemp("camera") / "porch.jpg"
    command = ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=640x480", "-frames:v", "1", "-q:v", "4", str(file)]
    subprocess.run(command, check=True)
    return base64.b64encode(file.read_bytes()).decode()


class Sources:
    """Scripts that repeat a report until they know that it is stored."""

    def __init__(self, url, token, picture):
        self.load = crash_load.Load(url, token, PASSWORD, [], SEED)
        self.picture, self.numbers, self.lock = picture, itertools.count(), threading.Lock()
        self.acknowledged = {}

    def says(self, with_pictures):
        def say(wire, dice):
            with self.lock:
                number = next(self.numbers)
            body = {"source": f"script-{number}", "type": dice.choice(["person", "package", "odd_one"]), "occurred_at": house.in_seconds(0),
                    "description": f"seen number {number}"}
            if with_pictures:
                body["image_base64"] = self.picture
            headers = {**self.load.owner, "Idempotency-Key": f"event-{SEED}-{number}"}

            def settled(status, told, _):
                assert status in (201, 409, 503), told
                return told["id"] if status == 201 else None

            event_id, _ = self.load.insist(wire, "POST", "/api/v1/events", body, headers, settled)
            self.acknowledged[number] = (event_id, with_pictures)
        return say


def rows(data, sql):
    database = sqlite3.connect(f"file:{data}/house.sqlite?mode=ro", uri=True)
    try:
        return database.execute(sql).fetchall()
    finally:
        database.close()


def test_no_event_is_lost_and_no_picture_is_orphaned(start_hub, tmp_path, picture, capsys):
    data, port, dice = tmp_path / "house", house.free_port(), random.Random(SEED)
    options = ("--listen", f"127.0.0.1:{port}", "--picture-space", str(KEPT_BYTES >> 20))
    hub = start_hub(data, *options)
    owner = Owner(hub, house.claim(hub, PASSWORD))
    hub.kill()
    sources = Sources(hub.url, owner.token, picture)
    load = sources.load
    load.start(*(sources.says(False) for _ in range(4)), *(sources.says(True) for _ in range(2)))
    for number in range(ROUNDS):
        hub = start_hub(data, *options)
        before = len(sources.acknowledged)
        load.powered.set()
        # Every other round lasts until something was acknowledged in it, however slow the machine is.
        crash_house.cut_the_power(hub, dice.uniform(0.2, 0.8), lambda: number % 2 == 0 or load.faults or len(sources.acknowledged) >= before + 6)
        load.powered.clear()
    hub = start_hub(data, *options)
    load.powered.set()

    def is_enough():
        told = list(sources.acknowledged.values())
        return len(told) >= 5 * ROUNDS and sum(has_picture for _, has_picture in told) >= ROUNDS

    house.until(lambda: load.faults or is_enough(), "enough was said for the test to mean anything")
    load.finish()

    kept = {row[0]: row[1:] for row in rows(data, "SELECT id, source, picture_key IS NOT NULL FROM events")}
    with capsys.disabled():
        print(f"\nCARDEA_SEED={SEED}: {ROUNDS} power cuts, {len(sources.acknowledged)} events acknowledged, {len(kept)} kept, "
              f"{sum(row[1] for row in kept.values())} with pictures")
    for number, (event_id, _) in sources.acknowledged.items():
        assert event_id in kept, f"event {number} was acknowledged and is not there"
        assert kept[event_id][0] == f"script-{number}"
    names = [row[0] for row in kept.values()]
    assert len(names) == len(set(names)), "what was said twice under one name was written twice"
    assert rows(data, "PRAGMA integrity_check") == [("ok",)]
    assert rows(data, "SELECT sum(events) FROM event_days") == [(len(kept),)]
    assert_pictures(hub, owner, data, {event_id for event_id, row in kept.items() if row[1]})
    hub.stop()


def assert_pictures(hub, owner, data, with_pictures):
    """Each row has its two files and there are no others, within their size limit; and the files decode."""
    files = {file.name: file.stat().st_size for file in (data / "pictures").glob("*/*")}
    assert set(files) == {f"{event_id}.{kind}" for event_id in with_pictures for kind in ("thumbnail", "whole")}
    assert 0 < sum(files.values()) <= KEPT_BYTES
    assert rows(data, "SELECT sum(picture_bytes) FROM events") == [(sum(files.values()),)]
    for event_id in sorted(with_pictures)[:20]:
        answer = requests.get(
            f"{hub.url}/api/v1/mobile/events/{event_id}/thumbnail", headers={"Authorization": f"Bearer {owner.token}"}, timeout=60)
        assert answer.status_code == 200 and answer.content[:2] == b"\xff\xd8" and len(answer.content) <= 50 * 1024
