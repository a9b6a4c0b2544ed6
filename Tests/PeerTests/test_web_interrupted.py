"""Interrupted actions: a device that slept, a silent hub, an ended session. Nothing happens late, and no message is wrong."""

import re
import signal

import pytest

import house
from test_tour import DESK, PASSWORD, browser  # noqa: F401
from test_web_live import asking_guest, control, door, look, on_line, say_yes  # noqa: F401
from test_web_states import answer_with, move_in, never, sign_in, watch  # noqa: F401

pytestmark = pytest.mark.long

HOUR = 3_600_000
# The times of the page's door requests, by its own clock.
ASKED = """
    window.asked = [];
    const ask = window.fetch;
    window.fetch = (url, how) => {
        if (/\\/control$/.test(url)) window.asked.push(Date.now());
        return ask(url, how);
    };
"""
HOLD = "door-row:has-text('{}') .hold"
KEPT = "Object.keys(sessionStorage).filter((name) => name.startsWith('cardea-door-'))"


def sleeper(watch, hub, name, username="owner"):  # noqa: F811
    """A person whose device can be sent to sleep."""
    someone = watch(name)
    someone.page.clock.install()
    someone.page.add_init_script(ASKED)
    sign_in(someone, hub, username)
    someone.page.locator("door-row .hold").first.wait_for()
    return someone


# Residents' doors


def test_a_door_command_from_before_sleep_does_not_run_after_waking(module_hub, module_owner, watch):  # noqa: F811
    control(module_owner, "front-door", "lock")
    before = house.actuations(module_owner)
    someone = sleeper(watch, module_hub, "sleeper")
    page = someone.page
    page.route("**/control", lambda route: route.abort())
    someone.unhurried()
    someone.hold(HOLD.format("Front door"))
    page.get_by_text("No connection. Trying again…").wait_for()
    someone.later(HOUR / 1000)
    page.get_by_text("We are not sure: the connection broke. Try the handle first.").first.wait_for()
    asked = page.evaluate("asked")
    assert asked[-1] - asked[0] < 11_000, "nothing was sent after it woke"

    # The same for a page that the browser restores after an hour.
    page.route("**/control", never)
    someone.hold(HOLD.format("Front door"))
    page.get_by_text(re.compile("Waiting for the lock…")).first.wait_for()
    page.evaluate(f"{KEPT}.forEach((name) => sessionStorage.setItem(name, JSON.stringify({{ ...JSON.parse(sessionStorage[name]), at: Date.now() - {HOUR} }})))")
    page.reload()
    page.locator(HOLD.format("Front door")).wait_for()
    assert page.evaluate("asked") == []
    assert house.actuations(module_owner) == before
    someone.close()


def test_a_pending_command_is_not_left_for_the_next_user(module_hub, module_owner, watch):  # noqa: F811
    control(module_owner, "front-door", "lock")
    someone = watch("leaving", size=DESK)
    page = someone.page
    sign_in(someone, module_hub, move_in(module_owner, "Tenant"))
    page.route("**/control", never)
    someone.hold(HOLD.format("Front door"))
    page.get_by_text(re.compile("Waiting for the lock…")).first.wait_for()
    assert len(page.evaluate(KEPT)) == 1, "a reload asks for the same one"
    page.locator(".rail-me").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out").last.click()
    page.wait_for_url("**/sign-in")
    assert page.evaluate(KEPT) == []
    someone.close()


def test_a_slow_garage_door_is_waited_for_after_a_reload(module_hub, module_owner, watch):  # noqa: F811
    control(module_owner, "garage", "close")
    someone = sleeper(watch, module_hub, "patient")
    page = someone.page
    page.route("**/control", answer_with(409, "in_flight"))
    someone.hold(HOLD.format("Garage door"))
    page.get_by_text(re.compile("Waiting for the door…")).first.wait_for()
    house.until(lambda: len(page.evaluate("asked")) > 1, "it asks what became of it")
    page.clock.fast_forward(20_000)
    page.unroute_all(behavior="ignoreErrors")
    door(page, "Garage door").get_by_text(re.compile("^Opened ")).wait_for()
    someone.close()


def test_a_truncated_answer_is_retried_and_the_door_opens_once(module_hub, module_owner, watch):  # noqa: F811
    control(module_owner, "front-door", "lock")
    before = house.actuations(module_owner)
    someone = watch("cut")
    page = someone.page
    sign_in(someone, module_hub)
    cut = []

    def half(route):
        if cut:
            return route.continue_()
        cut.append(route.fetch().text())
        route.fulfill(status=200, content_type="application/json", body=cut[0][:20])

    page.route("**/control", half)
    someone.hold(HOLD.format("Front door"))
    door(page).get_by_text(re.compile("^Opened ")).wait_for()
    assert cut and house.actuations(module_owner) == before + 1
    control(module_owner, "front-door", "lock")
    someone.close()


# A silent hub


def test_a_silent_hub_counts_as_disconnected(start_hub, tmp_path, watch):  # noqa: F811
    hub = start_hub(tmp_path / "house", "--virtual-house")
    house.claim(hub, PASSWORD)
    someone = watch("owner")
    page = someone.page
    sign_in(someone, hub)
    page.locator("door-row .hold").first.wait_for()
    hub.process.send_signal(signal.SIGSTOP)
    try:
        page.evaluate("dispatchEvent(new Event('online'))")
        page.get_by_text("No connection to the house. What you see may be old.").first.wait_for()
        assert not page.get_by_role("button", name="Hold to open").count(), "a door that cannot be asked offers nothing"
    finally:
        hub.process.send_signal(signal.SIGCONT)
    page.locator("door-row .hold").first.wait_for()
    someone.close()


# A guest


@pytest.mark.parametrize("last", ["broke", "was answered as the phone woke"])
def test_an_approval_during_sleep_is_not_reported_as_unanswered(module_owner, watch, last):  # noqa: F811
    """Its last request failed, or hung for as long as it slept, and an approval of an hour ago was shown as an open door."""
    guest, guest_id, _ = asking_guest(watch, module_owner, "Sitter", script=None)
    page = guest.page
    page.route("**/api/v1/realtime/ticket", answer_with(503, "service_unavailable"))
    page.clock.install()
    page.reload()
    guest.ask()
    page.get_by_text("Someone who may let guests in has to say yes").first.wait_for()
    # Asleep from here on, and woken after the approval's time limit. The house's time comes with the pass, and in this test it is not an hour later.
    under_way = []
    page.route("**/api/guest_access/pass", lambda route: route.abort())
    page.route("**/api/guest_access/action", lambda route: under_way.append(route) or (last == "broke" and route.abort()))
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 20)
    house.until(lambda: page.evaluate("true") and under_way, "it asks once more")
    before = house.actuations(module_owner)
    say_yes(module_owner, guest_id)
    house.until(lambda: house.actuations(module_owner) == before + 1, "the door opens")
    page.clock.fast_forward(HOUR)
    if last != "broke":
        under_way[0].continue_()
    page.clock.resume()
    page.get_by_text("We are not sure it opened").first.wait_for()
    assert not page.get_by_text("Nobody answered").count()
    page.unroute_all(behavior="ignoreErrors")
    page.route("**/api/v1/realtime/ticket", answer_with(503, "service_unavailable"))

    # Without an approval it says so, though it slept.
    control(module_owner, "front-door", "lock")
    page.get_by_role("button", name="Try once more").click()
    guest.ask()
    page.get_by_text("Someone who may let guests in has to say yes").first.wait_for()
    page.route("**/api/guest_access/action", lambda route: route.fulfill(status=403, json={"success": False, "error": "approval_rejected", "reason": "unanswered", "use_returned": True}))
    page.clock.fast_forward(HOUR)
    page.get_by_text("Nobody answered").first.wait_for()
    guest.close()


def test_a_new_link_is_shown_until_a_phone_takes_it(module_hub, module_owner, look):  # noqa: F811
    made = house.invite(module_owner, name="Cleaner")
    assert house.pair(module_hub, made["pairing_code"]).status_code == 200
    path = f"/api/v1/guests/{made['guest_id']}"
    someone = look("host", to=f"/guests/{made['guest_id']}")
    page = someone.page
    page.get_by_role("button", name="New link").click()
    page.get_by_role("dialog").get_by_role("button", name="Make new link").click()
    link = page.locator("[data-link]")
    link.wait_for(state="attached")
    for verb, offered in (("suspend", "Let it work again"), ("resume", "Pause")):
        assert module_owner.post(f"{path}/{verb}").ok
        page.get_by_role("button", name=offered).wait_for()
        assert link.count() == 1, f"still there after {verb}"
    assert house.pair(module_hub, link.get_attribute("data-link").split("#")[1]).status_code == 200
    link.wait_for(state="detached")
    someone.close()


# A session


def ends(owner, username):
    """The hub ends every session of a person; they may sign in again."""
    person = next(p for p in owner.get("/api/v1/people").json()["people"] if p["username"] == username)
    for disabled in (True, False):
        assert owner.call("PATCH", f"/api/v1/people/{person['person_id']}", {"disabled": disabled}).ok


def sign_in_again(page, username):
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("User name").fill(username)
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    dialog.get_by_role("button", name="Sign in", exact=True).click()


def test_an_ended_session_asks_to_sign_in_until_it_is_renewed(module_owner, look):  # noqa: F811
    username = move_in(module_owner, "Nephew")
    someone = look("nephew", username)
    page = someone.page
    ends(module_owner, username)
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    for _ in range(3):
        page.keyboard.press("Escape")
    dialog.get_by_text("Your session ended. Nothing on this page is lost.").wait_for()
    assert dialog.count() == 1

    # The connection is lost just after the approval: the page continues when it is back.
    page.route("**/api/v1/people/me", lambda route: route.abort())
    with page.expect_request("**/api/v1/people/me"):
        sign_in_again(page, username)
    dialog.wait_for(state="detached")
    page.unroute_all(behavior="ignoreErrors")
    house.until(lambda: on_line(page), "the page is on the line again")
    someone.close()


def test_another_tab_does_not_silently_change_its_user(module_owner, look):  # noqa: F811
    username, other = move_in(module_owner, "Sister"), move_in(module_owner, "Brother")
    someone = look("shared", username)
    first, second = someone.page, someone.context.new_page()
    second.goto(first.url)
    second.locator("door-row").first.wait_for()
    for page in (first, second):
        page.set_viewport_size(DESK)
        page.get_by_role("button", name=re.compile("^Sister")).first.wait_for()

    # The same person again: both continue where they were.
    ends(module_owner, username)
    for page in (first, second):
        page.get_by_role("dialog").wait_for()
    second.evaluate("window.same = true")
    sign_in_again(first, username)
    for page in (first, second):
        page.get_by_role("dialog").wait_for(state="detached")
    assert second.evaluate("window.same"), "nothing of the page is lost"
    house.until(lambda: on_line(first), "on the line again")

    # Another person: their view, in both.
    ends(module_owner, username)
    for page in (first, second):
        page.get_by_role("dialog").wait_for()
    sign_in_again(first, other)
    for page in (first, second):
        page.get_by_role("button", name=re.compile("^Brother")).first.wait_for()
    someone.close()
