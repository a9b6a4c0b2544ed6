"""The tour of the README, in a real browser on a real hub: claim, let a guest in, open, be refused, revoke.

Every screen is checked by axe in both themes, and may neither scroll sideways nor log to the console.
`CARDEA_PICTURES=1` photographs them, in both themes and every size.
"""

import contextlib
import datetime
import json
import os
import pathlib
import shutil
import time
import zoneinfo

import axe_playwright_python as axe_package
import playwright.sync_api as playwright
import pytest

import house


ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURES = pathlib.Path(os.environ.get("CARDEA_ARTIFACTS", ROOT / "Artifacts")) / "screenshots"
AXE = next(pathlib.Path(axe_package.__file__).parent.rglob("axe*.js")).read_text()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 568}
DESK = {"width": 1440, "height": 900}
PASSWORD = "correct horse battery staple"
PHOTOGRAPH = os.environ.get("CARDEA_PICTURES") == "1"
# Milliseconds: the one limit of every wait in a browser. It guards against hanging, and says nothing about expected speed.
PATIENCE = 60_000
playwright.expect.set_options(timeout=PATIENCE)

# Waits until the fonts are loaded and short animations are over: before that, a text does not have its final colour.
STILL = """document.fonts.ready
    .then(() => Promise.allSettled(document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime < 2000).map((one) => one.finished)))"""

ZONES = (
    "Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/Denver", "America/Chicago", "America/New_York", "America/Halifax",
    "America/Sao_Paulo", "Atlantic/South_Georgia", "Atlantic/Azores", "Europe/London", "Europe/Berlin", "Europe/Athens", "Europe/Moscow", "Asia/Dubai",
    "Asia/Karachi", "Asia/Dhaka", "Asia/Bangkok", "Asia/Singapore", "Asia/Tokyo", "Australia/Brisbane", "Pacific/Guadalcanal", "Pacific/Auckland",
)


def zone_of_noon():
    """The time zone in which it is about noon: texts about today hold there at whatever hour the test runs."""
    now = datetime.datetime.now(datetime.timezone.utc)

    def from_noon(name):
        there = now.astimezone(zoneinfo.ZoneInfo(name))
        return abs(there.hour * 60 + there.minute - 12 * 60)

    return min(ZONES, key=from_noon)


NOON = zone_of_noon()


@contextlib.contextmanager
def chromium():
    """A browser, on its starter's network."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    assert program, "no chromium here; run scripts/setup"
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


class Visitor:
    """One person's browser, which checks and records everything it shows."""

    def __init__(self, browser, name, size=PHONE, **context):
        self.name = name
        self.context = browser.new_context(**{"viewport": size, "locale": "en-GB", "timezone_id": "Europe/Berlin", "color_scheme": "light", **context})
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.complaints = []
        self.refusals_expected = False
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))

    def _heard(self, message):
        # The browser itself logs every answer of 4xx and 5xx; where a test expects a refusal, that is no fault.
        if self.refusals_expected and message.text.startswith("Failed to load resource: the server responded with a status of"):
            return
        self.complaints.append(f"{message.type}: {message.text}")

    def still(self):
        """Waits until no request of the page is pending."""
        self.page.evaluate(f"{STILL}.then(() => null)")

    def look(self, screen, sizes=(PHONE, SMALL, DESK)):
        """Checks the screen in both themes and every size, and photographs it when asked to."""
        page, before = self.page, self.page.viewport_size
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            for size in sizes:
                page.set_viewport_size(size)
                self.still()
                sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert sideways <= 0, f"{screen} scrolls {sideways} px sideways at {size['width']}"
                if PHOTOGRAPH:
                    PICTURES.mkdir(parents=True, exist_ok=True)
                    page.screenshot(path=PICTURES / f"{screen}-{size['width']}-{theme}.png")
            self._axe(f"{screen}, {theme}")
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(before)

    def _axe(self, where):
        # A slow page has a placeholder without a heading at first.
        self.page.locator("h1").first.wait_for(state="attached")
        # Through the debugger: the page's own policy allows no foreign script, and should not. In an isolated world, whose timers go on
        # where the page's clock is stopped.
        debugger = self.context.new_cdp_session(self.page)
        frame = debugger.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        world = debugger.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "axe"})["executionContextId"]
        if debugger.send("Runtime.evaluate", {"expression": "typeof axe", "contextId": world})["result"]["value"] == "undefined":
            debugger.send("Runtime.evaluate", {"expression": AXE + ";0", "contextId": world})
        run = f"{STILL}.then(() => axe.run(document, {{ runOnly: {json.dumps(TAGS)} }})).then((r) => JSON.stringify(r.violations.map((v) => [v.id, v.nodes.map((n) => n.target.join(' '))])))"
        answer = debugger.send("Runtime.evaluate", {"expression": run, "contextId": world, "awaitPromise": True, "returnByValue": True})
        debugger.detach()
        assert json.loads(answer["result"]["value"]) == [], where

    # The page's own clock. Each of these is for a page that is opened after `unhurried` or `page.clock.install()`.

    def unhurried(self):
        """The page's clock shows this moment for good, while its timers run: a command never times out."""
        self.page.clock.resume()
        self.page.clock.set_fixed_time(time.time())

    def stop_time(self):
        """Stops the page's timers until `page.clock.run_for` runs them; `unhurried`, `later` and `page.clock.resume` end it."""
        self.page.clock.set_system_time(time.time())
        try:
            self.page.clock.pause_at(self.page.evaluate("Date.now()") / 1000 + 1)
        except playwright.Error:
            # This took longer than a second. The clock is stopped now, so the next moment cannot be over.
            self.page.clock.pause_at(self.page.evaluate("Date.now()") / 1000 + 1)

    def later(self, seconds):
        """That many seconds pass at once for the page, like for a device that slept, and its clock goes on."""
        self.page.clock.resume()
        self.page.clock.set_system_time(time.time() + seconds)

    def press(self, selector):
        """Puts a thumb on it and leaves it there; returns the pressed element."""
        leaf = self.page.locator(selector).first
        leaf.hover()
        pressed = leaf.element_handle()
        self.page.mouse.down()
        return pressed

    def hold(self, selector):
        """Presses the leaf until it has been held long enough, by the page's clock, however slow that is."""
        pressed = self.press(selector)
        house.until(lambda: not pressed.evaluate("(one) => one.isConnected && Boolean(one.closest('[data-hold=holding]'))"), "it has been held for long enough")
        self.page.mouse.up()

    def face(self, name):
        self.page.wait_for_selector(f'door-leaf[data-face="{name}"]')

    def close(self):
        self.context.close()
        assert self.complaints == [], f"{self.name}'s console"


@pytest.fixture
def visit(browser):
    there = []

    def come(name, **context):
        visitor = Visitor(browser, name, **context)
        there.append(visitor)
        return visitor

    yield come
    for visitor in there:
        visitor.context.close()


def claim(visitor, hub, look=False):
    page = visitor.page
    page.goto(hub.claim_url)
    page.wait_for_selector("input[name=organization]")
    assert "#" not in page.url, "the token is gone from the address"
    if look:
        visitor.look("claim-house")
    page.fill("input[name=organization]", "Linden Street 14")
    page.get_by_role("button", name="Next").click()
    page.fill("input[name=name]", "Owner")
    page.fill("input[name=username]", "owner")
    page.fill("input[name=password]", PASSWORD)
    if look:
        visitor.look("claim-you")
    page.get_by_role("button", name="Claim this house").click()
    page.wait_for_selector("door-row")


def invite(visitor, hub, name="Plumber", uses=2, look=False):
    """Front door, today, so many uses; returns the link."""
    page = visitor.page
    page.goto(hub.url + "/guests/new")
    page.wait_for_selector(".what")
    page.get_by_label("Who", exact=True).fill(name)
    page.get_by_role("checkbox", name="Front door").check()
    page.get_by_role("button", name="Today", exact=True).click()
    for _ in range(uses - 1):
        page.get_by_role("button", name="More: Openings").click()
    sentence = page.locator(".lead-sentence").inner_text()
    assert sentence.startswith(f"{name} may open the front door ") and sentence.endswith(f"{uses} times."), sentence
    if look:
        visitor.look("invite")
    page.get_by_role("button", name="Make the pass").click()
    page.wait_for_selector(".qr img")
    if look:
        visitor.look("pass")
    return page.locator("[data-link]").get_attribute("data-link")


def take(visitor, link):
    """Takes the pass, on a phone whose clock never ends a command's time."""
    visitor.unhurried()
    visitor.page.goto(link)
    visitor.page.get_by_role("button", name="Use this pass on this phone").click()
    visitor.page.wait_for_selector(".leaf-button")


def tomorrow():
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


def bolt(hub_owner):
    return hub_owner.get("/api/v1/devices/front-door").json()["attributes"]["actuations"]


def leaf(visitor):
    """The state of the leaf: its face, and the progress of the gesture on it."""
    return visitor.page.locator("door-leaf").evaluate("(leaf) => [leaf.dataset.face, leaf.dataset.hold]")


def test_the_tour(hub, visit):
    owner = visit("owner", size=DESK, timezone_id=NOON)
    claim(owner, hub, look=True)
    owner.look("home-new")
    link = invite(owner, hub, look=True)
    owner.page.get_by_role("link", name="Go to the pass").click()
    owner.page.wait_for_selector(".pass-card")

    guest = visit("guest", size=PHONE, timezone_id=NOON)
    guest.unhurried()
    guest.page.goto(link)
    guest.page.get_by_role("button", name="Use this pass on this phone").wait_for()
    guest.look("guest-take")
    take(guest, link)
    assert "#" not in guest.page.url, "the code is gone from the address"
    assert "2 of 2 uses left" in guest.page.inner_text("main")
    guest.look("guest-pass")

    guest.stop_time()
    guest.page.locator(".leaf-button").hover()
    for held, left in ((200, "armed"), (400, "rest")):
        guest.page.mouse.down()
        assert leaf(guest) == ["leaf", "holding"]
        guest.page.clock.run_for(held)
        guest.page.mouse.up()
        assert leaf(guest) == ["leaf", left], "letting go early opens nothing"
        guest.page.keyboard.press("Escape")
        assert leaf(guest) == ["leaf", "rest"]
    guest.unhurried()

    guest.hold(".leaf-button")
    guest.face("open")
    assert "1 of 2 uses left" in guest.page.inner_text("main")
    guest.look("guest-open")
    guest.page.get_by_role("button", name="Back to the pass").click()
    guest.hold(".leaf-button")
    guest.face("open")
    assert "0 of 2 uses left" in guest.page.inner_text("main")

    # The third time: the leaf is gone after a reload, and the reason is shown in its place.
    guest.refusals_expected = True
    guest.page.reload()
    guest.face("over")
    assert "This pass is used up" in guest.page.inner_text("door-leaf")
    guest.look("guest-used-up")

    # Each try in the owner's history, without a reload.
    tries = owner.page.locator(".tries")
    tries.get_by_text("Front door opened").nth(1).wait_for()
    assert tries.get_by_text("Front door opened").count() == 2
    owner.look("guest-history")
    owner.page.goto(hub.url + "/activity")
    owner.page.wait_for_selector(".timeline")
    owner.look("activity")

    guest.close()
    owner.close()


def test_a_third_use_is_refused_with_the_reason_and_a_pass_is_revoked(module_hub, module_owner, visit):
    """Two phones cannot share a pass, so the third try comes from the page that still shows the leaf."""
    # The passes are made for today.
    assert module_owner.put("/api/v1/house", {"time_zone": NOON}).ok
    moved = bolt(module_owner)
    host = visit("owner", timezone_id=NOON)
    host.page.goto(module_hub.url + "/sign-in")
    host.page.fill("input[name=username]", "owner")
    host.page.fill("input[name=password]", PASSWORD)
    host.page.get_by_role("button", name="Sign in").click()
    host.page.wait_for_selector("door-row")
    link = invite(host, module_hub, uses=2)
    guest = visit("guest", timezone_id=NOON)
    take(guest, link)

    guest.hold(".leaf-button")
    guest.face("open")
    guest.page.get_by_role("button", name="Back to the pass").click()
    # The second use is spent elsewhere, as in a second tab: the page does not learn of it.
    guest.page.wait_for_selector(".leaf-button")
    guest.page.route("**/api/guest_access/pass", lambda route: None)
    spent = guest.page.evaluate("""async () => {
        const kept = await import('/assets/GuestPage/storage.js').then(({ passStore }) => passStore.load());
        const { sendAction } = await import('/assets/GuestPage/pass.js');
        const answer = await sendAction(kept.token, { key: 'second-tab', action: kept.pass.allowed_action, entity_id: kept.pass.entity_id });
        return answer.status;
    }""")
    assert spent == 200
    guest.refusals_expected = True
    guest.hold(".leaf-button")
    guest.face("over")
    assert "This pass is used up" in guest.page.inner_text("door-leaf")
    assert bolt(module_owner) == moved + 2

    # The owner revokes another one, and the guest sees it without an action.
    second = visit("second guest", timezone_id=NOON)
    take(second, invite(host, module_hub, name="Courier", uses=2))
    second.refusals_expected = True
    host.page.get_by_role("link", name="Go to the pass").click()
    host.page.get_by_role("button", name="Take back").click()
    host.page.get_by_role("dialog").wait_for()
    host.look("revoke-dialog", sizes=(PHONE, DESK))
    host.page.get_by_role("button", name="Take back pass").click()
    host.page.get_by_text("Taken back").first.wait_for()
    second.page.get_by_role("heading", name="This pass was taken back").wait_for()
    second.look("guest-taken-back")

    for visitor in (host, guest, second):
        visitor.close()


def pass_of(owner, name="Neighbour", uses=5):
    answer = owner.post("/api/v1/guests", {"name": name, "grants": [{"device_id": "front-door", "actions": ["door.open"]}], "expires_at": tomorrow(), "max_uses": uses})
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_the_door_opens_by_keyboard_alone(module_owner, visit):
    made = pass_of(module_owner, uses=3)
    moved = bolt(module_owner)
    guest = visit("guest")
    guest.unhurried()
    guest.page.goto(made["link"])
    guest.page.get_by_role("button", name="Use this pass on this phone").wait_for()
    guest.page.keyboard.press("Tab")
    guest.page.keyboard.press("Enter")
    guest.page.wait_for_selector(".leaf-button")

    # Enter arms, Escape disarms, a quick second Enter opens nothing, a later one opens: all with a stopped clock between them.
    for _ in range(4):
        guest.page.keyboard.press("Tab")
        if guest.page.evaluate("document.activeElement.className") == "leaf-button":
            break
    house.focused(guest.page, "className", "leaf-button")
    assert guest.page.get_by_role("button", name="Hold to open front door").is_visible()
    guest.stop_time()
    guest.page.keyboard.press("Enter")
    guest.page.get_by_text("Open front door now?").first.wait_for()
    guest.page.keyboard.press("Escape")
    guest.page.get_by_text("Hold to open").first.wait_for()
    guest.page.keyboard.press("Enter")
    guest.page.keyboard.press("Enter")
    assert leaf(guest) == ["leaf", "armed"]
    guest.page.clock.run_for(1000)
    assert leaf(guest) == ["leaf", "armed"]
    guest.look("guest-armed", sizes=(PHONE, SMALL))
    guest.page.keyboard.press("Enter")
    guest.unhurried()
    guest.face("open")
    assert bolt(module_owner) == moved + 1, "once, by the last of them"
    guest.close()


def test_reload_and_double_taps_open_once(module_owner, visit):
    made = pass_of(module_owner)
    moved = bolt(module_owner)
    guest = visit("guest")
    take(guest, made["link"])

    guest.stop_time()
    guest.page.locator(".leaf-button").dblclick()
    assert leaf(guest) == ["leaf", "armed"]
    guest.page.clock.run_for(1000)
    assert leaf(guest) == ["leaf", "armed"], "a double tap opens nothing"
    guest.page.locator(".leaf-cancel").click()
    assert leaf(guest) == ["leaf", "rest"]
    guest.unhurried()

    # Held, and the page reloaded at once: the same command, sent with the same key.
    with guest.page.expect_request("**/api/guest_access/action"):
        guest.page.locator("door-leaf").evaluate("(leaf) => leaf.dispatchEvent(new CustomEvent('open', { bubbles: true }))")
    guest.refusals_expected = True
    guest.page.reload()
    guest.page.wait_for_selector('door-leaf[data-face="open"], door-leaf[data-face="unsure"]')
    assert bolt(module_owner) == moved + 1
    assert module_owner.get(f"/api/v1/guests/{made['guest_id']}").json()["used_count"] == 1
    guest.close()


def test_a_command_without_a_connection_is_not_sent_later(module_owner, visit):
    made = pass_of(module_owner)
    guest = visit("guest")
    take(guest, made["link"])
    moved = bolt(module_owner)
    guest.complaints.clear()

    # The connection is lost during the hold: with a stopped clock, or the command might be sent before.
    guest.stop_time()
    guest.press(".leaf-button")
    guest.context.set_offline(True)
    guest.page.clock.run_for(800)
    guest.page.mouse.up()
    guest.face("waiting")
    guest.later(30)
    guest.face("unsure")

    # Reconnected, and much later: nothing was sent. The next hold is the first that moves the bolt.
    sent = []
    guest.page.on("request", lambda request: sent.append(request.url) if "/guest_access/action" in request.url else None)
    with guest.page.expect_response("**/api/guest_access/pass"):
        guest.context.set_offline(False)
    guest.page.clock.fast_forward(60_000)
    with guest.page.expect_response("**/api/guest_access/pass"):
        guest.page.evaluate("void dispatchEvent(new Event('online'))")
    assert sent == []
    guest.unhurried()
    guest.page.get_by_role("button", name="Try once more").click()
    guest.hold(".leaf-button")
    guest.face("open")
    assert bolt(module_owner) == moved + 1
    assert module_owner.get(f"/api/v1/guests/{made['guest_id']}").json()["used_count"] == 1
    # The browser's own message about a lost connection.
    guest.complaints = [c for c in guest.complaints if "net::ERR_" not in c and "An unknown error occurred when fetching the script." not in c]
    guest.close()


@pytest.mark.long
def test_the_screens_of_the_house(module_hub, module_owner, visit):
    """Each screen once, with the data of a new house."""
    pass_of(module_owner, "Plumber", uses=2)
    host = visit("owner")
    page = host.page
    page.goto(module_hub.url + "/settings/integrations")
    page.wait_for_selector("input[name=username]")
    host.look("sign-in")
    page.fill("input[name=username]", "owner")
    page.fill("input[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Integrations").wait_for()
    assert page.url.endswith("/settings/integrations"), "the page asked for survives the sign-in"
    page.get_by_role("button", name="Set up MQTT").click()
    host.look("integrations")
    page.get_by_role("button", name="Set up Home Assistant").click()
    page.get_by_label("Access token").wait_for()
    host.look("integrations-home-assistant")
    for path, ready, name in [
        ("/", "device-tile", "home"), ("/doors", "door-row", "doors"), ("/guests", ".rows a", "guests"), ("/people", ".rows a", "people"), ("/settings", ".rows a", "settings"),
        ("/settings/house", ".facts", "settings-house"), ("/settings/browser", ".segments", "settings-browser"), ("/settings/account", "form", "settings-account"),
        ("/devices/front-door", "door-row", "device-door"), ("/devices/study-light", "device-tile", "device-light"), ("/activity", ".timeline, .empty", "activity-first"),
    ]:
        page.goto(module_hub.url + path)
        page.wait_for_selector(ready)
        host.look(name)
    page.goto(module_hub.url + "/guests/nobody-has-this")
    host.refusals_expected = True
    page.get_by_role("heading", name="Nothing here that you can see").wait_for()
    host.complaints.clear()
    host.close()
