"""Events of the house appear at once on every open page, and a dropped connection loses none."""

import collections
import re

import pytest

import house
from conftest import Owner
from test_tour import browser, take  # noqa: F401
from test_web_states import FRAMES, answer_with, move_in, sign_in, watch  # noqa: F401

pytestmark = pytest.mark.long

# The page's sockets: `lines`, each with what it `said`, what it was `told`, and how many of its pings are `unanswered`; and in `flying`
# how many answers of the hub are pending.
LINES = """{
    window.lines = [];
    const Real = WebSocket, ask = window.fetch;
    window.WebSocket = class extends Real {
        constructor(...all) {
            super(...all);
            window.lines.push(this);
            Object.assign(this, { said: [], told: [], heard: 0, unanswered: 0 });
            const send = this.send.bind(this);
            this.send = (text) => {
                const message = JSON.parse(text);
                this.said.push(message);
                this.unanswered += message.type === 'ping';
                send(text);
            };
            this.addEventListener('message', ({ data }) => {
                const message = JSON.parse(data);
                this.heard += 1;
                this.unanswered -= message.type === 'pong';
                this.told.push(`${message.type} ${(message.data && message.data.device_id) || ''}`.trim());
            });
        }
    };
    window.flying = 0;
    window.fetch = (...all) => {
        window.flying += 1;
        return ask(...all).finally(() => { window.flying -= 1; });
    };
}"""


@pytest.fixture
def look(watch, module_hub, module_owner):  # noqa: F811
    """A signed-in page whose sockets can be counted and cut."""

    def come(name, username="owner", to="/", clock=False):
        """`clock`: the test stops the page's clock."""
        someone = watch(name)
        if clock:
            someone.page.clock.install()
        someone.page.add_init_script(LINES)
        sign_in(someone, module_hub, username, to=to)
        house.until(lambda: on_line(someone.page), "the page is on the line")
        return someone

    return come


def on_line(page):
    return page.evaluate("window.lines.filter((one) => one.readyState === 1 && one.heard).length")


def told(page, what):
    """Waits until the socket has sent this."""
    house.until(lambda: what in page.evaluate("window.lines.flatMap((one) => one.told)"), f"{what} is told")


def answered(page):
    """Waits until no request of the page is pending."""
    house.until(lambda: page.evaluate("window.flying === 0 && window.lines.every((one) => one.readyState !== 1 || !one.unanswered)"), "every answer has come")


def calm(someone):
    """Stops the page's clock, and waits until no request of the page is pending."""
    someone.stop_time()
    answered(someone.page)
    someone.page.evaluate("window.lines.forEach((one) => { one.told = []; })")


def at_once(someone, happens, what, seen):
    """Shows that `seen` comes from the socket and not from polling: the page's clock advances by one second only."""
    calm(someone)
    happens()
    told(someone.page, what)
    someone.page.clock.run_for(1000)
    seen.wait_for()
    someone.page.clock.resume()


def fine(answer):
    assert answer.ok, answer.text


def control(owner, device, action, value=None):
    body = {"action": action} if value is None else {"action": action, "value": value}
    assert owner.put(f"/api/v1/devices/{device}/control", body).status_code == 200


def door(page, name="Front door"):
    return page.locator("door-row", has_text=name).first


def test_changes_appear_on_a_second_page(module_owner, look):
    control(module_owner, "front-door", "lock")
    one, other = look("one"), look("other", to="/activity")
    other.page.goto(other.page.url.replace("/activity", "/devices/study-light"))
    other.page.locator("device-tile").first.wait_for()
    house.until(lambda: on_line(other.page), "the other page is on the line again")
    tile = one.page.locator("device-tile", has_text="Study light").first
    seen = other.page.locator("device-tile .tile-state").first
    was = seen.inner_text()
    tile.get_by_role("button", name=re.compile("^Switch ")).first.click()
    house.until(lambda: seen.inner_text() != was, "the lamp is seen to change on the other page")

    # And the door, by a caller without a page.
    other.page.goto(other.page.url.replace("/devices/study-light", "/"))
    for word, action in (("Unlocked", "unlock"), ("Locked", "lock")):
        control(module_owner, "front-door", action)
        for someone in (one, other):
            house.until(lambda: word in door(someone.page).inner_text(), f"{word} on both pages")
    one.close()
    other.close()


def test_a_connected_page_does_not_poll(look):
    someone = look("idle", clock=True)
    page = someone.page
    calm(someone)
    asked = collections.Counter()
    page.on("request", lambda request: asked.update([request.url]))
    # Without a socket each of them is requested every eight seconds at least; with one, once a minute.
    for _ in range(30):
        page.clock.run_for(1000)
        answered(page)
    again = {url: times for url, times in asked.items() if re.search("/(devices|guests|asks)$", url)}
    assert not again or max(again.values()) == 1, again
    page.clock.resume()
    someone.close()


def test_a_dropped_connection_resumes_at_its_cursor(module_owner, look):
    someone = look("dropped")
    page = someone.page
    control(module_owner, "hall-light", "set_brightness", 21)
    tile = page.locator("device-tile", has_text="Hall light").first
    house.until(lambda: "21" in tile.inner_text(), "21 % is seen")
    # Polling is off, so every change seen came from the socket.
    page.route("**/api/v1/devices", answer_with(503, "service_unavailable"))
    page.evaluate("window.lines.at(-1).close()")
    control(module_owner, "hall-light", "set_brightness", 43)
    control(module_owner, "front-door", "unlock")
    house.until(lambda: page.evaluate("window.lines.length") > 1 and on_line(page), "a new line")
    said = page.evaluate("window.lines.at(-1).said[0]")
    assert said["type"] == "subscribe" and said["after"] > 0, "from where it was"
    house.until(lambda: "43" in tile.inner_text() and "Unlocked" in door(page).inner_text(), "what happened meanwhile is seen")
    page.unroute_all(behavior="ignoreErrors")
    control(module_owner, "front-door", "lock")
    house.until(lambda: "Locked" in door(page).inner_text(), "and what happens from then on")
    page.locator(".banner").first.wait_for(state="hidden")

    # No connection at all, and the door moves meanwhile.
    someone.context.set_offline(True)
    page.get_by_text("No connection to the house. What you see may be old.").first.wait_for()
    control(module_owner, "front-door", "unlock")
    someone.context.set_offline(False)
    house.until(lambda: "Unlocked" in door(page).inner_text() and page.locator(".banner").first.is_hidden(), "caught up")
    control(module_owner, "front-door", "lock")
    someone.close()


def test_without_a_socket_the_page_polls(module_owner, watch, module_hub):  # noqa: F811
    someone = watch("without")
    someone.page.route("**/api/v1/realtime/ticket", answer_with(503, "service_unavailable"))
    sign_in(someone, module_hub)
    door(someone.page).wait_for()
    control(module_owner, "front-door", "unlock")
    house.until(lambda: "Unlocked" in door(someone.page).inner_text(), "asked for")
    control(module_owner, "front-door", "lock")
    house.until(lambda: "Locked" in door(someone.page).inner_text(), "asked for again")
    assert someone.page.locator(".banner").first.is_hidden()
    someone.close()


def test_guest_and_people_changes_appear_at_once(module_owner, look):
    someone = look("host", to="/guests", clock=True)
    page = someone.page
    at_once(someone, lambda: house.invite(module_owner, name="Gardener"), "guest_update", page.get_by_role("link", name="Gardener"))
    page.get_by_role("link", name="Gardener").click()
    page.get_by_role("heading", name="Gardener", level=1).wait_for()
    suspend = f"/api/v1/guests/{page.url.rpartition('/')[2]}/suspend"
    at_once(someone, lambda: fine(module_owner.post(suspend)), "guest_update", page.get_by_role("button", name="Let it work again"))
    page.goto(re.sub("/guests.*", "/people", page.url))
    page.locator(".rows a").first.wait_for()
    house.until(lambda: on_line(page), "on the line")
    at_once(someone, lambda: move_in(module_owner, "Aunt"), "person_update", page.get_by_role("link", name="Aunt"))
    someone.close()


def test_a_programs_action_is_shown_with_its_name(module_owner, look):
    control(module_owner, "front-door", "lock")
    made = module_owner.post("/api/v1/auth/api-tokens", {"name": "Hall display", "grants": [{"device_id": "front-door", "actions": ["unlock"]}]})
    assert made.status_code == 201, made.text
    program = Owner(module_owner.hub, {"access_token": made.json()["token"]})
    someone = look("reader")
    page = someone.page
    assert program.put("/api/v1/devices/front-door/control", {"action": "unlock"}).status_code == 200
    house.until(lambda: "by the program Hall display" in door(page).inner_text(), "the door names it")
    page.goto(module_owner.hub.url + "/activity")
    someone.state("activity-via", "You · by the program Hall display")
    page.get_by_role("button", name="Front door opened").first.click()
    page.get_by_role("definition").filter(has_text="You, by the program Hall display").first.wait_for()
    control(module_owner, "front-door", "lock")
    someone.close()


def test_a_hidden_page_does_not_render_and_catches_up(module_owner, look):
    control(module_owner, "front-door", "lock")
    someone = look("hidden")
    page = someone.page
    house.until(lambda: "Locked" in door(page).inner_text(), "the door is seen")
    hide = "(hidden) => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true }); document.dispatchEvent(new Event('visibilitychange')); }"
    page.evaluate(hide, True)
    page.evaluate("window.lines.forEach((one) => { one.told = []; })")
    control(module_owner, "front-door", "unlock")
    told(page, "device_update front-door")
    page.evaluate(FRAMES)
    assert "Locked" in door(page).inner_text(), "nothing is painted while nobody looks"
    page.evaluate(hide, False)
    house.until(lambda: "Unlocked" in door(page).inner_text(), "caught up")
    control(module_owner, "front-door", "lock")
    someone.close()


def test_an_ended_session_is_reported_at_once(module_owner, look):
    username = move_in(module_owner, "Lodger")
    someone = look("lodger", username)
    person = next(p for p in module_owner.get("/api/v1/people").json()["people"] if p["username"] == username)
    module_owner.call("PATCH", f"/api/v1/people/{person['person_id']}", {"disabled": True})
    someone.page.get_by_role("dialog").wait_for()
    assert "Your session ended" in someone.page.get_by_role("dialog").inner_text()
    someone.close()


def test_changed_permissions_rebuild_the_page(module_owner, look):
    username = move_in(module_owner, "Cousin")
    someone = look("cousin", username)
    assert not someone.page.get_by_role("link", name="Guests").count()
    person = next(p for p in module_owner.get("/api/v1/people").json()["people"] if p["username"] == username)
    module_owner.call("PATCH", f"/api/v1/people/{person['person_id']}", {"can_invite_guests": True})
    someone.page.get_by_role("link", name="Guests").first.wait_for()
    someone.close()


# A guest, who receives events of their own pass only


def asking_guest(watch, module_owner, name, script=None):  # noqa: F811
    """A phone with a pass with approval for each use; and its requests to the hub from then on."""
    guest = watch(name)
    if script:
        guest.page.add_init_script(script)
    made = house.invite(module_owner, max_uses=0, ask_each_time=True, name=name)
    take(guest, made["link"])
    asked = []
    guest.page.on("request", lambda request: asked.append(request.url.split("/")[-1]) if "/api/guest_access/" in request.url else None)
    return guest, made["guest_id"], asked


def say_yes(module_owner, guest_id):
    asks = house.until(lambda: [one for one in module_owner.get("/api/v1/asks").json()["asks"] if one["guest_id"] == guest_id], "the ask arrives")
    assert module_owner.post(f"/api/v1/commands/{asks[0]['command_id']}/approve").ok


def test_changes_of_a_pass_appear_on_the_guests_page_at_once(module_owner, watch):  # noqa: F811
    guest, guest_id, asked = asking_guest(watch, module_owner, "Florist", LINES)
    page = guest.page
    house.until(lambda: on_line(page), "the guest is on the line")
    # With a clock that advances by four and a half seconds only.
    guest.stop_time()
    guest.press(".leaf-button")
    page.clock.run_for(800)
    page.mouse.up()
    page.get_by_text("Someone who may let guests in has to say yes").first.wait_for()
    page.clock.run_for(4500)
    answered(page)
    # Once, and once more where the "waiting" event comes after the answer; by polling alone it would be three.
    assert asked.count("action") <= 2, "what will be told is not asked for"
    say_yes(module_owner, guest_id)
    page.locator('door-leaf[data-face="open"]').wait_for()
    guest.unhurried()
    control(module_owner, "front-door", "lock")

    assert module_owner.post(f"/api/v1/guests/{guest_id}/suspend").ok
    page.get_by_text("This pass is paused").first.wait_for()
    assert module_owner.post(f"/api/v1/guests/{guest_id}/resume").ok
    page.evaluate("dispatchEvent(new Event('online'))")
    page.locator(".leaf-button").wait_for()

    # The socket reconnects, and reports the end.
    house.until(lambda: on_line(page), "the guest is on the line again")
    page.evaluate("window.lines.filter((one) => one.readyState === 1).forEach((one) => one.close())")
    house.until(lambda: on_line(page), "a line that was cut comes back")
    assert module_owner.post(f"/api/v1/guests/{guest_id}/revoke").ok
    page.get_by_text(re.compile("^This pass was taken back")).first.wait_for()
    guest.close()


@pytest.mark.parametrize("wall", ["no socket", "no ticket"])
def test_a_guest_without_a_socket_is_served(module_owner, watch, wall):  # noqa: F811
    script = "window.WebSocket = class { constructor() { throw new TypeError('not here'); } };" if wall == "no socket" else None
    guest = watch(wall)
    if wall == "no ticket":
        guest.page.route("**/api/v1/realtime/ticket", answer_with(503, "service_unavailable"))
    if script:
        guest.page.add_init_script(script)
    made = house.invite(module_owner, max_uses=0, ask_each_time=True, name=wall)
    take(guest, made["link"])
    guest.hold(".leaf-button")
    guest.page.get_by_text("Someone who may let guests in has to say yes").first.wait_for()
    say_yes(module_owner, made["guest_id"])
    guest.page.locator('door-leaf[data-face="open"]').wait_for()
    control(module_owner, "front-door", "lock")
    assert module_owner.post(f"/api/v1/guests/{made['guest_id']}/revoke").ok
    guest.page.get_by_text(re.compile("^This pass was taken back")).first.wait_for()
    guest.close()
