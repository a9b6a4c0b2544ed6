"""A house is backed up while it runs, and restored: with the real programs, and a power cut at every step."""

import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import threading

import house
import pytest
import requests
from conftest import PASSWORD, Owner
from power import killed_at_its_steps
from test_privacy import done, joined


def run(hub_binary, *words, code=0, json_line=True, **more):
    done = subprocess.run([str(hub_binary), *map(str, words)], capture_output=True, text=True, timeout=120, **more)
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout) if json_line and code == 0 else done.stdout + done.stderr


def back_up(hub_binary, data, out, *more):
    return run(hub_binary, "backup", "--data", data, "--out", out, "--json", *more)


def restore(hub_binary, data, archive, key, *more, code=0):
    return run(hub_binary, "restore", "--data", data, "--from", archive, "--recovery-key-file", key, "--json", *more, code=code)


@pytest.fixture
def drawer(tmp_path):
    """The folder of backups and their key."""
    (tmp_path / "drawer").mkdir()
    return tmp_path / "drawer"


def sign_in(hub):
    answer = requests.post(hub.url + "/api/v1/auth/login", json={"username": "owner", "password": PASSWORD}, timeout=60)
    assert answer.status_code == 200, answer.text
    return Owner(hub, answer.json())


def test_a_running_house_is_backed_up_during_writes_and_restored(start_hub, hub_binary, tmp_path, drawer):
    data = tmp_path / "house"
    hub = start_hub(data, "--virtual-house")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    guest = house.let_in(owner)
    stop = threading.Event()
    written = []

    def write():
        while not stop.is_set():
            written.append(house.invite(owner, name=f"Visitor {len(written)}")["guest_id"])

    writer = threading.Thread(target=write)
    writer.start()
    try:
        made = back_up(hub_binary, data, drawer / "one.backup")
        again = back_up(hub_binary, data, drawer / "two.backup")
    finally:
        stop.set()
        writer.join()

    # The recovery key is made at the first backup, and shown once.
    assert re.fullmatch(r"([A-Z2-7]{5}-){12}[A-Z2-7]{5}", made["recovery_key"]) and "recovery_key" not in again
    assert made["key"] == again["key"] and made["bytes"] == (drawer / "one.backup").stat().st_size
    assert sorted(path.name for path in drawer.iterdir()) == ["one.backup", "two.backup"]
    assert (drawer / "one.backup").stat().st_mode & 0o777 == 0o600
    assert not [path for path in data.iterdir() if path.name.startswith("backup.working")]
    # No data of the house is readable in it, and none of its keys.
    archive = (drawer / "two.backup").read_bytes()
    for secret in [b"Visitor", b"owner", b"Linden", (data / "hub.key").read_bytes(), b"SQLite format", b"front-door"]:
        assert secret not in archive
    (drawer / "key").write_text("# of Linden Street\n" + made["recovery_key"].lower().replace("-", " ") + "\n")

    # Refused while the hub runs: no file changes.
    assert "Another hub serves" in restore(hub_binary, data, drawer / "two.backup", drawer / "key", code=64)
    assert owner.get("/api/v1/guests").status_code == 200
    hub.stop()
    told = json.loads(subprocess.run([str(hub_binary), "check", "--data", str(data), "--json"], capture_output=True, text=True).stdout)
    assert told["ok"] and told["last_backup"] and told.get("backup_problem") is None

    put_back = restore(hub_binary, data, drawer / "two.backup", drawer / "key")
    assert made["authenticated"] and put_back["authenticated"] and put_back["house_id"] == made["house_id"]
    assert put_back["ended"]["owner"] == "owner" and pathlib.Path(put_back["before"]).is_dir()
    hub = start_hub(data, "--virtual-house")
    assert Owner(hub, {"access_token": owner.token}).get("/api/v1/guests").status_code == 401
    assert house.Pass(hub, guest.guest_id, guest.token).act().status_code == 401
    owner = sign_in(hub)
    passes = {one["guest_id"]: one for one in owner.get("/api/v1/guests").json()["guests"]}
    assert guest.guest_id in passes and {one["status"] for one in passes.values()} <= {"suspended", "revoked", "expired"}


def test_the_backup_command_backs_up_a_stopped_house(start_hub, hub_binary, tmp_path, drawer):
    data = tmp_path / "house"
    hub = start_hub(data)
    house.claim(hub, PASSWORD)
    hub.stop()
    key = run(hub_binary, "recovery-key", "--data", data, "--json")["recovery_key"]
    assert "--replace" in run(hub_binary, "recovery-key", "--data", data, code=1)
    (drawer / "key").write_text(key)
    assert "The copy is correct." in run(hub_binary, "recovery-key", "--check", drawer / "key", json_line=False)
    (drawer / "wrong").write_text(key[:7] + ("A" if key[7] != "A" else "C") + key[8:])
    assert "Group 2" in run(hub_binary, "recovery-key", "--check", drawer / "wrong", code=1)

    assert "recovery_key" not in back_up(hub_binary, data, drawer / "one.backup")
    assert "already" in run(hub_binary, "backup", "--data", data, "--out", drawer / "one.backup", code=1)
    restore(hub_binary, tmp_path / "elsewhere", drawer / "one.backup", drawer / "key")
    assert sign_in(start_hub(tmp_path / "elsewhere")).get("/api/v1/people").status_code == 200


def test_a_passphrase_opens_the_backup_sealed_with_it(start_hub, hub_binary, tmp_path, drawer):
    data = tmp_path / "house"
    house.claim(start_hub(data), PASSWORD)
    (drawer / "words").write_text("a long way to the sea\n")
    (drawer / "others").write_text("a long way to the see\n")
    made = back_up(hub_binary, data, drawer / "one.backup", "--passphrase-file", drawer / "words")
    assert "recovery_key" not in made

    elsewhere = tmp_path / "elsewhere"
    words = ("restore", "--data", elsewhere, "--from", drawer / "one.backup", "--json", "--passphrase-file")
    assert "passphrase is wrong" in run(hub_binary, *words, drawer / "others", code=1)
    assert not elsewhere.exists()
    run(hub_binary, *words, drawer / "words")
    sign_in(start_hub(elsewhere))


def test_only_the_hubs_own_user_may_use_the_socket(start_hub, hub_binary, tmp_path):
    # A path longer than a socket's address can be.
    data = tmp_path / ("a" * 60) / ("b" * 60) / "house"
    data.parent.mkdir(parents=True)
    hub = start_hub(data)
    assert (data / "hub.sock").stat().st_mode & 0o777 == 0o600
    assert data.stat().st_mode & 0o777 == 0o700

    # A caller that sends nothing, or nonsense, blocks no other caller.
    place = os.open(data, os.O_RDONLY | os.O_DIRECTORY)
    for words in [b"", b"GET / HTTP/1.1\r\n\r\n", b"a\x00\x00\x00\x02{}", b"a\xff\xff\xff\xff"]:
        with socket.socket(socket.AF_UNIX) as asker:
            asker.connect(f"/proc/self/fd/{place}/hub.sock")
            asker.sendall(words)
    os.close(place)
    assert run(hub_binary, "recovery-key", "--data", data, "--json")["recovery_key"]
    hub.stop()
    assert not (data / "hub.sock").exists()
    assert hub.process.returncode == 0


def test_a_house_backs_itself_up_and_deletes_old_backups(start_hub, hub_binary, tmp_path, drawer):
    data = tmp_path / "house"
    hub = start_hub(data)
    house.claim(hub, PASSWORD)
    run(hub_binary, "recovery-key", "--data", data, "--json")
    hub.stop()
    for day in range(1, 21):
        (drawer / f"cardea-202610{day:02}T031500Z.backup").write_bytes(b"old")
    (drawer / "notes.txt").write_text("mine")

    start_hub(data, "--backup-folder", str(drawer))

    def rotated():
        left = {path.name for path in drawer.iterdir()}
        return left if len(left) <= 15 and any(path.stat().st_size > 1000 for path in drawer.iterdir()) else None

    left = house.until(rotated, "a backup is there, and the old ones are gone")
    assert "notes.txt" in left and not any("202610" in name for name in left if name < "cardea-20261008")
    assert not any(name.endswith(".partial") for name in left)


def test_a_failed_backup_is_reported_to_the_owner_and_by_check(start_hub, hub_binary, tmp_path, drawer):
    data = tmp_path / "house"
    (drawer / "full").write_text("no folder")
    hub = start_hub(data)
    house.claim(hub, PASSWORD)
    hub.stop()
    # No recovery key yet: the backup could not be opened.
    hub = start_hub(data, "--backup-folder", str(drawer / "full"))
    owner = sign_in(hub)

    def told():
        notices = owner.get("/api/v1/notices").json()["notices"]
        return [one for one in notices if "No backup was made" in json.dumps(one)]

    assert len(house.until(told, "the owner is told")) == 1
    hub.stop()
    report = run(hub_binary, "check", "--data", data, "--json")
    assert report["ok"] and "recovery key" in report["backup_problem"]


def people(owner):
    return sorted(one["name"] for one in owner.get("/api/v1/people").json()["people"])


def test_an_erasure_is_repeated_after_a_restore_on_a_new_disk(start_hub, hub_binary, tmp_path, drawer):
    """The machine is gone and the backup is older than the erasure: the list beside the backups erases the person again."""
    data, shelf = tmp_path / "house", tmp_path / "shelf"
    hub = start_hub(data, "--backup-folder", str(drawer))
    owner = Owner(hub, house.claim(hub, PASSWORD))
    for name in ("Quillfeather", "Ben"):
        joined(owner, name)
    shelf.mkdir()
    made = back_up(hub_binary, data, shelf / "one.backup")
    (shelf / "key").write_text(made["recovery_key"])
    (shelf / "wrong").write_bytes(os.urandom(200))
    listed = pathlib.Path(made["erasures"])
    assert listed.parent == drawer and listed.suffix == ".erasures"
    empty = house.until(lambda: listed.exists() and listed.stat().st_size, "the list is there")
    who = next(one["person_id"] for one in owner.get("/api/v1/people").json()["people"] if one["name"] == "Quillfeather")
    job = owner.post(f"/api/v1/people/{who}/erase").json()
    last = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=30)
    days = {(last - datetime.timedelta(minutes=minutes)).date().isoformat() for minutes in (0, 10)}
    house.until(
        lambda: any(any("until " + day in line for day in days) and "The list of erasures is stored beside the backups" in line for line in done(owner, job)["receipt"]["kept"]),
        "the receipt says until when backups hold them, and what comes then")
    house.until(lambda: listed.stat().st_size > empty, "the list names them")
    assert who.encode() not in listed.read_bytes() and listed.stat().st_mode & 0o777 == 0o600
    hub.stop()
    shutil.rmtree(data)

    # A forged list stops it; a missing list is reported, and then earlier erasures are not repeated.
    refused = restore(hub_binary, data, shelf / "one.backup", shelf / "key", "--erasures", shelf / "wrong", code=1)
    assert "damaged, was changed, or is another house's" in refused and not data.exists()
    words = ("restore", "--from", shelf / "one.backup", "--recovery-key-file", shelf / "key", "--data")
    told = run(hub_binary, *words, tmp_path / "ignorant", json_line=False)
    assert "There is no list of erasures beside the backup: people and guests erased since" in told
    hub = start_hub(tmp_path / "ignorant")
    assert people(sign_in(hub)) == ["Ben", "Owner", "Quillfeather"]
    hub.stop()

    put_back = restore(hub_binary, data, shelf / "one.backup", shelf / "key", "--erasures", listed)
    assert put_back["erasures"]["list"] == str(listed) and put_back["ended"]["erased"] == 1 and "before" not in put_back
    hub = start_hub(data, "--backup-folder", str(drawer))
    owner = sign_in(hub)
    house.until(lambda: people(owner) == ["Ben", "Owner"], "they are erased again")
    hub.stop()

    # It is found beside the backup. The next erasure reports what was there before.
    shutil.copy(listed, shelf)
    told = run(hub_binary, *words, data, json_line=False)
    assert "are known from " + str(shelf / listed.name) in told and "Residents and guests erased again when the hub starts: 1." in told and "after 30 days" in told
    hub = start_hub(data)
    owner = sign_in(hub)
    house.until(lambda: people(owner) == ["Ben", "Owner"], "they are erased once more")
    ben = next(one["person_id"] for one in owner.get("/api/v1/people").json()["people"] if one["name"] == "Ben")
    kept = done(owner, owner.post(f"/api/v1/people/{ben}/erase").json())["receipt"]["kept"]
    assert any("house.before-2" in line for line in kept) and any("makes no automatic backups" in line for line in kept), kept


# The durable writes of a backup; the power is cut at the n-th of each.
DURABLE = ["fsync", "fdatasync", "rename", "renameat2", "unlink"]


def whole(hub_binary, data):
    """Which house is there, if it is complete: which key it has, and whether it was restored."""
    report = run(hub_binary, "check", "--data", data, "--json")
    assert report["ok"] and report["problems"] == []
    import sqlite3

    database = sqlite3.connect(f"file:{data}/house.sqlite?mode=ro", uri=True)
    try:
        people = database.execute("SELECT count(*) FROM people").fetchone()[0]
        restored = database.execute("SELECT restored_at IS NOT NULL FROM backups").fetchone()[0]
        open_sessions = database.execute("SELECT count(*) FROM sessions WHERE ended_at IS NULL").fetchone()[0]
    finally:
        database.close()
    digest = hashlib.sha256((data / "hub.key").read_bytes()).hexdigest()
    return {"people": people, "restored": bool(restored), "sessions": open_sessions, "key": digest}


@pytest.mark.chaos
def test_a_power_cut_at_any_durable_step_of_a_restore_leaves_the_old_or_the_new_house(start_hub, hub_binary, tmp_path, drawer):
    """The house is completely old or completely new, never a mix; and the restore can be run again."""
    data = tmp_path / "house"
    hub = start_hub(data)
    owner = Owner(hub, house.claim(hub, PASSWORD))
    made = back_up(hub_binary, data, drawer / "one.backup")
    (drawer / "key").write_text(made["recovery_key"])
    assert owner.post("/api/v1/people", {"name": "Ada", "role": "member"}).status_code == 201
    hub.stop()
    old = whole(hub_binary, data)
    assert old == {**old, "people": 2, "restored": False, "sessions": 1}
    pristine = tmp_path / "pristine"
    shutil.copytree(data, pristine)
    new = {**old, "people": 1, "restored": True, "sessions": 0}
    words = ["restore", "--data", data, "--from", drawer / "one.backup", "--json", "--recovery-key-file", drawer / "key"]

    def prepare():
        for left in [path for path in tmp_path.iterdir() if path.name.startswith("house")]:
            shutil.rmtree(left)
        shutil.copytree(pristine, data)

    def judge(when):
        now = whole(hub_binary, data)
        assert now in (old, new), f"{when}: {now}"
        if now == new:
            # The previous files are still there, under another name.
            assert [path for path in tmp_path.iterdir() if path.name.startswith("house.") and (path / "house.sqlite").exists()
                    and whole(hub_binary, path) == old], when
        # Leftovers block nothing, and are cleaned up.
        restore(hub_binary, data, drawer / "one.backup", drawer / "key")
        assert whole(hub_binary, data) == new, when
        assert [path for path in tmp_path.glob("house.*") if (path / "restore.unfinished").exists()] == [], when
        return "old" if now == old else "new"

    kills, seen = killed_at_its_steps(tmp_path, hub_binary, words, prepare, judge, least=22)
    assert kills >= 20 and seen == {"old", "new"}, (kills, seen)


@pytest.mark.chaos
def test_a_power_cut_during_a_backup_leaves_a_whole_file_or_none(start_hub, hub_binary, tmp_path, drawer):
    """The requested file is complete or absent, and the house is not damaged."""
    data = tmp_path / "house"
    hub = start_hub(data)
    house.claim(hub, PASSWORD)
    hub.stop()
    key = run(hub_binary, "recovery-key", "--data", data, "--json")["recovery_key"]
    (drawer / "key").write_text(key)
    kills = 0
    for call in DURABLE + ["write"]:
        for number in [1, 2, 3, 4, 5, 7, 9]:
            out = drawer / f"{call}-{number}.backup"
            done = subprocess.run(
                ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal=SIGKILL:when={number}",
                 str(hub_binary), "backup", "--data", str(data), "--out", str(out), "--json"],
                capture_output=True, text=True, timeout=120)
            kills += done.returncode != 0
            if out.exists():
                elsewhere = tmp_path / out.name
                restore(hub_binary, elsewhere, out, drawer / "key")
                assert whole(hub_binary, elsewhere)["restored"]
            else:
                assert done.returncode != 0
    assert whole(hub_binary, data)["people"] == 1
    assert kills >= 10
    # The next backup deletes the leftovers of a crash.
    back_up(hub_binary, data, drawer / "last.backup")
    assert not [path for path in data.iterdir() if path.name.startswith("backup.working")]
