"""A big house: 110 devices in 12 rooms, with long names and names in other scripts, at small and large sizes."""

import json
import re
import shutil

import paho.mqtt.client as paho
import pytest

import house
from conftest import Owner, hubs
from test_tour import DESK, PASSWORD, PHONE, PICTURES, browser  # noqa: F401
from test_web_states import PHOTOGRAPH, Watcher, sign_in  # noqa: F401

pytestmark = pytest.mark.long

ROOMS = ("Hall", "Living room", "Kitchen", "Dining room", "Study", "Bathroom upstairs with the sloping roof", "Bedroom", "Κουζίνα του κήπου",
         "Children’s room", "Garage", "Cellar", "Garden")
DEVICES = 110
KINDS = (
    ("light", {"bri_cmd_t": "~/bri", "bri_stat_t": "~/bri/state", "bri_scl": 100, "cmd_t": "~/set"}, "ON"),
    ("switch", {"cmd_t": "~/set"}, "OFF"),
    ("sensor", {"dev_cla": "temperature", "unit_of_meas": "°C"}, "21.4"),
    ("binary_sensor", {"dev_cla": "motion"}, "OFF"),
    ("cover", {"cmd_t": "~/set", "dev_cla": "blind"}, "open"),
    ("sensor", {"dev_cla": "humidity", "unit_of_meas": "%"}, "46"),
    ("light", {"cmd_t": "~/set"}, "OFF"),
    ("fan", {"cmd_t": "~/set"}, "ON"),
    ("binary_sensor", {"dev_cla": "window"}, "ON"),
    ("lock", {"cmd_t": "~/set"}, "LOCKED"),
)
NAMES = ("Ceiling light", "Socket behind the sofa", "Temperature", "Motion", "Blind", "Humidity", "Reading lamp beside the grandfather's armchair by the fire",
         "Lüftung", "窓のセンサー", "Side door")


def announce(port):
    """Every device in a retained message, by Home Assistant's discovery."""
    client = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
    client.connect("127.0.0.1", port)
    client.loop_start()
    last = None
    for number in range(DEVICES):
        kind, more, state = KINDS[number % len(KINDS)]
        if kind == "lock" and number >= 40:
            kind, more, state = "light", {"cmd_t": "~/set"}, "OFF"
        name = f"{NAMES[number % len(NAMES)]} {number // len(NAMES) + 1}"
        ident = f"big_{number:03}"
        config = {"~": f"big/{number}", "name": None, "uniq_id": ident, "stat_t": "~/state", "dev": {"ids": [ident], "name": name}, **more}
        client.publish(f"homeassistant/{kind}/{ident}/config", json.dumps(config), qos=1, retain=True)
        last = client.publish(f"big/{number}/state", state, qos=1, retain=True)
    last.wait_for_publish(60)
    client.disconnect()
    client.loop_stop()


@pytest.fixture(scope="module")
def big(hub_binary, tmp_path_factory):
    with house.broker(tmp_path_factory.mktemp("broker")) as port, hubs(hub_binary) as start:
        announce(port)
        hub = start(tmp_path_factory.mktemp("big"))
        owner = Owner(hub, house.claim(hub, PASSWORD))
        assert owner.put("/api/v1/integrations/mqtt", {"host": "127.0.0.1", "port": port}).ok
        house.until(lambda: len(owner.get("/api/v1/devices").json()["devices"]) == DEVICES, "all devices are there")
        owner.rooms = [owner.post("/api/v1/rooms", {"name": name}).json()["room_id"] for name in ROOMS]
        for number, device in enumerate(owner.get("/api/v1/devices").json()["devices"]):
            assert owner.call("PATCH", f"/api/v1/devices/{device['device_id']}", {"room_id": owner.rooms[number % len(ROOMS)]}).ok
        for number in range(8):
            assert owner.post("/api/v1/people", {"name": f"Person {number} with a name that goes on for quite a while", "role": "member"}).ok
        yield owner


PAGES = {"home": "/", "room": None, "activity": "/activity", "people": "/people", "guests": "/guests/new"}
CLIPPED = """
    [...document.querySelectorAll('main *')].filter((one) => {
        const style = getComputedStyle(one);
        return one.childElementCount === 0 && one.textContent.trim() && !one.closest('.vh, [aria-hidden]') && style.overflowX === 'hidden' && one.scrollWidth > one.clientWidth + 1;
    }).map((one) => one.className + ': ' + one.textContent.slice(0, 40))
"""


NARROW = """
    (letters) => [...document.querySelectorAll('.row-words, .tile-words, .door-words, .switch-words')]
        .filter((one) => one.offsetParent && one.clientWidth < 4 * letters && one.clientHeight > 8 * letters).map((one) => one.textContent.slice(0, 40))
"""


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["390", "1440"])
@pytest.mark.parametrize("letters", [16, 32], ids=["as they are", "twice as large"])
def test_a_big_house_is_readable_at_every_size(big, browser, size, letters):  # noqa: F811
    # As set for the whole browser: the text grows, and so do the widths at which the layout changes.
    with browser.browser_type.launch(executable_path=shutil.which("chromium") or shutil.which("chromium-browser"), args=["--no-sandbox", f"--blink-settings=defaultFontSize={letters}"]) as large:
        read(big, Watcher(large, "owner", size), size, letters)


def read(big, someone, size, letters):
    sign_in(someone, big.hub, to=None)
    page = someone.page
    for name, path in PAGES.items():
        page.goto(big.hub.url + (path or f"/rooms/{big.rooms[5]}"))
        page.locator("h1").wait_for()
        if name in ("home", "room"):
            page.locator("device-tile").first.wait_for()
        page.locator(".skeleton").first.wait_for(state="detached")
        page.wait_for_load_state("networkidle")
        someone.still()
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == f"{letters}px"
        if PHOTOGRAPH:
            PICTURES.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=PICTURES / f"big-{name}-{size['width']}-{letters}.png", full_page=True)
        sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert sideways <= 0, f"{name} scrolls {sideways} px sideways"
        assert page.evaluate(CLIPPED) == [], f"{name} cuts words off"
        narrow = page.evaluate(NARROW, letters)
        assert narrow == [], f"{name} sets words letter by letter"
        someone._axe(f"{name}, {letters} px")
    someone.close()


def test_values_show_their_age_when_the_connection_is_lost(big, browser):  # noqa: F811
    someone = Watcher(browser, "owner", PHONE)
    # With a stopped clock a received value stays a moment old.
    someone.unhurried()
    sign_in(someone, big.hub)
    page = someone.page
    page.locator("device-tile").first.wait_for()
    assert not page.locator(".tile-age").count(), "what is fresh is silent about it"
    someone.context.set_offline(True)
    someone.state("big-stale", "a moment old", sizes=(PHONE, DESK))
    assert page.locator(".tile-age").count() > 80
    someone.later(40)
    page.get_by_text(re.compile(r"\d+\s(s|min) old")).first.wait_for()
    someone.context.set_offline(False)
    page.locator(".tile-age").first.wait_for(state="detached")
    someone.close()
