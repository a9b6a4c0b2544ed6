"""Edge cases of each kind, as Home Assistant documents them: members that few firmwares use, and invalid values."""

from mqtt_devices.case import Case
from mqtt_devices.household import FIRMWARE, one


def json_lights():
    common = {"schema": "json", "command_topic": "~/set", "state_topic": "~/state"}
    for name, config, states, asked in (
        ("bare", {}, [{"state": "ON"}, {"state": "on"}, {"brightness": 5}, {"state": "OFF"}], ["on", "off"]),
        ("null-members", {"brightness": True, "supported_color_modes": ["hs"]},
         [{"state": "ON", "brightness": None}, {"state": "ON", "brightness": 0}, {"state": "ON", "brightness": "60"}, {"state": "ON", "color_mode": None},
          {"state": "ON", "color_mode": "hs", "color": None}, {"state": "ON", "color_mode": "hs", "color": {"h": "x", "s": 1}}], [("set_brightness", 70)]),
        ("two-modes", {"brightness": True, "supported_color_modes": ["rgb", "color_temp"]},
         [{"state": "ON", "color_mode": "rgb", "color": {"r": 100, "g": 50, "b": 0}, "brightness": 100},
          {"state": "ON", "color_mode": "color_temp", "color_temp": None}, {"state": "ON", "color_mode": "color_temp", "color_temp": 153},
          {"state": "ON", "color_mode": "onoff"}, {"state": "ON", "color_temp": 400}],
         [("set_color", {"hue": 5, "saturation": 5}), ("set_color", {"temperature": 6000}), ("set_brightness", 3)]),
        ("xy-only", {"supported_color_modes": ["xy"], "brightness_scale": 100},
         [{"state": "ON", "color_mode": "xy", "color": {"x": 0.7, "y": 0.3}, "brightness": 50}, {"state": "ON", "color_mode": "xy", "color": {"x": "0.31", "y": "0.33"}}],
         [("set_color", {"hue": 260, "saturation": 75}), ("set_brightness", 30)]),
        ("rgbww-scale", {"supported_color_modes": ["rgbww", "white"], "brightness": True, "brightness_scale": 1000},
         [{"state": "ON", "color_mode": "rgbww", "color": {"r": 9, "g": 8, "b": 7, "c": 6, "w": 5}, "brightness": 1000}, {"state": "ON", "color_mode": "white", "brightness": 250}],
         [("set_color", {"white": 30}), ("set_color", {"hue": 300, "saturation": 10}), ("set_brightness", 70)]),
        ("effects-only", {"effect": True, "effect_list": ["calm"], "supported_color_modes": ["brightness"]},
         [{"state": "ON", "effect": "calm", "brightness": 1}, {"state": "ON", "effect": None}, {"state": "ON", "effect": ""}], [("set_effect", "calm")]),
    ):
        case, key = one(f"json-light-{name}", "light", **common, **config)
        yield case.steps_of(f"json-light-{name}/state", *states).asks(key, *asked)


def topic_lights():
    case, key = one(
        "light-templates", "light", command_topic="~/set", state_topic="~/state", state_value_template="{{ value_json.on | string | lower }}", payload_on="true",
        payload_off="false", brightness_command_topic="~/set", brightness_command_template='{"bri": {{ value }} }', brightness_state_topic="~/state",
        brightness_value_template="{{ value_json.bri }}", color_temp_command_topic="~/set", color_temp_command_template='{"ct": {{ value }} }',
        color_temp_state_topic="~/state", color_temp_value_template="{{ value_json.ct }}", hs_command_topic="~/set",
        hs_command_template='{"h": {{ hue | round }}, "s": {{ sat | round(1) }} }', hs_state_topic="~/state",
        hs_value_template="{{ value_json.h }},{{ value_json.s }}", color_mode_state_topic="~/state", color_mode_value_template="{{ value_json.mode }}",
        effect_command_topic="~/set", effect_command_template='{"fx": "{{ value }}"}', effect_list=["x", "y"], effect_state_topic="~/state",
        effect_value_template="{{ value_json.fx }}")
    yield case.steps_of(
        "light-templates/state", {"on": True, "bri": 20, "ct": 300, "h": 10, "s": 20, "mode": "color_temp", "fx": "x"},
        {"on": True, "bri": 255, "ct": 153, "h": 359.5, "s": 99.5, "mode": "hs", "fx": "none"}, {"on": False, "bri": 0, "ct": 500, "h": 0, "s": 0, "mode": "hs"},
        {"on": True, "bri": 7, "ct": 500, "h": 0, "s": 0, "mode": "what", "fx": "y"}).asks(
        key, "on", "off", ("set_brightness", 30), ("set_brightness", 70), ("set_color", {"temperature": 2345}), ("set_color", {"hue": 123.4, "saturation": 56.7}),
        ("set_effect", "y"))
    case, key = one(
        "light-brightness-off", "light", command_topic="~/set", state_topic="~/state", brightness_command_topic="~/bri/set", brightness_state_topic="~/bri",
        on_command_type="brightness")
    case.step(("light-brightness-off/state", "OFF"))
    yield case.asks(key, "on", "off", ("set_brightness", 1), ("set_brightness", 99))
    case, key = one("light-undimmed", "light", command_topic="~/set", state_topic="~/state", hs_command_topic="~/hs/set", hs_state_topic="~/hs")
    yield case.step(("light-undimmed/state", "ON"), ("light-undimmed/hs", "20,30")).asks(key, ("set_brightness", 50), "on")
    case, key = one(
        "light-rgb-and-temperature", "light", command_topic="~/set", state_topic="~/state", rgb_command_topic="~/rgb/set", rgb_state_topic="~/rgb",
        color_temp_command_topic="~/ct/set", color_temp_state_topic="~/ct", brightness_command_topic="~/bri/set", brightness_state_topic="~/bri",
        color_mode_state_topic="~/mode", max_mireds=400, min_mireds=200)
    case.step(("light-rgb-and-temperature/state", "ON"), ("light-rgb-and-temperature/bri", "128"), ("light-rgb-and-temperature/mode", "rgb"))
    case.step(("light-rgb-and-temperature/rgb", "12,34,56")).step(("light-rgb-and-temperature/rgb", "0,0,0"))
    case.step(("light-rgb-and-temperature/mode", "color_temp"), ("light-rgb-and-temperature/ct", "333"))
    yield case.asks(key, ("set_color", {"hue": 210, "saturation": 65}), ("set_color", {"temperature": 3333}), ("set_brightness", 66))
    case, key = one("light-optimistic", "light", command_topic="~/set", state_topic="~/state", optimistic=True, brightness_command_topic="~/bri/set")
    yield case.steps_of("light-optimistic/state", "ON", "OFF", "None", "ON").asks(key, "off")
    case, key = one(
        "light-rgbw-topic", "light", command_topic="~/set", state_topic="~/state", rgbw_command_topic="~/rgbw/set", rgbw_state_topic="~/rgbw",
        rgbw_command_template="{{ red }}/{{ green }}/{{ blue }}/{{ white }}")
    case.step(("light-rgbw-topic/state", "ON")).steps_of("light-rgbw-topic/rgbw", "255,0,0,0", "100,100,100,100", "0,128,0,64")
    yield case.asks(key, ("set_color", {"hue": 45, "saturation": 45}), ("set_brightness", 40))
    for name, template in (("missing-templates", {}), ("states", {"state_template": "{{ value }}"})):
        case, key = one(
            f"light-template-{name}", "light", schema="template", command_topic="~/set", state_topic="~/state", command_on_template="1",
            command_off_template="0", **template)
        yield case.steps_of(f"light-template-{name}/state", "on", "off", "ON", "None", "on").asks(key, "on", "off")


def fans():
    case, key = one(
        "fan-templates", "fan", command_topic="~/set", command_template='{"p": "{{ value }}"}', state_topic="~/state", state_value_template="{{ value_json.p }}",
        percentage_command_topic="~/set", percentage_command_template='{"speed": {{ value }} }', percentage_state_topic="~/state",
        percentage_value_template="{{ value_json.speed }}", oscillation_command_topic="~/set", oscillation_command_template='{"osc": "{{ value }}"}',
        oscillation_state_topic="~/state", oscillation_value_template="{{ value_json.osc }}", payload_oscillation_on="yes", payload_oscillation_off="no",
        direction_command_topic="~/set", direction_command_template='{"dir": "{{ value }}"}', direction_state_topic="~/state",
        direction_value_template="{{ value_json.dir }}", payload_reset_percentage="gone", speed_range_min=10, speed_range_max=200)
    yield case.steps_of(
        "fan-templates/state", {"p": "ON", "speed": 10, "osc": "no", "dir": "forward"}, {"p": "ON", "speed": 105, "osc": "yes", "dir": "reverse"},
        {"p": "ON", "speed": "gone", "osc": "maybe", "dir": "up"}, {"p": "OFF", "speed": 200, "osc": "no", "dir": "forward"}, {"p": "ON", "speed": 9}).asks(
        key, "on", "off", ("set_percentage", 1), ("set_percentage", 50), ("oscillate", True), ("set_direction", "reverse"))
    case, key = one("fan-no-state", "fan", command_topic="~/set", percentage_command_topic="~/pct", preset_mode_command_topic="~/preset", preset_modes=["eco"])
    yield case.asks(key, ("set_percentage", 20), ("set_preset", "eco"), "off")
    case, key = one(
        "fan-percentage-is-state", "fan", command_topic="~/set", state_topic="~/state", percentage_command_topic="~/pct/set", percentage_state_topic="~/pct",
        speed_range_min=1, speed_range_max=8, payload_on="run", payload_off="halt", preset_modes=["auto"], preset_mode_command_topic="~/mode/set",
        preset_mode_state_topic="~/mode")
    case.step(("fan-percentage-is-state/state", "run"), ("fan-percentage-is-state/pct", "3")).step(("fan-percentage-is-state/mode", "auto"))
    case.step(("fan-percentage-is-state/pct", "None")).step(("fan-percentage-is-state/mode", "None"), ("fan-percentage-is-state/pct", "8"))
    yield case.step(("fan-percentage-is-state/pct", "4.5")).asks(key, ("set_percentage", 12), ("set_percentage", 13), ("set_percentage", 99))


def climates():
    case, key = one(
        "climate-value-template", "climate", value_template="{{ value_json.v }}", mode_state_topic="~/mode", mode_command_topic="~/mode/set",
        temperature_state_topic="~/temp", temperature_command_topic="~/temp/set", current_temperature_topic="~/now", action_topic="~/action",
        preset_mode_state_topic="~/preset", preset_mode_command_topic="~/preset/set", preset_modes=["a b", "c"], precision=0.5, temp_step=0.5,
        temperature_command_template="{{ value | round(1) }} C", mode_command_template="{{ value | upper }}", preset_mode_command_template="<{{ value }}>")
    case.step(("climate-value-template/mode", {"v": "heat_cool"}), ("climate-value-template/temp", {"v": 20.3}), ("climate-value-template/now", {"v": "19.76"}))
    case.step(("climate-value-template/action", {"v": "heating"}), ("climate-value-template/preset", "a b")).step(("climate-value-template/action", {"v": "None"}))
    case.step(("climate-value-template/temp", {"v": "None"}), ("climate-value-template/mode", {"v": "None"})).step(("climate-value-template/temp", {"v": "x"}))
    yield case.asks(key, ("set_temperature", 21.3), ("set_mode", "cool"), ("set_preset", "a b"), ("set_preset", "d"), "on", "off")
    case, key = one(
        "climate-power", "climate", mode_state_topic="~/mode", mode_command_topic="~/mode/set", modes=["off", "cool", "auto"], power_command_topic="~/power",
        power_command_template='{"power": "{{ value }}"}', payload_on="RUN", payload_off="REST", temperature_command_topic="~/temp/set")
    yield case.steps_of("climate-power/mode", "cool", "off", "auto").asks(key, "on", "off", ("set_mode", "off"), ("set_temperature", 7), ("set_temperature", 35))
    case, key = one("climate-only-reads", "climate", current_temperature_topic="~/now", mode_state_topic="~/mode", modes=["off", "heat"])
    yield case.step(("climate-only-reads/now", "21.05"), ("climate-only-reads/mode", "heat")).asks(key, ("set_temperature", 20), "on")
    case, key = one(
        "climate-range-fahrenheit", "climate", temperature_unit="F", mode_state_topic="~/mode", mode_command_topic="~/mode/set", modes=["off", "heat_cool"],
        temperature_low_command_topic="~/low/set", temperature_low_state_topic="~/low", temperature_high_command_topic="~/high/set",
        temperature_high_state_topic="~/high", min_temp=50, max_temp=90)
    case.step(("climate-range-fahrenheit/mode", "heat_cool"), ("climate-range-fahrenheit/low", "68"), ("climate-range-fahrenheit/high", "77"))
    yield case.asks(key, ("set_temperature", {"low": 18, "high": 25}), ("set_temperature", {"low": 20.5, "high": 20.5}))


def doors():
    case, key = one(
        "cover-stop-tilt", "cover", command_topic="~/set", state_topic="~/state", tilt_command_topic="~/tilt/set", tilt_status_topic="~/tilt",
        tilt_min=0, tilt_max=90, tilt_opened_value=45, payload_stop_tilt="TSTOP")
    yield case.step(("cover-stop-tilt/state", "open"), ("cover-stop-tilt/tilt", "45")).step(("cover-stop-tilt/tilt", "90")).asks(
        key, ("set_tilt", 100), ("set_tilt", 33), ("set_tilt", 0), "stop")
    case, key = one(
        "cover-position-template", "cover", position_topic="~/state", position_template="{% if value_json.p is defined %}{{ 100 - value_json.p }}{% endif %}",
        set_position_topic="~/set", set_position_template="{{ 100 - position }}", command_topic="~/cmd")
    yield case.steps_of("cover-position-template/state", {"p": 100}, {"q": 1}, {"p": 0}, {"p": 25}).asks(key, ("set_position", 25), ("set_position", 0))
    case, key = one("cover-words-of-its-own", "cover", command_topic="~/set", state_topic="~/state", state_open="1", state_closed="0", state_opening="2",
                    state_closing="3", state_stopped="4", payload_open="up", payload_close="down", payload_stop="halt")
    yield case.steps_of("cover-words-of-its-own/state", "0", "2", "4", "3", "4", "None", "5").asks(key, "open", "close", "stop")
    case, key = one("cover-set-only", "cover", set_position_topic="~/set", position_topic="~/pos", optimistic=False)
    yield case.steps_of("cover-set-only/pos", "12.4", "99.6", "-3", "1000").asks(key, ("set_position", 40), "open", "close")
    case, key = one("lock-words", "lock", command_topic="~/set", state_topic="~/state", payload_lock="l", payload_unlock="u", payload_open="o", state_locked=1,
                    state_unlocked=0, state_locking=2, state_unlocking=3, state_jammed=-1, state_open=4, state_opening=5)
    yield case.steps_of("lock-words/state", "1", "3", "0", "5", "4", "2", "-1", "1", "1.0").asks(key, "lock", "unlock", "open")
    case, key = one("lock-json-null", "lock", command_topic="~/set", state_topic="~/state", value_template="{{ value_json.state }}")
    yield case.steps_of("lock-json-null/state", {"state": "LOCKED"}, {"state": None}, {"state": "UNLOCKED"}, {"other": 1}, "LOCKED").asks(key, "unlock")
    case, key = one("alarm-template", "alarm_control_panel", state_topic="~/state", command_topic="~/set", command_template="{{ action | lower }}", code="^\\d+$",
                    code_arm_required=False, value_template="{{ {'0': 'disarmed', '1': 'armed_home'}[value] | default('triggered') }}",
                    payload_arm_home="HOME_NOW", payload_trigger="ALARM")
    case.steps_of("alarm-template/state", "0", "1", "7")
    yield case.ask(key, "arm", "home").ask(key, "trigger", code="12").ask(key, "disarm", code="12")
    case, key = one("valve-stop-and-states", "valve", state_topic="~/state", command_topic="~/set", payload_stop="S", payload_open="O", payload_close="C",
                    command_template="{{ value }}!")
    yield case.steps_of("valve-stop-and-states/state", "closed", {"state": "opening"}, "None", "open").asks(key, "open", "close", "stop", ("set_position", 10))


def happenings():
    for name, payloads in (
        ("numbers", [{"event_type": 1}, {"event_type": "1", "n": 1.0}, {"event_type": 2}]),
        ("shapes", ["[]", '"1"', "{}", {"event": "1"}, {"event_type": None}, {"event_type": "1", "list": [1, {"a": "b"}], "none": None}]),
    ):
        case, key = one(f"event-{name}", "event", state_topic="~/e", event_types=["1", "None"])
        yield case.steps_of(f"event-{name}/e", *payloads)
    case = Case("trigger-any-message", FIRMWARE)
    device = {"identifiers": ["trigger-any-message"], "name": "trigger-any-message"}
    case.announce_at("homeassistant/device_automation/any/1/config", {
        "automation_type": "trigger", "topic": "trigger-any/t", "type": "button_press", "subtype": "any", "device": device})
    case.announce_at("homeassistant/device_automation/any/2/config", {
        "automation_type": "trigger", "topic": "trigger-any/j", "type": "button_press", "subtype": "json", "payload": "2", "value_template": "{{ value_json.n }}",
        "device": device})
    yield case.steps_of("trigger-any/t", "x", "", "y").steps_of("trigger-any/j", {"n": 2}, {"n": "2"}, {"m": 2}, {"n": 2.0})


def announcements():
    case = Case("announced-twice", FIRMWARE)
    device = {"identifiers": ["announced-twice"], "name": "announced-twice"}
    for topic, extra in (("old", {}), ("new", {"value_template": "{{ value | float * 2 }}", "unit_of_measurement": "V", "device_class": "voltage"})):
        case.announce("sensor", "announced-twice_1", {"name": "V", "unique_id": "announced-twice_1", "state_topic": f"announced-twice/{topic}", "device": device, **extra})
    yield case.step(("announced-twice/old", "1")).step(("announced-twice/new", "2"))
    case = Case("announced-and-taken-back", FIRMWARE)
    device = {"identifiers": ["announced-and-taken-back"], "name": "announced-and-taken-back"}
    for name in ("stays", "goes"):
        case.announce("switch", f"taken_{name}", {"name": name, "unique_id": f"taken_{name}", "command_topic": f"taken/{name}", "device": device})
    case.announce("switch", "taken_goes", "")
    yield case.asks("switch:taken_stays", "on")
    case = Case("bundle-shrinks", FIRMWARE)
    device = {"ids": ["bundle-shrinks"], "name": "bundle-shrinks"}
    parts = {name: {"p": "sensor", "name": name, "uniq_id": f"shrinks_{name}", "stat_t": f"shrinks/{name}"} for name in ("a", "b")}
    case.bundle("bundle-shrinks", {"dev": device, "o": {"name": "own"}, "cmps": parts})
    case.bundle("bundle-shrinks", {"dev": device, "o": {"name": "own"}, "cmps": {"a": parts["a"], "b": {"p": "sensor"}}})
    yield case.step(("shrinks/a", "1"), ("shrinks/b", "2"))
    case = Case("base-topic-at-the-end", FIRMWARE).announce("switch", "base-end", {
        "~": "base-end", "name": "S", "uniq_id": "base-end_1", "cmd_t": "set/~", "stat_t": "~/state", "avty": [{"topic": "~/up"}], "dev": {"ids": "base-end"}})
    yield case.step(("base-end/up", "online"), ("base-end/state", "ON")).asks("switch:base-end_1", "off")
    case = Case("long-and-short-names", FIRMWARE).announce("sensor", "long-short", {
        "name": "T", "uniq_id": "long-short_1", "state_topic": "long-short/t", "val_tpl": "{{ value_json.t }}", "unit_of_measurement": "°C",
        "dev_cla": "temperature", "stat_cla": "measurement", "sug_dsp_prc": 1, "exp_aft": 0, "frc_upd": True, "ent_cat": "diagnostic",
        "json_attributes_topic": "long-short/t", "device": {"connections": [["mac", "02:00:00:00:00:01"]], "name": "long-short"}})
    yield case.steps_of("long-short/t", {"t": 20.123, "battery": 3}, {"t": 20})
    for name, more, payload in (("latin", {"encoding": "latin-1"}, "abc"), ("null-class", {"device_class": None}, "5"), ("null-unit", {"unit_of_measurement": None}, "5")):
        case, key = one(f"sensor-{name}", "sensor", state_topic="~/s", **more)
        yield case.step((f"sensor-{name}/s", payload))


def cases():
    for family in (json_lights, topic_lights, fans, climates, doors, happenings, announcements):
        yield from family()
