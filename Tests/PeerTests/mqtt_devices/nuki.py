"""Locks as Nuki's own MQTT and as Nuki Hub announce them."""

from mqtt_devices.case import Case


def official(case_id, number, model, **more):
    nuki = f"{0x10A00000 + number:X}"
    case = Case(case_id, "Nuki")
    case.announce_at(f"homeassistant/lock/{nuki}/smartlock/config", {
        "~": f"nuki/{nuki}", "avty_t": "~/connected", "pl_avail": "true", "pl_not_avail": "false",
        "dev": {"ids": [nuki], "mf": "Nuki", "name": case_id, "mdl": model}, "name": None, "uniq_id": f"{nuki}_lock", "cmd_t": "~/lockAction",
        "pl_lock": "2", "pl_unlk": "1", "pl_open": "3", "stat_t": "~/state", "stat_locked": "1", "stat_locking": "4", "stat_unlocked": "3",
        "stat_unlocking": "2", "stat_jam": "254", "opt": "false",
        "val_tpl": '{% if value in ("5","6","7") %}3{% else %}{{ value }}{% endif %}', **more})
    return case, f"nuki/{nuki}", f"lock:{nuki}_lock", nuki


def hub(case_id, number, component, object_id, **config):
    case = Case(case_id, "nuki_hub")
    base = f"nukihub_{number}"
    unique = f"nuki{number}_{object_id}"
    case.announce_at(f"homeassistant/{component}/{number:08x}/{object_id}/config", {
        "~": base, "avty": {"t": f"{base}/maintenance/mqttConnectionState"},
        "dev": {"ids": [f"nuki_{number:08x}"], "mf": "Nuki", "mdl": "Smart Lock", "name": case_id, "sw": "3.8.1", "hw": "11.1",
                "cu": "http://nuki.local"},
        "uniq_id": unique, **config})
    case.step((f"{base}/maintenance/mqttConnectionState", "online"))
    return case, base, f"{component}:{unique}"


def official_cases():
    case, base, lock, _ = official("nuki-smart-lock", 1, "Smart Lock 3.0 Pro")
    case.step((f"{base}/connected", "true")).steps_of(f"{base}/state", "1", "2", "3", "4", "254", "5", "7", "255")
    case.step((f"{base}/connected", "false")).step((f"{base}/connected", "true"))
    yield case.asks(lock, "lock", "unlock", "open")
    case, base, lock, nuki = official("nuki-opener", 2, "Opener", pl_lock="", stat_open="5", stat_opening="7", val_tpl="{{ value }}")
    case.kept((f"{base}/connected", "true"), (f"{base}/state", "1"))
    yield case.steps_of(f"{base}/state", "3", "5", "7").asks(lock, "unlock", "open")
    case, base, lock, nuki = official("nuki-battery-and-sensor", 3, "Smart Lock 4.0")
    common = {"~": base, "avty_t": "~/connected", "pl_avail": "true", "pl_not_avail": "false", "dev": {"ids": [nuki], "name": "nuki-battery-and-sensor"}}
    for component, name, more in (
        ("binary_sensor", "battery_low", {"stat_t": "~/batteryCritical", "dev_cla": "battery", "pl_on": "true", "pl_off": "false", "ent_cat": "diagnostic"}),
        ("sensor", "battery", {"stat_t": "~/batteryChargeState", "dev_cla": "battery", "unit_of_meas": "%", "ent_cat": "diagnostic"}),
        ("binary_sensor", "charging", {"stat_t": "~/batteryCharging", "dev_cla": "battery_charging", "pl_on": "true", "pl_off": "false"}),
        ("binary_sensor", "door", {"stat_t": "~/doorsensorState", "dev_cla": "door", "pl_on": "3", "pl_off": "2"}),
        ("binary_sensor", "door_battery", {"stat_t": "~/doorsensorBatteryCritical", "dev_cla": "battery", "pl_on": "true", "pl_off": "false",
                                           "en": False}),
        ("button", "unlatch", {"cmd_t": "~/lockAction", "pl_prs": "3", "name": "Unlatch"}),
        ("button", "lock_n_go", {"cmd_t": "~/lockAction", "pl_prs": "4", "name": "Lock 'n' Go", "ent_cat": "config"}),
    ):
        case.announce(component, f"{nuki}_{name}", {**common, "uniq_id": f"{nuki}_{name}", **more}, node=nuki)
    case.step((f"{base}/connected", "true"), (f"{base}/state", "1"), (f"{base}/batteryCritical", "false"), (f"{base}/batteryChargeState", "82"))
    case.step((f"{base}/doorsensorState", "2"), (f"{base}/batteryCharging", "false")).step((f"{base}/doorsensorState", "3"))
    case.step((f"{base}/doorsensorState", "5"), (f"{base}/batteryCritical", "true"))
    yield case.asks(f"button:{nuki}_unlatch", "press").asks(f"button:{nuki}_lock_n_go", "press")
    case, base, lock, _ = official("nuki-not-heard-of", 4, "Smart Lock 3.0")
    yield case.steps_of(f"{base}/state", "1", "3").asks(lock, "lock")


def hub_cases():
    words = {
        "pl_lock": "lock", "pl_unlk": "unlock", "stat_locked": "locked", "stat_locking": "locking", "stat_unlocked": "unlocked",
        "stat_unlocking": "unlocking", "stat_jam": "motorBlocked", "opt": "false", "name": None, "cmd_t": "~/lock/action",
    }
    case, base, lock = hub(
        "nuki-hub-json", 11, "lock", "lock", stat_t="~/lock/json", val_tpl="{{value_json.lock_state}}", pl_open="unlatch", stat_open="unlatched",
        stat_opening="unlatching", **words)
    states = ("locked", "unlocking", "unlocked", "unlatching", "unlatched", "locking", "motorBlocked", "undefined")
    case.steps_of(f"{base}/lock/json", *[{"lock_state": state, "trigger": "manual"} for state in states])
    case.step((f"{base}/maintenance/mqttConnectionState", "offline"))
    case.step((f"{base}/maintenance/mqttConnectionState", "online"), (f"{base}/lock/json", {"lock_state": "locked"}))
    yield case.asks(lock, "lock", "unlock", "open")
    case, base, lock = hub("nuki-hub-plain", 12, "lock", "lock", stat_t="~/lock/state", **words)
    yield case.steps_of(f"{base}/lock/state", "locked", "unlocked", "boot", "").asks(lock, "lock", "unlock", "open")
    case, base, key = hub(
        "nuki-hub-battery", 13, "sensor", "battery_voltage", name="Battery voltage", stat_t="~/battery/voltage", dev_cla="voltage",
        stat_cla="measurement", unit_of_meas="V", ent_cat="diagnostic", sug_dsp_prc=2)
    yield case.steps_of(f"{base}/battery/voltage", "5.843", "nan", "5.8")
    case, base, key = hub(
        "nuki-hub-door-sensor", 14, "binary_sensor", "door_sensor", name="Door sensor", stat_t="~/lock/doorSensorState", dev_cla="door",
        pl_on="doorOpened", pl_off="doorClosed", pl_not_avail="unavailable", ic="")
    yield case.steps_of(f"{base}/lock/doorSensorState", "doorClosed", "doorOpened", "unavailable", "doorStateUnknown")
    case, base, key = hub(
        "nuki-hub-trigger", 15, "sensor", "trigger", name="Trigger", stat_t="~/lock/trigger", ent_cat="diagnostic", en=True)
    yield case.steps_of(f"{base}/lock/trigger", "system", "manual", "keypad")
    case, base, key = hub(
        "nuki-hub-led", 16, "switch", "led_enabled", name="LED enabled", cmd_t="~/configuration/action", stat_t="~/configuration/basicJson",
        pl_on='{"ledEnabled": "1"}', pl_off='{"ledEnabled": "0"}', stat_on=1, stat_off=0, val_tpl="{{value_json.ledEnabled}}", ent_cat="config")
    yield case.steps_of(f"{base}/configuration/basicJson", {"ledEnabled": 1}, {"ledEnabled": 0}, {}).asks(key, "on", "off")
    case, base, key = hub(
        "nuki-hub-fob", 17, "button", "query_lockstate", name="Query lock state", cmd_t="~/query/lockstate", pl_prs="1", ent_cat="diagnostic")
    yield case.asks(key, "press")
    case, base, key = hub(
        "nuki-hub-rolling", 18, "sensor", "rssi", name="Bluetooth signal strength", stat_t="~/rssi", dev_cla="signal_strength",
        stat_cla="measurement", unit_of_meas="dBm", exp_aft=6)
    yield case.step((f"{base}/rssi", "-71")).step(seconds=8).step((f"{base}/rssi", "-70"))
    case, base, key = hub(
        "nuki-hub-keypad-code", 19, "lock", "lock", stat_t="~/lock/json", val_tpl="{{value_json.lock_state}}", code_format="^\\d{4}$",
        cmd_tpl='{ "action": "{{ value }}", "code": "{{ code }}" }', **words)
    case.steps_of(f"{base}/lock/json", {"lock_state": "locked"})
    case.ask(key, "unlock", code="1234").ask(key, "lock", code="0000").ask(key, "unlock", code="12x4").ask(key, "unlock")
    yield case


def cases():
    yield from official_cases()
    yield from hub_cases()
