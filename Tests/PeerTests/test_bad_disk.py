"""A disk too full for a new key, a restore, a backup or the rest of an erasure; a disk with read errors; and a file at its size limit.

Each result is old or new, no draft is left, and the message is in plain words.
"""

import json
import re
import resource
import shutil
import sqlite3

import crash_house
import house
import pytest
import requests
from conftest import PASSWORD, Owner
from test_full_disk import Household, bad_disk, bench, fill, mounted, run, whole  # noqa: F401
from test_privacy import joined, lived

pytestmark = pytest.mark.long
KIB = 1024
SMALL = ("-t", "tmpfs", "-o", "size=24m,mode=700", "none")
WAKING = ("device_unreachable", "integration_not_ready")


def room(ballast, size):
    """Frees that many bytes again."""
    with open(ballast, "r+b") as file:
        file.truncate(max(0, ballast.stat().st_size - size))


def told_in_words(done):
    """The message names the lack of space, without a library's wording."""
    assert done.returncode == 1 and done.stderr.startswith("Error: "), done.stdout + done.stderr
    assert re.search("full|room|space|does not read or write|cannot be written", done.stderr), done.stderr
    assert not re.search(r"SQLite error|while executing|Domain=|Broken|Error\(", done.stderr), done.stderr


def count(data, sql):
    database = sqlite3.connect(f"file:{data}/house.sqlite?mode=ro", uri=True, timeout=60)
    try:
        return database.execute(sql).fetchone()
    finally:
        database.close()


def sign_in(hub):
    answer = requests.post(hub.url + "/api/v1/auth/login", json={"username": "owner", "password": PASSWORD}, timeout=60)
    assert answer.status_code == 200, answer.text
    return Owner(hub, answer.json())


def test_on_a_full_disk_a_key_rotation_leaves_the_old_or_the_new_key(start_hub, hub_binary, tmp_path):
    with mounted(tmp_path / "disk", *SMALL) as disk:
        data = disk / "house"
        hub = start_hub(data, "--virtual-house")
        house.let_in(Owner(hub, house.claim(hub, PASSWORD)))
        hub.stop()
        before = {path.name for path in data.iterdir()}
        for size in (0, 64 * KIB):
            ballast = fill(disk)
            room(ballast, size)
            done = run(hub_binary, "key", "rotate", "--data", data, check=False)
            ballast.unlink()
            if done.returncode or size == 0:
                told_in_words(done)
            # Left for the next start: the one prepared key, and SQLite's files beside the database.
            assert {path.name for path in data.iterdir()} - before <= {"hub.key.next", "house.sqlite-wal", "house.sqlite-shm"}
            whole(hub_binary, data)
        old = (data / "hub.key").read_bytes()
        run(hub_binary, "key", "rotate", "--data", data)
        assert (data / "hub.key").read_bytes() != old and not (data / "hub.key.next").exists()
        assert len(sign_in(start_hub(data, "--virtual-house")).get("/api/v1/guests").json()["guests"]) == 1


def test_on_a_full_disk_a_restore_leaves_the_old_or_the_new_house(start_hub, hub_binary, tmp_path):
    made, archive, key = tmp_path / "made", tmp_path / "one.backup", tmp_path / "key"
    hub = start_hub(made)
    owner = Owner(hub, house.claim(hub, PASSWORD))
    key.write_text(json.loads(run(hub_binary, "backup", "--data", made, "--out", archive, "--json").stdout)["recovery_key"])
    assert owner.post("/api/v1/people", {"name": "Ada", "role": "member"}).status_code == 201
    hub.stop()
    people = "SELECT count(*) FROM people"
    with mounted(tmp_path / "disk", *SMALL) as disk:
        data = disk / "house"
        shutil.copytree(made, data)
        size = (data / "house.sqlite").stat().st_size
        restore = [hub_binary, "restore", "--data", data, "--from", archive, "--recovery-key-file", key]
        # Room for less than its keys, for half of its database, and for everything but the work before it is served.
        for free in (0, size // 2, size + 96 * KIB):
            ballast = fill(disk)
            room(ballast, free)
            done = run(*restore, check=False)
            ballast.unlink()
            if done.returncode or free < size:
                told_in_words(done)
                assert count(data, people) == (2,) and sorted(path.name for path in disk.iterdir()) == ["house"]
            else:
                assert count(data, people) == (1,)
                shutil.rmtree(data)
                for before in disk.glob("house.before-*"):
                    before.rename(data)
        whole(hub_binary, data)
        run(*restore)
        assert count(data, people) == (1,)
        whole(hub_binary, data)


def test_on_a_full_disk_a_backup_fails_and_the_house_keeps_running(start_hub, hub_binary, tmp_path):
    data, out = tmp_path / "house", tmp_path / "drawer"
    with mounted(out, "-t", "tmpfs", "-o", "size=1m,mode=700", "none"), mounted(tmp_path / "disk", *SMALL) as disk:
        hub = start_hub(data, "--virtual-house")
        house.claim(hub, PASSWORD)
        run(hub_binary, "recovery-key", "--data", data)
        hub.stop()
        room(fill(out), 8 * KIB)

        def backup(of, to):
            done = run(hub_binary, "backup", "--data", of, "--out", to, check=False)
            house.until(lambda: not [path for path in of.iterdir() if path.name.startswith("backup.working")], "what it worked on is gone")
            return done

        def drafts(folder):
            return [path.name for path in folder.iterdir() if ".backup" in path.name]

        # The backup folder is full. The house makes no backup, and its owner is notified.
        hub = start_hub(data, "--virtual-house", "--backup-folder", str(out))
        owner = sign_in(hub)
        notices = house.until(
            lambda: [one for one in owner.get("/api/v1/notices").json()["notices"] if "No backup was made" in json.dumps(one)], "the owner is told")
        assert len(notices) == 1 and str(tmp_path) not in json.dumps(notices) and drafts(out) == []
        report = json.loads(run(hub_binary, "check", "--data", data, "--json").stdout)
        assert report["ok"] and re.search("space|full", report["backup_problem"]), report
        # A requested backup reports it to the caller; with room elsewhere one is made.
        told_in_words(backup(data, out / "one.backup"))
        assert drafts(out) == [] and owner.get("/api/v1/guests").status_code == 200
        assert backup(data, tmp_path / "elsewhere.backup").returncode == 0
        hub.stop()
        # The same for a stopped house.
        told_in_words(backup(data, out / "one.backup"))
        assert drafts(out) == []
        whole(hub_binary, data)

        # The house's own disk has no room for a temporary copy.
        shutil.copytree(data, disk / "house")
        told_in_words(backup(disk / "house", tmp_path / "small.backup"))
        assert drafts(tmp_path) == ["elsewhere.backup"]
        whole(hub_binary, disk / "house")


@pytest.mark.parametrize("chunk", [4 * KIB, 192 * KIB])
def test_an_erasure_stopped_by_a_full_disk_continues_when_there_is_room(start_hub, hub_binary, tmp_path, chunk):
    """The person is in the house unchanged or not at all, and at the end not at all."""
    with mounted(tmp_path / "disk", *SMALL) as disk:
        data = disk / "house"
        hub = start_hub(data, "--virtual-house")
        owner = Owner(hub, house.claim(hub, PASSWORD))
        who = lived(joined(owner, "Quillfeather"))
        standing = f"""SELECT (SELECT count(*) FROM erasures), (SELECT count(*) FROM people WHERE id = '{who}'),
            (SELECT count(*) FROM guests WHERE created_by = '{who}')"""
        ballast = fill(disk)
        asked = []

        def is_asked():
            # The space that is left when the job is accepted; it needs that much to begin.
            room(ballast, chunk)
            asked.append(owner.post(f"/api/v1/people/{who}/erase"))
            if asked[-1].status_code != 202:
                Household.unavailable(asked[-1])
            return asked[-1].status_code == 202

        house.until(is_asked, "it is taken on")
        job = asked[-1].json()["job_id"]

        def is_done():
            return owner.get(f"/api/v1/jobs/{job}").json()["state"] == "done"

        house.until(
            lambda: any("job failed" in line or "job could not be stored" in line for line in hub.log) or is_done(), "there is no room for the rest of it")
        assert chunk > 4 * KIB or not is_done()
        assert count(data, standing) in ((0, 1, 1), (1, 0, 0))
        ballast.unlink()
        assert hub.stop() == 0

        hub = start_hub(data, "--virtual-house")
        owner = sign_in(hub)
        house.until(is_done, "it has been gone on with")
        assert count(data, standing) == (1, 0, 0)
        assert not [(file, word) for file in data.rglob("*") if file.is_file() for word in (b"uillfeather", b"keeps bees")
                    if word in file.read_bytes()]
        assert owner.get(f"/api/v1/jobs/{job}").json()["receipt"]["rows"]["sign_in"] >= 1
        assert hub.stop() == 0
        whole(hub_binary, data)


def asked_of_a_blind_house(home, ask):
    """Sends a door command; returns whether its outcome is known.

    The row written before the command was sent may be unreadable after the bolt has moved: then the house answers that the outcome is unknown.
    """
    before = len(home.bench.moved())
    answer = ask()
    moved = [command for _, _, command, _ in home.bench.moved()[before:]]
    if answer.status_code == 200:
        assert moved == [answer.json()["command_id"]]
        home.opened.add(moved[0])
        return True
    if answer.status_code == 504:
        assert "outcome_unknown" in answer.text and len(moved) <= 1, answer.text
        return False
    assert moved == [], f"no door moves for {answer.status_code} {answer.text}"
    home.unavailable(answer, *WAKING)
    return True


def test_a_disk_with_read_errors_is_reported_and_loses_nothing(start_hub, hub_binary, bench, bad_disk):  # noqa: F811
    home = Household(start_hub, bench)
    assert home.owner_opens() and home.guest_opens()
    assert home.hub.stop() == 0
    # A process that has read little so far.
    hub, _ = crash_house.serve(start_hub, bench, besides=bad_disk.environment)
    home.again(hub)
    doors = (lambda: home.owner.put(f"/api/v1/devices/{home.doors[0]}/control", {"action": "unlock"}), lambda: home.guest.act("door.open"))
    refused = 0
    with bad_disk.that_does_not_read():
        for door in doors:
            for _ in range(3):
                if not asked_of_a_blind_house(home, door):
                    break
        for path in ("/api/v1/people", "/api/v1/guests", "/api/v1/activity?limit=200", "/api/v1/notices", "/api/v1/memory", "/api/v1/jobs"):
            answer = home.owner.get(path)
            if answer.status_code != 200:
                home.unavailable(answer)
                refused += 1
        assert hub.process.poll() is None and requests.get(hub.url + "/healthz", timeout=60).status_code == 200
    assert refused, "it was read, though the disk does not read"
    house.until(lambda: home.owner_opens(*WAKING), "the owner opens again")
    house.until(lambda: home.guest_opens(*WAKING), "the guest opens again")
    home.reads()
    home.has_all_that_was_told()
    assert hub.stop() == 0
    whole(hub_binary, bench.data)


def test_at_the_file_size_limit_no_door_opens_and_the_hub_keeps_running(start_hub, hub_binary, bench):  # noqa: F811
    """The system ends a process at this limit unless it handles the signal."""
    home = Household(start_hub, bench)
    assert home.owner_opens() and home.guest_opens()
    process = home.hub.process
    _, most = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, ((bench.data / "house.sqlite-wal").stat().st_size, most))
    home.until_no_door_opens()
    home.tells_the_rest_no_less()
    home.reads()
    assert not home.owner_opens() and not home.guest_opens()
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, most))
    house.until(home.owner_opens, "the owner opens again")
    house.until(home.guest_opens, "the guest opens again")
    assert process.poll() is None, "it is the same hub, which nobody started anew"
    home.reads()
    home.has_all_that_was_told()
    assert home.refused >= 4
    assert home.hub.stop() == 0
    whole(hub_binary, bench.data)
