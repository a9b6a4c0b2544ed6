"""A guest's page that stays open, in six states of its pass: it knows the schedule, polls rarely, and adds no audit entries by polling."""

import datetime
import re
import zoneinfo

import pytest

import house
from test_tour import DESK, PHONE, SMALL, browser  # noqa: F401
from test_web_account import at_home
from test_web_live import LINES, answered
from test_web_states import watch  # noqa: F401

pytestmark = pytest.mark.long

SIZES = (SMALL, PHONE, DESK)
MINUTE = 60_000
PRESS = """async () => {
    const [{ passStore }, { sendAction }] = await Promise.all(['storage', 'pass'].map((name) => import(`/assets/GuestPage/${name}.js`)));
    const { token, pass } = await passStore.load();
    return (await sendAction(token, { key: 'press', action: 'door.open', entity_id: pass.entities[0].entity_id })).status;
}"""


def in_two_days():
    """A schedule whose only window is the day after tomorrow, by the house's calendar."""
    day = datetime.datetime.now(zoneinfo.ZoneInfo("Europe/Berlin")) + datetime.timedelta(days=2)
    return {"days": [("mon", "tue", "wed", "thu", "fri", "sat", "sun")[day.weekday()]], "from": "09:00", "to": "12:00"}, day


def lines(owner, guest_id):
    """The entries about the guest in Activity, and the rest in the audit log."""
    found = {}
    for more in ("", "&result=read"):
        entries = owner.get(f"/api/v1/activity?limit=500&guest_id={guest_id}{more}").json()["entries"]
        found[more] = sum(entry["who"]["kind"] == "guest" for entry in entries)
    return found[""], sum(found.values())


def come(watch, made):  # noqa: F811
    """A phone with the pass on it, whose clock the test moves; returns it and its requests."""
    guest = watch(made["guest_id"])
    page = guest.page
    page.clock.install()
    page.add_init_script(LINES)
    page.goto(made["link"])
    page.get_by_role("button", name="Use this pass on this phone").click()
    page.locator("ul.facts").wait_for()
    asked = []
    page.on("request", lambda request: asked.append(request.url.split("/")[-1]) if re.search("/api/", request.url) else None)
    return guest, asked


def an_hour(page):
    for _ in range(60):
        page.clock.run_for(MINUTE)
        answered(page)


# The remaining time of a pass; its uses are shown elsewhere.
LEFT = re.compile(r"\d\s(min|h|s) left$|days left$")
# True of a pass that opens something.
PRESENT = ("Your pass opens", "Open as often as you need", "No limit", "Only this phone can use this pass")
STATES = {
    # Shown texts, absent texts, and how often the page may poll in an hour.
    "early": (("Not yet", re.compile("^starts in")), ("Hold to open", LEFT), 30),
    "outside": ((re.compile("^Next time: "), "This pass works"), ("Hold to open",), 30),
    "active": (("Hold to open",), ("Next time",), 300),
    "used": (("0 of 1 use left", "Your pass was for"), ("Hold to open", "Your pass opens"), 60),
    "ended": (("This pass ended", "Your pass was for"), ("Hold to open", LEFT, *PRESENT), 0),
    "back": (("This pass was taken back", "Your pass was for"), ("Hold to open", "Close", LEFT, *PRESENT), 0),
}


@pytest.mark.parametrize("state", STATES)
def test_an_hour_of_an_open_page_adds_no_entries_and_a_press_adds_one(module_hub, module_owner, watch, state):  # noqa: F811
    more = {
        "early": {"starts_at": house.in_seconds(6 * 3600), "expires": 8 * 3600}, "outside": {"schedule": in_two_days()[0], "expires": 6 * 86_400, "max_uses": 0},
        "used": {"max_uses": 1},
    }.get(state, {"max_uses": 0})
    grants = [{"device_id": "garage", "actions": ["garage.open", "garage.close"]}] if state == "back" else []
    made = house.invite(module_owner, *grants, name=f"Hours {state}", **more)
    guest, asked = come(watch, made)
    page = guest.page
    if state == "used":
        guest.hold(".leaf-button")
        guest.face("open")
    elif state == "ended":
        house.end(module_hub.data, "guests", made["guest_id"])
    elif state == "back":
        assert module_owner.post(f"/api/v1/guests/{made['guest_id']}/revoke").ok
    page.evaluate("dispatchEvent(new Event('online'))")
    shown, hidden, often = STATES[state]
    guest.state(f"guest-hours-{state}", *shown, sizes=SIZES, gone=hidden)
    guest.stop_time()
    answered(page)
    before = lines(module_owner, made["guest_id"])
    asked.clear()

    an_hour(page)

    after = lines(module_owner, made["guest_id"])
    assert after[0] == before[0], "looking is nothing that was tried"
    assert after[1] - before[1] <= 2
    assert len(asked) <= often, asked
    guest.state(f"guest-hours-{state}-later", *shown, sizes=(), gone=hidden)

    page.clock.resume()
    if state == "back":
        status = page.evaluate(PRESS.replace("door.open", "garage.open"))
    else:
        status = page.evaluate(PRESS)
    assert (status == 200) == (state == "active"), status
    house.until(lambda: lines(module_owner, made["guest_id"])[0] == before[0] + 1, "the press is one line")
    guest.close()


def test_the_page_names_both_doors_and_the_owner_sees_the_schedule(module_hub, module_owner, watch):  # noqa: F811
    schedule, day = in_two_days()
    doors = [{"device_id": "front-door", "actions": ["door.open"]}, {"device_id": "garage", "actions": ["garage.open", "garage.close"]}]
    made = house.invite(module_owner, *doors, name="Cleaner", max_uses=0, schedule=schedule, expires=6 * 86_400)
    guest, _ = come(watch, made)
    guest.state("guest-hours-two-doors", re.compile("^Front door and .*[Gg]arage"), f"Next time: {day:%A} {day.day} {day:%B}", sizes=SIZES, gone=("Hold to open", "Close"))

    host, _ = at_home(watch, module_hub, module_owner, "Host", "/guests", role="admin")
    row = host.page.locator(".rows > li", has_text="Cleaner")
    row.get_by_text(f"Next time: {day:%a} 9:00").wait_for()
    assert not row.get_by_text("Active").count()
    host.state("guests-hours", "Later", sizes=SIZES)
    host.page.goto(f"{module_hub.url}/guests/{made['guest_id']}")
    host.state("guest-of-the-house-hours", f"Next time: {day:%a} 9:00", sizes=SIZES, gone=(re.compile("^Active$"),))
    guest.close()


def test_a_pass_for_a_lamp_shows_that_it_is_suspended_and_revoked(module_hub, module_owner, watch):  # noqa: F811
    """Without a door there is no leaf to say so: the text below the buttons does, and they are disabled."""
    made = house.invite(module_owner, {"device_id": "hall-light", "actions": ["light.on"]}, name="Lamp", max_uses=0)
    path = f"/api/v1/guests/{made['guest_id']}"
    guest, _ = come(watch, made)
    page = guest.page
    button = page.locator(".other button")
    assert button.is_enabled()
    for step, said in (("suspend", "This pass is paused. It may work again later."), ("resume", "The people of this house see"), ("revoke", "This pass was taken back")):
        assert module_owner.post(f"{path}/{step}").ok
        page.evaluate("dispatchEvent(new Event('online'))")
        page.locator(".fine", has_text=said).wait_for()
        assert button.is_enabled() == (step == "resume"), step
    guest.close()


def test_a_new_pass_is_shown_as_taken_once_a_phone_has_it(module_hub, module_owner, watch):  # noqa: F811
    host, _ = at_home(watch, module_hub, module_owner, "Maker", "/guests/new", role="admin")
    page = host.page
    page.wait_for_selector(".what")
    page.get_by_label("Who", exact=True).fill("Painter")
    page.get_by_role("checkbox", name="Front door").check()
    page.get_by_role("button", name="Today", exact=True).click()
    page.get_by_role("button", name="Make the pass").click()
    page.get_by_text("The pass for Painter is made").first.wait_for()
    link = page.locator("[data-link]").get_attribute("data-link")
    assert house.pair(module_hub, link.split("#")[1]).status_code == 200
    host.state("guest-taken", "The pass for Painter is taken", sizes=SIZES, gone=("Send the link",))
    host.close()
