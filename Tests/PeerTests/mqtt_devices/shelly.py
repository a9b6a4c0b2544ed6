"""Devices as Shelly's first and second generation speak MQTT, announced in the forms that its users' scripts give them."""

from mqtt_devices.case import Case

FIRST, SECOND = "Shelly gen1", "Shelly gen2"


class Device:
    def __init__(self, case_id, firmware, base, **more):
        self.case, self.id, self.base = Case(case_id, firmware), case_id, base
        self.common = {
            "~": base, "availability_topic": "~online" if base.endswith("/") else "~/online", "payload_available": "true",
            "payload_not_available": "false",
            "device": {"identifiers": [case_id], "name": case_id, "manufacturer": "Allterco Robotics", "model": "Shelly",
                       "configuration_url": "http://192.0.2.10/", "connections": [["mac", mac_of(case_id)]]}, **more}

    def add(self, component, object_id, **config):
        unique = f"{self.id}-{object_id}"
        self.case.announce(component, unique, {"name": object_id, **self.common, "unique_id": unique, **config})
        return f"{component}:{unique}"

    def topic(self, place):
        return f"{self.base}{place}" if self.base.endswith("/") else f"{self.base}/{place}"

    def online(self):
        self.case.step((self.topic("online"), "true"))
        return self

    def tells(self, place, *payloads):
        self.case.steps_of(self.topic(place), *payloads)
        return self.case


def mac_of(text):
    number = sum(ord(letter) * (place + 1) for place, letter in enumerate(text))
    return f"e8:68:e7:{number >> 16 & 255:02x}:{number >> 8 & 255:02x}:{number & 255:02x}"


def first_generation():
    device = Device("shelly1-relay", FIRST, "shellies/shelly1-A4CF12F454A3/")
    relay = device.add("switch", "relay-0", state_topic="~relay/0", command_topic="~relay/0/command", payload_on="on", payload_off="off")
    device.add("binary_sensor", "input-0", state_topic="~input/0", payload_on="1", payload_off="0")
    device.online().tells("relay/0", "on", "off", "overpower")
    yield device.tells("input/0", "1", "0").asks(relay, "on", "off")

    device = Device("shelly-switch25-roller", FIRST, "shellies/shellyswitch25-00AA")
    cover = device.add(
        "cover", "roller-0", command_topic="~/roller/0/command", payload_open="open", payload_close="close", payload_stop="stop",
        position_topic="~/roller/0/pos", set_position_topic="~/roller/0/command/pos", state_topic="~/roller/0", state_opening="open",
        state_closing="close", state_stopped="stop", device_class="shutter", position_template="{% if value | int(-1) >= 0 %}{{ value }}{% endif %}")
    device.online().tells("roller/0/pos", "40", "-1")
    device.tells("roller/0", "open", "stop")
    device.tells("roller/0/pos", "100")
    yield device.tells("roller/0", "close", "stop").asks(cover, "open", "close", "stop", ("set_position", 70))

    device = Device("shelly-rgbw2-color", FIRST, "shellies/shellyrgbw2-7C87")
    light = device.add(
        "light", "color", schema="template", effect_list=["Off", "Meteor Shower", "Gradual Change"], command_topic="~/color/0/set",
        state_topic="~/color/0/status", command_off_template='{"turn":"off"}',
        command_on_template='{"turn": "on"{%- if brightness is defined -%}, "gain":{{ (float(brightness)/2.55)|round|int }}{%- endif -%}'
        '{%- if red is defined and green is defined and blue is defined -%}, "red":{{ red }}, "green":{{ green }}, "blue":{{ blue }}{%- endif -%}'
        '{%- if effect is defined -%}, "effect": {{ ["Off", "Meteor Shower", "Gradual Change"].index(effect) }}{%- endif -%} }',
        state_template="{{ 'on' if value_json.ison else 'off' }}", brightness_template="{{ (value_json.gain|float*2.55)|round|int }}",
        red_template="{{ value_json.red }}", green_template="{{ value_json.green }}", blue_template="{{ value_json.blue }}",
        effect_template="{{ ['Off', 'Meteor Shower', 'Gradual Change'][value_json.effect] }}")
    device.online().tells(
        "color/0/status", {"ison": True, "gain": 100, "red": 255, "green": 0, "blue": 0, "white": 0, "effect": 0},
        {"ison": True, "gain": 40, "red": 0, "green": 64, "blue": 255, "white": 0, "effect": 2}, {"ison": False, "gain": 40, "effect": 0},
        {"ison": True, "gain": 40, "red": 10, "green": 10, "blue": 10, "effect": 1})
    yield device.case.asks(
        light, "on", "off", ("set_brightness", 50), ("set_color", {"hue": 120, "saturation": 100}), ("set_effect", "Meteor Shower"))

    device = Device("shelly-dimmer", FIRST, "shellies/shellydimmer-D0E1")
    light = device.add(
        "light", "light-0", schema="template", command_topic="~/light/0/set", state_topic="~/light/0/status", command_off_template='{"turn":"off"}',
        command_on_template='{"turn":"on"{% if brightness is defined %},"brightness":{{ (brightness / 2.55) | round | int }}{% endif %}'
        '{% if transition is defined %},"transition":{{ transition }}{% endif %}}',
        state_template="{% if value_json.ison %}on{% else %}off{% endif %}", brightness_template="{{ (value_json.brightness | float * 2.55) | round }}")
    device.online().tells("light/0/status", {"ison": True, "brightness": 47}, {"ison": False}, {"ison": True, "brightness": 100})
    yield device.case.asks(light, "on", "off", ("set_brightness", 10), ("set_brightness", 100))

    device = Device("shelly-duo", FIRST, "shellies/ShellyBulbDuo-98CD")
    light = device.add(
        "light", "light-0", schema="template", command_topic="~/light/0/set", state_topic="~/light/0/status", max_mireds=370, min_mireds=154,
        command_on_template='{"turn": "on"{%- if brightness is defined -%}, "brightness": {{brightness | float | multiply(0.39215686) | round(0)}}'
        '{%- endif -%}{%- if color_temp is defined -%}, "temp": {{ (1000000 / color_temp) | round(0) | int }}{%- endif -%}}',
        command_off_template='{"turn":"off"}', state_template="{% if value_json.ison %}on{% else %}off{% endif %}",
        brightness_template="{{ value_json.brightness | float | multiply(2.55) | round(0) }}",
        color_temp_template="{{ (1000000 / (value_json.temp | int)) | round(0) | int }}")
    device.online().tells("light/0/status", {"ison": True, "brightness": 80, "temp": 2700}, {"ison": True, "brightness": 20, "temp": 6465})
    yield device.case.asks(light, ("set_color", {"temperature": 3000}), ("set_brightness", 33))

    for place, kind, unit, payloads, template in (
        ("relay/0/power", "power", "W", ("12.30", "0.00"), None),
        ("relay/0/energy", "energy", "kWh", ("123456",), "{{ (value | float / 60 / 1000) | round(2) }}"),
        ("temperature", "temperature", "°C", ("45.12", "999"), "{% if value | float < 200 %}{{ value }}{% endif %}"),
        ("temperature_f", "temperature", "°F", ("113.2",), None),
        ("ext_temperatures", "temperature", "°C", ({"0": {"hwID": "28ab", "tC": 21.06}}, {}), "{{ value_json['0'].tC if '0' in value_json else none }}"),
        ("voltage", "voltage", "V", ("231.55",), "{{ value | float | round }}"),
    ):
        name = place.replace("/", "-").replace("_", "-")
        device = Device(f"shelly-sensor-{name}", FIRST, f"shellies/shelly-{name}/")
        device.add(
            "sensor", name, state_topic=f"~{place}", device_class=kind, unit_of_measurement=unit,
            state_class="total_increasing" if kind == "energy" else "measurement", **({"value_template": template} if template else {}))
        yield device.online().tells(place, *payloads)

    device = Device("shelly-ht", FIRST, "shellies/shellyht-F34A", availability_topic="", payload_available="")
    del device.common["availability_topic"], device.common["payload_available"], device.common["payload_not_available"]
    device.add("sensor", "humidity", state_topic="~/sensor/humidity", device_class="humidity", unit_of_measurement="%", expire_after=7)
    device.add("sensor", "battery", state_topic="~/sensor/battery", device_class="battery", unit_of_measurement="%", force_update=True)
    device.case.step((device.topic("sensor/humidity"), "52.5"), (device.topic("sensor/battery"), "100")).step(seconds=9)
    yield device.case.step((device.topic("sensor/humidity"), "53.0"))

    device = Device("shelly-door-window", FIRST, "shellies/shellydw2-483F")
    device.add("binary_sensor", "door", state_topic="~/sensor/state", payload_on="open", payload_off="close", device_class="door")
    device.add("binary_sensor", "vibration", state_topic="~/sensor/vibration", payload_on="1", payload_off="0", device_class="vibration")
    device.add("sensor", "tilt", state_topic="~/sensor/tilt", value_template="{{ value if value != '-1' else none }}", unit_of_measurement="°")
    device.online().tells("sensor/state", "open", "close", "unknown")
    device.tells("sensor/tilt", "-1", "12")
    yield device.tells("sensor/vibration", "1")

    device = Device("shelly-i3-triggers", FIRST, "shellies/shellyix3-98CD")
    for kind, event in (("button_short_press", "S"), ("button_double_press", "SS"), ("button_long_press", "L")):
        device.case.announce_at(f"homeassistant/device_automation/shelly-i3/{kind}/config", {
            "automation_type": "trigger", "topic": f"{device.base}/input_event/0", "type": kind, "subtype": "button_1", "payload": event,
            "value_template": "{{ value_json.event }}", "device": device.common["device"], "qos": 1})
    yield device.tells("input_event/0", {"event": "S", "event_cnt": 1}, {"event": "SS", "event_cnt": 2}, {"event": "", "event_cnt": 2},
                       {"event": "S", "event_cnt": 3}, {"event": "L", "event_cnt": 4})

    device = Device("shelly-trv", FIRST, "shellies/shellytrv-8CF6")
    trv = device.add(
        "climate", "trv", modes=["heat", "off"], mode_state_topic="~/info", min_temp=4, max_temp=31, temp_step=0.5, precision=0.1,
        mode_state_template="{{ 'off' if value_json.thermostats[0].target_t.value <= 4 else 'heat' }}",
        mode_command_topic="~/thermostat/0/command/target_t", mode_command_template="{{ 4 if value == 'off' else 21 }}",
        temperature_state_topic="~/info", temperature_state_template="{{ value_json.thermostats[0].target_t.value }}",
        temperature_command_topic="~/thermostat/0/command/target_t", current_temperature_topic="~/info",
        current_temperature_template="{{ value_json.thermostats[0].tmp.value }}", action_topic="~/info",
        action_template="{% if value_json.thermostats[0].pos > 0 %}heating{% else %}idle{% endif %}")
    yield device.online().tells(
        "info", {"thermostats": [{"pos": 45.0, "target_t": {"value": 21.5}, "tmp": {"value": 19.8, "is_valid": True}}]},
        {"thermostats": [{"pos": 0, "target_t": {"value": 4}, "tmp": {"value": 22.4}}]}, {"thermostats": []}).asks(
        trv, "on", "off", ("set_mode", "heat"), ("set_temperature", 18.5))


def second_generation():
    device = Device("shelly-plus1pm", SECOND, "shellyplus1pm-441793")
    relay = device.add(
        "switch", "switch-0", state_topic="~/status/switch:0", value_template="{{ value_json.output }}", state_on=True, state_off=False,
        command_topic="~/command/switch:0", payload_on="on", payload_off="off")
    for name, template, kind, unit in (
        ("power", "{{ value_json.apower }}", "power", "W"), ("energy", "{{ value_json.aenergy.total }}", "energy", "Wh"),
        ("temperature", "{{ value_json.temperature.tC }}", "temperature", "°C"), ("current", "{{ value_json.current | round(2) }}", "current", "A"),
    ):
        device.add(
            "sensor", name, state_topic="~/status/switch:0", value_template=template, device_class=kind, unit_of_measurement=unit,
            state_class="total_increasing" if kind == "energy" else "measurement")
    yield device.online().tells(
        "status/switch:0",
        {"id": 0, "source": "init", "output": True, "apower": 14.2, "voltage": 231.0, "current": 0.0671, "aenergy": {"total": 1234.567}, "temperature": {"tC": 43.1, "tF": 109.6}},
        {"id": 0, "output": False, "apower": 0.0, "current": 0.0, "aenergy": {"total": 1234.6}, "temperature": {"tC": 40.0}}).asks(relay, "on", "off")

    device = Device("shelly-pro-rpc", SECOND, "shellypro4pm-9454")
    relay = device.add(
        "switch", "switch-2", state_topic="~/events/rpc", optimistic=False, command_topic="~/rpc", state_on="on", state_off="off",
        value_template="{% if value_json.params['switch:2'] is defined and value_json.params['switch:2'].output is defined %}"
        "{{ 'on' if value_json.params['switch:2'].output else 'off' }}{% endif %}",
        payload_on='{"id":1,"src":"homeassistant","method":"Switch.Set","params":{"id":2,"on":true}}',
        payload_off='{"id":1,"src":"homeassistant","method":"Switch.Set","params":{"id":2,"on":false}}')
    yield device.online().tells(
        "events/rpc", {"src": "x", "method": "NotifyStatus", "params": {"ts": 1.2, "switch:2": {"id": 2, "output": True}}},
        {"src": "x", "method": "NotifyStatus", "params": {"switch:1": {"output": False}}},
        {"src": "x", "method": "NotifyStatus", "params": {"switch:2": {"output": False}}}).asks(relay, "on", "off")

    device = Device("shelly-plus2pm-cover", SECOND, "shellyplus2pm-5443/a b")
    cover = device.add(
        "cover", "cover-0", command_topic="~/command/cover:0", payload_open="open", payload_close="close", payload_stop="stop",
        position_topic="~/status/cover:0", position_template="{{ value_json.current_pos }}", set_position_topic="~/command/cover:0",
        set_position_template="pos,{{ position }}", state_topic="~/status/cover:0", value_template="{{ value_json.state }}", device_class="blind")
    yield device.online().tells(
        "status/cover:0", {"id": 0, "state": "open", "current_pos": 100}, {"state": "closing", "current_pos": 70},
        {"state": "stopped", "current_pos": 55}, {"state": "closed", "current_pos": 0}, {"state": "calibrating", "current_pos": None}).asks(
        cover, "open", "close", "stop", ("set_position", 30), ("set_position", 0))

    device = Device("shelly-pro-dimmer", SECOND, "shellyprodm2pm-A0B1")
    light = device.add(
        "light", "light-0", command_topic="~/command/light:0", payload_on="on", payload_off="off", state_topic="~/status/light:0",
        state_value_template="{{ 'on' if value_json.output else 'off' }}", brightness_command_topic="~/command/light:0", brightness_scale=100,
        brightness_command_template="set,true,{{ value }}", brightness_state_topic="~/status/light:0", on_command_type="first",
        brightness_value_template="{{ value_json.brightness }}")
    yield device.online().tells("status/light:0", {"output": True, "brightness": 40}, {"output": False, "brightness": 40}, {"output": True}).asks(
        light, "on", "off", ("set_brightness", 65))

    device = Device("shelly-plus-rgbw", SECOND, "shellyplusrgbwpm-B1C2")
    light = device.add(
        "light", "rgbw-0", schema="json", command_topic="~/command/ha", state_topic="~/status/ha", brightness=True, supported_color_modes=["rgbw"])
    yield device.online().tells(
        "status/ha", {"state": "ON", "brightness": 128, "color_mode": "rgbw", "color": {"r": 0, "g": 0, "b": 255, "w": 20}}, {"state": None}).asks(
        light, "on", ("set_color", {"hue": 0, "saturation": 0}), ("set_color", {"hue": 350, "saturation": 70}))

    device = Device("shelly-plus-i4", SECOND, "shellyplusi4-C049")
    for kind, event in (("button_short_press", "single_push"), ("button_long_press", "long_push")):
        device.case.announce_at(f"homeassistant/device_automation/shelly-plus-i4/{kind}/config", {
            "automation_type": "trigger", "topic": f"{device.base}/events/rpc", "type": kind, "subtype": "button_1", "payload": event,
            "value_template": "{{ value_json.params.events[0].event if value_json.method == 'NotifyEvent' and value_json.params.events[0].component == 'input:0' }}",
            "device": device.common["device"]})
    event = lambda component, name: {"method": "NotifyEvent", "params": {"events": [{"component": component, "event": name}]}}  # noqa: E731
    yield device.tells(
        "events/rpc", event("input:0", "single_push"), event("input:1", "single_push"), event("input:0", "btn_down"), event("input:0", "long_push"))

    device = Device("shelly-plus-smoke", SECOND, "shellyplussmoke-D1E2")
    device.add(
        "binary_sensor", "smoke", state_topic="~/status/smoke:0", value_template="{{ 'ON' if value_json.alarm else 'OFF' }}", device_class="smoke")
    device.add(
        "sensor", "battery", state_topic="~/status/devicepower:0", value_template="{{ value_json.battery.percent }}", device_class="battery",
        unit_of_measurement="%", entity_category="diagnostic")
    device.online().tells("status/smoke:0", {"alarm": False}, {"alarm": True, "mute": False})
    yield device.tells("status/devicepower:0", {"battery": {"V": 2.9, "percent": 84}, "external": {"present": False}})

    device = Device("shelly-blu-door", SECOND, "shellyblugw-E2F3")
    device.add(
        "binary_sensor", "window", state_topic="~/events/ble", device_class="window", payload_on=1, payload_off=0,
        value_template="{{ value_json.window if value_json.mac == 'aa:bb' else this.state }}")
    yield device.online().tells("events/ble", {"mac": "aa:bb", "window": 1}, {"mac": "cc:dd", "window": 0}, {"mac": "aa:bb", "window": 0})

    device = Device("shelly-uni-bundle", SECOND, "shellyplusuni-F3A4")
    device.case.bundle("shelly-uni-bundle", {
        "dev": {"ids": ["shelly-uni-bundle"], "name": "shelly-uni-bundle", "mf": "Shelly"}, "o": {"name": "shelly script", "sw": "1.0"},
        "avty_t": f"{device.base}/online", "pl_avail": "true", "pl_not_avail": "false",
        "cmps": {
            "out": {"p": "switch", "name": "Output", "uniq_id": "uni_out", "cmd_t": f"{device.base}/command/switch:0", "pl_on": "on",
                    "pl_off": "off", "stat_t": f"{device.base}/status/switch:0", "val_tpl": "{{ 'on' if value_json.output else 'off' }}"},
            "count": {"p": "sensor", "name": "Pulses", "uniq_id": "uni_count", "stat_t": f"{device.base}/status/input:2",
                      "val_tpl": "{{ value_json.counts.total }}", "stat_cla": "total_increasing"},
            "volt": {"p": "sensor", "name": "Voltage", "uniq_id": "uni_volt", "dev_cla": "voltage", "unit_of_meas": "V",
                     "stat_t": f"{device.base}/status/voltmeter:100", "val_tpl": "{{ value_json.voltage }}"},
            "gone": {"p": "sensor"},
        }})
    device.online().tells("status/switch:0", {"output": True})
    device.tells("status/input:2", {"counts": {"total": 17}})
    yield device.tells("status/voltmeter:100", {"voltage": 3.31}).asks("switch:uni_out", "on", "off")


def cases():
    yield from first_generation()
    yield from second_generation()
