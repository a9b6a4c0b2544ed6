"""A person's data: exported by them and read by other tools; and an erased person, searched for on the disk."""
import base64
import hashlib
import io
import json
import re
import sqlite3
import subprocess
import zipfile

import house
import requests
from conftest import PASSWORD, Owner, hubs
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from test_command_line import NOT_SIGNED_IN, cli_binary, terminal  # noqa: F401


def joined(owner, name):
    link = owner.post("/api/v1/people", {"name": name, "role": "admin"}).json()["invite_link"]
    body = {"invite_token": link.split("#")[1], "username": name.lower(), "password": PASSWORD}
    return Owner(owner.hub, requests.post(owner.hub.url + "/api/v1/people/accept", json=body, timeout=60).json())


def lived(person):
    """Leaves one object of each kind, with texts that occur nowhere else."""
    assert person.call("PUT", "/api/v1/devices/front-door/control", {"action": "unlock"}).ok
    assert person.post("/api/v1/memory", {"type": "semantic", "content": "Quillfeather keeps bees"}).status_code == 201
    assert person.post("/api/v1/guests", {**house.draft(), "name": "Quillfeatherguest"}).status_code == 201
    assert person.post("/api/v1/auth/api-tokens", {"name": "Quillfeatherscript"}).status_code == 201
    assert person.post("/api/v1/consciousness/query", {"query": "did Quillfeather come home?"}).ok
    assert person.call("PUT", "/api/v1/people/me/presence", {"is_home": True}).ok
    return person.get("/api/v1/people/me").json()["person_id"]


def done(asker, job):
    house.until(lambda: asker.get(f"/api/v1/jobs/{job['job_id']}").json()["state"] in ("done", "failed"), "the job ends")
    return asker.get(f"/api/v1/jobs/{job['job_id']}").json()


def test_an_export_opens_anywhere_and_is_verifiable(hub_binary, tmp_path):
    with hubs(hub_binary) as start:
        hub = start(tmp_path / "house", "--virtual-house")
        owner = Owner(hub, house.claim(hub, PASSWORD))
        person = joined(owner, "Quillfeather")
        who = lived(person)
        told = {part["purpose"] for part in person.get("/api/v1/privacy").json()["holdings"]}
        assert {"account", "sign_in", "commands", "passes", "mind"} <= told

        asked = person.post(f"/api/v1/people/{who}/export")
        assert asked.status_code == 202
        job = done(person, asked.json())
        assert job["state"] == "done" and job["progress"] == 1, job
        answer = person.get(job["link"])
        assert answer.headers["Content-Type"] == "application/zip" and len(answer.content) == job["bytes"]
        assert owner.get(job["link"]).status_code == 403, "it is for who asked"

        archive = zipfile.ZipFile(io.BytesIO(answer.content))
        assert archive.testzip() is None
        manifest = archive.read("manifest.json")
        key = json.loads(manifest)["public_key"]
        Ed25519PublicKey.from_public_bytes(base64.b64decode(key)).verify(base64.b64decode(archive.read("manifest.sig")), manifest)
        files = json.loads(manifest)["files"]
        assert set(files) == set(archive.namelist()) - {"manifest.json", "manifest.sig"}
        for name, digest in files.items():
            assert digest == "sha256:" + hashlib.sha256(archive.read(name)).hexdigest(), name
        with sqlite3.connect(f"file:{tmp_path}/house/house.sqlite?mode=ro", uri=True) as rows:
            assert rows.execute("SELECT public FROM audit_signer").fetchone()[0] == base64.b64decode(key)
        summary = json.loads(archive.read("export.json"))
        assert summary["user"]["name"] == "Quillfeather" and {"exportDate", "preferences", "energyHistory"} <= set(summary)
        assert [row["name"] for row in json.loads(archive.read("holdings/guests.json"))] == ["Quillfeatherguest"]
        assert "bees" in archive.read("holdings/memories.json").decode()
        assert any(line["action"] == "unlock" for line in json.loads(archive.read("audit.json")))
        assert b"sealed" not in archive.read("holdings/refresh_tokens.json")


def test_the_terminal_lists_exports_and_erases_data(hub_binary, tmp_path, terminal):  # noqa: F811
    with hubs(hub_binary) as start:
        hub = start(tmp_path / "house", "--virtual-house")
        owner = Owner(hub, house.claim(hub, PASSWORD))
        who = lived(joined(owner, "Quillfeather"))
        resident = terminal("resident")
        resident.run("login", "--hub", hub.url, "--username", "owner", typed=PASSWORD + "\n")
        assert "How you sign in" in resident.run("privacy").stdout
        resident.run("privacy", "keep", "events=30", "activity=60")
        told = resident.run("privacy", "retention").stdout
        rows = {line.split()[0]: line.split()[1] for line in told.splitlines()[1:]}
        assert re.search(r"^maintenance +forever +forever +", told, re.M) and "36500" not in told
        assert rows["events"] == "30" and rows["activity"] == "60" and rows["energy"] == "730"
        assert "must be from 1 to 730 for energy" in resident.error("privacy", "keep", "energy=731")["message"]
        resident.run("privacy", "export", str(tmp_path / "ben.zip"), "--person", "Quillfeather")
        assert "index.html" in zipfile.ZipFile(tmp_path / "ben.zip").namelist()
        told = resident.run("privacy", "erase", "Quillfeather", "--yes").stdout
        assert "Quillfeather is erased" in told and "destroyed" in told
        jobs = resident.json("privacy", "jobs")["jobs"]
        assert [job["kind"] for job in jobs] == ["erasure", "export"]
        assert "has already ended" in resident.error("privacy", "stop", jobs[1]["job_id"])["message"]
        assert who not in [one["person_id"] for one in owner.get("/api/v1/people").json()["people"]]
        resident.run("guests", "invite", "Thistlewood", "--door", "front-door", "--for", "4h")
        assert "all data of Thistlewood" in resident.run("guests", "export", "Thistlewood", str(tmp_path / "guest.zip")).stdout
        with zipfile.ZipFile(tmp_path / "guest.zip") as archive:
            assert json.loads(archive.read("export.json"))["guest"]["name"] == "Thistlewood"
            assert [one["name"] for one in json.loads(archive.read("holdings/guests.json"))] == ["Thistlewood"]
        told = resident.run("guests", "erase", "Thistlewood", "--yes").stdout
        assert "Thistlewood is erased" in told and "passes: " in told
        assert "Thistlewood" not in resident.run("guests").stdout


def test_terminals_delete_an_erased_persons_data_and_confirm_it(hub_binary, tmp_path, terminal):  # noqa: F811
    with hubs(hub_binary) as start:
        hub = start(tmp_path / "house", "--virtual-house")
        owner = Owner(hub, house.claim(hub, PASSWORD))
        who = lived(joined(owner, "Quillfeather"))
        resident, theirs = terminal("resident"), terminal("theirs")
        for one, name in ((resident, "owner"), (theirs, "quillfeather")):
            one.run("login", "--hub", hub.url, "--username", name, typed=PASSWORD + "\n")
            one.run("sync")
            assert "Quillfeatherguest" in one.run("guests").stdout
        job = owner.post(f"/api/v1/people/{who}/erase").json()
        told = done(owner, job)["receipt"]
        assert told["replicas"] == {"told": 1, "confirmed": 0, "owing": 1, "own": 1}
        assert any("cannot confirm" in line for line in told["kept"])

        resident.run("sync")
        assert done(owner, job)["receipt"]["replicas"] == {"told": 1, "confirmed": 1, "owing": 0, "own": 1}
        assert "Quillfeather" not in resident.run("guests").stdout + resident.run("activity").stdout
        # The first terminal that learns of it shows the reason; from then on it is signed out.
        assert theirs.error("devices", expect=NOT_SIGNED_IN)["code"] == "person_erased"
        assert theirs.error("devices", expect=NOT_SIGNED_IN)["code"] == "unauthorized"
        for file in (tmp_path / "theirs" / "houses").glob("*.sqlite"):
            with sqlite3.connect(file) as rows:
                for table in ("documents", "answers", "pictures", "outbox", "conflicts", "trail"):
                    assert rows.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0, table


def test_an_erased_person_is_in_no_file_and_the_audit_log_verifies(hub_binary, tmp_path):
    folder = tmp_path / "house"
    with hubs(hub_binary) as start:
        hub = start(folder, "--virtual-house")
        owner = Owner(hub, house.claim(hub, PASSWORD))
        person = joined(owner, "Quillfeather")
        who = lived(person)
        assert done(person, person.post(f"/api/v1/people/{who}/export").json())["state"] == "done"

        asked = owner.post(f"/api/v1/people/{who}/erase")
        assert asked.status_code == 202, asked.text
        job = done(owner, asked.json())
        assert job["state"] == "done" and job["receipt"]["rows"]["sign_in"] >= 2, job
        assert person.get("/api/v1/people/me").status_code == 401
        assert who not in [one["person_id"] for one in owner.get("/api/v1/people").json()["people"]]
        assert any(entry["who"]["kind"] == "erased" for entry in owner.get("/api/v1/activity?limit=200").json()["entries"])
        assert owner.post(f"/api/v1/people/{owner.get('/api/v1/people/me').json()['person_id']}/erase").json()["error"]["code"] == "last_owner"
        hub.stop()
        found = [(str(file), word) for file in folder.rglob("*") if file.is_file() for word in (b"uillfeather", b"keeps bees")
                 if word in file.read_bytes()]
        assert found == []
        run = subprocess.run([hub_binary, "audit", "verify", "--data", str(folder)], capture_output=True, text=True, timeout=60)
        assert run.returncode == 0, run.stdout + run.stderr
