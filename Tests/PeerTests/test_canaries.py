"""What must not be seen is planted in a talkative hub, and looked for wherever it could leak to."""

import io
import re
import secrets
import socket
import subprocess
import zipfile

import house
import requests
from conftest import Owner

TAG_KEY = secrets.token_hex(16)
BROKER = "Broker" + secrets.token_hex(8)
PASSWORD = "Canary " + secrets.token_hex(8)
WRONG = "Nightingale " + secrets.token_hex(8)


def test_no_secret_and_no_name_leaks(start_hub, hub_binary, tmp_path):
    data = tmp_path / "house"
    hub = start_hub(data, "--virtual-house", "--log-level", "trace")
    tokens = house.claim(hub, PASSWORD)
    owner = Owner(hub, tokens)
    errors = []

    def refused(answer):
        assert answer.status_code >= 400
        errors.append(answer.content)

    # Planted: what only its own people know, and what the house must read back.
    note, visitor = "Note" + secrets.token_hex(8), "Visitor" + secrets.token_hex(8)
    made = house.invite(owner, name=visitor)
    guest = house.pair(hub, made["pairing_code"]).json()
    assert owner.post("/api/v1/memory", {"type": "semantic", "content": f"{note} lies under the mat"}).status_code == 201
    resident, username, phone = ("Resident" + secrets.token_hex(8), "user" + secrets.token_hex(8), "Phone" + secrets.token_hex(8))
    invited = owner.post("/api/v1/people", {"name": resident, "role": "member"}).json()
    accepted = {"invite_token": invited["invite_link"].split("#")[1], "username": username, "password": PASSWORD}
    assert requests.post(hub.url + "/api/v1/people/accept", json=accepted, headers={"User-Agent": phone}, timeout=30).status_code == 201
    seen, asked, filter = ("Seen" + secrets.token_hex(8), "Asked" + secrets.token_hex(8), "Filter" + secrets.token_hex(8))
    event = {"source": "porch", "type": "person", "occurred_at": house.in_seconds(0), "description": f"{seen} waits at the gate"}
    assert owner.post("/api/v1/events", event).status_code == 201
    assert owner.post("/api/v1/consciousness/query", {"query": f"What is {asked}?"}).ok
    task = owner.post("/api/v1/maintenance", {"title": filter, "notes": f"{filter} in the cellar"}).json()
    assert owner.post(f"/api/v1/maintenance/{task['task_id']}/complete", {"notes": filter, "service_provider": filter}).ok
    # What is sealed is found by its words all the same.
    assert [one["content"] for one in owner.get(f"/api/v1/memory?q={note}").json()["memories"]] == [f"{note} lies under the mat"]
    assert [one["description"] for one in owner.get(f"/api/v1/mobile/events?q={seen}+wait").json()["events"]] == [event["description"]]
    button = owner.post("/api/v1/buttons", {"title": "Light", "action": {"device_id": "hall-light", "action": "on"}}).json()
    tag = {"kind": "sun", "button_id": button["button_id"], "uid": "04A1B2C3D4E5F8", "meta_key": TAG_KEY, "file_key": TAG_KEY[::-1]}
    assert owner.post("/api/v1/tags", tag).status_code == 201
    broker = {"host": "127.0.0.1", "port": house.free_port(), "username": "hub", "password": BROKER}
    assert owner.put("/api/v1/integrations/mqtt", broker).ok
    renewed = requests.post(hub.url + "/api/v1/auth/refresh", json={"refresh_token": owner.refresh_token}, timeout=30).json()
    token = owner.post("/api/v1/auth/api-tokens", {"name": "Script"}).json()["token"]

    # And said where it does not belong.
    refused(requests.post(hub.url + "/api/v1/auth/login", json={"username": "owner", "password": WRONG}, timeout=30))
    refused(requests.post(hub.url + "/api/v1/auth/login", json={"username": WRONG, "password": [PASSWORD]}, timeout=30))
    refused(house.pair(hub, made["pairing_code"]))
    refused(owner.post("/api/v1/guests", {"name": visitor, "items": note}))
    refused(owner.post("/api/v1/memory", {"type": "semantic", "content": [note]}))
    refused(owner.put("/api/v1/integrations/mqtt", {**broker, "port": BROKER}))
    refused(owner.get("/api/v1/house", Authorization=f"Bearer {token}x"))
    refused(requests.get(hub.url + f"/api/v1/nowhere?token={owner.token}", timeout=30))
    for hostile in [f"GET /{owner.token}\x00 HTTP/1.1\r\n\r\n", f"X{PASSWORD} / HTTP/1.1\r\nHost: x\r\n\r\n"]:
        with socket.create_connection(("127.0.0.1", int(hub.url.rsplit(":", 1)[1])), timeout=10) as line:
            line.sendall(hostile.encode())
            errors.append(line.recv(65_536))

    person = owner.get("/api/v1/people/me").json()["person_id"]
    job = owner.post(f"/api/v1/people/{person}/export").json()
    done = house.until(
        lambda: (lambda now: now if now["state"] in ("done", "failed") else None)(owner.get(f"/api/v1/jobs/{job['job_id']}").json()), 30,
        "the job ends")
    archive = zipfile.ZipFile(io.BytesIO(owner.get(done["link"]).content))
    taken_away = b"".join(archive.read(name) for name in archive.namelist())
    trail = owner.post("/api/v1/audit/export", {"format": "json"}).content

    kept_secret = {
        "password": PASSWORD, "a wrong password": WRONG, "tag key": TAG_KEY, "the tag's other key": TAG_KEY[::-1], "broker's password": BROKER,
        "pass code": made["pairing_code"], "link": house.link_code(made), "guest's token": guest["guest_token"], "access token": owner.token,
        "refresh token": owner.refresh_token, "renewed": renewed["refresh_token"], "program's token": token,
        "claim token": hub.claim_url.split("#")[1]}
    personal = {"note": note, "visitor": visitor, "resident": resident, "user name": username, "phone": phone, "seen": seen, "asked": asked, "filter": filter}

    def leaks(text, *planted):
        """The names of what is found in it, in whichever case."""
        found = text.lower()
        return [name for words in planted for name, word in words.items() if word.encode().lower() in found]

    # On the disk while it runs, with the write-ahead log beside it. Who has the file alone knows nobody's name, and nothing that was said.
    for path in [path for path in data.rglob("*") if path.is_file()]:
        content = path.read_bytes()
        assert leaks(content, kept_secret, personal) == [], path.name
        assert bytes.fromhex(TAG_KEY) not in content and bytes.fromhex(TAG_KEY[::-1]) not in content, path.name
    key = (data / "hub.key").read_bytes()
    assert key not in (data / "house.sqlite").read_bytes() + (data / "house.sqlite-wal").read_bytes()
    for body in errors:
        assert leaks(body, kept_secret, personal) == [], body
    assert leaks(taken_away, kept_secret) == [] and note.encode() in taken_away, "what is theirs they may take away"
    assert leaks(trail, kept_secret) == []
    hub.stop()
    log = "".join(hub.log)
    assert "trace" in log or "debug" in log, "it was talkative"
    assert leaks(log.encode(), kept_secret, personal) == []
    assert key.hex() not in log

    # Nothing is left of a crash, and nobody but root looks into its memory.
    traced = tmp_path / "trace"
    subprocess.run(
        ["strace", "-f", "-qq", "-o", str(traced), "-e", "trace=prctl,prlimit64", str(hub_binary), "key", "show", "--data", str(data), "--json"],
        check=True, capture_output=True, timeout=60)
    calls = traced.read_text()
    assert re.search(r"prctl\(PR_SET_DUMPABLE, (SUID_DUMP_DISABLE|0)[^)]*\) = 0", calls), calls
    assert re.search(r"prlimit64\(0, RLIMIT_CORE, \{rlim_cur=0, rlim_max=0\}, NULL\) = 0", calls), calls


def test_a_hub_that_crashes_leaves_no_memory_behind(start_hub, tmp_path):
    hub = start_hub(tmp_path / "house")
    limits = open(f"/proc/{hub.process.pid}/limits").read()
    assert re.search(r"Max core file size\s+0\s+0", limits), limits
