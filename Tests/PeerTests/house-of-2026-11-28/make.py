#!/usr/bin/env python3
"""Makes the data that `test_older_data.py` opens: a house, a terminal's folder with its replica, and a backup, all written by an older version.

Commit 0855354 wrote the data here on 2026-11-28. Do not make it again: its value is that no later version wrote it.
To make such data of another version, build its debug programs, copy this folder under another name, and run this in the copy, from `Tests/PeerTests`:

    ../../.venv/bin/python house-of-2026-11-28/make.py OLD/.build/debug/cardea-hub OLD/.build/debug/cardea

It needs mosquitto and about a minute, and writes beside itself
- `data.tar.xz`: `house` (the hub's folder, as it left it), `terminal` (CARDEA_HOME) and `drawer` (a backup),
- `secrets.json`: the secrets to use them. All of it is for tests only and opens nothing else.
"""

import json
import os
import pathlib
import sys
import tarfile
import tempfile
import time
import unicodedata

import urllib3

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import conftest  # noqa: E402
import house  # noqa: E402
from test_backup import back_up  # noqa: E402
from test_older_data import (  # noqa: E402
    ADDRESS, ASSISTANT, BROKER, HUB_ARGS, PUSH, Caller, GuestsPhone, HomeAssistant, OldTerminal, Porch, SoftwareAuthenticator, b64, broker, the_addresses)
from test_tags import FILE, META, UID, Chip  # noqa: E402

OWNER = {"username": "owner", "password": unicodedata.normalize("NFC", "Grüße vom Türhüter"), "form": "NFC"}
MEMBER = {"username": "zoe", "password": unicodedata.normalize("NFD", "Crème brûlée für Zoë"), "form": "NFD"}
PIN = "sesame-7"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


class Maker:
    def __init__(self, hub, terminal, folder):
        self.hub_binary, self.folder, self.data = hub, folder, folder / "house"
        (folder / "drawer").mkdir()
        self.terminal = OldTerminal(terminal, folder / "terminal")
        self.secrets = {"people": [OWNER, MEMBER], "pin": PIN}
        # Writes under an idempotency key, with what was answered.
        self.named = []

    def serve(self, start):
        self.hub = start(self.data, *HUB_ARGS, insecure=False)
        self.owner = Caller(self.hub.url)

    def once(self, method, path, body, expect, who="owner"):
        """A write whose answer the house stores for a day."""
        key = f"key-{len(self.named)}"
        caller = {"owner": self.owner, "guest": getattr(self, "unbound", None)}[who]
        answer = caller.ask(method, path, body, expect, Idempotency_Key=key)
        self.named.append({"who": who, "method": method, "path": path, "body": body, "key": key, "status": expect, "answer": answer})
        return answer

    def claim(self):
        tokens = self.owner.post("/api/v1/claim", {
            "claim_token": self.hub.claim_token, "username": OWNER["username"], "password": OWNER["password"], "house_name": "Linden Street 14",
            "time_zone": "Europe/Berlin", "name": "Owner",
        }, 201)
        self.owner.token = tokens["access_token"]
        self.secrets |= {"url": self.hub.url, "pin_of_the_house": self.hub.ready["pin"], "house_id": self.owner.get("/api/v1/house")["house_id"]}

    def people(self):
        invited = self.once("POST", "/api/v1/people", {"name": "Zoë", "role": "member"}, 201)
        Caller(self.hub.url).post("/api/v1/people/accept", {
            "invite_token": invited["invite_link"].split("#")[1].split("&")[0], "username": MEMBER["username"], "password": MEMBER["password"],
        }, 201)
        self.secrets["recovery_codes"] = self.owner.post("/api/v1/auth/recovery-codes", expect=201)["codes"]

    def sessions(self):
        # Like a browser session from before session keys: the refresh token, then its cookie, is bound to no key.
        browser = Caller(self.hub.url)
        answer = browser.call("POST", "/api/v1/auth/login", {"username": OWNER["username"], "password": OWNER["password"]}, User_Agent=FIREFOX)
        assert answer.status_code == 200, answer.text
        tokens = answer.json()
        self.secrets["browser"] = {"cookie": tokens["refresh_token"], "access_token": tokens["access_token"]}

        phone, own_name = Caller(self.hub.url), "8c9ce4b8-5a2f-4d0e-9d4b-0a7f5f1c2e11"
        asked = phone.post("/api/v1/mobile/auth/pair", {"device_id": own_name, "device_name": "Ada's phone", "device_model": "iPhone17,1"}, 201)
        self.owner.post("/api/v1/mobile/auth/confirm", {"code": asked["pairing_code"]})
        tokens = phone.post("/api/v1/mobile/auth/verify", {"pairing_code": asked["pairing_code"], "device_id": own_name})
        self.secrets["phone"] = {"device_id": own_name, "access_token": tokens["access_token"], "refresh_token": tokens["refresh_token"]}

        passkey = SoftwareAuthenticator()
        passkey.register(self.owner, "Key ring")
        passkey.shown(self.owner, "passkeys/login/verify")
        self.secrets["passkey"] = passkey.to_keep()

        made = self.owner.post("/api/v1/auth/api-tokens", {
            "name": "Wall panel", "grants": [{"device_id": "hall-light", "actions": ["on", "off"]}, {"device_id": "front-door", "actions": ["lock"]}],
        }, 201)
        self.secrets["api_token"] = made["token"]

        service = f"http://{ADDRESS}:{PUSH}/to/owner"
        keys = {"p256dh": b64(SoftwareAuthenticator().point), "auth": b64(b"sixteen octets!!")}
        self.owner.post("/api/v1/push/web", {"subscription": {"endpoint": service, "keys": keys}}, 201)

    def integrations(self, mqtt):
        self.owner.ask("PUT", "/api/v1/integrations/mqtt", {"host": ADDRESS, "port": BROKER, **mqtt})
        token = "the-assistants-long-lived-token"
        self.owner.ask("PUT", "/api/v1/integrations/home-assistant", {"url": f"http://{ADDRESS}:{ASSISTANT}", "token": token})
        house.until(lambda: self.owner.integration("home-assistant")["status"] != "off", "it is set up")
        self.secrets |= {"mqtt": mqtt, "home_assistant": {"token": token}}

    def things(self):
        light = {"device_id": "hall-light", "action": "on"}
        scene = self.once("POST", "/api/v1/scenes", {"name": "Evening", "icon": "moon", "actions": [
            light, {"device_id": "study-light", "action": "set_brightness", "value": 40}, {"device_id": "porch-lamp", "action": "on"},
        ]}, 201)
        pressed = self.owner.post("/api/v1/buttons", {"title": "Light", "action": light, "countdown": 3}, 201)
        door = self.owner.post("/api/v1/buttons", {"title": "Door", "action": {"device_id": "front-door", "action": "unlock"}}, 201)
        stamp = "11223344556677889900aabbccddeeff"
        gate = self.owner.post("/api/v1/buttons", {"title": "Gate", "publish": {
            "topic": Porch.GATE, "message": "open %T", "state_topic": Porch.GATE + "/state", "signed": True, "timestamp_key": stamp, "risk": "control",
        }}, 201)
        signing = self.owner.post(f"/api/v1/buttons/{gate['button_id']}/signing-key", expect=201)
        tag = self.once("POST", "/api/v1/tags", {
            "kind": "sun", "button_id": door["button_id"], "uid": UID, "meta_key": META, "file_key": FILE, "label": "Front gate"}, 201)
        chip = Chip(UID, META, FILE, tag["url"])
        touched = chip.touch()
        assert self.once("POST", "/api/v1/tags/tap", {"url": touched}, 200)["accepted"]
        sticker = self.owner.post("/api/v1/tags", {"kind": "static", "button_id": pressed["button_id"]}, 201)
        self.secrets |= {
            "scene_id": scene["scene_id"],
            "buttons": {"light": pressed["button_id"], "gate": {
                "button_id": gate["button_id"], "timestamp_key": stamp, "signing_key": signing["key"], "topic": Porch.GATE}},
            "tag": {
                "tag_id": tag["tag_id"], "url": tag["url"], "uid": UID, "meta_key": META, "file_key": FILE, "counter": chip.count, "touched": touched},
            "sticker": sticker["url"],
        }
        self.owner.control("front-door", "lock")

        rule = self.owner.post("/api/v1/automations", {
            "name": "Everybody out", "triggers": [{"type": "presence", "change": "last_leaves"}],
            "conditions": [{"type": "state", "entity_id": "lock.front_door", "is": "unlocked"}],
            "actions": [{"type": "control", "device_id": "front-door", "action": "lock"}, {"type": "notify", "words": "The front door is locked."}],
        }, 201)
        self.owner.control("front-door", "unlock")
        for is_home in (True, False):
            self.owner.ask("PUT", "/api/v1/people/me/presence", {"is_home": is_home})
        path = f"/api/v1/automations/{rule['automation_id']}"
        house.until(lambda: [one for one in self.owner.get(path + "/history")["runs"] if len(one["outcomes"]) == 2], "it has run")
        memories = [
            self.once("POST", "/api/v1/memory", body, 201)["memory_id"] for body in (
                {"type": "semantic", "content": "The boiler was serviced in May.", "title": "Boiler", "tags": ["heating"]},
                {"type": "procedural", "content": "The bins go out on Tuesday.", "is_pinned": True, "related_devices": ["front-door"]})]
        camera = self.once("POST", "/api/v1/cameras", {
            "name": "Porch", "is_enabled": False, "source": {"kind": "rtsp", "url": "rtsp://192.0.2.7/stream", "username": "viewer", "password": "seen"},
            "detection": {"motion": True, "sensitivity": 60, "zones": [{"name": "Path", "points": [[0, 0.5], [1, 0.5], [0.5, 1]]}]},
        }, 201)
        event = self.once("POST", "/api/v1/events", {
            "source": "Bell", "type": "person", "description": "Somebody with a ladder", "occurred_at": house.in_seconds(0)}, 201)
        task = self.once("POST", "/api/v1/maintenance", {"title": "Change the filter", "category": "heating", "notes": "In the cellar"}, 201)
        self.secrets |= {
            "automation_id": rule["automation_id"], "memories": memories, "camera_id": camera["camera_id"], "event_id": event["id"],
            "task_id": task["task_id"],
        }
        self.once("PUT", "/api/v1/devices/study-light/control", {"action": "on"}, 200)
        self.once("POST", "/api/v1/devices/batch-control", {"devices": [light, {"device_id": "study-light", "action": "off"}]}, 200)

    def interview(self):
        begun = self.owner.post("/api/v1/interview/start", expect=201)["interview_id"]
        said = self.owner.post(f"/api/v1/interview/{begun}/message", {"message": "two Hue lamps in the hall and a Yale lock at the back"})
        self.secrets["interview"] = {"interview_id": begun, "question": said["ai_response"]}

    def guests(self):
        door = {"device_id": "front-door", "actions": ["door.open"]}
        light = {"device_id": "hall-light", "actions": ["light.on"]}
        days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        draft = lambda name, *grants, **more: {  # noqa: E731
            "name": name, "grants": list(grants), "expires_at": house.in_seconds(30 * 86_400), "max_uses": 0, **more}
        # At any time of day: the data is opened at the hour at which it was made.
        schedule = [{"days": days, "from": "00:00", "to": "12:30"}, {"days": days, "from": "12:00", "to": "00:30"}]
        invited = self.once("POST", "/api/v1/guests", draft("Plumber", door, light, max_uses=5), 201)
        self.unbound = GuestsPhone(self.hub.url)
        self.unbound.pair(invited["pairing_code"])
        self.once("POST", GuestsPhone.ACTION, {"action": "light.on"}, 200, "guest")

        key = os.urandom(32)
        bound = GuestsPhone(self.hub.url, device_id="phone-of-the-carpenter", key=b64(key))
        of_carpenter = self.owner.post("/api/v1/guests", draft("Carpenter", door, schedule=schedule), 201)
        bound.pair(of_carpenter["pairing_code"])
        assert bound.act().status_code == 200

        for name, device, guarding in (("Neighbour", "front-door", "--without-pin"), ("Uncle", "back-door", "--with-pin")):
            link = self.owner.post("/api/v1/guests", draft(name, {"device_id": device, "actions": ["door.open"]}), 201)["link"]
            self.terminal.run("pair", guarding, typed=f"{link}\n" + (f"{PIN}\n" if guarding == "--with-pin" else ""))
        gardener = self.owner.post("/api/v1/guests", draft("Gardener", door), 201)
        self.secrets |= {
            "unbound_pass": {"guest_id": invited["guest_id"], "token": self.unbound.token},
            "bound_pass": {"guest_id": of_carpenter["guest_id"], "token": bound.token, "device_id": bound.device_id, "private_key": b64(key)},
            "gardener": gardener["guest_id"],
        }
        # Made last, since it is valid for minutes only.
        self.secrets["code_that_waits"] = self.owner.post("/api/v1/guests", draft("Cleaner", light), 201)["link"].split("#")[1].split("&")[0]

    def sign_in_at_the_terminal(self):
        self.terminal.run(
            "login", "--hub", self.hub.url, "--pin", self.hub.ready["pin"], "--username", OWNER["username"], typed=OWNER["password"] + "\n")
        self.terminal.run("sync")

    def meet_anothers_change(self, start):
        """The terminal and another person rename the study while the terminal is offline."""
        self.terminal.run("sync")
        assert self.hub.stop() == 0
        self.terminal.run("rooms", "rename", "Study", "Library")
        self.serve(start)
        self.owner.sign_in(OWNER)
        self.owner.ask("PUT", "/api/v1/rooms/study", {"name": "Office"})
        assert self.terminal.json("sync")["conflicts"] == 1

    def see_the_record(self):
        """The terminal stores the checkpoint of the audit log, which the house signs once a minute."""
        house.until(lambda: self.owner.call("GET", "/api/v1/audit/checkpoint").status_code == 200, "the record is signed")
        self.terminal.run("audit", "check")

    def back_up(self):
        made = back_up(self.hub_binary, self.data, self.folder / "drawer/house.backup")
        self.secrets["backup_key"] = made["recovery_key"]

    def leave_waiting(self):
        """Commands given to the terminal while the hub is off: one of each kind that waits."""
        queued = [
            ("devices", "control", "hall light", "off"), ("rooms", "rename", "Hall", "Entrance"), ("guests", "suspend", "Gardener"),
            ("memory", "add", "The", "ladder", "is", "in", "the", "shed."), ("scenes", "make", "Reading", "study-light:on"),
        ]
        for words in queued:
            self.terminal.run(*words)
        self.secrets["waiting"] = [one["kind"] for one in self.terminal.json("queue")["entries"]]
        assert len(self.secrets["waiting"]) == len(queued)

    def make(self):
        mqtt = {"username": "house", "password": "through the broker"}
        with the_addresses(), conftest.hubs(self.hub_binary) as start, broker(self.folder, mqtt):
            self.serve(start)
            self.claim()
            self.sign_in_at_the_terminal()
            self.people()
            self.sessions()
            self.integrations(mqtt)
            porch, assistant = Porch(mqtt), HomeAssistant(self.secrets["home_assistant"]["token"])
            self.owner.connected("mqtt", ["porch-lamp", "back-door"])
            self.owner.connected("home-assistant", ["reading-lamp"])
            self.things()
            self.interview()
            self.see_the_record()
            self.meet_anothers_change(start)
            self.guests()
            self.terminal.run("sync")
            self.back_up()
            assert self.hub.stop() == 0
            self.leave_waiting()
            self.secrets |= {"named": self.named, "made_at": int(time.time())}
            porch.close()
            assistant.close()

    def pack(self):
        volatile = ("-shm", ".sock")
        with tarfile.open(HERE / "data.tar.xz", "w:xz", preset=9) as archive:
            for name in ("house", "terminal", "drawer"):
                archive.add(self.folder / name, name, filter=lambda one: None if one.name.endswith(volatile) else owned_by_nobody(one))
        # Escapes show which Unicode form a password has.
        (HERE / "secrets.json").write_text(json.dumps(self.secrets, indent=1) + "\n")


def owned_by_nobody(one):
    one.uid = one.gid = 0
    one.uname = one.gname = ""
    return one


if __name__ == "__main__":
    urllib3.disable_warnings()
    with tempfile.TemporaryDirectory() as folder:
        maker = Maker(*(pathlib.Path(one).resolve() for one in sys.argv[1:3]), pathlib.Path(folder))
        maker.make()
        maker.pack()
