"""The house's own locks in a real Home Assistant over a real broker: shown and locked there, and unlocked there only when the
owner allows it. Neither side imports what the other only mirrors."""

import json
import subprocess
import threading
import time

import paho.mqtt.client as paho
import pytest
import requests

import conftest
import home_assistant
import house
from test_home_assistant import connect, device, integration, mirrored

pytestmark = pytest.mark.long

VERSIONS = home_assistant.installed()


class Broker:
    def __init__(self, folder):
        self.port = house.free_port()
        config = folder / "mosquitto.conf"
        config.write_text(f"user root\nlistener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        self.process = subprocess.Popen(["mosquitto", "-c", str(config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        house.until(lambda: house.listens(self.port), "the broker is there")

    def publish(self, topic, message, *more):
        words = ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.port), "-q", "1", "-t", topic, "-m", message, *more]
        subprocess.run(words, check=True, timeout=60)

    def kept(self):
        """The broker's retained messages, by topic: all that it delivers before the fence."""
        kept, is_over = {}, threading.Event()

        def told(client, _, message):
            if message.topic == "fence":
                is_over.set()
            elif message.retain:
                kept[message.topic] = message.payload.decode()

        client = paho.Client(paho.CallbackAPIVersion.VERSION2)
        client.on_message = told
        client.on_subscribe = lambda client, *_: client.publish("fence", "x")
        client.connect("127.0.0.1", self.port)
        client.subscribe([("homeassistant/#", 0), ("cardea/#", 0), ("fence", 0)])
        client.loop_start()
        assert is_over.wait(house.LIMIT), "the fence is not heard"
        client.disconnect()
        client.loop_stop()
        return kept

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


@pytest.fixture(scope="module", params=VERSIONS or ["none"])
def assistant(request, tmp_path_factory):
    """With its MQTT integration set up like in a household."""
    if not VERSIONS:
        pytest.fail("there is no Home Assistant in .ha; make one with scripts/home-assistant")
    with home_assistant.one_host_network():
        assistant = home_assistant.HomeAssistant(request.param, tmp_path_factory.mktemp("home-assistant"))
        assistant.broker = Broker(tmp_path_factory.mktemp("broker"))
        try:
            assistant.start()
            assistant.move_in()
            assistant.set_up("mqtt", broker="127.0.0.1", port=assistant.broker.port)
            yield assistant
        finally:
            assistant.stop()
            assistant.broker.stop()


@pytest.fixture(scope="module")
def home(assistant, hub_binary, tmp_path_factory):
    """A house with its own locks on the same broker, which also mirrors that Home Assistant."""
    with conftest.hubs(hub_binary) as start:
        folder = tmp_path_factory.mktemp("house")
        hub = start(folder, "--virtual-house")
        hub.start_again = lambda: start(folder, "--virtual-house")
        owner = conftest.Owner(hub, house.claim(hub, conftest.PASSWORD))
        connect(owner, assistant.url, assistant.token)
        house.until(lambda: len(mirrored(owner)) > 20, "Home Assistant's own house is mirrored")
        announce(owner, assistant)
        yield owner


def announce(owner, assistant, **more):
    body = {"host": "127.0.0.1", "port": assistant.broker.port, "announce_locks": True, **more}
    before = standing(owner)["since"]
    answer = owner.put("/api/v1/integrations/mqtt", body)
    assert answer.status_code == 200, answer.text

    def anew():
        now = standing(owner)
        return now["status"] == "connected" and now["since"] != before

    # Until the new connection is up, the status of the earlier one is shown.
    house.until(anew, "the broker has taken us")


def standing(owner):
    return next(one for one in owner.get("/api/v1/integrations").json()["integrations"] if one["integration"] == "mqtt")


def own_locks(owner):
    return {
        entity["entity_id"]: one["device_id"]
        for one in owner.get("/api/v1/devices").json()["devices"] if one["integration"] == "virtual"
        for entity in one["entities"] if entity["entity_type"] == "lock"
    }


def announced(assistant):
    """Home Assistant's entities of the house, by their names in the house."""
    line = assistant.line()
    entries = line.ask("config/entity_registry/list")
    line.close()
    return {one["unique_id"].split("_", 2)[2]: one["entity_id"] for one in entries if one["unique_id"].startswith("cardea_")}


def front_door(assistant):
    return announced(assistant)["lock_front_door"]


def says(assistant, entity_id, state):
    house.until(lambda: assistant.state(entity_id).get("state") == state, f"{entity_id} is {state}")


def latest(owner, count=1):
    entries = owner.get(f"/api/v1/activity?limit={count}&device_id=front-door").json()["entries"]
    return [(one["who"]["kind"], one["who"].get("id"), one["action"], one["result"], one.get("reason")) for one in entries]


def is_last(owner, *entry):
    """Waits until this is the latest of the door's entries: the bolt is seen to move before its command has ended."""
    house.until(lambda: latest(owner) == [entry], f"{entry} is on record")


def locked(owner):
    return device(owner, "front-door")["state"]["locked"]


def test_locks_and_passes_are_announced_and_follow_changes(home, assistant):
    locks = own_locks(home)
    wanted = {entity_id.replace(".", "_") for entity_id in locks} | {"passes"}
    house.until(lambda: announced(assistant).keys() == wanted, "they are all there")
    entity = front_door(assistant)
    says(assistant, entity, "locked")
    line = assistant.line()
    made = next(one for one in line.ask("config/device_registry/list") if any("front-door" in part for pair in one["identifiers"] for part in pair))
    line.close()
    assert made["name"] == "Front door"

    guest = house.let_in(home, {"device_id": "front-door", "actions": ["door.open"]}, max_uses=2)
    says(assistant, announced(assistant)["passes"], "1")
    assert guest.act().status_code == 200
    says(assistant, entity, "unlocked")


def test_home_assistant_may_lock_and_may_unlock_only_when_allowed(home, assistant):
    entity = front_door(assistant)
    assistant.do("lock", "lock", entity)
    house.until(lambda: locked(home), "it has locked")
    says(assistant, entity, "locked")
    is_last(home, "system", "mqtt", "lock", "confirmed", None)

    assistant.do("lock", "unlock", entity)
    is_last(home, "system", "mqtt", "unlock", "refused", "action_not_allowed")
    assert locked(home) and assistant.state(entity)["state"] == "locked"
    house.until(lambda: any("may not unlock Front door" in one["message"] for one in standing(home)["notices"]), "it is said why")

    announce(home, assistant, allow_open=True)
    assert standing(home)["settings"]["allow_open"] is True
    # The hub reconnected to the broker, and Home Assistant learns the change with that.
    says(assistant, entity, "locked")
    assistant.do("lock", "unlock", entity)
    house.until(lambda: not locked(home), "it has opened")
    says(assistant, entity, "unlocked")
    is_last(home, "system", "mqtt", "unlock", "confirmed", None)

    # Home Assistant may not open what a member may not open.
    assistant.do("lock", "lock", entity)
    house.until(lambda: locked(home), "it has locked")
    assert home.call("PATCH", "/api/v1/devices/front-door", {"is_security_device": True}).status_code == 200
    assistant.do("lock", "unlock", entity)
    house.until(lambda: latest(home)[0][4] == "security_device", "the house said no")
    assert home.call("PATCH", "/api/v1/devices/front-door", {"is_security_device": False}).status_code == 200


def last_at_the_door(home):
    return next(one[2:4] for one in latest(home, 8) if one[2] in ("lock", "unlock"))


def test_late_and_retained_messages_open_nothing(home, assistant):
    assert locked(home)
    topic = next(t for t in assistant.broker.kept() if t.startswith("cardea/") and t.endswith("lock_front_door/state"))[:-5] + "set"
    old = json.dumps({"do": "UNLOCK", "at": time.time() - 60})
    assistant.broker.publish(topic, old)
    house.until(lambda: any("is too old" in n["message"] for n in standing(home)["notices"]), "it was too old")
    assistant.broker.publish(topic, "UNLOCK")
    house.until(lambda: any("has no action or no time" in n["message"] for n in standing(home)["notices"]), "it said too little")
    # Valid for ten seconds around its time: a message with a future time may also take a while.
    assistant.broker.publish(topic, json.dumps({"do": "LOCK", "at": time.time() + 9}), "-r")
    # Received live, it moves the bolt once more, before the broker delivers it again as retained.
    house.until(lambda: last_at_the_door(home) == ("lock", "confirmed"), "it was heard live")
    announce(home, assistant, allow_open=True)
    house.until(lambda: any("retained by the broker" in n["message"] for n in standing(home)["notices"]), "it was kept")
    assistant.broker.publish(topic, "", "-r")
    assert locked(home) and last_at_the_door(home) == ("lock", "confirmed"), "nothing has opened"
    reasons = {one[4] for one in latest(home, 12) if one[2:4] == ("command", "refused")}
    assert reasons == {"too_late", "unreadable", "kept_by_broker"}, "each is on record"


def test_mirrored_devices_are_not_announced_back(home, assistant):
    known = home.get("/api/v1/devices").json()["devices"]
    # Home Assistant now has our locks as well as its own; here they are unchanged.
    assert not [one for one in known if one["integration"] == "mqtt"]
    ours = set(announced(assistant).values())
    shown = {entity["entity_id"] for one in mirrored(home) for entity in one["entities"]}
    assert not ours & shown and len(shown) > 20
    # Its own locks, mirrored here, are not announced back to it.
    assert {e for e in shown if e.startswith("lock.")} and len([t for t in assistant.broker.kept() if t.startswith("homeassistant/lock/")]) == len(own_locks(home))

    # Both import a third party's announcement, and neither announces it back.
    shed = {"name": None, "unique_id": "shed-1", "command_topic": "shed/set", "state_topic": "shed/state", "device": {"identifiers": ["shed-1"], "name": "Shed"}}
    assistant.broker.publish("homeassistant/lock/shed/config", json.dumps(shed), "-r")
    house.until(lambda: device(home, "shed"), "the house has it")
    assistant.broker.publish("shed/state", "LOCKED", "-r")
    house.until(lambda: device(home, "shed")["state"].get("locked") is True, "and hears it")
    assert not [t for t in assistant.broker.kept() if "shed" in t and "cardea" in t]
    assistant.broker.publish("homeassistant/lock/shed/config", "", "-r")
    house.until(lambda: device(home, "shed") is None, "it is gone")


def test_both_recover_after_either_was_away(home, assistant):
    entity = front_door(assistant)
    assistant.kill()
    assistant.start()
    says(assistant, entity, "locked")
    answer = home.put("/api/v1/devices/front-door/control", {"action": "unlock"})
    assert answer.status_code == 200, answer.text
    says(assistant, entity, "unlocked")

    home.hub.kill()
    says(assistant, entity, "unavailable")
    again = home.hub.start_again()
    home.hub.url = again.url
    says(assistant, entity, "unlocked")
    assistant.do("lock", "lock", entity)
    house.until(lambda: locked(home), "and obeys")


def test_switching_off_removes_all_announcements(home, assistant):
    announce(home, assistant, announce_last_visitor=True)
    house.until(lambda: "last_visitor" in announced(assistant), "the last visitor is there")
    says(assistant, announced(assistant)["last_visitor"], "Plumber")
    announce(home, assistant)
    house.until(lambda: "last_visitor" not in announced(assistant), "the last visitor is forgotten")

    announce(home, assistant, announce_locks=False)

    house.until(lambda: not announced(assistant), "nothing is left there")
    assert set(assistant.broker.kept()) <= {"cardea/status", "homeassistant/status"}
    assert integration(home)["status"] == "connected"

    # Removed while it announces, it withdraws everything before it disconnects.
    announce(home, assistant)
    house.until(lambda: announced(assistant), "it is there again")
    assert home.call("DELETE", "/api/v1/integrations/mqtt").status_code == 204
    house.until(lambda: not announced(assistant), "nothing is left there")
    assert requests.get(home.hub.url + "/healthz", timeout=60).status_code == 200
