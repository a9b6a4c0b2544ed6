"""A house's MQTT devices in the web app: the mark on what opens a way in, skipped devices, an alarm panel, and configuration entities."""

import json
import re

import paho.mqtt.client as paho
import pytest

import house
from test_real_lock import broker  # noqa: F401
from test_tour import PASSWORD, browser  # noqa: F401
from test_web_states import STEP_UP, host, page  # noqa: F401

pytestmark = pytest.mark.long


def device(identity, name):
    return {"ids": [identity], "name": name, "mf": "Boltworks"}


RELAY = {"name": None, "uniq_id": "relay_1", "cmd_t": "home/relay/set", "dev": device("relay_1", "Garage relay")}
PANEL = {
    "name": None, "uniq_id": "panel_1", "cmd_t": "home/panel/set", "stat_t": "home/panel/state",
    "supported_features": ["arm_home", "arm_away"], "code_arm_required": False, "dev": device("panel_1", "Hall alarm"),
}
PLUG = {"name": None, "uniq_id": "plug_1", "cmd_t": "home/plug/set", "stat_t": "home/plug/state", "dev": device("plug_1", "Desk plug")}
PLUG_LIGHT = {
    "name": "Status light", "uniq_id": "plug_1_led", "cmd_t": "home/plug/led/set", "stat_t": "home/plug/led/state", "ent_cat": "config",
    "dev": device("plug_1", "Desk plug"),
}
HUMIDIFIER = {
    "name": None, "uniq_id": "mist_1", "cmd_t": "home/mist/set", "hum_cmd_t": "home/mist/target", "dev": device("mist_1", "Mist maker"),
}


class Firmware:
    """All devices on the broker: they announce themselves, and the alarm panel obeys."""

    def __init__(self, port):
        self.heard = []
        self.client = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        self.client.on_message = self.told
        self.client.connect("127.0.0.1", port)
        self.client.subscribe([("home/+/set", 1), ("home/plug/led/set", 1)])
        self.client.loop_start()
        for topic, body in (
            ("button/relay_1", RELAY), ("alarm_control_panel/panel_1", PANEL), ("switch/plug_1", PLUG), ("switch/plug_1_led", PLUG_LIGHT),
            ("humidifier/mist_1", HUMIDIFIER),
        ):
            self.say(f"homeassistant/{topic}/config", json.dumps(body))
        for topic, state in (("panel", "disarmed"), ("plug", "OFF"), ("plug/led", "ON")):
            self.say(f"home/{topic}/state", state)

    def say(self, topic, text):
        self.client.publish(topic, text, qos=1, retain=True).wait_for_publish(house.LIMIT)

    def told(self, client, _, message):
        order = message.payload.decode()
        self.heard.append((message.topic, order))
        state = {"ARM_HOME": "armed_home", "ARM_AWAY": "armed_away", "DISARM": "disarmed"}.get(order)
        if state:
            client.publish("home/panel/state", state, retain=True)

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture
def firmware(module_owner, broker):  # noqa: F811
    firmware = Firmware(broker)
    put = module_owner.put("/api/v1/integrations/mqtt", {"host": "127.0.0.1", "port": broker})
    assert put.status_code == 200, put.text
    yield firmware
    firmware.close()


def announced(owner, name):
    """The device of that name, as soon as the house knows it."""
    listed = lambda: owner.get("/api/v1/devices").json()["devices"]  # noqa: E731
    return house.until(lambda: next((one for one in listed() if one["name"] == name), None), f"{name} is announced")


def entity(owner, of, entity_id):
    entities = owner.get(f"/api/v1/devices/{of['device_id']}").json()["entities"]
    return next(one for one in entities if one["entity_id"] == entity_id)


def confirm_once(page, path, method):  # noqa: F811
    """The hub requires a step-up on the first such call."""
    asked = []

    def once(route):
        if route.request.method != method or asked:
            return route.continue_()
        asked.append(route.request.url)
        route.fulfill(status=403, json=STEP_UP)

    page.route(path, once)


def held(page, button):  # noqa: F811
    """Holds a button for as long as the page requires."""
    box = button.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    house.until(lambda: not page.locator("[data-hold=holding]").count(), "it has been held for long enough")
    page.mouse.up()


def test_a_relay_marked_as_a_garage_door_needs_a_hold(module_hub, module_owner, host, page, firmware):  # noqa: F811
    relay = announced(module_owner, "Garage relay")
    (button,) = relay["entities"]
    page.goto(f"{module_hub.url}/devices/{relay['device_id']}")
    page.get_by_role("button", name="Press", exact=True).wait_for()
    host.state("way-in-proposed", "Does this open a way in? Its name suggests it.")
    mark = page.get_by_role("switch", name="Opens a way in")
    assert not mark.is_checked()

    page.get_by_role("button", name="Yes").click()
    hold = page.get_by_role("button", name="Hold to press garage relay")
    hold.wait_for()
    host.state("way-in-marked", "Commands then count as opening a door.", gone=("Does this open a way in?",))
    assert mark.is_checked()
    assert entity(module_owner, relay, button["entity_id"])["opens_way_in"] is True

    hold.scroll_into_view_if_needed()
    held(page, hold)
    house.until(lambda: ("home/relay/set", "PRESS") in firmware.heard, "the relay is pressed")

    confirm_once(page, "**/way-in", "DELETE")
    mark.click()
    page.get_by_role("heading", name="Confirm it is you").wait_for()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Confirm", exact=True).click()
    page.get_by_role("button", name="Press", exact=True).wait_for()
    house.until(lambda: not mark.is_checked(), "the switch is off")
    assert entity(module_owner, relay, button["entity_id"])["opens_way_in"] is False


def test_a_re_announced_door_is_confirmed_as_the_same_door_in_one_press(
        module_hub, module_owner, host, page, firmware):  # noqa: F811
    def announce(base):
        firmware.say("homeassistant/lock/shed_1/config", json.dumps({
            "name": None, "uniq_id": "shed_1", "cmd_t": f"{base}/set", "stat_t": f"{base}/state", "dev": device("shed_1", "Shed")}))

    announce("home/shed")
    shed = announced(module_owner, "Shed")
    page.goto(f"{module_hub.url}/devices/{shed['device_id']}")
    page.get_by_role("heading", name="Shed", level=1).wait_for()
    same = page.get_by_role("button", name="It is the same door")
    assert not same.count()
    announce("home/hut")
    same.wait_for()
    host.state("door-changed", "It is announced with other topics or payloads than before.")
    both = page.get_by_text("home/shed/set → home/hut/set")
    assert both.count() == 1
    assert not page.get_by_role("button", name="It opens no way in").count(), "a lock always opens one"

    confirm_once(page, "**/ways-in/same-door", "POST")
    same.click()
    page.get_by_role("heading", name="Confirm it is you").wait_for()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Confirm", exact=True).click()
    both.wait_for(state="detached")
    assert "way_in_standing" not in entity(module_owner, shed, shed["entities"][0]["entity_id"])


def test_the_integrations_page_lists_imported_and_skipped_devices(module_hub, module_owner, host, page, firmware):  # noqa: F811
    announced(module_owner, "Desk plug")
    page.goto(module_hub.url + "/settings/integrations")
    page.get_by_text("Not understood (1)", exact=True).wait_for()
    left = page.get_by_role("listitem").filter(has_text="Mist maker")
    assert "humidifier" in left.inner_text()
    page.get_by_text("Desk plug (2)", exact=True).click()
    host.state("mqtt-announced", "Announced over MQTT", "switch")

    left.get_by_role("button", name="Show announcement").click()
    dialog = page.get_by_role("dialog", name="Announcement")
    dialog.get_by_text("homeassistant/humidifier/mist_1/config", exact=True).wait_for()
    dialog.get_by_role("button", name="Copy").wait_for()
    assert "home/mist/target" in dialog.inner_text()
    host.state("mqtt-announcement", "without its secrets")
    dialog.get_by_role("button", name="Close").click()
    dialog.wait_for(state="detached")


def test_an_alarm_panel_arms_on_click_and_disarms_on_hold(module_hub, module_owner, host, page, firmware):  # noqa: F811
    panel = announced(module_owner, "Hall alarm")
    page.goto(f"{module_hub.url}/devices/{panel['device_id']}")
    disarm = page.get_by_role("button", name="Hold to disarm")
    page.get_by_role("button", name="Arm home").wait_for()
    host.state("alarm-disarmed", "Disarmed")
    assert not disarm.is_visible(), "what is disarmed is not disarmed again"

    page.get_by_role("button", name="Arm away").click()
    disarm.wait_for()
    host.state("alarm-armed", "Armed: away")
    assert not page.get_by_role("button", name="Arm away").is_visible()

    # The keyboard needs a confirmation, and Escape cancels it.
    disarm.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Disarm hall alarm now?").wait_for()
    assert ("home/panel/set", "DISARM") not in firmware.heard
    page.keyboard.press("Escape")
    disarm.wait_for()
    held(page, disarm)
    page.get_by_text("Disarmed", exact=True).locator("visible=true").first.wait_for()
    assert [order for topic, order in firmware.heard if topic == "home/panel/set"] == ["ARM_AWAY", "DISARM"]


def test_configuration_entities_are_collapsed(module_hub, module_owner, host, page, firmware):  # noqa: F811
    plug = announced(module_owner, "Desk plug")
    house.until(lambda: len(announced(module_owner, "Desk plug")["entities"]) == 2, "both are announced")
    page.goto(module_hub.url + "/")
    page.locator("device-tile").get_by_role("link", name="Desk plug").wait_for()
    assert not page.locator("device-tile").get_by_role("link", name="Status light").count(), "Home shows what the device is there for"

    page.goto(f"{module_hub.url}/devices/{plug['device_id']}")
    light = page.get_by_role("link", name="Status light")
    fold = page.get_by_text("Settings and diagnostics", exact=True)
    fold.wait_for()
    assert not light.is_visible()
    fold.focus()
    page.keyboard.press("Enter")
    light.wait_for()
    host.state("device-settings", "Status light")
    page.get_by_role("button", name="Switch status light off").first.click()
    house.until(lambda: ("home/plug/led/set", "OFF") in firmware.heard, "it is told")


def again(page):  # noqa: F811
    """Passes the step-up."""
    page.get_by_role("heading", name="Confirm it is you").wait_for()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Confirm", exact=True).click()


def lock_of(firmware, identity, name):
    firmware.say(f"homeassistant/lock/{identity}/config", json.dumps({
        "name": None, "uniq_id": identity, "cmd_t": f"home/{identity}/set", "stat_t": f"home/{identity}/state", "dev": device(identity, name)}))
    firmware.say(f"home/{identity}/state", "LOCKED")


def test_a_door_with_a_lost_broker_is_shown_as_unknown(module_hub, module_owner, host, page, firmware):  # noqa: F811
    lock_of(firmware, "cellar_1", "Cellar door")
    cellar = announced(module_owner, "Cellar door")
    page.goto(f"{module_hub.url}/devices/{cellar['device_id']}")
    row = page.locator("door-row")
    row.get_by_text("Locked", exact=True).wait_for()
    assert module_owner.put("/api/v1/integrations/mqtt", {"host": "127.0.0.1", "port": house.free_port()}).status_code == 200
    row.get_by_text("Not known", exact=True).wait_for()
    host.state("door-not-known", re.compile(r"last reported locked at \d+:\d\d"), "Try the handle first.")
    page.goto(module_hub.url + "/")
    page.get_by_role("heading", level=1, name=re.compile("cellar door.* not known", re.I)).wait_for()
    host.state("home-not-known", re.compile(r"last reported locked at \d+:\d\d"))


def test_two_entries_for_one_device_are_merged(module_hub, module_owner, host, page, firmware):  # noqa: F811
    for identity, name in (("porch_1", "Porch plug"), ("porch_2", "Porch plug two")):
        firmware.say(f"homeassistant/switch/{identity}/config", json.dumps({
            "name": None, "uniq_id": identity, "cmd_t": f"home/{identity}/set", "stat_t": f"home/{identity}/state", "dev": device(identity, name)}))
    one, two = announced(module_owner, "Porch plug"), announced(module_owner, "Porch plug two")
    page.goto(f"{module_hub.url}/devices/{one['device_id']}")
    page.get_by_text("Merge or replace", exact=True).click()
    page.get_by_role("button", name="Merge", exact=True).click()
    host.state("device-merge", "Merge two entries of one device", "Choose one.")
    page.get_by_label("The other device").select_option("Porch plug two")
    page.get_by_role("button", name="Merge", exact=True).click()
    confirm_once(page, "**/merge", "POST")
    dialog = page.get_by_role("dialog", name="Merge Porch plug and Porch plug two?")
    dialog.get_by_role("button", name="Merge", exact=True).click()
    again(page)
    house.until(lambda: page.evaluate("true") and module_owner.get(f"/api/v1/devices/{two['device_id']}").json()["device_id"] == one["device_id"], "they are one")
    page.get_by_role("heading", name="Porch plug", level=1).wait_for()

    # Another person is faster: the form says who, and shows the result.
    page.get_by_role("button", name="Change", exact=True).click()
    sheet = page.get_by_role("dialog", name="Change Porch plug")
    sheet.get_by_label("Description").fill("Behind the bench")
    assert module_owner.call("PATCH", f"/api/v1/devices/{one['device_id']}", {"name": "Bench plug"}).status_code == 200
    sheet.get_by_role("button", name="Save").click()
    host.state("device-conflict", "Owner changed it meanwhile: Name “Bench plug”. Try again to save what you wrote.")
    sheet.get_by_role("button", name="Try again").click()
    sheet.wait_for(state="detached")
    kept = module_owner.get(f"/api/v1/devices/{one['device_id']}").json()
    assert (kept["name"], kept["user_description"]) == ("Bench plug", "Behind the bench")
    page.goto(module_hub.url + "/activity")
    page.get_by_text("Bench plug: renamed").first.wait_for()


def test_a_new_door_replaces_a_missing_one(module_hub, module_owner, host, page, firmware):  # noqa: F811
    lock_of(firmware, "barn_1", "Barn door")
    barn = announced(module_owner, "Barn door")
    button = module_owner.post("/api/v1/buttons", {"title": "Barn", "action": {"device_id": barn["device_id"], "entity_id": barn["entities"][0]["entity_id"], "action": "unlock"}})
    assert button.status_code == 201, button.text
    firmware.say("homeassistant/lock/barn_1/config", "")
    lock_of(firmware, "barn_2", "New barn door")
    new = announced(module_owner, "New barn door")
    names = lambda: [one["name"] for one in module_owner.get("/api/v1/devices").json()["devices"]]  # noqa: E731
    house.until(lambda: "Barn door" not in names(), "the old one is gone")
    page.goto(f"{module_hub.url}/devices/{new['device_id']}")
    fold = page.get_by_text("Merge or replace", exact=True)
    put = page.get_by_role("button", name="Replace it with this one")
    fold.click()
    host.state("device-replace", "Replace an old door", "0 passes and 1 button use it")
    confirm_once(page, "**/replace", "POST")
    put.click()
    page.get_by_role("dialog", name="Replace Barn door with this one?").get_by_role("button", name="Replace it with this one").click()
    again(page)
    put.wait_for(state="detached")
    kept = lambda: module_owner.get(f"/api/v1/buttons/{button.json()['button_id']}").json()["action"]["device_id"]  # noqa: E731
    house.until(lambda: page.evaluate("true") and kept() == new["device_id"], "the button moves the new door")
