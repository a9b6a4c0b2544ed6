"""The audit log as a person with the database file sees it, and as `cardea-hub check` judges it."""

import base64
import contextlib
import hashlib
import json
import secrets
import shutil
import sqlite3
import subprocess

import house
import pytest
from conftest import PASSWORD, Owner

COLUMNS = "seq, version, at, event_key, event, actor, actor_sealed, subject, subject_sealed, hash"


@pytest.fixture
def lived(start_hub, tmp_path):
    """The folder of a house after a guest's visit and a failed attempt by a stranger."""
    data = tmp_path / "house"
    hub = start_hub(data, "--virtual-house")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    guest = house.let_in(owner, max_uses=5)
    for _ in range(3):
        assert guest.act().status_code == 200
    assert guest.act("garage.open").status_code == 403
    assert owner.get("/api/v1/activity?limit=200").json()["entries"][0]["result"] == "refused"
    assert hub.stop() == 0
    return data


def rows(data, sql):
    with contextlib.closing(sqlite3.connect(data / "house.sqlite")) as database:
        return database.execute(sql).fetchall()


def tampered(data, folder, *statements):
    """A copy of the house with an entry changed by another tool."""
    shutil.copytree(data, folder)
    with contextlib.closing(sqlite3.connect(folder / "house.sqlite")) as database:
        for trigger in ("audit_is_append_only", "audit_is_kept"):
            database.execute(f"DROP TRIGGER {trigger}")
        for statement in statements:
            database.execute(statement)
        database.commit()
    return folder


def check(binary, data):
    run = subprocess.run([str(binary), "check", "--data", str(data), "--json"], capture_output=True, text=True, timeout=60)
    return run.returncode, json.loads(run.stdout)["problems"]


def part(key, sealed):
    return {"key": format(key, "x"), "sealed": base64.b64encode(sealed).decode()}


def test_the_chain_is_verified_from_the_rows_without_any_key(lived):
    entries = rows(lived, f"SELECT {COLUMNS} FROM audit ORDER BY seq")
    assert len(entries) > 8
    before = bytes(32)
    for place, (seq, version, at, event_key, event, actor, actor_sealed, subject, subject_sealed, digest) in enumerate(entries, 1):
        entry = {"actor": part(actor, actor_sealed), "at": at, "event": part(event_key, event), "seq": seq, "v": version}
        if subject is not None:
            entry["subject"] = part(subject, subject_sealed)
        line = json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()
        before = hashlib.sha256(b"\0hub-audit-v1" + before + line).digest()
        assert (seq, digest) == (place, before)


def test_the_audit_log_of_a_copied_database_is_unreadable(lived):
    bytes_of = [
        cell if isinstance(cell, bytes) else str(cell).encode()
        for table in ("audit", "audit_keys") for row in rows(lived, f"SELECT * FROM {table}") for cell in row
    ]
    for word in (b"door.open", b"front", b"guest_", b"person_", b"127.0.0.1", b"refused", b"Plumber", b"pair"):
        assert not any(word in cell for cell in bytes_of), word


def test_check_names_the_first_wrong_entry(lived, hub_binary, tmp_path):
    assert check(hub_binary, lived) == (0, [])
    for number, (statement, words) in enumerate([
        ("UPDATE audit SET event = zeroblob(80) WHERE seq = 3", "Entry 3 of the audit log cannot be decrypted with its key."),
        ("UPDATE audit SET hash = zeroblob(32) WHERE seq = 5", "Entry 5 of the audit log was changed, or the one before it was."),
        ("DELETE FROM audit WHERE seq = 1", "Entry 1 of the audit log is missing."),
        ("DELETE FROM audit WHERE seq BETWEEN 4 AND 6", "Entry 4 of the audit log is missing."),
        ("UPDATE audit SET device = 1 WHERE seq = 2", "Entry 2 of the audit log is indexed under the wrong subject."),
    ]):
        copy = tampered(lived, tmp_path / f"copy-{number}", statement)
        assert check(hub_binary, copy) == (1, [words]), statement


def test_the_hub_refuses_to_start_with_another_houses_key(lived, hub_binary):
    (lived / "hub.key").write_bytes(secrets.token_bytes(32))
    code, problems = check(hub_binary, lived)
    assert code == 1 and "Put back the hub.key that belongs to this house.sqlite." in problems[0]
    run = subprocess.run(
        [str(hub_binary), "serve", "--data", str(lived), "--insecure-http", "--listen", "127.0.0.1:0"],
        capture_output=True, text=True, timeout=60)
    assert run.returncode != 0 and "hub.key" in run.stderr
