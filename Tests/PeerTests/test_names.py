"""Hostile names wherever a name is shown: pages, logs, database, broker. Each stays plain text."""

import json
import re
import subprocess
import unicodedata

import hostile_names
import house
import paho.mqtt.client as paho
import pytest
import requests
from hostile_names import MARK, NAMES, UNSEEN
from test_real_lock import broker  # noqa: F401
from test_tour import DESK, PASSWORD, ROOT, Visitor, browser, take  # noqa: F401

pytestmark = pytest.mark.long

# All texts that the hub logs.
HUB_ARGS = ("--log-level", "debug")
LINE = re.compile(r"^\S+ (trace|debug|info|notice|warning|error|critical) ")
ROOMS, SCENES, PASSES, PEOPLE, DEVICES = NAMES[:190], NAMES, NAMES, NAMES[::4], NAMES


def kept(name):
    return unicodedata.normalize("NFC", name).strip()


@pytest.fixture(scope="module")
def devices():
    """The messages to the broker: a device for every name, with the name also as its maker, its model and its state."""
    return {
        f"homeassistant/sensor/named_{number}/config": {
            "name": name, "uniq_id": f"named_{number}", "stat_t": f"named/{number}", "unit_of_meas": name[:20],
            "dev": {"ids": [f"named_{number}"], "name": name, "mf": name, "mdl": name, "sa": name},
        }
        for number, name in enumerate(DEVICES)
    }


@pytest.fixture(scope="module")
def named(module_hub, module_owner, tmp_path_factory, devices):
    """A house in which every object has such a name; returns the links of two passes."""
    owner = module_owner

    def made(path, body, **more):
        answer = owner.post(path, body, **more)
        assert answer.status_code == 201, (body, answer.text)
        return answer.json()

    links = []
    for name in ROOMS:
        assert made("/api/v1/rooms", {"name": name, "activities": [name[:60]]})["name"] == kept(name)
    for name in SCENES:
        body = {"name": name, "icon": name[:64], "actions": [{"device_id": "hall-light", "action": "on"}]}
        assert made("/api/v1/scenes", body)["name"] == kept(name)
    for name in PASSES:
        invitation = made("/api/v1/guests", house.draft(name=name))
        assert invitation["name"] == kept(name)
        links.append(invitation["link"])
    # Before the people: no API token takes a resident's name.
    for name in NAMES[:40]:
        assert made("/api/v1/auth/api-tokens", {"name": name})["name"] == kept(name)
    for name in PEOPLE:
        assert made("/api/v1/people", {"name": name, "role": "member"})["person"]["name"] == kept(name)
    for device, name in (("front-door", NAMES[0]), ("hall-light", NAMES[2]), ("garage", NAMES[3])):
        answer = owner.call("PATCH", f"/api/v1/devices/{device}", {"name": name, "user_description": NAMES[5], "room_id": None})
        assert answer.status_code == 200 and answer.json()["name"] == kept(name)
    return links


def test_an_invisible_name_is_refused_everywhere(module_owner):
    calls = [
        ("POST", "/api/v1/rooms", {}), ("POST", "/api/v1/guests", house.draft()), ("POST", "/api/v1/people", {"role": "member"}),
        ("POST", "/api/v1/scenes", {"actions": [{"device_id": "hall-light", "action": "on"}]}), ("PATCH", "/api/v1/devices/garage", {}),
        ("POST", "/api/v1/auth/api-tokens", {}),
    ]
    for name in UNSEEN:
        for method, path, body in calls:
            answer = module_owner.call(method, path, {**body, "name": name})
            assert answer.status_code == 400 and answer.json()["error"]["code"] == "validation_error", (name, path, answer.text)


def test_a_name_is_returned_unchanged_and_drops_no_table(module_hub, module_owner, named):
    for path, field, names in [("/api/v1/rooms", "rooms", ROOMS), ("/api/v1/scenes", "scenes", SCENES), ("/api/v1/guests", "guests", PASSES),
                               ("/api/v1/people", "people", PEOPLE), ("/api/v1/auth/api-tokens", "tokens", NAMES[:40])]:
        listed = [one["name"] for one in module_owner.get(path).json()[field]]
        assert not {kept(name) for name in names} - set(listed), path
    for query in NAMES[-80:]:
        for path in ("/api/v1/devices", "/api/v1/activity", "/api/v1/environment"):
            params = {"q": query, "location": query, "guest_id": query, "device_id": query, "result": query, "room_id": query}
            answer = requests.get(module_hub.url + path, params=params, headers={"Authorization": f"Bearer {module_owner.token}"}, timeout=60)
            assert answer.status_code in (200, 400), (path, query, answer.text)
    assert len(module_owner.get("/api/v1/guests").json()["guests"]) >= len(PASSES)


def test_every_page_shows_a_name_as_text(browser, module_hub, module_owner, named):  # noqa: F811
    """Every page, with two hundred such names on it. The policy would stop a script; here no script is even tried."""
    visitor = Visitor(browser, "owner", size=DESK)
    page = visitor.page
    asked = []
    visitor.context.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: visitor.complaints.append(f"dialog: {dialog.message}"))
    page.goto(module_hub.url + "/sign-in")
    page.fill("input[name=username]", "owner")
    page.fill("input[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector("door-row")
    guests = module_owner.get("/api/v1/guests").json()["guests"]
    rooms = module_owner.get("/api/v1/rooms").json()["rooms"]
    people = module_owner.get("/api/v1/people").json()["people"]
    shown = 0
    paths = ["/", "/doors", "/guests", "/people", "/activity", "/settings", "/settings/integrations", "/settings/account", "/settings/house",
             "/settings/rooms", "/settings/scenes", "/settings/tokens", "/settings/sessions", "/guests/new", "/more", "/devices/front-door",
             "/devices/hall-light", "/devices/garage"]
    paths += [f"/guests/{guest['guest_id']}" for guest in guests[:3]] + [f"/people/{person['person_id']}" for person in people[:3]]
    paths += [f"/rooms/{room['room_id']}" for room in rooms[-3:]]
    for path in paths:
        # This hub speaks plain HTTP without a certificate, which the browser logs on the settings page of the house, and only there.
        visitor.refusals_expected = path == "/settings/house"
        page.goto(module_hub.url + path)
        page.wait_for_load_state("networkidle")
        # The last answer is drawn with the next frame.
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        clean(page, path)
        shown += sum(name in page.inner_text("body") for name in NAMES if "\u00a0" not in name)
    assert shown > 300, f"only {shown} names were on the pages at all"
    guest = Visitor(browser, "guest")
    guest.page.on("dialog", lambda dialog: guest.complaints.append(f"dialog: {dialog.message}"))
    for link in named[:3]:
        take(guest, link)
        clean(guest.page, "the guest's page")
    assert not [url for url in asked if not url.startswith((module_hub.url, "blob:" + module_hub.url))]
    visitor.close()
    guest.close()


def clean(page, path):
    assert page.evaluate("window.ran") is None, f"{path}: a name was run"
    assert page.locator(f"[{MARK}]").count() == 0, f"{path}: an element was made of a name"
    assert page.evaluate("[...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) => /^on/i.test(a.name))).length") == 0
    assert page.evaluate("[...document.querySelectorAll('[href],[src]')].filter((e) => /^\\s*(javascript|data):/i.test(e.href || e.src)).length") == 0


def test_names_from_the_broker_are_text_and_address_no_other_topic(module_hub, module_owner, named, broker, devices):  # noqa: F811
    heard, subscribed = [], []
    client = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
    client.on_message = lambda _, __, message: heard.append(message.topic)
    client.on_subscribe = lambda *_: subscribed.append(True)
    client.connect("127.0.0.1", broker)
    client.loop_start()
    for topic, config in devices.items():
        client.publish(topic, json.dumps(config), qos=1, retain=True).wait_for_publish(house.LIMIT)
    strange = ["home/#", "home/+/set", "#", "+", "$SYS/broker/x", "cardea/x", "a\0b", "", "a\r\nb", "x" * 2000]
    for number, topic in enumerate(strange):
        config = {"name": f"Strange {number}", "uniq_id": f"strange_{number}", "cmd_t": topic, "stat_t": f"strange/{number}",
                  "dev": {"ids": [f"strange_{number}"], "name": f"Strange {number}"}}
        client.publish(f"homeassistant/switch/strange_{number}/config", json.dumps(config), qos=1, retain=True).wait_for_publish(house.LIMIT)
    assert module_owner.put("/api/v1/integrations/mqtt", {"host": "127.0.0.1", "port": broker}).status_code == 200

    def listed():
        found = module_owner.get("/api/v1/devices?integration=mqtt").json()["devices"]
        return found if len(found) >= len(DEVICES) - 5 else None

    found = house.until(listed, "the devices are there")
    for number, name in enumerate(["\x1b]0;evil\x07\x1b[2J", "a\r\nb", *DEVICES[:30]]):
        client.publish(f"named/{number}", name, qos=1, retain=True).wait_for_publish(house.LIMIT)
    client.subscribe("#")
    house.until(lambda: subscribed, "everything is listened to")
    for device in found:
        for text in (device["name"], device["manufacturer"] or "", device["model"] or ""):
            assert not re.search(r"[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]", text), device
        if device["name"].startswith("Strange"):
            module_owner.put(f"/api/v1/devices/{device['device_id']}/control", {"action": "on"})
    client.publish("named/fence", "x", qos=1)
    house.until(lambda: "named/fence" in heard, "the fence is heard, and all that was said before it")
    client.loop_stop()
    client.disconnect()
    # The hub's own log lines are the only ones.
    assert {topic for topic in heard if not topic.startswith(("homeassistant/", "named/"))} <= {"cardea/status"}


def test_the_log_contains_only_the_hubs_own_lines(module_hub, named):
    for path in ("/api/v1/guests/" + requests.utils.quote("a\r\ncritical x forged", safe=""), "/forged%0d%0aline", "/?forged=%0a"):
        requests.get(module_hub.url + path, headers={"User-Agent": "forged critical", "Referer": "forged"}, timeout=60)
    assert module_hub.process.poll() is None
    lines = [line for line in module_hub.log if line.strip()]
    assert len(lines) > 500 and [line for line in lines if not LINE.match(line)] == []
    assert [line for line in lines if "forged" in line or MARK in line or hostile_names.RAN in line] == []
