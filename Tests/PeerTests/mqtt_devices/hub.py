"""Plays the table's cases to a real hub on the broker, and lists its differences from Home Assistant."""

import itertools
import re
import time

import house

from mqtt_devices import case, compare, names, play
from mqtt_devices.assistant import FENCE

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z")
KINDS = {"camera": "image", "device_automation": "event"}


class HubPlay:
    """`cases` in their steps, compared with the `rows` that Home Assistant made of them."""

    def __init__(self, owner, wire, port, cases, rows):
        self.owner, self.wire, self.port, self.cases = owner, wire, port, cases
        self.rows = {row["id"]: row for row in rows}
        self.expected = {one.id: {} for one in cases}
        self.marks, self.differences, self.count = {}, {}, 0

    def note(self, row, key, member, shown, wanted):
        self.differences[f"{row['id']} {key} {member}"] = f"{shown!r}, and for Home Assistant {wanted!r}"

    def connect(self, codes=None):
        body = {"host": "127.0.0.1", "port": self.port} | ({"codes": codes} if codes else {})
        before = self.integration().get("since")
        answer = self.owner.put("/api/v1/integrations/mqtt", body)
        assert answer.status_code == 200, answer.text
        house.until(
            lambda: self.integration().get("status") == "connected" and self.integration().get("since") != before, "the hub is connected")

    def integration(self):
        found = self.owner.get("/api/v1/integrations").json()["integrations"]
        return next((one for one in found if one["integration"] == "mqtt"), {})

    def shown(self):
        """The hub's entities of the broker's devices, by kind and own id, or by kind and name, each with its device."""
        found = {}
        for device in self.owner.get("/api/v1/devices").json()["devices"]:
            for entity in device["entities"]:
                kind = entity.get("kind", entity["entity_type"])
                found[f"{kind}:{entity['unique_id']}" if entity.get("unique_id") else f"{device['name']} {kind}:{entity['name']}"] = (device, entity)
        return found

    def find(self, shown, row, key):
        """The device and the entity of a key; two devices may have triggers of one name, so a trigger is found by its device's name."""
        component, _, name = key.partition(":")
        kind = KINDS.get(component, component)
        if component == "device_automation":
            places = (f"{device} {kind}:{name}" for device in names.devices(row))
            return next((shown[place] for place in places if place in shown), None)
        return shown.get(f"{kind}:{name}")

    def pass_fence(self):
        self.count += 1
        self.wire.publish("fence/state", f"hub {self.count}", True)
        house.until(
            lambda: (self.shown().get("sensor:fence") or (None, {}))[1].get("state") == f"hub {self.count}", "the hub has passed the fence")

    def settle(self):
        """Waits until every expected entity is there, or no more appear."""
        before, same = None, 0
        while same < 3:
            self.pass_fence()
            now = len(self.shown())
            before, same = now, same + 1 if now == before else 0

    def run(self):
        self.wire.publish("homeassistant/sensor/fence/config", case.text(FENCE), True)
        self.connect()
        self.settle()
        self.look({one: 0 for one in self.cases}, self.shown())
        start = time.monotonic()
        for moment, group in itertools.groupby(sorted(play.timeline(self.cases), key=lambda one: one[:3]), key=lambda one: one[:3]):
            if (ahead := start + moment[0] - time.monotonic()) > 0:
                house.pause(ahead)
            mine = {one: number for _, _, _, one, number in group}
            if moment[2] == play.PUBLISH:
                for one, number in mine.items():
                    self.publish(one.steps[number])
            else:
                self.pass_fence()
                self.look({one: number + 1 for one, number in mine.items()}, self.shown())
        self.tell()
        return self.differences

    def publish(self, step):
        for message in step["messages"]:
            self.wire.publish(message["topic"], case.octets(message))

    # States

    def look(self, numbers, shown):
        for one, number in numbers.items():
            row = self.rows[one.id]
            self.expected[one.id] |= row["steps"][number]["states"]
            for key, noted in row["entities"].items():
                if noted.get("is_shown") is False:
                    continue
                found = self.find(shown, row, key)
                if number == 0:
                    self.compare_entity(row, key, noted, found)
                if found and key in self.expected[one.id]:
                    self.compare_state(row, key, found, self.expected[one.id][key], number)
            for key in names.of(one) if number == 0 else ():
                if key not in row["entities"] and self.find(shown, row, key):
                    self.note(row, key, "is there", "yes", "no")

    def compare_entity(self, row, key, noted, found):
        if not found:
            return self.note(row, key, "is there", "no", "yes")
        entity = found[1]
        if noted.get("disabled"):
            return None if entity["is_enabled"] is False else self.note(row, key, "disabled", "no", "yes")
        for member, own in (("category", "entity_category"), ("unit", "unit_of_measurement"), ("device_class", "device_class")):
            if entity.get(own) != noted.get(member):
                self.note(row, key, member, entity.get(own), noted.get(member))

    def compare_state(self, row, key, found, wanted, number):
        device, entity = found
        component, step = key.partition(":")[0], f"step {number}"
        state = self.mark(row, key, entity["state"], number)
        # An entity whose device is online and has reported nothing yet is unknown, like one that is away.
        is_away = device["status"] != "online" or state == "unavailable"
        if wanted["state"] == "unavailable" or is_away:
            if is_away != (wanted["state"] == "unavailable") and state != "unknown":
                self.note(row, key, f"{step} state", "unavailable" if is_away else state, wanted["state"])
            return
        tolerance = row["entities"][key].get("tolerance", 0)
        if not compare.is_same_state(state, wanted["state"], tolerance > 0):
            self.note(row, key, f"{step} state", state, wanted["state"])
        own, attributes = entity["attributes"], wanted.get("attributes", {})
        for name in compare.attributes(component, state == "on", own, attributes):
            if not compare.is_same(own.get(name), attributes.get(name), name, tolerance):
                self.note(row, key, f"{step} {name}", own.get(name), attributes.get(name))

    def mark(self, row, key, state, number):
        """A time as the number of its step."""
        if key.partition(":")[0] not in ("event", "image", "camera", "device_automation") or not MOMENT.fullmatch(state):
            return state
        before, at = self.marks.get((row["id"], key), (None, None))
        self.marks[row["id"], key] = state, number if state != before else at
        return f"@{self.marks[row['id'], key][1]}"

    # Commands

    def tell(self):
        """The first command of every case, then the second: one device can fail to answer while others are commanded."""
        shown = self.shown()
        turns = [(number, one, command) for one in self.cases for number, command in enumerate(self.rows[one.id]["commands"])]
        for number, one, command in sorted(turns, key=lambda turn: ("code" in turn[2], turn[0])):
            row = self.rows[one.id]
            # A case that Home Assistant refuses is listed as such, and gets no command.
            found = self.find(shown, row, command["entity"]) if command["entity"] in row["entities"] else None
            if not found:
                continue
            if "code" in command:
                self.store(one, found[1]["entity_id"], command["code"])
            told = self.messages(found, command)
            wanted = [[message["topic"], message["payload"]] for message in command["messages"]]
            if told != wanted:
                self.note(row, command["entity"], f"command {number} {command['action']}", told, wanted)

    def store(self, one, entity_id, code):
        """Stores the code of an entity. The hub reconnects, so the device sends its states again."""
        self.connect({entity_id: code})
        self.settle()
        for step in one.steps:
            self.publish(step)
        self.settle()

    def messages(self, found, command):
        """The messages that the hub publishes for a command, as pairs of topic and payload."""
        device, entity = found
        body = {"action": command["action"], "entity_id": entity["entity_id"]} | ({"value": command["value"]} if "value" in command else {})
        mark = self.wire.mark

        def asked():
            answer = self.owner.put(f"/api/v1/devices/{device['device_id']}/control", body, Prefer="respond-async")
            # Busy with the previous command, or rate limited.
            return None if answer.status_code in (409, 429) else (answer,)

        (answer,) = house.until(asked, f"{device['device_id']} takes a command")
        ours = lambda: [[topic, payload] for topic, payload in self.wire.since(mark) if not topic.startswith(("fence/", "cardea/", "homeassistant/"))]  # noqa: E731
        if not answer.ok:
            return ours()
        command_id = answer.json()["command_id"]

        def is_sent():
            status = self.owner.get(f"/api/v1/commands/{command_id}").json()["status"]
            return status not in ("accepted", "dispatching") or len(ours()) >= max(1, len(command["messages"]))

        house.until(is_sent, "the command is sent, or has ended")
        self.wire.publish("fence/told", command_id)
        self.wire.until_heard("fence/told", command_id, mark)
        return ours()
