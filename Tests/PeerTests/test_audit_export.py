"""The audit log exported, verified outside the house, and watched from a terminal, with the real programs."""

import base64
import contextlib
import csv
import hashlib
import json
import shutil
import sqlite3
import subprocess

import house
import pytest
from conftest import PASSWORD, Owner
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from test_command_line import REFUSED, USAGE, cli_binary, terminal  # noqa: F401


@pytest.fixture
def lived(start_hub, tmp_path, terminal):  # noqa: F811
    """A house after a guest's visit, its hub, and its owner's terminal."""
    data = tmp_path / "house"
    hub = start_hub(data, "--virtual-house", "--listen", f"127.0.0.1:{house.free_port()}")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    guest = house.let_in(owner, max_uses=5)
    for _ in range(3):
        assert guest.act().status_code == 200
    resident = terminal("resident")
    resident.run("login", "--hub", hub.url, "--username", "owner", typed=PASSWORD + "\n")
    return data, hub, owner, resident


def verify(binary, *args):
    run = subprocess.run([str(binary), "audit", "verify", *map(str, args)], capture_output=True, text=True, timeout=60)
    return run.returncode, run.stdout + run.stderr


def signed_by(key, note):
    """Whether a note is signed by the key, in the format of C2SP signed-note."""
    text, signatures = note.split("\n\n")
    line = base64.b64decode(signatures.split(" ")[2])
    name = text.split("\n")[0]
    assert line[:4] == hashlib.sha256(name.encode() + b"\n\x01" + key).digest()[:4]
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(line[4:], (text + "\n").encode())
        return True
    except InvalidSignature:
        return False


def tree(leaves):
    """RFC 9162, section 2.1.1."""
    if len(leaves) == 1:
        return leaves[0]
    half = 1 << ((len(leaves) - 1).bit_length() - 1)
    return hashlib.sha256(b"\1" + tree(leaves[:half]) + tree(leaves[half:])).digest()


def test_an_export_is_verified_without_the_house(lived, tmp_path, hub_binary, cli_binary):  # noqa: F811
    data, hub, owner, resident = lived
    file = tmp_path / "audit.jsonl"
    assert "To verify it: cardea audit verify" in resident.run("audit", "export", str(file)).stdout
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    head, entries, end = lines[0], [line for line in lines if line["kind"] == "entry"], lines[-1]
    key = base64.b64decode(head["key"])
    assert head["kind"] == "header" and head["schema"] == 1 and end["kind"] == "end" and not head["selection"]

    # With this test's code alone.
    chain, leaves = bytes(32), []
    for place, entry in enumerate(entries, 1):
        line = entry["line"].encode()
        chain = hashlib.sha256(b"\0hub-audit-v1" + chain + line).digest()
        leaf = hashlib.sha256(b"\0" + line).digest()
        leaves.append(leaf)
        assert entry["seq"] == place == json.loads(line)["seq"] and base64.b64decode(entry["hash"]) == chain
        words = "\n".join(["cardea-audit-entry-v1", head["origin"], str(place), base64.b64encode(leaf).decode(), entry["told"], ""])
        Ed25519PublicKey.from_public_bytes(key).verify(base64.b64decode(entry["signature"]), words.encode())
    notes = [line["note"] for line in lines if line["kind"] == "checkpoint"]
    assert all(signed_by(key, note) for note in notes)
    assert notes[-1].split("\n")[1:3] == [str(len(entries)), base64.b64encode(tree(leaves)).decode()]
    told = [json.loads(entry["told"]) for entry in entries]
    assert told[-1]["action"] == "data_export" and "door.open" in [entry["action"] for entry in told]
    assert not any("door.open" in entry["line"] for entry in entries)

    # With our code.
    for binary in (hub_binary, cli_binary):
        code, words = verify(binary, file, "--key", head["verifier"])
        assert code == 0 and "The audit log is intact" in words and head["verifier"] in words
        stranger = base64.b64encode(bytes(31) + b"\1").decode()
        code, words = verify(binary, file, "--key", stranger)
        assert code == 1 and "different key" in words
        for number, (change, expected) in enumerate([
            (lambda text: text.pop(4), "Entry 4 of the audit log is missing."),
            (lambda text: text.insert(2, text.pop(5)), "Entry 2 of the audit log is missing."),
            (lambda text: text.__setitem__(3, text[3].replace("sealed", "SEALED", 1)), "Entry 3 of the audit log was changed"),
            (lambda text: text.__setitem__(5, text[5].replace("told\":\"{", "told\":\"{ ")), "Entry 5 of the audit log has a text that differs"),
            (lambda text: text.pop(), "something was taken out, put in, or cut off"),
            (lambda text: text.__delitem__(slice(6, None)), "Entry 6 of the audit log is missing."),
        ]):
            altered = file.read_text().splitlines()
            change(altered)
            bad = tmp_path / f"bad-{binary.name}-{number}.jsonl"
            bad.write_text("\n".join(altered) + "\n")
            code, words = verify(binary, bad)
            assert code == 1 and expected in words, (binary.name, number, words)
    assert verify(cli_binary, tmp_path / "nothing.jsonl")[0] == USAGE
    assert hub.stop() == 0
    assert verify(hub_binary, "--data", data)[0] == 0
    kept, other = tmp_path / "kept.note", tmp_path / "other.note"
    kept.write_text(notes[-1])
    other.write_text(notes[-1].replace("\n", "\n1", 1))
    assert verify(hub_binary, "--data", data, "--witness", kept)[0] == 0
    code, words = verify(hub_binary, "--data", data, "--witness", other)
    assert code == 1 and "was not signed by the key of this house" in words
    with contextlib.closing(sqlite3.connect(data / "house.sqlite")) as database:
        database.executescript("DROP TRIGGER audit_is_kept; DELETE FROM audit WHERE seq = 3")
    assert verify(hub_binary, "--data", data) == (1, "Entry 3 of the audit log is missing.\n")


def test_a_filtered_export_and_a_csv_export(lived, tmp_path, hub_binary):
    _, _, owner, resident = lived
    file, table = tmp_path / "door.jsonl", tmp_path / "audit.csv"
    resident.run("audit", "export", str(file), "--device", "front-door", "--action", "door.open")
    told = [json.loads(json.loads(line)["told"]) for line in file.read_text().splitlines() if json.loads(line)["kind"] == "entry"]
    assert told and {entry["device_id"] for entry in told} == {"front-door"} and {entry["action"] for entry in told} == {"door.open"}
    assert "entries are in the signed audit log" in verify(hub_binary, file)[1]
    assert owner.post("/api/v1/rooms", {"name": "Den"}).status_code == 201
    resident.run("audit", "export", str(table), "--format", "csv")
    rows = list(csv.DictReader(table.open(newline="", encoding="utf-8-sig")))
    assert [int(row["seq"]) for row in rows] == list(range(1, len(rows) + 1)) and rows[-1]["action"] == "data_export"
    assert not any(cell[:1] in ("=", "+", "-", "@", "\t", "\r") for row in rows for cell in row.values())
    # Both exports are in the audit log, and are found by their action.
    exports = resident.json("audit", "--action", "data_export")
    assert [entry["reason"] for entry in exports["entries"]] == ["audit", "audit"] and exports["signed_size"] >= 1
    proof = resident.json("audit", "proof", str(exports["entries"][-1]["id"]))
    assert signed_by(base64.b64decode(proof["checkpoint"]["key"]), proof["checkpoint"]["note"])
    assert resident.error("audit", "proof", "999999")["code"] == "not_found"


def test_a_restored_house_is_reported_until_it_is_accepted(lived, tmp_path, start_hub):
    data, hub, owner, resident = lived
    copy = tmp_path / "backup"
    assert hub.stop() == 0
    shutil.copytree(data, copy)
    again = ["--virtual-house", "--listen", hub.url.removeprefix("http://")]
    hub = start_hub(data, *again)
    resident.run("audit", "export", str(tmp_path / "seen.jsonl"))
    seen = resident.json("audit", "check")
    assert seen["size"] > 5 and "alarm" not in seen
    assert "apart from new entries" in resident.run("audit", "check").stdout
    assert hub.stop() == 0
    shutil.rmtree(data)
    shutil.copytree(copy, data)
    start_hub(data, *again)
    resident.run("audit", "export", str(tmp_path / "again.jsonl"))
    problem = resident.error("audit", "check", expect=REFUSED)
    assert problem["code"] in ("audit_truncated", "audit_forked")
    assert "WARNING" in resident.run("status").stderr
    resident.run("audit", "check", "--accept")
    assert "WARNING" not in resident.run("status").stderr
