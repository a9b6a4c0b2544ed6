"""Scenes, rooms, a sensor's history, Home Assistant and one's own sessions, with and without errors."""

import datetime
import re

import pytest
import requests

import house
from test_tour import DESK, PASSWORD, PHONE, SMALL, browser  # noqa: F401
from test_web_states import FRAMES, STEP_UP, Held, answer_with, as_new, fault, host, move_in, never, page, sign_in, watch  # noqa: F401

pytestmark = pytest.mark.long

SIZES = (SMALL, PHONE, DESK)


def scene(owner, name, *actions, **more):
    answer = owner.post("/api/v1/scenes", {"name": name, "actions": [{"device_id": device, "action": action} for device, action in actions], **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def run(page, name):  # noqa: F811
    page.get_by_role("button", name=name, exact=True).click()


def test_scenes_run_on_one_click(module_hub, module_owner, host, page):  # noqa: F811
    with page.expect_response("**/api/v1/scenes"):
        page.goto(module_hub.url + "/")
    page.locator("device-tile").first.wait_for()
    page.evaluate(FRAMES)
    assert not page.get_by_role("heading", name="Scenes").count(), "absent where there are none"

    night = scene(module_owner, "Good night", ("hall-light", "off"), ("study-light", "off"), ("front-door", "lock"), icon="bulb")
    page.get_by_role("button", name="Good night").wait_for()
    host.state("home-scenes", "Scenes", "Good night")
    run(page, "Good night")
    page.get_by_text("Good night: done.").first.wait_for(state="attached")
    assert module_owner.get("/api/v1/devices/study-light").json()["entities"][0]["state"] == "off"

    # The actions that failed are named one by one.
    fault(module_owner, "hall-light", "unreachable")
    page.get_by_role("button", name="Good night", exact=True).wait_for()
    run(page, "Good night")
    host.state("home-scene-wrong", "Good night: 1 of 3 not done.", "Hall light: The house cannot reach it.")
    fault(module_owner, "hall-light", "none")

    # A door needs a confirmation.
    scene(module_owner, "Welcome", ("front-door", "unlock"), ("hall-light", "on"))
    run(page, "Welcome")
    page.get_by_role("dialog").get_by_text("It opens the front door.").wait_for()
    host.state("home-scene-asks", "Run “Welcome”?")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert module_owner.get("/api/v1/devices/front-door").json()["entities"][0]["state"] == "locked"
    run(page, "Welcome")
    page.get_by_role("dialog").get_by_role("button", name="Run it").click()
    house.until(lambda: module_owner.get("/api/v1/devices/front-door").json()["entities"][0]["state"] == "unlocked", "the door is unlocked")
    page.get_by_role("button", name="Welcome", exact=True).wait_for()

    page.route("**/api/v1/scenes/*/run", answer_with(500))
    run(page, "Good night")
    host.state("home-scene-error", re.compile("Good night: That did not work."))
    page.unroute_all(behavior="ignoreErrors")
    # A ticket requested while offline is never answered. After reconnecting, the page once waited for it, or for its whole retry
    # delay: changes appeared half a minute later.
    held = []
    page.route("**/api/v1/realtime/ticket", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/api/v1/realtime/ticket"):
        host.context.set_offline(True)
    page.locator(".banner").first.wait_for()
    run(page, "Good night")
    host.state("home-scene-offline", "No connection. Scenes run only when the house answers.")
    host.context.set_offline(False)
    module_owner.call("PUT", "/api/v1/devices/front-door/control", {"action": "lock"})

    page.locator(".banner").first.wait_for(state="hidden")
    assert module_owner.call("DELETE", f"/api/v1/scenes/{night['scene_id']}").status_code == 204
    page.get_by_role("button", name="Good night").wait_for(state="detached")
    assert held, "a ticket was on its way while the page was offline"
    page.unroute_all(behavior="ignoreErrors")


def test_a_room_page(module_hub, module_owner, host, page):  # noqa: F811
    page.goto(module_hub.url + "/")
    page.get_by_role("link", name="Living room", exact=True).click()
    page.get_by_role("heading", name="Living room", level=1).wait_for()
    page.locator("device-tile").first.wait_for()
    host.state("room", "Living room heating")
    page.goto(module_hub.url + "/rooms/hall")
    host.state("room-hall", "Front door", "Hall light")
    assert not page.get_by_text("Study light").count()
    as_new(page, module_hub)
    page.route("**/api/v1/realtime/ticket", answer_with(503))
    page.route("**/api/v1/devices", never)
    page.goto(module_hub.url + "/rooms/hall")
    page.locator(".skeleton").wait_for()
    host.state("room-loading", "Hall")
    page.unroute("**/api/v1/devices")
    page.route("**/api/v1/devices", answer_with(500))
    as_new(page, module_hub)
    page.goto(module_hub.url + "/rooms/hall")
    host.state("room-error", "Your devices could not be loaded", "Try again")
    page.unroute("**/api/v1/devices")
    page.route("**/api/v1/devices", lambda route: route.fulfill(json={"devices": [], "total": 0}))
    host.state("room-empty", "Nothing is in this room yet.")
    page.unroute_all(behavior="ignoreErrors")
    page.goto(module_hub.url + "/rooms/hall")
    page.locator("device-tile").first.wait_for()
    host.context.set_offline(True)
    host.state("room-offline", "No connection to the house. What you see may be old.", "No connection. Doors open only when the house answers.")
    host.context.set_offline(False)
    page.goto(module_hub.url + "/rooms/nobody-has-this")
    host.state("room-denied", "Nothing here that you can see")


def measured(hours, every, value):
    """A history as the hub writes it: up to now, with a gap in the middle."""
    now = datetime.datetime.now(datetime.timezone.utc)
    steps = int(hours * 60 / every)
    points = []
    for i in range(steps):
        at = now - datetime.timedelta(minutes=every * (steps - i))
        if steps * 0.5 < i < steps * 0.6:
            continue
        points.append((at.isoformat(timespec="milliseconds").replace("+00:00", "Z"), value(i)))
    return points


def test_the_history_of_a_sensor(module_hub, host, page):  # noqa: F811
    page.goto(module_hub.url + "/devices/garden-temperature")
    page.get_by_role("heading", name="History").wait_for()
    host.state("history-new", "24 h")

    def answer(route):
        hour = "resolution=hour" in route.request.url
        points = measured(24 * 30, 60, lambda i: 8 + 5 * ((i % 24) / 24)) if hour else measured(24, 2, lambda i: 6 + 4 * abs((i % 360) / 360 - 0.5))
        shaped = [{"at": at, "min": v - 1, "max": v + 1.5, "mean": v, "count": 60} if hour else {"at": at, "value": v} for at, v in points]
        if hour and "7" in page.locator(".plot-panel input:checked").get_attribute("value").replace("week", "7"):
            shaped = shaped[-168:]
        route.fulfill(json={"device_id": "garden-temperature", "entity_id": "sensor.garden_temperature", "unit_of_measurement": "°C", "resolution": "hour" if hour else "raw", "from": "", "to": "", "points": shaped, "next_from": None})

    page.route("**/history?*", answer)
    page.reload()
    plot = page.get_by_role("slider", name="History of garden temperature")
    plot.wait_for()
    host.state("history-day", re.compile("^Between "))
    assert page.locator(".plot-line").count() == 2, "a gap stays a gap"
    plot.focus()
    page.keyboard.press("ArrowLeft")
    assert "°C" in plot.get_attribute("aria-valuetext") and ":" in plot.get_attribute("aria-valuetext")
    for name, state, runs in (("7 days", "history-week", 1), ("30 days", "history-month", 2)):
        page.get_by_role("radio", name=name).check(force=True)
        page.locator(".plot-band").first.wait_for()
        house.until(lambda: page.locator(".plot-line").count() == runs, "the gap lies before the last week, and there is no other")
        host.state(state, re.compile("^Between "))
    page.get_by_text("As table").click()
    host.state("history-table", "Lowest", "Highest")
    assert page.locator(".plot-table tbody tr").count() >= 26
    page.route("**/history?*", lambda route: route.fulfill(json={"points": [], "resolution": "raw", "next_from": None}))
    page.reload()
    host.state("history-empty", "Too little was measured in this time.")
    page.route("**/history?*", answer_with(500))
    page.reload()
    host.state("history-error", "The history could not be loaded", "Try again")
    page.route("**/history?*", never)
    page.reload()
    page.locator(".plot-wait").wait_for()
    host.state("history-loading", "History")


def test_a_sensor_on_home_shows_its_last_day(module_hub, module_owner, host, page):  # noqa: F811
    tile = page.locator("device-tile", has_text="Garden temperature")
    line = tile.locator(".spark")
    hours = [{"at": at, "min": v - .5, "max": v + .5, "mean": v, "count": 60} for at, v in measured(24, 60, lambda i: 5 + i % 6)]
    asked, shown = [], []

    def answer(route):
        asked.append(route.request.url)
        route.fulfill(json={"device_id": "garden-temperature", "entity_id": "sensor.garden_temperature", "unit_of_measurement": "°C", "resolution": "hour", "from": "", "to": "", "points": shown, "next_from": None})

    def look(points):
        asked.clear()
        shown[:] = points
        with page.expect_response("**/garden-temperature/history?*"):
            page.goto(module_hub.url + "/")
            tile.scroll_into_view_if_needed()
        page.evaluate(FRAMES)
        return tile.bounding_box()["height"]

    page.route("**/garden-temperature/history?*", answer)
    for few in ([], hours[-1:]):
        height = look(few)
        assert not line.locator("polyline").count() and not line.text_content(), "one hour is no line"
    assert look(hours) == height, "its place was kept"
    line.locator("polyline").first.wait_for(state="attached")
    assert line.locator("polyline").count() == 2, "hours without a reading are a gap"
    assert line.locator("svg").get_attribute("aria-hidden") == "true" and line.locator("svg").bounding_box()["width"] > 16
    assert re.fullmatch(r"24 h: Between 4[.,]5 and 10[.,]5, last \d+[.,]\d\s°C", line.text_content().strip())
    host.state("home-sparkline", "Garden temperature")

    # One reload per hour is enough, however many events arrive.
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(FRAMES)
    tile.scroll_into_view_if_needed()
    page.evaluate(FRAMES)
    assert len(asked) == 1 and "resolution=hour" in asked[0], asked

    fault(module_owner, "garden-temperature", "unreachable")
    tile.get_by_text("Not known, last reported").wait_for()
    assert not line.locator("svg").count() and not line.text_content(), "who does not answer shows nothing of yesterday"
    fault(module_owner, "garden-temperature", "none")
    line.locator("polyline").first.wait_for(state="attached")

    # A failed history is requested again after a minute, and not after an hour only: also on a later visit.
    failing = answer_with(500)
    page.route("**/garden-temperature/history?*", failing)
    look(hours)
    assert not line.locator("svg").count()
    page.unroute("**/garden-temperature/history?*", failing)
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 61000; }")
    page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))")
    line.locator("polyline").first.wait_for(state="attached")

    # Its own page has the full chart.
    page.goto(module_hub.url + "/devices/garden-temperature")
    page.get_by_role("heading", name="History").wait_for()
    assert not line.is_visible()


def test_home_assistant_is_set_up(module_hub, module_owner, host, page):  # noqa: F811
    page.goto(module_hub.url + "/settings/integrations")
    page.get_by_role("button", name="Set up Home Assistant").click()
    page.get_by_role("button", name="Save and test").click()
    host.state("ha-field", "Write the address like http://homeassistant.local:8123.", "Paste a long-lived access token.")
    page.get_by_label("Address").fill("http://127.0.0.1:9")
    page.get_by_label("Access token").fill("not-a-token")
    page.get_by_role("button", name="Save and test").click()
    host.state("ha-not-connected", re.compile("^Not connected: "))
    page.get_by_role("button", name="Cancel").click()
    page.locator(".integration-why").first.wait_for()
    host.state("ha-failed", "Home Assistant", "http://127.0.0.1:9", re.compile("0 devices"))
    # The stored connection can be retried from its card and from every message that it is down.
    trial = Held(page, "**/api/v1/integrations/home-assistant/test")
    page.get_by_role("button", name="Test connection Home Assistant").click()
    page.locator(".integration-tried", has_text="Testing the connection…").wait_for()
    trial.go()
    page.locator(".integration-tried", has_text="Not connected: ").wait_for()
    house.focused(page, "dataset.do", "test-home-assistant", "the keyboard stays where it was")
    host.state("ha-tried", re.compile("^Not connected: "), re.compile("^Home Assistant has not answered since "))
    page.goto(module_hub.url + "/settings")
    link = page.get_by_role("link", name="Test connection")
    link.focus()
    with page.expect_response("**/api/v1/integrations"):
        page.evaluate("void dispatchEvent(new Event('online'))")
    page.evaluate(FRAMES)
    assert link.evaluate("(link) => link === document.activeElement"), "heard again as it was it leaves the focus where it is"
    with page.expect_request("**/api/v1/integrations/home-assistant/test"):
        page.get_by_role("link", name="Test connection").click()
    page.locator(".integration-tried", has_text="Not connected: ").wait_for()
    assert page.url.endswith("/settings/integrations"), "the address does not try it again"

    # The connected state.
    real = module_owner.get("/api/v1/integrations").json()["integrations"]
    well = [{**one, "status": "connected", "reason": None, "devices": 23, "notices": []} if one["integration"] == "home-assistant" else one for one in real]
    page.route("**/api/v1/integrations", lambda route: route.fulfill(json={"integrations": well}))
    page.route("**/api/v1/integrations/home-assistant", lambda route: route.fulfill(json=well[-1]))
    page.get_by_role("button", name="Change Home Assistant").click()
    assert page.get_by_label("Address").input_value() == "http://127.0.0.1:9"
    page.get_by_text("Leave empty to keep the one that is stored").wait_for()
    with page.expect_request(lambda request: request.method == "PUT") as sent:
        page.get_by_role("button", name="Save and test").click()
    assert sent.value.post_data_json == {"url": "http://127.0.0.1:9"}, "the token is not asked for again"
    page.get_by_text("Connected, with 23 devices.").first.wait_for(state="attached")
    host.state("ha-connected", "23 devices", gone=("Access token",))
    page.route("**/api/v1/integrations/home-assistant/test", lambda route: route.fulfill(json=well[-1]))
    page.get_by_role("button", name="Test connection Home Assistant").click()
    page.locator(".integration-tried", has_text="Connected, with 23 devices.").wait_for()
    host.state("ha-tested", "Connected, with 23 devices.")

    # The result of a test says nothing about later settings, nor about the current state.
    page.get_by_role("button", name="Change Home Assistant").click()
    page.get_by_role("button", name="Save and test").click()
    page.locator(".integration-tried").wait_for(state="detached")
    page.route("**/api/v1/integrations/home-assistant/test", answer_with(500))
    page.get_by_role("button", name="Test connection Home Assistant").click()
    page.locator(".integration-tried").filter(has_not_text="Testing").wait_for()
    well[:] = real
    page.evaluate("void dispatchEvent(new Event('online'))")
    page.locator(".integration-tried").wait_for(state="detached")
    page.unroute_all(behavior="ignoreErrors")

    # The stored token goes to its old address, and nowhere else.
    for url, status in (("http://127.0.0.1:9/", 200), ("http://127.0.0.1:10", 400), ("http://localhost:9", 400)):
        answer = module_owner.put("/api/v1/integrations/home-assistant", {"url": url})
        assert answer.status_code == status, answer.text
        assert status == 200 or answer.json()["error"]["details"]["field"] == "token"

    page.get_by_role("button", name="Remove Home Assistant").click()
    host.state("ha-remove", "Remove Home Assistant?", "Its devices disappear until it is set up again. Passes for them stop working.")
    page.get_by_role("dialog").get_by_role("button", name="Remove Home Assistant").click()
    page.get_by_role("button", name="Set up Home Assistant").wait_for()
    assert all(one["integration"] != "home-assistant" or one["status"] == "off" for one in module_owner.get("/api/v1/integrations").json()["integrations"])


def test_devices_found_nearby_are_suggested(module_hub, module_owner, host, page):  # noqa: F811
    page.goto(module_hub.url + "/settings/integrations")
    # The hub of these tests listens on loopback only.
    page.get_by_text("Discovery is off.").wait_for()
    assert module_owner.get("/api/v1/integrations/nearby").json() == {"status": "off", "found": [], "more": False}

    there = {"status": "looking", "found": [], "more": False}
    page.route("**/api/v1/integrations/nearby", lambda route: route.fulfill(json=there))
    page.reload()
    host.state("nearby-none", "Found nearby", "Nothing was found.")
    there.update(more=True, found=[
        {"kind": "home-assistant", "name": "<img src=x>", "host": "a.local", "port": 8123, "url": "http://a.local:8123", "version": "2026.11.1", "advice": "connect"},
        {"kind": "home-assistant", "name": "Attic", "host": "b.local", "port": 8123, "url": "http://b.local:8123", "advice": "connected"},
        {"kind": "homekit", "name": "Cellar lock", "host": "c.local", "port": 5, "category": "door lock", "model": "Bolt 2", "is_paired": False, "advice": "through_home_assistant"},
        {"kind": "matter", "name": "87E1B004E235A130-8FC7772401CD0696", "host": "d.local", "port": 5540, "is_paired": True, "advice": "through_home_assistant"}])
    # It appears without a reload.
    page.get_by_text("Cellar lock").wait_for()
    host.state(
        "nearby-found", "<img src=x>", "Home Assistant · 2026.11.1", "Already connected", "HomeKit · door lock · Bolt 2 · not paired",
        "Works through Home Assistant: add it there, and it appears here", "There are more, which are not listed.")
    page.get_by_role("button", name="Use this address of <img src=x>").click()
    assert page.get_by_label("Address").input_value() == "http://a.local:8123"
    assert page.get_by_label("Access token").input_value() == ""
    host.state("nearby-form", "Use this address", "Access token")
    page.get_by_role("button", name="Cancel").click()
    page.route("**/api/v1/integrations/nearby", answer_with(500))
    page.reload()
    host.state("nearby-error", "What is nearby could not be loaded", "Home Assistant")
    page.unroute_all(behavior="ignoreErrors")


def test_own_sessions_are_listed_and_ended(module_hub, module_owner, watch):  # noqa: F811
    username = move_in(module_owner, "Nephew")
    someone = watch("nephew")
    page = someone.page  # noqa: F811
    page.route("**/api/v1/auth/sessions", never)
    sign_in(someone, module_hub, username, to="/settings/account")
    page.locator(".skeleton").first.wait_for()
    someone.state("sessions-loading", "Where you are signed in", "Current password")
    page.route("**/api/v1/auth/sessions", answer_with(500))
    page.reload()
    someone.state("sessions-error", "The list could not be loaded", "Try again", "Current password")
    page.unroute_all(behavior="ignoreErrors")
    for agent in ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"):
        body = {"username": username, "password": PASSWORD}
        assert requests.post(module_hub.url + "/api/v1/auth/login", json=body, headers={"User-Agent": agent}, timeout=60).status_code == 200
    page.reload()
    someone.state("sessions", "This one", re.compile("Firefox on Linux"), re.compile("iPhone"), "End all others")
    many = page.locator(".rows > li").count()
    page.locator("li", has_text="Firefox on Linux").get_by_role("button", name=re.compile("^End")).click()
    someone.state("sessions-end", re.compile("End the session of Firefox on Linux"))
    page.get_by_role("dialog").get_by_role("button", name="End session").click()
    house.until(lambda: page.locator(".rows > li").count() == many - 1, "one fewer")
    page.get_by_role("button", name="End all others").click()
    page.get_by_role("dialog").get_by_role("button", name="End all others").click()
    house.until(lambda: page.locator(".rows > li").count() == 1, "only this one")
    someone.state("sessions-one", "This one", gone=("End all others",))
    someone.context.set_offline(True)
    someone.state("sessions-offline", "No connection to the house. What you see may be old.", "This one")
    someone.context.set_offline(False)

    # Ended from elsewhere while the page is open.
    other = requests.post(module_hub.url + "/api/v1/auth/login", json={"username": username, "password": PASSWORD}, timeout=60).json()
    page.locator(".banner").first.wait_for(state="hidden")
    answer = requests.post(module_hub.url + "/api/v1/auth/sessions/revoke-all", json={"keep_current": True}, headers={"Authorization": f"Bearer {other['access_token']}"}, timeout=60)
    assert answer.status_code == 200
    page.get_by_role("dialog").wait_for()
    someone.close()


def test_access_that_remains_after_all_sessions_end_is_listed(module_hub, module_owner, watch):  # noqa: F811
    username = move_in(module_owner, "Aunt", role="admin")
    someone = watch("aunt")
    page = someone.page  # noqa: F811
    sign_in(someone, module_hub, username, to="/settings/account")
    own = requests.post(module_hub.url + "/api/v1/auth/login", json={"username": username, "password": PASSWORD}, timeout=60).json()
    aunt = {"Authorization": f"Bearer {own['access_token']}"}

    def send(method, path, body, status):
        answer = requests.request(method, module_hub.url + path, json=body, headers=aunt, timeout=60)
        assert answer.status_code == status, answer.text
        return answer.json()

    night = {"device_id": "hall-light", "action": "off"}
    send("POST", "/api/v1/scenes", {"name": "Aunt's night", "actions": [night]}, 201)
    send("POST", "/api/v1/buttons", {"title": "Aunt's button", "action": night}, 201)
    send("POST", "/api/v1/auth/api-tokens", {"name": "Aunt's script"}, 201)

    page.reload()
    page.get_by_role("button", name="End all others").click()
    page.get_by_role("dialog").get_by_role("button", name="End all others").click()
    page.get_by_role("switch", name=re.compile("Aunt's button")).wait_for()
    someone.state("access-changes", "Set up in the last 30 days", "Aunt's night", "Aunt's script")
    page.get_by_role("switch", name=re.compile("Aunt's button")).click()
    page.get_by_role("switch", name=re.compile("Aunt's script")).click()
    someone.state("access-changes-end", "Remove Aunt's script?")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    house.until(lambda: page.get_by_role("switch", checked=True).count() == 2, "put back")
    page.get_by_role("switch", name=re.compile("Aunt's script")).click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    page.get_by_role("switch", name=re.compile("Aunt's script")).wait_for(state="detached")
    someone.state("access-changes-off", "Aunt's button", "Aunt's night", gone=("Aunt's script",))

    # An admin sees the same after ending her sessions.
    keeper = watch("keeper")
    sign_in(keeper, module_hub, to="/people")
    keeper.page.get_by_role("link", name=re.compile("Aunt")).click()
    keeper.page.get_by_role("button", name="End all").click()
    keeper.page.get_by_role("dialog").get_by_role("button", name="End all").click()
    keeper.page.get_by_role("switch", name=re.compile("Aunt's button")).wait_for()
    keeper.state("access-changes-theirs", "Set up in the last 30 days", "Aunt's night")
    keeper.close()
    someone.close()


def virtual_key(someone):
    """A phone with a fingerprint, simulated by the browser's debugger."""
    debugger = someone.context.new_cdp_session(someone.page)
    debugger.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True}
    return debugger, debugger.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]


def test_a_passkey_is_created_used_and_removed(module_hub, module_owner, watch):  # noqa: F811
    username = move_in(module_owner, "Grandmother")
    someone = watch("grandmother")
    page = someone.page  # noqa: F811
    by_number = module_hub.url
    sign_in(someone, module_hub, username, to="/settings/account")
    someone.state("passkeys-by-number", "No passkey yet.", "To add a passkey, open the house over https, by a name.")

    # A passkey belongs to a host name, so the house is opened by one.
    name = by_number.replace("127.0.0.1", "localhost")
    page.goto(name + "/sign-in")
    page.fill("input[name=username]", username)
    page.fill("input[name=password]", PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.locator("door-row").first.wait_for()
    page.goto(name + "/settings/account")
    debugger, key = virtual_key(someone)
    page.get_by_role("button", name="Add a passkey").click()
    page.get_by_role("button", name=re.compile("^Remove ")).wait_for()
    kept = debugger.send("WebAuthn.getCredentials", {"authenticatorId": key})["credentials"]
    someone.state("passkeys", "Passkeys", re.compile("^made "), gone=("No passkey yet.",))
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out").last.click()
    page.wait_for_url("**/sign-in")
    someone.state("sign-in-passkey", "Sign in with a passkey")
    # The debugger's authenticator ends with its page, its credentials are kept.
    debugger, key = virtual_key(someone)
    for credential in kept:
        debugger.send("WebAuthn.addCredential", {"authenticatorId": key, "credential": credential})
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.locator("door-row").first.wait_for()
    page.goto(name + "/settings/account")
    page.get_by_role("button", name=re.compile("^Remove ")).click()
    page.get_by_role("dialog").get_by_role("button", name="Remove passkey").click()
    page.get_by_text("No passkey yet.").wait_for()
    someone.close()


def test_a_step_up_is_requested_and_the_action_continues(module_hub, module_owner, host, page):  # noqa: F811
    page.goto(module_hub.url + "/people")
    page.get_by_role("button", name="Invite someone").click()
    page.get_by_label("Name", exact=True).fill("Niece")
    asked = []

    def once(route):
        if route.request.method != "POST" or asked:
            return route.continue_()
        asked.append(route.request.url)
        route.fulfill(status=403, json=STEP_UP)

    page.route("**/api/v1/people", once)
    page.get_by_role("button", name="Make the link").click()
    page.get_by_role("heading", name="Confirm it is you").wait_for()
    host.state("step-up", "This lasts for five minutes in this browser.")
    page.get_by_role("button", name="Cancel").last.click()
    host.state("step-up-not", "Not done: you did not confirm that it is you.")
    assert page.get_by_label("Name", exact=True).input_value() == "Niece", "nothing is lost"

    asked.clear()
    page.get_by_role("button", name="Make the link").click()
    password = page.get_by_role("dialog").get_by_label("Password", exact=True)
    password.fill("not the password")
    page.get_by_role("button", name="Confirm", exact=True).click()
    host.state("step-up-wrong", "That is not the right password.")
    password.fill(PASSWORD)
    page.get_by_role("button", name="Confirm", exact=True).click()
    page.locator(".link-text").wait_for()
    page.unroute_all(behavior="ignoreErrors")


def test_rooms_are_added_described_ordered_and_removed(hub, owner, watch):
    someone = watch("owner")
    page = someone.page
    rooms = lambda: owner.get("/api/v1/rooms").json()["rooms"]  # noqa: E731
    names = lambda: [one["name"] for one in rooms()]  # noqa: E731
    sign_in(someone, hub, to="/settings")
    page.get_by_role("link", name="Rooms", exact=True).click()
    page.get_by_role("button", name=names()[0], exact=True).wait_for()
    someone.state("rooms", "Home shows them in this order.", *names(), sizes=SIZES)

    page.get_by_role("button", name="Add a room").click()
    page.get_by_role("dialog").get_by_label("Floor").fill("1.5")
    page.get_by_label("Usual humidity in %").fill("many")
    page.get_by_role("dialog").get_by_label("Doors").fill("1.5")
    page.get_by_role("button", name="Save").click()
    someone.state("rooms-wrong", "Give it a name.", "Write a number from -20 to 200.", "Write a number from 0 to 100.", "Write a number from 0 to 1000.", sizes=SIZES)
    page.get_by_label("Name", exact=True).fill("Winter garden")
    page.get_by_label("Kind").select_option("living_room")
    page.get_by_label("Floor").fill("-1")
    page.get_by_label("Usual humidity in %").fill("")
    page.get_by_label("Usual temperature in °C").fill("18,5")
    page.get_by_label("Usual brightness in %").fill("40")
    page.get_by_text("Lights that are off come on at this level.").wait_for()
    page.get_by_label("Lights with motion").check()
    page.get_by_label("Area in m²").fill("24")
    page.get_by_label("Ceiling in m").fill("2,5")
    page.get_by_label("Windows").fill("6")
    page.get_by_role("dialog").get_by_label("Doors").fill("2")
    page.get_by_label("Activities in it").fill("reading, , growing lemons")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Living room · Floor -1 · 18.5\u00a0°C").wait_for()
    house.focused(page, "textContent", "Add a room")
    made = rooms()[-1]
    assert (made["name"], made["room_type"], made["floor"], made["preferred_temperature"], made["preferred_humidity"]) == ("Winter garden", "living_room", -1, 18.5, None)
    assert made["lighting_preferences"] == {"default_brightness": 40, "color_temperature": None, "automatic_control": False, "motion_activated": True}
    assert (round(made["square_footage"] * 0.3048**2, 6), round(made["ceiling_height"] * 0.3048, 6)) == (24, 2.5), "the hub counts in feet"
    assert (made["window_count"], made["door_count"], made["activities"]) == (6, 2, ["reading", "growing lemons"])

    # Ordered by keyboard, and the focus stays on the moved row.
    up = page.get_by_role("button", name="Move Winter garden up")
    before = names()
    up.focus()
    page.keyboard.press("Enter")
    house.until(lambda: names()[-2] == "Winter garden", "one place up")
    page.get_by_text(f"Winter garden is number {len(before) - 1} of {len(before)}.").wait_for(state="attached")
    house.focused(page, "textContent", "Move Winter garden up")
    page.keyboard.press("Enter")
    house.until(lambda: names()[-3] == "Winter garden", "one more")
    assert page.get_by_role("button", name=f"Move {before[0]} up").get_attribute("aria-disabled") == "true"

    # Another person describes it meanwhile: theirs stays except for the fields changed here.
    page.get_by_role("button", name="Winter garden", exact=True).click()
    assert (page.get_by_label("Area in m²").input_value(), page.get_by_label("Activities in it").input_value()) == ("24", "reading, growing lemons")
    page.get_by_label("Name", exact=True).fill("Orangery")
    page.get_by_label("Usual brightness in %").fill("30")
    now = next(one for one in rooms() if one["name"] == "Winter garden")
    assert owner.put(f"/api/v1/rooms/{now['room_id']}", {"name": "Glass house", "room_type": "other", "floor": 2, "lighting_preferences": {"motion_activated": True}}).ok
    someone.refusals_expected = True
    page.get_by_role("button", name="Save").click()
    someone.state("rooms-meanwhile", "Owner changed it meanwhile", sizes=(PHONE, DESK))
    page.get_by_role("button", name="Save").click()
    page.get_by_role("dialog").wait_for(state="detached")
    now = next(one for one in rooms() if one["name"] == "Orangery")
    light = now["lighting_preferences"]
    assert (now["room_type"], now["floor"], light["default_brightness"], light["motion_activated"], now["activities"]) == ("other", 2, 30, True, [])

    # A single tag with a comma in it was once split into two by a later change.
    assert owner.put(f"/api/v1/rooms/{now['room_id']}", {"name": "Orangery", "room_type": "other", "floor": 3, "activities": ["tea, with cake", "reading"]}).ok
    page.get_by_text("Floor 3").wait_for()
    page.get_by_role("button", name="Orangery", exact=True).click()
    page.get_by_label("Activities in it").fill("tea, with cake, reading, chess")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("dialog").wait_for(state="detached")
    assert next(one for one in rooms() if one["name"] == "Orangery")["activities"] == ["tea, with cake", "reading", "chess"]

    page.get_by_role("button", name="Orangery", exact=True).click()
    page.get_by_role("button", name="Remove", exact=True).click()
    someone.state("rooms-remove", "Remove Orangery?", re.compile("^Its devices stay in the house"), sizes=SIZES)
    page.get_by_role("button", name="Remove room").click()
    page.get_by_role("button", name="Orangery", exact=True).wait_for(state="detached")
    house.focused(page, "className", "row-link", "on to the next row")
    assert "Orangery" not in names()

    page.route("**/api/v1/rooms/*", lambda route: route.abort())
    page.get_by_role("button", name=f"Move {before[1]} up").click()
    someone.state("rooms-offline", "No connection to the house. Try again when it answers.", sizes=(PHONE,))
    page.unroute_all(behavior="ignoreErrors")
    page.route("**/api/v1/rooms", lambda route: route.fulfill(json={"rooms": [], "total": 0}))
    page.reload()
    someone.state("rooms-none", "No rooms yet.", sizes=(PHONE,))
    page.unroute_all(behavior="ignoreErrors")
    someone.close()


def test_a_device_is_named_described_and_moved_to_a_room(hub, owner, watch):
    someone = watch("owner")
    page = someone.page
    lamp = lambda: owner.get("/api/v1/devices/hall-light").json()  # noqa: E731
    sign_in(someone, hub, to="/devices/hall-light")
    page.get_by_role("button", name="Change", exact=True).click()
    page.get_by_label("Name", exact=True).fill(" ")
    page.get_by_role("button", name="Save").click()
    someone.state("device-change", "Change Hall light", "Give it a name.", "Description", sizes=SIZES)
    page.get_by_label("Name", exact=True).fill("Lantern")
    page.get_by_label("Room").select_option("study")
    page.get_by_label("Description").fill("A bulb of 9 W, bought in 2024.")
    with page.expect_request(lambda one: one.method == "PATCH") as sent:
        page.get_by_role("button", name="Save").click()
    assert sent.value.post_data_json == {"name": "Lantern", "room_id": "study", "user_description": "A bulb of 9 W, bought in 2024."}
    page.get_by_role("heading", name="Lantern", level=1).wait_for()
    someone.state("device-changed", "Study", "A bulb of 9 W, bought in 2024.", sizes=SIZES)
    house.focused(page, "textContent", "Change")
    assert (lamp()["name"], lamp()["room_id"]) == ("Lantern", "study")

    page.get_by_role("button", name="Change", exact=True).click()
    page.get_by_label("Room").select_option("")
    page.get_by_label("Description").fill("")
    assert owner.call("PATCH", "/api/v1/devices/hall-light", {"name": "Lamp"}).ok
    page.get_by_role("heading", name="Lamp", level=1, include_hidden=True).wait_for(state="attached")
    someone.refusals_expected = True
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Owner changed it meanwhile").first.wait_for()
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("dialog").wait_for(state="detached")
    assert (lamp()["name"], lamp()["room_id"], lamp()["user_description"]) == ("Lamp", None, None), "what nobody touched here is as somebody else made it"

    username = move_in(owner, "Lodger")
    lodger = watch("lodger")
    sign_in(lodger, hub, username, to="/devices/hall-light")
    lodger.state("device-read", "Lamp", gone=("Change",), sizes=(PHONE,))
    lodger.page.goto(hub.url + "/settings/rooms")
    lodger.state("rooms-denied", "Nothing here that you can see", sizes=(PHONE,))
    lodger.close()
    someone.close()


def test_a_denied_person_is_told_why(hub, owner, watch):
    assert owner.call("PATCH", "/api/v1/devices/front-door", {"is_security_device": True}).ok
    username = move_in(owner, "Lodger")
    someone = watch("lodger")
    page = someone.page
    sign_in(someone, hub, username, to="/devices/hall-light")
    page.locator("device-tile").wait_for()
    assert not page.get_by_role("button", name="Why can’t I use it?").is_visible(), "this they may"
    # A device without any action at first was once asked about without an action, which ended in a fault.
    with page.expect_request("**/api/v1/access/explain?*") as asked:
        page.evaluate("""() => {
            const tile = document.querySelector("device-tile"), { device, entity, label: name } = tile;
            const kept = { ...device, is_security_device: true }, actions = entity.actions.map((one) => ({ ...one, risk: "open" }));
            tile.entity = null;
            tile.update({ device: kept, entity: { ...entity, actions: [] }, name });
            tile.update({ device: kept, entity: { ...entity, actions }, name });
            tile.goesOn = () => tile.update({ device, entity, name });
            const ask = tile.why.querySelector("button");
            ask.focus();
            ask.click();
        }""")
    assert "entity_id=light.hall&action=" in asked.value.url
    page.evaluate("document.querySelector('device-tile').goesOn()")
    house.focused(page, "textContent", "Hall light", "where the question goes the focus stays with the device")
    page.goto(hub.url + "/devices/front-door")
    ask = page.get_by_role("button", name="Why can’t I use it?")
    page.route("**/api/v1/access/explain?*", lambda route: route.abort())
    ask.click()
    someone.state("device-why-offline", "No connection to the house. Try again when it answers.", sizes=(PHONE,))
    page.unroute_all(behavior="ignoreErrors")
    ask.focus()
    page.keyboard.press("Enter")
    someone.state("device-why", "This is a security device: only an owner or admin can open it. Ask one of them.", gone=("No connection to the house.", "Only owners and admins may open it."), sizes=SIZES)
    house.focused(page, "textContent", "Why can’t I use it?")
    page.get_by_role("button", name="Why can’t I use it? Front door", exact=True).wait_for()
    # An open gate may be locked by every resident: opening is for owners and admins only, and the row once refused both.
    page.goto(hub.url + "/")
    ask.click()
    page.get_by_text("This is a security device: only an owner or admin can open it. Ask one of them.").first.wait_for()
    assert owner.call("PUT", "/api/v1/devices/front-door/control", {"action": "unlock"}).ok
    page.get_by_role("button", name="Lock front door").click()
    house.until(lambda: owner.get("/api/v1/devices/front-door").json()["entities"][0]["state"] == "locked", "the door is locked")
    page.get_by_text("Only owners and admins may open it.").wait_for()
    page.goto(hub.url + "/devices/front-door")
    ask.focus()
    assert owner.call("PATCH", "/api/v1/devices/front-door", {"is_security_device": False}).ok
    ask.wait_for(state="hidden")
    house.focused(page, "textContent", re.compile("Hold to open.*"), "the focus is where the question stood")
    someone.close()


def test_a_lamp_is_set_to_any_white_and_colour(hub, owner, watch):
    someone = watch("owner")
    page = someone.page
    colour = lambda: owner.get("/api/v1/devices/study-light").json()["entities"][0]["attributes"]["color"]  # noqa: E731
    sign_in(someone, hub, to="/devices/study-light")
    warm, kelvin = page.get_by_role("slider", name="Warm to cold white"), page.get_by_role("spinbutton", name="Warm to cold white")
    hue, full = page.get_by_role("spinbutton", name="Hue"), page.get_by_role("slider", name="Saturation")
    warm.wait_for()
    assert warm.input_value() == kelvin.input_value() == "2700"
    someone.state("lamp", "Warm to cold white, in kelvin", "Saturation, in percent", sizes=SIZES)
    kelvin.fill("3500")
    page.keyboard.press("Enter")
    house.until(lambda: colour() == {"temperature": 3500}, "the number is sent")
    assert warm.input_value() == "3500"
    warm.focus()
    page.keyboard.press("ArrowRight")
    house.until(lambda: colour() == {"temperature": 3501} and kelvin.input_value() == "3501", "the slider by key")
    kelvin.fill("99999")
    page.keyboard.press("Enter")
    house.until(lambda: colour() == {"temperature": 6500}, "no further than it goes")
    full.fill("40")
    hue.fill("200")
    page.keyboard.press("Enter")
    house.until(lambda: colour() == {"hue": 200, "saturation": 40}, "hue and saturation together")

    # Another person's choice is shown; a refused one returns to the current value.
    page.get_by_role("heading", level=1).focus()
    assert owner.put("/api/v1/devices/study-light/control", {"action": "set_color", "value": {"hue": 20, "saturation": 80}}).ok
    house.until(lambda: (hue.input_value(), full.input_value()) == ("20", "80"), "theirs")
    someone.refusals_expected = True
    fault(owner, "study-light", "unreachable")
    hue.fill("300")
    page.keyboard.press("Enter")
    house.until(lambda: hue.input_value() == "20", "back to what is")
    someone.state("lamp-refused", "Not done: no answer", sizes=(PHONE,))
    fault(owner, "study-light", "none")

    def only(*modes, **more):
        def answer(route):
            body = route.fetch().json()
            body["entities"][0]["attributes"] |= {"supported_color_modes": list(modes), **more}
            route.fulfill(json=body)
        return answer

    page.route("**/api/v1/devices/study-light", only("color_temp", min_color_temp_kelvin=2200, max_color_temp_kelvin=4000))
    page.reload()
    someone.state("lamp-white", "Warm to cold white, in kelvin", gone=("Saturation, in percent",), sizes=(PHONE, DESK))
    assert page.locator(".swatch").count() == 3
    # A lamp with a limited white range offers nothing beyond it, by hand or by name.
    assert (warm.get_attribute("min"), warm.get_attribute("max")) == ("2200", "4000")
    page.get_by_role("button", name="Cold white").click()
    house.until(lambda: colour() == {"temperature": 4000}, "as cold as it goes")
    page.unroute_all(behavior="ignoreErrors")
    page.route("**/api/v1/devices/study-light", only("hs"))
    page.reload()
    someone.state("lamp-coloured", "Saturation, in percent", gone=("Warm to cold white, in kelvin",), sizes=(PHONE,))
    page.unroute_all(behavior="ignoreErrors")
    someone.close()


def test_a_heating_is_set_to_a_mode_on_its_page(module_hub, module_owner, host, page):  # noqa: F811
    path = "/api/v1/devices/living-climate"
    device = module_owner.get(path).json()
    assert device["capabilities"]["set_mode"] == {"modes": ["heat", "auto", "off"]}
    page.goto(module_hub.url + "/devices/living-climate")
    page.get_by_role("radio", name="Auto").check(force=True)
    house.until(lambda: module_owner.get(path).json()["entities"][0]["state"] == "auto", "the mode that was chosen")
    host.state("climate-mode", "Auto", "Off")
    refused = module_owner.put(path + "/control", {"action": "set_mode", "value": "dance"})
    assert refused.status_code == 400 and "heat_cool" in refused.text
    assert module_owner.put(path + "/control", {"action": "set_mode", "value": "heat"}).status_code == 200
    house.until(lambda: page.get_by_role("radio", name="Heat", exact=True).is_checked(), "what somebody else chose")
