"""Home Assistant's vocabulary in Cardea's: one table for states and attributes, one for commands. Pure."""

UNKNOWN, UNAVAILABLE = "unknown", "unavailable"
HUES = {"hs", "rgb", "rgbw", "rgbww", "xy"}
# Bits of `supported_features`, by Cardea's `arm` value.
ALARM_MODES = {"home": 1, "away": 2, "night": 4, "vacation": 32, "custom_bypass": 16}
# Cardea's attribute, by Home Assistant's.
COVER = {"current_position": "position", "current_tilt_position": "tilt"}
VALVE = {"current_position": "position"}
FAN = {name: name for name in ("percentage", "preset_mode", "preset_modes", "direction", "oscillating")}
CLIMATE = {
    "temperature": "target_temperature", "target_temp_low": "target_temperature_low", "target_temp_high": "target_temperature_high",
    "current_temperature": "current_temperature", "hvac_action": "action", "hvac_modes": "hvac_modes", "preset_mode": "preset_mode",
    "preset_modes": "preset_modes",
}
SENSOR = {name: name for name in ("state_class", "options", "last_reset")}
LOCK = {"code_format": "code_format"}
ATTRIBUTES = {"cover": COVER, "valve": VALVE, "fan": FAN, "climate": CLIMATE, "sensor": SENSOR, "lock": LOCK}
# Factor and offset of the units that the house converts, as in `UnitConversion.swift`, by device class and unit.
UNITS = {
    ("temperature", "K"): (1, -273.15), ("power", "kW"): (1000, 0), ("energy", "Wh"): (0.001, 0), ("energy", "MWh"): (1000, 0),
}
HOUSE_UNITS = {"temperature": "°C", "power": "W", "energy": "kWh"}
ARM = {mode: f"alarm_arm_{mode}" for mode in ALARM_MODES}


def number(value):
    """A number as JSON writes it shortest: 50, not 50.0."""
    value = round(value, 4)
    return int(value) if value == int(value) else value


def percent(level):
    """A level of 255 in percent."""
    return number(level / 255 * 100)


def state(component, shown, option=None):
    """Cardea's state and attributes for Home Assistant's state of one entity; `option` is its entry's sensor options.

    Returns None for an unavailable entity: no more is known of it.
    """
    if shown["state"] == UNAVAILABLE:
        return None
    word, own = shown["state"], shown["attributes"]
    attributes = {ours: own[theirs] for theirs, ours in ATTRIBUTES.get(component, {}).items() if own.get(theirs) not in (None, [])}
    if component == "light":
        attributes = light(word, own)
    if component == "event":
        attributes = {key: value for key, value in own.items() if key not in ("friendly_name", "device_class", "icon", "entity_picture")}
        attributes = {key: value for key, value in attributes.items() if value is not None}
    if component == "alarm_control_panel":
        modes = [mode for mode, bit in ALARM_MODES.items() if own.get("supported_features", 0) & bit]
        attributes = {"supported_modes": modes} | ({"code_required": True} if own.get("code_format") else {})
    if component == "sensor":
        if option is not None:
            attributes["suggested_display_precision"] = option
        word = converted(word, own)
    return word, attributes


def traits(component, own, announced):
    """The traits of an entity: its class, its unit in the house, and how far two of its numbers may differ.

    `announced` is the unit in its announcement: where the house or Home Assistant converts, one of them rounds.
    """
    kind, unit = own.get("device_class"), own.get("unit_of_measurement")
    found = {"device_class": kind} if kind else {}
    if component == "sensor" and unit:
        found["unit"] = HOUSE_UNITS[kind] if (kind, unit) in UNITS else unit
    if announced in ("°F", "F"):
        return found | {"tolerance": 0.06}
    return found | ({"tolerance": 0.0001} if (kind, unit) in UNITS else {})


def light(word, own):
    """A light that is off reports no brightness and no colour."""
    attributes = {}
    modes = set(own.get("supported_color_modes") or [])
    said = [name for name, is_one in (("hs", modes & HUES), ("color_temp", "color_temp" in modes), ("white", "white" in modes)) if is_one]
    if said:
        attributes["supported_color_modes"] = said
    if own.get("effect_list"):
        attributes["effect_list"] = own["effect_list"]
    if word != "on":
        return attributes
    if own.get("brightness") is not None:
        attributes["brightness"] = percent(own["brightness"])
    if own.get("effect") is not None:
        attributes["effect"] = own["effect"]
    mode = own.get("color_mode")
    if mode in HUES and own.get("hs_color"):
        hue, saturation = own["hs_color"]
        attributes["color"] = {"hue": number(hue), "saturation": number(saturation)}
    elif mode == "color_temp" and own.get("color_temp_kelvin"):
        attributes["color"] = {"temperature": own["color_temp_kelvin"]}
    elif mode == "white" and own.get("brightness") is not None:
        attributes["color"] = {"white": percent(own["brightness"])}
    return attributes


def converted(word, own):
    rule = UNITS.get((own.get("device_class"), own.get("unit_of_measurement")))
    if rule is None or word in (UNKNOWN, UNAVAILABLE):
        return word
    return str(number(float(word) * rule[0] + rule[1]))


def service(component, action, value=None):
    """Home Assistant's service for one of Cardea's commands: domain, name and data."""
    level = lambda: round(value * 255 / 100)  # noqa: E731
    plain = {
        "lock": {"lock": "lock", "unlock": "unlock", "open": "open"},
        "cover": {"open": "open_cover", "close": "close_cover", "stop": "stop_cover"},
        "valve": {"open": "open_valve", "close": "close_valve", "stop": "stop_valve"},
        "alarm_control_panel": {"disarm": "alarm_disarm", "trigger": "alarm_trigger"},
        "button": {"press": "press"},
    }.get(component, {"on": "turn_on", "off": "turn_off"})
    if action in plain:
        return component, plain[action], {}
    match component, action:
        case "cover", "set_position":
            return component, "set_cover_position", {"position": value}
        case "cover", "set_tilt":
            return component, "set_cover_tilt_position", {"tilt_position": value}
        case "valve", "set_position":
            return component, "set_valve_position", {"position": value}
        case "light", "set_brightness":
            return component, "turn_on", {"brightness": level()}
        case "light", "set_effect":
            return component, "turn_on", {"effect": value}
        case "light", "set_color" if "hue" in value:
            return component, "turn_on", {"hs_color": [value["hue"], value["saturation"]]}
        case "light", "set_color" if "white" in value:
            return component, "turn_on", {"white": round(value["white"] * 255 / 100)}
        case "light", "set_color":
            return component, "turn_on", {"color_temp_kelvin": value["temperature"]}
        case "fan", "set_percentage":
            return component, "set_percentage", {"percentage": value}
        case "fan" | "climate", "set_preset":
            return component, "set_preset_mode", {"preset_mode": value}
        case "fan", "set_direction":
            return component, "set_direction", {"direction": value}
        case "fan", "oscillate":
            return component, "oscillate", {"oscillating": value}
        case "climate", "set_temperature" if isinstance(value, dict):
            return component, "set_temperature", {"target_temp_low": value["low"], "target_temp_high": value["high"]}
        case "climate", "set_temperature":
            return component, "set_temperature", {"temperature": value}
        case "climate", "set_mode":
            return component, "set_hvac_mode", {"hvac_mode": value}
        case "alarm_control_panel", "arm":
            return component, ARM[value], {}
    raise ValueError(f"{component} has no {action}")
