"""Templates in the forms that firmware announces, each with its test messages. Rewritten from public documentation."""

import itertools


def rows():
    """Every case: a template, and a payload or the variables of a command."""
    result = [{"template": template, "payload": payload} for template, payloads in VALUES for payload in payloads]
    result += [{"template": template, "variables": variables} for template, all_variables in COMMANDS for variables in all_variables]
    result += [{"template": template, "payload": payload} for template, payload in itertools.product(LANGUAGE, [MESSAGE])]
    unique = {}
    for row in result:
        unique.setdefault(repr(sorted(row.items(), key=str)), row)
    return list(unique.values())


MESSAGE = (
    '{"s": "Hello World", "n": 21, "f": 21.55, "neg": -7, "neg_f": -18.5, "zero": 0, "t": true, "no": false, "z": null, "e": "",'
    ' "num": "42.23", "int_text": "17", "list": [3, 1, 2], "words": ["b", "A", "c"], "o": {"a": 1, "b": {"c": "deep"}},'
    ' "objs": [{"id": 2, "name": "two"}, {"id": 1, "name": "one"}, {"id": 3}], "odd key": 1, "whole": 21.0, "big": 1700000000,'
    ' "iso": "2025-06-15T12:30:45+02:00", "csv": "1,2,3", "bits": 43, "empty_list": [], "empty_dict": {}, "uni": "Küche °C",'
    ' "items": "hidden", "count": 5}'
)

# One list a firmware: its templates, each with its messages.
VALUES = [
    # Zigbee2MQTT
    ("{{ value_json.state }}", ['{"state": "ON"}', '{"state": null}', "{}", "ON", "null", '{"state": true}']),
    ("{{ value_json.temperature }}", ['{"temperature": 21.46}', '{"temperature": 21.0}', '{"temperature": 21}', '{"temperature": -18.5}']),
    ("{{ value_json['temperature'] }}", ['{"temperature": 1e-7}', '{"temperature": 12345678901234567890}', '{"temperature": 1.5e300}']),
    ("{{ value_json.linkquality }}", ['{"linkquality": 120}', '{"linkquality": "120"}']),
    ("{{ 'true' if value_json.contact else 'false' }}", ['{"contact": true}', '{"contact": false}', "{}"]),
    ("{{ value_json.permit_join | lower }}", ['{"permit_join": true}', '{"permit_join": false}', "{}"]),
    ("{{ value_json['update']['state'] }}", ['{"update": {"state": "available"}}', '{"update": null}', "{}"]),
    ("{{ value_json['update']['installed_version'] }}", ['{"update": {"installed_version": 587814449}}', '{"update": {"installed_version": -1}}']),
    (
        "{\"latest_version\":\"{{ value_json['update']['latest_version'] }}\",\"installed_version\":\"{{ value_json['update']['installed_version'] }}\"}",
        ['{"update": {"latest_version": 3, "installed_version": 2}}'],
    ),
    ("{{ value_json.action }}", ['{"action": "single"}', '{"action": ""}', "{}"]),
    ("{{ {'off':0, 'low':1, 'medium':2, 'high':3, 'on':4}[value_json.fan_mode] | default('None') }}", ['{"fan_mode": "medium"}', '{"fan_mode": "x"}', "{}"]),
    ("{{ value_json.fan_mode if value_json.fan_mode in ['smart','auto'] else 'None' | default('None') }}", ['{"fan_mode": "auto"}', '{"fan_mode": "low"}']),
    (
        "{% set values = {None: 'off', 'unlock':'unlocked','lock':'locked'} %}{{ values[value_json.state] if value_json.state in values.keys() else 'unknown' }}",
        ['{"state": "lock"}', '{"state": "UNLOCK"}', '{"state": null}'],
    ),
    ("{% if 'position' in value_json and value_json.position is not none %}{{ value_json.position }}{% else %}100{% endif %}", ['{"position": 42}', '{"position": null}', "{}"]),
    ("{% if value_json.moving == 'UP' %}opening{% elif value_json.moving == 'DOWN' %}closing{% else %}stopped{% endif %}", ['{"moving": "UP"}', '{"moving": "DOWN"}', '{"moving": "STOP"}', "{}"]),
    ("{% if \"moving\" in value_json and value_json.moving and value_json.moving in ['UP', 'DOWN'] %} {{ value_json.moving }} {% else %} STOP {% endif %}", ['{"moving": "UP"}', '{"moving": null}', "{}"]),
    ("{% set values = {'idle':'idle','heat':'heating','cool':'cooling','fan_only':'fan'} %}{{ values[value_json.running_state] }}", ['{"running_state": "heat"}', '{"running_state": "x"}', "{}"]),
    ("{{ value_json.system_mode if value_json.system_mode is defined else 'off' }}", ['{"system_mode": "heat"}', "{}"]),
    ("{% if value_json.brightness %}{{ value_json.brightness | int }}{% endif %}", ['{"brightness": 254}', '{"brightness": 0}', "{}"]),
    ("{{ value_json.color.x }},{{ value_json.color.y }}", ['{"color": {"x": 0.3, "y": 0.35}}', '{"color": {}}', "{}"]),
    ("{{ value_json.occupancy }}", ['{"occupancy": true}', '{"occupancy": false}']),
    ("{{ value_json.battery_low }}", ['{"battery_low": false}']),
    ("{{ (value_json.l1.voltage + value_json.l2.voltage) / 2 }}", ['{"l1": {"voltage": 230}, "l2": {"voltage": 231}}']),
    ("{{ value_json.schedule.monday | default('none') | trim | truncate(12, true) }}", ['{"schedule": {"monday": "00:00/20 06:00/21 22:00/18"}}', '{"schedule": {}}', "{}"]),
    ("{{ value_json.last_seen }}", ['{"last_seen": "2025-01-05T08:09:10.123Z"}', '{"last_seen": 1736064550123}']),
    ("{{ (value_json.last_seen / 1000) | timestamp_local }}", ['{"last_seen": 1736064550123}', '{"last_seen": "x"}', "{}"]),
    ("{{ value_json.brightness | float / 254 * 100 }}", ['{"brightness": 127}', '{"brightness": "x"}']),
    ("{{ value_json.device.friendlyName }}", ['{"device": {"friendlyName": "Küche"}}']),
    ("{{ value_json.keypad_lockout | default('unlock', true) }}", ['{"keypad_lockout": ""}', '{"keypad_lockout": null}', "{}"]),
    ("{{ 'online' if value_json.state == 'online' else 'offline' }}", ['{"state": "online"}', "online", '"online"']),
    ("{{ value_json.state | default(value) }}", ['{"state": "online"}', "online", "5"]),
    # zwave-js-ui
    ("{{ value_json.value }}", ['{"value": 23.5}', '{"value": null}', '{"value": "23"}', '{"time": 1}', "5", "[1]"]),
    ("{{ value_json.value | round(0) }}", ['{"value": 49.6}', '{"value": 0.5}', '{"value": 1.5}', '{"value": "49.4"}', '{"value": null}', '{"value": "x"}']),
    ("{{ value_json.value | round(2) }}", ['{"value": 2.675}', '{"value": 1.005}', '{"value": 20}', '{"value": 0.125}', '{"value": -0.125}']),
    ("{{ (value_json.value / 99 * 255) | round(0) }}", ['{"value": 50}', '{"value": 99}', '{"value": 0}', '{"value": "5"}']),
    ("{{ \"off\" if value_json.value == 0 else \"on\" }}", ['{"value": 0}', '{"value": 99}', '{"value": false}', '{"value": null}', '{"value": 0.0}']),
    ("{{'true' if value_json.value else 'false'}}", ['{"value": false}', '{"value": 255}', '{"value": ""}', '{"value": "0"}']),
    ("{{ 'true' if value_json.ready == true else 'false' }}", ['{"ready": true}', '{"ready": "true"}', '{"ready": 1}']),
    ("{{ value_json.value == 22 }}", ['{"value": 22}', '{"value": 22.0}', '{"value": "22"}']),
    ("{% if value_json.value == 255 %}locked{% else %}unlocked{% endif %}", ['{"value": 255}', '{"value": 0}']),
    ("{{ value_json['value'] | int | bitwise_and(4) }}", ['{"value": 6}', '{"value": "6"}', '{"value": 3}']),
    ("{{ {0: 'off', 1: 'heat', 2: 'cool'}[value_json.value] | default('off') }}", ['{"value": 1}', '{"value": 1.0}', '{"value": "1"}', '{"value": 9}', '{"value": true}']),
    ("{{ {\"0\": \"idle\"}[value_json.value|string] | default(\"?\") }}", ['{"value": 0}', '{"value": 0.0}']),
    ("{{ value_json.value.level }}", ['{"value": {"level": 3}}', '{"value": 3}', '{"value": null}']),
    ("{{ '%s:%s' % (value_json.value, value_json.time) }}", ['{"value": 1, "time": 2.5}']),
    ("{{ '#%02x%02x%02x' % (value_json.value.red, value_json.value.green, value_json.value.blue) }}", ['{"value": {"red": 255, "green": 8, "blue": 0}}', '{"value": {"red": 1.5, "green": 0, "blue": 0}}']),
    ("{{ value_json.status == 'Alive' }}", ['{"status": "Alive"}', '{"status": "Dead"}']),
    # ESPHome
    ("{{ value }}", ["ON", "21.0", " padded \n", "", "Küche", '{"a": 1}', "nan"]),
    ("{{ value | float }}", ["21.0", "21", "nan", "inf", "-inf", "x", "", " 5 ", "1e3", "1_000", "0x10", "5.", ".5", "+3", "1e400", "12abc"]),
    ("{{ value | int }}", ["21.9", "21", "-3", "x", "", "nan", "inf", "0x1A", "007", "1_0", "12 ", "9223372036854775807", "-0"]),
    ("{{ value | int(0) }}", ["x", "", "21.9", "nan", "None"]),
    ("{{ value | float(0) }}", ["x", "", "21.9", "None", "unavailable"]),
    ("{{ value | float(default=none) }}", ["x", "1"]),
    ("{{ value | round(1) }}", ["21.46", "21.45", "21.449999", "x", "5", "-0.04", "0.25", "0.35"]),
    ("{{ value | upper }}", ["on", "straße"]),
    ("{{ value.split(',')[0] }}", ["1,2,3", "", "solo"]),
    ("{{ value.split(',') | map('float') | sum }}", ["1,2,3.5", "1,x"]),
    ("{{ value.split(';') | map('trim') | join('/') }}", ["a ; b;c"]),
    # Tasmota
    ("{{value_json['BH1750']['Illuminance']}}", ['{"BH1750": {"Illuminance": 37}}', '{"Time": "x"}']),
    ("{{ value_json.StatusSNS.ENERGY.Power }}", ['{"StatusSNS": {"ENERGY": {"Power": 12}}}', '{"StatusSNS": {}}', '{"StatusSNS": {"ENERGY": {"Power": [1, 2]}}}']),
    ("{{ value_json.ENERGY.Total | float(0) | round(3) }}", ['{"ENERGY": {"Total": 123.4567}}', '{"ENERGY": {"Total": null}}', '{"ENERGY": {}}']),
    ("{{value_json['POWER1'] | default('OFF')}}", ['{"POWER1": "ON"}', '{"POWER2": "ON"}']),
    ("{{ value_json.POWER if value_json.POWER is defined else value }}", ['{"POWER": "ON"}', '{"X": 1}', "ON"]),
    ("{{ value_json.HSBColor.split(',')[0:2] | join(',') }}", ['{"HSBColor": "120,100,50"}', '{"HSBColor": "120"}']),
    ("{{ value_json.Dimmer | int * 255 // 100 }}", ['{"Dimmer": 50}', '{"Dimmer": "33"}']),
    ("{% if value_json.Shutter1 is defined %}{{ value_json.Shutter1.Position }}{% endif %}", ['{"Shutter1": {"Position": 40, "Direction": 0}}', "{}"]),
    ("{% if value_json.Shutter1.Direction == 0 %}{% if value_json.Shutter1.Position == 100 %}open{% elif value_json.Shutter1.Position == 0 %}closed{% endif %}{% elif value_json.Shutter1.Direction == 1 %}opening{% else %}closing{% endif %}",
     ['{"Shutter1": {"Position": 100, "Direction": 0}}', '{"Shutter1": {"Position": 40, "Direction": 1}}', '{"Shutter1": {"Position": 40, "Direction": -1}}', '{"Shutter1": {"Position": 40, "Direction": 0}}', "{}"]),
    ("{{value_json['Wifi']['RSSI']}}", ['{"Wifi": {"RSSI": 74, "Signal": -63}}']),
    ("{{ as_timestamp(value_json.Time) }}", ['{"Time": "2025-01-05T08:09:10"}', '{"Time": "x"}', "{}"]),
    ("{{ strptime(value_json.Time, '%Y-%m-%dT%H:%M:%S') }}", ['{"Time": "2025-01-05T08:09:10"}', '{"Time": "no"}']),
    ("{{ value_json.Uptime.split('T')[0] | int }}", ['{"Uptime": "12T03:04:05"}']),
    ("{% set t = value_json.Uptime.split('T') %}{% set h = t[1].split(':') %}{{ t[0] | int * 86400 + h[0] | int * 3600 + h[1]|int * 60 + h[2]|int }}", ['{"Uptime": "12T03:04:05"}']),
    ("{{ value_json.RfReceived.Data == '0xABC' }}", ['{"RfReceived": {"Data": "0xABC"}}']),
    ("{{ value_json.AM2301.Temperature | is_defined }}", ['{"AM2301": {"Temperature": 20.1}}', '{"AM2301": {}}', "{}"]),
    # Shelly
    ("{{ value_json.params['switch:0'].output }}", ['{"params": {"switch:0": {"output": true}}}', '{"params": {"switch:1": {}}}', "{}"]),
    ("{% if value_json.output %}on{% else %}off{% endif %}", ['{"output": true}', '{"output": false}', "{}"]),
    ("{{ value_json.temperature.tC | round(1) }}", ['{"temperature": {"tC": 44.26, "tF": 111.7}}', '{"temperature": {"tC": null}}']),
    ("{{ value_json.apower | default(0) }}", ['{"apower": 12.3}', "{}"]),
    ("{{ (value_json.aenergy.total / 1000) | round(2) }}", ['{"aenergy": {"total": 123456.789}}']),
    ("{{ value | float / 60000 }}", ["123456", "0"]),
    ("{{ (value|float/60/1000)|round(2) }}", ["1234567"]),
    ("{%- if value|int < 3 -%}closed{%- elif value|int > 97 -%}open{%- else -%}{{ value }}{%- endif -%}", ["0", "100", "42"]),
    ("{% if value == 'open' %}100{% elif value == 'close' %}0{% endif %}", ["open", "close", "stop"]),
    ("{{ value_json.wifi_sta.rssi if value_json.wifi_sta is defined and value_json.wifi_sta.connected else none }}", ['{"wifi_sta": {"connected": true, "rssi": -60}}', '{"wifi_sta": {"connected": false}}', "{}"]),
    ("{{ value_json.inputs[0].event }}", ['{"inputs": [{"event": "S", "event_cnt": 3}]}', '{"inputs": []}', "{}"]),
    ("{{ value_json.ison | string | lower }}", ['{"ison": true}', '{"ison": false}']),
    ("{{ now().timestamp() - value_json.uptime }}", ['{"uptime": 3600}', '{"uptime": 0.25}']),
    ("{{ (now() - timedelta(seconds=value_json.uptime)).isoformat() }}", ['{"uptime": 3600}', '{"uptime": 90061}']),
    ("{{ (as_timestamp(now()) - value_json.sys.uptime) | timestamp_local }}", ['{"sys": {"uptime": 86400}}']),
    ("{{ value_json.new_fw if value_json.new_fw else value_json.old_fw }}", ['{"new_fw": "", "old_fw": "1.2"}', '{"new_fw": "2", "old_fw": "1.2"}']),
    ("{{ 'on' if value | bool else 'off' }}", ["true", "false", "1", "0", "ON", "Off", "yes", "disable", "x", ""]),
    ("{{ value | bool(false) }}", ["x", "on"]),
    # OpenMQTTGateway and Theengs
    ("{{ value_json.tempc | is_defined }}", ['{"tempc": 21.4}', '{"hum": 1}', "x"]),
    ("{{ value_json.batt | is_defined | float | round(0) }}", ['{"batt": 87.5}', '{"id": 1}']),
    ("{{ value_json.hum | is_defined }}", ['{"hum": 55}', '{"hum": null}']),
    ("{% if value_json.get('rssi') -%}home{%- else -%}not_home{%- endif %}", ['{"rssi": -70}', "{}", "[]"]),
    ("{{ value_json.uptime | is_defined | int // 3600 }}", ['{"uptime": 7384}']),
    ("{{ value_json.mac | replace(':', '') | lower }}", ['{"mac": "A4:C1:38:00:00:04"}']),
    ("{{ value_json.model_id if value_json.model_id is defined else '' }}", ['{"model_id": "LYWSD03MMC"}', "{}"]),
    ("{{ float(value_json.volt | is_defined) }}", ['{"volt": "3.01"}', "{}"]),
    ("{{ (float(value_json.val) - 32) * 5/9 | round(1) }}", ['{"val": 71.2}']),
    ("{{ ((float(value_json.val) - 32) * 5/9) | round(1) }}", ['{"val": 71.2}']),
    ("{{ value_json.presence | is_defined }}", ['{"presence": true}']),
    ("{% if value_json.id == 'A4:C1' %}{{ value_json.tempc }}{% else %}{{ states('sensor.x') }}{% endif %}", []),
    # EMS-ESP
    ("{{value_json.flow if value_json.flow is defined else 0}}", ['{"flow": 45.2}', '{"other": 1}']),
    ("{{value_json.hc1.seltemp if value_json.hc1.seltemp is defined else 0}}", ['{"hc1": {"seltemp": 21.5}}', '{"hc1": {}}', "{}"]),
    ("{{value_json['hc1'].mode if value_json['hc1'] is defined and value_json['hc1'].mode is defined else 'off'}}", ['{"hc1": {"mode": "auto"}}', "{}"]),
    ("{{value_json.nrgtotal|float if value_json.nrgtotal is defined else 0.0}}", ['{"nrgtotal": 12}', "{}"]),
    ("{{ value_json.burngas|default('OFF') }}", ['{"burngas": "ON"}', "{}"]),
    ("{{ (value_json.ubauptime|int(0)) // 1440 }}", ['{"ubauptime": 12345}', '{"ubauptime": "x"}']),
    ("{%if value_json.hc1.mode=='manual'%}heat{%elif value_json.hc1.mode=='off'%}off{%else%}auto{%endif%}", ['{"hc1": {"mode": "manual"}}', '{"hc1": {"mode": "auto"}}']),
    ("{{value_json.sensor1.temp is number}}", ['{"sensor1": {"temp": 1}}', '{"sensor1": {"temp": "1"}}', '{"sensor1": {"temp": true}}', '{"sensor1": {}}']),
    ("{{value_json['28-0000-07c4-d6cc'].temp}}", ['{"28-0000-07c4-d6cc": {"temp": 22.4}}']),
    # Nuki and Nuki Hub
    ("{% set s = value|int %}{% if s == 1 %}locked{% elif s == 3 %}unlocked{% elif s == 2 %}unlocking{% elif s == 4 %}locking{% elif s == 254 %}jammed{% else %}unknown{% endif %}", ["1", "3", "254", "x"]),
    ("{{ 'offline' if value != 'true' else 'online' }}", ["true", "false"]),
    ("{{ value_json.lock_state }}", ['{"lock_state": "locked"}', '{"lock_state": "unlatched"}']),
    ("{{ {'1': 'LOCKED', '3': 'UNLOCKED'}.get(value, 'MOTOR_BLOCKED') }}", ["1", "3", "9"]),
    ("{{ value_json.battery.critical == '1' }}", ['{"battery": {"critical": "1"}}', '{"battery": {"critical": 1}}']),
    ("{{ (value_json.batteryVoltage | float(0)) > 4.4 }}", ['{"batteryVoltage": "4.9"}', '{"batteryVoltage": 4.4}']),
    ("{{ value_json.auth_name if value_json.auth_name else 'Manual' }}", ['{"auth_name": ""}', '{"auth_name": "Anna"}', '{"auth_name": null}']),
    ("{{ value | regex_search('lock') }}", ["unlocked", "open"]),
    # ratgdo
    ("{{ value_json.door }}", ['{"door": "opening"}']),
    ("{{ value | title }}", ["open", "half-open door (left)", "ÉTAGE un"]),
    ("{{ 'closed' if value == 'closed' else 'open' }}", ["closed", "opening"]),
    ("{{ iif(value == 'obstructed', 'ON', 'OFF') }}", ["obstructed", "clear"]),
    ("{{ (value == 'clear') | iif('OFF', 'ON') }}", ["obstructed", "clear"]),
    # WLED
    ("{{ value_json.state.bri }}", ['{"state": {"bri": 128}}']),
    ("{{ value_json.state.seg[0].col[0] | join(',') }}", ['{"state": {"seg": [{"col": [[255, 160, 0], [0, 0, 0]]}]}}', '{"state": {"seg": []}}']),
    ("{{ '%02x%02x%02x' | format(value_json.col[0], value_json.col[1], value_json.col[2]) }}", ['{"col": [255, 160, 0]}', '{"col": [1, 2]}', '{"col": [1.5, 2, 3]}']),
    ("{{ value[1:3] | int(base=16) }},{{ value[3:5] | int(base=16) }},{{ value[5:7] | int(0, 16) }}", ["#FFA000", "#zz"]),
    ("{{ value_json.effects[value_json.state.seg[0].fx] }}", ['{"effects": ["Solid", "Blink"], "state": {"seg": [{"fx": 1}]}}', '{"effects": ["Solid"], "state": {"seg": [{"fx": 7}]}}']),
    ("{{ value_json.info.leds.fps | default(0) > 10 }}", ['{"info": {"leds": {"fps": 30}}}', '{"info": {"leds": {}}}']),
    # EVCC
    ("{{ (value | float / 1000) | round(3) }}", ["1234", "0", "7"]),
    ("{{ value | float(0) / 1000 }}", ["-1500", "x"]),
    ("{{ 'on' if value in ['true', '1'] else 'off' }}", ["true", "1", "false"]),
    ("{{ value | int | timestamp_custom('%H:%M:%S', false) }}", ["3725", "86399", "0"]),
    ("{{ value|int(0)|timestamp_custom('%d.%m.%Y %H:%M') }}", ["1736064550", "0", "1751328000"]),
    ("{{ value_json.loadpoints[0].mode if value_json.loadpoints | length > 0 else 'off' }}", ['{"loadpoints": [{"mode": "pv"}]}', '{"loadpoints": []}']),
    ("{{ value_json.loadpoints | map(attribute='chargePower') | sum }}", ['{"loadpoints": [{"chargePower": 1.5}, {"chargePower": 2}]}', '{"loadpoints": []}', '{"loadpoints": [{}]}']),
    ("{{ value | as_datetime }}", ["2025-01-05T08:09:10Z", "1736064550", "0001-01-01T00:00:00Z", "x", "2025-01-05", "2025-01-05 08:09", "20250105T080910Z"]),
    ("{% if value != '0001-01-01T00:00:00Z' %}{{ value }}{% endif %}", ["0001-01-01T00:00:00Z", "2025-01-05T08:09:10Z"]),
    # OpenDTU
    ("{{ value | float(0) | round(0) | int }}", ["543.7", "x"]),
    ("{{ value == '1' }}", ["1", "0"]),
    ("{{ value_json.inverters | selectattr('reachable') | list | length }}", ['{"inverters": [{"reachable": true}, {"reachable": false}]}']),
    ("{{ (value_json.total.Power.v * 1.0) | round(value_json.total.Power.d) }}", ['{"total": {"Power": {"v": 123.456, "u": "W", "d": 1}}}']),
    # Frigate
    ("{{ value_json.after.label }}", ['{"after": {"label": "person"}, "type": "new"}']),
    ("{% if value_json.type == 'end' %}OFF{% else %}ON{% endif %}", ['{"type": "end"}', '{"type": "update"}']),
    ("{{ value_json['before']['entered_zones'] | length > 0 }}", ['{"before": {"entered_zones": ["yard"]}}', '{"before": {"entered_zones": []}}']),
    ("{{ value_json.after.current_zones | join(', ') | default('none', true) }}", ['{"after": {"current_zones": ["a", "b"]}}', '{"after": {"current_zones": []}}']),
    ("{{ (value_json.after.top_score * 100) | round(1) }}%", ['{"after": {"top_score": 0.78125}}']),
    ("{{ value_json.cameras.front.camera_fps }}", ['{"cameras": {"front": {"camera_fps": 5.1}}}']),
    ("{{ value_json.after.start_time | timestamp_local }}", ['{"after": {"start_time": 1736064550.123456}}', '{"after": {"start_time": null}}']),
    ("{{ 'dog' in value_json.after.sub_label | default([], true) }}", ['{"after": {"sub_label": ["dog", 0.9]}}', '{"after": {"sub_label": null}}', '{"after": {}}']),
    # Others
    ("{{ value_json | length }}", ["[1, 2, 3]", "{}", '"abc"', "5"]),
    ("{{ value_json }}", ["5", "5.0", "true", "null", '"x"', "[1, 2.0, null, \"a'b\"]", '{"b": 1, "a": [true]}', "x"]),
    ("{{ value_json[0] }}", ["[5]", "[]", '"abc"', "{}"]),
    ("{{ value_json | tojson }}", ['{"b": 1, "a": [true, null, 1.5, "ü<"]}', "[]", "{}"]),
    ("{{ value_json | to_json }}", ['{"b": 1, "a": [true, null, 1.5, "ü<"]}', "[1e20, 1e-7, 100000.0]"]),
    ("{{ value | from_json }}", ['{"a": 1.0}', "x", "NaN", '{"a":1,"a":2}', "[1,]"]),
    ("{{ value is defined and value_json is defined }}", ["x", "1"]),
    ("{{ value_json is mapping }},{{ value_json is sequence }},{{ value_json is string }},{{ value_json is iterable }}", ["{}", "[]", '"x"', "1", "x"]),
    ("{{ value | trim }}", ["  x  "]),
    ("{{ value | length }}", ["Küche", "", "👍🏽"]),
    ("{{ value[0] }}{{ value[-1] }}{{ value[::-1] }}", ["Küche", "ab"]),
    ("{{ value | base64_decode }}", ["SGFsbG8=", "SGFsbG8", "!!"]),
    ("{{ value | base64_encode }}", ["Hallo", "ü"]),
    ("{{ value | regex_replace('[^0-9.]', '') | float }}", ["21.5 °C", "no"]),
    ("{{ value | regex_findall_index('([0-9]+)') }}", ["a12b34", "none"]),
    ("{{ value | regex_findall('([a-z])([0-9])') }}", ["a1b2c", ""]),
    ("{{ value is match('^(on|off)$') }}", ["on", "offline"]),
    ("{{ value | ordinal }}", ["1", "2", "3", "11", "21", "112"]),
    ("{{ value | is_number }}", ["1", "1.5", "nan", "x", ""]),
    ("{{ value | hex }}", ["1"]),
    ("{{ value | abs }}", ["-1"]),
]

# Commands: the variables that Home Assistant passes to the template.
COMMANDS = [
    ('{"state": "{{ value }}"}', [{"value": "ON"}, {"value": "OFF"}]),
    ('{"position": {{ position }} }', [{"position": 42, "value": 42}]),
    ("{{ position }}", [{"position": 0, "value": 0}]),
    ("{{ 100 - position }}", [{"position": 42}]),
    ("{% if position == 0 %}close{% elif position == 100 %}open{% else %}{{ position }}{% endif %}", [{"position": 0}, {"position": 100}, {"position": 7}]),
    ("{{ (value | float * 10) | int }}", [{"value": 21.5}, {"value": "21.5"}, {"value": 20}]),
    ('{"brightness": {{ value | int }} }', [{"value": 128}]),
    ("{{ '#%02x%02x%02x' | format(red, green, blue) }}", [{"red": 255, "green": 160, "blue": 0}]),
    ('{{ "%d,%d,%d" % (red, green, blue) }}', [{"red": 255, "green": 160, "blue": 0}]),
    ('{"rgb": {"r": {{ red }}, "g": {{ green }}, "b": {{ blue }} } }', [{"red": 255, "green": 160, "blue": 0}]),
    ("{{ {'low': 1, 'high': 3}[value] }}", [{"value": "low"}, {"value": "x"}]),
    ("{{ 'ON' if value == 'heat' else 'OFF' }}", [{"value": "heat"}, {"value": "off"}]),
    ("{{ value }}{{ ',' ~ code if code else '' }}", [{"value": "UNLOCK", "code": "1234"}, {"value": "LOCK", "code": None}, {"value": "LOCK"}]),
    ('{"action": "{{ value | lower }}", "code": {{ code | tojson }} }', [{"value": "DISARM", "code": "12\"34"}, {"value": "ARM", "code": None}]),
    ("{{ entity_id }} {{ name }}", [{"entity_id": "light.x", "name": "Lamp", "value": 1}]),
    ("{{ (value / 255 * 99) | round(0) }}", [{"value": 255}, {"value": 128}]),
    ("{{ value * 0.1 }}", [{"value": 3}, {"value": 215}]),
    ("{{ value | string ~ ';' ~ (value > 5) }}", [{"value": 6}]),
    ("{{ hue | round(0) }},{{ saturation | int }}", [{"hue": 120.5, "saturation": 99.9}]),
    ("{{ 1000000 // value }}", [{"value": 370}, {"value": 0}]),
    ("{{ '{:.1f}'.format(value) }}", [{"value": 21.25}, {"value": 5}]),
    ("{{ '%.1f' | format(value) }}", [{"value": 21.25}, {"value": "x"}]),
    ("{{ value | tojson }}", [{"value": "a'b"}, {"value": True}, {"value": [1, "x"]}]),
    ("{{ {'state': 'ON', 'brightness': value} | tojson }}", [{"value": 20}]),
    ("{{ {'state': 'ON', 'brightness': value} | to_json }}", [{"value": 20}]),
    ('{% set data = {"set": value} %}{{ data | to_json }}', [{"value": 20.5}]),
    ("{{ dict(a=value, b=2) | to_json(sort_keys=true, pretty_print=true) }}", [{"value": 1}]),
]

# The language itself, on one message.
LANGUAGE = """
{{ 1 }}
{{ 1.0 }}
{{ 1.50 }}
{{ 1e3 }}
{{ 1e16 }}
{{ 123456789012345678.0 }}
{{ 1e-5 }}
{{ 0.0001 }}
{{ 0.1 + 0.2 }}
{{ 1/3 }}
{{ 4/2 }}
{{ 7 // 2 }}
{{ -7 // 2 }}
{{ -7 % 3 }}
{{ 7 % -3 }}
{{ 7.5 // 2 }}
{{ -7.5 % 2 }}
{{ 2 ** 10 }}
{{ 2 ** -1 }}
{{ -2 ** 2 }}
{{ 2 ** 3 ** 2 }}
{{ 0x1F }}
{{ 0b101 + 0o17 }}
{{ 1_000 }}
{{ 3 * 'ab' }}
{{ [1] * 3 }}
{{ [1] + [2, 3] }}
{{ (1, 2) + (3,) }}
{{ 'a' + 'b' }}
{{ 'a' + 1 }}
{{ 1 + '1' }}
{{ 'a' ~ 1 ~ 2.0 ~ none ~ true }}
{{ 1 / 0 }}
{{ 1 % 0 }}
{{ 1.0 // 0 }}
{{ true + 1 }}
{{ -true }}
{{ +5 }}
{{ - value_json.n }}
{{ not 0 }}
{{ not not 'a' }}
{{ 0 or 'x' }}
{{ 1 and 0 and 2 }}
{{ '' or none }}
{{ 1 < 2 < 3 }}
{{ 1 < 3 < 2 }}
{{ 1 == 1.0 }}
{{ 1 == true }}
{{ '1' == 1 }}
{{ none == false }}
{{ 'a' < 'b' }}
{{ 'a' < 1 }}
{{ [1, 2] < [1, 3] }}
{{ [1, 2] == (1, 2) }}
{{ {'a': 1} == {'a': 1.0} }}
{{ 1 in [1, 2] }}
{{ 3 not in [1, 2] }}
{{ 'ell' in 'Hello' }}
{{ 'a' in {'a': 1} }}
{{ 1 in 5 }}
{{ 1 in 'abc' }}
{{ none in [none] }}
{{ missing }}
{{ missing.x }}
{{ missing['x'] }}
{{ missing + 1 }}
{{ missing | default('d') }}
{{ missing | default }}
{{ missing.x | default('d') }}
{{ value_json.o.x.y | default('d') }}
{{ missing is defined }}
{{ missing == none }}
{{ missing == missing2 }}
{{ missing > 1 }}
{{ missing | length }}
{{ missing | lower }}
{{ missing | int(1) }}
{{ missing | float(1) }}
{{ missing | round(1) }}
{{ missing | list }}
{{ missing | join(',') }}
{{ missing | first }}
{{ missing | last }}
{{ missing | sum }}
{{ missing | tojson }}
{{ missing | string }}
{{ missing | bool }}
{{ missing | iif('a', 'b') }}
{{ missing | abs }}
{{ missing | replace('a', 'b') }}
{{ missing | is_number }}
{{ missing() }}
{{ missing if false }}
{{ 'x' if missing else 'y' }}
{{ 'x' if missing }}
{{ [missing] }}
{{ missing ~ 'x' }}
{{ missing in [1] }}
{{ 1 in missing }}
{{ not missing }}
{{ -missing }}
{{ missing[1:2] }}
{{ value_json.s }}
{{ value_json.s.lower() }}
{{ value_json.s.nothing }}
{{ value_json.s.split() }}
{{ value_json.s.split('o') }}
{{ value_json.s.split('o', 1) }}
{{ value_json.s.rsplit('o', 1) }}
{{ value_json.s.split('') }}
{{ value_json.s.partition(' ') }}
{{ value_json.s.rpartition('zz') }}
{{ value_json.s.replace('l', 'L', 1) }}
{{ value_json.s.find('o') }}
{{ value_json.s.rfind('o') }}
{{ value_json.s.index('zz') }}
{{ value_json.s.count('l') }}
{{ value_json.s.startswith('He') }}
{{ value_json.s.endswith(('x', 'ld')) }}
{{ value_json.s.title() }}
{{ 'it\\'s a dOG'.title() }}
{{ 'hello WORLD'.capitalize() }}
{{ 'aBc'.swapcase() }}
{{ '  x '.strip() ~ '|' ~ ' x '.lstrip() ~ '|' ~ ' x '.rstrip() }}
{{ 'xxaxx'.strip('x') }}
{{ '5'.zfill(3) }}
{{ '-5'.zfill(4) }}
{{ 'a'.ljust(3) ~ '|' }}
{{ 'a'.rjust(3, '*') }}
{{ 'ab'.center(5, '*') }}
{{ 'a'.center(4, '*') }}
{{ ','.join(['a', 'b']) }}
{{ ','.join([1]) }}
{{ 'ab1'.isalnum() }}{{ '12'.isdigit() }}{{ '²'.isdigit() }}{{ '½'.isnumeric() }}{{ 'ab'.isalpha() }}{{ ''.isdigit() }}
{{ '-1'.isnumeric() }}
{{ 'abc'.removeprefix('a') }}{{ 'abc'.removesuffix('c') }}
{{ 'a\\nb'.splitlines() }}
{{ '{} {}'.format(1, 'x') }}
{{ '{0}{1}{0}'.format('a', 'b') }}
{{ '{name}'.format(name='n') }}
{{ '{:5d}|{:<5}|{:^5}|{:>5}|{:05d}'.format(42, 'a', 'b', 'c', 7) }}
{{ '{:.2f} {:e} {:g} {:,} {:x} {:#x} {:b} {:%}'.format(3.14159, 12345.678, 0.00001, 1234567, 255, 255, 5, 0.25) }}
{{ '{:+d} {: d}'.format(5, 5) }}
{{ '{:06.2f}'.format(-3.14159) }}
{{ '{{}}'.format() }}
{{ '{}'.format() }}
{{ '{:d}'.format('x') }}
{{ '{a[b]}'.format(a={'b': 1}) }}
{{ '%s %d %5.1f %-5s| %05d %x %%' % ('a', 4.7, 3.14159, 'b', 42, 255) }}
{{ '%s' % value_json.n }}
{{ '%d' % 'x' }}
{{ '%s %s' % 'a' }}
{{ '%(a)s' % {'a': 1} }}
{{ '%s' % [1] }}
{{ '%c%r' % (65, 'q') }}
{{ '%e %g %G' % (1234.5, 1e-10, 1e20) }}
{{ value_json.n | float }}
{{ value_json.whole }}
{{ value_json.whole | int }}
{{ value_json.f | int }}
{{ value_json.neg_f | int }}
{{ value_json.neg_f | round }}
{{ value_json.num | int }}
{{ value_json.num | float * 2 }}
{{ value_json.t | int }}{{ value_json.t | float }}
{{ value_json.z | int(5) }}
{{ value_json.z | float }}
{{ value_json.z | string }}
{{ value_json.z | default('x') }}
{{ value_json.z | default('x', true) }}
{{ value_json.e | default('x', boolean=true) }}
{{ value_json.zero | default(5, true) }}
{{ value_json.z.x }}
{{ value_json.z | iif('a', 'b', 'none') }}
{{ value_json.t | bool }}{{ 2 | bool }}{{ 0.0 | bool }}
{{ none | bool }}
{{ none | bool(true) }}
{{ value_json.list }}
{{ value_json.list | sort }}
{{ value_json.list | sort(reverse=true) }}
{{ value_json.words | sort }}
{{ value_json.words | sort(case_sensitive=true) }}
{{ value_json.list | max }}{{ value_json.list | min }}{{ value_json.list | sum }}
{{ max(1, 5, 3) }}{{ min([4, 2]) }}
{{ max() }}
{{ max(5) }}
{{ [] | max }}
{{ [1, 'a'] | sort }}
{{ value_json.list | first }}{{ value_json.list | last }}{{ value_json.list | length }}{{ value_json.list | count }}
{{ value_json.empty_list | first }}
{{ value_json.list | join('-') }}
{{ value_json.list | map('string') | join('') }}
{{ value_json.list | map('multiply', 2) | list }}
{{ value_json.objs | map(attribute='id') | list }}
{{ value_json.objs | map(attribute='name') | list }}
{{ value_json.objs | map(attribute='name', default='?') | join(',') }}
{{ value_json.objs | selectattr('name', 'defined') | map(attribute='id') | sum }}
{{ value_json.objs | selectattr('id', 'eq', 2) | list }}
{{ value_json.objs | selectattr('id', '>', 1) | map(attribute='id') | list }}
{{ value_json.objs | rejectattr('id', 'in', [1, 2]) | list }}
{{ value_json.objs | sort(attribute='id') | map(attribute='id') | list }}
{{ value_json.objs | sum(attribute='id') }}
{{ value_json.objs | sum('id', 10) }}
{{ value_json.objs | join(',', attribute='id') }}
{{ (value_json.objs | selectattr('id', 'equalto', 1) | first).name }}
{{ value_json.list | select('odd') | list }}
{{ value_json.list | reject('>', 2) | list }}
{{ ['', 'a', none] | select | list }}
{{ ['a', 'b', 'A'] | unique | list }}
{{ [1, 1.0, true, 2] | unique | list }}
{{ 'hello' | reverse }}
{{ [1, 2] | reverse | list }}
{{ 'abc' | list }}
{{ 'abc' | first }}
{{ {'b': 1, 'a': 2} | list }}
{{ {'b': 1, 'a': 2}.keys() | list }}
{{ {'b': 1, 'a': 2}.values() | sum }}
{{ {'b': 1, 'a': 2}.items() }}
{{ {'b': 1, 'a': 2} | items | list }}
{{ {'b': 1, 'a': 2} | dictsort }}
{{ {'b': 1, 'a': 2} | dictsort(by='value', reverse=true) }}
{{ {'a': 1}.get('b') }}{{ {'a': 1}.get('b', 2) }}{{ {'a': 1}.get('a') }}
{{ {'a': 1}['b'] }}
{{ {1: 'x'}[1] }}{{ {1: 'x'}[1.0] }}{{ {1: 'x'}['1'] }}
{{ {true: 'x'}[1] }}
{{ {[1]: 2} }}
{{ {'a': 1}.update({'b': 2}) }}
{{ {'a': 1}.pop('a') }}
{{ [1].append(2) }}
{{ {'a': 1} | combine({'b': 2}) }}
{{ value_json['items'] }}
{{ value_json.count }}
{{ value_json['odd key'] }}
{{ value_json.o.b.c }}
{{ value_json['o']['b']['c'] }}
{{ value_json.o.b['c'][0] }}
{{ value_json.list[1] }}{{ value_json.list.1 }}{{ value_json.list[-1] }}
{{ value_json.list[9] }}
{{ value_json.list['x'] }}
{{ value_json.list[1:] }}{{ value_json.list[:-1] }}{{ value_json.list[::2] }}{{ value_json.list[::-1] }}{{ value_json.list[5:] }}
{{ 'abcdef'[1:4] }}{{ 'abcdef'[-3:] }}{{ 'abcdef'[4:1:-1] }}{{ 'abc'[::0] }}
{{ 5[0] }}
{{ value_json.n.x }}
{{ [1, 2.0, 'a', none, true, {'k': [1]}] }}
{{ ('a',) }}
{{ () }}
{{ {} }}
{{ [] }}
{{ ['it\\'s', 'say "x"', 'tab\\t', 'ü', '\\x00'] }}
{{ 'a\\tb\\u00e9\\x41' }}
{{ "double \\"quoted\\"" }}
{{ 'con' 'cat' }}
{{ value_json.n is number }}{{ value_json.s is string }}{{ value_json.o is mapping }}{{ value_json.list is sequence }}{{ value_json.z is none }}
{{ value_json.n is integer }}{{ value_json.f is float }}{{ value_json.t is boolean }}{{ value_json.t is true }}{{ value_json.t is false }}{{ 1 is true }}
{{ 3 is odd }}{{ 4 is even }}{{ 9 is divisibleby 3 }}{{ 9 is divisibleby(2) }}{{ '3' is odd }}
{{ 1 is eq 1 }}{{ 1 is sameas 1 }}{{ 2 is gt 1 }}{{ 2 is in [1, 2] }}{{ 'abc' is lower }}{{ 'ABC' is upper }}
{{ value_json.s is not string }}
{{ value_json.missing is not defined }}
{{ value_json.missing is none }}
{{ 'a' is iterable }}{{ 5 is iterable }}{{ {} is iterable }}
{{ [1] is list }}{{ (1,) is tuple }}{{ now() is datetime }}
{{ 'abc' is search('b') }}{{ 'abc' is match('b') }}
{{ [1, 2] is contains(2) }}
{{ 'abc' | contains('b') }}
{{ 5 is nothing }}
{{ 5 | nothing }}
{{ nothing(5) }}
{{ 'x' if true else 5 | nothing }}
{% if false %}{{ 5 | nothing }}{% endif %}ok
{% set x = 5 %}{{ x }}
{% set x = 5 %}{% if true %}{% set x = 6 %}{% endif %}{{ x }}
{% set x = 5 %}{% for i in [1] %}{% set x = 6 %}{% endfor %}{{ x }}
{% set ns = namespace(x=5) %}{% for i in [1, 2] %}{% set ns.x = ns.x + i %}{% endfor %}{{ ns.x }}
{% set a, b = 1, 2 %}{{ a + b }}
{% set a, b = [1] %}
{% set x %}  text {{ 1 + 1 }}{% endset %}[{{ x }}]
{% set x | upper %}abc{% endset %}{{ x }}
{% with a = 1, b = 2 %}{{ a + b }}{% endwith %}
{% filter upper %}abc{% endfilter %}
{% for i in [1, 2, 3] %}{{ i }}{% if not loop.last %},{% endif %}{% endfor %}
{% for i in [1, 2, 3] %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.length }} {% endfor %}
{% for i in [] %}x{% else %}empty{% endfor %}
{% for i in value_json.list if i > 1 %}{{ i }}{% endfor %}
{% for k, v in value_json.o.items() %}{{ k }}={{ v }};{% endfor %}
{% for k in value_json.o %}{{ k }}{% endfor %}
{% for c in 'abc' %}{{ c }}.{% endfor %}
{% for i in missing %}x{% endfor %}
{% for i in 5 %}x{% endfor %}
{% for i in range(5) %}{{ i }}{% endfor %}
{% for i in range(10, 0, -3) %}{{ i }} {% endfor %}
{% for i in range(9) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 5 %}{% break %}{% endif %}{{ i }}{% endfor %}
{% for i in [1, 2] %}{% for j in [1, 2] %}{{ i }}{{ j }}{{ loop.depth }} {% endfor %}{% endfor %}
{% for i in [1, 2, 3] %}{{ loop.previtem | default('-') }}{{ loop.nextitem | default('-') }} {% endfor %}
{% for i in [1, 2, 3] %}{{ loop.cycle('a', 'b') }}{% endfor %}
{% for a, b in [(1, 2), (3, 4)] %}{{ a * b }} {% endfor %}
{% for a, b in zip([1, 2], ['x', 'y']) %}{{ a }}{{ b }} {% endfor %}
{{ range(3) }}
{{ range(3) | list }}
{{ range(0) | list }}
{{ range(5)[2] }}
{{ range('x') }}
{% if value_json.n > 20 and value_json.n < 25 %}in{% else %}out{% endif %}
{% if value_json.n > 20 %}{% if value_json.f > 21.5 %}a{% else %}b{% endif %}{% endif %}
{% if not value_json.no and (value_json.t or missing) %}yes{% endif %}
{# comment #}x{#- another -#} y
a {%- if true %} b {%- endif %} c
a {%- if true -%} b {%- endif -%} c
{{- ' x ' -}}
  {{ 1 }}  {{ 2 }}
{% raw %}{{ x }}{% endraw %}
{%+ if true +%}x{%+ endif +%}
{{ 'a' if 1 else 'b' if 0 else 'c' }}
{{ ('a' if 0) ~ 'x' }}
{{ 1 if true else }}
{{ 1 + }}
{{ (1 }}
{{ [1, }}
{{ 'abc }}
{{ 1 1 }}
{{ }}
{{ 1
{% if %}x{% endif %}
{% if true %}x
{% endif %}
{% else %}
{% unknown %}
{% set = 5 %}
{% for in [1] %}{% endfor %}
{{ a.b. }}
{{ a | }}
{{ {'a' 1} }}
{{ @ }}
{{ 01 }}
{{ 5 is }}
{{ abs(-5) }}
{{ -5 | abs }}{{ -5.5 | abs }}
{{ 5 | add(2) }}{{ 'x' | add(2, 0) }}{{ '5' | multiply(2) }}
{{ 'x' | multiply(2) }}
{{ 10 | log(10) }}{{ 0 | log }}
{{ 16 | sqrt }}{{ -1 | sqrt('neg') }}
{{ sqrt(-1) }}
{{ (0 | sin) }}{{ (0 | cos) }}{{ pi | round(4) }}{{ e | round(4) }}
{{ 5 | bitwise_and(3) }}{{ 5 | bitwise_or(3) }}{{ 5 | bitwise_xor(3) }}{{ true | bitwise_and(false) }}
{{ 5.0 | bitwise_and(3) }}
{{ 'a' | ord }}
{{ 'ab' | ord }}
{{ 2.5 | round }}{{ 3.5 | round }}{{ -2.5 | round }}
{{ 2.5 | round(0, 'ceil') }}{{ 2.5 | round(0, 'floor') }}{{ 2.3 | round(1, 'half') }}{{ 2.3 | round(0, 'half') }}
{{ 2.345 | round(2) }}{{ 2.355 | round(2) }} {{ 1234.5 | round(-2) }} {{ 1e22 | round(2) }}
{{ 2.341 | round(2, 'ceil') }} {{ 2.349 | round(2, 'floor') }} {{ -2.341 | round(2, 'ceil') }}
{{ 5 | round(2) }}{{ '5' | round(1) }}{{ 'x' | round(1, default=0) }}
{{ 5 | round(1, 'common', 0) }}{{ 'x' | round(1, 'common', 9) }}
{{ 2.5 | round(1.0) }}
{{ 2.675 | round(precision=2) }}
{{ 'hello world' | title }}{{ 'hello world' | capitalize }}{{ 'Hello' | lower }}{{ 'Hello' | upper }}
{{ 'x' | center(5) }}|
{{ 'a b  c' | wordcount }}
{{ 'hello world foo' | truncate(8) }}
{{ 'aXbX' | replace('X', '-') }}{{ 'aXbX' | replace('X', '-', 1) }}{{ 121 | replace(1, 3) }}
{{ ' xx ' | trim }}{{ 'xxaxx' | trim('x') }}
{{ 'a\\nb' | indent(2) }}
{{ [1, 2, 3, 4, 5] | batch(2) | list }}
{{ [[1, 2], [3, [4]]] | flatten }}
{{ [[1, 2], [3, [4]]] | flatten(1) }}
{{ [1, 2, 3] | average }}{{ [1, 2, 3, 4] | median }}{{ average(1, 2) }}{{ [] | average(0) }}
{{ 5 | string ~ 'x' }}
{{ 5 | typeof }}{{ 'a' | typeof }}{{ none | typeof }}{{ typeof([]) }}
{{ float('5.5') + int('3') }}
{{ float('x') }}
{{ float('x', 0) }}{{ int('x', 7) }}{{ int('0x10', 0, 16) }}{{ 'ff' | int(base=16) }}{{ 'zz' | int(0, 16) }}
{{ int(5.9) }}{{ int(-5.9) }}{{ int(true) }}{{ int('5.9') }}
{{ float(true) }}
{{ float(none, 1) }}{{ none | float(2) }}
{{ float([1]) }}
{{ is_number('5') }}{{ is_number('x') }}{{ is_number(none) }}{{ 'inf' | is_number }}
{{ bool('on') }}{{ bool('x', 'd') }}
{{ bool('x') }}
{{ iif(true) }}{{ iif(false) }}{{ iif(none, 1, 2, 3) }}
{{ 'a' | iif }}
{{ value_json.big | timestamp_local }}
{{ value_json.big | timestamp_utc }}
{{ value_json.big | timestamp_custom('%Y-%m-%d %H:%M:%S') }}
{{ value_json.big | timestamp_custom('%Y-%m-%d %H:%M:%S', false) }}
{{ value_json.big | timestamp_custom('%A %a %B %b %d %-d %e %I:%M %p %j %y %U %W %V %u %w %Z %z %%') }}
{{ 1751328000 | timestamp_custom('%-H:%M %Z') }}
{{ value_json.big | timestamp_custom }}
{{ 'x' | timestamp_local }}
{{ 'x' | timestamp_local('none') }}
{{ '1700000000' | timestamp_utc(0) }}
{{ 0 | timestamp_utc }}
{{ 1.5 | timestamp_utc }}
{{ -1 | timestamp_utc }}
{{ 1e15 | timestamp_utc('far') }}
{{ now() }}
{{ utcnow() }}
{{ now().isoformat() }}
{{ now().hour }}:{{ now().minute }} {{ now().year }}-{{ now().month }}-{{ now().day }} {{ now().weekday() }} {{ now().isoweekday() }}
{{ now().strftime('%H:%M') }}
{{ now().timestamp() }}
{{ as_timestamp(now()) | int }}
{{ now() > utcnow() }}
{{ now() == utcnow() }}
{{ (now() + timedelta(hours=1, minutes=30)).strftime('%H:%M') }}
{{ (now() - timedelta(days=1)).day }}
{{ now() - now() }}
{{ now() - strptime('2025-01-01', '%Y-%m-%d') }}
{{ timedelta(days=1, hours=2) }}
{{ timedelta(seconds=90).total_seconds() }}
{{ timedelta(seconds=-1) }}
{{ timedelta(milliseconds=1500) }}
{{ timedelta(days=2) / 2 }}{{ timedelta(days=2) * 2 }}{{ timedelta(hours=1) / timedelta(minutes=1) }}
{{ [timedelta(hours=1)] }}
{{ timedelta(hours=1) > timedelta(minutes=1) }}
{{ as_timedelta('PT1H30M') }}{{ as_timedelta('01:30:00') }}{{ as_timedelta('x') }}
{{ today_at('12:30') }}
{{ today_at() }}
{{ today_at('x') }}
{{ value_json.iso | as_datetime }}
{{ as_datetime(value_json.iso).isoformat() }}
{{ value_json.iso | as_timestamp }}
{{ as_datetime(value_json.iso) | as_local }}
{{ as_datetime('2025-06-15 12:30:45.5').isoformat() }}
{{ as_datetime(0) }}
{{ as_datetime(none) }}
{{ as_datetime('x') }}
{{ as_datetime('x', 'd') }}
{{ 'x' | as_timestamp(0) }}
{{ strptime('05.01.2025 08:09', '%d.%m.%Y %H:%M') }}
{{ strptime('Jan 5 2025 3:04 PM', '%b %d %Y %I:%M %p').isoformat() }}
{{ strptime('2025-01-05T08:09:10+0200', '%Y-%m-%dT%H:%M:%S%z') }}
{{ strptime('12:34:56.789', '%H:%M:%S.%f') }}
{{ strptime('x', '%Y') }}
{{ strptime('x', '%Y', 'd') }}
{{ strptime('2025-13-01', '%Y-%m-%d', 'bad') }}
{{ [as_datetime(0)] }}
{{ now().replace(hour=0, minute=0, second=0, microsecond=0) }}
{{ (value_json.iso | as_datetime).year }}
{{ 'a1b22' | regex_replace('[0-9]+', '#') }}
{{ 'John Smith' | regex_replace('(\\\\w+) (\\\\w+)', '\\\\2 \\\\1') }}
{{ 'abxd' | regex_replace('x*', '-') }}
{{ 'ABC' | regex_replace('b', 'x', ignorecase=true) }}
{{ 'abc' | regex_replace(find='b', replace='x') }}
{{ 'abc' | regex_search('B', ignorecase=true) }}{{ 'abc' | regex_match('b') }}{{ 'abc' | regex_match('a.c$') }}
{{ 'key=value; k2=v2' | regex_findall('(\\\\w+)=(\\\\w+)') }}
{{ 'a,b;c' | regex_findall('[a-z]') }}
{{ 'temp 21.5C' | regex_findall_index('([-+]?\\\\d+\\\\.?\\\\d*)') | float }}
{{ 'x' | regex_findall_index('y') }}
{{ 'abc' | regex_replace('(', '') }}
{{ 'aaa' | regex_replace('a{2}', 'b') }}{{ 'foobar' | regex_search('foo(?=bar)') }}{{ 'foobaz' | regex_search('foo(?!baz)') }}
{{ 'ab12' | regex_replace('(?P<l>[a-z]+)(?P<n>[0-9]+)', '\\\\g<n>\\\\g<l>') }}
{{ 'aXbxc' | regex_replace('(?i)x', '-') }}
{{ 'a b' | regex_match('^\\\\S+\\\\s\\\\S+$') }}
{{ 'aaa' | regex_findall('a+?') }}{{ 'abab' | regex_findall('(ab)+') }}{{ 'abcabc' | regex_search('(abc)\\\\1') }}
{{ 5 | regex_match('5') }}
{{ '{"a": [1, 2.0, "x"], "b": null}' | from_json }}
{{ ('{"a": {"b": 5}}' | from_json).a.b }}
{{ 5 | from_json }}
{{ {'a': 1, 'b': [1.0, none, true]} | to_json }}
{{ {'a': 1, 'b': [1.0, none, true]} | tojson }}
{{ {'b': 1, 'a': 'ü'} | to_json(ensure_ascii=true, sort_keys=true) }}
{{ [1, {'a': 2}] | to_json(pretty_print=true) }}
{{ {'a': 1} | tojson(indent=2) }}
{{ 'a"b\\n' | to_json }}
{{ now() | to_json }}
{{ dict(a=1, b=2) }}
{{ dict([('a', 1)]) }}
{{ namespace(a=1).a }}
{{ 'abc' | attr('upper') is callable }}
{{ 'Küche' | upper }}{{ 'STRASSE' | lower }}
{{ 'é' | length }}
{{ value_json.uni }}{{ value_json.uni[0:5] }}
{{ value | length > 10 }}
{{ value_json.csv.split(',') | map('int') | list }}
{{ value_json.csv.split(',')[1] | int + 1 }}
{{ (value_json.csv.split(',') | last) * 2 }}
{{ value_json.f | round(1) ~ ' °C' }}
{{ value_json.f * 9 / 5 + 32 }}
{{ (value_json.f * 1.8 + 32) | round(1) }}
{{ value_json.n / 10 }}
{{ value_json.n // 10 }}
{{ value_json.n * 1.0 }}
{{ value_json.n | float / 3 }}
{{ value_json.bits | bitwise_and(1) == 1 }}
{{ (value_json.bits // 2) % 2 == 1 }}
{{ 'ON' if value_json.bits | bitwise_and(8) else 'OFF' }}
{{ value_json.o.get('a', 0) + value_json.o.get('zz', 10) }}
{{ value_json.o['a'] if 'a' in value_json.o else 0 }}
{{ value_json.get('o', {}).get('b', {}).get('c', 'none') }}
{{ value_json.keys() | list | length }}
{{ value_json.o | length }}
{{ value_json.objs[0].name | title }}
{{ value_json.objs | length }}
{{ (value_json.objs | first).id }}
{{ value_json.objs | map(attribute='o.x') | list }}
{{ value_json.s[:5] | upper }}
{{ value_json.s | list | length }}
{{ value_json.s | replace(' ', '_') | lower }}
{{ value_json.int_text | int + value_json.n }}
{{ value_json.int_text + 1 }}
{{ value_json.s * 2 }}
{{ value_json.t and 'yes' or 'no' }}
{{ value_json.t == 'true' }}
{{ value_json.t | string | lower == 'true' }}
{{ value_json.neg | abs }}
{{ value_json.neg_f | abs | round }}
{{ [value_json.n, 0] | max }}
{{ [value_json.n, 100] | min }}
{{ ([value_json.n, 0, 100] | sort)[1] }}
{{ value_json.n in range(20, 25) }}
{{ 20 <= value_json.n <= 25 }}
{{ value_json.n is number and value_json.n > 20 }}
{{ 5 | default(1) | string | length }}
{{ 'a,b' | split(',') }}
{{ 'a' | e }}
{{ loop }}
{{ true and none }}
{{ True }}{{ False }}{{ None }}
{{ none }}
{{ 1,2 }}
{{ 9223372036854775807 }}
{{ (1, 2, 3)[1] }}
{{ [1, 2, 3].index(2) }}{{ [1, 1].count(1) }}
{{ 1.5.is_integer() }}{{ (2.0).is_integer() }}
{{ 'a' 'b' | upper }}
{{ value_json.s|lower|replace('world','x')|title|length }}
""".strip().splitlines()
