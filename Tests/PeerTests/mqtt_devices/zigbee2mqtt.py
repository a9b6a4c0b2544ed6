"""Devices as Zigbee2MQTT announces them: one JSON state for all of a device's entities, and a bridge that is available or not."""

from mqtt_devices.case import Case

FIRMWARE = "Zigbee2MQTT"


class Thing:
    """One Zigbee device on a bridge of its own."""

    def __init__(self, case_id, address, model, name=None, availability="all"):
        self.case = Case(case_id, FIRMWARE)
        self.base, self.address = f"z2m_{case_id}", f"0x{address:016x}"
        self.name = name or case_id
        self.topic = f"{self.base}/{self.name}"
        self.device = {
            "identifiers": [f"zigbee2mqtt_{self.address}"], "manufacturer": "Acme", "model": model, "name": self.name,
            "sw_version": "2.3.087", "via_device": f"zigbee2mqtt_bridge_{self.base}",
        }
        self.availability = [{"topic": f"{self.base}/bridge/state", "value_template": "{{ value_json.state }}"}]
        if availability == "all":
            self.availability.append({"topic": f"{self.topic}/availability", "value_template": "{{ value_json.state }}"})
        self.has_own = availability == "all"

    def add(self, component, object_id, **config):
        common = {
            "availability": self.availability, "availability_mode": "all", "device": self.device, "name": None, "object_id": self.name,
            "origin": {"name": "Zigbee2MQTT", "sw": "2.1.3", "url": "https://www.zigbee2mqtt.io"}, "state_topic": self.topic,
            "unique_id": f"{self.address}_{object_id}_{self.base}",
        }
        config = {key: value for key, value in {**common, **config}.items() if value is not ...}
        self.case.announce_at(f"homeassistant/{component}/{self.address}/{object_id}/config", dict(sorted(config.items())))
        return f"{component}:{config['unique_id']}"

    def online(self):
        own = [(f"{self.topic}/availability", {"state": "online"})] if self.has_own else []
        self.case.step((f"{self.base}/bridge/state", {"state": "online"}), *own)
        return self

    def says(self, *states):
        self.case.steps_of(self.topic, *states)
        return self.case


EFFECTS = ["blink", "breathe", "stop_effect"]


def lights():
    for number, (kind, more, states, colours) in enumerate((
        ("onoff", {"supported_color_modes": ["onoff"]}, [{"state": "ON"}, {"state": "OFF"}], ()),
        ("dimmer", {"brightness": True, "brightness_scale": 254, "supported_color_modes": ["brightness"]},
         [{"state": "ON", "brightness": 127}, {"state": "ON", "brightness": 254}, {"state": "OFF", "brightness": 254}], ()),
        ("white", {"brightness": True, "brightness_scale": 254, "supported_color_modes": ["color_temp"], "min_mireds": 250, "max_mireds": 454},
         [{"state": "ON", "brightness": 200, "color_temp": 370, "color_mode": "color_temp"}], ({"temperature": 3000},)),
        ("hue-xy", {"brightness": True, "brightness_scale": 254, "supported_color_modes": ["xy", "color_temp"], "min_mireds": 153, "max_mireds": 500},
         [{"state": "ON", "brightness": 254, "color_mode": "xy", "color": {"x": 0.4599, "y": 0.4106}},
          {"state": "ON", "brightness": 100, "color_mode": "xy", "color": {"x": 0.136, "y": 0.04}},
          {"state": "ON", "brightness": 100, "color_mode": "color_temp", "color_temp": 250, "color": {"x": 0.3804, "y": 0.3768}}],
         ({"hue": 240, "saturation": 100}, {"hue": 30, "saturation": 45}, {"temperature": 4000})),
        ("bulb-hs", {"brightness": True, "brightness_scale": 254, "supported_color_modes": ["hs"]},
         [{"state": "ON", "brightness": 10, "color_mode": "hs", "color": {"hue": 120, "saturation": 50, "h": 120, "s": 50}}],
         ({"hue": 300, "saturation": 80},)),
    )):
        thing = Thing(f"z2m-light-{kind}", 0x0b57ff00 + number, "LED1545G12")
        light = thing.add(
            "light", "light", schema="json", command_topic=f"{thing.topic}/set", effect=True, effect_list=EFFECTS, **more)
        case = thing.online().says(*states, {"state": "ON"})
        case.asks(light, "on", "off", ("set_effect", "breathe"), *[("set_color", colour) for colour in colours])
        if "brightness" in more:
            case.asks(light, ("set_brightness", 100), ("set_brightness", 1), ("set_brightness", 30), ("set_brightness", 50))
        yield case


def locks():
    for name, more, states in (
        ("lock", {"value_template": "{{ value_json.state }}", "state_locked": "LOCK", "state_unlocked": "UNLOCK"},
         [{"state": "LOCK", "lock_state": "locked"}, {"state": "UNLOCK"}, {"state": "?"}, {"battery": 88}]),
        ("lock-state", {"value_template": "{{ value_json.lock_state }}", "state_locked": "locked", "state_unlocked": "unlocked",
                        "state_jammed": "not_fully_locked"},
         [{"lock_state": "locked"}, {"lock_state": "not_fully_locked"}, {"lock_state": "unlocked"}, {"lock_state": None}]),
    ):
        thing = Thing(f"z2m-{name}", 0x0d6f0000 + len(name), "YRD226HA2619")
        lock = thing.add(
            "lock", "lock", command_topic=f"{thing.topic}/set", payload_lock="LOCK", payload_unlock="UNLOCK", **more)
        battery = thing.add(
            "sensor", "battery", device_class="battery", entity_category="diagnostic", name=..., state_class="measurement",
            unit_of_measurement="%", value_template="{{ value_json.battery }}")
        case = thing.online().says(*states)
        case.step((f"{thing.topic}/availability", {"state": "offline"}))
        case.step((f"{thing.topic}/availability", {"state": "online"}))
        case.step((f"{thing.base}/bridge/state", {"state": "offline"}))
        case.step((f"{thing.base}/bridge/state", {"state": "online"}))
        assert battery
        yield case.asks(lock, "lock", "unlock", "open")


def covers():
    moving = '{% if "moving" in value_json and value_json.moving %} {{ value_json.moving }} {% else %} STOP {% endif %}'
    for name, more in (
        ("position", {"position_template": "{{ value_json.position }}", "set_position_template": '{ "position": {{ position }} }'}),
        ("tilt", {"position_template": "{{ value_json.position }}", "set_position_template": '{ "position": {{ position }} }',
                  "tilt": True}),
    ):
        thing = Thing(f"z2m-cover-{name}", 0x70b30000 + len(name), "E1757", availability="bridge")
        more = dict(more)
        if more.pop("tilt", False):
            more |= {"tilt_command_topic": f"{thing.topic}/set/tilt", "tilt_status_topic": thing.topic,
                     "tilt_status_template": "{{ value_json.tilt }}"}
        cover = thing.add(
            "cover", "cover", command_topic=f"{thing.topic}/set", position_topic=thing.topic, set_position_topic=f"{thing.topic}/set",
            state_opening="UP", state_closing="DOWN", state_stopped="STOP", value_template=moving, **more)
        case = thing.online().says(
            {"position": 60, "moving": "STOP", "tilt": 20}, {"position": 61, "moving": "UP", "tilt": 20}, {"position": 100},
            {"position": 40, "moving": "DOWN"})
        # Home Assistant reads the state and the position of one message in an order that is not always the same.
        case.step(*[(thing.topic, {"position": 0, "moving": "STOP", "tilt": 0})] * 2)
        case.asks(cover, "open", "close", "stop", ("set_position", 25), ("set_position", 100))
        if "tilt_command_topic" in more:
            case.asks(cover, ("set_tilt", 40), ("set_tilt", 0))
        yield case
    thing = Thing("z2m-cover-state", 0x70b3aaaa, "TS0601_cover")
    cover = thing.add(
        "cover", "cover", command_topic=f"{thing.topic}/set", value_template="{{ value_json.state }}", state_open="OPEN", state_closed="CLOSE",
        state_stopped="STOP")
    yield thing.online().says({"state": "OPEN"}, {"state": "STOP"}, {"state": "CLOSE"}, {"state": "STOP"}).asks(cover, "open", "close", "stop")


def switches():
    thing = Thing("z2m-plug", 0xa4c13801, "TS011F_plug_1")
    plug = thing.add(
        "switch", "switch", command_topic=f"{thing.topic}/set", payload_on="ON", payload_off="OFF", value_template="{{ value_json.state }}")
    child = thing.add(
        "switch", "child_lock", command_topic=f"{thing.topic}/set/child_lock", entity_category="config", name="Child lock", payload_on="LOCK",
        payload_off="UNLOCK", state_on="LOCK", state_off="UNLOCK", value_template="{{ value_json.child_lock }}", icon="mdi:account-lock")
    for measured, unit, kind in (("power", "W", "power"), ("current", "A", "current"), ("voltage", "V", "voltage"), ("energy", "kWh", "energy")):
        thing.add(
            "sensor", measured, device_class=kind, enabled_by_default=True, name=..., state_class="total_increasing" if kind == "energy" else
            "measurement", unit_of_measurement=unit, value_template=f"{{{{ value_json.{measured} }}}}")
    thing.add(
        "sensor", "linkquality", enabled_by_default=False, entity_category="diagnostic", name="Linkquality", icon="mdi:signal",
        state_class="measurement", unit_of_measurement="lqi", value_template="{{ value_json.linkquality }}")
    thing.add(
        "select", "power_outage_memory", command_topic=f"{thing.topic}/set/power_outage_memory", entity_category="config",
        name="Power outage memory", options=["on", "off", "restore"], value_template="{{ value_json.power_outage_memory }}")
    case = thing.online().says(
        {"state": "ON", "child_lock": "UNLOCK", "power": 12, "current": 0.05, "voltage": 231, "energy": 4.2, "linkquality": 120},
        {"state": "OFF", "child_lock": "LOCK", "power": 0, "current": 0, "voltage": 230.5, "energy": 4.21})
    yield case.asks(plug, "on", "off").asks(child, "on", "off")
    thing = Thing("z2m-two-gang", 0xa4c13802, "ZM-CSW032-D")
    for side in ("left", "right"):
        key = thing.add(
            "switch", f"switch_{side}", command_topic=f"{thing.topic}/{side}/set", name=side.title(), payload_on="ON", payload_off="OFF",
            value_template=f"{{{{ value_json.state_{side} }}}}")
        thing.case.asks(key, "on", "off")
    yield thing.online().says({"state_left": "ON", "state_right": "OFF"}, {"state_left": "OFF"}, {"state_right": "ON"})


def climates():
    action = "{% set values = {None:None,'idle':'idle','heat':'heating','cool':'cooling','fan_only':'fan'} %}{{ values[value_json.running_state] }}"
    thing = Thing("z2m-trv", 0x84fd2701, "TS0601_thermostat")
    trv = thing.add(
        "climate", "climate", action_template=action, action_topic=thing.topic, current_temperature_template="{{ value_json.local_temperature }}",
        current_temperature_topic=thing.topic, max_temp="35", min_temp="5", mode_command_topic=f"{thing.topic}/set/system_mode",
        mode_state_template="{{ value_json.system_mode }}", mode_state_topic=thing.topic, modes=["off", "auto", "heat"],
        preset_mode_command_topic=f"{thing.topic}/set/preset", preset_mode_state_topic=thing.topic,
        preset_mode_value_template="{{ value_json.preset }}", preset_modes=["comfort", "eco", "away"], temp_step=0.5,
        temperature_command_topic=f"{thing.topic}/set/current_heating_setpoint", temperature_state_topic=thing.topic,
        temperature_state_template="{{ value_json.current_heating_setpoint }}", temperature_unit="C", state_topic=...)
    case = thing.online().says(
        {"local_temperature": 19.5, "current_heating_setpoint": 21, "system_mode": "heat", "running_state": "heat", "preset": "comfort"},
        {"local_temperature": 21.2, "current_heating_setpoint": 21, "system_mode": "auto", "running_state": "idle", "preset": "eco"},
        {"local_temperature": None, "current_heating_setpoint": 5.5, "system_mode": "off", "running_state": None, "preset": "none"},
        {"local_temperature": 20, "system_mode": "boost", "preset": "party"})
    yield case.asks(
        trv, "on", "off", ("set_temperature", 22.5), ("set_temperature", 5), ("set_mode", "heat"), ("set_preset", "eco"))
    thing = Thing("z2m-thermostat-range", 0x84fd2702, "3157100")
    both = thing.add(
        "climate", "climate", current_temperature_template="{{ value_json.local_temperature }}", current_temperature_topic=thing.topic,
        fan_mode_command_topic=f"{thing.topic}/set/fan_mode", fan_mode_state_topic=thing.topic, fan_modes=["on", "auto"],
        fan_mode_state_template="{{ value_json.fan_mode }}", max_temp="30", min_temp="7", mode_command_topic=f"{thing.topic}/set/system_mode",
        mode_state_template="{{ value_json.system_mode }}", mode_state_topic=thing.topic, modes=["off", "heat", "cool", "heat_cool"],
        temp_step=1, temperature_low_command_topic=f"{thing.topic}/set/occupied_heating_setpoint", temperature_low_state_topic=thing.topic,
        temperature_low_state_template="{{ value_json.occupied_heating_setpoint }}", temperature_high_state_topic=thing.topic,
        temperature_high_command_topic=f"{thing.topic}/set/occupied_cooling_setpoint", temperature_unit="C", state_topic=...,
        temperature_high_state_template="{{ value_json.occupied_cooling_setpoint }}")
    case = thing.online().says(
        {"local_temperature": 22.4, "occupied_heating_setpoint": 20, "occupied_cooling_setpoint": 25, "system_mode": "heat_cool", "fan_mode": "auto"},
        {"local_temperature": 22.6, "occupied_heating_setpoint": 20.5, "system_mode": "cool"})
    yield case.asks(both, ("set_temperature", {"low": 19, "high": 24}), ("set_mode", "cool"), "off", "on")


def fans():
    thing = Thing("z2m-fan", 0x0e0f0001, "99432")
    fan = thing.add(
        "fan", "fan", command_topic=f"{thing.topic}/set/fan_state", payload_on="ON", payload_off="OFF", state_value_template="{{ value_json.fan_state }}",
        percentage_command_template="{{ {0:'off', 1:'low', 2:'medium', 3:'high'}[value] | default('') }}",
        percentage_command_topic=f"{thing.topic}/set/fan_mode", percentage_state_topic=thing.topic,
        percentage_value_template="{{ {'off':0, 'low':1, 'medium':2, 'high':3}[value_json.fan_mode] | default('None') }}",
        preset_mode_command_template="{{ value }}", preset_mode_command_topic=f"{thing.topic}/set/fan_mode", preset_mode_state_topic=thing.topic,
        preset_mode_value_template="{{ value_json.fan_mode if value_json.fan_mode in ['smart', 'auto'] else 'None' | default('None') }}",
        preset_modes=["smart", "auto"], speed_range_min=1, speed_range_max=3)
    case = thing.online().says(
        {"fan_state": "ON", "fan_mode": "low"}, {"fan_state": "ON", "fan_mode": "high"}, {"fan_state": "ON", "fan_mode": "smart"},
        {"fan_state": "OFF", "fan_mode": "off"}, {"fan_state": "ON", "fan_mode": "medium"})
    yield case.asks(
        fan, "on", "off", ("set_percentage", 33), ("set_percentage", 34), ("set_percentage", 100), ("set_percentage", 0), ("set_preset", "smart"))


def sensors():
    for number, (name, kind, more, states) in enumerate((
        ("temperature", "temperature", {"unit_of_measurement": "°C", "state_class": "measurement"}, [{"temperature": 21.5}, {"temperature": 21}, {"temperature": None}]),
        ("humidity", "humidity", {"unit_of_measurement": "%", "state_class": "measurement"}, [{"humidity": 45.67}, {"pressure": 1}]),
        ("device_temperature", "temperature", {"unit_of_measurement": "°C", "entity_category": "diagnostic"}, [{"device_temperature": -3}]),
        ("illuminance_lux", "illuminance", {"unit_of_measurement": "lx", "state_class": "measurement"}, [{"illuminance_lux": 1200}]),
        ("last_seen", "timestamp", {}, [{"last_seen": "2026-11-28T20:11:05+01:00"}, {"last_seen": "2026-11-28T20:11:05.123Z"}, {"last_seen": "yesterday"}]),
        ("power_on_behavior", "enum", {"options": ["on", "off", "previous"]}, [{"power_on_behavior": "on"}, {"power_on_behavior": "toggle"}]),
        ("angle_x", None, {"unit_of_measurement": "°", "icon": "mdi:angle-acute"}, [{"angle_x": -12.5}]),
        ("voltage", "voltage", {"unit_of_measurement": "mV", "state_class": "measurement", "suggested_display_precision": 0}, [{"voltage": 3005}]),
    )):
        thing = Thing(f"z2m-sensor-{name.replace('_', '-')}", 0x158d0000 + number, "WSDCGQ11LM")
        thing.add(
            "sensor", name, value_template=f"{{{{ value_json.{name} }}}}", enabled_by_default=True,
            **({"device_class": kind, "name": ...} if kind else {"name": "Angle X"}), **more)
        yield thing.online().says(*states)
    for number, (name, kind, on, off, states) in enumerate((
        ("contact", "door", False, True, [{"contact": True}, {"contact": False}, {"contact": "maybe"}]),
        ("occupancy", "motion", True, False, [{"occupancy": True}, {"occupancy": False}]),
        ("water_leak", "moisture", True, False, [{"water_leak": False}, {"water_leak": True}]),
        ("tamper", "tamper", True, False, [{"tamper": False}, {"battery": 5}]),
        ("smoke", "smoke", True, False, [{"smoke": True}, {"smoke": None}]),
        ("battery_low", "battery", True, False, [{"battery_low": True}]),
    )):
        thing = Thing(f"z2m-binary-{name.replace('_', '-')}", 0x158d1000 + number, "MCCGQ11LM")
        thing.add(
            "binary_sensor", name, name=..., payload_on=on, payload_off=off, value_template=f"{{{{ value_json.{name} }}}}", device_class=kind)
        yield thing.online().says(*states)


def presses():
    thing = Thing("z2m-remote-action", 0x588e0001, "E1810")
    thing.add("sensor", "action", name="Action", icon="mdi:gesture-double-tap", enabled_by_default=True, value_template="{{ value_json.action }}")
    yield thing.online().says({"action": "single"}, {"action": ""}, {"action": "single"}, {"action": ""}, {"action": "hold"}, {"battery": 90})
    thing = Thing("z2m-remote-triggers", 0x588e0002, "E1524")
    for action in ("toggle", "arrow_left_click", "brightness_up_hold"):
        thing.case.announce_at(
            f"homeassistant/device_automation/{thing.address}/action_{action}/config",
            {"automation_type": "trigger", "device": thing.device, "payload": action, "subtype": action, "topic": f"{thing.topic}/action",
             "type": "action", "origin": {"name": "Zigbee2MQTT"}})
    thing.case.steps_of(f"{thing.topic}/action", "toggle", "", "toggle", "arrow_left_click", "nothing", "brightness_up_hold")
    yield thing.case
    thing = Thing("z2m-remote-event", 0x588e0003, "WXKG11LM")
    template = (
        '{% set buttons = value_json.action | default("") | string %}{% if buttons in ["single", "double", "hold", "release"] %}'
        '{{ {"event_type": buttons} | tojson }}{% endif %}')
    thing.add(
        "event", "action", name="Action", event_types=["single", "double", "hold", "release"], value_template=template,
        device_class="button")
    yield thing.online().says({"action": "single"}, {"action": ""}, {"action": "single"}, {"action": "shake"}, {"battery": 3}, {"action": "hold"})


def cases():
    for family in (lights, locks, covers, switches, climates, fans, sensors, presses):
        yield from family()
