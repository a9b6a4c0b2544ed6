"""Where a guest's pass is stored: in all tabs of the browser that took it, in no browser without storage, and on an iPhone for a week after a visit."""

import re

import pytest

import house
from test_tour import DESK, PHONE, SMALL, browser  # noqa: F401
from test_web_states import FRAMES, Held, watch  # noqa: F401

pytestmark = pytest.mark.long

SIZES = (SMALL, PHONE, DESK)
TAKE = "Use this pass on this phone"
NO_LOCKS = "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });"

# Tabs


def two_tabs(guest, script=None):
    if script:
        guest.context.add_init_script(script)
    return guest.page, guest.context.new_page()


def come(page, link):
    page.goto("about:blank")
    page.goto(link)
    page.get_by_role("button", name=TAKE).wait_for()


def take(page):
    page.get_by_role("button", name=TAKE).click()


def has_pass(page, door):
    page.locator("h1", has_text=re.compile(door, re.I)).wait_for()
    page.locator(".leaf-button").wait_for()


def test_a_pass_taken_in_one_tab_works_in_the_other(module_owner, watch):  # noqa: F811
    guest = watch("tabs")
    guest.page.clock.install()
    first, second = two_tabs(guest)
    garage = house.invite(module_owner, {"device_id": "garage", "actions": ["garage.open", "garage.close"]}, name="Garage", max_uses=0)
    for page in (first, second):
        come(page, garage["link"])
    second.evaluate("void (window.stayed = true)")
    take(first)
    for page in (first, second):
        has_pass(page, "garage")
        assert "#" not in page.url

    # Another link, in the first tab: a replaced pass is replaced in every tab.
    door = house.invite(module_owner, name="Door", max_uses=0)
    come(first, door["link"])
    take(first)
    for page in (first, second):
        has_pass(page, "front door")
    assert second.evaluate("window.stayed"), "nothing was loaded again"
    before = house.actuations(module_owner)
    guest.unhurried()
    second.locator("door-leaf").evaluate("(leaf) => leaf.dispatchEvent(new CustomEvent('open'))")
    second.wait_for_selector('door-leaf[data-face="open"]')
    assert house.actuations(module_owner) == before + 1
    guest.close()


def test_a_tab_at_another_link_stays_there(module_owner, watch):  # noqa: F811
    guest = watch("two links")
    first, second = two_tabs(guest)
    come(first, house.invite(module_owner, name="One", max_uses=0)["link"])
    come(second, house.invite(module_owner, name="Other", max_uses=0)["link"])
    take(first)
    has_pass(first, "front door")
    second.evaluate("void dispatchEvent(new Event('focus'))")
    second.evaluate(f"{FRAMES}.then(() => null)")
    second.get_by_role("button", name=TAKE).wait_for()
    guest.close()


@pytest.mark.parametrize("script", [None, NO_LOCKS], ids=["locks", "no locks"])
def test_two_tabs_that_take_a_link_at_once_both_have_the_pass(module_owner, watch, script):  # noqa: F811
    guest = watch("at once")
    first, second = two_tabs(guest, script)
    made = house.invite(module_owner, name="At once", max_uses=0)
    for page in (first, second):
        come(page, made["link"])
    held = Held(first, "**/api/guest_access/pair")
    take(first)
    held.came()
    take(second)
    if script:
        has_pass(second, "front door")
    held.go()
    for page in (first, second):
        has_pass(page, "front door")
        assert not page.get_by_text("This link was used already").count()
    assert module_owner.get(f"/api/v1/guests/{made['guest_id']}").json()["status"] == "active"
    guest.close()


def test_open_tabs_report_cleared_browser_storage_with_a_remedy(module_hub, module_owner, watch):  # noqa: F811
    guest = watch("cleared")
    first, second = two_tabs(guest)
    made = house.invite(module_owner, name="Cleared", max_uses=0)
    come(first, made["link"])
    take(first)
    has_pass(first, "front door")
    second.goto(module_hub.url + "/g")
    has_pass(second, "front door")
    debugger = guest.context.new_cdp_session(first)
    debugger.send("Storage.clearDataForOrigin", {"origin": module_hub.url, "storageTypes": "indexeddb,local_storage"})
    for page in (first, second):
        page.evaluate("void dispatchEvent(new Event('focus'))")
        page.get_by_role("heading", name="There is no pass in this browser").wait_for()
    guest.state("guest-cleared", re.compile("open your link again and ask for it"), sizes=SIZES)

    come(first, made["link"])
    take(first)
    guest.state("guest-cleared-link", "This link was used already", "Ask for the pass again", re.compile("someone has to say yes"), sizes=SIZES)
    guest.close()


# Browsers that keep nothing

DENIED = """for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
    Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });
}"""
FAILS = "IDBFactory.prototype.open = () => { const asked = {}; setTimeout(() => asked.onerror(new Event('error'))); return asked; };"
LOSES = "IDBObjectStore.prototype.put = function () { return this.get('nothing'); };"
FULL = """{
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...all) { const asked = put.apply(this, all); this.transaction.abort(); return asked; };
}"""
PRIVATE = "StorageManager.prototype.getDirectory = () => Promise.reject(new DOMException('not here', 'SecurityError'));"


@pytest.mark.parametrize("script", [DENIED, FAILS, LOSES, FULL, PRIVATE], ids=["denied", "fails", "loses", "full", "private"])
def test_a_browser_without_storage_is_warned_before_the_link_is_used(module_owner, watch, script):  # noqa: F811
    made = house.invite(module_owner, name="Forgetful browser", max_uses=0)
    guest = watch("forgetful")
    guest.page.add_init_script(script)
    guest.page.goto(made["link"])
    guest.state("guest-forgets", "This browser would forget the pass", re.compile("this may be a private window"), "Copy link", sizes=SIZES)
    assert module_owner.get(f"/api/v1/guests/{made['guest_id']}").json()["status"] == "waiting"
    guest.page.get_by_role("button", name=f"{TAKE} anyway").click()
    has_pass(guest.page, "front door")
    guest.state("guest-not-kept", "Leave this page open: this browser forgets the pass.", sizes=SIZES)
    guest.close()


def test_a_browser_without_storage_is_warned_before_a_typed_code_is_used(module_hub, module_owner, watch):  # noqa: F811
    made = house.invite(module_owner, name="Typed", max_uses=0)
    guest = watch("typed")
    guest.page.add_init_script(PRIVATE)
    guest.page.goto(module_hub.url + "/g")
    guest.page.get_by_label("A code to type?").fill(made["pairing_code"])
    guest.page.keyboard.press("Enter")
    guest.page.get_by_role("heading", name="This browser would forget the pass").wait_for()
    assert guest.page.url.endswith("#" + made["pairing_code"]), "the link that is copied has it"
    assert module_owner.get(f"/api/v1/guests/{made['guest_id']}").json()["status"] == "waiting"
    guest.page.get_by_role("button", name=f"{TAKE} anyway").click()
    has_pass(guest.page, "front door")
    assert "#" not in guest.page.url
    guest.close()


@pytest.mark.parametrize("script", [LOSES, FULL], ids=["loses", "full"])
def test_an_unsaved_pass_is_shown_over_an_older_saved_one(module_owner, watch, script):  # noqa: F811
    guest = watch("older")
    garage = house.invite(module_owner, {"device_id": "garage", "actions": ["garage.open", "garage.close"]}, name="Garage", max_uses=0)
    come(guest.page, garage["link"])
    take(guest.page)
    has_pass(guest.page, "garage")
    guest.page.add_init_script(script)
    come(guest.page, house.invite(module_owner, name="Door", max_uses=0)["link"])
    guest.page.get_by_role("heading", name="This browser would forget the pass").wait_for()
    take(guest.page)
    has_pass(guest.page, "front door")
    # The stored pass is read before the house is called.
    with guest.page.expect_response("**/api/guest_access/pass"):
        guest.page.evaluate("void dispatchEvent(new Event('focus'))")
    has_pass(guest.page, "front door")
    guest.close()


def test_a_pass_survives_without_local_storage(module_owner, watch):  # noqa: F811
    made = house.invite(module_owner, name="No local storage", max_uses=0)
    guest = watch("no local storage")
    guest.page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });")
    come(guest.page, made["link"])
    take(guest.page)
    has_pass(guest.page, "front door")
    guest.page.reload()
    has_pass(guest.page, "front door")
    guest.close()


IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
SAFARI = f"{IPHONE} Version/18.5 Mobile/15E148 Safari/604.1"
ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 8{}) AppleWebKit/537.36 (KHTML, like Gecko) {}Chrome/140.0.0.0 Mobile Safari/537.36"
INSIDE = {
    "facebook": f"{IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/520.0.0.38.101;FBDV/iPhone14,5;FBSN/iOS;FBLC/en_GB]",
    "instagram": f"{IPHONE} Mobile/15E148 Instagram 380.0.0.28.104 (iPhone14,5; iOS 18_5; en_GB; scale=3.00)",
    "line": f"{IPHONE} Mobile/15E148 Safari Line/15.9.0",
    "google": f"{IPHONE} GSA/370.0.760019920 Mobile/15E148 Safari/604.1",
    "mail": f"{IPHONE} Mobile/15E148",
    "android": ANDROID.format("; wv", "Version/4.0 "),
}


@pytest.mark.parametrize("name", INSIDE)
def test_an_in_app_browser_is_told_to_open_the_real_browser(module_owner, watch, name):  # noqa: F811
    made = house.invite(module_owner, name="Inside", max_uses=0)
    guest = watch(name, user_agent=INSIDE[name])
    guest.page.goto(made["link"])
    guest.state("guest-inside", "Open this in your browser first", re.compile("open it in Safari or Chrome"), "Copy link", sizes=SIZES)
    guest.page.get_by_role("button", name=f"{TAKE} anyway").click()
    has_pass(guest.page, "front door")
    guest.close()


# A week on an iPhone

WEEK = "This pass lasts longer than a week"


def looked(guest, link):
    """Opens the link and waits until the page shows the pass's details before it is taken."""
    with guest.page.expect_response("**/api/guest_access/pair/scanned") as seen:
        guest.page.goto(link)
    assert seen.value.ok
    guest.page.get_by_role("button", name=TAKE, exact=True).wait_for()
    guest.page.evaluate(f"{FRAMES}.then(() => null)")


def test_an_iphone_explains_how_to_keep_a_ten_day_pass(module_owner, watch):  # noqa: F811
    made = house.invite(module_owner, name="Ten days", max_uses=0, expires=10 * 86_400)
    guest = watch("iPhone", user_agent=SAFARI)
    looked(guest, made["link"])
    guest.state("guest-install", WEEK, re.compile("“Add to Home Screen”"), sizes=SIZES)
    guest.page.get_by_text(WEEK).click()
    guest.page.get_by_text("“Add to Home Screen”").wait_for(state="hidden")
    take(guest.page)
    has_pass(guest.page, "front door")
    assert not guest.page.get_by_text("at least once a week").is_visible()
    guest.page.get_by_text(WEEK).click()
    guest.state("guest-visit", re.compile("Open this page at least once a week"), sizes=SIZES)
    guest.close()


@pytest.mark.parametrize("name, user_agent, days", [("short", SAFARI, 2), ("home screen", f"{IPHONE} Mobile/15E148", 10), ("android", ANDROID.format("", ""), 10)])
def test_other_browsers_and_short_passes_show_no_storage_warning(module_owner, watch, name, user_agent, days):  # noqa: F811
    made = house.invite(module_owner, name="No week", max_uses=0, expires=days * 86_400)
    guest = watch(name, user_agent=user_agent)
    if name == "home screen":
        guest.page.add_init_script("Object.defineProperty(navigator, 'standalone', { value: true });")
    looked(guest, made["link"])
    assert not guest.page.get_by_text(WEEK).count()
    take(guest.page)
    has_pass(guest.page, "front door")
    assert not guest.page.get_by_text(WEEK).count()
    guest.close()
