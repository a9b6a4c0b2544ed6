"""The names of the entities in an announcement, in its long or its short form."""

import json

# Platforms whose entities the hub shows.
SHOWN = {
    "lock", "cover", "light", "switch", "fan", "climate", "sensor", "binary_sensor", "button", "event", "valve", "alarm_control_panel",
    "camera", "image", "device_automation",
}


def _one(config, *names):
    return next((config[name] for name in names if name in config), None)


def _components(announcement):
    component = announcement["topic"].split("/")[1]
    try:
        config = json.loads(announcement["payload"])
    except ValueError:
        return
    if not isinstance(config, dict):
        return
    device = _one(config, "device", "dev")
    if component != "device":
        yield component, config, device
        return
    components = _one(config, "components", "cmps")
    for own in components.values() if isinstance(components, dict) else ():
        if isinstance(own, dict):
            yield _one(own, "platform", "p"), own, device


def keys(announcement):
    """`lock:nuki_1`, or `device_automation:button_short_press button_1`, each with the identifiers of its device."""
    found = {}
    for component, config, device in _components(announcement):
        identifiers = _one(device or {}, "identifiers", "ids")
        identifiers = identifiers if isinstance(identifiers, list) else [] if identifiers is None else [identifiers]
        if component == "device_automation":
            name = f"{_one(config, 'type')} {_one(config, 'subtype', 'stype')}"
        else:
            name = _one(config, "unique_id", "uniq_id")
        if name is not None:
            found[f"{component}:{name}"] = [str(one) for one in identifiers]
    return found


def devices(row):
    """The names of the devices in a row's announcements."""
    found = [device for announcement in row["announcements"] for _, _, device in _components(announcement)]
    return {str(device["name"]) for device in found if device and "name" in device}


def units(case):
    """The units in a case's announcements, by the keys of its entities."""
    found = {}
    for announcement in case.announcements:
        for component, config, _ in _components(announcement):
            key = f"{component}:{_one(config, 'unique_id', 'uniq_id')}"
            found[key] = _one(config, "unit_of_measurement", "unit_of_meas", "temperature_unit", "temp_unit")
    return found


def of(case):
    """All of a case's entities, with the identifiers of their devices."""
    found = {}
    for announcement in case.announcements:
        found |= keys(announcement)
    return found
