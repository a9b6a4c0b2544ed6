"""Formats that people write by hand or with their own programs, from Home Assistant's documentation: rare kinds and unusual ones."""

from mqtt_devices.case import Case

FIRMWARE = "Household"


def one(case_id, component, **config):
    """A case of one entity, at topics below the case's id."""
    filled = {key: value.replace("~", case_id) if isinstance(value, str) and "topic" in key else value for key, value in config.items()}
    device = {"identifiers": [f"house-{case_id}"], "name": case_id}
    unique = f"{case_id}_1"
    case = Case(case_id, FIRMWARE).announce(component, unique, {"name": "Main", "unique_id": unique, "device": device, **filled})
    return case, f"{component}:{unique}"


def alarms():
    case, key = one(
        "alarm-plain", "alarm_control_panel", state_topic="~/state", command_topic="~/set", code_arm_required=False, code_disarm_required=False)
    yield case.steps_of("alarm-plain/state", "disarmed", "armed_vacation", "None", "nonsense", "triggered").asks(
        key, *[("arm", mode) for mode in ("home", "away", "night", "vacation", "custom_bypass")], "disarm", "trigger")
    case, key = one(
        "alarm-code", "alarm_control_panel", state_topic="~/state", command_topic="~/set", code="4711",
        command_template='{"action": "{{ action }}", "code": "{{ code }}"}')
    case.steps_of("alarm-code/state", "armed_away")
    case.ask(key, "disarm", code="4711").ask(key, "disarm", code="1234").ask(key, "disarm").ask(key, "arm", "home", code="4711").ask(key, "arm", "away")
    yield case.ask(key, "trigger", code="4711").ask(key, "trigger")
    case, key = one(
        "alarm-remote-code", "alarm_control_panel", state_topic="~/state", command_topic="~/set", code="REMOTE_CODE", code_arm_required=False,
        command_template="{{ action }} {{ code }}", payload_disarm="OFF", payload_arm_away="AWAY", value_template="{{ value_json.mode }}")
    case.steps_of("alarm-remote-code/state", {"mode": "armed_away"}, {"mode": "pending"}, {})
    yield case.ask(key, "arm", "away").ask(key, "disarm", code="0815").ask(key, "disarm")
    case, key = one(
        "alarm-remote-text", "alarm_control_panel", state_topic="~/state", command_topic="~/set", code="REMOTE_CODE_TEXT",
        code_disarm_required=False, code_trigger_required=False, supported_features=["arm_home", "arm_away"], retain=True)
    case.steps_of("alarm-remote-text/state", "disarmed")
    yield case.ask(key, "arm", "home", code="abc").ask(key, "disarm").ask(key, "arm", "night", code="abc").ask(key, "trigger")


def valves():
    case, key = one(
        "valve-states", "valve", state_topic="~/state", command_topic="~/set", state_open="ON", state_closed="OFF", payload_open="ON",
        payload_close="OFF", value_template="{{ value_json.POWER }}", device_class="gas")
    yield case.steps_of("valve-states/state", {"POWER": "ON"}, {"POWER": "OFF"}, {"POWER": None}).asks(key, "open", "close", "stop")
    case, key = one(
        "valve-percent", "valve", state_topic="~/state", command_topic="~/set", reports_position=True, value_template="{{ value_json.pos }}",
        command_template='{ "pos": {{ value }} }', payload_stop="HOLD")
    yield case.steps_of("valve-percent/state", {"pos": 30}, {"pos": 0}, {"pos": "30.6"}, {"pos": "opening"}, {"pos": 100}, {"pos": 130}).asks(
        key, "open", "close", "stop", ("set_position", 60))
    case, key = one(
        "valve-range", "valve", state_topic="~/state", command_topic="~/set", reports_position=True, position_closed=10, position_open=90)
    yield case.steps_of("valve-range/state", "10", "50", "90", "95", "0", {"state": "open", "position": 42}).asks(
        key, ("set_position", 50), "open", "close", ("set_position", 0))
    case, key = one("valve-inverted", "valve", state_topic="~/state", command_topic="~/set", reports_position=True, position_closed=100, position_open=0)
    yield case.steps_of("valve-inverted/state", "100", "75", "0").asks(key, ("set_position", 25), "open", "close")
    case, key = one("valve-json", "valve", state_topic="~/state", command_topic="~/set", payload_stop="STOP", state_opening="up", state_closing="down")
    yield case.steps_of("valve-json/state", {"state": "up"}, {"state": "open"}, "down", "closed", "").asks(key, "stop", "open")
    case, key = one("valve-blind", "valve", command_topic="~/set", optimistic=True)
    yield case.asks(key, "open", "close")
    case, key = one("valve-no-close", "valve", state_topic="~/state", command_topic="~/set", payload_close=None)
    yield case.steps_of("valve-no-close/state", "open").asks(key, "open", "close")


def covers():
    case, key = one(
        "cover-one-topic", "cover", command_topic="~/set", position_topic="~/state", set_position_topic="~/set", tilt_command_topic="~/set",
        position_template='{ "position": {{ value_json.pos }}, "tilt_position": {{ value_json.tilt }} }',
        set_position_template='{"pos": {{ position }}, "from": {{ position_closed }}, "to": {{ position_open }}, "me": "{{ entity_id }}"}',
        tilt_command_template='{"tilt": {{ tilt_position }}, "min": {{ tilt_min }}, "max": {{ tilt_max }} }')
    yield case.steps_of("cover-one-topic/state", {"pos": 20, "tilt": 70}, {"pos": 0, "tilt": 0}, {"pos": 5}).asks(
        key, ("set_tilt", 30), ("set_tilt", 100), "open")
    case, key = one(
        "cover-tilt-inverted", "cover", command_topic="~/set", tilt_command_topic="~/tilt/set", tilt_status_topic="~/tilt", tilt_min=100,
        tilt_max=0, tilt_closed_value=100, tilt_opened_value=0)
    yield case.steps_of("cover-tilt-inverted/tilt", "100", "0", "25", "x").asks(key, ("set_tilt", 25), ("set_tilt", 0), ("set_tilt", 100))
    case, key = one(
        "cover-tilt-only", "cover", tilt_command_topic="~/tilt/set", tilt_status_topic="~/tilt", tilt_status_template="{{ value_json.a }}",
        tilt_min=-100, tilt_max=100, tilt_optimistic=True)
    yield case.steps_of("cover-tilt-only/tilt", {"a": -100}, {"a": 0}, {"a": 101}, {}).asks(key, ("set_tilt", 75), "open")
    case, key = one(
        "cover-range-state", "cover", command_topic="~/set", position_topic="~/pos", set_position_topic="~/pos/set", position_open=10, position_closed=210,
        state_topic="~/state", payload_stop="HALT", state_open="o", state_closed="c", state_stopped="s")
    case.step(("cover-range-state/pos", "110")).step(("cover-range-state/state", "s")).step(("cover-range-state/pos", "210"))
    yield case.step(("cover-range-state/state", "s")).step(("cover-range-state/state", "o")).step(("cover-range-state/pos", "500")).asks(
        key, ("set_position", 50), ("set_position", 1), "stop")
    case, key = one("cover-window-read-only", "cover", state_topic="~/state", command_topic="~/set", payload_open=None, payload_stop=None, device_class="window")
    yield case.steps_of("cover-window-read-only/state", "open", "closed").asks(key, "close", "open")
    case, key = one("cover-gate-template", "cover", state_topic="~/state", command_topic="~/set", device_class="gate",
                    value_template="{% if value_json.angle | float > 80 %}open{% elif value_json.angle | float < 3 %}closed{% else %}{{ value_json.move }}{% endif %}")
    yield case.steps_of("cover-gate-template/state", {"angle": 0}, {"angle": "45", "move": "opening"}, {"angle": 90}, {"angle": "bad"}).asks(key, "open", "stop")


def lights():
    case, key = one(
        "light-hs-xy", "light", command_topic="~/set", state_topic="~/state", brightness_command_topic="~/bri/set", brightness_state_topic="~/bri",
        hs_command_topic="~/hs/set", hs_state_topic="~/hs", xy_command_topic="~/xy/set", xy_state_topic="~/xy", color_mode_state_topic="~/mode")
    case.step(("light-hs-xy/state", "ON"), ("light-hs-xy/bri", "90"), ("light-hs-xy/mode", "hs"), ("light-hs-xy/hs", "120,40.5"))
    case.step(("light-hs-xy/mode", "xy"), ("light-hs-xy/xy", "0.3,0.4")).step(("light-hs-xy/bri", "0")).step(("light-hs-xy/bri", "300"))
    yield case.asks(key, ("set_color", {"hue": 33.3, "saturation": 66.6}), ("set_brightness", 60), "on")
    for scale in (100, 1000, 15):
        case, key = one(
            f"light-scale-{scale}", "light", command_topic="~/set", state_topic="~/state", brightness_command_topic="~/bri/set",
            brightness_state_topic="~/bri", brightness_scale=scale)
        case.step((f"light-scale-{scale}/state", "ON")).steps_of(f"light-scale-{scale}/bri", "1", str(scale), str(scale // 2), "0.4", "x")
        yield case.asks(key, ("set_brightness", 1), ("set_brightness", 100), ("set_brightness", 47))
    case, key = one("light-no-state", "light", command_topic="~/set", brightness_command_topic="~/bri/set", rgb_command_topic="~/rgb/set")
    yield case.asks(key, "off", ("set_brightness", 50))
    case, key = one("light-rgb-only-topic", "light", command_topic="~/set", state_topic="~/state", rgb_command_topic="~/rgb/set", rgb_state_topic="~/rgb")
    case.step(("light-rgb-only-topic/state", "ON"), ("light-rgb-only-topic/rgb", "128,0,0")).step(("light-rgb-only-topic/rgb", "64,64,64"))
    yield case.step(("light-rgb-only-topic/rgb", "")).asks(key, ("set_brightness", 50), ("set_color", {"hue": 60, "saturation": 100}))
    case, key = one(
        "light-json-kelvin", "light", schema="json", command_topic="~/set", state_topic="~/state", brightness=True, brightness_scale=100,
        supported_color_modes=["color_temp"], color_temp_kelvin=True, min_kelvin=2000, max_kelvin=6500)
    yield case.steps_of("light-json-kelvin/state", {"state": "ON", "brightness": 30, "color_mode": "color_temp", "color_temp": 3210}, {"state": "ON", "color_temp": 6500}).asks(
        key, ("set_color", {"temperature": 2222}), ("set_brightness", 99))
    case, key = one(
        "light-json-old-color", "light", schema="json", command_topic="~/set", state_topic="~/state", brightness=True, supported_color_modes=["hs", "white"],
        white_scale=100)
    yield case.steps_of(
        "light-json-old-color/state", {"state": "ON", "color_mode": "hs", "color": {"h": 12.3, "s": 45.6}, "brightness": 255},
        {"state": "ON", "color_mode": "rgb", "color": {"r": 1, "g": 2, "b": 3}}, {"state": "ON", "brightness": "bright"}, {"state": "ON", "color_mode": "white"}).asks(
        key, ("set_color", {"hue": 1.5, "saturation": 2.5}), ("set_color", {"white": 20}), "off")
    case, key = one(
        "light-template-hs", "light", schema="template", command_topic="~/set", state_topic="~/state",
        command_on_template="on{%- if brightness is defined -%} {{ brightness }}{%- endif -%}{%- if hue is defined -%} {{ hue }},{{ sat }}{%- endif -%}"
        "{%- if transition is defined -%} in {{ transition }}{%- endif -%}",
        command_off_template="off", state_template="{{ value.split(' ')[0] }}", brightness_template="{{ value.split(' ')[1] }}",
        red_template="{{ value.split(' ')[2].split(',')[0] }}", green_template="{{ value.split(' ')[2].split(',')[1] }}",
        blue_template="{{ value.split(' ')[2].split(',')[2] }}")
    yield case.steps_of("light-template-hs/state", "on 255 255,0,0", "on 20 0,255,128", "off 0 0,0,0", "on 7 1,2,3").asks(
        key, "on", "off", ("set_brightness", 25), ("set_color", {"hue": 77, "saturation": 88}))
    case, key = one(
        "light-template-ct-kelvin", "light", schema="template", command_topic="~/set", state_topic="~/state", color_temp_kelvin=True,
        command_on_template="on{% if color_temp is defined %},{{ color_temp }}{% endif %}", command_off_template="off",
        state_template="{{ value_json.s }}", color_temp_template="{{ value_json.k }}", brightness_template="{{ value_json.b }}")
    yield case.steps_of("light-template-ct-kelvin/state", {"s": "on", "k": 2500, "b": 3}, {"s": "None"}, {"s": "on", "k": "None", "b": 4}).asks(
        key, ("set_color", {"temperature": 5000}))
    case, key = one(
        "light-white-and-rgb", "light", command_topic="~/set", state_topic="~/state", rgb_command_topic="~/rgb/set", rgb_state_topic="~/rgb",
        white_command_topic="~/white/set", white_scale=50, color_mode_state_topic="~/mode", brightness_command_topic="~/bri/set",
        brightness_state_topic="~/bri", effect_command_topic="~/fx/set", effect_list=["a", "b"], effect_state_topic="~/fx", on_command_type="first")
    case.step(("light-white-and-rgb/state", "ON"), ("light-white-and-rgb/mode", "white"), ("light-white-and-rgb/bri", "100"), ("light-white-and-rgb/fx", "a"))
    yield case.step(("light-white-and-rgb/mode", "rgb"), ("light-white-and-rgb/rgb", "0,0,255"), ("light-white-and-rgb/fx", "c")).asks(
        key, ("set_color", {"white": 50}), ("set_effect", "b"), ("set_color", {"hue": 0, "saturation": 100}), ("set_brightness", 10))


def availability():
    for mode in ("all", "any", "latest"):
        case_id = f"availability-{mode}"
        case, key = one(
            case_id, "lock", command_topic="~/set", state_topic="~/state", availability_mode=mode,
            availability=[{"topic": f"{case_id}/a"}, {"topic": f"{case_id}/b", "payload_available": "up", "payload_not_available": "down"}])
        for place, payload in (("a", "online"), ("b", "up"), ("a", "offline"), ("b", "down"), ("a", "online"), ("b", "what"), ("b", "up"), ("state", "LOCKED")):
            case.step((f"{case_id}/{place}", payload))
        yield case.asks(key, "unlock")
    case, key = one(
        "availability-template", "lock", command_topic="~/set", state_topic="~/state", availability_topic="~/a",
        availability_template="{{ 'online' if value_json.rssi | float(0) < 0 else 'offline' }}")
    case.step(("availability-template/state", "LOCKED")).steps_of("availability-template/a", {"rssi": -60}, {"rssi": 0}, "no JSON", {"rssi": "-5"})
    yield case.asks(key, "lock")
    case, key = one("availability-same-topic", "sensor", state_topic="~/t", availability_topic="~/t", payload_available="here", payload_not_available="gone")
    yield case.steps_of("availability-same-topic/t", "here", "5", "gone", "here")
    case, key = one("availability-short", "switch", command_topic="~/set", avty=[{"t": "availability-short/a", "pl_avail": 1, "pl_not_avail": 0}])
    yield case.steps_of("availability-short/a", "1", "0", "1").asks(key, "on")
    case, key = one(
        "availability-none", "binary_sensor", state_topic="~/state", availability_topic="~/a", payload_available="yes", payload_not_available="no",
        availability_template="{{ value_json.up | default(none) }}")
    yield case.step(("availability-none/state", "ON")).steps_of("availability-none/a", {"up": "yes"}, {}, {"up": "no"}, {"up": None})


def values():
    for case_id, config, payloads in (
        ("value-nan", {"unit_of_measurement": "W"}, ("5", "nan", "6", "inf", "-inf", "7", "", "8")),
        ("value-words", {}, ("unknown", "unavailable", "None", "null", "", "x")),
        ("value-numeric-words", {"device_class": "temperature", "unit_of_measurement": "°C"}, ("20", "unknown", "21", "None", "22", "unavailable", "1e3")),
        ("value-digits", {"unit_of_measurement": "m", "suggested_display_precision": 2}, ("1.50000", "007", "+3", " 4 ", "-0")),
        ("value-date", {"device_class": "date"}, ("2026-11-28", "28.11.2026", "2026-11-29")),
        ("value-timestamp", {"device_class": "timestamp"}, ("2026-11-28T20:11:05+00:00", "2026-11-28 21:11:05+01:00", "2026-11-28T20:11:05", "1763900000")),
        ("value-template-number", {"value_template": "{{ value_json.a }}"}, ({"a": 1.0}, {"a": 1e20}, {"a": True}, {"a": [1, 2]}, {"a": {"b": 1}})),
        ("value-template-none", {"value_template": "{{ value_json.a if value_json.a is defined else None }}", "unit_of_measurement": "A"}, ({"a": 3}, {}, {"a": 4})),
        ("value-template-this", {"value_template": "{{ value_json.a | default(this.state) }}"}, ({"a": "one"}, {"b": 1}, {"a": "two"})),
        ("value-template-broken-message", {"value_template": "{{ value_json.a }}"}, ({"a": "ok"}, "{broken", {"a": "again"})),
        ("value-last-reset", {"state_class": "total", "value_template": "{{ value_json.v }}", "last_reset_value_template": "{{ value_json.since }}",
                              "unit_of_measurement": "kWh", "device_class": "energy"},
         ({"v": 1, "since": "2026-01-01T00:00:00+00:00"}, {"v": 2, "since": "never"}, {"v": 3})),
        ("value-long", {}, ("x" * 255, "y" * 256, "z")),
        ("value-options", {"device_class": "enum", "options": ["a", "b"]}, ("a", "c", "b", "", "None")),
        ("value-kilowatt-hours", {"device_class": "energy", "unit_of_measurement": "kWh", "state_class": "total_increasing"}, ("0.1", "1.10")),
        ("value-bytes", {"encoding": "utf-8", "value_template": "{{ value | lower }}"}, ("Größe", "🔥")),
    ):
        case, key = one(case_id, "sensor", state_topic="~/state", **config)
        yield case.steps_of(f"{case_id}/state", *payloads)
    for case_id, config, payloads in (
        ("binary-none", {}, ("ON", "None", "OFF", "", "on")),
        ("binary-numbers", {"payload_on": 1, "payload_off": 0}, ("1", "0", "1.0", "true")),
        ("binary-template", {"value_template": "{{ 'ON' if value_json.v > 3 else 'OFF' }}"}, ({"v": 4}, {"v": 2}, {"w": 1}, "x")),
        ("binary-bool", {"payload_on": True, "payload_off": False, "value_template": "{{ value_json.v }}"}, ({"v": True}, {"v": False}, {"v": 1})),
    ):
        case, key = one(case_id, "binary_sensor", state_topic="~/state", **config)
        yield case.steps_of(f"{case_id}/state", *payloads)
    case, key = one("binary-off-delay", "binary_sensor", state_topic="~/state", off_delay=5)
    yield case.step(("binary-off-delay/state", "ON"), seconds=2).step(("binary-off-delay/state", "ON"), seconds=2).step(seconds=5)
    case, key = one("binary-expiry", "binary_sensor", state_topic="~/state", expire_after=4)
    yield case.step(("binary-expiry/state", "ON"), seconds=1).step(seconds=5).step(("binary-expiry/state", "OFF"))


def locks():
    case, key = one(
        "lock-template", "lock", command_topic="~/set", state_topic="~/state", value_template="{{ value_json.val }}", payload_open="OPEN",
        command_template='{"do": "{{ value }}", "who": "{{ name }}", "code": "{{ code }}"}', state_locked="L", state_unlocked="U", state_jammed="J")
    yield case.steps_of("lock-template/state", {"val": "L"}, {"val": "J"}, {"val": "U"}, {"val": ""}).asks(key, "lock", "unlock", "open")
    case, key = one("lock-code", "lock", command_topic="~/set", state_topic="~/state", code_format="^\\d{6}$", payload_open="OPEN")
    case.steps_of("lock-code/state", "LOCKED", "UNLOCKED")
    yield case.ask(key, "unlock", code="123456").ask(key, "open", code="123456").ask(key, "lock", code="123456").ask(key, "unlock", code="1").ask(key, "lock")
    case, key = one("lock-optimistic", "lock", command_topic="~/set", state_topic="~/state", optimistic=True)
    yield case.steps_of("lock-optimistic/state", "LOCKED", "UNLOCKED").asks(key, "lock", "unlock")
    case, key = one("lock-reset", "lock", command_topic="~/set", state_topic="~/state", payload_reset="RESET")
    yield case.steps_of("lock-reset/state", "LOCKED", "RESET", "None", "UNLOCKED")
    case, key = one("lock-kept", "lock", command_topic="~/set", state_topic="~/state")
    yield case.kept(("lock-kept/state", "LOCKED")).step(("lock-kept/state", "UNLOCKED")).asks(key, "lock")


def odd():
    """Announcements that Home Assistant refuses, and bundles with components that the hub does not show."""
    for name, component, config in (
        ("unknown-device-class", "sensor", {"state_topic": "~/s", "device_class": "sparkle"}),
        ("no-command-topic", "switch", {"state_topic": "~/s"}),
        ("wildcard", "sensor", {"state_topic": "~/#"}),
        ("negative-expiry", "sensor", {"state_topic": "~/s", "expire_after": -5}),
        ("bad-template", "sensor", {"state_topic": "~/s", "value_template": "{{ value_json."}),
        ("bad-unit", "sensor", {"state_topic": "~/s", "device_class": "temperature", "unit_of_measurement": "W"}),
        ("bad-qos", "sensor", {"state_topic": "~/s", "qos": 7}),
        ("bad-schema", "light", {"command_topic": "~/s", "schema": "fancy"}),
        ("modes-of-its-own", "climate", {"mode_command_topic": "~/m", "modes": ["off", "turbo"]}),
        ("range-upside-down", "fan", {"command_topic": "~/s", "percentage_command_topic": "~/p", "speed_range_min": 9, "speed_range_max": 3}),
        ("options-and-unit", "sensor", {"state_topic": "~/s", "options": ["a"], "unit_of_measurement": "W", "device_class": "enum"}),
        ("event-without-types", "event", {"state_topic": "~/s"}),
    ):
        case, key = one(f"refused-{name}", component, **config)
        yield case.step((f"refused-{name}/s", "1"))
    device = {"identifiers": ["house-bundle"], "name": "bundle"}
    case = Case("bundle-inherits", FIRMWARE).bundle("house-bundle", {
        "device": device, "origin": {"name": "own program"}, "state_topic": "bundle/state", "availability_topic": "bundle/up", "qos": 1, "components": {
            "t": {"platform": "sensor", "name": "T", "unique_id": "bundle_t", "value_template": "{{ value_json.t }}", "unit_of_measurement": "°C"},
            "l": {"platform": "lock", "name": "Door", "unique_id": "bundle_l", "command_topic": "bundle/set", "value_template": "{{ value_json.l }}"},
            "s": {"platform": "siren", "name": "Horn", "unique_id": "bundle_s", "command_topic": "bundle/horn"},
            "n": {"platform": "sensor", "name": "Own topic", "unique_id": "bundle_n", "state_topic": "bundle/n"},
            "b": {"platform": "button", "name": "Unlatch", "unique_id": "bundle_b", "command_topic": "bundle/unlatch"}}})
    case.step(("bundle/up", "online")).step(("bundle/state", {"t": 20.5, "l": "LOCKED"}), ("bundle/n", "7"))
    yield case.asks("lock:bundle_l", "lock", "unlock").asks("button:bundle_b", "press")
    case = Case("no-json", FIRMWARE).announce_at("homeassistant/sensor/no-json/config", "this is no JSON")
    yield case
    case = Case("press-kept", FIRMWARE).announce("event", "press-kept_1", {
        "name": "Bell", "unique_id": "press-kept_1", "state_topic": "press-kept/bell", "event_types": ["ring"], "device": {"ids": "press-kept", "name": "press-kept"}})
    case.kept(("press-kept/bell", {"event_type": "ring"}))
    yield case.steps_of("press-kept/bell", {"event_type": "ring"}, {"event_type": "ring"})


def cases():
    for family in (alarms, valves, covers, lights, availability, values, locks, odd):
        yield from family()
