"""Boilers and thermostats as EMS-ESP announces them: an entity is available while its member is in the device's JSON."""

from mqtt_devices.case import Case

FIRMWARE = "EMS-ESP"


class Device:
    def __init__(self, case_id, kind):
        self.case, self.id, self.kind = Case(case_id, FIRMWARE), case_id, kind
        self.base = case_id
        self.data = f"{case_id}/{kind}_data"
        self.device = {"ids": [f"{case_id}-{kind}"], "name": case_id, "mf": "Buderus", "mdl": "GB125", "via_device": "ems-esp"}

    def add(self, component, member, path=None, **config):
        path = path or f"value_json['{member}']"
        unique = f"{self.id}_{member}"
        common = {
            "~": self.base, "uniq_id": unique, "obj_id": unique, "stat_t": f"~/{self.kind}_data", "name": member,
            "val_tpl": f"{{{{{path} if {path} is defined else 0}}}}", "dev": self.device, "avty_mode": "all",
            "avty": [{"t": "~/status"}, {"t": f"~/{self.kind}_data", "val_tpl": f"{{{{'online' if {path} is defined else 'offline'}}}}"}],
        }
        self.case.announce(component, unique, {key: value for key, value in {**common, **config}.items() if value is not ...}, node="ems-esp")
        return f"{component}:{unique}"

    def online(self):
        self.case.step((f"{self.base}/status", "online"))
        return self.case


SENSORS = (
    ("outdoortemp", {"dev_cla": "temperature", "unit_of_meas": "°C", "stat_cla": "measurement"}, (6.3, -11, 0)),
    ("curflowtemp", {"dev_cla": "temperature", "unit_of_meas": "°C", "stat_cla": "measurement"}, (41.7,)),
    ("syspress", {"dev_cla": "pressure", "unit_of_meas": "bar", "stat_cla": "measurement"}, (1.4,)),
    ("burngas_power", {"unit_of_meas": "%", "stat_cla": "measurement"}, (37,)),
    ("nrgtotal", {"dev_cla": "energy", "unit_of_meas": "kWh", "stat_cla": "total_increasing"}, (12345.67,)),
    ("burnstarts", {"stat_cla": "total_increasing"}, (4711,)),
    ("ubauptime", {"dev_cla": "duration", "unit_of_meas": "min", "stat_cla": "total_increasing"}, (81234,)),
    ("servicecode", {"dev_cla": "enum", "options": ["0H", "0Y", "-H"]}, ("0H", "9X", "-H")),
    ("lastcode", {}, ("A01(816) 01.02.2024 10:15 (0 min)",)),
    ("maintenancemessage", {}, ("H07", "")),
)


def sensors():
    for member, more, values in SENSORS:
        device = Device(f"ems-{member.replace('_', '-')}", "boiler")
        device.add("sensor", member, **more)
        yield device.online().steps_of(device.data, *[{member: value} for value in values], {"other": 1}, {member: values[0]})
    device = Device("ems-nested", "thermostat")
    device.add(
        "sensor", "hc1_seltemp", path="value_json['hc1']['seltemp']", dev_cla="temperature", unit_of_meas="°C",
        val_tpl="{{value_json['hc1']['seltemp'] if value_json['hc1'] is defined and value_json['hc1']['seltemp'] is defined else 0}}",
        avty=[{"t": "~/status"}, {"t": "~/thermostat_data", "val_tpl": "{{'online' if value_json['hc1'] is defined and value_json['hc1']['seltemp'] is defined else 'offline'}}"}])
    yield device.online().steps_of(device.data, {"hc1": {"seltemp": 21.5}}, {"hc2": {"seltemp": 3}}, {"hc1": {}}, {"hc1": {"seltemp": 19}})
    device = Device("ems-analog", "analogsensor")
    device.add("sensor", "39", path="value_json['39'].value", stat_cla="measurement", unit_of_meas="mV", dev_cla="voltage")
    yield device.online().steps_of(device.data, {"39": {"name": "tank", "value": 812}}, {"36": {"value": 4}})


def binaries():
    for member, more, values in (
        ("heatingactive", {"pl_on": "on", "pl_off": "off", "dev_cla": "running"}, ("off", "on")),
        ("burngas", {"pl_on": "ON", "pl_off": "OFF", "dev_cla": "heat"}, ("ON", "OFF")),
        ("flamecurr_low", {"pl_on": True, "pl_off": False}, (True, False)),
        ("threewayvalve", {"pl_on": 1, "pl_off": 0}, (1, 0, 2)),
    ):
        device = Device(f"ems-binary-{member.replace('_', '-')}", "boiler")
        device.add("binary_sensor", member, **more)
        yield device.online().steps_of(device.data, *[{member: value} for value in values])
    device = Device("ems-status", "system")
    device.add("binary_sensor", "status", stat_t="~/status", val_tpl=..., pl_on="online", pl_off="offline", dev_cla="connectivity", avty=..., avty_mode=...)
    yield device.online().step((f"{device.base}/status", "offline"))


def commands():
    device = Device("ems-switch", "boiler")
    switch = device.add("switch", "heatingactivated", cmd_t="~/boiler/heatingactivated", pl_on="on", pl_off="off", stat_on="on", stat_off="off")
    yield device.online().steps_of(device.data, {"heatingactivated": "on"}, {"heatingactivated": "off"}, {}, {"heatingactivated": "on"}).asks(switch, "on", "off")
    device = Device("ems-one-time-water", "boiler")
    button = device.add("button", "onetime", stat_t=..., val_tpl=..., cmd_t="~/boiler/dhw/onetime", pl_prs="1", avty=[{"t": "~/status"}])
    yield device.online().asks(button, "press")
    device = Device("ems-other-kinds", "boiler")
    device.add("number", "selflowtemp", cmd_t="~/boiler/selflowtemp", min=0, max=90, step=1, unit_of_meas="°C", mode="box")
    device.add("select", "dhw_mode", cmd_t="~/boiler/dhw/mode", options=["off", "eco", "comfort"])
    device.add("text", "cuschedule", cmd_t="~/boiler/schedule", pattern="")
    device.add("sensor", "rettemp", dev_cla="temperature", unit_of_meas="°C")
    yield device.online().steps_of(device.data, {"selflowtemp": 45, "dhw_mode": "eco", "rettemp": 33.1, "cuschedule": "x"})
    for case_id, modes, template, more in (
        ("ems-thermostat", ["auto", "heat", "off"],
         "{{'off' if value_json.hc1.mode is undefined else 'auto' if value_json.hc1.mode=='auto' else 'heat' if value_json.hc1.mode=='manual' else 'off'}}",
         {"min_temp": 5, "max_temp": 30, "temp_step": 0.5}),
        ("ems-thermostat-night", ["auto", "heat", "off"],
         "{%if value_json.hc1.mode=='day'%}heat{%elif value_json.hc1.mode=='night'%}off{%else%}auto{%endif%}",
         {"min_temp": "5", "max_temp": "30", "temp_step": "0.5"}),
    ):
        device = Device(case_id, "thermostat")
        climate = device.add(
            "climate", "hc1", stat_t=..., val_tpl=..., modes=modes, mode_stat_t="~/thermostat_data", mode_stat_tpl=template,
            mode_cmd_t="~/thermostat/hc1/mode", temp_cmd_t="~/thermostat/hc1/seltemp", temp_stat_t="~/thermostat_data",
            temp_stat_tpl="{{value_json.hc1.seltemp if value_json.hc1.seltemp is defined else 0}}", curr_temp_t="~/thermostat_data",
            curr_temp_tpl="{{value_json.hc1.currtemp if value_json.hc1.currtemp is defined else 0}}", act_t="~/thermostat_data",
            act_tpl="{% if value_json.hc1.hpoperating is undefined%}{{'heating' if value_json.hc1.control == 'on' else 'idle'}}{%else%}off{%endif%}",
            avty=[{"t": "~/status"}, {"t": "~/thermostat_data", "val_tpl": "{{'online' if value_json.hc1.seltemp is defined else 'offline'}}"}], **more)
        yield device.online().steps_of(
            device.data, {"hc1": {"seltemp": 21, "currtemp": 20.3, "mode": "auto", "control": "on"}},
            {"hc1": {"seltemp": 19.5, "mode": "manual"}}, {"hc1": {"seltemp": 18, "currtemp": 17.95, "mode": "night"}},
            {"hc1": {"seltemp": 18, "currtemp": 17.9, "mode": "day", "hpoperating": 1}}).asks(
            climate, ("set_mode", "heat"), ("set_temperature", 20.5), "off", "on")
    device = Device("ems-water-heater-as-climate", "boiler")
    climate = device.add(
        "climate", "dhw", stat_t=..., val_tpl=..., avty=[{"t": "~/status"}], modes=["off", "heat"], temp_unit="F", min_temp=86, max_temp=158,
        temp_cmd_t="~/boiler/dhw/seltemp", temp_stat_t="~/boiler_data", temp_stat_tpl="{{value_json.dhw.seltemp}}", curr_temp_t="~/boiler_data",
        curr_temp_tpl="{{value_json.dhw.curtemp}}", pow_cmd_t="~/boiler/dhw/activated", pl_on="1", pl_off="0", mode_stat_t="~/boiler_data",
        mode_stat_tpl="{{'heat' if value_json.dhw.activated == 'on' else 'off'}}")
    yield device.online().steps_of(
        device.data, {"dhw": {"seltemp": 122, "curtemp": 118.4, "activated": "on"}}, {"dhw": {"seltemp": 131, "curtemp": 119, "activated": "off"}}).asks(
        climate, "on", "off", ("set_temperature", 50), ("set_temperature", 45.5))


def cases():
    for family in (sensors, binaries, commands):
        yield from family()
