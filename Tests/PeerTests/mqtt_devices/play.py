"""Plays cases to Home Assistant and makes the table's rows: each case with Home Assistant's result, in Cardea's format."""

import itertools
import time

import house

from mqtt_devices import assistant, names, words
from mqtt_devices.case import octets

SHOWN_AS_TIME = {"event", "image"}
PUBLISH, LOOK = 0, 1


def timeline(cases):
    """Each case's steps in seconds from the start: when their messages are published, and when the result is read."""
    for case in cases:
        at = 0
        for number, step in enumerate(case.steps):
            yield at, number, PUBLISH, case, number
            at += step.get("seconds", 0)
            yield at, number, LOOK, case, number


class Play:
    """One batch of cases on one Home Assistant. All cases take each step together."""

    def __init__(self, home, wire, cases):
        self.home, self.wire, self.cases = home, wire, cases
        self.keys = {case.id: names.of(case) for case in cases}
        # The last change of every entity whose state is a time: the step in which it came.
        self.times, self.steps, self.fired = {}, {}, 0
        self.rows = {case.id: self.row(case) for case in cases}

    @staticmethod
    def row(case):
        row = {"id": case.id, "firmware": case.firmware, "announcements": case.announcements}
        return row | ({"before": case.before} if case.before else {}) | {"entities": {}, "steps": [], "commands": []}

    def run(self):
        for case in self.cases:
            for one in case.before:
                self.wire.publish(one["topic"], one["payload"], True)
        for case in self.cases:
            for one in case.announcements:
                self.wire.publish(one["topic"], one["payload"], True)
        self.home.settle()
        self.entries = self.home.entries()
        self.precisions = self.home.precisions()
        self.triggers = self.home.follow_triggers()
        shown = self.home.states()
        for case in self.cases:
            self.note_entities(case, shown)
        self.look({case: 0 for case in self.cases})
        self.play_steps()
        for case in self.cases:
            self.rows[case.id]["commands"] = [self.ask(one) for one in case.commands]
        return list(self.rows.values())

    def trigger(self, case, key):
        name = key.removeprefix("device_automation:")
        return next((self.triggers[one, name] for one in self.keys[case.id][key] if (one, name) in self.triggers), None)

    def note_entities(self, case, shown):
        """Writes down which entities exist, and what each is."""
        row, units = self.rows[case.id], names.units(case)
        for key in self.keys[case.id]:
            component = key.split(":")[0]
            if component == "device_automation":
                if self.trigger(case, key):
                    row["entities"][key] = {}
            elif entry := self.entries.get(key):
                noted = {"category": entry["entity_category"]} if entry["entity_category"] else {}
                noted |= {"disabled": True} if entry["disabled_by"] else {}
                noted |= {} if component in names.SHOWN else {"is_shown": False}
                if own := shown.get(entry["entity_id"]):
                    noted |= words.traits(component, own["attributes"], units.get(key))
                row["entities"][key] = noted

    def play_steps(self):
        """Plays the steps of every case at their times, steps of one time together."""
        start = time.monotonic()
        for moment, group in itertools.groupby(sorted(timeline(self.cases), key=lambda one: one[:3]), key=lambda one: one[:3]):
            if (ahead := start + moment[0] - time.monotonic()) > 0:
                house.pause(ahead)
            mine = {case: number for _, _, _, case, number in group}
            if moment[2] == PUBLISH:
                self.publish({case: case.steps[number] for case, number in mine.items()})
            else:
                self.home.pass_fence()
                self.look({case: number + 1 for case, number in mine.items()})

    def publish(self, steps):
        for step in steps.values():
            for one in step["messages"]:
                self.wire.publish(one["topic"], octets(one))

    def look(self, numbers):
        """Writes down the state of every case after a step; after none, what the announcement alone gives."""
        shown = self.home.states()
        fired = self.home.fired()
        fired, self.fired = set(fired[self.fired:]), len(fired)
        for case, number in numbers.items():
            states = {}
            for key, noted in self.rows[case.id]["entities"].items():
                if "disabled" in noted or "is_shown" in noted:
                    continue
                states[key] = self.told(case, key, shown, fired, number)
            before = self.steps.get(case.id, {})
            changed = {key: state for key, state in states.items() if before.get(key) != state}
            self.steps[case.id] = states
            step = dict(case.steps[number - 1]) if number else {"messages": []}
            self.rows[case.id]["steps"].append(step | {"states": changed})

    def told(self, case, key, shown, fired, number):
        component = key.split(":")[0]
        if component == "device_automation":
            if self.trigger(case, key) in fired:
                self.times[case.id, key] = number
            told = self.times.get((case.id, key))
            name = key.removeprefix("device_automation:")
            attributes = {"event_types": [name]} | ({"event_type": name} if told else {})
            return {"state": f"@{told}" if told else "unknown", "attributes": attributes}
        entity_id = self.entries[key]["entity_id"]
        own = shown[entity_id]
        answer = words.state(component, own, self.precisions.get(entity_id))
        if answer is None:
            return {"state": "unavailable"}
        word, attributes = answer
        if component in SHOWN_AS_TIME and assistant.MOMENT.fullmatch(word):
            before, at = self.times.get(key, (None, None))
            at = number if before != word else at
            self.times[key] = word, at
            word = f"@{at}"
        if component == "camera":
            picture = self.home.picture(entity_id)
            before, at = self.times.get(key, (None, None))
            if picture is not None and picture != before:
                self.times[key] = picture, number
                at = number
            word = f"@{at}" if at is not None else "unknown"
        if component == "button":
            # Home Assistant's own value is the time of its last press.
            word = "unknown"
        return {"state": word, "attributes": attributes}

    def ask(self, command):
        component = command["entity"].split(":")[0]
        entry = self.entries.get(command["entity"])
        if not entry:
            return command | {"messages": []}
        domain, name, data = words.service(component, command["action"], command.get("value"))
        data = {"entity_id": entry["entity_id"], **data} | ({"code": command["code"]} if "code" in command else {})
        heard = self.home.call(domain, name, **data)
        return command | {"messages": [{"topic": topic, "payload": payload} for topic, payload in heard]}
