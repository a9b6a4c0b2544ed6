"""The power is cut while a hub exports a person's data, erases a person, backs up, or migrates an older house.

A first run only counts the durable steps; other runs are killed after each of these, or after as many as
`CARDEA_CRASH_POINTS` says, evenly (8 unless it says otherwise, all of them in `make chaos`). Then the house is served once more, and judged.
"""

import io
import json
import shutil
import sqlite3
import subprocess
import time
import zipfile

import crash_house
import house
import older_house
import pytest
import requests
from conftest import PASSWORD, Owner, hubs
from power import POINTS, Power
from test_privacy import joined, lived

# Power cuts by strace.
pytestmark = pytest.mark.chaos
JOB = "job_of_the_crash"


def killed_on_the_way(tmp_path, hub_binary, pristine, words, ended, judge, prepare=lambda: None):
    """Runs the prepared house again and again, and has `judge` check each after its power cut; returns the verdicts."""
    data = tmp_path / "house"

    def run(last=None):
        if data.exists():
            shutil.rmtree(data)
        shutil.copytree(pristine, data)
        prepare()
        power = Power(tmp_path, hub_binary, last)
        return power.live(data, words, ended), power.steps

    went, steps = run()
    assert not went and len(steps) > 20, steps
    count, seen = min(POINTS, len(steps)), []
    for last in [(2 * place + 1) * len(steps) // (2 * count) + 1 for place in range(count)]:
        # A run that ended in fewer steps is judged too.
        went, done = run(last)
        try:
            said = judge(data)
        except Exception as problem:
            problem.add_note(f"{'killed' if went else 'not killed'} after step {last} of {len(steps)}: {done[-3:]}")
            raise
        seen += [said] if went else []
    assert 4 * len(seen) >= 3 * count, f"{len(seen)} kills at {count} of {len(steps)} steps"
    return seen


def rows(data, sql):
    database = sqlite3.connect(f"file:{data}/house.sqlite?mode=ro", uri=True, timeout=60)
    try:
        return database.execute(sql).fetchall()
    finally:
        database.close()


def left(data, sql):
    """The state after the power cut, read in a copy: opening an unclosed log changes it."""
    copy = data.parent / "left"
    shutil.copytree(data, copy, ignore=shutil.ignore_patterns("hub.lock", "hub.sock"))
    try:
        database = sqlite3.connect(copy / "house.sqlite")
        try:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            return database.execute(sql).fetchall()
        finally:
            database.close()
    finally:
        shutil.rmtree(copy)


def sign_in(hub, username="owner"):
    answer = requests.post(hub.url + "/api/v1/auth/login", json={"username": username, "password": PASSWORD}, timeout=60)
    assert answer.status_code == 200, answer.text
    return Owner(hub, answer.json())


def proven(hub_binary, data):
    """The check finds no problem, and the audit log verifies."""
    assert crash_house.checked(hub_binary, data) == []
    run = subprocess.run([hub_binary, "audit", "verify", "--data", str(data)], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stdout + run.stderr


def asked(data, kind, of, by):
    """The job was requested, and the hub ended before it began."""
    with sqlite3.connect(data / "house.sqlite") as database:
        database.execute(
            "INSERT INTO jobs (id, kind, person_id, asked_by, step, asked_at) VALUES (?, ?, ?, ?, 'waiting', ?)",
            (JOB, kind, of, by, int(time.time() * 1000)))
    database.close()


def job_is(state, data):
    return rows(data, f"SELECT 1 FROM jobs WHERE id = '{JOB}' AND state = '{state}'") == [(1,)]


@pytest.fixture
def lived_in(hub_binary, tmp_path):
    """A house with one object of each kind and one earlier export; its hub has stopped."""
    data = tmp_path / "pristine"
    with hubs(hub_binary) as start:
        hub = start(data, "--virtual-house")
        owner = Owner(hub, house.claim(hub, PASSWORD))
        person = joined(owner, "Quillfeather")
        who = lived(person)
        job = person.post(f"/api/v1/people/{who}/export").json()["job_id"]
        house.until(lambda: person.get(f"/api/v1/jobs/{job}").json()["state"] == "done", "the first archive is there")
        hub.stop()
    return data, who, rows(data, "SELECT id FROM people WHERE role = 'owner'")[0][0], job


def test_a_power_cut_during_an_export(hub_binary, lived_in, tmp_path):
    """The requested export is there afterwards, complete, and no other; before it is there, it is not announced."""
    pristine, who, _, first = lived_in
    asked(pristine, "export", who, who)

    def judge(data):
        state, key = left(data, f"SELECT state, file_key FROM jobs WHERE id = '{JOB}'")[0]
        if state == "done":
            assert key and (data / "exports" / f"{JOB}.export").exists()
        with hubs(hub_binary) as start:
            hub = start(data, "--virtual-house")
            house.until(lambda: job_is("done", data), "it is done, or done again")
            person = sign_in(hub, "quillfeather")
            archive = zipfile.ZipFile(io.BytesIO(person.get(f"/api/v1/jobs/{JOB}/archive").content))
            assert archive.testzip() is None
            assert set(json.loads(archive.read("manifest.json"))["files"]) == set(archive.namelist()) - {"manifest.json", "manifest.sig"}
            assert "bees" in archive.read("holdings/memories.json").decode()
            hub.stop()
        assert {file.name for file in (data / "exports").iterdir()} == {f"{first}.export", f"{JOB}.export"}
        proven(hub_binary, data)
        return state

    seen = killed_on_the_way(
        tmp_path, hub_binary, pristine, ["--virtual-house"], lambda _: job_is("done", tmp_path / "house"), judge)
    assert {"waiting", "running"} & set(seen), seen


def test_a_power_cut_during_an_erasure(hub_binary, lived_in, tmp_path):
    """The person is in the house unchanged or not at all, and at the end not at all."""
    pristine, who, owner_id, _ = lived_in
    asked(pristine, "erasure", who, owner_id)
    theirs = f"""SELECT (SELECT count(*) FROM erasures), (SELECT count(*) FROM people WHERE id = '{who}'),
        (SELECT count(*) FROM sessions WHERE person_id = '{who}' AND ended_at IS NULL),
        (SELECT count(*) FROM guests WHERE created_by = '{who}' AND revoked_at IS NULL)"""

    def judge(data):
        standing = left(data, theirs)[0]
        assert standing in ((0, 1, 1, 1), (1, 0, 0, 0)), standing
        with hubs(hub_binary) as start:
            hub = start(data, "--virtual-house")
            house.until(lambda: job_is("done", data), "it is done, or gone on with")
            assert not [(file, word) for file in data.rglob("*") if file.is_file() for word in (b"uillfeather", b"keeps bees")
                        if word in file.read_bytes()]
            owner = sign_in(hub)
            told = "".join(owner.get(path).text for path in ("/api/v1/people", "/api/v1/guests", "/api/v1/memory", "/api/v1/activity?limit=200"))
            assert "uillfeather" not in told and who not in owner.get("/api/v1/people").text
            assert any(entry["who"]["kind"] == "erased" for entry in owner.get("/api/v1/activity?limit=200").json()["entries"])
            login = {"username": "quillfeather", "password": PASSWORD}
            assert requests.post(hub.url + "/api/v1/auth/login", json=login, timeout=60).status_code == 401
            assert owner.get(f"/api/v1/jobs/{JOB}").json()["receipt"]["rows"]["sign_in"] >= 1
            hub.stop()
        assert list((data / "exports").iterdir()) == []
        proven(hub_binary, data)
        return "gone" if standing[0] else "here"

    seen = killed_on_the_way(
        tmp_path, hub_binary, pristine, ["--virtual-house"], lambda _: job_is("done", tmp_path / "house"), judge)
    assert set(seen) == {"here", "gone"}, seen


@pytest.mark.parametrize("step", [3, 27])
def test_a_power_cut_during_the_migration_of_an_older_house(hub_binary, tmp_path, step):
    """The house is served only after its complete migration; all data is there, and none of it is in plaintext."""
    pristine = tmp_path / "pristine"
    made = older_house.make(pristine, step, "Quillfeather", PASSWORD, hub_binary)

    def judge(data):
        steps = left(data, "SELECT max(CAST(identifier AS INTEGER)) FROM grdb_migrations")[0][0]
        with hubs(hub_binary) as start:
            hub = start(data)
            assert not [(file, word) for file in data.rglob("*") if file.is_file() for word in (b"uillfeather", b"planted")
                        if word in file.read_bytes()]
            owner = sign_in(hub, "quillfeatheruser")
            assert [one["name"] for one in owner.get("/api/v1/people").json()["people"]] == ["Quillfeather name"]
            assert [one["name"] for one in owner.get("/api/v1/guests").json()["guests"]] == ["Quillfeather guest"]
            if step == 27:
                assert [one["content"] for one in owner.get("/api/v1/memory?q=Quillfeather").json()["memories"]] == ["Quillfeather content"]
                found = owner.get("/api/v1/mobile/events?q=gate").json()["events"]
                assert [one["description"] for one in found] == ["Quillfeather waits at the gate"]
                rules = owner.get("/api/v1/automations").json()["automations"]
                assert [(one["name"], one["actions"][0]["words"]) for one in rules] == [("Quillfeather evening", "Quillfeather waits")]
                shown = owner.get("/api/v1/people/me/preferences").json()["display_preferences_by_room"]
                assert shown == {"hall": "Quillfeather"}
                assert owner.get("/api/v1/people/ada/notifications").json()["muted"] == ["Quillfeather porch"]
            hub.stop()
        proven(hub_binary, data)
        assert rows(data, "SELECT count(*) FROM column_seal") == [(1,)]
        assert rows(data, "SELECT name FROM sqlite_schema WHERE name = 'audit_plain'") == []
        assert rows(data, "SELECT count(*) FROM house_keys") == [(1,)] and not (data / "hub.key.next").exists()
        if step == 3:
            assert rows(data, f"SELECT count(*) FROM audit WHERE at < {made - 60_000}") == [(older_house.ENTRIES,)]
        return steps

    seen = killed_on_the_way(tmp_path, hub_binary, pristine, [], lambda _: True, judge)
    assert any(seen), seen


class Drawer:
    """The folder of backups and the key that opens them; their house has not been served since it was made."""

    def __init__(self, hub_binary, tmp_path):
        self.hub_binary, self.elsewhere = hub_binary, tmp_path / "elsewhere"
        self.folder, self.key, self.house = tmp_path / "drawer", tmp_path / "paper", tmp_path / "pristine"
        self.empty()
        with hubs(hub_binary) as start:
            hub = start(self.house, "--virtual-house")
            house.let_in(Owner(hub, house.claim(hub, PASSWORD)))
            hub.stop()
        made = subprocess.run(
            [hub_binary, "recovery-key", "--data", str(self.house), "--json"], capture_output=True, text=True, check=True, timeout=60)
        self.key.write_text(json.loads(made.stdout)["recovery_key"])

    def empty(self):
        if self.folder.exists():
            shutil.rmtree(self.folder)
        self.folder.mkdir()

    def backups(self):
        """The files named as backups; each is complete: restored elsewhere, each is a complete house."""
        found = sorted(file for file in self.folder.iterdir() if file.name.endswith(".backup"))
        for archive in found:
            done = subprocess.run(
                [self.hub_binary, "restore", "--data", str(self.elsewhere), "--from", str(archive), "--recovery-key-file", str(self.key)],
                capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, done.stderr
            proven(self.hub_binary, self.elsewhere)
            assert rows(self.elsewhere, "SELECT count(*) FROM guests") == [(1,)]
            shutil.rmtree(self.elsewhere)
        return found


@pytest.fixture
def drawer(hub_binary, tmp_path):
    return Drawer(hub_binary, tmp_path)


def noted(data):
    return rows(data, "SELECT 1 FROM backups WHERE good_at IS NOT NULL") == [(1,)]


def working(data):
    return [path.name for path in data.iterdir() if path.name.startswith("backup.working")]


def test_a_power_cut_during_a_scheduled_backup(hub_binary, drawer, tmp_path):
    """A backup is complete or absent; the next one is made, and no draft of either is left."""
    data, words = tmp_path / "house", ["--virtual-house", "--backup-folder", str(drawer.folder)]

    def judge(data):
        kept = drawer.backups()
        with hubs(hub_binary) as start:
            hub = start(data, *words)
            house.until(lambda: noted(data), "a backup is made")
            hub.stop()
        made = drawer.backups()
        # The list of erasures is beside them, and no draft of it either.
        lists = list(drawer.folder.glob("*.erasures"))
        assert made and len(lists) == 1 and set(drawer.folder.iterdir()) == {*made, *lists} and working(data) == []
        proven(hub_binary, data)
        return bool(kept)

    assert killed_on_the_way(tmp_path, hub_binary, drawer.house, words, lambda _: noted(data), judge, prepare=drawer.empty)


def test_a_power_cut_during_a_requested_backup(hub_binary, drawer, tmp_path):
    """The caller has a complete backup or learns that there is none; a second request works, and no draft of either is left."""
    data = tmp_path / "house"

    def ask(name):
        out = drawer.folder / f"{name}.backup"
        done = subprocess.run(
            [hub_binary, "backup", "--data", str(data), "--out", str(out), "--json"], capture_output=True, text=True, timeout=120)
        assert out.exists() == (done.returncode == 0), done.stderr
        return out

    def judge(data):
        kept = drawer.backups()
        assert sorted(drawer.folder.iterdir()) == kept
        with hubs(hub_binary) as start:
            hub = start(data, "--virtual-house")
            assert working(data) == []
            again = ask("two")
            hub.stop()
        assert drawer.backups() == [*kept, again] and working(data) == []
        proven(hub_binary, data)
        return bool(kept)

    assert killed_on_the_way(
        tmp_path, hub_binary, drawer.house, ["--virtual-house"], lambda _: ask("one"), judge, prepare=drawer.empty)
