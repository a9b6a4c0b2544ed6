"""A broker and a Home Assistant that are stopped, started and cut off under load: once the hub knows,
no reader takes a door's old state for the current one."""

import contextlib
import itertools
import json
import os
import signal
import subprocess
import threading
import time

import conftest
import home_assistant
import house
import paho.mqtt.client as paho
import pytest
from lossy_line import LossyLine
from test_home_assistant import connect as connect_assistant

pytestmark = pytest.mark.long

MQTT_ROUNDS = int(os.environ.get("CARDEA_BROKER_LOSSES", "30"))
ASSISTANT_ROUNDS = int(os.environ.get("CARDEA_ASSISTANT_LOSSES", "20"))
LOAD = 40


class Broker:
    """A broker that can be stopped and restarted at its port. It stores nothing across that."""

    def __init__(self, folder):
        self.port = house.free_port()
        self.config = folder / "mosquitto.conf"
        self.config.write_text(f"user root\nlistener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\nset_tcp_nodelay true\n")
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(["mosquitto", "-c", str(self.config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        house.until(lambda: house.listens(self.port), "the broker is there")

    def end(self, how):
        self.process.send_signal(how)
        self.process.wait(60)

    def stop(self):
        if self.process.poll() is None:
            self.end(signal.SIGTERM)


class Gadgets:
    """A lock that reports its state, a lock that never does, and sensors that report all the time."""

    def __init__(self, port):
        self.port = port
        self.is_over = threading.Event()
        self.client = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id="gadgets")
        self.client.on_connect = lambda *_: self.announce()
        self.client.connect_async("127.0.0.1", port)
        self.client.reconnect_delay_set(1, 1)
        self.client.loop_start()
        self.talk = threading.Thread(target=self._talk, daemon=True)
        self.talk.start()

    def announce(self):
        back = {"name": None, "unique_id": "back_door", "state_topic": "home/back/state", "command_topic": "home/back/set",
                "device": {"identifiers": ["back"], "name": "Back door"}}
        side = {"name": None, "unique_id": "side_door", "command_topic": "home/side/set", "device": {"identifiers": ["side"], "name": "Side door"}}
        self.client.publish("homeassistant/lock/back_door/config", json.dumps(back), 1, True)
        self.client.publish("homeassistant/lock/side_door/config", json.dumps(side), 1, True)
        for number in range(LOAD):
            sensor = {"name": None, "unique_id": f"load_{number}", "state_topic": f"load/{number}", "unit_of_measurement": "W",
                      "device": {"identifiers": [f"load{number}"], "name": f"Load {number}"}}
            self.client.publish(f"homeassistant/sensor/load_{number}/config", json.dumps(sensor), 1, True)

    def say(self, state):
        self.client.publish("home/back/state", state, 1, False)

    def _talk(self):
        for number in itertools.count():
            house.pause(0.01, over=self.is_over)
            if self.is_over.is_set():
                return
            self.client.publish(f"load/{number % LOAD}", str(number % 1000))

    def stop(self):
        self.is_over.set()
        self.talk.join(60)
        self.client.disconnect()
        self.client.loop_stop()


def standing(owner, integration):
    return next(one for one in owner.get("/api/v1/integrations").json()["integrations"] if one["integration"] == integration)["status"]


def device(owner, device_id):
    answer = owner.get(f"/api/v1/devices/{device_id}")
    return answer.json() if answer.status_code == 200 else None


def ask(owner, words):
    answer = owner.post("/api/v1/consciousness/query", {"query": words})
    assert answer.status_code == 200, answer.text
    return answer.json()


def runs(owner, automation):
    return owner.get(f"/api/v1/automations/{automation}/history?limit=5").json()["runs"]


def automation(owner, lock, condition, name):
    made = owner.post("/api/v1/automations", {
        "name": name, "triggers": [{"type": "state", "entity_id": "light.hall", "to": "on"}], "conditions": [condition(lock)],
        "actions": [{"type": "notify", "words": f"{name} ran.", "to": "owner"}],
    })
    assert made.status_code == 201, made.text
    return made.json()["automation_id"]


def holds(lock):
    return {"type": "state", "entity_id": lock, "is": "locked"}


def holds_not(lock):
    return {"type": "not", "condition": holds(lock)}


class House:
    """The readers of one door, all called once the hub knows that the door's state is unknown."""

    def __init__(self, owner, door, lock, name):
        self.owner, self.door, self.lock, self.name = owner, door, lock, name
        self.guest = house.let_in(owner, {"device_id": door, "actions": ["door.open"]}, max_uses=0)
        self.automations = [automation(owner, lock, holds, f"If {door} is locked"), automation(owner, lock, holds_not, f"If {door} is not locked")]

    def knows(self):
        one = device(self.owner, self.door)
        return bool(one) and one["state"].get("locked") is True

    def is_lost_everywhere(self):
        one = device(self.owner, self.door)
        assert one["status"] in ("unknown", "offline"), one
        assert one["current_state"]["locked"] is None and "locked" not in one["state"], one
        assert one["last_reported"]["members"]["locked"] is True, one
        (entity,) = [part for part in one["entities"] if part["entity_id"] == self.lock]
        assert entity["state"] == "unknown" and entity["last_reported"]["state"] == "locked", entity
        (listed,) = [other for other in self.owner.get("/api/v1/devices").json()["devices"] if other["device_id"] == self.door]
        assert listed == one
        for words in (f"Is the {self.name} locked?", "Is everything locked?"):
            said = ask(self.owner, words)
            assert not said["response"].startswith("Yes"), (words, said)
        (state,) = [part for part in self.guest.get("/api/guest_access/states").json()["entities"] if part["entity_id"] == self.lock]
        assert state["state"] in ("unknown", "unavailable"), state
        (twin,) = self.owner.get(f"/api/v1/twins?device_id={self.door}").json()["twins"]
        assert twin["sync_status"] != "synchronized", twin

    def nothing_runs_on_its_old_word(self):
        before = [len(runs(self.owner, one)) and runs(self.owner, one)[0]["run_id"] for one in self.automations]
        for action in ("off", "on"):
            assert self.owner.put("/api/v1/devices/hall-light/control", {"action": action}).ok

        def both():
            latest = [runs(self.owner, one) for one in self.automations]
            return latest if all(found and found[0]["run_id"] != known for found, known in zip(latest, before)) else None

        for found in house.until(both, "both automations have looked"):
            assert found[0]["result"] == "not_known" and found[0]["unknown_entities"] == [self.lock] and not found[0]["outcomes"], found[0]


@contextlib.contextmanager
def furnished(start, folder):
    hub = start(folder, "--virtual-house")
    yield conftest.Owner(hub, house.claim(hub, conftest.PASSWORD))


def test_no_reader_uses_the_old_state_of_a_door_after_losing_the_broker(hub_binary, tmp_path):
    broker = Broker(tmp_path)
    line = LossyLine(broker.port)
    gadgets = Gadgets(broker.port)
    seen = []
    try:
        with conftest.hubs(hub_binary) as start, furnished(start, tmp_path / "house") as owner:
            answer = owner.put("/api/v1/integrations/mqtt", {"host": "127.0.0.1", "port": line.port})
            assert answer.status_code == 200, answer.text
            house.until(lambda: device(owner, "back-door") and device(owner, "side-door"), "both doors are there")
            side = device(owner, "side-door")["entities"][0]
            assert side["is_assumed"] and side["state"] == "unknown" and side["last_reported"] is None
            gadgets.say("LOCKED")
            home = House(owner, "back-door", "lock.back_door", "back door")
            for number in range(MQTT_ROUNDS):
                house.until(lambda: standing(owner, "mqtt") == "connected", "the broker is there")

                def locked():
                    gadgets.say("LOCKED")
                    return home.knows()

                house.until(locked, "the back door is locked")
                begun = time.monotonic()
                match number % 3:
                    case 0: broker.end(signal.SIGKILL if number % 2 else signal.SIGTERM)
                    case 1: line.cut()
                    case _: line.fall_silent()
                house.until(lambda: standing(owner, "mqtt") != "connected", "the hub knows that the broker is away")
                seen.append((number % 3, time.monotonic() - begun))
                home.is_lost_everywhere()
                if number % 5 == 0:
                    home.nothing_runs_on_its_old_word()
                if broker.process.poll() is not None:
                    broker.start()
                line.mend()
                house.until(lambda: standing(owner, "mqtt") == "connected", "the broker is back")
                # A connected broker alone says nothing about the door.
                assert "locked" not in device(owner, "back-door")["state"]
    finally:
        gadgets.stop()
        line.close()
        broker.stop()
    for kind, what in enumerate(("stopped", "cut off", "silent")):
        print(f"{what}: known after at most {max(seconds for one, seconds in seen if one == kind):.1f} s")


@pytest.mark.parametrize("version", home_assistant.installed()[-1:] or ["none"])
def test_no_reader_uses_the_old_state_of_a_door_after_losing_home_assistant(version, hub_binary, tmp_path):
    if version == "none":
        pytest.fail("there is no Home Assistant in .ha; make one with scripts/home-assistant")
    with home_assistant.one_host_network():
        assistant = home_assistant.HomeAssistant(version, tmp_path)
        try:
            assistant.start()
            assistant.move_in()
            line = LossyLine(int(assistant.url.rsplit(":", 1)[1]))
            with conftest.hubs(hub_binary) as start, furnished(start, tmp_path / "house") as owner:
                connect_assistant(owner, f"http://127.0.0.1:{line.port}", assistant.token)
                house.until(lambda: device(owner, "kitchen-door"), "the kitchen's door is there")
                lock = device(owner, "kitchen-door")["entities"][0]["entity_id"]
                assistant.do("lock", "lock", "lock.kitchen_door")
                home = House(owner, "kitchen-door", lock, "kitchen door")
                for number in range(ASSISTANT_ROUNDS):
                    house.until(lambda: standing(owner, "home-assistant") == "connected", "Home Assistant is there")
                    house.until(home.knows, "the kitchen's door is locked")
                    restarts = number in (5, 15)
                    if restarts:
                        assistant.kill()
                    elif number % 5 == 4:
                        line.fall_silent()
                    else:
                        line.cut()
                    house.until(lambda: standing(owner, "home-assistant") != "connected", "the hub knows that Home Assistant is away")
                    home.is_lost_everywhere()
                    if number % 5 == 0:
                        home.nothing_runs_on_its_old_word()
                    if restarts:
                        assistant.start()
                    line.mend()
                    if restarts:
                        house.until(lambda: standing(owner, "home-assistant") == "connected", "Home Assistant is back")
                        assistant.do("lock", "lock", "lock.kitchen_door")
                line.close()
        finally:
            assistant.stop()
