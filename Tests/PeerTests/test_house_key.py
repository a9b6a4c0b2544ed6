"""The key that opens a house: where it is stored, how it moves and rotates, and how a lost key is recovered."""

import hashlib
import itertools
import json
import os
import shutil
import sqlite3
import subprocess

import house
import pytest
import requests
from conftest import PASSWORD, Owner
from power import POINTS, killed_at_its_steps


def run(hub_binary, *words, code=0, **more):
    done = subprocess.run([str(hub_binary), *map(str, words)], capture_output=True, text=True, timeout=120, **more)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def shown(hub_binary, data, *more, **others):
    return json.loads(run(hub_binary, "key", "show", "--data", data, "--json", *more, **others).splitlines()[-1])


def whole(hub_binary, data, **more):
    """The house whose key it is, where the key opens everything in it."""
    report = json.loads(run(hub_binary, "check", "--data", data, "--json", **more))
    assert report["ok"] and report["problems"] == []
    key = data / "hub.key"
    return hashlib.sha256(key.read_bytes()).hexdigest() if key.exists() else None


def sign_in(hub):
    answer = requests.post(hub.url + "/api/v1/auth/login", json={"username": "owner", "password": PASSWORD}, timeout=60)
    assert answer.status_code == 200, answer.text
    return Owner(hub, answer.json())


@pytest.fixture
def lived(start_hub, tmp_path):
    """A house with a guest, a button and a camera, and its hub stopped."""
    data = tmp_path / "house"
    hub = start_hub(data, "--virtual-house")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    house.let_in(owner)
    assert owner.post("/api/v1/buttons", {"title": "Light", "action": {"device_id": "hall-light", "action": "on"}}).status_code == 201
    hub.stop()
    return data


@pytest.fixture
def machine(tmp_path):
    """What systemd-creds needs of a machine: its own host key."""
    return {**os.environ, "SYSTEMD_CREDENTIAL_SECRET": str(tmp_path / "host.secret")}


def test_the_key_is_rotated_and_the_house_keeps_working(start_hub, hub_binary, lived, tmp_path):
    old = (lived / "hub.key").read_bytes()
    before = tmp_path / "before"
    shutil.copytree(lived, before)
    assert "The house has a new key." in run(hub_binary, "key", "rotate", "--data", lived)

    assert whole(hub_binary, lived) != hashlib.sha256(old).hexdigest() and len((lived / "hub.key").read_bytes()) == 32
    assert (lived / "hub.key").stat().st_mode & 0o777 == 0o600
    # The old key opens only the old copy, and the database contains no byte of either key.
    for name in ["house.sqlite", "house.sqlite-wal"]:
        if (lived / name).exists():
            assert old not in (lived / name).read_bytes() and (lived / "hub.key").read_bytes() not in (lived / name).read_bytes()
    (before / "hub.key").write_bytes((lived / "hub.key").read_bytes())
    assert "another house's" in run(hub_binary, "check", "--data", before, code=1)
    hub = start_hub(lived, "--virtual-house")
    assert len(sign_in(hub).get("/api/v1/guests").json()["guests"]) == 1
    # The key of a running house cannot be changed.
    assert "Another hub serves" in run(hub_binary, "key", "rotate", "--data", lived, code=64)


def laid_out(data, pristine, *besides):
    """A function that restores the house's first state and removes the paths in `besides`."""
    shutil.copytree(data, pristine)

    def prepare():
        for place in (data, *besides):
            shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(pristine, data)

    return prepare


def holdings(data):
    """The counts of what must not change; the audit log may have grown."""
    database = sqlite3.connect(f"file:{data}/house.sqlite?mode=ro", uri=True)
    try:
        *rest, entries = database.execute(
            "SELECT (SELECT count(*) FROM people), (SELECT count(*) FROM guests), (SELECT count(*) FROM buttons), "
            "(SELECT count(*) FROM sessions), (SELECT count(*) FROM audit)").fetchone()
        return rest, entries
    finally:
        database.close()


def lost_nothing(data, before):
    rest, entries = holdings(data)
    return rest == before[0] and entries >= before[1]


@pytest.mark.chaos
def test_a_power_cut_at_any_durable_step_of_a_rotation_leaves_the_old_or_the_new_key(hub_binary, lived, tmp_path):
    """The house is completely under the old key or the new one, never a mix; and the next rotation, or the next start, cleans up."""
    old, before = whole(hub_binary, lived), holdings(lived)

    def judge(when):
        now = whole(hub_binary, lived)
        assert lost_nothing(lived, before), when
        # The next command that opens the house to change it finishes the work.
        run(hub_binary, "key", "rotate", "--data", lived)
        assert whole(hub_binary, lived) not in (old, now), when
        assert not (lived / "hub.key.next").exists() and lost_nothing(lived, before)
        database = sqlite3.connect(f"file:{lived}/house.sqlite?mode=ro", uri=True)
        assert database.execute("SELECT count(*) FROM house_keys").fetchone() == (1,)
        database.close()
        return "old" if now == old else "new"

    kills, seen = killed_at_its_steps(
        tmp_path, hub_binary, ["key", "rotate", "--data", lived], laid_out(lived, tmp_path / "pristine"), judge, least=11)
    assert kills >= 8 and seen == {"old", "new"}, (kills, seen)


def test_the_key_moves_to_a_systemd_credential(start_hub, hub_binary, lived, tmp_path, machine, monkeypatch):
    credential = tmp_path / "credstore/cardea-hub-key"
    at = ["--credential-file", credential]
    key = (lived / "hub.key").read_bytes()
    first = shown(hub_binary, lived)
    assert (first["place"], first["protection"]) == ("file", "reduced") and "hub.key" in first["words"]

    said = run(hub_binary, "key", "move", "--data", lived, "--to", "credential", "--with-key", "host", *at, env=machine)
    assert "host key" in said and key.hex() not in said
    assert not (lived / "hub.key").exists() and credential.stat().st_mode & 0o777 == 0o600 and key not in credential.read_bytes()
    now = shown(hub_binary, lived, *at, env=machine)
    assert (now["place"], now["protection"]) == ("credential", "reduced")

    # Without it the house does not open, names the repair, and gets no other key.
    refused = subprocess.run(
        [str(hub_binary), "serve", "--data", str(lived), "--insecure-http", "--listen", "127.0.0.1:0"], capture_output=True, text=True,
        timeout=60)
    assert refused.returncode != 0 and "LoadCredentialEncrypted=cardea-hub-key" in refused.stderr and "recover" in refused.stderr
    assert not (lived / "hub.key").exists()

    # As systemd passes it.
    given = tmp_path / "credentials"
    given.mkdir(mode=0o700)
    opened = subprocess.run(
        ["systemd-creds", "decrypt", "--name=cardea-hub-key", str(credential), "-"], env=machine, capture_output=True, check=True).stdout
    (given / "cardea-hub-key").write_bytes(opened)
    (given / "cardea-hub-key").chmod(0o440)
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(given))
    hub = start_hub(lived, "--virtual-house")
    owner = sign_in(hub)
    assert len(owner.get("/api/v1/guests").json()["guests"]) == 1
    # Its backup contains the key, because another machine has no such credential.
    made = json.loads(run(hub_binary, "backup", "--data", lived, "--out", tmp_path / "one.backup", "--json"))
    hub.stop()
    monkeypatch.delenv("CREDENTIALS_DIRECTORY")
    (tmp_path / "paper").write_text(made["recovery_key"])
    run(hub_binary, "restore", "--data", tmp_path / "elsewhere", "--from", tmp_path / "one.backup", "--recovery-key-file", tmp_path / "paper")
    assert shown(hub_binary, tmp_path / "elsewhere")["place"] == "file"
    sign_in(start_hub(tmp_path / "elsewhere"))

    # It is rotated there, and moves back.
    run(hub_binary, "key", "rotate", "--data", lived, "--with-key", "host", *at, env=machine)
    whole(hub_binary, lived, env={**machine, "CREDENTIALS_DIRECTORY": str(given)})
    run(hub_binary, "key", "move", "--data", lived, "--to", "file", *at, env=machine)
    assert not credential.exists() and whole(hub_binary, lived)


@pytest.mark.chaos
def test_a_power_cut_during_a_key_move(hub_binary, lived, tmp_path, machine):
    credential = tmp_path / "credstore/cardea-hub-key"
    at, before = ["--credential-file", credential], holdings(lived)
    words = ["key", "move", "--data", lived, "--to", "credential", "--with-key", "host", *at]
    prepare = laid_out(lived, tmp_path / "pristine", credential.parent)
    # The machine's own key is created at the first use.
    run(hub_binary, *words, env=machine)

    def judge(when):
        whole_there = json.loads(run(hub_binary, "check", "--data", lived, "--json", *at, env=machine))
        assert whole_there["ok"] and lost_nothing(lived, before), when
        return "old" if (lived / "hub.key").exists() else "new"

    kills, seen = killed_at_its_steps(tmp_path, hub_binary, words, prepare, judge, env=machine)
    assert kills >= min(5, POINTS) and seen == {"old", "new"}, (kills, seen)


def test_a_lost_key_is_replaced_with_the_recovery_key(start_hub, hub_binary, lived, tmp_path):
    paper = json.loads(run(hub_binary, "recovery-key", "--data", lived, "--json"))["recovery_key"]
    (tmp_path / "paper").write_text(paper)
    run(hub_binary, "key", "rotate", "--data", lived)
    (lived / "hub.key").unlink()
    assert "missing" in run(hub_binary, "check", "--data", lived, code=1)
    (tmp_path / "other").write_text(json.loads(run(hub_binary, "recovery-key", "--data", new_house(start_hub, tmp_path), "--json"))["recovery_key"])
    recover = ["key", "recover", "--data", lived, "--recovery-key-file"]
    assert "not the house's recovery key" in run(hub_binary, *recover, tmp_path / "other", code=1)
    run(hub_binary, *recover, tmp_path / "paper")
    sign_in(start_hub(lived, "--virtual-house"))


@pytest.mark.chaos
def test_a_power_cut_during_recovery_with_the_recovery_key(hub_binary, lived, tmp_path):
    paper, before = tmp_path / "paper", holdings(lived)
    paper.write_text(json.loads(run(hub_binary, "recovery-key", "--data", lived, "--json"))["recovery_key"])
    # In the key's place there is none, and then another house's key, which is kept whatever happens.
    stray, turns, undone = os.urandom(32), itertools.count(), set()
    lay_out, is_stray = laid_out(lived, tmp_path / "pristine"), False
    recover = ["key", "recover", "--data", lived, "--recovery-key-file", paper]

    def prepare():
        nonlocal is_stray
        lay_out()
        is_stray = next(turns) % 2 == 0
        if is_stray:
            (lived / "hub.key").write_bytes(stray)
        else:
            (lived / "hub.key").unlink()

    def judge(when):
        when = f"{when}, {'another key' if is_stray else 'no key'} where its own was"
        report = json.loads(subprocess.run(
            [str(hub_binary), "check", "--data", str(lived), "--json"], capture_output=True, text=True, timeout=60).stdout)
        # Not opened yet, or completely open: then the recovery key works again.
        assert report["ok"] or ("another house" if is_stray else "missing") in report["problems"][0], when
        if not report["ok"]:
            undone.add(is_stray)
        assert not is_stray or stray in [file.read_bytes() for file in lived.glob("hub.key*")], when
        run(hub_binary, *recover)
        assert whole(hub_binary, lived) and lost_nothing(lived, before), when
        return "new" if report["ok"] else "old"

    kills, seen = killed_at_its_steps(tmp_path, hub_binary, recover, prepare, judge)
    assert kills >= min(5, POINTS) and seen == {"old", "new"} and undone == {True, False}, (kills, seen, undone)


def new_house(start_hub, tmp_path):
    hub = start_hub(tmp_path / "other-house")
    house.claim(hub, PASSWORD)
    hub.stop()
    return tmp_path / "other-house"
