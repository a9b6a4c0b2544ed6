"""One case: a device's announcements and messages on the broker, and the commands sent to it."""

import base64
import json


def text(payload):
    """A payload as it is published: a string unchanged, anything else as JSON."""
    return payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False, separators=(",", ":"))


def octets(message):
    """A message's payload in bytes."""
    return base64.b64decode(message["base64"]) if "base64" in message else message["payload"]


class Case:
    """Announcements, then steps of messages, then commands in Cardea's words.

    An entity is named by its component and its unique id, `lock:nuki_1`; a device trigger by its type and subtype.
    """

    def __init__(self, identity, firmware):
        self.id, self.firmware = identity, firmware
        self.announcements, self.before, self.steps, self.commands = [], [], [], []

    def announce(self, component, unique_id, config, node=None):
        """Announces a single component; `node` is the middle part of its topic."""
        place = f"{node}/{unique_id}" if node else unique_id
        return self.announce_at(f"homeassistant/{component}/{place}/config", config)

    def bundle(self, object_id, config):
        """Announces a device with all of its components in one message."""
        return self.announce_at(f"homeassistant/device/{object_id}/config", config)

    def announce_at(self, topic, config):
        self.announcements.append({"topic": topic, "payload": text(config)})
        return self

    def kept(self, *messages):
        """Retained messages from before the announcement, by topic and payload."""
        self.before += [{"topic": topic, "payload": text(payload)} for topic, payload in messages]
        return self

    def step(self, *messages, seconds=None):
        """Messages of one moment; `seconds` is the time that passes after them."""
        step = {"messages": [{"topic": topic, "payload": text(payload)} for topic, payload in messages]}
        self.steps.append(step | ({"seconds": seconds} if seconds else {}))
        return self

    def steps_of(self, topic, *payloads):
        """One step for each payload, all on one topic."""
        for payload in payloads:
            self.step((topic, payload))
        return self

    def picture(self, topic, picture):
        """A step of one binary message."""
        self.steps.append({"messages": [{"topic": topic, "base64": base64.b64encode(picture).decode()}]})
        return self

    def ask(self, entity, action, value=None, code=None):
        """A command in Cardea's format; `code` is the stored code of the entity."""
        command = {"entity": entity, "action": action}
        self.commands.append(command | ({} if value is None else {"value": value}) | ({"code": code} if code else {}))
        return self

    def asks(self, entity, *actions):
        """Commands without a value, or pairs of a command and its value."""
        for action in actions:
            self.ask(entity, *([action] if isinstance(action, str) else action))
        return self

    @property
    def is_timed(self):
        return any("seconds" in step for step in self.steps)
