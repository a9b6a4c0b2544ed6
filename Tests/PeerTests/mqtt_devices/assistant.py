"""A real Home Assistant with its MQTT integration: what it shows and publishes, and the services it is called with."""

import re

import home_assistant
import house
import requests

from mqtt_devices import case

CONFIGURATION = """
homeassistant: {{name: Home, latitude: 0, longitude: 0, elevation: 0, unit_system: metric, time_zone: UTC}}
http: {{server_host: 127.0.0.1, server_port: {port}}}
api:
websocket_api:
auth:
config:
onboarding:
person:
logger: {{default: {level}}}
"""
FENCE = {"name": "Fence", "unique_id": "fence", "state_topic": "fence/state", "device": {"ids": "fence", "name": "Fence"}}
# An announcement that each platform accepts, so that all of them are loaded before the first case.
FIRST = {
    "lock": {"command_topic": "x"}, "cover": {"command_topic": "x"}, "light": {"command_topic": "x"}, "switch": {"command_topic": "x"},
    "fan": {"command_topic": "x"}, "climate": {}, "sensor": {"state_topic": "x"}, "binary_sensor": {"state_topic": "x"},
    "button": {"command_topic": "x"}, "event": {"state_topic": "x", "event_types": ["x"]}, "valve": {"command_topic": "x"},
    "alarm_control_panel": {"command_topic": "x", "state_topic": "x"}, "camera": {"topic": "x"}, "image": {"image_topic": "x"},
    "number": {"command_topic": "x"}, "select": {"command_topic": "x", "options": ["x"]}, "text": {"command_topic": "x"},
    "siren": {"command_topic": "x"}, "humidifier": {"command_topic": "x", "target_humidity_command_topic": "x"}, "update": {"state_topic": "x"},
}
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00")


class Assistant:
    def __init__(self, version, folder, port, wire):
        self.home = home_assistant.HomeAssistant(version, folder)
        (folder / "configuration.yaml").write_text(CONFIGURATION.format(port=self.home.port, level="warning"))
        self.port, self.wire, self.count = port, wire, 0

    def start(self):
        self.home.start()
        self.home.move_in()
        self.home.set_up("mqtt", broker="127.0.0.1", port=self.port)
        self.line = self.home.line()
        for component, config in FIRST.items():
            config = {**config, "name": "First", "unique_id": "first"}
            self.wire.publish(f"homeassistant/{component}/first/config", case.text(config), True)
        self.wire.publish("homeassistant/sensor/fence/config", case.text(FENCE), True)
        house.until(lambda: len(self.entries()) == len(FIRST) + 1, "every platform is loaded")
        for component in FIRST:
            self.wire.publish(f"homeassistant/{component}/first/config", "", True)
        house.until(lambda: len(self.entries()) == 1, "the first ones are gone")
        self.pass_fence()

    def stop(self):
        if hasattr(self, "line"):
            self.line.close()
        self.home.stop()

    def entries(self):
        """The registry's entries of the MQTT integration, by component and unique id."""
        found = [one for one in self.line.ask("config/entity_registry/list") if one["platform"] == "mqtt"]
        return {f"{one['entity_id'].split('.')[0]}:{one['unique_id']}": one for one in found}

    def precisions(self):
        """The displayed precision of sensors, by entity id."""
        shown = self.line.ask("config/entity_registry/list_for_display")["entities"]
        return {one["ei"]: one["dp"] for one in shown if "dp" in one}

    def pass_fence(self):
        """Returns when everything published before has been processed."""
        self.count += 1
        self.wire.publish("fence/state", str(self.count), True)
        house.until(lambda: self.home.state("sensor.fence_fence").get("state") == str(self.count), "the fence is passed")

    def settle(self):
        """Returns when every announcement is processed and its topics are subscribed to."""
        before, same = None, 0
        while same < 3:
            self.pass_fence()
            now = len(self.entries()), len(self.states())
            before, same = now, same + 1 if now == before else 0
            # A debounced subscription comes after the entity: an announcement made now is subscribed to after all others.
            self.count += 1
            config = {**FENCE, "unique_id": f"late{self.count}", "name": f"Late {self.count}", "state_topic": f"fence/late{self.count}"}
            self.wire.publish(f"fence/late{self.count}", "here", True)
            self.wire.publish(f"homeassistant/sensor/late{self.count}/config", case.text(config), True)
            name = f"sensor.fence_late_{self.count}"
            house.until(lambda name=name: self.home.state(name).get("state") == "here", "a late one is subscribed to")
            self.wire.publish(f"homeassistant/sensor/late{self.count}/config", "", True)
            self.wire.publish(f"fence/late{self.count}", "", True)
            house.until(lambda name=name: "state" not in self.home.state(name), "the late one is gone")

    def states(self):
        answer = requests.get(f"{self.home.url}/api/states", headers=self.home._headers, timeout=60)
        return {one["entity_id"]: one for one in answer.json()}

    def picture(self, entity_id):
        """A camera's last picture; None before the first."""
        answer = requests.get(f"{self.home.url}/api/camera_proxy/{entity_id}", headers=self.home._headers, timeout=60)
        return answer.content if answer.status_code == 200 and answer.content else None

    def call(self, domain, name, **data):
        """Calls a service, and returns what Home Assistant published for it; nothing where the service refuses."""
        mark = self.wire.mark
        requests.post(f"{self.home.url}/api/services/{domain}/{name}", json=data, headers=self.home._headers, timeout=60)
        self.count += 1
        fence = {"topic": "fence/told", "payload": str(self.count)}
        requests.post(f"{self.home.url}/api/services/mqtt/publish", json=fence, headers=self.home._headers, timeout=60)
        heard = self.wire.until_heard("fence/told", str(self.count), mark)
        return [one for one in heard if not one[0].startswith(("homeassistant/", "fence/"))]

    def follow_triggers(self):
        """Subscribes to every device trigger; returns them as `type subtype` by the identifiers of their devices."""
        found = {}
        for device in self.line.ask("config/device_registry/list"):
            for trigger in self.line.ask("device_automation/trigger/list", device_id=device["id"]):
                if trigger["domain"] != "mqtt":
                    continue
                name = f"{trigger['type']} {trigger['subtype']}"
                identity = f"{device['id']} {name}"
                config = {**{key: value for key, value in trigger.items() if key != "metadata"}, "id": identity}
                self.line.ask("subscribe_trigger", trigger=config)
                for _, identifier in device["identifiers"]:
                    found[(identifier, name)] = identity
        return found

    def fired(self):
        """The ids of the fired device triggers, in order."""
        # Every trigger fired before this answer has arrived with it.
        self.line.ask("auth/current_user")
        return [one["variables"]["trigger"]["id"] for one in list(self.line.events)]
