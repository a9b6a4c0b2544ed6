"""Sensors as OpenMQTTGateway and Theengs announce them: one JSON telegram, of which each entity reads its own members."""

from mqtt_devices.case import Case

# Name, member, device class, unit, messages of which some lack the member.
READINGS = (
    ("temperature", "tempc", "temperature", "°C", ({"tempc": 21.4, "hum": 51}, {"batt": 88}, {"tempc": 22})),
    ("humidity", "hum", "humidity", "%", ({"hum": 51.0}, {"tempc": 3}, {"hum": 49.5})),
    ("battery", "batt", "battery", "%", ({"batt": 100}, {"batt": 0})),
    ("voltage", "volt", "voltage", "V", ({"volt": 2.976},)),
    ("weight", "weight", "weight", "kg", ({"weight": 71.65}, {"impedance": 480})),
    ("moisture", "moi", "moisture", "%", ({"moi": 23}, {"lux": 100})),
    ("light", "lux", "illuminance", "lx", ({"lux": 1250},)),
    ("pressure", "pres", "atmospheric_pressure", "hPa", ({"pres": 1013.25}, {"pres": "n/a"})),
    ("fertility", "fer", None, "µS/cm", ({"fer": 402},)),
    ("tempf", "tempf", "temperature", "°F", ({"tempf": 70.5}, {"tempc": 21})),
)


def gateway(case_id, firmware, mac, **more):
    case = Case(case_id, firmware)
    name = "OpenMQTTGateway" if firmware == "OpenMQTTGateway" else "TheengsGateway"
    topic = f"home/{case_id}/{'BTtoMQTT/' if firmware != 'OpenMQTTGateway' else name + '/BTtoMQTT/'}{mac}"
    device = {"ids": [mac], "cns": [["mac", mac]], "mf": "Acme", "mdl": "LYWSD03MMC", "name": case_id, "via_device": f"{name}_{case_id}"}
    common = {"stat_t": topic, "dev": device, **more}
    return case, topic, common


def readings(firmware, short, first):
    for number, (name, member, kind, unit, messages) in enumerate(READINGS):
        mac = f"A4C138{first + number:06X}"
        case_id = f"{short}-{name}"
        case, topic, common = gateway(case_id, firmware, mac)
        if firmware == "OpenMQTTGateway":
            common |= {"avty_t": f"home/{case_id}/OpenMQTTGateway/LWT", "pl_avail": "online", "pl_not_avail": "offline"}
            case.step((common["avty_t"], "online"))
        template = f"{{{{ value_json.{member} | is_defined }}}}"
        case.announce("sensor", f"{mac}-{member}", {
            **common, "name": f"{case_id}-{member}", "uniq_id": f"{mac}-{member}", "val_tpl": template, "unit_of_meas": unit, "stat_cla": "measurement",
            **({"dev_cla": kind} if kind else {})})
        yield case.steps_of(topic, *messages)


def open_mqtt_gateway():
    firmware = "OpenMQTTGateway"
    yield from readings(firmware, "omg", 0x100)
    case, topic, common = gateway("omg-door", firmware, "A4C138000201")
    case.announce("binary_sensor", "omg-door", {
        **common, "name": "open", "uniq_id": "A4C138000201-open", "val_tpl": "{{ value_json.open | is_defined }}", "pl_on": "True", "pl_off": "False",
        "dev_cla": "door"})
    yield case.steps_of(topic, {"open": True}, {"batt": 3}, {"open": False})
    case, topic, common = gateway("omg-motion", firmware, "A4C138000202")
    case.announce("binary_sensor", "omg-motion", {
        **common, "name": "motion", "uniq_id": "A4C138000202-motion", "val_tpl": "{{ value_json.motion | is_defined }}", "pl_on": True, "pl_off": False,
        "dev_cla": "motion", "off_dly": 4})
    yield case.step((topic, {"motion": True})).step(seconds=6)
    case = Case("omg-rf-sensor", firmware)
    case.announce("sensor", "omg-rf", {
        "name": "gatewayRF", "stat_t": "home/omg-rf/OMG/RFtoMQTT", "uniq_id": "omg-rf-value", "val_tpl": "{{ value_json.value | is_defined }}",
        "dev": {"ids": "omg-rf", "name": "omg-rf-sensor"}})
    yield case.steps_of("home/omg-rf/OMG/RFtoMQTT", {"value": 5393, "protocol": 1, "length": 24}, {"raw": 1}, {"value": 12345678901})
    case = Case("omg-rf-trigger", firmware)
    for code in ("5393", "5396"):
        case.announce_at(f"homeassistant/device_automation/omg-rft/{code}/config", {
            "atype": "trigger", "type": "received", "stype": code, "t": "home/omg-rft/OMG/RFtoMQTT", "pl": code, "val_tpl": "{{value_json.value}}",
            "dev": {"ids": "omg-rft", "name": "omg-rf-trigger"}})
    yield case.steps_of("home/omg-rft/OMG/RFtoMQTT", {"value": 5393}, {"value": 5393}, {"value": 1}, {"value": 5396})
    case = Case("omg-rf-switch", firmware)
    case.announce("switch", "omg-rfs", {
        "name": "Socket", "cmd_t": "home/omg-rfs/OMG/commands/MQTTto433", "uniq_id": "omg-rfs", "dev": {"ids": "omg-rfs", "name": "omg-rf-switch"},
        "pl_on": '{"value":1315156,"protocol":1,"length":24,"delay":317}', "pl_off": '{"value":1315153,"protocol":1,"length":24,"delay":317}'})
    yield case.asks("switch:omg-rfs", "on", "off")
    case = Case("omg-gateway-system", firmware)
    base = "home/omg-sys/OMG"
    common = {"avty_t": f"{base}/LWT", "pl_avail": "online", "pl_not_avail": "offline", "dev": {"ids": ["omg-sys"], "name": "omg-gateway-system"}}
    for component, name, more in (
        ("binary_sensor", "connectivity", {"stat_t": f"{base}/LWT", "pl_on": "online", "pl_off": "offline", "dev_cla": "connectivity", "avty_t": None}),
        ("sensor", "uptime", {"stat_t": f"{base}/SYStoMQTT", "val_tpl": "{{ value_json.uptime }}", "dev_cla": "duration", "unit_of_meas": "s"}),
        ("switch", "discovery", {"stat_t": f"{base}/SYStoMQTT", "val_tpl": "{{ value_json.disc }}", "stat_on": True, "stat_off": False,
                                 "cmd_t": f"{base}/commands/MQTTtoSYS/config", "pl_on": '{"discovery":true,"save":true}',
                                 "pl_off": '{"discovery":false,"save":true}', "ent_cat": "config"}),
        ("button", "restart", {"cmd_t": f"{base}/commands/MQTTtoSYS/config", "pl_prs": '{"cmd":"restart"}', "dev_cla": "restart"}),
    ):
        config = {key: value for key, value in {**common, "name": name, "uniq_id": f"omg-sys-{name}", **more}.items() if value is not None}
        case.announce(component, f"omg-sys-{name}", config)
    case.step((f"{base}/LWT", "online")).steps_of(f"{base}/SYStoMQTT", {"uptime": 12, "disc": True}, {"uptime": 72, "disc": False})
    yield case.step((f"{base}/LWT", "offline")).step((f"{base}/LWT", "online")).asks("switch:omg-sys-discovery", "on", "off").asks(
        "button:omg-sys-restart", "press")
    case = Case("omg-relay-template", firmware)
    case.announce("switch", "omg-act", {
        "name": "Relay", "uniq_id": "omg-act", "stat_t": "home/omg-act/OMG/ONOFFtoMQTT", "cmd_t": "home/omg-act/OMG/commands/MQTTtoONOFF",
        "val_tpl": "{{ value_json.cmd }}", "pl_on": "1", "pl_off": "0", "cmd_tpl": '{"gpio":15,"cmd":{{ value }}}', "dev": {"ids": "omg-act"}})
    yield case.steps_of("home/omg-act/OMG/ONOFFtoMQTT", {"gpio": 15, "cmd": 1}, {"gpio": 15, "cmd": 0}).asks("switch:omg-act", "on", "off")


def theengs():
    firmware = "Theengs"
    yield from readings(firmware, "theengs", 0x900)
    case, topic, common = gateway("theengs-motion-light", firmware, "A4C138000A01")
    for name, pair in (("motion", (True, False)), ("light_present", (True, False))):
        case.announce("binary_sensor", f"theengs-{name}", {
            **common, "name": name, "uniq_id": f"A4C138000A01-{name}", "val_tpl": f"{{{{ value_json.{name} | is_defined }}}}", "pl_on": pair[0],
            "pl_off": pair[1], "dev_cla": "motion" if name == "motion" else "light"})
    yield case.steps_of(topic, {"motion": True}, {"light_present": False}, {"motion": False, "light_present": True})
    case, topic, common = gateway("theengs-button-event", firmware, "A4C138000A02")
    case.announce("event", "theengs-event", {
        **common, "name": "Button", "uniq_id": "A4C138000A02-button", "evt_typ": ["press", "double_press", "None"],
        "val_tpl": '{"event_type": "{{ value_json.button | default(\'None\') }}"}'})
    yield case.steps_of(topic, {"button": "press"}, {"rssi": -60}, {"button": "double_press"}, {"button": "kick"})
    case, topic, common = gateway("theengs-lock", firmware, "A4C138000A03")
    case.announce("lock", "theengs-lock", {
        **common, "name": "Lock", "uniq_id": "A4C138000A03-lock", "cmd_t": "home/theengs-lock/commands", "pl_lock": '{"id":"A4","cmd":0}',
        "pl_unlk": '{"id":"A4","cmd":1}', "val_tpl": "{{ 'LOCKED' if value_json.lock == 1 else 'UNLOCKED' }}"})
    yield case.steps_of(topic, {"lock": 1}, {"lock": 0}).asks("lock:A4C138000A03-lock", "lock", "unlock")
    case, topic, common = gateway("theengs-curtain", firmware, "A4C138000A04")
    case.announce("cover", "theengs-curtain", {
        "dev": common["dev"], "name": "Curtain", "uniq_id": "A4C138000A04-curtain", "cmd_t": "home/theengs-curtain/commands", "pos_t": topic,
        "pos_tpl": "{{ value_json.position | is_defined }}", "pos_clsd": 100, "pos_open": 0, "set_pos_t": "home/theengs-curtain/commands",
        "set_pos_tpl": '{"model":"X1","cmd":{{ position }},"id":"A4"}', "pl_open": '{"cmd":"open"}', "pl_cls": '{"cmd":"close"}', "pl_stop": None})
    yield case.steps_of(topic, {"position": 100}, {"position": 25}, {"batt": 4}, {"position": 0}).asks(
        "cover:A4C138000A04-curtain", "open", "close", "stop", ("set_position", 80), ("set_position", 0))
    case, topic, common = gateway("theengs-expiry", firmware, "A4C138000A05", exp_aft=6)
    case.announce("sensor", "theengs-expiry", {
        **common, "name": "tempc", "uniq_id": "A4C138000A05-tempc", "val_tpl": "{{ value_json.tempc | is_defined }}", "dev_cla": "temperature",
        "unit_of_meas": "°C"})
    yield case.step((topic, {"tempc": 4.5})).step((topic, {"batt": 90}), seconds=8).step((topic, {"tempc": 5}))


def cases():
    yield from open_mqtt_gateway()
    yield from theengs()
