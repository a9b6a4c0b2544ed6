"""Gestures on a page that changes under them: one gesture does one thing, on its intended target, and its result is shown."""

import json
import re

import pytest

import house
from test_tour import browser  # noqa: F401
from test_web_house import FRAMES
from test_web_live import control, door, look, on_line  # noqa: F401
from test_web_states import KEPT, PATIENT, Held, answer_with, fault, move_in, never, sign_in, watch  # noqa: F401

pytestmark = pytest.mark.long

SAY = "(message) => window.lines.at(-1).onmessage({ data: JSON.stringify({ seq: 1, timestamp: new Date().toISOString(), ...message }) })"


def without(device_id):
    """The hub's devices except one."""

    def answer(route):
        came = route.fetch(headers={name: value for name, value in route.request.headers.items() if name != "if-none-match"})
        body = came.json()
        route.fulfill(json={**body, "devices": [one for one in body["devices"] if one["device_id"] != device_id]})

    return answer


def test_a_hold_still_opens_its_door_after_another_device_disappears(module_owner, look):  # noqa: F811
    control(module_owner, "garage", "close")
    someone = look("holder")
    page = someone.page
    door(page, "Garage door").locator(".hold").wait_for()
    page.route("**/api/v1/devices", without("front-door"))
    page.evaluate(SAY, {"type": "device_removed", "data": {"device_id": "front-door"}})
    page.locator("door-row", has_text="Front door").wait_for(state="detached")
    answer = Held(page, "**/control")
    someone.hold("door-row:has-text('Garage door') .hold")
    page.get_by_text(re.compile("Waiting for the door…")).first.wait_for()
    answer.go()
    door(page, "Garage door").get_by_text(re.compile("^Opened ")).wait_for()
    # A new device above it: the row moves, and keeps its handlers.
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    control(module_owner, "garage", "close")
    house.until(lambda: on_line(page), "on the line")
    door(page, "Garage door").locator(".hold").wait_for()
    page.locator("ul.doors").evaluate("(list) => list.append(list.firstElementChild)")
    page.locator("ul.doors").evaluate("(list) => list.append(list.firstElementChild)")
    someone.hold("door-row:has-text('Garage door') .hold")
    door(page, "Garage door").get_by_text(re.compile("^Opened ")).wait_for()
    control(module_owner, "garage", "close")
    someone.close()


def test_a_sheet_opened_on_a_cached_page_survives_the_update(module_owner, look):  # noqa: F811
    """The cached page was shown at once, a sheet was opened on it, and the house's different answer closed it."""
    someone = look("quick", to="/settings/rooms")
    page = someone.page
    page.get_by_role("button", name="Add a room").wait_for()
    house.until(lambda: page.evaluate(KEPT) == 2, "the page is kept")
    assert module_owner.put("/api/v1/house", {"number_of_floors": 3}).ok
    page.add_init_script(PATIENT)
    answer = Held(page, "**/api/v1/house")
    page.reload()
    page.get_by_role("button", name="Add a room").click()
    name = page.get_by_label("Name", exact=True)
    name.fill("Attic")
    answer.came()
    with page.expect_response("**/api/v1/house"):
        answer.go()
    house.until(lambda: on_line(page), "and has been heard")
    assert name.input_value() == "Attic"
    page.get_by_role("button", name="Save").click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_role("button", name="Attic", exact=True).wait_for()
    someone.close()


def test_text_being_typed_survives_a_presence_change(module_owner, look):  # noqa: F811
    """Their phone reported them home, and the page was rebuilt under their hands, as for another person."""
    someone = look("writer", to="/settings/rooms")
    page = someone.page
    page.get_by_role("button", name="Add a room").click()
    name = page.get_by_label("Name", exact=True)
    name.fill("Cellar")
    told = [("presence", {"is_home": True}), ("preferences", {"temperature_unit": "fahrenheit"}), ("preferences", {"temperature_unit": "celsius"}), ("presence", {"is_home": False})]
    for what, said in told:
        with page.expect_response("**/api/v1/people/me"), page.expect_response("**/api/v1/house"):
            assert module_owner.put(f"/api/v1/people/me/{what}", said).ok
        page.evaluate(FRAMES)
        assert name.input_value() == "Cellar", said
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    someone.close()


def test_a_double_click_adds_one_person(module_owner, look):  # noqa: F811
    someone = look("inviter", to="/people")
    page = someone.page
    page.get_by_role("button", name="Invite").first.click()
    page.get_by_label("Name", exact=True).fill("Grandmother")
    page.locator(".invite-place button[type=submit]").dblclick()
    page.locator(".link-panel").wait_for()
    page.get_by_role("link", name="Grandmother").wait_for()
    assert [p["name"] for p in module_owner.get("/api/v1/people").json()["people"]].count("Grandmother") == 1
    someone.close()


def test_one_key_press_sends_one_command(look):  # noqa: F811
    someone = look("dimmer")
    page = someone.page
    told = []
    page.on("request", lambda request: told.append(request.post_data_json["value"]) if request.url.endswith("/study-light/control") else None)
    slider = page.get_by_label("Brightness of study light")
    level = int(slider.input_value())
    with page.expect_response("**/study-light/control"):
        slider.press("ArrowRight")
    with page.expect_response("**/study-light/control"):
        slider.press("PageDown")
    assert told == [level + 1, level - 9]
    someone.close()


def test_a_refusal_is_shown_on_the_devices_page(module_owner, look):  # noqa: F811
    someone = look("painter", to="/devices/study-light")
    page = someone.page
    fault(module_owner, "study-light", "unreachable")
    page.get_by_role("button", name="Red", exact=True).click()
    page.get_by_text("Not done: no answer").first.wait_for()
    fault(module_owner, "study-light", "none")
    with page.expect_response("**/study-light/control") as answered:
        page.get_by_role("button", name="Red", exact=True).click()
    assert answered.value.ok

    control(module_owner, "garage", "close")
    page.goto(page.url.replace("study-light", "garage"))
    slider = page.get_by_label(re.compile("^Position of"))
    slider.wait_for()
    fault(module_owner, "garage", "unreachable")
    slider.focus()
    slider.press("ArrowRight")
    page.get_by_text("Not done: the house cannot reach it.").first.wait_for()
    house.until(lambda: slider.input_value() == "0", "it goes back to what is")
    fault(module_owner, "garage", "none")
    someone.close()


def test_a_removed_device_is_reported(look):  # noqa: F811
    someone = look("looker", to="/devices/front-door")
    page = someone.page
    door(page).wait_for()
    page.route("**/api/v1/devices", without("front-door"))
    page.evaluate(SAY, {"type": "device_removed", "data": {"device_id": "front-door"}})
    page.get_by_role("heading", name="Nothing here that you can see").wait_for()
    page.get_by_role("button", name="Hold to open").wait_for(state="detached")
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    door(page).wait_for()
    someone.close()


def test_everything_is_locked_is_shown_only_for_locks(module_hub, watch):  # noqa: F811
    """Two covers, both down, and nothing that could be locked."""
    someone = watch("reader")
    page = someone.page

    def covers(route):
        body = route.fetch().json()
        garage = next(one for one in body["devices"] if one["device_id"] == "garage")
        gate = json.loads(json.dumps(garage).replace("garage", "gate").replace("Garage", "Gate"))
        for one in (garage, gate):
            one["entities"][0]["state"] = "closed"
        route.fulfill(json={**body, "devices": [garage, gate]})

    page.route("**/api/v1/devices", covers)
    page.route("**/api/v1/realtime/ticket", answer_with(503, "service_unavailable"))
    sign_in(someone, module_hub)
    page.get_by_role("heading", name="Everything is shut.").wait_for()
    someone.close()


FINGER = """
    window.touched = 0;
    new MutationObserver(() => {
        const button = document.querySelector('.ask .filled');
        if (button && !window.touched) { window.touched += 1; button.click(); }
    }).observe(document.body, { childList: true, subtree: true });
"""
# A card's message stays for five seconds: it is recorded, with the focused element.
NOTED = """
    window.noted = [];
    const note = () => document.querySelectorAll('.ask').forEach((card) => window.noted.push(card.textContent));
    new MutationObserver(note).observe(document.body, { childList: true, characterData: true, subtree: true });
    document.addEventListener('focusin', ({ target }) => window.noted.push(`focus on ${target.className || target.tagName}`));
"""


def noted(page, words):
    house.until(lambda: [one for one in page.evaluate("window.noted") if words in one], words)


def asks(owner, guest):
    return [one for one in owner.get("/api/v1/asks").json()["asks"] if one["guest_id"] == guest.guest_id]


def test_a_card_that_appears_under_the_finger_is_not_pressed(module_owner, look):  # noqa: F811
    guest = house.let_in(module_owner, name="Neighbour", max_uses=0, ask_each_time=True)
    someone = look("host")
    page = someone.page
    page.evaluate(FINGER)
    page.evaluate(NOTED)
    assert guest.act().status_code == 202
    page.get_by_text("Neighbour asks to open the front door").wait_for()
    assert page.evaluate("touched") == 1
    assert len(asks(module_owner, guest)) == 1, "the card came under the finger, and waits"

    # Answered by another person: the card says so before it goes.
    assert module_owner.post(f"/api/v1/commands/{asks(module_owner, guest)[0]['command_id']}/reject").ok
    noted(page, "Answered elsewhere, or too late")
    page.locator(".ask").wait_for(state="detached")

    # An intended press works; and the keyboard focus stays where it was.
    assert guest.act().status_code == 202
    page.get_by_role("button", name="Refuse").focus()
    page.get_by_role("button", name="Refuse").click()
    noted(page, "focus on ask")
    noted(page, "Refused")
    page.locator(".ask").wait_for(state="detached")
    house.focused(page, "tagName", "H1")
    someone.close()


def test_activity_updates_without_gaps_and_without_moving_rows(module_owner, look):  # noqa: F811
    control(module_owner, "living-fan", "on")
    for level in range(1, 80):
        control(module_owner, "hall-light", "set_brightness", level)
    someone = look("reader", to="/activity")
    page = someone.page
    rows = page.locator(".entry-head")
    rows.first.wait_for()
    page.get_by_role("button", name="Show older").click()
    house.until(lambda: rows.count() > 60, "older ones are shown")
    page.evaluate("scrollTo(0, 0)")
    before = rows.count()
    control(module_owner, "hall-light", "set_brightness", 81)
    house.until(lambda: rows.count() == before + 1, "one more, and none fell out between")

    # While reading further down, new ones wait behind a number.
    page.evaluate("scrollTo(0, 1200)")
    for number in (1, 2):
        control(module_owner, "hall-light", "set_brightness", 81 + number)
        page.get_by_role("button", name=f"{number} new").wait_for()
        assert rows.count() == before + 1, "nothing moves under the eyes"
    page.evaluate("scrollTo(0, 0)")
    house.until(lambda: rows.count() == before + 3, "and are shown when they are looked for")

    # An entry outside the latest ones is not reported as missing.
    page.goto(page.url.split("/activity")[0] + "/activity?device_id=living-fan")
    rows.first.wait_for()
    assert {"Living room fan" in head for head in rows.all_inner_texts()} == {True}
    page.goto(page.url.split("?")[0] + "?show=guests")
    page.get_by_text("None of these among the latest 60 events.").wait_for()
    page.get_by_role("button", name="Show older").wait_for()
    someone.close()


# A command's end has its own number, so "asked for" once stayed beside it, and all sixty above were called new.
def test_a_commands_result_is_shown_where_it_was_requested(module_owner, look):  # noqa: F811
    def asked(route):
        came = route.fetch(headers={name: value for name, value in route.request.headers.items() if name != "if-none-match"})
        body = came.json()
        body["entries"][0].update(id=body["entries"][0]["id"] - 1, result="allowed")
        route.fulfill(json=body)

    someone = look("asker")
    page = someone.page
    # More than a page of activity, whatever ran before.
    for level in range(62):
        control(module_owner, "hall-light", "set_brightness", 33 + level % 2)
    control(module_owner, "hall-light", "set_brightness", 33)
    page.route("**/api/v1/activity?limit=60", asked)
    page.goto(page.url.rstrip("/") + "/activity")
    rows = page.locator(".entry-head")
    page.get_by_role("button", name="Hall light: requested").focus()
    before = rows.count()
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("button", name="Show older").click()
    house.until(lambda: rows.count() > before, "older ones are shown")
    before = rows.count()
    rows.first.focus()
    page.evaluate("scrollTo(0, 1200)")
    page.evaluate(SAY, {"type": "command_update", "data": {}})
    house.until(lambda: rows.first.inner_text() == "Hall light dimmed", "what came of it takes its place")
    assert rows.count() == before
    house.focused(page, "textContent", "Hall light dimmed", "and the keyboard stays there")
    assert page.locator(".fresh").is_hidden()
    someone.close()


def test_keyboard_focus_stays_in_place(module_owner, look):  # noqa: F811
    focused = "document.activeElement.textContent"
    first = house.invite(module_owner, name="Window cleaner")
    someone = look("typist", to="/guests")
    page = someone.page
    page.get_by_role("link", name="Window cleaner").focus()
    house.invite(module_owner, name="Chimney sweep")
    page.get_by_role("link", name="Chimney sweep").wait_for()
    assert page.evaluate(focused) == "Window cleaner"
    assert module_owner.post(f"/api/v1/guests/{first['guest_id']}/revoke").ok

    username = move_in(module_owner, "Uncle")
    page.goto(re.sub("/guests.*", "/people", page.url))
    page.get_by_role("link", name="Uncle").focus()
    move_in(module_owner, "Nanny")
    page.get_by_role("link", name="Nanny").wait_for()
    assert page.evaluate(focused) == "Uncle"

    page.get_by_role("link", name="Uncle").click()
    off = page.get_by_role("button", name="Switch off")
    person = next(p for p in module_owner.get("/api/v1/people").json()["people"] if p.get("username") == username)
    off.or_(page.locator("[data-do=status]")).first.focus()
    assert module_owner.call("PATCH", f"/api/v1/people/{person['person_id']}", {"role": "admin"}).ok
    page.get_by_text("Admin").first.wait_for()
    house.focused(page, "dataset.do", "status")
    someone.close()


HEARD = """
    window.heard = [];
    new MutationObserver(() => {
        const words = document.querySelector('[aria-live=assertive]').textContent;
        if (words) window.heard.push(words);
    }).observe(document.querySelector('[aria-live=assertive]'), { childList: true, characterData: true, subtree: true });
"""


def test_a_repeated_refusal_is_announced_each_time(module_owner, look):  # noqa: F811
    someone = look("listener")
    page = someone.page
    fault(module_owner, "living-fan", "unreachable")
    page.evaluate(HEARD)
    fan = page.locator("device-tile", has_text="Living room fan").get_by_role("button", name=re.compile("^Switch ")).first
    for times in (1, 2):
        fan.click()
        house.until(lambda: len([words for words in page.evaluate("heard") if "Not done" in words]) == times, f"said {times} times")
    fault(module_owner, "living-fan", "none")
    someone.close()


def test_an_invitation_is_removed_from_the_address_bar(module_hub, module_owner, watch):  # noqa: F811
    made = module_owner.post("/api/v1/people", {"name": "Lodger", "role": "member"}).json()
    someone = watch("lodger")
    page = someone.page
    page.goto(made["invite_link"])
    page.get_by_role("heading", name="You are invited").wait_for()
    assert "#" not in page.url
    page.fill("input[name=username]", "lodger")
    page.fill("input[name=password]", "correct horse battery staple")
    page.get_by_role("button", name="Join the house").click()
    page.locator("door-row").first.wait_for()
    someone.close()


def test_a_slow_page_shows_its_placeholder_at_once(look):  # noqa: F811
    someone = look("waiting")
    page = someone.page
    page.route("**/api/v1/devices/front-door", never)
    page.get_by_role("link", name="Front door").first.click()
    page.locator("main .skeleton").wait_for()
    assert not page.locator("door-row").count(), "what was left is not taken for what was asked for"
    page.go_back()
    door(page).wait_for()
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("link", name="Front door").first.click()
    page.get_by_role("heading", name="Front door", level=1).wait_for()
    someone.close()


def test_a_resident_who_loses_the_right_sees_no_requests(module_owner, look):  # noqa: F811
    username = move_in(module_owner, "Cousin")
    person = next(p for p in module_owner.get("/api/v1/people").json()["people"] if p.get("username") == username)
    path = f"/api/v1/people/{person['person_id']}"
    assert module_owner.call("PATCH", path, {"can_invite_guests": True}).ok
    someone = look("cousin", username)
    page = someone.page
    guest = house.let_in(module_owner, name="Postman", max_uses=0, ask_each_time=True)
    assert guest.act().status_code == 202
    house.until(lambda: page.title().startswith("("), "the title counts who waits")
    assert module_owner.call("PATCH", path, {"can_invite_guests": False}).ok
    page.get_by_role("link", name="Doors").first.wait_for()
    house.until(lambda: not page.title().startswith("("), "it counts no longer")
    assert module_owner.post(f"/api/v1/commands/{asks(module_owner, guest)[0]['command_id']}/reject").ok
    someone.close()
