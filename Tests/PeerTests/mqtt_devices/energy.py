"""WLED, EVCC and OpenDTU: lights of many pixels, charging, and solar inverters."""

from mqtt_devices.case import Case


def wled():
    firmware = "WLED"
    hexadecimal = "{{ value[1:3] | int(base=16) }},{{ value[3:5] | int(base=16) }},{{ value[5:7] | int(base=16) }}"
    common = lambda base: {  # noqa: E731
        "~": base, "name": None, "avty_t": "~/status", "cmd_t": "~", "stat_t": "~/g", "stat_val_tpl": "{% if value|int > 0 %}ON{% else %}OFF{% endif %}",
        "bri_cmd_t": "~", "bri_stat_t": "~/g", "bri_val_tpl": "{{ value|int }}", "rgb_cmd_t": "~/col",
        "rgb_cmd_tpl": "{{ '#%02x%02x%02x' | format(red, green, blue) }}", "rgb_stat_t": "~/c", "rgb_val_tpl": hexadecimal, "optimistic": False,
        "dev": {"ids": base.replace("/", "-"), "name": base.split("/")[1], "mf": "WLED"}, "uniq_id": base.replace("/", "-")}
    for order in ("first", "last", "brightness"):
        base = f"wled/wled-{order}"
        case = Case(f"wled-{order}", firmware).announce("light", f"wled-{order}", {**common(base), "on_cmd_type": order})
        case.step((f"{base}/status", "online"), (f"{base}/g", "128"), (f"{base}/c", "#FFA000")).step((f"{base}/g", "0")).step((f"{base}/g", "255"))
        case.step((f"{base}/c", "#000000")).step((f"{base}/c", "#0040FF"))
        yield case.asks(f"light:wled-wled-{order}", "on", "off", ("set_brightness", 50), ("set_color", {"hue": 30, "saturation": 100}))
    base = "wled/wled-effects"
    case = Case("wled-effects", firmware).announce("light", "wled-effects", {
        **common(base), "fx_cmd_t": "~/api", "fx_cmd_tpl": "FX={{ value }}", "fx_stat_t": "~/fx", "fx_list": ["0", "9", "66"], "fx_val_tpl": "{{ value }}"})
    case.step((f"{base}/status", "online"), (f"{base}/g", "60"), (f"{base}/fx", "9")).step((f"{base}/fx", "1"))
    yield case.asks("light:wled-wled-effects", ("set_effect", "66"), "on")
    base = "wled/wled-rgbw"
    case = Case("wled-rgbw", firmware).announce("light", "wled-rgbw", {
        **{key: value for key, value in common(base).items() if not key.startswith("rgb_")}, "rgbw_cmd_t": "~/col",
        "rgbw_cmd_tpl": "{{ '#%02x%02x%02x%02x' | format(white, red, green, blue) }}", "rgbw_stat_t": "~/c",
        "rgbw_val_tpl": "{{ value[3:5]|int(base=16) }},{{ value[5:7]|int(base=16) }},{{ value[7:9]|int(base=16) }},{{ value[1:3]|int(base=16) }}"})
    case.step((f"{base}/status", "online"), (f"{base}/g", "200"), (f"{base}/c", "#00FF0000")).step((f"{base}/c", "#FF000000"))
    yield case.asks("light:wled-wled-rgbw", ("set_color", {"hue": 240, "saturation": 100}), ("set_color", {"hue": 240, "saturation": 30}))
    base = "wled/wled-segment"
    case = Case("wled-segment-switches", firmware)
    for name, on, off in (("nightlight", "NL=1", "NL=0"), ("sync", "SN=1", "SN=0")):
        case.announce("switch", f"wled-segment-{name}", {
            "name": name, "uniq_id": f"wled-segment-{name}", "cmd_t": f"{base}/api", "pl_on": on, "pl_off": off, "avty_t": f"{base}/status",
            "dev": {"ids": "wled-segment", "name": "wled-segment-switches"}, "ent_cat": "config"})
        case.asks(f"switch:wled-segment-{name}", "on", "off")
    yield case.step((f"{base}/status", "online"))
    base = "wled/wled-xml"
    case = Case("wled-xy-and-temperature", firmware).announce("light", "wled-xml", {
        **{key: value for key, value in common(base).items() if not key.startswith("rgb_")}, "xy_cmd_t": "~/xy", "xy_stat_t": "~/xy/state",
        "clr_temp_cmd_t": "~/ct", "clr_temp_stat_t": "~/ct/state", "clr_temp_k": True, "min_k": 2200, "max_k": 6000, "clrm_stat_t": "~/mode"})
    case.step((f"{base}/status", "online"), (f"{base}/g", "200"), (f"{base}/ct/state", "3000"), (f"{base}/mode", "color_temp"))
    case.step((f"{base}/xy/state", "0.675,0.322"), (f"{base}/mode", "xy"))
    yield case.asks("light:wled-wled-xml", ("set_color", {"temperature": 4000}), ("set_color", {"hue": 55, "saturation": 60}), ("set_brightness", 5))
    base = "wled/wled-rgbww"
    case = Case("wled-rgbww", firmware).announce("light", "wled-rgbww", {
        **{key: value for key, value in common(base).items() if not key.startswith("rgb_")}, "rgbww_cmd_t": "~/col", "rgbww_stat_t": "~/c"})
    case.step((f"{base}/status", "online"), (f"{base}/g", "100"), (f"{base}/c", "10,20,30,40,50")).step((f"{base}/c", "0,255,0,0,0"))
    yield case.asks("light:wled-wled-rgbww", ("set_color", {"hue": 0, "saturation": 50}), ("set_color", {"hue": 180, "saturation": 100}))


LOADPOINT = (
    ("sensor", "chargePower", {"dev_cla": "power", "unit_of_meas": "W", "stat_cla": "measurement", "sug_dsp_prc": 0}, ("0", "3680.5")),
    ("sensor", "chargedEnergy", {"dev_cla": "energy", "unit_of_meas": "Wh", "stat_cla": "total_increasing"}, ("0", "12345.6")),
    ("sensor", "vehicleSoc", {"dev_cla": "battery", "unit_of_meas": "%"}, ("54", "nil", "55.5")),
    ("sensor", "chargeDuration", {"dev_cla": "duration", "unit_of_meas": "s", "val_tpl": "{{ (value | int / 1000000000) | round(0) | int }}"}, ("61000000000",)),
    ("sensor", "chargeCurrents", {"dev_cla": "current", "unit_of_meas": "A", "val_tpl": "{{ value_json[0] }}"}, ([15.9, 16, 16], [])),
    ("sensor", "vehicleRange", {"dev_cla": "distance", "unit_of_meas": "km"}, ("213",)),
    ("sensor", "planTime", {"dev_cla": "timestamp", "val_tpl": "{% if value %}{{ value }}{% else %}None{% endif %}"}, ("2026-11-29T06:00:00Z", "")),
    ("sensor", "mode", {"dev_cla": "enum", "options": ["off", "pv", "minpv", "now"]}, ("pv", "now", "fast")),
    ("sensor", "phasesActive", {}, ("3", "1")),
    ("sensor", "sessionPrice", {"dev_cla": "monetary", "unit_of_meas": "EUR"}, ("1.23",)),
    ("binary_sensor", "charging", {"pl_on": "true", "pl_off": "false", "dev_cla": "battery_charging"}, ("true", "false", "nil")),
    ("binary_sensor", "connected", {"pl_on": "true", "pl_off": "false", "dev_cla": "plug"}, ("true",)),
    ("binary_sensor", "planActive", {"val_tpl": "{{ 'ON' if value == 'true' else 'OFF' }}"}, ("true", "false")),
)


def evcc():
    firmware = "EVCC"
    for component, name, more, payloads in LOADPOINT:
        case_id = f"evcc-{component.replace('_', '-')}-{name.lower()}"
        base = case_id
        case = Case(case_id, firmware).announce(component, f"evcc_{name}", {
            "name": name, "uniq_id": f"evcc_loadpoint_1_{name}", "stat_t": f"{base}/loadpoints/1/{name}", "avty_t": f"{base}/status", "dev": {
                "ids": [f"{case_id}_1"], "name": case_id, "mf": "evcc.io", "mdl": "Loadpoint"}, **more})
        yield case.step((f"{base}/status", "online")).steps_of(f"{base}/loadpoints/1/{name}", *payloads)
    base = "evcc-control"
    case = Case("evcc-control", firmware).announce("switch", "evcc_battery_boost", {
        "name": "Battery boost", "uniq_id": "evcc_boost", "stat_t": f"{base}/loadpoints/1/batteryBoost", "cmd_t": f"{base}/loadpoints/1/batteryBoost/set",
        "pl_on": True, "pl_off": False, "stat_on": "true", "stat_off": "false", "dev": {"ids": ["evcc-control"], "name": "evcc-control"}})
    case.announce("select", "evcc_mode", {
        "name": "Mode", "uniq_id": "evcc_mode_select", "cmd_t": f"{base}/loadpoints/1/mode/set", "options": ["off", "pv"], "dev": {"ids": ["evcc-control"]}})
    case.announce("button", "evcc_pv", {
        "name": "PV mode", "uniq_id": "evcc_pv", "cmd_t": f"{base}/loadpoints/1/mode/set", "pl_prs": "pv", "dev": {"ids": ["evcc-control"]}})
    yield case.steps_of(f"{base}/loadpoints/1/batteryBoost", "true", "false").asks("switch:evcc_boost", "on", "off").asks("button:evcc_pv", "press")


def open_dtu():
    firmware = "OpenDTU"
    for number, (name, more, payloads, expires) in enumerate((
        ("power", {"dev_cla": "power", "unit_of_meas": "W", "stat_cla": "measurement"}, ("312.4", "0.0"), 7),
        ("yieldday", {"dev_cla": "energy", "unit_of_meas": "Wh", "stat_cla": "total_increasing"}, ("1023",), None),
        ("yieldtotal", {"dev_cla": "energy", "unit_of_meas": "kWh", "stat_cla": "total_increasing"}, ("831.027",), None),
        ("temperature", {"dev_cla": "temperature", "unit_of_meas": "°C", "stat_cla": "measurement"}, ("27.5",), None),
        ("frequency", {"dev_cla": "frequency", "unit_of_meas": "Hz", "stat_cla": "measurement"}, ("50.01",), None),
        ("efficiency", {"unit_of_meas": "%", "stat_cla": "measurement"}, ("95.2", ""), None),
        ("reactivepower", {"dev_cla": "reactive_power", "unit_of_meas": "var"}, ("-1.2",), None),
        ("powerfactor", {"dev_cla": "power_factor", "stat_cla": "measurement"}, ("0.99",), None),
    )):
        case_id = f"dtu-{name}"
        base = f"{case_id}/1141{number:08d}"
        case = Case(case_id, firmware).announce("sensor", f"ch0_{name}", {
            "name": f"AC {name.title()}", "uniq_id": f"1141{number:08d}_0_{name}", "stat_t": f"{base}/0/{name}",
            "dev": {"ids": f"1141{number:08d}", "name": case_id, "cu": "http://192.0.2.3", "mf": "OpenDTU", "mdl": "HM-600", "sw": "abc", "via_device": f"dtu_{case_id}"},
            "avty_t": f"{case_id}/dtu/status", "pl_avail": "online", "pl_not_avail": "offline", **more, **({"exp_aft": expires} if expires else {})}, node=f"dtu_{number}")
        case.step((f"{case_id}/dtu/status", "online")).steps_of(f"{base}/0/{name}", *payloads)
        if expires:
            case.step(seconds=expires + 2).step((f"{base}/0/{name}", "5.5"))
        yield case
    base = "dtu-inverter/114199"
    case = Case("dtu-inverter", firmware)
    device = {"ids": "114199", "name": "dtu-inverter", "mf": "OpenDTU"}
    for component, name, more in (
        ("binary_sensor", "reachable", {"stat_t": f"{base}/status/reachable", "pl_on": "1", "pl_off": "0", "dev_cla": "connectivity", "ent_cat": "diagnostic"}),
        ("binary_sensor", "producing", {"stat_t": f"{base}/status/producing", "pl_on": "1", "pl_off": "0", "dev_cla": "power"}),
        ("button", "restart", {"cmd_t": f"{base}/cmd/restart", "pl_prs": "1", "dev_cla": "restart", "ent_cat": "config", "ic": "mdi:restart"}),
        ("button", "turn_off", {"cmd_t": f"{base}/cmd/power", "pl_prs": "0", "name": "Turn Inverter Off", "ent_cat": "config"}),
        ("number", "limit", {"cmd_t": f"{base}/cmd/limit_nonpersistent_relative", "stat_t": f"{base}/status/limit_relative", "min": 0, "max": 100}),
    ):
        case.announce(component, f"114199_{name}", {"name": name, "uniq_id": f"114199_{name}", "dev": device, **more}, node="dtu_inverter")
    case.step((f"{base}/status/reachable", "1"), (f"{base}/status/producing", "0")).step((f"{base}/status/reachable", "0"))
    yield case.asks("button:114199_restart", "press").asks("button:114199_turn_off", "press")


def cases():
    for family in (wled, evcc, open_dtu):
        yield from family()
