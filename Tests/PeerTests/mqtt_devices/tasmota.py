"""Devices as Tasmota announces them: one JSON telegram of the whole state, a base topic, and `Online` or `Offline`."""

from mqtt_devices.case import Case

FIRMWARE = "Tasmota"


class Module:
    def __init__(self, case_id):
        self.case, self.id = Case(case_id, FIRMWARE), case_id
        self.base = f"{case_id}/"
        self.common = {
            "~": self.base, "avty_t": "~tele/LWT", "pl_avail": "Online", "pl_not_avail": "Offline",
            "dev": {"ids": [f"tas-{case_id}"], "name": case_id, "mdl": "Sonoff", "sw": "14.5.0", "mf": "Tasmota"},
        }

    def add(self, component, object_id, **config):
        unique = f"{self.id}_{object_id}"
        self.case.announce(component, unique, {"name": object_id, **self.common, "uniq_id": unique, **config})
        return f"{component}:{unique}"

    def online(self):
        self.case.step((f"{self.base}tele/LWT", "Online"))
        return self.case

    def tells(self, *states, place="tele/STATE"):
        return self.case.steps_of(f"{self.base}{place}", *states)


def relays():
    module = Module("tas-relay")
    relay = module.add("switch", "RL_1", cmd_t="~cmnd/POWER", stat_t="~tele/STATE", val_tpl="{{value_json.POWER}}", pl_off="OFF", pl_on="ON")
    module.online()
    module.tells({"POWER": "ON"}, {"Wifi": {"RSSI": 80}}, {"POWER": "OFF"}, "no JSON", "")
    yield module.case.step(("tas-relay/tele/LWT", "Offline")).step(("tas-relay/tele/LWT", "Online")).asks(relay, "on", "off")
    module = Module("tas-four")
    for number in (1, 2, 3):
        relay = module.add(
            "switch", f"RL_{number}", cmd_t=f"~cmnd/POWER{number}", stat_t="~tele/STATE", val_tpl=f"{{{{value_json.POWER{number}}}}}")
        module.case.asks(relay, "on")
    module.online()
    yield module.tells({"POWER1": "ON", "POWER2": "OFF", "POWER3": "OFF"}, {"POWER2": "ON"})
    module = Module("tas-result")
    relay = module.add("switch", "RL_1", cmd_t="~cmnd/POWER", stat_t="~stat/RESULT", val_tpl="{{value_json['POWER'] | default('')}}", stat_on="ON", stat_off="OFF")
    module.online()
    yield module.tells({"POWER": "ON"}, {"Dimmer": 40}, {"POWER": "OFF"}, place="stat/RESULT").asks(relay, "off")
    module = Module("tas-fan")
    fan = module.add(
        "fan", "FN", cmd_t="~cmnd/FanSpeed", stat_t="~tele/STATE", stat_val_tpl="{% if value_json.FanSpeed is defined %}"
        "{% if value_json.FanSpeed == 0 %}0{% else %}{{value_json.FanSpeed}}{% endif %}{% endif %}", pl_off="0", pl_on="1",
        pct_cmd_t="~cmnd/FanSpeed", pct_stat_t="~tele/STATE", pct_val_tpl="{{value_json.FanSpeed}}", spd_rng_min=1, spd_rng_max=3)
    module.online()
    yield module.tells({"FanSpeed": 0}, {"FanSpeed": 1}, {"FanSpeed": 3}).asks(fan, ("set_percentage", 66), "on", "off", ("set_percentage", 0))


def lights():
    dimmer = {
        "cmd_t": "~cmnd/POWER", "stat_t": "~tele/STATE", "stat_val_tpl": "{{value_json.POWER}}", "bri_cmd_t": "~cmnd/Dimmer",
        "bri_stat_t": "~tele/STATE", "bri_scl": 100, "bri_val_tpl": "{{value_json.Dimmer}}", "on_cmd_type": "brightness",
    }
    module = Module("tas-dimmer")
    light = module.add("light", "LI_1", **dimmer)
    module.online()
    yield module.tells({"POWER": "ON", "Dimmer": 60}, {"POWER": "ON", "Dimmer": 1}, {"POWER": "OFF", "Dimmer": 60}, {"POWER": "ON"}).asks(
        light, "on", "off", ("set_brightness", 35), ("set_brightness", 100), ("set_brightness", 0))
    # A light has no `value_template`; Home Assistant reads the whole message as its state.
    module = Module("tas-dimmer-older")
    module.add("light", "LI_1", **{key: value for key, value in dimmer.items() if key != "stat_val_tpl"}, val_tpl="{{value_json.POWER}}")
    module.online()
    yield module.tells({"POWER": "ON", "Dimmer": 60}, "ON")
    module = Module("tas-ct")
    light = module.add(
        "light", "LI_1", **dimmer, clr_temp_cmd_t="~cmnd/CT", clr_temp_stat_t="~tele/STATE", clr_temp_val_tpl="{{value_json.CT}}", min_mirs=153,
        max_mirs=500)
    module.online()
    yield module.tells({"POWER": "ON", "Dimmer": 60, "CT": 327}, {"POWER": "ON", "CT": 153}).asks(
        light, ("set_color", {"temperature": 2500}), ("set_color", {"temperature": 5000}))
    module = Module("tas-rgb")
    light = module.add(
        "light", "LI_1", **dimmer, rgb_cmd_t="~cmnd/Color2", rgb_stat_t="~tele/STATE", rgb_val_tpl="{{value_json.Color.split(',')[0:3]|join(',')}}",
        fx_cmd_t="~cmnd/Scheme", fx_stat_t="~tele/STATE", fx_val_tpl="{{value_json.Scheme|default(0)}}", fx_list=[0, 1, 2, 3, 4])
    module.online()
    yield module.tells(
        {"POWER": "ON", "Dimmer": 100, "Color": "255,0,0", "Scheme": 0}, {"POWER": "ON", "Dimmer": 50, "Color": "0,127,64,0", "Scheme": 2}).asks(
        light, "on", ("set_color", {"hue": 120, "saturation": 100}), ("set_effect", "3"), ("set_color", {"hue": 20, "saturation": 60}))
    module = Module("tas-hsb")
    light = module.add(
        "light", "LI_1", cmd_t="~cmnd/POWER", stat_t="~tele/STATE", stat_val_tpl="{{value_json.POWER}}", hs_cmd_t="~cmnd/HsbColor",
        hs_cmd_tpl="{{hue}},{{sat}},100", hs_stat_t="~tele/STATE", hs_val_tpl="{{value_json.HSBColor.split(',')[0:2]|join(',')}}")
    module.online()
    yield module.tells({"POWER": "ON", "HSBColor": "0,100,100"}, {"POWER": "ON", "HSBColor": "240,40,50"}).asks(
        light, ("set_color", {"hue": 90, "saturation": 25}), ("set_color", {"hue": 12.5, "saturation": 99.5}), "off")
    module = Module("tas-white")
    light = module.add(
        "light", "LI_1", **dimmer, rgb_cmd_t="~cmnd/Color2", rgb_stat_t="~tele/STATE",
        rgb_val_tpl="{{value_json.Color.split(',')[0:3]|join(',')}}", whit_cmd_t="~cmnd/White", whit_scl=100,
        clrm_stat_t="~tele/STATE", clrm_val_tpl="{% if value_json.White|int > 0 %}white{% else %}rgb{% endif %}")
    module.online()
    yield module.tells(
        {"POWER": "ON", "Dimmer": 40, "Color": "0,0,0,102", "White": 40}, {"POWER": "ON", "Dimmer": 90, "Color": "230,0,0,0", "White": 0}).asks(
        light, ("set_color", {"white": 55}), ("set_color", {"white": 100}), ("set_color", {"hue": 0, "saturation": 100}))


def shutters():
    module = Module("tas-shutter")
    cover = module.add(
        "cover", "SHT_1", cmd_t="~cmnd/Backlog", pl_open="ShutterOpen1", pl_cls="ShutterClose1", pl_stop="ShutterStop1", pos_t="~stat/SHUTTER1",
        pos_tpl="{{value}}", set_pos_t="~cmnd/ShutterPosition1", pos_clsd=0, pos_open=100)
    module.online()
    yield module.tells("20", "0", "100", place="stat/SHUTTER1").asks(cover, "open", "close", "stop", ("set_position", 55))
    module = Module("tas-shutter-json")
    cover = module.add(
        "cover", "SHT_1", cmd_t="~cmnd/Backlog", pl_open="ShutterOpen1", pl_cls="ShutterClose1", pl_stop="ShutterStop1", pos_t="~tele/SENSOR",
        pos_tpl='{"position": {{value_json.Shutter1.Position}}, "tilt_position": {{value_json.Shutter1.Tilt}}}',
        set_pos_t="~cmnd/ShutterPosition1", tilt_cmd_t="~cmnd/ShutterTilt1", tilt_min=-90, tilt_max=90, tilt_opnd_val=0, tilt_clsd_val=90)
    module.online()
    yield module.tells(
        {"Shutter1": {"Position": 35, "Direction": 0, "Target": 35, "Tilt": 0}}, {"Shutter1": {"Position": 0, "Tilt": -90}},
        {"Shutter1": {"Position": 100, "Tilt": 90}}, place="tele/SENSOR").asks(cover, ("set_tilt", 50), ("set_tilt", 0), ("set_tilt", 100))


def sensors():
    for name, template, more, states in (
        ("power", "{{value_json['ENERGY']['Power']}}", {"dev_cla": "power", "unit_of_meas": "W", "stat_cla": "measurement"},
         [{"ENERGY": {"Power": 42}}, {"ENERGY": {"Power": 0}}]),
        ("total", "{{value_json['ENERGY']['Total']}}", {"dev_cla": "energy", "unit_of_meas": "kWh", "stat_cla": "total",
         "lrst_val_tpl": "{{value_json['ENERGY']['TotalStartTime']|as_datetime|as_local}}"},
         [{"ENERGY": {"Total": 12.3, "TotalStartTime": "2025-12-01T10:00:00"}}]),
        ("am2301", "{{value_json['AM2301'].Temperature}}", {"dev_cla": "temperature", "unit_of_meas": "°C"},
         [{"AM2301": {"Temperature": 22.1, "Humidity": 40.0}}, {"AM2301": {"Temperature": None}}]),
        ("dewpoint", "{{value_json['BME280'].DewPoint|float|round(1)}}", {"dev_cla": "temperature", "unit_of_meas": "°F"},
         [{"BME280": {"DewPoint": 50.04}}]),
        ("rssi", "{{value_json.Wifi.RSSI}}", {"unit_of_meas": "%", "ent_cat": "diagnostic", "en": True}, [{"Wifi": {"RSSI": 78, "Signal": -61}}]),
        ("uptime", "{{value_json.UptimeSec|int // 3600}}", {"unit_of_meas": "h", "ic": "mdi:timer"}, [{"UptimeSec": 90061}]),
        ("ds18b20", "{{value_json['DS18B20-1'].Temperature if value_json['DS18B20-1'] is defined else None}}",
         {"dev_cla": "temperature", "unit_of_meas": "°C", "stat_cla": "measurement"}, [{"DS18B20-1": {"Temperature": 5.5}}, {"Time": "x"}]),
        ("restart-reason", "{{value_json.StatusPRM.RestartReason}}", {"ent_cat": "diagnostic"}, [{"StatusPRM": {"RestartReason": "Power On"}}]),
    ):
        module = Module(f"tas-sensor-{name}")
        module.add("sensor", name, stat_t="~tele/SENSOR", val_tpl=template, **more)
        module.online()
        yield module.tells(*states, place="tele/SENSOR")
    module = Module("tas-motion")
    module.add("binary_sensor", "SW_1", stat_t="~stat/SWITCH1", val_tpl="{{value_json.STATE}}", pl_on="ON", frc_upd=True, off_dly=3, dev_cla="motion")
    module.online()
    yield module.tells({"STATE": "ON"}, place="stat/SWITCH1").step(seconds=5).step(("tas-motion/stat/SWITCH1", {"STATE": "ON"}))
    module = Module("tas-door")
    module.add("binary_sensor", "SW_2", stat_t="~tele/SENSOR", val_tpl="{{value_json.Switch2}}", pl_on="ON", pl_off="OFF", dev_cla="door")
    module.online()
    yield module.tells({"Switch2": "ON"}, {"Switch2": "OFF"}, {"Switch1": "ON"}, place="tele/SENSOR")


def presses():
    module = Module("tas-buttons")
    for kind, action in (("button_short_press", "SINGLE"), ("button_double_press", "DOUBLE"), ("button_long_press", "HOLD")):
        module.case.announce_at(f"homeassistant/device_automation/tas-buttons/{kind}/config", {
            "atype": "trigger", "t": "tas-buttons/stat/RESULT", "type": kind, "stype": "button_1", "pl": action,
            "val_tpl": "{{value_json.Button1.Action}}", "dev": module.common["dev"]})
    yield module.tells(
        {"Button1": {"Action": "SINGLE"}}, {"Button1": {"Action": "SINGLE"}}, {"Button1": {"Action": "DOUBLE"}}, {"Button2": {"Action": "HOLD"}},
        {"Button1": {"Action": "HOLD"}}, place="stat/RESULT")
    module = Module("tas-switch-toggle")
    module.case.announce_at("homeassistant/device_automation/tas-switch-toggle/SW_1_TOGGLE/config", {
        "automation_type": "trigger", "topic": "tas-switch-toggle/stat/SWITCH1T", "type": "button_short_press", "subtype": "switch_1",
        "payload": "TOGGLE", "value_template": "{{value_json.TRIG}}", "device": {"connections": [["mac", "5C:CF:7F:00:00:01"]], "identifiers": ["tas-tog"], "name": "tas-switch-toggle"}})
    yield module.tells({"TRIG": "TOGGLE"}, {"TRIG": "HOLD"}, {"TRIG": "TOGGLE"}, place="stat/SWITCH1T")
    module = Module("tas-event")
    module.add(
        "event", "BTN_1", stat_t="~stat/BUTTON1", evt_typ=["SINGLE", "DOUBLE"], dev_cla="button",
        val_tpl="{ {% for key in value_json %} {% if loop.first %}\"event_type\": \"{{value_json[key]}}\"{% endif %} {% endfor %} }")
    module.online()
    yield module.tells({"Action": "SINGLE"}, {"Action": "TRIPLE"}, {"Action": "DOUBLE"}, place="stat/BUTTON1")


def cases():
    for family in (relays, lights, shutters, sensors, presses):
        yield from family()
