"""A person's own account in the web app: recovery codes, API tokens, passkey names, sessions and presence."""

import datetime
import re

import pytest
import requests

import house
from test_tour import DESK, PASSWORD, PHONE, SMALL, browser  # noqa: F401
from test_web_house import virtual_key
from test_web_states import STEP_UP, answer_with, move_in, never, sign_in, watch  # noqa: F401

pytestmark = pytest.mark.long

SIZES = (SMALL, PHONE, DESK)


def at_home(watch, hub, owner, name, to, role="member"):  # noqa: F811
    username = move_in(owner, name, role)
    someone = watch(username)
    sign_in(someone, hub, username, to=to)
    return someone, username


def see(page):
    """Scrolls down, because the part that the picture shows is far below."""
    page.locator(".recovery").evaluate("(node) => scrollTo(0, node.getBoundingClientRect().top + scrollY - 80)")


def token_of(hub, username):
    return requests.post(hub.url + "/api/v1/auth/login", json={"username": username, "password": PASSWORD}, timeout=60).json()["access_token"]


def stale_step_up(page, path, method="POST"):
    """Some minutes after sign-in: the first write requires a step-up."""
    asked = []

    def once(route):
        if route.request.method != method or asked:
            return route.continue_()
        asked.append(route.request.url)
        route.fulfill(status=403, json=STEP_UP)

    page.route(path, once)


def test_recovery_codes_are_created_saved_and_counted(module_hub, module_owner, watch):  # noqa: F811
    someone, username = at_home(watch, module_hub, module_owner, "Aunt", None)
    page = someone.page
    page.route("**/api/v1/auth/recovery-codes", never)
    page.goto(module_hub.url + "/settings/account")
    page.get_by_role("heading", name="Recovery codes").wait_for()
    see(page)
    someone.state("recovery-loading", "Recovery codes", sizes=SIZES)
    page.route("**/api/v1/auth/recovery-codes", answer_with(500))
    page.reload()
    see(page)
    someone.state("recovery-error", "The recovery codes could not be loaded", "Try again", sizes=SIZES)
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    see(page)
    someone.state("recovery-none", "No recovery codes yet.", "Make recovery codes", sizes=SIZES)

    # Five minutes after sign-in, and with the step-up declined.
    stale_step_up(page, "**/api/v1/auth/recovery-codes")
    page.get_by_role("button", name="Make recovery codes").click()
    page.get_by_role("heading", name="Confirm it is you").wait_for()
    page.get_by_role("button", name="Cancel").last.click()
    see(page)
    someone.state("recovery-denied", "Not done: you did not confirm that it is you.", sizes=SIZES)
    page.unroute_all(behavior="ignoreErrors")
    stale_step_up(page, "**/api/v1/auth/recovery-codes")
    page.get_by_role("button", name="Make recovery codes").click()
    page.get_by_role("dialog").get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")

    page.locator(".code-list li").first.wait_for()
    codes = page.locator(".code-list li").all_inner_texts()
    assert len(codes) == 10 and all(re.fullmatch(r"\d*\s*(\w{4}-){5}\w{4}", code) for code in codes), codes
    house.focused(page, "textContent", "Your recovery codes", "whoever cannot see it is told")
    see(page)
    someone.state("recovery-codes", "They are shown only once.", "Copy", "Save as a file", "I have saved them", sizes=SIZES)
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as a file").click()
    text = saved.value.path().read_text()
    assert saved.value.suggested_filename == "recovery-codes.txt" and all(code.split()[-1] in text for code in codes), text
    page.emulate_media(media="print")
    assert not page.get_by_text("Where you are signed in").is_visible() and page.locator(".code-list").is_visible(), "on paper there are the codes alone"
    page.emulate_media(media="screen")
    page.get_by_role("button", name="I have saved them").click()
    see(page)
    someone.state("recovery-kept", "10 codes left", re.compile("^made "), sizes=SIZES, gone=("They are shown only once.",))

    # Used codes are counted, and a warning comes in time.
    for code in codes[:7]:
        assert requests.post(module_hub.url + "/api/v1/auth/recovery", json={"code": code.split()[-1]}, timeout=60).status_code == 200
    page.reload()
    see(page)
    someone.state("recovery-few", "3 codes left", "Few left", "Make new ones while you can still sign in.", sizes=SIZES)
    page.get_by_role("button", name="Make new codes").click()
    someone.state("recovery-again", "Make new recovery codes?", "The codes you have stop working at once, also those on paper.", sizes=SIZES)
    page.get_by_role("dialog").get_by_role("button", name="Make new codes").click()
    page.get_by_role("button", name="I have saved them").click()
    page.get_by_text("10 codes left").wait_for()
    old = codes[8].split()[-1]
    assert requests.post(module_hub.url + "/api/v1/auth/recovery", json={"code": old}, timeout=60).status_code == 401

    someone.context.set_offline(True)
    page.get_by_role("button", name="Make new codes").click()
    page.get_by_role("dialog").get_by_role("button", name="Make new codes").click()
    see(page)
    someone.state("recovery-offline", "No connection to the house. Try again when it answers.", "10 codes left", sizes=SIZES)
    someone.context.set_offline(False)
    someone.close()


def test_a_recovery_code_replaces_the_password(module_hub, module_owner, watch):  # noqa: F811
    username = move_in(module_owner, "Uncle")
    bearer = {"Authorization": f"Bearer {token_of(module_hub, username)}"}
    codes = requests.post(module_hub.url + "/api/v1/auth/recovery-codes", headers=bearer, timeout=60).json()["codes"]
    someone = watch("uncle")
    page = someone.page
    # However slow this runs, a second on its clock passes only when the test says so.
    someone.unhurried()
    page.goto(module_hub.url + "/guests")
    page.goto(module_hub.url + "/sign-in")
    page.get_by_text("Use a recovery code").click()
    page.get_by_role("button", name="Sign in with the code").click()
    someone.state("sign-in-recovery", "Enter a code.", "Recovery code", sizes=SIZES)
    code = page.get_by_label("Recovery code", exact=True)
    code.fill("ABCD-EFGH-JKMN-PQRS-TUVW-XYZ2")
    page.keyboard.press("Enter")
    someone.state("sign-in-recovery-wrong", "This code is wrong or was already used.", sizes=SIZES)
    page.route("**/api/v1/auth/recovery", lambda route: route.abort())
    page.keyboard.press("Enter")
    someone.state("sign-in-recovery-offline", "No connection to the house. Try again when it answers.", sizes=SIZES)
    page.route("**/api/v1/auth/recovery", lambda route: route.fulfill(status=429, headers={"Retry-After": "2"}, content_type="application/json", body='{"error":{"code":"rate_limited"}}'))
    page.keyboard.press("Enter")
    someone.state("sign-in-recovery-throttled", "Too many tries. Again in 0:02.", sizes=(PHONE,))
    someone.later(3)
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_text("Too many tries").wait_for(state="hidden")
    code.fill(codes[0].lower().replace("-", " "))
    page.keyboard.press("Enter")
    see(page)
    someone.state("recovered", "You signed in with a recovery code, so for five minutes you do not need the old password.", "9 codes left", sizes=SIZES, gone=("Current password",))
    page.get_by_label("New password", exact=True).fill("another correct horse")
    page.get_by_role("button", name="Change password").click()
    page.get_by_text("The password is changed. Other sessions are ended.").first.wait_for()
    answer = requests.post(module_hub.url + "/api/v1/auth/login", json={"username": username, "password": "another correct horse"}, timeout=60)
    assert answer.status_code == 200
    someone.close()


def test_a_token_is_created_by_keyboard(module_hub, module_owner, watch):  # noqa: F811
    someone, _ = at_home(watch, module_hub, module_owner, "Cousin", "/settings")
    page = someone.page
    page.get_by_role("link", name="Tokens for programs").focus()
    page.keyboard.press("Enter")
    page.get_by_text("No tokens yet.").wait_for()

    def tab_to(what, most=80):
        for _ in range(most):
            page.keyboard.press("Tab")
            seen = page.evaluate("[document.activeElement.getAttribute('aria-label') || document.activeElement.textContent, document.activeElement.value || '', getComputedStyle(document.activeElement.closest('.segment') ? document.activeElement.nextElementSibling : document.activeElement).outlineStyle]")
            assert seen[2] != "none", f"the focus cannot be seen on {seen[0]!r}"
            if what in seen[:2]:
                return
        raise AssertionError(f"no way by Tab to {what!r}")

    page.evaluate("document.querySelector('h1').focus()")
    tab_to("Make a token")
    page.keyboard.press("Enter")
    page.keyboard.type("Kitchen display")
    tab_to("all")
    page.keyboard.press("ArrowRight")
    page.get_by_role("checkbox", name="Hall light").focus()
    page.keyboard.press("Space")
    tab_to("90")
    page.keyboard.press("ArrowRight")
    tab_to("Make the token")
    page.keyboard.press("Enter")
    page.locator(".link-text").first.wait_for()
    house.focused(page, "textContent", "The token for Kitchen display is made")
    someone.close()


def test_tokens_for_programs(module_hub, module_owner, watch):  # noqa: F811
    someone, username = at_home(watch, module_hub, module_owner, "Housekeeper", None, role="admin")
    page = someone.page
    page.route("**/api/v1/auth/api-tokens", never)
    page.goto(module_hub.url + "/settings/tokens")
    page.locator(".skeleton").wait_for()
    someone.state("tokens-loading", "Tokens for programs", sizes=SIZES)
    page.route("**/api/v1/auth/api-tokens", answer_with(500))
    page.reload()
    someone.state("tokens-error", "The tokens could not be loaded", "Try again", sizes=SIZES)
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    someone.state("tokens-empty", "No tokens yet.", "A dashboard, a script or another hub can use one.", sizes=SIZES)

    page.get_by_role("button", name="Make a token").click()
    someone.state("tokens-form", "A token for a program", "At most as", re.compile("^Until "), sizes=SIZES)
    page.get_by_role("radio", name="Only some").check(force=True)
    page.get_by_role("button", name="Make the token").click()
    someone.state("tokens-missing", "Enter what it is for.", "Choose at least one device.", sizes=SIZES)
    page.get_by_label("What it is for").fill("Garden display")
    page.get_by_role("checkbox", name="Front door").check()
    page.get_by_role("checkbox", name="Hall light").check()
    unlock = page.get_by_role("group", name="What it may do with Front door").get_by_role("button", name="Unlock", exact=True)
    assert unlock.get_attribute("aria-pressed") == "false", "what lets somebody in is left to be chosen"
    someone.state("tokens-some", "Only what you choose here.", sizes=SIZES)

    stale_step_up(page, "**/api/v1/auth/api-tokens")
    page.get_by_role("button", name="Make the token").click()
    page.get_by_role("heading", name="Confirm it is you").wait_for()
    page.get_by_role("button", name="Cancel").last.click()
    someone.state("tokens-denied", "Not done: you did not confirm that it is you.", sizes=SIZES)
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("button", name="Make the token").click()
    page.locator(".link-text").first.wait_for()
    token = page.locator(".link-text").first.inner_text()
    someone.state("tokens-made", "The token for Garden display is made", "Copy token", "It is shown only once.", sizes=SIZES)
    bearer = {"Authorization": f"Bearer {token}"}
    answer = requests.put(module_hub.url + "/api/v1/devices/hall-light/control", json={"action": "on"}, headers=bearer, timeout=60)
    assert answer.status_code == 200, answer.text
    answer = requests.put(module_hub.url + "/api/v1/devices/front-door/control", json={"action": "unlock"}, headers=bearer, timeout=60)
    assert answer.status_code == 403, "what was not chosen it may not"
    page.get_by_role("button", name="Done").click()
    assert page.locator(".link-text").count() == 0 and token not in page.content(), "it is shown once"

    # For all permissions, for the person's role as upper limit, and without an end.
    page.get_by_role("button", name="Make a token").click()
    page.get_by_label("What it is for").fill("Night script")
    page.get_by_label("At most as").select_option("member")
    page.get_by_role("radio", name="No end").check(force=True)
    someone.state("tokens-for-ever", "Until you revoke it.", re.compile("^What a resident may do with devices"), sizes=(PHONE,))
    page.get_by_role("button", name="Make the token").click()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Revoke Night script").wait_for()
    page.reload()
    someone.state("tokens", "Front door: lock; Hall light: ", "Everything a resident may do", re.compile("no end"), re.compile("last used"), sizes=SIZES)

    page.get_by_role("button", name="Revoke Garden display").click()
    someone.state("tokens-revoke", "Revoke the token for Garden display?", sizes=SIZES)
    page.get_by_role("dialog").get_by_role("button", name="Revoke token").click()
    page.get_by_role("button", name="Revoke Garden display").wait_for(state="detached")
    assert requests.get(module_hub.url + "/api/v1/devices", headers=bearer, timeout=60).status_code == 401
    house.focused(page, "textContent", "Revoke Night script", "on to the next row")

    someone.context.set_offline(True)
    page.get_by_role("button", name="Revoke Night script").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke token").click()
    someone.state("tokens-offline", "No connection to the house. Try again when it answers.", "Night script", sizes=SIZES)
    someone.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke token").click()
    page.get_by_text("No tokens yet.").wait_for()

    # An expired one says so.
    over = (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)).isoformat()
    old = {"token_id": "token_old", "name": "Old display", "role": "admin", "created_at": over, "expires_at": over}
    page.route("**/api/v1/auth/api-tokens", lambda route: route.fulfill(json={"tokens": [old], "total": 1}))
    page.reload()
    someone.state("tokens-over", "Old display", "ended", "Everything you may do", sizes=(PHONE,))
    someone.close()


def test_a_passkey_is_renamed(module_hub, module_owner, watch):  # noqa: F811
    username = move_in(module_owner, "Grandfather")
    someone = watch("grandfather")
    page = someone.page
    name = module_hub.url.replace("127.0.0.1", "localhost")
    page.goto(name + "/sign-in")
    page.fill("input[name=username]", username)
    page.fill("input[name=password]", PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.locator("door-row").first.wait_for()
    page.goto(name + "/settings/account")
    virtual_key(someone)
    page.get_by_role("button", name="Add a passkey").click()
    page.get_by_role("button", name=re.compile("^Rename ")).click()
    field = page.get_by_role("dialog").get_by_label("Name", exact=True)
    field.fill("  ")
    page.keyboard.press("Enter")
    someone.state("passkey-rename", "Give it a name.", sizes=SIZES)
    page.route("**/api/v1/auth/passkeys/*", lambda route: route.abort())
    field.fill("The phone with the crack")
    page.keyboard.press("Enter")
    someone.state("passkey-rename-offline", "No connection to the house. Try again when it answers.", sizes=(PHONE,))
    page.unroute_all(behavior="ignoreErrors")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Rename The phone with the crack").wait_for()
    house.until(lambda: page.evaluate("document.activeElement.textContent") == "Rename The phone with the crack", "the focus is where it was")
    see(page)
    someone.state("passkeys-named", "The phone with the crack", sizes=SIZES)
    someone.close()


def test_an_admin_lists_and_ends_a_persons_sessions(module_hub, module_owner, watch):  # noqa: F811
    username = move_in(module_owner, "Stepson")
    theirs = next(one["person_id"] for one in module_owner.get("/api/v1/people").json()["people"] if one["name"] == "Stepson")
    someone, _ = at_home(watch, module_hub, module_owner, "Caretaker", f"/people/{theirs}", role="admin")
    page = someone.page
    ends = page.get_by_role("button", name=re.compile("^End Firefox on"))
    for system in ("X11; Linux x86_64", "Windows NT 10.0; Win64; x64"):
        agent = f"Mozilla/5.0 ({system}; rv:140.0) Gecko/20100101 Firefox/140.0"
        assert requests.post(module_hub.url + "/api/v1/auth/login", json={"username": username, "password": PASSWORD}, headers={"User-Agent": agent}, timeout=60).ok
    page.route(f"**/api/v1/people/{theirs}/sessions", answer_with(500))
    page.reload()
    someone.state("person-sessions-error", "The list could not be loaded", "Try again", sizes=(PHONE,))
    page.unroute_all(behavior="ignoreErrors")
    page.reload()
    ends.first.wait_for()
    page.get_by_role("heading", name="Where they are signed in").scroll_into_view_if_needed()
    someone.state("person-sessions", "Each browser and phone that is signed in as them.", re.compile("Firefox on Linux"), "End all", sizes=SIZES)
    many = page.locator("li", has_text="signed in").count()
    page.get_by_role("button", name="End Firefox on Linux").click()
    page.get_by_role("dialog").get_by_role("button", name="End session").click()
    house.until(lambda: page.locator("li", has_text="signed in").count() == many - 1, "one fewer")
    house.focused(page, "textContent", re.compile("End .*"), "on to the next row")

    stale_step_up(page, f"**/api/v1/people/{theirs}/sessions", "DELETE")
    page.get_by_role("button", name="End all", exact=True).click()
    someone.state("person-sessions-end", "End all their sessions?", sizes=(PHONE, DESK))
    page.get_by_role("dialog").get_by_role("button", name="End all").click()
    page.get_by_role("dialog").get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    someone.state("person-sessions-none", "Nowhere right now.", gone=("End all",), sizes=SIZES)
    house.focused(page, "textContent", "Where they are signed in")
    assert requests.get(module_hub.url + "/api/v1/people/me", headers={"Authorization": f"Bearer {module_owner.token}"}, timeout=60).ok, "nobody else was signed out"

    # Nobody sees the sessions of a higher role, nor of a person who has not joined.
    above = next(one["person_id"] for one in module_owner.get("/api/v1/people").json()["people"] if one["role"] == "owner")
    invited = module_owner.post("/api/v1/people", {"name": "Godchild", "role": "member"}).json()["person"]["person_id"]
    for one, name in ((above, "Owner"), (invited, "Godchild")):
        page.goto(module_hub.url + f"/people/{one}")
        page.get_by_role("heading", name=name, level=1).wait_for()
        assert not page.get_by_text("Where they are signed in").count()
    someone.close()


def test_a_person_links_their_presence_to_home_assistant(module_hub, module_owner, watch):  # noqa: F811
    someone, _ = at_home(watch, module_hub, module_owner, "Walker", None)
    page, kept = someone.page, {"linked": None}
    tracker = {"integration": "home-assistant", "entity_id": "device_tracker.walker", "name": "Walker's phone"}

    def source(route):
        if route.request.method == "PUT":
            assert route.request.post_data_json == {"entity_id": "device_tracker.walker"}
            kept["linked"] = {**tracker, "linked_at": "2026-11-29T10:00:00.000Z"}
        if route.request.method == "DELETE":
            kept["linked"] = None
            return route.fulfill(status=204)
        return route.fulfill(json={**({"linked": kept["linked"]} if kept["linked"] else {}), "candidates": [tracker]})

    page.route("**/api/v1/people/me/presence/source", source)
    page.goto(module_hub.url + "/settings/account")
    told = page.get_by_label("Reported by")
    for choice, linked in (("Walker's phone", tracker["entity_id"]), ("Only you", None)):
        told.select_option(choice)
        page.locator("section", has_text="Where you are").get_by_role("button", name="Save").click()
        house.until(lambda: page.evaluate("true") and (kept["linked"] or {}).get("entity_id") == linked, f"{choice} is kept")
        house.until(lambda: told.input_value() == (linked or ""), f"{choice} is shown")
    someone.state("presence-source", "Where you are", "not where you are", sizes=SIZES)
    someone.close()
