"""The rules by which the states of the hub and Home Assistant are equal, in Cardea's format. `DeviceValue.swift` has the same rules."""

# Attributes that both have, by component. An event's attributes are all those of the event.
NAMES = {
    "cover": {"position", "tilt"}, "valve": {"position"}, "lock": {"code_format"}, "alarm_control_panel": {"supported_modes", "code_required"},
    "fan": {"percentage", "preset_mode", "preset_modes", "direction", "oscillating"},
    "climate": {
        "target_temperature", "target_temperature_low", "target_temperature_high", "current_temperature", "action", "hvac_modes", "preset_mode",
        "preset_modes"},
    "sensor": {"state_class", "options", "last_reset", "suggested_display_precision"},
    "light": {"supported_color_modes", "effect_list", "brightness", "effect", "color"},
}
LIT = {"brightness", "effect", "color"}
# Tolerances of numbers: levels go to 255 in Home Assistant and are percent in the house, hues have one decimal here, and Home Assistant
# rounds a thermostat's measured temperature to tenths.
SLACK = {"brightness": 0.25, "white": 0.25, "hue": 0.06, "saturation": 0.06, "current_temperature": 0.06}


def attributes(component, is_on, own, wanted):
    """The names of the attributes to compare."""
    names = {*own, *wanted} if component in ("event", "device_automation") else NAMES.get(component, set())
    return sorted(names - LIT if component == "light" and not is_on else names)


def is_same_state(one, other, is_converted):
    if one == other:
        return True
    try:
        first, second = float(one), float(other)
    except ValueError:
        return False
    step = 10.0 ** -len(other.partition(".")[2])
    return is_converted and abs(first - second) <= step / 2 + 0.0001


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_same(one, other, name, tolerance):
    # A device that has reported no preset yet has none.
    if name == "preset_mode":
        return (one or "none") == (other or "none")
    if name == "code_required":
        return bool(one) == bool(other)
    if is_number(one) and is_number(other):
        return abs(one - other) <= max(SLACK.get(name, 0.0001), tolerance)
    if name == "color" and isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[part], other[part], part, tolerance) for part in one)
    return one == other
