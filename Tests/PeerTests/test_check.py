"""`cardea-hub check` reports whether a house is intact, running or stopped, and changes nothing."""

import json
import os
import secrets
import shutil
import signal
import sqlite3
import subprocess

import house
import older_house
import pytest
from conftest import PASSWORD


@pytest.fixture
def kept(start_hub, tmp_path):
    """A claimed house with its hub stopped."""
    hub = start_hub(tmp_path / "house")
    house.claim(hub, PASSWORD)
    hub.stop()
    return tmp_path / "house"


def check(hub_binary, folder):
    run = subprocess.run([str(hub_binary), "check", "--data", str(folder), "--json"], capture_output=True, text=True, timeout=60)
    return run.returncode, json.loads(run.stdout)["problems"]


def test_a_house_with_its_own_key_passes(hub_binary, kept):
    assert check(hub_binary, kept) == (0, [])


def test_a_house_without_its_key_gets_no_new_one(hub_binary, kept):
    """It once made a new key and reported no problem, and the hub then did not start."""
    (kept / "hub.key").unlink()
    code, problems = check(hub_binary, kept)
    assert code == 1 and "missing" in problems[0]
    assert not (kept / "hub.key").exists()


def test_another_houses_key_is_detected(hub_binary, kept):
    (kept / "hub.key").write_bytes(secrets.token_bytes(32))
    (kept / "hub.key").chmod(0o600)
    code, problems = check(hub_binary, kept)
    assert code == 1 and "another house" in problems[0]


def report(hub_binary, folder, *more):
    run = subprocess.run([str(hub_binary), "check", "--data", str(folder), "--json", *more], capture_output=True, text=True, timeout=60)
    assert run.stderr == "", run.stderr
    found = json.loads(run.stdout)
    assert found["ok"] == (run.returncode == 0) == (found["problems"] == [])
    return found


def test_a_running_hub_reports_its_own_state(start_hub, hub_binary, tmp_path):
    folder = tmp_path / "house"
    hub = start_hub(folder)
    house.claim(hub, PASSWORD)
    found = report(hub_binary, folder)
    assert found["ok"] and found["served"] and "last_backup" not in found and "key" not in found
    assert report(hub_binary, folder, "--served") == {**found, "warnings": []}
    subprocess.run(
        [str(hub_binary), "backup", "--data", str(folder), "--out", str(tmp_path / "one.backup")], check=True, capture_output=True, timeout=60)
    assert report(hub_binary, folder)["last_backup"]
    words = subprocess.run([str(hub_binary), "check", "--data", str(folder)], capture_output=True, text=True, check=True, timeout=60).stdout
    assert "A hub serves the house" in words and "For a full check, stop the hub first." in words and "The last good backup was made at" in words

    # A stuck hub is told from a healthy one.
    os.kill(hub.process.pid, signal.SIGSTOP)
    try:
        assert "does not answer" in report(hub_binary, folder)["problems"][0]
    finally:
        os.kill(hub.process.pid, signal.SIGCONT)
    hub.stop()
    found = report(hub_binary, folder)
    assert found["ok"] and not found["served"] and found["key"]["place"] == "file"
    # A check for a running hub alone does not open the house: a stopped house is then no answer.
    found = report(hub_binary, folder, "--served")
    assert found["problems"] == [f"No hub serves the house in {folder}."] and "key" not in found


def test_a_damaged_house_is_described_in_plain_words(hub_binary, kept, tmp_path):
    assert "There is no house" in report(hub_binary, tmp_path / "nowhere")["problems"][0]
    pristine = tmp_path / "pristine"
    shutil.copytree(kept, pristine)

    (kept / "house.sqlite").write_bytes(secrets.token_bytes(65_536))
    found = report(hub_binary, kept)
    assert "damaged" in found["problems"][0] and "cardea-hub restore" in found["problems"][0]
    assert "DatabaseError" not in json.dumps(found) and "SELECT" not in json.dumps(found)

    shutil.rmtree(kept)
    shutil.copytree(pristine, kept)
    with sqlite3.connect(kept / "house.sqlite") as database:
        database.execute("INSERT INTO grdb_migrations VALUES ('9999')")
    database.close()
    assert "newer Cardea" in report(hub_binary, kept)["problems"][0]

    # The audit log's signing key was once reported in a crypto library's words.
    shutil.rmtree(kept)
    shutil.copytree(pristine, kept)
    with sqlite3.connect(kept / "house.sqlite") as database:
        database.execute("UPDATE audit_signer SET key = x'00'")
    database.close()
    (problem,) = report(hub_binary, kept)["problems"]
    assert "signs the audit log" in problem and "cardea-hub restore" in problem
    served = subprocess.run(
        [str(hub_binary), "serve", "--data", str(kept), "--insecure-http", "--listen", "127.0.0.1:0"], capture_output=True, text=True, timeout=60)
    assert served.returncode != 0 and problem in served.stderr, served.stderr

    shutil.rmtree(kept)
    shutil.copytree(pristine, kept)
    (kept / "hub.key").chmod(0o644)
    found = report(hub_binary, kept)
    assert [problem for problem in found["problems"] if "chmod 600" in problem] and not [one for one in found["warnings"] if "hub.key" in one]


def test_maintenance_is_reported_before_it_is_an_error(start_hub, hub_binary, kept, tmp_path):
    start_hub(kept, insecure=False).stop()
    quiet = [one for one in report(hub_binary, kept)["warnings"] if "disk" not in one]
    assert quiet == []
    kept.chmod(0o755)
    (kept / "tls.key").chmod(0o640)
    (kept / "tls.crt").write_text("no certificate")
    found = report(hub_binary, kept)
    assert found["ok"]
    told = "\n".join(found["warnings"])
    assert f"chmod 700 {kept}" in told and f"chmod 600 {kept}/tls.key" in told and "makes another one, by the same key" in told

    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=house", "-days", "20",
         "-keyout", tmp_path / "key.pem", "-out", tmp_path / "own.pem"], check=True, capture_output=True, timeout=60)
    told = "\n".join(report(hub_binary, kept, "--tls-certificate", str(tmp_path / "own.pem"))["warnings"])
    assert "ends on" in told and "Have it renewed" in told and "The hub's certificate" not in told


@pytest.mark.long
def test_a_nearly_full_disk_is_reported(hub_binary, kept, tmp_path):
    """A small disk of the house's own, mounted in a namespace."""
    small = tmp_path / "small"
    shutil.copytree(kept, tmp_path / "copy")
    small.mkdir()
    script = f'mount -t tmpfs -o size=64m none {small} && cp -a {tmp_path}/copy {small}/house && exec "$@"'
    run = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", str(hub_binary), "check", "--data", f"{small}/house"], capture_output=True, text=True,
        timeout=60)
    assert run.returncode == 0 and "Free space" in run.stdout, run.stdout + run.stderr


def test_an_older_house_is_checked_without_being_migrated(start_hub, hub_binary, tmp_path):
    """Both once migrated it before the check, and the older hub could not open it any more."""
    folder = tmp_path / "older"
    older_house.make(folder, 27, "Quillfeather", PASSWORD, hub_binary)
    database, log = folder / "house.sqlite", folder / "house.sqlite-wal"
    before = database.read_bytes()

    found = report(hub_binary, folder)
    verified = subprocess.run([str(hub_binary), "audit", "verify", "--data", str(folder)], capture_output=True, text=True, timeout=60)

    assert len(found["problems"]) == 1 and "older Cardea" in found["problems"][0] and "serve it once with this one" in found["problems"][0]
    assert verified.returncode == 1 and "older Cardea" in verified.stdout and verified.stderr == ""
    # The copy made before a newer hub serves it must keep the way back open.
    lines, key = tmp_path / "past.jsonl", tmp_path / "passphrase"
    lines.write_text('{"at": "2026-11-01T10:00:00Z", "entity_id": "sensor.hall", "state": "20"}\n')
    key.write_text("correct horse battery staple\n")
    key.chmod(0o600)
    # A copy, as it was.
    older = tmp_path / "as-it-was"
    shutil.copytree(folder, older)
    for words in (
        ("key", "show"), ("key", "rotate"), ("key", "move", "--to", "secret-service"), ("backup", "--out", str(tmp_path / "one.backup"), "--passphrase-file", str(key)),
        ("import-history", str(lines)),
    ):
        told = subprocess.run([str(hub_binary), *words, "--data", str(folder)], capture_output=True, text=True, timeout=60)
        assert told.returncode != 0 and "older Cardea" in told.stderr, (words, told.stdout, told.stderr)
    assert not (tmp_path / "one.backup").exists()
    assert database.read_bytes() == before and (not log.exists() or log.stat().st_size == 0)

    # After one start with this version, it is checked like any other.
    start_hub(folder).stop()
    assert report(hub_binary, folder)["ok"]
    subprocess.run([str(hub_binary), "audit", "verify", "--data", str(folder)], check=True, capture_output=True, timeout=60)

    # A house without its key cannot be started first: the recovery command migrates it with the recovery key.
    def written_down(name, *more):
        made = subprocess.run(
            [str(hub_binary), "recovery-key", "--data", str(folder), "--json", *more], capture_output=True, text=True, check=True, timeout=60)
        paper = tmp_path / name
        paper.write_text(json.loads(made.stdout)["recovery_key"])
        with sqlite3.connect(folder / "house.sqlite") as database:
            sealed = database.execute("SELECT number, place, mark, wrapped, made_at FROM house_keys WHERE place = 'recovery'").fetchone()
        database.close()
        return paper, sealed

    (paper, sealed), (other, _) = written_down("paper"), written_down("other", "--replace")

    def recover(sheet, *more):
        return subprocess.run(
            [str(hub_binary), "key", "recover", "--data", str(older), "--recovery-key-file", str(sheet), *more], capture_output=True, text=True,
            timeout=60)

    told = recover(paper)
    assert told.returncode != 0 and "older Cardea" in told.stderr and "--update-house" in told.stderr, told.stderr
    assert (older / "house.sqlite").read_bytes() == before

    # The migration was once written before the recovery key was found to be missing or wrong.
    told = recover(paper, "--update-house")
    assert told.returncode != 0 and "not sealed to a recovery key" in told.stderr, told.stderr
    assert (older / "house.sqlite").read_bytes() == before and "older Cardea" in json.dumps(report(hub_binary, older))
    with sqlite3.connect(older / "house.sqlite") as database:
        database.execute("INSERT INTO house_keys (number, place, mark, wrapped, made_at) VALUES (?, ?, ?, ?, ?)", sealed)
    database.close()
    sealed_house = (older / "house.sqlite").read_bytes()
    told = recover(other, "--update-house")
    assert told.returncode != 0 and "not the house's recovery key" in told.stderr, told.stderr
    assert (older / "house.sqlite").read_bytes() == sealed_house and "older Cardea" in json.dumps(report(hub_binary, older))
    told = recover(paper, "--update-house")
    assert told.returncode == 0, told.stderr
    assert "older Cardea" not in json.dumps(report(hub_binary, older))
