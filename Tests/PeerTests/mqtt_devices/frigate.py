"""Cameras of Frigate on the broker: counts, motion, switches of its functions, and pictures."""

import base64

from mqtt_devices.case import Case

FIRMWARE = "Frigate"
# The smallest pictures of their kinds.
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QA"
    "FBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=")
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


def camera(case_id, component, name, **config):
    base, unique = case_id, f"{case_id}_{name}"
    case = Case(case_id, FIRMWARE).announce(component, unique, {
        "name": name.replace("_", " ").title(), "unique_id": unique, "availability_topic": f"{base}/available",
        "device": {"identifiers": [f"frigate_{case_id}"], "name": case_id, "manufacturer": "Frigate", "model": "0.15", "via_device": "frigate"}, **config})
    case.step((f"{base}/available", "online"))
    return case, base, f"{component}:{unique}"


def cases():
    case, base, key = camera("frigate-person-count", "sensor", "person_count", state_topic="frigate-person-count/front/person", unit_of_measurement="objects",
                             state_class="measurement", icon="mdi:human")
    yield case.steps_of(f"{base}/front/person", "0", "2", "").step((f"{base}/available", "offline"))
    case, base, key = camera("frigate-motion", "binary_sensor", "motion", state_topic="frigate-motion/front/motion", device_class="motion")
    yield case.steps_of(f"{base}/front/motion", "ON", "OFF", "stopped")
    case, base, key = camera("frigate-occupancy", "binary_sensor", "occupancy", state_topic="frigate-occupancy/front/person/active",
                             value_template="{{ 'ON' if value | int > 0 else 'OFF' }}", device_class="occupancy")
    yield case.steps_of(f"{base}/front/person/active", "0", "1", "x")
    for function in ("detect", "recordings", "snapshots", "improve_contrast", "ptz_autotracker"):
        case_id = f"frigate-{function.replace('_', '-')}"
        case, base, key = camera(case_id, "switch", function, state_topic=f"{case_id}/front/{function}/state", command_topic=f"{case_id}/front/{function}/set",
                                 entity_category="config", retain=True)
        yield case.steps_of(f"{base}/front/{function}/state", "ON", "OFF").asks(key, "on", "off")
    case, base, key = camera("frigate-fps", "sensor", "detection_fps", state_topic="frigate-fps/stats", unit_of_measurement="fps",
                             value_template="{{ value_json.cameras.front.detection_fps | round(1) }}", entity_category="diagnostic")
    yield case.steps_of(f"{base}/stats", {"cameras": {"front": {"detection_fps": 4.26}}}, {"cameras": {}}, {"cameras": {"front": {"detection_fps": 0.0}}})
    case, base, key = camera("frigate-review", "sensor", "review_status", state_topic="frigate-review/front/review_status", device_class="enum",
                             options=["NONE", "DETECTION", "ALERT"])
    yield case.steps_of(f"{base}/front/review_status", "NONE", "ALERT", "OTHER")
    case, base, key = camera("frigate-event", "event", "object", state_topic="frigate-event/events", event_types=["new", "update", "end"],
                             value_template="{{ {'event_type': value_json.type, 'label': value_json.after.label} | tojson }}")
    yield case.steps_of(f"{base}/events", {"type": "new", "after": {"label": "person"}}, {"type": "update", "after": {"label": "person"}},
                        {"type": "lost", "after": {"label": "dog"}}, {"type": "end", "after": {"label": "person"}})
    case, base, key = camera("frigate-restart", "button", "restart", command_topic="frigate-restart/restart", payload_press="restart", device_class="restart")
    yield case.asks(key, "press")
    case, base, key = camera("frigate-snapshot", "camera", "person", topic="frigate-snapshot/front/person/snapshot")
    case.picture(f"{base}/front/person/snapshot", JPEG).picture(f"{base}/front/person/snapshot", PNG)
    yield case
    case, base, key = camera("frigate-snapshot-b64", "camera", "person", topic="frigate-snapshot-b64/front/person/snapshot", image_encoding="b64")
    yield case.steps_of(f"{base}/front/person/snapshot", base64.b64encode(JPEG).decode())
    case, base, key = camera("frigate-image", "image", "person", image_topic="frigate-image/front/person/snapshot", content_type="image/jpeg")
    yield case.picture(f"{base}/front/person/snapshot", JPEG).picture(f"{base}/front/person/snapshot", JPEG)
    case, base, key = camera("frigate-image-b64", "image", "car", image_topic="frigate-image-b64/front/car/snapshot", image_encoding="b64",
                             content_type="image/png")
    yield case.steps_of(f"{base}/front/car/snapshot", base64.b64encode(PNG).decode(), "no picture!")
    case, base, key = camera("frigate-image-url", "image", "dog", url_topic="frigate-image-url/front/dog/url", url_template="{{ value_json.url }}")
    yield case.steps_of(f"{base}/front/dog/url", {"url": "http://127.0.0.1:1/dog.jpg"})
