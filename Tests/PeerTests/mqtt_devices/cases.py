"""All cases, by the firmware whose format they use."""

from mqtt_devices import bluetooth, energy, esphome, frigate, heating, household, kinds, nuki, ratgdo, shelly, tasmota, zigbee2mqtt, zwave_js_ui

FAMILIES = (bluetooth, energy, esphome, frigate, heating, household, kinds, nuki, ratgdo, shelly, tasmota, zigbee2mqtt, zwave_js_ui)


def every():
    found = [case for family in FAMILIES for case in family.cases()]
    assert len({case.id for case in found}) == len(found), "two cases have one id"
    topics = {}
    for case in found:
        for message in [*case.announcements, *case.before, *[one for step in case.steps for one in step["messages"]]]:
            assert topics.setdefault(message["topic"], case.id) == case.id, f"{message['topic']} is in two cases"
    return sorted(found, key=lambda case: case.id)


def batches():
    """Cases without delays, and cases with delays."""
    found = every()
    return [[case for case in found if not case.is_timed], [case for case in found if case.is_timed]]
