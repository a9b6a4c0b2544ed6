"""Garage doors as ratgdo announces them, in its MQTT and its ESPHome firmware."""

from mqtt_devices.case import Case


def door(case_id, **more):
    case, base = Case(case_id, "ratgdo"), f"home/garage_{case_id}"
    device = {"name": case_id, "identifiers": f"ratgdo_{case_id}", "manufacturer": "Paul Wieland", "model": "ratgdo", "sw_version": "2.5",
              "configuration_url": "http://192.0.2.7/"}
    common = {"~": base, "availability_topic": "~/status/availability", "device": device}
    config = {
        **common, "name": "Door", "unique_id": f"{case_id}_door", "device_class": "garage", "command_topic": "~/command/door",
        "payload_open": "open", "payload_close": "close", "payload_stop": "stop", "state_topic": "~/status/door", **more}
    case.announce_at(f"homeassistant/cover/{case_id}/config", config)
    case.step((f"{base}/status/availability", "online"))
    return case, base, common


def cases():
    case, base, common = door("ratgdo-door")
    case.steps_of(f"{base}/status/door", "closed", "opening", "open", "stopped", "closing", "closed", "stopped", "syncing")
    yield case.step((f"{base}/status/availability", "offline")).step((f"{base}/status/availability", "online")).asks(
        "cover:ratgdo-door_door", "open", "close", "stop")

    case, base, common = door("ratgdo-whole")
    for component, name, more in (
        ("light", "light", {"command_topic": "~/command/light", "payload_on": "on", "payload_off": "off", "state_topic": "~/status/light",
                            "optimistic": False}),
        ("lock", "lock", {"command_topic": "~/command/lock", "payload_lock": "lock", "payload_unlock": "unlock", "state_topic": "~/status/lock",
                          "state_locked": "locked", "state_unlocked": "unlocked", "name": "Lockout remotes", "entity_category": "config"}),
        ("binary_sensor", "obstruction", {"state_topic": "~/status/obstruction", "payload_on": "obstructed", "payload_off": "clear",
                                          "device_class": "problem"}),
        ("binary_sensor", "motion", {"state_topic": "~/status/motion", "payload_on": "detected", "payload_off": "clear", "device_class": "motion"}),
        ("sensor", "openings", {"state_topic": "~/status/openings", "state_class": "total_increasing", "name": "Openings"}),
    ):
        case.announce(component, f"ratgdo-whole_{name}", {**common, "name": name.title(), "unique_id": f"ratgdo-whole_{name}", **more})
    case.step((f"{base}/status/light", "on"), (f"{base}/status/lock", "unlocked"), (f"{base}/status/obstruction", "clear"))
    case.step((f"{base}/status/motion", "detected"), (f"{base}/status/light", "off"), (f"{base}/status/openings", "1042"))
    case.step((f"{base}/status/obstruction", "obstructed"), (f"{base}/status/lock", "locked"), (f"{base}/status/door", "open"))
    yield case.asks("light:ratgdo-whole_light", "on", "off").asks("lock:ratgdo-whole_lock", "lock", "unlock", "open")

    case, base, common = door("ratgdo-position", position_topic="~/status/position", set_position_topic="~/command/door_position")
    case.step((f"{base}/status/door", "open"), (f"{base}/status/position", "100"))
    case.step((f"{base}/status/door", "closing")).step((f"{base}/status/position", "40")).step((f"{base}/status/door", "stopped"))
    yield case.step((f"{base}/status/door", "closed"), (f"{base}/status/position", "0")).asks(
        "cover:ratgdo-position_door", ("set_position", 25), "open", "close")

    case, base, common = door("ratgdo-optimistic", optimistic=True)
    yield case.steps_of(f"{base}/status/door", "open", "closed").asks("cover:ratgdo-optimistic_door", "close", "open")

    case, base, common = door("ratgdo-blind", state_topic="")
    yield case.asks("cover:ratgdo-blind_door", "open", "close", "stop")
