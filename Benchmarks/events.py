#!/usr/bin/env python3
"""A million events: the time to list them, compared with a list of a thousand; and how many a house stores per second without loss.

    Benchmarks/events.py --hub .build/release/cardea-hub --events 1000000

The rows are written into the database of a stopped house with its own schema, so that its triggers make the counts by day.
"""

import argparse
import http.client
import json
import pathlib
import random
import re
import sqlite3
import subprocess
import tempfile
import time
import urllib.parse

WORDS = "somebody with a red parcel waits before the front door while the neighbour's cat walks by and a van turns".split()
LISTS = {
    "newest": "", "one camera": "camera_id=camera-3", "one kind": "smart_detection_type=vehicle",
    "camera and kind": "camera_id=camera-3&smart_detection_type=vehicle", "a week": "start_time={week}&end_time={day}",
    "a word": "q=parcel", "two words and a camera": "q=red+van&camera_id=camera-3", "offset 900": "offset=900",
    "half of all passed over": "offset={half}",
}


class House:
    def __init__(self, hub, folder):
        self.hub, self.folder, self.process = hub, folder, None

    def start(self):
        command = [self.hub, "serve", "--data", str(self.folder), "--listen", "127.0.0.1:0", "--insecure-http", "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        ready = json.loads(self.process.stdout.readline())
        self.url = urllib.parse.urlsplit(ready["url"])
        self.line = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=600)
        return ready

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def ask(self, method, path, body=None, token=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self.line.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = self.line.getresponse()
        return answer.status, json.loads(answer.read() or b"null")


def claimed(house):
    link = house.start()["claim_url"]
    body = {"claim_token": link.split("#")[1], "username": "owner", "password": "a good password", "house_name": "House", "time_zone": "UTC"}
    status, answer = house.ask("POST", "/api/v1/claim", body)
    assert status == 201, answer
    return answer["access_token"]


def fill(folder, count):
    dice, now = random.Random(1), int(time.time() * 1000)
    span = 89 * 86_400_000
    database = sqlite3.connect(folder / "house.sqlite")
    database.execute("PRAGMA synchronous = OFF")
    events, words, incidents = [], [], []
    for number in range(count):
        key = (now - span + span * number // count << 20) + number % 1000
        name, place = f"event_filled{number:09}", f"camera-{dice.randrange(8)}"
        kind = dice.choice(("person", "vehicle", "animal", "motion"))
        text = " ".join(dice.sample(WORDS, 6))
        incident = f"incident_{number // 4}"
        if number % 4 == 0:
            incidents.append((incident, place, key >> 20, key >> 20, 0, 0))
        events.append((key, name, place, place, place, place, kind, text, incident, "benchmark", now))
        words.append((key, text, kind, place, place))
    with database:
        database.executemany("INSERT INTO incidents VALUES (?, ?, ?, ?, ?, ?)", incidents)
        database.executemany(
            "INSERT INTO events (key, id, source, camera_id, place, camera_name, type, description, incident_id, recorded_by, created_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", events)
        database.executemany("INSERT INTO event_words (rowid, description, type, camera_name, place) VALUES (?, ?, ?, ?, ?)", words)
    database.close()


def moment(seconds_ago):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - seconds_ago))


def lists(house, token, count, times):
    """The 95th percentile of each list in milliseconds."""
    found = {}
    for name, query in LISTS.items():
        query = query.format(week=moment(8 * 86_400), day=moment(86_400), half=count // 2)
        spent = []
        for _ in range(times):
            begun = time.perf_counter()
            status, answer = house.ask("GET", f"/api/v1/mobile/events?limit=50&{query}", token=token)
            spent.append((time.perf_counter() - begun) * 1000)
            assert status == 200, answer
        if name == "newest":
            assert answer["total_count"] == count, answer["total_count"]
        found[name] = sorted(spent)[int(times * 0.95)]
    return found


def ingest(house, token, seconds):
    """Events acknowledged per second by wrk's account, and all that were stored."""
    body = json.dumps({"source": "load", "type": "person", "description": "somebody at the door", "occurred_at": moment(0)})
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(
            f"wrk.method = 'POST'\nwrk.body = '{body}'\nwrk.headers['Content-Type'] = 'application/json'\n"
            f"wrk.headers['Authorization'] = 'Bearer {token}'\n")
        script.flush()
        command = ["wrk", "-t1", "-c64", f"-d{seconds}s", "--latency", "-s", script.name, f"http://{house.url.netloc}/api/v1/events"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Non-2xx" not in text, text
    acknowledged = int(re.search(r"(\d+) requests in", text)[1])
    kept = house.ask("GET", "/api/v1/mobile/events?camera_id=load&limit=1", token=token)[1]["total_count"]
    assert kept >= acknowledged, f"{acknowledged} acknowledged, {kept} kept"
    return acknowledged / seconds, kept - acknowledged, re.search(r"99%\s+(\S+)", text)[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hub", default=".build/release/cardea-hub")
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=10)
    options = parser.parse_args()
    small = {}
    for count in (1000, options.events):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder) / "house"
            house = House(options.hub, folder)
            token = claimed(house)
            house.stop()
            fill(folder, count)
            begun = time.monotonic()
            house.start()
            print(f"{count} events: ready after {time.monotonic() - begun:.2f} s")
            found = lists(house, token, count, options.times)
            for name, spent in found.items():
                print(f"  {name}: p95 {spent:.1f} ms" + (f", {spent / small[name]:.1f} times as long" if small else ""))
            small = small or found
            rate, unheard, tail = ingest(house, token, options.seconds)
            print(f"  taken in: {rate:.0f}/s at 64 callers, p99 {tail}; none lost, {unheard} more kept than were heard of in time")
            house.stop()


if __name__ == "__main__":
    main()
