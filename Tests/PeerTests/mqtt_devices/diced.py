"""Random devices: ranges, colour modes, values and commands. They compare the arithmetic of each kind with Home Assistant's."""

import random

from mqtt_devices.household import one

MODES = (
    ["hs"], ["xy"], ["rgb"], ["rgbw"], ["rgbww"], ["color_temp"], ["rgb", "color_temp"], ["hs", "white"], ["xy", "color_temp"],
    ["rgbww", "color_temp"], ["rgbw", "white"])
HUES = {"hs", "xy", "rgb", "rgbw", "rgbww"}
# Members of a colour in the JSON of a light.
PARTS = {"rgb": "rgb", "rgbw": "rgbw", "rgbww": "rgbcw"}
POSITIONS = ((0, 100), (100, 0), (0, 99), (255, 0), (0, 7), (-90, 90), (10, 1000))
UNITS = (("temperature", "°F"), ("temperature", "K"), ("power", "kW"), ("energy", "Wh"), ("energy", "MWh"), ("temperature", "°C"))


class Dice(random.Random):
    def decimal(self, low, high, digits):
        return round(self.uniform(low, high), digits)

    def colour(self):
        return {"hue": self.decimal(0, 360, self.choice((0, 1))), "saturation": self.decimal(0, 100, self.choice((0, 1)))}

    def between(self, ends):
        return self.randint(min(ends), max(ends))

    def asks(self, case, key, modes, is_dimmed=True):
        for _ in range(3 if is_dimmed else 0):
            case.ask(key, "set_brightness", self.randint(1, 100))
        for _ in range(4 if HUES & set(modes) else 0):
            case.ask(key, "set_color", self.colour())
        if "color_temp" in modes:
            case.ask(key, "set_color", {"temperature": self.randint(2100, 6400)})
        if "white" in modes:
            case.ask(key, "set_color", {"white": self.randint(1, 100)})
        return case

    def json_light(self, name):
        modes, scale, is_kelvin = self.choice(MODES), self.choice((255, 100, 254, 99, 1000, 15)), self.random() < 0.3
        case, key = one(
            name, "light", schema="json", command_topic="~/set", state_topic="~/state", brightness=True, supported_color_modes=modes,
            brightness_scale=scale, color_temp_kelvin=is_kelvin)
        for _ in range(4):
            mode = self.choice(modes)
            state = {"state": "ON", "color_mode": mode, "brightness": self.randint(0, scale)}
            if mode == "hs":
                state["color"] = {"h": self.decimal(0, 360, 2), "s": self.decimal(0, 100, 2)}
            elif mode == "xy":
                state["color"] = {"x": self.decimal(0.1, 0.7, 3), "y": self.decimal(0.05, 0.6, 3)}
            elif mode == "color_temp":
                state["color_temp"] = self.randint(2000, 6500) if is_kelvin else self.randint(153, 500)
            elif mode in PARTS:
                state["color"] = {part: self.randint(0, 255) for part in PARTS[mode]}
            case.step((f"{name}/state", state))
        return self.asks(case, key, modes)

    def topic_light(self, name):
        mode, order, is_dimmed = self.choice(sorted(HUES)), self.choice(("first", "last", "brightness")), self.random() < 0.6
        scale = self.choice((255, 100, 99, 254, 7))
        more = {"brightness_command_topic": "~/b/set", "brightness_state_topic": "~/b", "brightness_scale": scale} if is_dimmed else {}
        case, key = one(
            name, "light", command_topic="~/set", state_topic="~/state", on_command_type=order, **more,
            **{f"{mode}_command_topic": "~/c/set", f"{mode}_state_topic": "~/c"})
        case.step((f"{name}/state", "ON"))
        for _ in range(3):
            colour = {
                "hs": f"{self.decimal(0, 360, 1)},{self.decimal(0, 100, 1)}", "xy": f"{self.decimal(0.15, 0.6, 3)},{self.decimal(0.1, 0.5, 3)}",
            }.get(mode) or ",".join(str(self.randint(1, 255)) for _ in mode)
            level = [(f"{name}/b", str(self.randint(1, scale)))] if is_dimmed else []
            case.step(*level, (f"{name}/c", colour))
        return self.asks(case, key, [mode], is_dimmed or mode == "rgb")

    def cover(self, name):
        ends, tilts = self.choice(POSITIONS), self.choice(POSITIONS[:4])
        case, key = one(
            name, "cover", command_topic="~/set", position_topic="~/p", set_position_topic="~/p/set", position_closed=ends[0],
            position_open=ends[1], tilt_command_topic="~/t/set", tilt_status_topic="~/t", tilt_min=tilts[0], tilt_max=tilts[1])
        for _ in range(5):
            case.step((f"{name}/p", str(self.between(ends))), (f"{name}/t", str(self.between(tilts))))
        return case.asks(key, *[(verb, self.randint(0, 100)) for verb in ("set_position", "set_tilt") * 4])

    def valve(self, name):
        ends = self.choice(POSITIONS)
        case, key = one(
            name, "valve", command_topic="~/set", state_topic="~/s", reports_position=True, position_closed=ends[0], position_open=ends[1])
        case.steps_of(f"{name}/s", *[str(self.between(ends)) for _ in range(5)])
        return case.asks(key, *[("set_position", self.randint(0, 100)) for _ in range(5)])

    def fan(self, name):
        low = self.choice((1, 1, 5, 10))
        high = low + self.choice((2, 3, 5, 8, 98, 254))
        case, key = one(
            name, "fan", command_topic="~/set", state_topic="~/s", percentage_command_topic="~/p/set", percentage_state_topic="~/p",
            speed_range_min=low, speed_range_max=high)
        case.step((f"{name}/s", "ON")).steps_of(f"{name}/p", *[str(self.randint(0, high)) for _ in range(5)])
        return case.asks(key, *[("set_percentage", self.randint(0, 100)) for _ in range(6)])

    def climate(self, name):
        unit, low, high = self.choice((("F", 45, 90), ("C", 8, 34)))
        more = {"precision": self.choice((0.1, 0.5, 1.0))} if self.random() < 0.5 else {}
        more |= {"min_temp": 40, "max_temp": 95} if unit == "F" else {}
        case, key = one(
            name, "climate", mode_state_topic="~/m", mode_command_topic="~/m/set", temperature_state_topic="~/t", temperature_unit=unit,
            temperature_command_topic="~/t/set", current_temperature_topic="~/c", **more)
        case.step((f"{name}/m", "heat"))
        for _ in range(4):
            case.step((f"{name}/t", str(self.decimal(low, high, 1))), (f"{name}/c", str(self.decimal(low, high, 2))))
        return case.asks(key, *[("set_temperature", self.decimal(8, 30, 1)) for _ in range(3)])

    def sensor(self, name):
        kind, unit = self.choice(UNITS)
        case, _ = one(name, "sensor", state_topic="~/s", device_class=kind, unit_of_measurement=unit)
        return case.steps_of(f"{name}/s", *[str(self.decimal(-5, 500, self.randint(0, 3))) for _ in range(5)])


def cases(seed, count):
    dice = Dice(seed)
    kinds = (dice.json_light, dice.topic_light, dice.cover, dice.valve, dice.fan, dice.climate, dice.sensor)
    return [kinds[number % len(kinds)](f"diced-{number}") for number in range(count)]
