"""Secrets are planted in a hub with verbose logs, and every place they could leak to is searched."""

import base64
import io
import json
import re
import secrets
import socket
import subprocess
import zipfile

import house
import pytest
import requests
from conftest import Owner
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from test_buttons import Authority
from test_phones import paired

TAG_KEY = secrets.token_hex(16)
BROKER = "Broker" + secrets.token_hex(8)
PASSWORD = "Canary " + secrets.token_hex(8)
WRONG = "Nightingale " + secrets.token_hex(8)


def word():
    return "Canary" + secrets.token_hex(8)


def made_by(binary, *words):
    done = subprocess.run([str(binary), *map(str, words), "--json"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def made(answer):
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def more_secrets(hub, owner, resident, broker, folder):
    """Every other kind of secret that a person gives to a house or gets from it, by its kind."""
    kept = {f"recovery code {number}": code for number, code in enumerate(made(owner.post("/api/v1/auth/recovery-codes"))["codes"])}
    for name in ("rtsp password", "rtsp path", "jpeg key", "jpeg password", "camera token", "home assistant token", "push path"):
        kept[name] = word()
    for source in (
            {"kind": "rtsp", "url": f"rtsp://viewer:{kept['rtsp password']}@192.0.2.1/{kept['rtsp path']}"},
            {"kind": "http", "url": f"http://192.0.2.2/jpg?key={kept['jpeg key']}", "username": "viewer", "password": kept["jpeg password"]},
            {"kind": "home_assistant", "url": "http://192.0.2.3:8123", "camera": "camera.yard", "token": kept["camera token"]}):
        made(owner.post("/api/v1/cameras", {"name": f"Camera {source['kind']}", "source": source}))
    made(owner.put("/api/v1/integrations/home-assistant", {"url": "http://127.0.0.1:1", "token": kept["home assistant token"]}))

    authority = Authority(folder)
    pems = {name: {"cert_pem": authority.text(f"{name}.crt"), "key_pem": authority.text(f"{name}.key"), "ca_pem": authority.text("ca.crt")}
            for name in ("hub", "garage")}
    made(owner.put("/api/v1/integrations/endpoint", {"host": "127.0.0.1", "port": house.free_port(), **pems["hub"]}))
    made(owner.put("/api/v1/integrations/mqtt", {**broker, "tls": True, **pems["garage"]}))
    for name, pem in pems.items():
        # The first line is the same for all such keys.
        kept[f"{name}'s private key"] = pem["key_pem"].splitlines()[2]

    kept["timestamp key"] = secrets.token_hex(16)
    publish = {"via": "mqtt", "topic": "garage/door", "message": "%T", "timestamp_key": kept["timestamp key"], "risk": "control"}
    stamped = made(owner.post("/api/v1/buttons", {"title": "Garage", "publish": publish}))
    signed = made(owner.post("/api/v1/buttons", {"title": "Bell", "publish": {"via": "mqtt", "topic": "bell", "message": "ring", "signed": True}}))
    kept["signing key"] = made(owner.post(f"/api/v1/buttons/{signed['button_id']}/signing-key"))["key"]
    kept["second tag's key"], kept["its file key"] = secrets.token_hex(16), secrets.token_hex(16)
    tag = {"kind": "sun", "button_id": stamped["button_id"], "uid": "04A1B2C3D4E5F9"}
    made(owner.post("/api/v1/tags", {**tag, "meta_key": kept["second tag's key"], "file_key": kept["its file key"]}))
    kept["live link"] = made(owner.post("/api/v1/tags", {"kind": "live", "button_id": stamped["button_id"]}))["url"].rsplit("/", 1)[1]

    authentication = secrets.token_bytes(16)
    public = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    kept["push authentication"] = base64.urlsafe_b64encode(authentication).rstrip(b"=").decode()
    kept["push key"] = base64.urlsafe_b64encode(public).rstrip(b"=").decode()
    made(owner.post("/api/v1/push/web", {"subscription": {
        "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/" + kept["push path"],
        "keys": {"p256dh": kept["push key"], "auth": kept["push authentication"]}}}))

    invited = made(owner.post("/api/v1/people", {"name": "Ben", "role": "member"}))
    kept["open invitation"] = invited["invite_link"].split("#")[1]
    kept["resident's access token"], kept["resident's refresh token"] = resident["access_token"], resident["refresh_token"]
    kept["other password"] = "Canary " + secrets.token_hex(8)
    answer = Owner(hub, resident).put("/api/v1/people/me/password", {"current_password": PASSWORD, "new_password": kept["other password"]})
    assert answer.status_code == 204, answer.text
    phone = paired(owner)
    kept["phone's access token"], kept["phone's refresh token"] = phone.access, phone.refresh
    kept["ticket"] = made(owner.post("/api/v1/realtime/ticket"))["ticket"]
    other = house.invite(owner, name="Painter")
    kept["second code"], kept["second link"] = other["pairing_code"], house.link_code(other)
    kept["second guest's token"] = made(house.pair(hub, kept["second link"]))["guest_token"]
    kept["second program's token"] = made(owner.post("/api/v1/auth/api-tokens", {"name": "Heating"}))["token"]
    return kept


def test_no_secret_and_no_name_leaks(start_hub, hub_binary, tmp_path):
    data = tmp_path / "house"
    hub = start_hub(data, "--virtual-house", "--log-level", "trace")
    tokens = house.claim(hub, PASSWORD)
    owner = Owner(hub, tokens)
    errors = []

    def refused(answer):
        assert answer.status_code >= 400
        errors.append(answer.content)

    # Planted: data that only its own people know, and that the house must read back.
    passphrase, stray = "Canary " + secrets.token_hex(8), "cardea_at_" + secrets.token_urlsafe(32)
    note, visitor = "Note" + secrets.token_hex(8), "Visitor" + secrets.token_hex(8)
    pass_made = house.invite(owner, name=visitor)
    guest = house.pair(hub, pass_made["pairing_code"]).json()
    assert owner.post("/api/v1/memory", {"type": "semantic", "content": f"{note} lies under the mat"}).status_code == 201
    resident, username, phone = ("Resident" + secrets.token_hex(8), "user" + secrets.token_hex(8), "Phone" + secrets.token_hex(8))
    invited = owner.post("/api/v1/people", {"name": resident, "role": "member"}).json()
    accepted = {"invite_token": invited["invite_link"].split("#")[1], "username": username, "password": PASSWORD}
    joined = made(requests.post(hub.url + "/api/v1/people/accept", json=accepted, headers={"User-Agent": phone}, timeout=60))
    seen, asked, filter = ("Seen" + secrets.token_hex(8), "Asked" + secrets.token_hex(8), "Filter" + secrets.token_hex(8))
    event = {"source": "porch", "type": "person", "occurred_at": house.in_seconds(0), "description": f"{seen} waits at the gate"}
    assert owner.post("/api/v1/events", event).status_code == 201
    assert owner.post("/api/v1/consciousness/query", {"query": f"What is {asked}?"}).ok
    task = owner.post("/api/v1/maintenance", {"title": filter, "notes": f"{filter} in the cellar"}).json()
    assert owner.post(f"/api/v1/maintenance/{task['task_id']}/complete", {"notes": filter, "service_provider": filter}).ok
    rule, shown, muted = ("Rule" + secrets.token_hex(8), "Shown" + secrets.token_hex(8), "Muted" + secrets.token_hex(8))
    made(owner.post("/api/v1/automations", {
        "name": rule, "triggers": [{"type": "seen", "event_type": rule}], "conditions": [{"type": "state", "entity_id": "lock.front_door", "is": rule}],
        "actions": [{"type": "notify", "words": f"{rule} waits"}]}))
    made(owner.put("/api/v1/people/me/preferences", {"display_preferences_by_room": {"hall": shown}}))
    made(owner.put("/api/v1/people/me/notifications", {"muted": [muted]}))
    # Encrypted data is still found by its words.
    assert [one["content"] for one in owner.get(f"/api/v1/memory?q={note}").json()["memories"]] == [f"{note} lies under the mat"]
    assert [one["description"] for one in owner.get(f"/api/v1/mobile/events?q={seen}+wait").json()["events"]] == [event["description"]]
    button = owner.post("/api/v1/buttons", {"title": "Light", "action": {"device_id": "hall-light", "action": "on"}}).json()
    tag = {"kind": "sun", "button_id": button["button_id"], "uid": "04A1B2C3D4E5F8", "meta_key": TAG_KEY, "file_key": TAG_KEY[::-1]}
    assert owner.post("/api/v1/tags", tag).status_code == 201
    broker = {"host": "127.0.0.1", "port": house.free_port(), "username": "hub", "password": BROKER}
    assert owner.put("/api/v1/integrations/mqtt", broker).ok
    renewed = requests.post(hub.url + "/api/v1/auth/refresh", json={"refresh_token": owner.refresh_token}, timeout=60).json()
    token = owner.post("/api/v1/auth/api-tokens", {"name": "Script"}).json()["token"]

    (tmp_path / "keys").mkdir()
    others = more_secrets(hub, owner, joined, broker, tmp_path / "keys")
    wrong_code = others["recovery code 0"][::-1]
    paper = made_by(hub_binary, "recovery-key", "--data", data)["recovery_key"]
    (tmp_path / "keys" / "words").write_text(passphrase + "\n")
    made_by(hub_binary, "backup", "--data", data, "--out", tmp_path / "keys" / "backup", "--passphrase-file", tmp_path / "keys" / "words")

    # And typed where it does not belong.
    refused(requests.post(hub.url + "/api/v1/auth/login", json={"username": "owner", "password": WRONG}, timeout=60))
    refused(requests.post(hub.url + "/api/v1/auth/login", json={"username": WRONG, "password": [PASSWORD]}, timeout=60))
    # A password in the wrong field counts as a wrong guess, and is not stored.
    refused(requests.post(hub.url + "/api/v1/auth/login", json={"username": WRONG, "password": "not this one at all"}, timeout=60))
    refused(house.pair(hub, pass_made["pairing_code"]))
    refused(owner.post("/api/v1/guests", {"name": visitor, "items": note}))
    refused(owner.post("/api/v1/memory", {"type": "semantic", "content": [note]}))
    refused(owner.put("/api/v1/integrations/mqtt", {**broker, "port": BROKER}))
    refused(owner.get("/api/v1/house", Authorization=f"Bearer {token}x"))
    refused(owner.get("/api/v1/house", Authorization=f"Bearer {stray}"))
    refused(requests.post(hub.url + "/api/v1/auth/recovery", json={"code": wrong_code}, timeout=60))
    refused(requests.get(hub.url + f"/api/v1/nowhere?token={owner.token}", timeout=60))
    for hostile in [f"GET /{owner.token}\x00 HTTP/1.1\r\n\r\n", f"X{PASSWORD} / HTTP/1.1\r\nHost: x\r\n\r\n"]:
        with socket.create_connection(("127.0.0.1", int(hub.url.rsplit(":", 1)[1])), timeout=60) as line:
            line.sendall(hostile.encode())
            errors.append(line.recv(65_536))

    person = owner.get("/api/v1/people/me").json()["person_id"]
    job = owner.post(f"/api/v1/people/{person}/export").json()
    done = house.until(
        lambda: (lambda now: now if now["state"] in ("done", "failed") else None)(owner.get(f"/api/v1/jobs/{job['job_id']}").json()), "the job ends")
    archive = zipfile.ZipFile(io.BytesIO(owner.get(done["link"]).content))
    taken_away = b"".join(archive.read(name) for name in archive.namelist())
    trail = owner.post("/api/v1/audit/export", {"format": "json"}).content

    kept_secret = {
        "password": PASSWORD, "a wrong password": WRONG, "tag key": TAG_KEY, "the tag's other key": TAG_KEY[::-1], "broker's password": BROKER,
        "pass code": pass_made["pairing_code"], "link": house.link_code(pass_made), "guest's token": guest["guest_token"], "access token": owner.token,
        "refresh token": owner.refresh_token, "renewed": renewed["refresh_token"], "program's token": token,
        "claim token": hub.claim_token, "invitation": accepted["invite_token"], "a stranger's token": stray,
        "recovery key": paper, "passphrase": passphrase, "a wrong recovery code": wrong_code, **others}
    assert len(set(kept_secret.values())) >= 50
    personal = {"note": note, "visitor": visitor, "resident": resident, "user name": username, "phone": phone, "seen": seen, "asked": asked, "filter": filter,
                "rule": rule, "shown": shown, "muted": muted}

    def leaks(text, *planted):
        """The names of the secrets found in it, in any letter case."""
        found = text.lower()
        return [name for words in planted for name, word in words.items() if word.encode().lower() in found]

    # On the disk while it runs, with the write-ahead log. The files alone show no name and no text.
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
    assert leaks((tmp_path / "keys" / "backup").read_bytes(), kept_secret, personal) == []
    hub.stop()
    log = "".join(hub.log)
    assert "trace" in log or "debug" in log, "it was talkative"
    assert leaks(log.encode(), kept_secret, personal) == []
    assert key.hex() not in log


@pytest.mark.long
def test_a_command_writes_no_core_dump_and_only_root_reads_its_memory(start_hub, hub_binary, tmp_path):
    """It requests that from the system, as strace shows."""
    data, traced = tmp_path / "house", tmp_path / "trace"
    start_hub(data).stop()
    subprocess.run(
        ["strace", "-f", "-qq", "-o", str(traced), "-e", "trace=prctl,prlimit64", str(hub_binary), "key", "show", "--data", str(data), "--json"],
        check=True, capture_output=True, timeout=60)
    calls = traced.read_text()
    assert re.search(r"prctl\(PR_SET_DUMPABLE, (SUID_DUMP_DISABLE|0)[^)]*\) = 0", calls), calls
    assert re.search(r"prlimit64\(0, RLIMIT_CORE, \{rlim_cur=0, rlim_max=0\}, NULL\) = 0", calls), calls


def test_a_crashing_hub_writes_no_core_dump(start_hub, tmp_path):
    hub = start_hub(tmp_path / "house")
    limits = open(f"/proc/{hub.process.pid}/limits").read()
    assert re.search(r"Max core file size\s+0\s+0", limits), limits
