"""States that the tour does not reach: loading, empty, an error, old data, no connection, no permission. Each is produced and checked.

Each is checked by axe in one theme, alternating; `CARDEA_PICTURES=1`, as in `make chaos`, checks it in both, and photographs it at every size.
"""

import json
import re

import playwright.sync_api as playwright
import pytest
import requests

import house
import test_web_budgets
from test_tour import DESK, PASSWORD, PHONE, PHOTOGRAPH, PICTURES, SMALL, Visitor, browser, take  # noqa: F401

pytestmark = pytest.mark.long

TABLET = {"width": 768, "height": 1024}
HOUSE_SIZES = (PHONE, TABLET, DESK)
GUEST_SIZES = (SMALL, *HOUSE_SIZES)
STEP_UP = {"error": {"code": "step_up_required", "message": "no", "details": {"methods": ["password"], "lasts": 300}, "timestamp": "2026-11-21T14:31:07.250Z", "request_id": "req-1"}}


class Watcher(Visitor):
    """A browser with provoked failures: the browser's own messages about them are not complaints."""

    def __init__(self, browser, name, size=PHONE, **context):
        super().__init__(browser, name, size, device_scale_factor=2, **context)
        self.refusals_expected = True
        self.turn = 0

    def ask(self):
        """What the leaf does after a hold, where the gesture itself is not under test."""
        self.page.wait_for_selector('door-leaf[data-face="leaf"]')
        self.page.locator("door-leaf").evaluate("(leaf) => leaf.dispatchEvent(new CustomEvent('open'))")

    def _heard(self, message):
        # The browser logs a lost connection for each request and each socket; no page can prevent that.
        is_line = "net::ERR_" in message.text and message.text.startswith(("Failed to load resource: ", "WebSocket connection to "))
        # So is its own check for a newer service worker, a second or more after a page was opened; the page did not request it.
        is_update = message.text == "An unknown error occurred when fetching the script."
        if not is_line and not is_update:
            super()._heard(message)

    def state(self, name, *words, sizes=HOUSE_SIZES, gone=()):
        """Waits until the page shows `words`, checks it in both themes, and photographs it when asked to."""
        for word in words:
            try:
                self.page.get_by_text(word).locator("visible=true").first.wait_for()
            except playwright.TimeoutError:
                pytest.fail(f"{name}: no {word!r} in {self.page.inner_text('body')!r}")
        for word in gone:
            assert not self.page.get_by_text(word).locator("visible=true").count(), f"{name} still says {word!r}"
        before = self.page.viewport_size
        self.turn += 1
        for theme in ("light", "dark") if PHOTOGRAPH else (("light", "dark")[self.turn % 2],):
            self.page.emulate_media(color_scheme=theme)
            for size in sizes if PHOTOGRAPH else ():
                PICTURES.mkdir(parents=True, exist_ok=True)
                self.page.set_viewport_size(size)
                self.still()
                scale = "device" if size == PHONE else "css"
                self.page.screenshot(path=PICTURES / f"state-{name}-{size['width']}-{theme}.png", scale=scale)
            sideways = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert sideways <= 0, f"{name} scrolls {sideways} px sideways"
            self._axe(f"{name}, {theme}")
        self.page.emulate_media(color_scheme="light")
        self.page.set_viewport_size(before)


@pytest.fixture
def watch(browser):  # noqa: F811
    there = []

    def come(name, **context):
        watcher = Watcher(browser, name, **context)
        there.append(watcher)
        return watcher

    yield come
    for watcher in there:
        watcher.context.close()
    mend()


def sign_in(visitor, hub, username="owner", password=PASSWORD, to="/"):
    """By the page's own call, with the key and the cookie of the form: the tour covers the form."""
    page = visitor.page
    page.goto(hub.url + "/sign-in")
    page.evaluate(
        "async ([username, password]) => (await import('/assets/Sessions/signin.js')).signIn('/auth/login', { username, password })",
        [username, password],
    )
    visitor.complaints.clear()
    if to:
        page.goto(hub.url + to)


def move_in(owner, name, role="member"):
    """A resident added by invitation; returns their user name."""
    made = owner.post("/api/v1/people", {"name": name, "role": role}).json()
    username = name.lower()
    body = {"invite_token": made["invite_link"].split("#")[1], "username": username, "password": PASSWORD}
    assert requests.post(owner.hub.url + "/api/v1/people/accept", json=body, timeout=60).status_code == 201
    return username


# The injected faults, and their house.
FAULTY = {}


def fault(owner, device_id, name):
    assert owner.post("/api/v1/integrations/virtual/faults", {"device_id": device_id, "fault": name}).ok
    FAULTY[device_id] = owner
    if name == "none":
        del FAULTY[device_id]


def mend():
    """A failed test leaves no fault for the next one."""
    for device_id, owner in list(FAULTY.items()):
        del FAULTY[device_id]
        if owner.hub.process.poll() is None:
            fault(owner, device_id, "none")


FORGET = "new Promise((done) => { const gone = indexedDB.deleteDatabase('cardea-board'); gone.onsuccess = gone.onerror = gone.onblocked = done; })"
KEPT = "new Promise((done) => { indexedDB.open('cardea-board', 1).onsuccess = (e) => { e.target.result.transaction('kept').objectStore('kept').count().onsuccess = (c) => done(c.target.result); }; })"


def answer_with(status, code="internal_error"):
    body = {"error": {"code": code, "message": "no", "details": {}, "timestamp": "2026-11-21T14:31:07.250Z", "request_id": "req-1"}}
    return lambda route: route.fulfill(status=status, content_type="application/json", body=json.dumps(body))


def never(route):
    """No answer during the test."""


class Held:
    """Holds the answers to `url` from now on, until the test releases them; `calls` are the waiting ones."""

    def __init__(self, page, url):
        self.page, self.url, self.calls = page, url, []
        self.is_over = False
        page.route(url, self._hear)

    def _hear(self, route):
        if self.is_over:
            route.fallback()
        else:
            self.calls.append(route)

    def came(self):
        """Waits until there is one; a handler runs only while the test talks to the browser."""
        house.until(lambda: self.page.evaluate("true") and self.calls, f"{self.url} is asked")

    def go(self):
        """Releases the waiting ones to the hub, and holds no more."""
        self.came()
        # The route itself stays: removing it makes the browser release the waiting requests, at an unknown time.
        self.is_over = True
        for route in self.calls:
            route.fallback()


# A script for a page that waits for an answer without a limit.
PATIENT = "AbortSignal.timeout = () => new AbortController().signal;"
# Until the page is painted.
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
# The browser's stored page for its next start.
BOARD = "import('/assets/Shell/storage.js').then(({ loadSnapshot }) => loadSnapshot()).then((kept) => JSON.stringify(kept))"


def asking(page):
    """Removes the provoked failures. There is no socket to the hub, so the page shows the answers to its own requests."""
    page.unroute_all(behavior="ignoreErrors")
    page.route("**/api/v1/realtime/ticket", answer_with(503, "service_unavailable"))


def try_again(page, asks, then):
    """Clicks "Try again" while the failure lasts, since the page also retries by itself, and a good answer would remove the button; then
    again after `then`, for as long as it is there."""
    with page.expect_response(asks):
        page.get_by_role("button", name="Try again").click()
    then()
    touch = "() => { const button = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Try again'); button?.click(); return !button; }"
    page.wait_for_function(touch, polling=250)


# Sign-in


def test_claim_and_sign_in(start_hub, tmp_path, watch):
    hub = start_hub(tmp_path / "house", "--virtual-house")
    first = watch("first owner")
    page = first.page

    page.route("**/api/v1/claim", never)
    page.goto(hub.claim_url)
    first.state("claim-loading", "A new house", "1 of 2")
    page.unroute("**/api/v1/claim")

    page.fill("input[name=organization]", "Linden Street 14")
    page.get_by_role("button", name="Next").click()
    page.fill("input[name=name]", "Owner")
    page.fill("input[name=username]", "owner")
    page.fill("input[name=password]", "short")
    page.get_by_role("button", name="Claim this house").click()
    first.state("claim-field", "At least 8 characters")
    page.fill("input[name=password]", PASSWORD)
    page.route("**/api/v1/claim", lambda route: route.abort())
    page.get_by_role("button", name="Claim this house").click()
    first.state("claim-offline", "No connection to the house. Try again when it answers.")
    page.unroute("**/api/v1/claim")
    page.route("**/api/v1/claim", answer_with(500))
    page.get_by_role("button", name="Claim this house").click()
    first.state("claim-error", "That did not work.", "Details")
    page.unroute("**/api/v1/claim")
    assert page.input_value("input[name=name]") == "Owner", "nothing typed is lost"
    page.get_by_role("button", name="Claim this house").click()
    page.locator("door-row").first.wait_for()

    stranger = watch("stranger")
    page = stranger.page
    # However slow this runs, a second on its clock passes only when the test says so.
    stranger.unhurried()
    page.goto(hub.claim_url)
    stranger.state("claim-denied", "This house already has an owner")
    page.goto(hub.url + "/sign-in")
    page.fill("input[name=username]", "owner")
    page.fill("input[name=password]", "not the password")
    page.get_by_role("button", name="Sign in").click()
    stranger.state("sign-in-denied", "The user name or the password is wrong.")
    page.route("**/api/v1/auth/login", lambda route: route.abort())
    page.get_by_role("button", name="Sign in").click()
    stranger.state("sign-in-offline", "No connection to the house. Try again when it answers.")
    page.unroute("**/api/v1/auth/login")
    page.route("**/api/v1/auth/login", lambda route: route.fulfill(status=429, headers={"Retry-After": "2"}, content_type="application/json", body='{"error":{"code":"rate_limited"}}'))
    page.get_by_role("button", name="Sign in").click()
    stranger.state("sign-in-throttled", "Too many tries. Again in 0:02.", sizes=(PHONE,))
    stranger.later(3)
    page.get_by_text("Too many tries").wait_for(state="hidden")

    # Offline: the cached home page for the one, with its memories; a plain message for the other.
    first.page.goto(hub.url + "/house/memory")
    first.page.get_by_role("button", name="Tell the house").click()
    first.page.get_by_label("In a sentence").fill("The spare key hangs in the cellar.")
    first.page.get_by_role("button", name="Remember").click()
    first.page.locator(".rows li", has_text="The spare key hangs in the cellar").first.wait_for()
    house.until(lambda: "The spare key hangs in the cellar" in first.page.evaluate(BOARD), "the board is kept with it")
    first.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    hub.kill()
    first.page.reload()
    first.state("memory-kept", "No connection to the house. What you see may be old.", re.compile("The spare key hangs in the cellar"))
    first.page.get_by_role("link", name="Home", exact=True).click()
    first.state("home-kept", "No connection to the house. What you see may be old.", "Doors open only when the house answers.", re.compile(r"As of \d+:\d\d:"))
    assert first.page.locator("door-row").count() >= 2
    for visitor in (first, stranger):
        visitor.close()


# Home


@pytest.fixture
def host(browser, module_hub, module_owner, request):  # noqa: F811
    """The owner's browser, new and signed in for each test; the module's ZONE is its time zone and the house's."""
    zone = getattr(request.module, "ZONE", "Europe/Berlin")
    if module_owner.get("/api/v1/house").json()["time_zone"] != zone:
        assert module_owner.put("/api/v1/house", {"time_zone": zone}).ok
    visitor = Watcher(browser, "owner", timezone_id=zone)
    try:
        sign_in(visitor, module_hub, to=None)
        yield visitor
    finally:
        visitor.context.close()
        mend()
    assert visitor.complaints == [], "the owner's console"


@pytest.fixture
def page(host):
    return host.page


def as_new(page, hub):
    """Empties the browser's stored data while no page of the app is open: the next page shows what the hub says."""
    page.goto(hub.url + "/assets/mark.svg")
    page.evaluate(FORGET)


def test_home_loading_empty_and_broken(module_hub, host, page):
    asking(page)
    as_new(page, module_hub)
    page.route("**/api/v1/devices", never)
    page.goto(module_hub.url + "/")
    page.locator(".skeleton").wait_for()
    host.state("home-loading", "Linden Street 14")
    asking(page)

    page.route("**/api/v1/devices", lambda route: route.fulfill(json={"devices": [], "total": 0}))
    page.goto(module_hub.url + "/")
    host.state("home-empty", "No devices yet", "Connect devices")
    asking(page)

    page.route("**/api/v1/devices", answer_with(500))
    page.goto(module_hub.url + "/")
    host.state("home-error", "Your devices could not be loaded", "Try again", "Details")
    try_again(page, "**/api/v1/devices", lambda: asking(page))
    page.locator("device-tile").first.wait_for()


def test_home_with_old_data_and_offline(module_hub, module_owner, host, page):
    asking(page)
    page.goto(module_hub.url + "/")
    page.locator("device-tile").first.wait_for()
    page.route("**/api/v1/devices", answer_with(500))
    host.state("home-stale", "The house has a problem. What you see may be old.", re.compile(r"As of \d+:\d\d:"))
    asking(page)
    page.locator(".banner").first.wait_for(state="hidden")
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    page.locator("device-tile").first.wait_for()
    host.context.set_offline(True)
    host.state("home-offline", "No connection to the house. What you see may be old.", "No connection. Doors open only when the house answers.")
    assert not page.get_by_role("button", name="Hold to open").count(), "a door that cannot be asked offers nothing"
    # A lamp's command waits and can be undone; if it is still wanted, it runs when the house answers.
    lamp = page.locator("device-tile", has_text="Study light")
    lamp.get_by_role("button", name=re.compile("^Switch ")).first.click()
    host.state("home-offline-lamp", re.compile(r"Waiting for the house until \d+:\d\d"))
    lamp.get_by_role("button", name="Undo Study light").click()
    assert not lamp.get_by_text("Waiting for the house").count()
    before = module_owner.get("/api/v1/devices/study-light").json()["entities"][0]["state"]
    lamp.get_by_role("button", name=re.compile("^Switch ")).first.click()
    page.get_by_role("link", name="Study", exact=True).click()
    page.get_by_role("heading", name="Study", level=1).wait_for()
    page.get_by_text("Waiting for the house").first.wait_for()
    page.go_back()
    # It survives a reload while the house is still away.
    page.reload()
    lamp.get_by_text("Waiting for the house").wait_for()
    host.context.set_offline(False)
    page.locator(".banner").first.wait_for(state="hidden")
    house.until(lambda: module_owner.get("/api/v1/devices/study-light").json()["entities"][0]["state"] != before, "the lamp does what it was asked")
    lamp.get_by_text("Waiting for the house").wait_for(state="detached")
    page.get_by_role("button", name="Hold to open").first.wait_for()
    # The previous user's command is neither shown nor kept.
    host.context.set_offline(True)
    page.get_by_text("No connection to the house.").first.wait_for()
    lamp.get_by_role("button", name=re.compile("^Switch ")).first.click()
    lamp.get_by_text("Waiting for the house").wait_for()
    page.evaluate("""() => {
        const wishes = JSON.parse(sessionStorage["cardea-wishes"]);
        sessionStorage["cardea-wishes"] = JSON.stringify(wishes.map((wish) => ({ ...wish, by: "somebody" })));
    }""")
    page.reload()
    lamp.wait_for()
    assert not lamp.get_by_text("Waiting for the house").count()
    assert page.evaluate("sessionStorage['cardea-wishes']") == "[]"
    host.context.set_offline(False)
    page.get_by_role("button", name="Hold to open").first.wait_for()


def test_an_answer_sent_before_the_connection_was_lost_does_not_restore_it(module_hub, module_owner, host, page):
    """The browser knew that it had lost its network; a late answer made the doors available for three more seconds."""
    asking(page)
    page.goto(module_hub.url + "/")
    page.locator("device-tile").first.wait_for()
    answer = json.loads(json.dumps(module_owner.get("/api/v1/devices").json()).replace("Study light", "Late light"))
    late = []
    page.evaluate(f"void ({PATIENT.rstrip(';')})")
    page.route("**/api/v1/devices", lambda route: late.append(route))
    with page.expect_request("**/api/v1/devices"):
        pass
    host.context.set_offline(True)
    page.get_by_text("No connection to the house.").first.wait_for()
    assert late, "an answer is under way"
    late[0].fulfill(json=answer)
    page.locator("device-tile", has_text="Late light").wait_for()
    assert not page.get_by_role("button", name="Hold to open").count(), "a door that cannot be asked offers nothing"
    host.context.set_offline(False)
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("button", name="Hold to open").first.wait_for()


def test_a_shown_home_page_survives_a_connection_lost_during_session_renewal(module_hub, host, page):
    """The cached page was shown, the session was being renewed, and the connection was lost just then: a card replaced the page."""
    page.goto(module_hub.url + "/")
    page.locator("device-tile").first.wait_for()
    house.until(lambda: page.evaluate(KEPT) == 2, "the board and its key are kept")
    page.route("**/api/v1/people/me", lambda route: route.abort())
    page.reload()
    with page.expect_request("**/api/v1/people/me") as first:
        page.locator("device-tile").first.wait_for()
    assert first.value
    with page.expect_request("**/api/v1/people/me"):
        pass
    assert page.locator("device-tile").count() and not page.get_by_text("The house does not answer").count()
    page.unroute_all(behavior="ignoreErrors")
    with page.expect_websocket(), page.expect_response("**/api/v1/people/me"):
        pass


def test_home_with_unreachable_jammed_and_silent_devices(module_hub, module_owner, host, page):
    page.goto(module_hub.url + "/")
    page.locator("device-tile").first.wait_for()
    fault(module_owner, "front-door", "unreachable")
    host.state("home-unreachable", re.compile("does not answer"), re.compile("last reported locked at"))
    # The gate allowed it and the door was not reachable: that is no refusal.
    assert module_owner.call("PUT", "/api/v1/devices/front-door/control", {"action": "unlock"}).status_code == 503
    page.goto(module_hub.url + "/activity")
    host.state("activity-unreachable", "Front door: did not answer", re.compile("nothing was sent"), gone=("Front door: refused",))
    fault(module_owner, "front-door", "jam")
    page.goto(module_hub.url + "/doors")
    host.hold("door-row:has-text('Front door') .hold")
    host.state("doors-jammed", re.compile("the lock is jammed"))
    fault(module_owner, "front-door", "none")
    fault(module_owner, "garage", "unreachable")
    fault(module_owner, "garage", "none")
    # It takes a while: here for as long as the test looks at it.
    page.route("**/control", never)
    host.hold("door-row:has-text('Garage') .hold")
    page.get_by_text("Waiting for the door…").first.wait_for()
    module_owner.call("PUT", "/api/v1/devices/front-door/control", {"action": "lock"})


def test_home_and_guests_without_permission(module_hub, module_owner, watch):
    assert module_owner.call("PATCH", "/api/v1/devices/front-door", {"is_security_device": True}).ok
    resident = watch("resident")
    sign_in(resident, module_hub, move_in(module_owner, "Daughter"))
    resident.state("home-denied", "Only owners and admins may open it.", "Why can’t I use it?", gone=("Guests",))
    resident.page.goto(module_hub.url + "/doors")
    resident.state("doors-denied", "Only owners and admins may open it.")
    for path in ("/guests", "/guests/new", "/guests/guest_nobody"):
        resident.page.goto(module_hub.url + path)
        resident.page.get_by_role("heading", name="Nothing here that you can see").wait_for()
    resident.state("guests-denied", "It may have been removed, or you may not see it.")
    module_owner.call("PATCH", "/api/v1/devices/front-door", {"is_security_device": False})
    resident.page.goto(module_hub.url + "/")
    house.until(lambda: resident.page.evaluate(KEPT) == 2, "the board and its key are kept")
    resident.page.get_by_role("button", name="More").click()
    resident.page.get_by_role("button", name="Sign out").click()
    resident.page.get_by_role("dialog").get_by_role("button", name="Sign out").last.click()
    resident.page.wait_for_url("**/sign-in")
    assert resident.page.evaluate(KEPT) == 0, "nothing of the house stays after signing out"
    resident.close()

    looker = watch("looker")
    sign_in(looker, module_hub, move_in(module_owner, "Visitor", "guest"))
    looker.state("home-no-right", "Your role does not allow it. An owner can change that.", gone=("Try again",))
    looker.close()


def test_a_session_that_ends_on_an_open_page(module_hub, module_owner, watch):
    someone = watch("resident")
    username = move_in(module_owner, "Lodger")
    sign_in(someone, module_hub, username)
    someone.page.locator("door-row").first.wait_for()
    person = next(p for p in module_owner.get("/api/v1/people").json()["people"] if p["username"] == username)
    module_owner.call("PATCH", f"/api/v1/people/{person['person_id']}", {"disabled": True})
    someone.page.get_by_role("dialog").wait_for()
    someone.state("session-ended", "Sign in again", "Your session ended. Nothing on this page is lost.")
    kept = someone.page.evaluate(KEPT)
    assert kept == 0, "what was kept of the house goes with the session"
    someone.close()


# Guests


def test_the_list_of_passes(module_hub, module_owner, host, page):
    as_new(page, module_hub)
    page.route("**/api/v1/guests", never)
    page.goto(module_hub.url + "/guests")
    page.locator(".skeleton").wait_for()
    host.state("guests-loading", "Let someone in")
    page.route("**/api/v1/guests", lambda route: route.fulfill(json={"guests": [], "total": 0}))
    page.goto(module_hub.url + "/guests")
    host.state("guests-empty", "No passes yet. Those you make appear here.")
    page.route("**/api/v1/guests", answer_with(503, "service_unavailable"))
    as_new(page, module_hub)
    page.goto(module_hub.url + "/guests")
    host.state("guests-error", "The passes could not be loaded", "The house is busy. Try again in a moment.")
    page.unroute_all(behavior="ignoreErrors")
    # The socket reports a new pass, so the list retries by itself.
    house.invite(module_owner, name="Neighbour", max_uses=0)
    page.get_by_role("link", name="Neighbour").wait_for()
    host.context.set_offline(True)
    host.state("guests-offline", "No connection to the house. What you see may be old.", "Neighbour")
    host.context.set_offline(False)
    quiet = {"id": "1", "at": "2026-11-21T14:31:07.250Z", "who": {"kind": "person", "name": "Daughter"}, "action": "guest.invite", "result": "done"}
    page.route("**/api/v1/activity?*", lambda route: route.fulfill(json={"entries": [quiet]}))
    page.goto(module_hub.url + "/activity?show=refused")
    host.state("activity-empty-filter", "Nothing was refused.", "Show everything")
    page.get_by_role("button", name="Show everything").click()
    page.get_by_role("button", name="Pass made").wait_for()


def test_a_weekly_pass(module_hub, module_owner, host, page):
    """Monday and Tuesday nights: the request, the sentence, and the details on the pass afterwards."""
    page.goto(module_hub.url + "/guests/new")
    page.locator(".what").first.wait_for()
    page.get_by_role("button", name="Make the pass").click()
    host.state("invite-field", "Enter who it is for.", "Choose at least one door.")
    page.get_by_label("Who", exact=True).fill("Night nurse")
    page.get_by_role("checkbox", name="Front door").check()
    page.get_by_role("radio", name="Every week").check()
    for day in ("Wednesday", "Thursday", "Friday"):
        page.get_by_role("button", name=day).click()
    schedule = page.locator(".schedule")
    schedule.get_by_label("From").fill("9pm")
    schedule.get_by_label("To", exact=True).fill("6")
    schedule.get_by_label("To", exact=True).press("Tab")
    assert schedule.get_by_label("From").input_value() == "21:00"
    assert schedule.get_by_label("To", exact=True).input_value() == "6:00"
    host.state("invite-weekly", "ends next day", re.compile("^Night nurse may open the front door Monday and Tuesday, 21:00 to 6:00, until .*, as often as they like"))

    # No typed text is lost when the house cannot accept it.
    page.route("**/api/v1/guests", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.get_by_role("button", name="Make the pass").click()
    host.state("invite-offline", "No connection to the house. Try again when it answers.", "ends next day")
    page.unroute_all(behavior="ignoreErrors")
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/api/v1/guests")) as sent:
        page.get_by_role("button", name="Make the pass").click()
    body = sent.value.post_data_json
    assert body["schedule"] == {"days": ["mon", "tue"], "from": "21:00", "to": "06:00"}
    assert body["max_uses"] == 0 and "starts_at" not in body
    page.get_by_role("link", name="Go to the pass").click()
    host.state("guest-weekly", re.compile("^Opens the front door Monday and Tuesday, 21:00 to 6:00, until .*, as often as they like"), re.compile("Mon and Tue 21:00.–.6:00"))
    made = next(g for g in module_owner.get("/api/v1/guests").json()["guests"] if g["name"] == "Night nurse")
    assert made["schedule"] in (body["schedule"], [body["schedule"]])


def test_errors_on_the_page_of_a_pass(module_hub, module_owner, host, page):
    made = house.invite(module_owner, name="Courier")
    path = f"/guests/{made['guest_id']}"
    page.route(f"**/api/v1{path}/qr.svg", answer_with(500))
    page.goto(module_hub.url + path)
    page.get_by_role("button", name="Show QR code").click()
    host.state("guest-no-qr", "Courier", re.compile("^Opens the front door"), "The code could not be drawn", "Try again")
    house.focused(page, "className", "qr", "the button is gone, the focus is where it was")
    assert page.locator(".qr").bounding_box()["height"] >= 256, "the card keeps its size"
    page.route(f"**/api/v1{path}/suspend", answer_with(500))
    page.get_by_role("button", name="Pause").click()
    # The code's error stays: another button's error once removed it.
    host.state("guest-not-paused", re.compile("That did not work"), "The code could not be drawn", "Try again")
    page.get_by_role("button", name="Pause").click()
    page.wait_for_function("document.querySelectorAll('.failed').length === 2")
    page.route(f"**/api/v1{path}", answer_with(500))
    page.goto(module_hub.url + path)
    host.state("guest-error", "That did not work.", "Try again")
    page.unroute_all(behavior="ignoreErrors")
    # The code alone lets a phone take the pass, so a session left open does not show it.
    page.route(f"**/api/v1{path}/qr.svg", lambda route: route.fulfill(status=403, json=STEP_UP), times=1)
    page.goto(module_hub.url + path)
    page.get_by_role("button", name="Show QR code").click()
    page.get_by_role("dialog").get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Confirm", exact=True).click()
    page.locator(".qr img").wait_for()
    house.focused(page, "className", "qr", "also when somebody said meanwhile who they are")
    host.context.set_offline(True)
    host.state("guest-offline", "No connection to the house. What you see may be old.", "Courier")
    host.context.set_offline(False)


# The guest's page


def coding(hub, script):
    path = script.relative_to(test_web_budgets.SITE)
    return requests.get(f"{hub.url}/{path}", headers={"Accept-Encoding": "gzip, br"}, timeout=60).headers["Content-Encoding"]


def test_the_guests_page_transfers_the_budgeted_size(module_hub, watch):
    page = watch("first").page
    test_web_budgets.weigh_what(module_hub)
    scripts = test_web_budgets.guest_scripts()
    # The hub compresses its files after its start.
    house.until(lambda: all(coding(module_hub, script) == "br" for script in scripts), "the files are packed")
    page.goto(module_hub.url + "/g", wait_until="networkidle")
    came = page.evaluate("performance.getEntriesByType('resource').filter((e) => /[.]js$/.test(new URL(e.name).pathname)).reduce((sum, e) => sum + e.encodedBodySize, 0)")
    weighed = test_web_budgets.total(scripts)
    assert abs(came - weighed) < 0.02 * weighed, f"{came} bytes of script came, {weighed} were weighed"


def test_the_guests_page(module_hub, module_owner, watch):
    guest = watch("guest")
    page = guest.page
    # "Just now" lasts a minute, and a command ten seconds: neither passes here.
    guest.unhurried()
    page.route("**/GuestPage/page.js", never)
    page.goto(module_hub.url + "/g", wait_until="commit")
    guest.state("g-loading", "A pass for a door", sizes=GUEST_SIZES)
    page.unroute_all(behavior="ignoreErrors")
    page.goto(module_hub.url + "/g")
    guest.state("g-empty", "There is no pass in this browser", "A code to type?", sizes=GUEST_SIZES)
    page.get_by_label("A code to type?").fill("7KQ2")
    page.keyboard.press("Enter")
    guest.state("g-short-code", "A code has 10 letters and digits, this has 4.", sizes=GUEST_SIZES)
    page.get_by_label("A code to type?").fill("7KQ2-M9PX-RT")
    page.keyboard.press("Enter")
    guest.state("g-wrong-code", "This code is not valid", sizes=GUEST_SIZES)

    both = house.invite(module_owner, {"device_id": "front-door", "actions": ["door.open"]}, max_uses=3)
    page.goto("about:blank")
    page.goto(both["link"])
    page.route("**/api/guest_access/pair", lambda route: route.abort())
    page.get_by_role("button", name="Use this pass on this phone").click()
    guest.state("g-take-offline", "No connection to the house", "Try again", sizes=GUEST_SIZES)
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("button", name="Try again").click()
    page.locator(".leaf-button").wait_for()

    page.route("**/api/guest_access/pass", answer_with(500))
    page.reload()
    guest.state("g-error", "The house has a problem", "Someone in the house can open the door.", "Last heard just now.", sizes=GUEST_SIZES)
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("button", name="Try again").click()
    page.locator(".leaf-button").wait_for()
    guest.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('online'))")
    guest.state("g-offline", "No connection to the house", "Doors open only when it answers", "Last heard just now.", sizes=GUEST_SIZES)
    guest.context.set_offline(False)
    page.locator(".leaf-button").wait_for()

    # At the door.
    for kind, words in {"jam": ("Not opened: the lock is jammed", "Push the door while trying again. This did not count.", "This try did not count"), "unreachable": ("Not opened", "The house cannot reach the lock. This did not count.")}.items():
        fault(module_owner, "front-door", kind)
        guest.ask()
        guest.state(f"g-{kind}", *words, "3 of 3 uses left", sizes=GUEST_SIZES)
        fault(module_owner, "front-door", "none")
        page.get_by_role("button", name=re.compile("Try again|Back to the pass")).click()
    module_owner.post(f"/api/v1/guests/{both['guest_id']}/suspend")
    page.evaluate("dispatchEvent(new Event('online'))")
    guest.state("g-paused", "This pass is paused", "It may work again later.", sizes=GUEST_SIZES)
    module_owner.post(f"/api/v1/guests/{both['guest_id']}/resume")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.locator(".leaf-button").wait_for()
    module_owner.post(f"/api/v1/guests/{both['guest_id']}/revoke")
    guest.ask()
    guest.state("g-revoked", re.compile("This pass was taken back (today|yesterday) at"), "Ask the house if you still need it.", sizes=GUEST_SIZES)
    guest.close()


def refuse(status, **body):
    return lambda route: route.fulfill(status=status, json={"success": False, **body})


def test_a_guests_garage_with_approval_for_each_use(module_hub, module_owner, watch):
    guest = watch("guest")
    page = guest.page
    made = house.invite(module_owner, {"device_id": "garage", "actions": ["garage.open", "garage.close"]}, max_uses=0, ask_each_time=True)
    take(guest, made["link"])
    guest.hold(".leaf-button")
    guest.state("g-asking", "Someone who may let guests in has to say yes", re.compile(r"Waiting, [012]:\d\d left\."), sizes=GUEST_SIZES, gone=("lock",))
    asks = lambda: [one for one in module_owner.get("/api/v1/asks").json()["asks"] if one["guest_id"] == made["guest_id"]]  # noqa: E731
    ask = house.until(asks, "the ask arrives")[0]
    assert module_owner.post(f"/api/v1/commands/{ask['command_id']}/reject").ok
    guest.state("g-said-no", "A resident said no", "Ring, or ask a resident. This did not count.", sizes=GUEST_SIZES)
    page.get_by_role("button", name="Back to the pass").click()

    guest.hold(".leaf-button")
    page.get_by_role("button", name="Cancel").click()
    guest.state("g-taken-back", "This try did not count", sizes=GUEST_SIZES)
    assert asks() == [], "nobody is asked any longer"

    said = {
        "g-unanswered": (refuse(403, error="approval_rejected", reason="unanswered", use_returned=True), "Nobody answered"),
        "g-not-sure": (refuse(504, error="outcome_unknown"), "The door has not answered. Look at it first. The command is not sent again automatically."),
        "g-garage-jammed": (refuse(500, error="action_execution_failed", reason="jammed", use_returned=True), "Not opened: the door is jammed"),
        "g-too-many": (refuse(429, error="rate_limited", retry_after=2), "Too many tries"),
        "g-only-here": (refuse(403, error="forbidden_remote"), "Join its Wi\u2011Fi and try again."),
        "g-hours": (refuse(403, error="outside_schedule", next_opening=1795500000), re.compile("Next time: ")),
    }
    for name, (answer, words) in said.items():
        page.route("**/api/guest_access/action", answer)
        guest.ask()
        guest.state(name, words, sizes=GUEST_SIZES, gone=("lock",))
        page.unroute_all(behavior="ignoreErrors")
        # The throttled guest has waited two seconds by now.
        guest.later(3)
        page.locator("button", has_text=re.compile("^(Try again|Try once more|Back to the pass)$")).first.click()
        guest.unhurried()

    # The real garage, awaited by its own name.
    assert module_owner.post(f"/api/v1/guests/{made['guest_id']}/revoke").ok
    made = house.invite(module_owner, {"device_id": "garage", "actions": ["garage.open", "garage.close"]}, max_uses=0)
    take(guest, made["link"])
    module_owner.call("PUT", "/api/v1/devices/garage/control", {"action": "close"})
    answer = Held(page, "**/api/guest_access/action")
    guest.hold(".leaf-button")
    guest.state("g-garage-waiting", re.compile("Waiting for the door…"), "Stay clear while it moves", sizes=GUEST_SIZES, gone=("lock",))
    answer.go()
    guest.face("open")
    guest.state("g-garage-open", "It is open", "Come in.", re.compile("confirmed by the door"), sizes=GUEST_SIZES, gone=("lock",))
    guest.close()
