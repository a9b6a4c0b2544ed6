"""A lock on the household's broker, announced by a client that is not ours, opens for a guest through the gate."""

import json

import paho.mqtt.client as paho
import pytest

import house

CONFIG = "homeassistant/lock/back_door/config"
COMMAND, STATE, PRESENCE = "home/back/set", "home/back/state", "home/back/presence"


class Lock:
    """A real lock's behaviour: it obeys, or stays silent on request, and records its commands."""

    def __init__(self, port):
        self.heard, self.obeys = [], True
        self.client = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        self.client.on_message = self.told
        self.client.connect("127.0.0.1", port)
        self.client.subscribe(COMMAND)
        self.client.loop_start()
        self.say(
            CONFIG,
            json.dumps(
                {
                    "name": "Back door", "uniq_id": "back_door_1", "cmd_t": COMMAND, "stat_t": STATE, "avty_t": PRESENCE,
                    "dev": {"ids": ["back_door_1"], "name": "Back door", "mf": "Boltworks"},
                }
            ),
        )
        self.say(PRESENCE, "online")
        self.say(STATE, "LOCKED")

    def say(self, topic, text, retain=True):
        self.client.publish(topic, text, qos=1, retain=retain).wait_for_publish(house.LIMIT)

    def told(self, client, _, message):
        expiry = getattr(message.properties, "MessageExpiryInterval", None)
        self.heard.append((message.payload.decode(), message.retain, expiry))
        if self.obeys:
            client.publish(STATE, {"UNLOCK": "UNLOCKED", "LOCK": "LOCKED"}[message.payload.decode()], retain=True)

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture
def broker(tmp_path):
    with house.broker(tmp_path) as port:
        yield port


@pytest.fixture
def lock(broker):
    lock = Lock(broker)
    yield lock
    lock.close()


def test_a_guest_opens_a_real_lock_when_the_lock_confirms(hub, owner, broker, lock):
    put = owner.put("/api/v1/integrations/mqtt", {"host": "127.0.0.1", "port": broker})
    assert put.status_code == 200, put.text

    def door():
        answer = owner.get("/api/v1/devices/back-door")
        return answer.json() if answer.status_code == 200 and answer.json()["state"].get("locked") is not None else None

    assert house.until(door, "the lock appears by itself")["state"]["locked"] is True

    guest = house.let_in(owner, {"device_id": "back-door", "actions": ["door.open"]}, max_uses=2)
    opened = guest.act()
    assert opened.status_code == 200 and opened.json()["success"] is True, opened.text
    assert opened.json()["state"] == "unlocked" and opened.json()["remaining_uses"] == 1
    assert [(text, kept) for text, kept, _ in lock.heard] == [("UNLOCK", False)]
    assert 1 <= lock.heard[0][2] <= 5
    house.until(lambda: owner.get("/api/v1/devices/back-door").json()["state"]["locked"] is False, "the house sees it open")

    # With a silent lock the outcome is unknown, and the use stays counted.
    lock.obeys = False
    silent = guest.act()
    assert silent.status_code == 504 and silent.json()["error"] == "outcome_unknown", silent.text
    house.until(lambda: len(lock.heard) == 2, "the lock hears it")
    third = guest.act()
    assert third.status_code == 401 and third.json()["error"] == "token_max_uses_exceeded"

    # With the lock gone from the network, the command is refused before anything is sent.
    lock.say(PRESENCE, "offline")
    house.until(lambda: owner.get("/api/v1/devices/back-door").json()["status"] == "offline", "the house sees it gone")
    away = owner.put("/api/v1/devices/back-door/control", {"action": "lock"})
    assert away.status_code == 503 and away.json()["error"]["code"] == "device_unreachable"
    lock.say(COMMAND, "FENCE", retain=False)
    house.until(lambda: lock.heard[-1][0] == "FENCE", "the fence is heard")
    assert [text for text, *_ in lock.heard] == ["UNLOCK", "UNLOCK", "FENCE"]

    # Without its announcement, the lock is gone from the house.
    lock.say(CONFIG, "")
    house.until(lambda: owner.get("/api/v1/devices/back-door").status_code == 404, "the lock is gone")
    integrations = {one["integration"]: one for one in owner.get("/api/v1/integrations").json()["integrations"]}
    assert integrations["mqtt"]["status"] == "connected" and "password" not in json.dumps(integrations["mqtt"]["settings"]).replace("has_password", "")


def test_a_stored_password_is_kept_for_the_same_broker(owner, broker):
    def shown(**more):
        body = {"host": "127.0.0.1", "port": broker, "username": "hub", **more}
        answer = owner.put("/api/v1/integrations/mqtt", body)
        assert answer.status_code == 200, answer.text
        return answer.json()["settings"]

    told = shown(password="secret", announce_locks=True)
    assert told["has_password"] and "password" not in told
    assert (told["announce_locks"], told["allow_lock"], told["allow_open"], told["announce_last_visitor"]) == (True, True, False, False)
    assert shown(announce_locks=True, allow_open=True)["has_password"]
    # Another user, another broker or a less secure connection does not get it; nor does one where it was deleted.
    assert not shown(username="other")["has_password"]
    assert shown(password="secret")["has_password"]
    assert not shown(password="")["has_password"]
    assert shown(password="secret")["has_password"]
    assert not shown(port=house.free_port())["has_password"]
    assert "allow_lock" not in shown()
    # A code is stored like the password, beside the existing ones, and deleted by null; none is ever shown.
    assert shown(codes={"lock.front": "sesame-one"})["codes"] == ["lock.front"]
    assert shown(codes={"lock.back": "sesame-two"})["codes"] == ["lock.back", "lock.front"]
    assert shown(codes={"lock.front": None})["codes"] == ["lock.back"]
    assert shown()["codes"] == ["lock.back"]
    assert "sesame" not in owner.get("/api/v1/integrations").text
    assert shown(port=house.free_port())["codes"] == []
