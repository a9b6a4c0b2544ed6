"""Plays cases to Home Assistant, and makes the table's rows: each case with what Home Assistant makes of it, in Cardea's words."""

import house

from mqtt_devices import assistant, names, words
from mqtt_devices.case import octets

SHOWN_AS_TIME = {"event", "image"}


class Play:
    """One batch of cases on one Home Assistant. All cases take each step together."""

    def __init__(self, home, wire, cases):
        self.home, self.wire, self.cases = home, wire, cases
        self.keys = {case.id: names.of(case) for case in cases}
        # The word of the last change of everything whose state is a time: the step in which it came.
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
        for case in self.cases:
            self.note_entities(case)
        self.look(0)
        for number in range(max(len(case.steps) for case in self.cases)):
            self.step(number)
        for case in self.cases:
            self.rows[case.id]["commands"] = [self.ask(one) for one in case.commands]
        return list(self.rows.values())

    def trigger(self, case, key):
        name = key.removeprefix("device_automation:")
        return next((self.triggers[one, name] for one in self.keys[case.id][key] if (one, name) in self.triggers), None)

    def note_entities(self, case):
        row = self.rows[case.id]
        for key in self.keys[case.id]:
            component = key.split(":")[0]
            if component == "device_automation":
                if self.trigger(case, key):
                    row["entities"][key] = {}
            elif entry := self.entries.get(key):
                noted = {"category": entry["entity_category"]} if entry["entity_category"] else {}
                noted |= {"disabled": True} if entry["disabled_by"] else {}
                noted |= {} if component in names.SHOWN else {"is_shown": False}
                row["entities"][key] = noted

    def step(self, number):
        mine = [(case, case.steps[number]) for case in self.cases if number < len(case.steps)]
        self.fired = len(self.home.fired())
        for _, step in mine:
            for one in step["messages"]:
                self.wire.publish(one["topic"], octets(one))
        self.home.pass_fence()
        if seconds := max((step.get("seconds", 0) for _, step in mine), default=0):
            house.pause(seconds + 0.5)
            self.home.pass_fence()
        self.look(number + 1)

    def look(self, number):
        """Writes down how everything stands after a step; after none, what is known from the announcement."""
        shown = self.home.states()
        fired = set(self.home.fired()[self.fired:]) if number else set()
        for case in self.cases:
            if number > len(case.steps):
                continue
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
            return {"state": f"@{told}", "attributes": {"event_type": name}} if told else {"state": "unknown", "attributes": {}}
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
            # Home Assistant's is the time of its own last press.
            word = "unknown"
        return {"state": word, "attributes": attributes}

    def ask(self, command):
        component = command["entity"].split(":")[0]
        entry = self.entries.get(command["entity"])
        if not entry:
            return command | {"refused": True}
        domain, name, data = words.service(component, command["action"], command.get("value"))
        data = {"entity_id": entry["entity_id"], **data} | ({"code": command["code"]} if "code" in command else {})
        heard = self.home.call(domain, name, **data)
        if heard is None:
            return command | {"refused": True}
        return command | {"messages": [{"topic": topic, "payload": payload} for topic, payload in heard]}
