"""The pages of the mind: the conversation with the interview in it, the mood, memories, twins, and what-if questions."""

import re

import pytest

import house
from test_tour import DESK, NOON, PHONE, SMALL, browser  # noqa: F401
from test_web_buttons import go
from test_web_house import measured
from test_web_states import BOARD, answer_with, asking, host, move_in, never, page, sign_in, try_again, watch  # noqa: F401

pytestmark = pytest.mark.long
# Texts about a day hold at any hour of the test.
ZONE = NOON

SIZES = (SMALL, PHONE, DESK)
QUERY = "**/api/v1/consciousness/query"
QUESTION = "Ask or tell the house"
# Page, its request to the hub, its text when there is nothing, and an answer with content.
LISTS = [
    ("/house/memory", "**/api/v1/memory?**", "No memories yet.", {"memories": [], "total": 0}),
    ("/house/twins", "**/api/v1/twins", "No twins yet.", {"twins": [], "total": 0, "synchronized": 0, "out_of_sync": 0}),
    ("/house/interview", "**/api/v1/interview", "Ask in your own words.", {"interviews": [], "total": 0}),
    ("/house/mood", "**/api/v1/consciousness/emotions?**", None, None),
]


def enter(page, hub, path, name):  # noqa: F811
    page.goto(hub.url + "/doors")
    page.locator("door-row").first.wait_for()
    go(page, path)
    page.get_by_role("heading", name=name, level=1).wait_for()


def ask(page, sentence):  # noqa: F811
    page.get_by_label(QUESTION).fill(sentence)
    page.keyboard.press("Enter")


def still(page):  # noqa: F811
    """Waits until nothing moves: fading text has no contrast yet."""
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished)).then(() => null)")


def states(owner, device):
    return [entity["state"] for entity in owner.get(f"/api/v1/devices/{device}").json()["entities"]]


def control(owner, device, action):
    assert owner.put(f"/api/v1/devices/{device}/control", {"action": action}).ok


def test_an_answer_shows_its_sources(module_hub, module_owner, host, page):  # noqa: F811
    control(module_owner, "front-door", "unlock")
    control(module_owner, "front-door", "lock")
    enter(page, module_hub, "/house", "Ask the house")
    host.state("mind-house-empty", "Ask in your own words.", "Is the front door locked?", "Is anything still on?", sizes=SIZES)
    page.get_by_role("button", name="Is the front door locked?").click()
    log = page.get_by_role("log")
    log.get_by_text("Sure").wait_for()
    assert not page.get_by_text("Ask in your own words.").count(), "examples give way to what was asked"

    ask(page, "who unlocked the front door today?")
    log.get_by_text(re.compile("^You unlocked the front door at ")).wait_for()
    chips = log.locator(".heard button.chip", has_text=re.compile("front door", re.I))
    chips.first.wait_for()
    host.state("mind-house", "Sure", sizes=SIZES)
    chips.first.click()
    sheet = page.get_by_role("dialog", name="Evidence")
    sheet.get_by_role("link", name="Front door").wait_for()
    still(page)
    host.state("mind-evidence", "Evidence", sizes=(PHONE,))
    page.keyboard.press("Escape")
    sheet.wait_for(state="detached")
    page.set_viewport_size(DESK)
    chips.first.click()
    page.get_by_role("complementary", name="Evidence").locator("[data-chosen]").wait_for()
    assert not page.get_by_role("dialog").count(), "where there is room, the evidence stands beside the answer"
    page.set_viewport_size(PHONE)

    # Earlier questions come back with Up, and go with Down.
    field = page.get_by_label(QUESTION)
    field.press("ArrowUp")
    assert field.input_value() == "who unlocked the front door today?"
    field.press("ArrowUp")
    assert field.input_value() == "Is the front door locked?"
    field.press("ArrowDown")
    field.press("ArrowDown")
    assert field.input_value() == ""

    ask(page, "how many angels dance on a pin?")
    log.get_by_text("I don't know", exact=True).wait_for()
    assert page.locator(".evidence").inner_text() == "", "what rests on nothing has nothing beside it"

    # The same person's questions from elsewhere are shown here too, and each question from here is shown once.
    assert module_owner.post(QUERY[2:], {"query": "is the garage shut?"}).ok
    page.locator(".said", has_text="is the garage shut?").wait_for()
    log.locator(".heard", has_text=re.compile("garage", re.I)).last.wait_for()
    for sentence in ("is the front door locked?", "who unlocked the front door today?", "how many angels dance on a pin?", "is the garage shut?"):
        assert page.locator(".said", has_text=re.compile(re.escape(sentence), re.I)).count() == 1, sentence
    # Left and reopened, the conversation continues.
    go(page, "/house/mood")
    page.get_by_role("heading", name="Mood", level=1).wait_for()
    go(page, "/house")
    page.get_by_text(re.compile("^You unlocked the front door at ")).wait_for()


def test_a_suggested_action_runs_on_request(module_hub, module_owner, host, page):  # noqa: F811
    page.clock.install()
    control(module_owner, "study-light", "off")
    enter(page, module_hub, "/house", "Ask the house")
    ask(page, "turn on the study light")
    button = page.get_by_role("button", name="Turn on the study light", exact=True).last
    button.click()
    dialog = page.get_by_role("dialog", name="Turn on the study light?")
    dialog.get_by_role("button", name="Cancel").click()
    assert states(module_owner, "study-light") == ["off"], "it asks before doing"
    button.click()
    still(page)
    host.state("mind-suggestion", "Turn on the study light?", sizes=(PHONE, DESK))
    dialog.get_by_role("button", name="Turn on the study light").click()
    page.get_by_text("Done.").wait_for()
    assert states(module_owner, "study-light") == ["on"]

    # A door needs the same confirmation here as everywhere: a hold, or a second press.
    ask(page, "unlock the front door")
    row = page.locator(".talk door-row")
    row.get_by_role("button", name="Hold to open front door").wait_for()
    # A second press: the question is shown for ten seconds, and here as long as the test looks at it.
    host.stop_time()
    row.get_by_role("button", name="Hold to open front door").click()
    host.state("mind-door-armed", re.compile("Open (the )?front door now"), sizes=SIZES)
    assert states(module_owner, "front-door") == ["locked"]
    page.keyboard.press("Escape")
    row.get_by_role("button", name="Hold to open front door").wait_for()
    page.clock.resume()
    host.hold(".talk door-row .hold")
    house.until(lambda: states(module_owner, "front-door") == ["unlocked"], "held, it opens")
    row.get_by_text(re.compile("^Opened ")).wait_for()
    control(module_owner, "front-door", "lock")


def test_a_failed_question_is_retried(module_hub, module_owner, host, page):  # noqa: F811
    enter(page, module_hub, "/house", "Ask the house")
    page.route(QUERY, never)
    ask(page, "is the front door locked?")
    host.state("mind-thinking", "Thinking…", sizes=(PHONE,))
    assert page.get_by_role("button", name="Send", exact=True).get_attribute("aria-disabled") == "true"

    page.route(QUERY, answer_with(500))
    enter(page, module_hub, "/house", "Ask the house")
    ask(page, "is the front door locked?")
    host.state("mind-failed", "Not answered", "Try again", "Details", sizes=SIZES)
    page.unroute_all(behavior="ignoreErrors")
    host.context.set_offline(True)
    page.get_by_role("button", name="Try again").last.click()
    host.state("mind-offline", "No connection. Sent later.", sizes=(PHONE,))
    with page.expect_request(QUERY) as late:
        host.context.set_offline(False)
    assert list(late.value.post_data_json["context"]) == ["asked_at"]
    page.locator(".banner").first.wait_for(state="hidden")
    page.get_by_role("log").get_by_text(re.compile("^Asked .*, answered late$")).wait_for()
    assert page.locator(".said").count() == 1, "it stands there once, however often it was tried"

    back = {"response": "Which light?", "confidence": 0, "context": {"events": [], "devices": []}, "suggested_actions": [], "choices": ["Is the hall light on?", "Is the study light on?"]}
    page.route(QUERY, lambda route: route.fulfill(json=back))
    ask(page, "is the light on?")
    page.get_by_role("button", name="Is the hall light on?").wait_for()
    host.state("mind-choices", "Which light?", sizes=(PHONE,))
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("button", name="Is the hall light on?").click()
    page.get_by_role("log").get_by_text("Sure").first.wait_for()


@pytest.mark.parametrize("path, asks, nothing, empty", LISTS, ids=lambda value: value.split("/")[-1] if str(value).startswith("/") else "")
def test_each_page_loading_empty_and_broken(module_hub, host, page, path, asks, nothing, empty):  # noqa: F811
    name = path.split("/")[-1]
    enter(page, module_hub, "/house", "Ask the house")
    asking(page)
    page.route(asks, never)
    go(page, path)
    page.locator(".mind .skeleton").wait_for()
    host.state(f"mind-{name}-loading", sizes=(PHONE,))
    enter(page, module_hub, "/house", "Ask the house")
    asking(page)
    page.route(asks, answer_with(500))
    go(page, path)
    host.state(f"mind-{name}-error", "It could not be loaded", "Try again", "Details", sizes=(PHONE,))

    def mend():
        asking(page)
        if empty:
            page.route(asks, lambda route: route.fulfill(json=empty))

    try_again(page, asks, mend)
    if empty:
        host.state(f"mind-{name}-empty", nothing, sizes=(PHONE, DESK))
    else:
        page.locator(".mood").first.wait_for()
    host.context.set_offline(True)
    host.state(f"mind-{name}-offline", "No connection to the house. What you see may be old.", sizes=(PHONE,))
    host.context.set_offline(False)


def test_the_mood_shows_its_causes(module_hub, module_owner, host, page):  # noqa: F811
    assert module_owner.post("/api/v1/integrations/virtual/faults", {"device_id": "front-door", "fault": "jam"}).ok
    try:
        module_owner.put("/api/v1/devices/front-door/control", {"action": "unlock"})
        house.until(lambda: module_owner.get("/api/v1/consciousness/emotions").json()["current"]["causes"], "a jammed lock worries the house")
        enter(page, module_hub, "/house/mood", "Mood")
        for name in ("Happiness", "Worry", "Boredom", "Excitement"):
            page.locator(".mood", has_text=name).wait_for()
        page.locator(".mood summary", has_text="Worry").press("Enter")
        page.locator(".mood[open]").get_by_role("link", name="Front door").first.wait_for()
        host.state("mind-mood", re.compile(r"\+\d+"), "Over time", sizes=SIZES)
        page.get_by_role("radio", name="7 days").check()
        assert page.locator(".mood[open]").count() == 1, "what was opened stays open"
    finally:
        assert module_owner.post("/api/v1/integrations/virtual/faults", {"device_id": "front-door", "fault": "none"}).ok


def test_memories_are_added_found_corrected_and_deleted(module_hub, module_owner, host, page):  # noqa: F811
    enter(page, module_hub, "/house/memory", "Memory")
    page.get_by_role("button", name="Tell the house").click()
    sheet = page.get_by_role("dialog", name="Tell the house")
    sheet.get_by_role("button", name="Remember").click()
    still(page)
    host.state("mind-memory-missing", "Write a sentence.", sizes=(PHONE,))
    sheet.get_by_label("In a sentence").fill("The spare key hangs in the cellar.")
    page.route("**/api/v1/memory", answer_with(500))
    sheet.get_by_role("button", name="Remember").click()
    sheet.get_by_role("button", name="Try again").wait_for()
    assert sheet.get_by_label("In a sentence").input_value() == "The spare key hangs in the cellar.", "nothing typed is lost"
    page.unroute_all(behavior="ignoreErrors")
    sheet.get_by_role("button", name="Try again").click()
    sheet.wait_for(state="detached")
    row = page.locator(".rows li", has_text="The spare key hangs in the cellar")
    row.first.wait_for()
    host.state("mind-memory", "Everything", sizes=SIZES)

    # A habit has one version: the earlier one was once still shown beside it.
    habit = {
        "memory_id": "habit_closing_1", "memory_type": "procedural", "content": "The garage is shut by 22:00.", "title": "Garage", "source": "learned", "told_by": None,
        "created_at": "2026-11-20T10:00:00.000Z", "version": 0, "confidence": 0.9, "related_devices": [], "may_change": True, "correction": None,
    }
    page.route("**/api/v1/memory?**", lambda route: route.fulfill(json={"memories": [habit], "total": 1}))
    for time in ("22:00", "23:00"):
        habit["content"] = f"The garage is shut by {time}."
        assert module_owner.post("/api/v1/memory", {"type": "semantic", "content": f"The bins go out at {time}."}).ok
        page.get_by_text(habit["content"]).wait_for()
    assert page.get_by_text("The garage is shut by").count() == 1
    page.unroute_all(behavior="ignoreErrors")
    assert module_owner.post("/api/v1/memory", {"type": "semantic", "content": "The bins go out on Mondays."}).ok
    row.first.wait_for()
    house.until(lambda: "The spare key" in page.evaluate(BOARD), "it is kept with the board")

    page.get_by_role("button", name="Event").click()
    row.first.wait_for(state="detached")
    page.get_by_role("button", name="Fact").click()
    row.first.wait_for()
    page.get_by_label("Search").fill("unicorns")
    host.state("mind-memory-none", "No memory matches.", sizes=(PHONE,))
    assert "q=unicorns" in page.url, "what is looked for stands in the address"
    page.get_by_role("button", name="Show everything").click()
    row.first.wait_for()
    page.get_by_label("Search").fill("spare key")
    row.first.wait_for()
    row.get_by_role("button").first.click()
    one = page.get_by_role("dialog")
    still(page)
    host.state("mind-memory-one", "How sure", "Forget", sizes=(PHONE, DESK))
    one.get_by_role("button", name="Correct").click()
    one.get_by_label("In a sentence").fill("The spare key hangs in the attic.")
    one.get_by_role("button", name="Save").click()
    one.wait_for(state="detached")
    page.get_by_label("Search").fill("attic")
    # The rows of the previous search stay until this result arrives.
    found = page.locator(".rows li", has_text="attic")
    found.first.wait_for()
    found.get_by_role("button").first.click()
    one.get_by_text("attic").first.wait_for()
    one.get_by_role("button", name="Forget").click()
    page.get_by_role("button", name="Forget").last.click()
    page.get_by_text("No memory matches.").wait_for()
    # A memory deleted during a search once stayed in this browser's storage.
    house.until(lambda: "The spare key" not in page.evaluate(BOARD), "what is forgotten is kept nowhere")


def test_a_twin_shows_current_and_requested_state(module_hub, module_owner, host, page):  # noqa: F811
    control(module_owner, "hall-light", "on")
    enter(page, module_hub, "/house/twins", "Twins")
    page.get_by_role("link", name="Hall light").wait_for()
    host.state("mind-twins", "As asked", sizes=SIZES)
    page.get_by_role("link", name="Hall light").click()
    page.get_by_role("heading", name="Hall light", level=1).wait_for()
    host.state("mind-twin", "Reported", "Requested", "In progress", sizes=SIZES)
    page.get_by_role("link", name="Back").click()
    page.get_by_role("heading", name="Twins", level=1).wait_for()
    # Measured values are drawn, each component separately. The meter of a house that is a minute old has measured nothing yet.
    points = [{"at": at, "value": 400 + number} for at, number in measured(24, 10, lambda number: number)]
    page.route("**/history?*", lambda route: route.fulfill(json={"unit_of_measurement": "W", "resolution": "raw", "points": points, "next_from": None}))
    go(page, "/house/twins/twin_house-meter")
    page.get_by_role("heading", name="Electricity meter", level=1).wait_for()
    for part in ("Power", "Energy"):
        page.get_by_role("heading", name=re.compile(part)).first.wait_for()
    page.locator(".plot-board svg").first.wait_for()
    host.state("mind-twin-meter", "Reported", sizes=SIZES)
    # Hub tests cover a room with a month's readings; here the answer is faked.
    hours = [f"2026-11-2{day}T{hour:02}:00:00Z" for day in (0, 1) for hour in range(24)]
    room = {
        "room_id": "hall", "time_constant": {"value": 31.0, "low": 29.5, "high": 33.0}, "heating_rate": {"value": 2.1, "low": 2.0, "high": 2.2}, "gain": {"value": 0.1, "low": 0, "high": 0.2},
        "one_step_error": 0.1, "free_run_error": 0.4, "hours_of_readings": 640, "measured": [{"at": at, "inside": 20 + n % 5 / 4, "outside": 4 + n % 12 / 2} for n, at in enumerate(hours)],
        "fitted": [{"at": at, "value": 20.2 + n % 5 / 5} for n, at in enumerate(hours)], "forecast": [{"at": f"2026-11-22T{hour:02}:00:00Z", "value": 20.5, "low": 20 - hour / 24, "high": 21 + hour / 24} for hour in range(24)],
    }
    twin = module_owner.get("/api/v1/twins/twin_hall-light").json()
    page.route("**/api/v1/twins/twin_hall-light", lambda route: route.fulfill(json={**twin, "fidelity_level": "expert", "thermal": room}))
    go(page, "/house/twins/twin_hall-light")
    page.locator(".plot-board svg").first.wait_for()
    host.state("mind-twin-warmth", "31", "640 h", sizes=SIZES)
    page.unroute_all(behavior="ignoreErrors")
    go(page, "/house/twins/twin_of_nothing")
    page.get_by_role("heading", name="Nothing here that you can see").wait_for()


def test_a_what_if_question_is_computed(module_hub, module_owner, host, page):  # noqa: F811
    guest = house.invite(module_owner)["guest_id"]
    enter(page, module_hub, "/house/what-if", "What if")
    page.get_by_label("Temperature, °C").fill("warm")
    page.get_by_label("Only from").fill("nine")
    page.get_by_label("Until").fill("6")
    page.get_by_role("button", name="Calculate").click()
    host.state("mind-what-if-wrong", "A temperature from 5.0\u00a0°C to 35.0\u00a0°C.", re.compile("Write a time, such as"), sizes=SIZES)
    page.get_by_label("Temperature, °C").fill("22,5")
    page.get_by_label("Only from").fill("9.30pm")
    # One of the two hours was once dropped silently.
    page.get_by_label("Until").fill("")
    page.get_by_role("button", name="Calculate").click()
    assert page.locator(".field", has_text="Until").locator(".field-error").inner_text() == "Write a time, such as “9”, “9.30” or “21:00”."
    assert page.locator(".field", has_text="Only from").locator(".field-error").is_hidden()
    page.get_by_label("Until").fill("6")
    page.get_by_label("Until").press("Tab")
    assert page.get_by_label("Only from").input_value() == "21:30" and page.get_by_label("Until").input_value() == "06:00"
    page.route("**/api/v1/predictions/what-if", answer_with(500))
    page.get_by_role("button", name="Calculate").click()
    host.state("mind-what-if-error", "Try again", "Details", sizes=(PHONE,))
    page.unroute_all(behavior="ignoreErrors")
    with page.expect_request("**/api/v1/predictions/what-if") as asked:
        page.get_by_role("button", name="Try again").click()
    room = next(iter(asked.value.post_data_json["changes"]["room"].values()))
    assert room == {"temperature": 22.5, "from": "21:30", "to": "06:00"}
    host.state("mind-what-if", "Evidence", sizes=SIZES)
    page.get_by_role("radio", name="A device").check()
    page.get_by_label("Device", exact=True).select_option(label="Hall light")
    page.get_by_role("button", name="Calculate").click()
    page.get_by_role("heading", name="Evidence").wait_for()

    def imagined():
        with page.expect_request("**/api/v1/predictions/what-if") as sent:
            page.get_by_role("button", name="Calculate").click()
        page.get_by_role("heading", name="Evidence").wait_for()
        return sent.value.post_data_json["changes"]

    # A notification for a door that has been unlocked for an hour; and a pass with another schedule.
    page.get_by_role("radio", name="A notification").check()
    watched = page.get_by_label("Device", exact=True).evaluate("(select) => [...select.options].map((one) => one.value)")
    assert "cover.garage" in watched and "binary_sensor.hall_motion" not in watched, "what moves is not open"
    page.get_by_label("Device", exact=True).select_option(value="lock.front_door")
    page.get_by_label("Open for").select_option(label="1 h")
    assert imagined() == {"device": {"lock.front_door": {"watch": {"states": ["unlocked"], "longer_than": "1h", "from": "21:30", "to": "06:00"}}}}
    page.get_by_role("radio", name="Who gets in").check()
    page.get_by_label("Whose pass").select_option(value=f"guest:{guest}")
    page.get_by_role("combobox", name="What changes").select_option(value="schedule")
    for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"):
        page.get_by_role("button", name=day).click()
    page.get_by_role("button", name="Calculate").click()
    host.state("mind-what-if-hours", "Choose at least one day.", sizes=SIZES)
    assert page.locator(".schedule .line").inner_text().count("Choose at least one day.") == 1, "it stands with the days"
    house.focused(page, "getAttribute('aria-label')", "Monday")
    assert page.get_by_role("combobox", name="What changes").get_attribute("aria-invalid") is None
    page.get_by_role("button", name="Saturday").click()
    assert imagined() == {"access": {f"guest:{guest}": {"schedule": {"lines": [{"days": ["sat"], "from": "09:00", "to": "17:00"}]}}}}

    # Hub tests cover a house with a month's readings; here the answer is faked.
    estimate = {"value": 1.2, "low": 0.9, "high": 1.5}
    hours = [f"2026-11-22T{hour:02}:00:00Z" for hour in range(8)]
    energy = {
        "baseline": estimate, "predicted": estimate, "difference": estimate, "unit": "kWh", "words": "The energy is usually about 1.2 kWh.",
        "series": [{"at": at, "baseline": 0.1, "predicted": 0.2 + n / 20, "low": 0.1, "high": 0.4 + n / 20} for n, at in enumerate(hours)],
    }
    answer = {
        "analysis_id": "analysis_1", "status": "completed", "response": "It would cost more.", "about": "keeping the Hall at 22 °C", "results": {"energy": energy}, "problems": {},
        "recommendations": [], "basis": {"words": "This rests on 14 days.", "readings": 300, "entities": [], "windows": []}, "replay": None, "notices": None,
    }
    page.route("**/api/v1/predictions/what-if", lambda route: route.fulfill(json=answer))
    page.get_by_role("button", name="Calculate").click()
    page.get_by_role("heading", name="Keeping the Hall at 22 °C").wait_for()
    plot = page.locator(".plot svg")
    plot.locator("path.plot-line.n1").first.wait_for(state="attached")
    assert plot.locator("path.plot-line.n0").count() == plot.locator("path.plot-line.n1").count() == 2, "a line, and the sign beside its name"
    assert plot.locator("path.plot-band.n1").count() == 1, "what would be has its range"
    assert [plot.locator("text", has_text=name).count() for name in ("Usually", "Would be")] == [1, 1]
    host.state("mind-what-if-lines", "This rests on 14 days.", sizes=SIZES)
    page.unroute_all(behavior="ignoreErrors")


# The interview once had its own page, apart from the conversation: neither knew what was said in the other.
def test_an_interview_runs_in_the_conversation_and_confirmed_devices_are_added(module_hub, module_owner, host, page):  # noqa: F811
    enter(page, module_hub, "/house", "Ask the house")
    log = page.get_by_role("log")
    page.get_by_role("button", name="New devices").click()
    log.locator(".heard .answer").first.wait_for()
    host.state("mind-interview-new", "Nothing yet.", sizes=(PHONE, DESK))
    # The house drops invisible characters: such a sentence was once shown twice.
    ask(page, "In the hall there is a\u200b ceiling lamp, and in the kitchen there is a fridge.")
    page.locator(".rows li", has_text=re.compile("lamp|light", re.I)).first.wait_for()
    host.state("mind-interview", "Devices understood", "Describe devices", sizes=SIZES)
    (going,) = [one["interview_id"] for one in module_owner.get("/api/v1/interview").json()["interviews"] if one["status"] == "active"]

    def told(sentence):
        assert module_owner.post(f"/api/v1/interview/{going}/message", {"message": sentence}).ok

    def stands():
        """The conversation is shown as the house has it: each turn once, in order, wherever it was said."""
        turns = [one["text"] for one in module_owner.get(f"/api/v1/interview/{going}/conversation").json()["turns"]]
        return [one.replace("\u200b", "") for one in page.locator(".said, .heard > .answer").all_text_contents()] == turns

    house.until(stands, "each turn stands once")
    # A question from elsewhere was once answered twice, and a sentence said twice was shown once.
    for sentence in ("Is the front door locked?", "There is a plug in the study.", "There is a plug in the study."):
        told(sentence)
        house.until(stands, "what is said elsewhere stands once")
    # The page shows the addressee: questions and commands once went to the open interview.
    with page.expect_request("**/message"):
        ask(page, "Could you add a lamp in the hall?")
    page.locator(".talk-form .button:not([aria-disabled])").wait_for()
    house.until(stands, "what is told here stands once")
    page.get_by_role("radio", name="Ask", exact=True).check()
    ask(page, "is the front door locked?")
    log.get_by_text("Sure", exact=True).wait_for()
    page.get_by_role("radio", name="Describe devices").check()
    leave = page.get_by_role("button", name=re.compile("^Leave out"))
    before = leave.count()
    leave.last.click()
    house.until(lambda: leave.count() < before, "what is left out is not offered again")
    page.get_by_text("Left out").first.wait_for()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("button", name="Pause").wait_for()

    # A reload continues where it was; its old address leads here too, and its messages from elsewhere arrive.
    page.goto(f"{module_hub.url}/house/interview/{going}")
    page.get_by_role("heading", name="Ask the house", level=1).wait_for()
    page.locator(".said", has_text="In the hall there is a ceiling lamp").wait_for()
    assert page.url.endswith(f"/house?interview={going}")
    told("There is a fan in the study.")
    page.locator(".said", has_text="There is a fan in the study.").wait_for()
    page.locator(".rows li", has_text=re.compile("fan", re.I)).first.wait_for()
    assert page.locator(".said", has_text="In the hall there is a ceiling lamp").count() == 1

    # Without its events the conversation is still shown; it was once an empty page.
    page.route("**/api/v1/interview/**", lambda route: route.abort())
    page.goto(f"{module_hub.url}/house?interview={going}")
    page.get_by_role("heading", name="Ask the house", level=1).wait_for()
    page.unroute_all(behavior="ignoreErrors")

    # An interview idle for a day does not take new questions; it is resumed by hand.
    def old(route):
        answer = route.fetch()
        if answer.status != 200:
            return route.fulfill(response=answer)
        now = answer.json()
        route.fulfill(json={**now, "conversation_summary": {**now["conversation_summary"], "last_activity": "2026-01-01T00:00:00.000Z"}})

    page.route("**/api/v1/interview/*/status", old)
    page.goto(module_hub.url + "/house")
    go_on = page.get_by_role("button", name="Resume")
    go_on.wait_for()
    assert not page.get_by_role("radio", name="Describe devices").count()
    go_on.click()
    assert page.get_by_role("radio", name="Describe devices").is_checked()
    page.get_by_role("button", name="Pause").wait_for()
    page.unroute_all(behavior="ignoreErrors")

    page.get_by_role("button", name="End", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="End", exact=True).click()
    page.get_by_role("button", name="New devices").wait_for()
    house.focused(page, "name", "question", "the conversation goes on")
    # An ended interview can be read again.
    go(page, "/house/interview")
    page.get_by_role("button", name="Earlier interviews").click()
    still(page)
    host.state("mind-interviews", "Ended", sizes=(PHONE, DESK))
    page.get_by_role("dialog").locator(".rows li", has_text="Ended").get_by_role("link").first.click()
    page.wait_for_url("**/house?interview=*")
    page.get_by_text("Devices understood").wait_for()
    assert not page.get_by_role("dialog").count() and not page.get_by_role("button", name="Pause").count()
    go(page, "/house/interview/interview_of_nobody")
    page.get_by_role("heading", name="Nothing here that you can see").wait_for()


# For a described device the conversation once only named the place to add it, and the person had to repeat everything there.
def test_devices_described_in_the_conversation_are_added_there(module_hub, host, page):  # noqa: F811
    told = "There are two Hue lamps over the sofa and a Yale lock at the back."
    enter(page, module_hub, "/house", "Ask the house")
    ask(page, told)
    page.get_by_role("log").get_by_role("button", name="Add them").click()
    page.locator(".rows li", has_text=re.compile("lamp|light", re.I)).first.wait_for()
    assert page.locator(".said", has_text="Hue lamps").count() == 1, "nobody says it twice"
    assert "Hue" not in page.url, "what somebody says stands in no address"
    page.get_by_role("button", name="End", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="End", exact=True).click()
    page.get_by_role("button", name="New devices").wait_for()


def test_the_minds_pages_are_hidden_without_permission(module_hub, module_owner, watch):  # noqa: F811
    resident = watch("resident")
    sign_in(resident, module_hub, move_in(module_owner, "Niece"))
    resident.page.locator("door-row").first.wait_for()
    resident.page.get_by_role("link", name="House", exact=True).click()
    resident.page.get_by_text("Ask in your own words.").wait_for()
    assert not resident.page.get_by_role("button", name="New devices").count(), "who may connect nothing is not asked what there is"
    go(resident.page, "/house/interview")
    resident.page.get_by_role("heading", name="Nothing here that you can see").wait_for()
    resident.close()

    looker = watch("looker")
    sign_in(looker, module_hub, move_in(module_owner, "Visitor", "guest"))
    looker.page.get_by_role("link", name="Home", exact=True).wait_for()
    assert not looker.page.get_by_role("link", name="House", exact=True).count()
    go(looker.page, "/house")
    looker.state("mind-denied", "Nothing here that you can see", sizes=(PHONE,))
    looker.close()


def test_the_minds_pages_by_keyboard(module_hub, host, page):  # noqa: F811
    enter(page, module_hub, "/house", "Ask the house")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "question":
            break
    page.keyboard.type("is the front door locked?")
    page.keyboard.press("Enter")
    page.get_by_role("log").get_by_text("Sure").wait_for()
    house.focused(page, "name", "question", "one goes on typing")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.closest('.heard') !== null"), "what the answer offers lies before it"
    ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert ring == "solid", "and it is seen where one is"
