"""Devices as ESPHome announces them over MQTT: short names, a topic for each property, one status topic for the node."""

from mqtt_devices.case import Case

FIRMWARE = "ESPHome"


class Node:
    def __init__(self, case_id):
        self.case, self.id = Case(case_id, FIRMWARE), case_id
        self.device = {"ids": f"a4cf12{abs(hash_of(case_id)):06x}"[:18], "name": case_id, "sw": "esphome v2025.3.0", "mdl": "esp32dev", "mf": "espressif"}

    def add(self, component, object_id="main", **config):
        base = f"{self.id}/{component}/{object_id}"
        common = {
            "name": object_id, "uniq_id": f"ESP{component}{self.id}-{object_id}", "dev": self.device, "avty_t": f"{self.id}/status",
            "pl_avail": "online", "pl_not_avail": "offline",
        }
        filled = {key: value.replace("~", base) if isinstance(value, str) and key.endswith("_t") else value for key, value in config.items()}
        self.case.announce_at(f"homeassistant/{component}/{self.id}/{object_id}/config", {**common, **filled})
        self.base = base
        return f"{component}:{common['uniq_id']}"

    def online(self):
        self.case.step((f"{self.id}/status", "online"))
        return self.case


def hash_of(text):
    """A small number for a text, the same in every run."""
    number = 7
    for letter in text:
        number = (number * 31 + ord(letter)) % 0xFFFFFF
    return number


def lights():
    for name, modes, states, asked in (
        ("onoff", ["onoff"], [{"state": "ON", "color_mode": "onoff"}], ["on", "off"]),
        ("brightness", ["brightness"], [{"state": "ON", "color_mode": "brightness", "brightness": 128}, {"state": "OFF"}],
         ["on", ("set_brightness", 20), ("set_brightness", 0)]),
        ("ct", ["color_temp"], [{"state": "ON", "color_mode": "color_temp", "brightness": 255, "color_temp": 300}],
         [("set_color", {"temperature": 2700}), ("set_color", {"temperature": 6500})]),
        ("cwww", ["color_temp", "brightness"], [{"state": "ON", "color_mode": "color_temp", "brightness": 99, "color_temp": 200}], []),
        ("rgb", ["rgb"], [{"state": "ON", "color_mode": "rgb", "brightness": 200, "color": {"r": 255, "g": 0, "b": 127}},
                          {"state": "ON", "color_mode": "rgb", "brightness": 50, "color": {"r": 10, "g": 20, "b": 30}}],
         [("set_color", {"hue": 0, "saturation": 100}), ("set_color", {"hue": 210, "saturation": 33}), ("set_brightness", 75)]),
        ("rgbw", ["rgbw"], [{"state": "ON", "color_mode": "rgbw", "brightness": 255, "color": {"r": 255, "g": 0, "b": 0, "w": 0}},
                            {"state": "ON", "color_mode": "rgbw", "brightness": 255, "color": {"r": 0, "g": 0, "b": 0, "w": 255}},
                            {"state": "ON", "color_mode": "rgbw", "brightness": 255, "color": {"r": 0, "g": 255, "b": 0, "w": 100}}],
         [("set_color", {"hue": 120, "saturation": 100}), ("set_color", {"hue": 120, "saturation": 50})]),
        ("rgbww", ["rgbww"], [{"state": "ON", "color_mode": "rgbww", "brightness": 128, "color": {"r": 255, "g": 255, "b": 0, "c": 0, "w": 0}},
                              {"state": "ON", "color_mode": "rgbww", "brightness": 128, "color": {"r": 0, "g": 0, "b": 0, "c": 255, "w": 255}}],
         [("set_color", {"hue": 60, "saturation": 100}), ("set_color", {"hue": 240, "saturation": 20})]),
        ("rgbct", ["rgb", "color_temp"], [{"state": "ON", "color_mode": "color_temp", "brightness": 90, "color_temp": 400},
                                          {"state": "ON", "color_mode": "rgb", "brightness": 90, "color": {"r": 0, "g": 255, "b": 255}}],
         [("set_color", {"temperature": 3500}), ("set_color", {"hue": 180, "saturation": 100})]),
        ("white", ["rgb", "white"], [{"state": "ON", "color_mode": "white", "brightness": 51}],
         [("set_color", {"white": 40}), ("set_color", {"hue": 10, "saturation": 90}), ("set_color", {"white": 100})]),
    ):
        node = Node(f"esp-light-{name}")
        bright = {} if modes == ["onoff"] else {"brightness": True}
        whites = {"min_mirs": 153, "max_mirs": 500} if "color_temp" in modes else {}
        light = node.add("light", schema="json", clrm=True, sup_clrm=modes, stat_t="~/state", cmd_t="~/command", **bright, **whites)
        yield node.online().steps_of(f"{node.base}/state", *states).asks(light, *asked)
    node = Node("esp-light-effects")
    light = node.add(
        "light", schema="json", clrm=True, sup_clrm=["rgb"], brightness=True, effect=True, fx_list=["None", "Rainbow", "Pulse"], stat_t="~/state",
        cmd_t="~/command")
    node.online().steps_of(
        f"{node.base}/state", {"state": "ON", "color_mode": "rgb", "brightness": 128, "color": {"r": 1, "g": 1, "b": 1}, "effect": "Rainbow"},
        {"state": "ON", "effect": "None"}, {"state": "OFF"}, {"state": "ON"})
    yield node.case.asks(light, ("set_effect", "Rainbow"), ("set_effect", "Disco"), "on")


def covers():
    words = {"pl_open": "OPEN", "pl_cls": "CLOSE", "pl_stop": "STOP"}
    node = Node("esp-cover-endstop")
    cover = node.add("cover", stat_t="~/state", cmd_t="~/command", dev_cla="garage", **words)
    yield node.online().steps_of(f"{node.base}/state", "open", "closing", "closed", "opening", "open").asks(cover, "open", "close", "stop")
    node = Node("esp-cover-position")
    cover = node.add("cover", stat_t="~/state", cmd_t="~/command", pos_t="~/position/state", set_pos_t="~/position/command", dev_cla="blind")
    node.online().step((f"{node.base}/position/state", "30")).step((f"{node.base}/state", "open"))
    node.case.step((f"{node.base}/state", "closing")).step((f"{node.base}/position/state", "0"), (f"{node.base}/state", "closed"))
    yield node.case.step((f"{node.base}/position/state", "no number")).asks(cover, ("set_position", 45), "stop")
    node = Node("esp-cover-tilt")
    cover = node.add(
        "cover", stat_t="~/state", cmd_t="~/command", tilt_stat_t="~/tilt/state", tilt_cmd_t="~/tilt/command", dev_cla="shutter")
    yield node.online().step((f"{node.base}/tilt/state", "75"), (f"{node.base}/state", "open")).asks(cover, ("set_tilt", 10), ("set_tilt", 100))
    node = Node("esp-cover-assumed")
    cover = node.add("cover", cmd_t="~/command", opt=True, dev_cla="gate")
    yield node.online().asks(cover, "open", "close")
    node = Node("esp-cover-inverted")
    cover = node.add(
        "cover", cmd_t="~/command", pos_t="~/position/state", set_pos_t="~/position/command", pos_open=0, pos_clsd=255)
    yield node.online().steps_of(f"{node.base}/position/state", "0", "255", "128", "64", "254").asks(
        cover, ("set_position", 0), ("set_position", 100), ("set_position", 25))


def fans():
    node = Node("esp-fan-simple")
    fan = node.add("fan", stat_t="~/state", cmd_t="~/command")
    yield node.online().steps_of(f"{node.base}/state", "ON", "OFF", "MAYBE").asks(fan, "on", "off")
    node = Node("esp-fan-whole")
    fan = node.add(
        "fan", stat_t="~/state", cmd_t="~/command", osc_stat_t="~/oscillation/state", osc_cmd_t="~/oscillation/command",
        pct_stat_t="~/speed_level/state", pct_cmd_t="~/speed_level/command", spd_rng_min=1, spd_rng_max=6, dir_stat_t="~/direction/state",
        dir_cmd_t="~/direction/command")
    node.online().step((f"{node.base}/state", "ON"), (f"{node.base}/oscillation/state", "oscillate_on"))
    node.case.steps_of(f"{node.base}/speed_level/state", "1", "4", "6", "0", "7", "x", "5")
    node.case.step((f"{node.base}/direction/state", "forward"), (f"{node.base}/oscillation/state", "oscillate_off"))
    yield node.case.step((f"{node.base}/direction/state", "reverse")).asks(
        fan, ("set_percentage", 50), ("set_percentage", 17), ("set_percentage", 0), ("oscillate", True), ("oscillate", False),
        ("set_direction", "reverse"), ("set_direction", "forward"), "on")
    node = Node("esp-fan-presets")
    fan = node.add(
        "fan", stat_t="~/state", cmd_t="~/command", pr_mode_cmd_t="~/preset/command", pr_mode_stat_t="~/preset/state",
        pr_modes=["auto", "sleep", "turbo"], pl_rst_pr_mode="")
    node.online().step((f"{node.base}/state", "ON"))
    yield node.case.steps_of(f"{node.base}/preset/state", "auto", "sleep", "storm", "None").asks(fan, ("set_preset", "turbo"), ("set_preset", "auto"))


def climates():
    node = Node("esp-climate-two-point")
    climate = node.add(
        "climate", curr_temp_t="~/current_temperature/state", mode_cmd_t="~/mode/command", mode_stat_t="~/mode/state",
        modes=["off", "heat_cool", "cool", "heat"], temp_lo_cmd_t="~/target_temperature_low/command", min_temp=16, max_temp=30, temp_step=0.5,
        temp_lo_stat_t="~/target_temperature_low/state", temp_hi_cmd_t="~/target_temperature_high/command", temp_unit="C",
        temp_hi_stat_t="~/target_temperature_high/state", act_t="~/action/state", precision=0.1)
    node.online().step((f"{node.base}/mode/state", "heat_cool"), (f"{node.base}/current_temperature/state", "21.37"))
    node.case.step((f"{node.base}/target_temperature_low/state", "19.0"), (f"{node.base}/target_temperature_high/state", "24"))
    node.case.steps_of(f"{node.base}/action/state", "heating", "IDLE", "idle")
    yield node.case.asks(climate, ("set_temperature", {"low": 18, "high": 26.5}), ("set_mode", "heat"), "on", "off")
    node = Node("esp-climate-presets")
    climate = node.add(
        "climate", curr_temp_t="~/current_temperature/state", mode_cmd_t="~/mode/command", mode_stat_t="~/mode/state", modes=["off", "heat", "fan_only", "dry"],
        temp_cmd_t="~/target_temperature/command", temp_stat_t="~/target_temperature/state", pr_mode_cmd_t="~/preset/command",
        pr_mode_stat_t="~/preset/state", pr_modes=["home", "away", "boost"], swing_mode_cmd_t="~/swing_mode/command",
        swing_mode_stat_t="~/swing_mode/state", swing_modes=["off", "vertical"])
    node.online().step((f"{node.base}/mode/state", "dry"), (f"{node.base}/preset/state", "boost"), (f"{node.base}/target_temperature/state", "22"))
    node.case.step((f"{node.base}/preset/state", "none")).step((f"{node.base}/mode/state", "OFF")).step((f"{node.base}/mode/state", "off"))
    node.case.step((f"{node.base}/preset/state", "away"))
    yield node.case.asks(climate, ("set_preset", "home"), ("set_preset", "none"), ("set_mode", "fan_only"), ("set_temperature", 25), "on", "off")


def doors():
    node = Node("esp-lock")
    lock = node.add("lock", stat_t="~/state", cmd_t="~/command", pl_open="OPEN")
    node.online().steps_of(f"{node.base}/state", "LOCKED", "LOCKING", "UNLOCKED", "UNLOCKING", "JAMMED", "NONE", "None")
    yield node.case.asks(lock, "lock", "unlock", "open")
    node = Node("esp-lock-assumed")
    lock = node.add("lock", cmd_t="~/command", opt=True)
    yield node.online().asks(lock, "lock", "unlock", "open")
    node = Node("esp-valve")
    valve = node.add("valve", stat_t="~/state", cmd_t="~/command", dev_cla="water")
    yield node.online().steps_of(f"{node.base}/state", "open", "closing", "closed", "opening", "half").asks(valve, "open", "close", "stop")
    node = Node("esp-valve-position")
    valve = node.add("valve", stat_t="~/state", cmd_t="~/command", pos=True, pl_stop="STOP", reports_position=True)
    yield node.online().steps_of(
        f"{node.base}/state", "0", "50", "100", {"state": "opening", "position": 30}, {"position": 40}, {"state": "closing"}, "0").asks(
        valve, "open", "close", "stop", ("set_position", 35))
    node = Node("esp-alarm")
    alarm = node.add(
        "alarm_control_panel", stat_t="~/state", cmd_t="~/command", sup_feat=["arm_home", "arm_away", "arm_night", "trigger"],
        cod_arm_req=False, cod_dis_req=False)
    states = ("disarmed", "arming", "armed_away", "pending", "triggered", "disarming", "armed_home", "armed_night", "armed_custom_bypass", "off")
    node.online().steps_of(f"{node.base}/state", *states)
    yield node.case.asks(alarm, ("arm", "away"), ("arm", "home"), ("arm", "vacation"), "disarm", "trigger")
    node = Node("esp-button")
    button = node.add("button", "restart", cmd_t="~/command", dev_cla="restart", ent_cat="config")
    yield node.online().asks(button, "press")
    node = Node("esp-switch-lock")
    switch = node.add("switch", "relay", stat_t="~/state", cmd_t="~/command", ic="mdi:door", ent_cat="config")
    yield node.online().steps_of(f"{node.base}/state", "ON", "OFF", "on", "None").asks(switch, "on", "off")
    node = Node("esp-event")
    node.add("event", "doorbell", stat_t="~/state", evt_typ=["press", "double_press"], dev_cla="doorbell")
    yield node.online().steps_of(
        f"{node.base}/state", {"event_type": "press"}, {"event_type": "press"}, {"event_type": "long"}, "press", "", {"event_type": "double_press", "count": 2})


def sensors():
    for name, more, values in (
        ("temperature", {"dev_cla": "temperature", "unit_of_meas": "°C", "stat_cla": "measurement", "sug_dsp_prc": 1}, ("21.50", "21.5", "nan", "22")),
        ("fahrenheit", {"dev_cla": "temperature", "unit_of_meas": "°F"}, ("72.5", "-40", "none")),
        ("kelvin", {"dev_cla": "temperature", "unit_of_meas": "K"}, ("293.15",)),
        ("uptime", {"dev_cla": "duration", "unit_of_meas": "s", "stat_cla": "total_increasing", "ent_cat": "diagnostic"}, ("3605", "0")),
        ("pulse", {"unit_of_meas": "m³", "stat_cla": "total", "lrst_val_tpl": "2026-01-01T00:00:00+00:00"}, ("10.3",)),
        ("wifi", {"dev_cla": "signal_strength", "unit_of_meas": "dBm", "exp_aft": 6, "ent_cat": "diagnostic"}, ("-60",)),
        ("power", {"dev_cla": "power", "unit_of_meas": "kW", "stat_cla": "measurement"}, ("1.234", "0", "-0.5")),
        ("energy", {"dev_cla": "energy", "unit_of_meas": "Wh", "stat_cla": "total_increasing"}, ("1234", "15")),
        ("megawatt", {"dev_cla": "energy", "unit_of_meas": "MWh", "stat_cla": "total_increasing"}, ("1.5",)),
        ("text", {"ic": "mdi:text"}, ("hello", "", "unknown", "None")),
    ):
        node = Node(f"esp-sensor-{name}")
        node.add("sensor", name, stat_t="~/state", **more)
        node.online().steps_of(f"{node.base}/state", *values)
        if "exp_aft" in more:
            node.case.step(seconds=8).step((f"{node.base}/state", "-61"))
        yield node.case
    for name, more, values in (
        ("status", {"dev_cla": "connectivity"}, ("ON", "OFF", "UNKNOWN")), ("motion", {"dev_cla": "motion", "off_dly": 4}, ("ON",)),
        ("window", {"dev_cla": "window", "pl_on": "OPEN", "pl_off": "CLOSED"}, ("OPEN", "CLOSED", "ON")),
    ):
        node = Node(f"esp-binary-{name}")
        node.add("binary_sensor", name, stat_t="~/state", **more)
        node.online().steps_of(f"{node.base}/state", *values)
        if "off_dly" in more:
            node.case.step(seconds=6).step((f"{node.base}/state", "ON"))
        yield node.case


def cases():
    for family in (lights, covers, fans, climates, doors, sensors):
        yield from family()
