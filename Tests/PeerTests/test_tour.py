"""The tour of the README, in a real browser on a real hub: claim, let a guest in, open, be refused, take back.

Every screen on the way is photographed, checked by axe in both themes, and may neither scroll sideways nor say anything on the console.
"""

import contextlib
import datetime
import json
import os
import pathlib
import shutil

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


@contextlib.contextmanager
def chromium():
    """A browser, on the network of whoever starts it."""
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
    """One person's browser: it looks, and it minds what it sees."""

    def __init__(self, browser, name, size=PHONE, **context):
        self.name = name
        self.context = browser.new_context(viewport=size, locale="en-GB", timezone_id="Europe/Berlin", color_scheme="light", **context)
        self.page = self.context.new_page()
        self.complaints = []
        self.refusals_expected = False
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))

    def _heard(self, message):
        # The browser itself logs every answer of 4xx and 5xx; where a refusal is the point of the test, that is no fault.
        if self.refusals_expected and message.text.startswith("Failed to load resource: the server responded with a status of"):
            return
        self.complaints.append(f"{message.type}: {message.text}")

    def look(self, screen, sizes=(PHONE, SMALL, DESK)):
        """Photographs and checks the screen in both themes and every size."""
        page, before = self.page, self.page.viewport_size
        PICTURES.mkdir(parents=True, exist_ok=True)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            for size in sizes:
                page.set_viewport_size(size)
                page.wait_for_timeout(250)
                sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert sideways <= 0, f"{screen} scrolls {sideways} px sideways at {size['width']}"
                page.screenshot(path=PICTURES / f"{screen}-{size['width']}-{theme}.png")
            self._axe(f"{screen}, {theme}")
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(before)
        page.wait_for_timeout(250)

    def _axe(self, where):
        # Through the debugger: the page's own policy lets no foreign script in, and so it should stay.
        debugger = self.context.new_cdp_session(self.page)
        if debugger.send("Runtime.evaluate", {"expression": "typeof axe"})["result"]["value"] == "undefined":
            debugger.send("Runtime.evaluate", {"expression": AXE + ";0"})
        # What was switched on a moment ago is still fading in, and has its colours when it has: a button answered again was called too pale.
        still = "Promise.allSettled(document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime < 2000).map((one) => one.finished))"
        run = f"{still}.then(() => axe.run(document, {{ runOnly: {json.dumps(TAGS)} }})).then((r) => JSON.stringify(r.violations.map((v) => [v.id, v.nodes.map((n) => n.target.join(' '))])))"
        answer = debugger.send("Runtime.evaluate", {"expression": run, "awaitPromise": True, "returnByValue": True})
        debugger.detach()
        assert json.loads(answer["result"]["value"]) == [], where

    def press(self, selector):
        """Puts a thumb on it, and leaves it there; answers what is pressed."""
        self.page.wait_for_selector(selector)
        self.page.wait_for_timeout(300)
        pressed = self.page.locator(selector).first
        pressed.scroll_into_view_if_needed()
        box, pressed = pressed.bounding_box(), pressed.element_handle()
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        return pressed

    def hold(self, selector):
        """Presses the leaf until it has been held for long enough, as a thumb does: by the page's clock, however slow that is."""
        self.press(selector).evaluate("""(pressed) => new Promise((done) => {
            const isHeld = () => pressed.isConnected && pressed.closest('[data-hold=holding]');
            const look = () => (isHeld() ? setTimeout(look, 20) : done());
            look();
        })""")
        self.page.mouse.up()

    def face(self, name, timeout=20000):
        self.page.wait_for_selector(f'door-leaf[data-face="{name}"]', timeout=timeout)

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
    visitor.page.goto(link)
    visitor.page.get_by_role("button", name="Use this pass on this phone").click()
    visitor.page.wait_for_selector(".leaf-button")
    visitor.page.wait_for_timeout(300)


def tomorrow():
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


def bolt(hub_owner):
    return hub_owner.get("/api/v1/devices/front-door").json()["attributes"]["actuations"]


def test_the_tour(hub, visit):
    owner = visit("owner", size=DESK)
    claim(owner, hub, look=True)
    owner.look("home-new")
    link = invite(owner, hub, look=True)
    owner.page.get_by_role("link", name="Go to the pass").click()
    owner.page.wait_for_selector(".pass-card")

    guest = visit("guest", size=PHONE)
    guest.page.goto(link)
    guest.page.get_by_role("button", name="Use this pass on this phone").wait_for()
    guest.look("guest-take")
    take(guest, link)
    assert "#" not in guest.page.url, "the code is gone from the address"
    assert "2 of 2 uses left" in guest.page.inner_text("main")
    guest.look("guest-pass")

    guest.press(".leaf-button")
    guest.page.wait_for_timeout(200)
    guest.page.mouse.up()
    assert guest.page.locator("door-leaf").get_attribute("data-hold") in ("rest", "armed"), "letting go early opens nothing"
    guest.page.keyboard.press("Escape")
    guest.page.wait_for_timeout(500)
    if guest.page.locator(".leaf-cancel").is_visible():
        guest.page.locator(".leaf-cancel").click()

    guest.hold(".leaf-button")
    guest.face("open")
    assert "1 of 2 uses left" in guest.page.inner_text("main")
    guest.page.wait_for_timeout(600)
    guest.look("guest-open")
    guest.page.get_by_role("button", name="Back to the pass").click()
    guest.hold(".leaf-button")
    guest.face("open")
    assert "0 of 2 uses left" in guest.page.inner_text("main")

    # The third time: the leaf is gone after a reload, and the reason stands in its place.
    guest.refusals_expected = True
    guest.page.reload()
    guest.face("over")
    assert "This pass is used up" in guest.page.inner_text("door-leaf")
    guest.look("guest-used-up")

    # Each try in the owner's history, without loading anything again.
    tries = owner.page.locator(".tries")
    tries.get_by_text("Front door opened").nth(1).wait_for(timeout=8000)
    assert tries.get_by_text("Front door opened").count() == 2
    owner.look("guest-history")
    owner.page.goto(hub.url + "/activity")
    owner.page.wait_for_selector(".timeline")
    owner.look("activity")

    guest.close()
    owner.close()


def test_a_third_try_is_refused_with_the_reason_and_a_pass_can_be_taken_back(hub, owner, visit):
    """Two phones cannot share a pass, so the third try comes from the page that still shows the leaf."""
    moved = bolt(owner)
    host = visit("owner")
    host.page.goto(hub.url + "/sign-in")
    host.page.fill("input[name=username]", "owner")
    host.page.fill("input[name=password]", PASSWORD)
    host.page.get_by_role("button", name="Sign in").click()
    host.page.wait_for_selector("door-row")
    link = invite(host, hub, uses=2)
    guest = visit("guest")
    take(guest, link)

    guest.hold(".leaf-button")
    guest.face("open")
    guest.page.get_by_role("button", name="Back to the pass").click()
    # The second use is spent behind the page's back, as from a second tab.
    guest.page.wait_for_selector(".leaf-button")
    spent = guest.page.evaluate("""async () => {
        const kept = JSON.parse(localStorage.getItem('cardea-guest-pass'));
        const { act } = await import('/assets/GuestPage/pass.js');
        const answer = await act(kept.token, { key: 'second-tab', action: kept.pass.allowed_action, entity_id: kept.pass.entity_id });
        return answer.status;
    }""")
    assert spent == 200
    guest.refusals_expected = True
    if guest.page.locator(".leaf-button").count():
        guest.hold(".leaf-button")
    guest.face("over")
    assert "This pass is used up" in guest.page.inner_text("door-leaf")
    assert bolt(owner) == moved + 2

    # The owner takes another one back, and the guest sees it without doing anything.
    second = visit("second guest")
    take(second, invite(host, hub, name="Courier", uses=2))
    second.refusals_expected = True
    host.page.get_by_role("link", name="Go to the pass").click()
    host.page.get_by_role("button", name="Take back").click()
    host.page.get_by_role("dialog").wait_for()
    host.look("revoke-dialog", sizes=(PHONE, DESK))
    host.page.get_by_role("button", name="Take back pass").click()
    host.page.get_by_text("Taken back").first.wait_for()
    second.page.get_by_role("heading", name="This pass was taken back").wait_for(timeout=15000)
    second.look("guest-taken-back")

    for visitor in (host, guest, second):
        visitor.close()


def test_the_door_opens_by_keyboard_alone(hub, owner, visit):
    made = owner.post("/api/v1/guests", {"name": "Neighbour", "grants": [{"device_id": "front-door", "actions": ["door.open"]}], "expires_at": tomorrow(), "max_uses": 3}).json()
    moved = bolt(owner)
    guest = visit("guest")
    guest.page.goto(made["link"])
    guest.page.get_by_role("button", name="Use this pass on this phone").wait_for()
    guest.page.keyboard.press("Tab")
    guest.page.keyboard.press("Enter")
    guest.page.wait_for_selector(".leaf-button")
    guest.page.wait_for_timeout(300)

    # Enter arms, Escape takes it back, Enter twice in a hurry opens nothing, Enter after a breath opens.
    for _ in range(4):
        guest.page.keyboard.press("Tab")
        if guest.page.evaluate("document.activeElement.className") == "leaf-button":
            break
    house.focused(guest.page, "className", "leaf-button")
    assert guest.page.get_by_role("button", name="Hold to open front door").is_visible()
    guest.page.keyboard.press("Enter")
    guest.page.get_by_text("Open front door now?").first.wait_for()
    guest.page.keyboard.press("Escape")
    guest.page.get_by_text("Hold to open").first.wait_for()
    guest.page.keyboard.press("Enter")
    guest.page.keyboard.press("Enter")
    guest.page.wait_for_timeout(1000)
    assert guest.page.locator("door-leaf").get_attribute("data-hold") == "armed"
    assert bolt(owner) == moved
    guest.look("guest-armed", sizes=(PHONE, SMALL))
    guest.page.keyboard.press("Enter")
    guest.face("open")
    assert bolt(owner) == moved + 1
    guest.close()


def test_reload_and_double_taps_open_once(hub, owner, visit):
    made = owner.post("/api/v1/guests", {"name": "Neighbour", "grants": [{"device_id": "front-door", "actions": ["door.open"]}], "expires_at": tomorrow(), "max_uses": 5}).json()
    moved = bolt(owner)
    guest = visit("guest")
    take(guest, made["link"])

    guest.page.locator(".leaf-button").dblclick()
    guest.page.wait_for_timeout(800)
    assert bolt(owner) == moved, "a double tap opens nothing"
    guest.page.locator(".leaf-cancel").click()

    # Held, and the page loaded again at once: the same command, asked for under the same key.
    guest.page.locator("door-leaf").evaluate("(leaf) => leaf.dispatchEvent(new CustomEvent('open', { bubbles: true }))")
    guest.page.wait_for_timeout(60)
    guest.refusals_expected = True
    guest.page.reload()
    guest.page.wait_for_selector('door-leaf[data-face="open"], door-leaf[data-face="unsure"]', timeout=20000)
    assert bolt(owner) == moved + 1
    assert owner.get(f"/api/v1/guests/{made['guest_id']}").json()["used_count"] == 1
    guest.close()


def test_without_a_connection_nothing_is_sent_later(hub, owner, visit):
    made = owner.post("/api/v1/guests", {"name": "Neighbour", "grants": [{"device_id": "front-door", "actions": ["door.open"]}], "expires_at": tomorrow(), "max_uses": 5}).json()
    guest = visit("guest")
    take(guest, made["link"])
    moved = bolt(owner)
    guest.complaints.clear()

    guest.context.set_offline(True)
    guest.hold(".leaf-button")
    guest.page.wait_for_timeout(12000)
    guest.face("unsure", timeout=8000)
    guest.context.set_offline(False)
    guest.page.wait_for_timeout(3000)
    assert bolt(owner) == moved
    guest.complaints = [c for c in guest.complaints if "ERR_INTERNET_DISCONNECTED" not in c]
    guest.close()


def test_the_screens_of_the_house(hub, owner, visit):
    """Each screen once, filled by what a new house has."""
    owner.post("/api/v1/guests", {"name": "Plumber", "grants": [{"device_id": "front-door", "actions": ["door.open"]}], "expires_at": tomorrow(), "max_uses": 2})
    host = visit("owner")
    page = host.page
    page.goto(hub.url + "/settings/integrations")
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
        page.goto(hub.url + path)
        page.wait_for_selector(ready)
        page.wait_for_timeout(300)
        host.look(name)
    page.goto(hub.url + "/guests/nobody-has-this")
    host.refusals_expected = True
    page.get_by_role("heading", name="Nothing here that you can see").wait_for()
    host.complaints.clear()
    host.close()
