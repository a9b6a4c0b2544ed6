"""Devices as zwave-js-ui announces them: a topic for each value, `{"time", "value"}`, and three sources of availability."""

from mqtt_devices.case import Case

FIRMWARE = "zwave-js-ui"


class Node:
    def __init__(self, case_id, number, name="Node"):
        self.case, self.id = Case(case_id, FIRMWARE), case_id
        self.base = f"zwave_{case_id}"
        self.topic = f"{self.base}/{name}"
        self.device = {
            "identifiers": [f"zwavejs2mqtt_0x{0xe600 + number:x}_node{number}"], "manufacturer": "Acme", "model": "Z-Wave thing", "name": case_id,
            "sw_version": "1.10",
        }
        self.availability = [
            {"payload_available": "true", "payload_not_available": "false", "topic": f"{self.topic}/status",
             "value_template": "{{'true' if value_json.value else 'false'}}"},
            {"topic": f"{self.base}/_CLIENTS/ZWAVE_GATEWAY-z/status", "value_template": "{{'online' if value_json.value else 'offline'}}"},
            {"payload_available": "true", "payload_not_available": "false", "topic": f"{self.base}/driver/status"},
        ]

    def add(self, component, object_id, **config):
        common = {
            "availability": self.availability, "availability_mode": "all", "device": self.device, "name": object_id,
            "unique_id": f"zwavejs2mqtt_{self.id}_{object_id}",
        }
        self.case.announce_at(f"homeassistant/{component}/{self.id}/{object_id}/config", {**config, **common})
        return f"{component}:{common['unique_id']}"

    def alive(self):
        self.case.step(
            (f"{self.topic}/status", {"time": 1763900000000, "value": True, "status": "Alive", "nodeId": 5}),
            (f"{self.base}/_CLIENTS/ZWAVE_GATEWAY-z/status", {"value": True, "time": 1763900000000}), (f"{self.base}/driver/status", "true"))
        return self

    def dead(self):
        return self.case.step((f"{self.topic}/status", {"time": 1763900000000, "value": False, "status": "Dead", "nodeId": 5}))

    def tells(self, place, *values):
        self.case.steps_of(f"{self.topic}/{place}", *[{"time": 1763900000000, "value": value} for value in values])
        return self.case


def locks():
    node = Node("zwave-lock", 16)
    lock = node.add(
        "lock", "lock", command_topic=f"{node.topic}/98/0/targetMode/set", state_topic=f"{node.topic}/98/0/currentMode", state_locked=255,
        state_unlocked=0, payload_lock=255, payload_unlock=0, value_template="{{ value_json.value }}")
    node.alive().tells("98/0/currentMode", 255, 0, 16, 254)
    node.dead()
    node.alive()
    yield node.case.asks(lock, "lock", "unlock")
    node = Node("zwave-lock-bool", 17)
    lock = node.add(
        "lock", "lock", command_topic=f"{node.topic}/76/0/lock/set", state_topic=f"{node.topic}/76/0/locked", state_locked="true",
        state_unlocked="false", payload_lock="true", payload_unlock="false", value_template="{{ value_json.value | lower }}")
    yield node.alive().tells("76/0/locked", True, False, None).asks(lock, "lock", "unlock")


def lights():
    node = Node("zwave-dimmer", 21)
    light = node.add(
        "light", "dimmer", command_topic=f"{node.topic}/38/0/targetValue/set", state_topic=f"{node.topic}/38/0/currentValue",
        state_value_template='{{ "OFF" if value_json.value == 0 else "ON" }}', brightness_scale=99, on_command_type="brightness",
        brightness_command_topic=f"{node.topic}/38/0/targetValue/set", brightness_state_topic=f"{node.topic}/38/0/currentValue",
        brightness_value_template="{{ value_json.value }}", payload_off=0)
    yield node.alive().tells("38/0/currentValue", 50, 99, 0, 1).asks(
        light, "on", "off", ("set_brightness", 100), ("set_brightness", 1), ("set_brightness", 42))
    node = Node("zwave-rgb", 22)
    light = node.add(
        "light", "rgb_dimmer", command_topic=f"{node.topic}/37/0/targetValue/set", state_topic=f"{node.topic}/37/0/currentValue",
        state_value_template='{{ "true" if value_json.value else "false" }}', payload_on="true", payload_off="false",
        rgb_command_template="{{'#%02x%02x%02x' | format(red, green, blue)}}", rgb_command_topic=f"{node.topic}/51/0/hexColor/set",
        rgb_state_topic=f"{node.topic}/51/0/currentColor",
        rgb_value_template="{{ value_json.value.red }},{{ value_json.value.green }},{{ value_json.value.blue }}")
    node.alive().tells("37/0/currentValue", True)
    yield node.tells("51/0/currentColor", {"red": 255, "green": 128, "blue": 0}, {"red": 0, "green": 0, "blue": 255}).asks(
        light, "on", "off", ("set_color", {"hue": 30, "saturation": 100}), ("set_color", {"hue": 200, "saturation": 40}))


def covers():
    node = Node("zwave-shade", 31)
    cover = node.add(
        "cover", "position", command_topic=f"{node.topic}/38/0/targetValue/set", position_topic=f"{node.topic}/38/0/currentValue",
        set_position_topic=f"{node.topic}/38/0/targetValue/set", position_template="{{ value_json.value | round(0) }}", position_open=99,
        position_closed=0, payload_open=99, payload_close=0, payload_stop=None, device_class="shade")
    yield node.alive().tells("38/0/currentValue", 50, 99, 0, 1, 49.6).asks(
        cover, "open", "close", "stop", ("set_position", 50), ("set_position", 1), ("set_position", 100))
    # Refused: `value_template` is for a state topic, and there is none.
    node = Node("zwave-shade-older", 34)
    node.add(
        "cover", "position", command_topic=f"{node.topic}/38/0/targetValue/set", position_topic=f"{node.topic}/38/0/currentValue",
        set_position_topic=f"{node.topic}/38/0/targetValue/set", position_open=99, value_template="{{ value_json.value }}")
    yield node.alive().case
    node = Node("zwave-barrier", 32)
    cover = node.add(
        "cover", "barrier_state", command_topic=f"{node.topic}/102/0/targetState/set", device_class="garage", payload_open=255, payload_close=0,
        payload_stop=None, state_topic=f"{node.topic}/102/0/currentState", state_open=255, state_opening=254, state_closed=0, state_closing=252,
        value_template="{{ value_json.value }}")
    yield node.alive().tells("102/0/currentState", 0, 254, 255, 252, 253).asks(cover, "open", "close", "stop")
    node = Node("zwave-blind-tilt", 33)
    cover = node.add(
        "cover", "blind", command_topic=f"{node.topic}/38/1/targetValue/set", position_topic=f"{node.topic}/38/1/currentValue",
        set_position_topic=f"{node.topic}/38/1/targetValue/set", position_template="{{ value_json.value }}", position_open=99,
        tilt_command_topic=f"{node.topic}/38/2/targetValue/set", tilt_status_topic=f"{node.topic}/38/2/currentValue",
        tilt_status_template="{{ value_json.value }}", tilt_min=0, tilt_max=99, tilt_opened_value=99, tilt_closed_value=0,
        payload_open="99", payload_close="0")
    node.alive().tells("38/1/currentValue", 99, 0)
    yield node.tells("38/2/currentValue", 0, 49, 99).asks(cover, ("set_tilt", 50), ("set_tilt", 100), ("set_position", 33), "open", "close")


def climates():
    modes = {0: "off", 1: "heat", 2: "cool", 3: "auto"}
    node = Node("zwave-thermostat", 41)
    climate = node.add(
        "climate", "thermostat", modes=list(modes.values()), mode_state_topic=f"{node.topic}/64/0/mode",
        mode_command_topic=f"{node.topic}/64/0/mode/set", min_temp=5, max_temp=60, temp_step=0.5,
        mode_state_template="{{ {0: 'off', 1: 'heat', 2: 'cool', 3: 'auto'}[value_json.value] | default('off') }}",
        mode_command_template="{{ {'off': 0, 'heat': 1, 'cool': 2, 'auto': 3}[value] | default('0') }}", temperature_unit="C",
        temperature_state_topic=f"{node.topic}/67/0/setpoint/1", temperature_state_template="{{ value_json.value }}",
        temperature_command_topic=f"{node.topic}/67/0/setpoint/1/set", current_temperature_topic=f"{node.topic}/49/0/Air_temperature",
        current_temperature_template="{{ value_json.value }}", action_topic=f"{node.topic}/66/0/state",
        action_template="{{ {0: 'idle', 1: 'heating', 2: 'cooling', 3: 'fan'}[value_json.value] | default('idle') }}")
    node.alive().tells("64/0/mode", 1, 3)
    node.tells("67/0/setpoint/1", 21)
    node.tells("49/0/Air_temperature", 20.4)
    yield node.tells("66/0/state", 1, 0, 9).asks(
        climate, "on", "off", ("set_mode", "cool"), ("set_temperature", 19.5), ("set_temperature", 60))
    node = Node("zwave-thermostat-f", 42)
    climate = node.add(
        "climate", "thermostat", modes=["off", "heat"], mode_state_topic=f"{node.topic}/64/0/mode",
        mode_command_topic=f"{node.topic}/64/0/mode/set", min_temp=40, max_temp=90, temp_step=1, temperature_unit="F",
        mode_state_template="{{ {0: 'off', 1: 'heat'}[value_json.value] | default('off') }}", precision=1,
        mode_command_template="{{ {'off': 0, 'heat': 1}[value] | default('0') }}",
        temperature_state_topic=f"{node.topic}/67/0/setpoint/1", temperature_state_template="{{ value_json.value }}",
        temperature_command_topic=f"{node.topic}/67/0/setpoint/1/set", current_temperature_topic=f"{node.topic}/49/0/Air_temperature",
        current_temperature_template="{{ value_json.value }}")
    node.alive().tells("64/0/mode", 1)
    node.tells("67/0/setpoint/1", 70)
    yield node.tells("49/0/Air_temperature", 68.5, 77).asks(climate, ("set_temperature", 20), ("set_temperature", 21.5))


def switches_and_fans():
    node = Node("zwave-plug", 51)
    switch = node.add(
        "switch", "switch", command_topic=f"{node.topic}/37/0/targetValue/set", state_topic=f"{node.topic}/37/0/currentValue",
        payload_on="true", payload_off="false", value_template="{{ value_json.value }}")
    node.alive().tells("37/0/currentValue", True, False)
    yield node.case.asks(switch, "on", "off")
    node = Node("zwave-plug-lower", 54)
    switch = node.add(
        "switch", "switch", command_topic=f"{node.topic}/37/0/targetValue/set", state_topic=f"{node.topic}/37/0/currentValue",
        payload_on="true", payload_off="false", state_on=True, state_off=False, value_template="{{ value_json.value }}")
    yield node.alive().tells("37/0/currentValue", True, False, None).asks(switch, "on", "off")
    node = Node("zwave-fan", 52)
    fan = node.add(
        "fan", "fan_dimmer", command_topic=f"{node.topic}/38/0/targetValue/set", state_topic=f"{node.topic}/38/0/currentValue",
        payload_on=255, payload_off=0, state_value_template="{{ 0 if value_json.value == 0 else 255 }}", speed_range_min=1, speed_range_max=99,
        percentage_command_topic=f"{node.topic}/38/0/targetValue/set", percentage_state_topic=f"{node.topic}/38/0/currentValue",
        percentage_value_template="{{ value_json.value }}")
    yield node.alive().tells("38/0/currentValue", 33, 66, 99, 0, 100, 1).asks(
        fan, "on", "off", ("set_percentage", 50), ("set_percentage", 1), ("set_percentage", 100))
    node = Node("zwave-fan-mode", 53)
    fan = node.add(
        "fan", "thermostat_fan", command_topic=f"{node.topic}/68/0/mode/set", state_topic=f"{node.topic}/68/0/mode", payload_on=0, payload_off=1,
        state_value_template="{{ value_json.value }}", preset_mode_command_topic=f"{node.topic}/68/0/mode/set", preset_modes=["Auto low", "Low"],
        preset_mode_command_template="{{ {'Auto low': 0, 'Low': 1}[value] | default('0') }}", preset_mode_state_topic=f"{node.topic}/68/0/mode",
        preset_mode_value_template="{{ {0: 'Auto low', 1: 'Low'}[value_json.value] | default('None') }}")
    yield node.alive().tells("68/0/mode", 0, 1, 7, 0).asks(fan, ("set_preset", "Low"), ("set_preset", "Auto low"), ("set_preset", "Fast"))


def sensors():
    for number, (name, more, values) in enumerate((
        ("air_temperature", {"device_class": "temperature", "unit_of_measurement": "°C", "state_class": "measurement"}, (20.4, 20, None)),
        ("air_temperature_f", {"device_class": "temperature", "unit_of_measurement": "°F", "state_class": "measurement"}, (68.5, 70)),
        ("electric_kwh", {"device_class": "energy", "unit_of_measurement": "kWh", "state_class": "total_increasing"}, (102.34, 0)),
        ("electric_w", {"device_class": "power", "unit_of_measurement": "W", "state_class": "measurement"}, (-4.5, 1200)),
        ("battery_level", {"device_class": "battery", "unit_of_measurement": "%", "entity_category": "diagnostic"}, (100, 3)),
        ("notification_lock", {"icon": "mdi:bell"}, (1, "Manual lock", "", "x" * 300)),
    )):
        node = Node(f"zwave-sensor-{name.replace('_', '-')}", 60 + number)
        node.add("sensor", name, state_topic=f"{node.topic}/49/0/{name}", value_template="{{ value_json.value }}", **more)
        yield node.alive().tells(f"49/0/{name}", *values)
    for number, (name, on, off, template, values) in enumerate((
        ("contact", True, False, "{{ value_json.value }}", (True, False)),
        ("notification_door", 22, 23, "{{ value_json.value | is_defined }}", (22, 23, 0)),
        ("alarm_motion", "8", "0", "{{ value_json.value | default('') }}", (8, 0)),
    )):
        node = Node(f"zwave-binary-{name.replace('_', '-')}", 70 + number)
        node.add(
            "binary_sensor", name, state_topic=f"{node.topic}/113/0/{name}", value_template=template, payload_on=on, payload_off=off,
            device_class="door")
        yield node.alive().tells(f"113/0/{name}", *values)
    node = Node("zwave-scene", 80)
    node.add("sensor", "scene_state_scene_001", state_topic=f"{node.topic}/91/0/scene/001", value_template="{{ value_json.value | default('') }}")
    yield node.alive().tells("91/0/scene/001", 0, None, 3)


def cases():
    for family in (locks, lights, covers, climates, switches_and_fans, sensors):
        yield from family()
