"""Recovery codes, tokens for programs, the names of passkeys and the hub's certificate, as their owner sees them."""

import datetime
import re

import pytest
import requests

import house
from conftest import Owner
from test_tour import DESK, PASSWORD, PHONE, SMALL, browser  # noqa: F401
from test_web_house import FRAMES, virtual_key
from test_web_states import STEP_UP, answer_with, move_in, never, sign_in, watch  # noqa: F401

pytestmark = pytest.mark.long

SIZES = (SMALL, PHONE, DESK)


def at_home(watch, hub, owner, name, to, role="member"):  # noqa: F811
    username = move_in(owner, name, role)
    someone = watch(username)
    sign_in(someone, hub, username, to=to)
    return someone, username


def see(page):
    """Below much else: the picture is of what the test is about."""
    page.locator(".recovery").evaluate("(node) => scrollTo(0, node.getBoundingClientRect().top + scrollY - 80)")


def token_of(hub, username):
    return requests.post(hub.url + "/api/v1/auth/login", json={"username": username, "password": PASSWORD}, timeout=60).json()["access_token"]


def stale_step_up(page, path, method="POST"):
    """As it is some minutes after signing in: the first write is asked who it is."""
    asked = []

    def once(route):
        if route.request.method != method or asked:
            return route.continue_()
        asked.append(route.request.url)
        route.fulfill(status=403, json=STEP_UP)

    page.route(path, once)


def test_recovery_codes_are_made_kept_and_counted(module_hub, module_owner, watch):  # noqa: F811
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

    # Five minutes after signing in, and without the will to say who one is.
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
    someone.state("recovery-codes", "They are shown this once.", "Copy", "Save as a file", "I have kept them", sizes=SIZES)
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as a file").click()
    text = saved.value.path().read_text()
    assert saved.value.suggested_filename == "recovery-codes.txt" and all(code.split()[-1] in text for code in codes), text
    page.emulate_media(media="print")
    assert not page.get_by_text("Where you are signed in").is_visible() and page.locator(".code-list").is_visible(), "on paper there are the codes alone"
    page.emulate_media(media="screen")
    page.get_by_role("button", name="I have kept them").click()
    see(page)
    someone.state("recovery-kept", "10 codes left", re.compile("^made "), sizes=SIZES, gone=("They are shown this once.",))

    # Those that are used are counted, and in time one is warned.
    for code in codes[:7]:
        assert requests.post(module_hub.url + "/api/v1/auth/recovery", json={"code": code.split()[-1]}, timeout=60).status_code == 200
    page.reload()
    see(page)
    someone.state("recovery-few", "3 codes left", "Few left", "Make new ones while you can still sign in.", sizes=SIZES)
    page.get_by_role("button", name="Make new codes").click()
    someone.state("recovery-again", "Make new recovery codes?", "The codes you have stop working at once, also those on paper.", sizes=SIZES)
    page.get_by_role("dialog").get_by_role("button", name="Make new codes").click()
    page.get_by_role("button", name="I have kept them").click()
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


def test_a_recovery_code_signs_in_and_stands_for_the_password(module_hub, module_owner, watch):  # noqa: F811
    username = move_in(module_owner, "Uncle")
    bearer = {"Authorization": f"Bearer {token_of(module_hub, username)}"}
    codes = requests.post(module_hub.url + "/api/v1/auth/recovery-codes", headers=bearer, timeout=60).json()["codes"]
    someone = watch("uncle")
    page = someone.page
    # However slow this goes, a second on its clock passes only when one is to.
    someone.unhurried()
    page.goto(module_hub.url + "/guests")
    page.goto(module_hub.url + "/sign-in")
    page.get_by_text("Use a recovery code").click()
    page.get_by_role("button", name="Sign in with the code").click()
    someone.state("sign-in-recovery", "Type a code.", "Recovery code", sizes=SIZES)
    code = page.get_by_label("Recovery code", exact=True)
    code.fill("ABCD-EFGH-JKMN-PQRS-TUVW-XYZ2")
    page.keyboard.press("Enter")
    someone.state("sign-in-recovery-wrong", "That is not one of your codes, or it was used before.", sizes=SIZES)
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
    someone.state("recovered", "You came in with a recovery code, so for five minutes the old password is not asked for.", "9 codes left", sizes=SIZES, gone=("Current password",))
    page.get_by_label("New password", exact=True).fill("another correct horse")
    page.get_by_role("button", name="Change password").click()
    page.get_by_text("The password is changed. Other sessions are ended.").first.wait_for()
    answer = requests.post(module_hub.url + "/api/v1/auth/login", json={"username": username, "password": "another correct horse"}, timeout=60)
    assert answer.status_code == 200
    someone.close()


def test_a_token_is_made_with_the_keys_alone(module_hub, module_owner, watch):  # noqa: F811
    someone, _ = at_home(watch, module_hub, module_owner, "Cousin", "/settings")
    page = someone.page
    page.get_by_role("link", name="Tokens for programs").focus()
    page.keyboard.press("Enter")
    page.get_by_text("No program has a token of yours.").wait_for()

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
    someone.state("tokens-empty", "No program has a token of yours.", "A dashboard, a script or another hub can use one.", sizes=SIZES)

    page.get_by_role("button", name="Make a token").click()
    someone.state("tokens-form", "A token for a program", "At most as", re.compile("^Until "), sizes=SIZES)
    page.get_by_role("radio", name="Only some").check(force=True)
    page.get_by_role("button", name="Make the token").click()
    someone.state("tokens-missing", "Say what it is for.", "Choose at least one device.", sizes=SIZES)
    page.get_by_label("What it is for").fill("Garden display")
    page.get_by_role("checkbox", name="Front door").check()
    page.get_by_role("checkbox", name="Hall light").check()
    unlock = page.get_by_role("group", name="What it may do with Front door").get_by_role("button", name="Unlock", exact=True)
    assert unlock.get_attribute("aria-pressed") == "false", "what lets somebody in is left to be chosen"
    someone.state("tokens-some", "Nothing but what is chosen here.", sizes=SIZES)

    stale_step_up(page, "**/api/v1/auth/api-tokens")
    page.get_by_role("button", name="Make the token").click()
    page.get_by_role("heading", name="Confirm it is you").wait_for()
    page.get_by_role("button", name="Cancel").last.click()
    someone.state("tokens-denied", "Not done: you did not confirm that it is you.", sizes=SIZES)
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("button", name="Make the token").click()
    page.locator(".link-text").first.wait_for()
    token = page.locator(".link-text").first.inner_text()
    someone.state("tokens-made", "The token for Garden display is made", "Copy token", "It is shown this once.", sizes=SIZES)
    bearer = {"Authorization": f"Bearer {token}"}
    answer = requests.put(module_hub.url + "/api/v1/devices/hall-light/control", json={"action": "on"}, headers=bearer, timeout=60)
    assert answer.status_code == 200, answer.text
    answer = requests.put(module_hub.url + "/api/v1/devices/front-door/control", json={"action": "unlock"}, headers=bearer, timeout=60)
    assert answer.status_code == 403, "what was not chosen it may not"
    page.get_by_role("button", name="Done").click()
    assert page.locator(".link-text").count() == 0 and token not in page.content(), "it is shown once"

    # For everything, as less than one is, and for ever.
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
    page.get_by_text("No program has a token of yours.").wait_for()

    # One whose time is over says so.
    over = (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)).isoformat()
    old = {"token_id": "token_old", "name": "Old display", "role": "admin", "created_at": over, "expires_at": over}
    page.route("**/api/v1/auth/api-tokens", lambda route: route.fulfill(json={"tokens": [old], "total": 1}))
    page.reload()
    someone.state("tokens-over", "Old display", "ended", "Everything you may do", sizes=(PHONE,))
    someone.close()


def test_a_passkey_gets_a_name(module_hub, module_owner, watch):  # noqa: F811
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


def test_what_the_house_is_called_and_its_clock_are_changed_and_nobody_is_overwritten(hub, owner, watch):  # noqa: F811
    someone = watch("owner")
    page = someone.page
    sign_in(someone, hub, "owner", to="/settings/house")
    page.get_by_label("Name of the house").wait_for()
    someone.state("house-form", "Linden Street 14", "Europe/Berlin", "Guests see it on their pass", sizes=SIZES)
    page.get_by_label("Name of the house").fill(" ")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Name of the house?").wait_for()
    page.get_by_label("Name of the house").fill("Lime House")
    page.get_by_label("Time zone").select_option("America/New_York")
    page.get_by_role("button", name="Save").click()
    page.locator(".facts", has_text="Lime House").get_by_text("America/New York").wait_for()
    now = owner.get("/api/v1/house").json()
    assert (now["name"], now["time_zone"]) == ("Lime House", "America/New_York")

    assert owner.put("/api/v1/house", {"name": "Elm House", "time_zone": "Asia/Tokyo"}).ok
    page.get_by_label("Name of the house").fill("Oak House")
    someone.refusals_expected = True
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Owner changed it meanwhile.").first.wait_for()
    page.locator(".facts", has_text="Elm House").wait_for()
    assert page.get_by_label("Name of the house").input_value() == "Oak House", "what was typed stays"
    someone.state("house-meanwhile", "Owner changed it meanwhile.", sizes=(PHONE, DESK))
    page.get_by_role("button", name="Save").click()
    page.locator(".facts", has_text="Oak House").wait_for()
    now = owner.get("/api/v1/house").json()
    house.until(lambda: page.get_by_label("Time zone").input_value() == "Asia/Tokyo", "the form says what is")
    assert (now["name"], now["time_zone"]) == ("Oak House", "Asia/Tokyo"), "what nobody touched here is as somebody else made it"
    someone.close()


def test_what_the_house_prefers_is_changed_by_touch_and_nothing_else_is_sent(hub, owner, watch):  # noqa: F811
    someone = watch("owner")
    page = someone.page
    sign_in(someone, hub, "owner", to="/settings/house")
    warmth, floors = page.get_by_label("Usual temperature in °C"), page.get_by_label("Floors")
    warmth.wait_for()
    assert (warmth.input_value(), floors.input_value()) == ("21", "1")
    page.get_by_label("Quiet hours").check()
    from_, to = page.get_by_label("From", exact=True), page.get_by_label("Until", exact=True)
    warmth.fill("50")
    floors.fill("1.5")
    from_.fill("late")
    page.get_by_role("button", name="Save").click()
    someone.state("house-prefers-wrong", "Write a number from 5.0\u00a0°C to 35.0\u00a0°C.", "Write a number from 1 to 200.", re.compile("^Write a time"), sizes=SIZES)
    house.until(lambda: page.evaluate("document.activeElement === document.querySelector('[aria-invalid=true]')"), "on to the first that is wrong")
    warmth.fill("19,5")
    floors.fill("3")
    from_.fill("9pm")
    to.fill("6.30")
    page.get_by_label("Who answers guests that ask to be let in").select_option("everyone")
    with page.expect_request(lambda one: one.method == "PUT") as sent:
        page.get_by_role("button", name="Save").click()
    assert sent.value.post_data_json == {"number_of_floors": 3, "asks_answered_by": "everyone", "preferences": {"default_temperature": 19.5, "quiet_hours": {"from": "21:00", "to": "06:30"}}}, "the name and the zone were left alone"
    house.until(lambda: from_.input_value() == "21:00" and warmth.input_value() == "19.5", "the form says what is")
    now = owner.get("/api/v1/house").json()
    assert now["number_of_floors"] == 3 and now["preferences"] == {"default_temperature": 19.5, "energy_saving_mode": False, "security_level": "medium", "quiet_hours": {"from": "21:00", "to": "06:30"}, "vacation_mode": False} and now["asks_answered_by"] == "everyone"
    someone.state("house-prefers", "Quiet hours", "Everyone counts as away until they are back.", sizes=SIZES, gone=("Save energy", "Level of security"))

    # What somebody else changed meanwhile stays as they made it.
    assert owner.put("/api/v1/house", {"preferences": {"vacation_mode": True}}).ok
    page.get_by_label("Quiet hours").uncheck()
    assert not from_.is_visible()
    someone.refusals_expected = True
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Owner changed it meanwhile.").first.wait_for()
    page.get_by_role("button", name="Save").click()
    house.until(lambda: page.get_by_label("Nobody is at home for days").is_checked(), "the form says what is")
    now = owner.get("/api/v1/house").json()["preferences"]
    assert now["quiet_hours"] is None and now["vacation_mode"] is True

    # In one's own degrees, also the bounds.
    chosen = owner.get("/api/v1/people/me/preferences").json()
    chosen.pop("version")
    assert owner.put("/api/v1/people/me/preferences", {**chosen, "temperature_unit": "fahrenheit"}).ok
    page.reload()
    warmth = page.get_by_label("Usual temperature in °F")
    warmth.wait_for()
    assert warmth.input_value() == "67.1"
    warmth.fill("30")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Write a number from 41\u00a0°F to 95\u00a0°F.").wait_for()
    warmth.fill("68")
    page.get_by_role("button", name="Save").click()
    house.until(lambda: owner.get("/api/v1/house").json()["preferences"]["default_temperature"] == 20, "the house hears it in degrees Celsius")

    # And in feet, which the house counts in. What was kept of the page may say degrees Celsius still.
    with page.expect_response("**/api/v1/people/me"), page.expect_response("**/api/v1/house"):
        page.goto(hub.url + "/settings/rooms")
    page.evaluate(FRAMES)
    page.get_by_role("button", name="Add a room").click()
    page.get_by_label("Name", exact=True).fill("Attic")
    page.get_by_label("Ceiling in feet").fill("8.5")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("dialog").wait_for(state="detached")
    assert next(one for one in owner.get("/api/v1/rooms").json()["rooms"] if one["name"] == "Attic")["ceiling_height"] == 8.5
    someone.close()


def test_temperatures_are_read_in_fahrenheit_by_whoever_chose_it(module_hub, module_owner, watch):  # noqa: F811
    someone, username = at_home(watch, module_hub, module_owner, "Nephew", "/settings/account")
    page, theirs = someone.page, Owner(module_hub, {"access_token": token_of(module_hub, "nephew")})
    page.get_by_role("group", name="Temperatures in").scroll_into_view_if_needed()
    page.route("**/api/v1/people/me/preferences", answer_with(500))
    someone.refusals_expected = True
    page.get_by_role("radio", name="°F").check(force=True)
    page.locator(".form-said", has_text="Details").wait_for()
    assert page.get_by_role("radio", name="°C").is_checked(), "what was not kept is not shown as kept"
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("radio", name="°F").check(force=True)
    house.until(lambda: theirs.get("/api/v1/people/me/preferences").json()["temperature_unit"] == "fahrenheit", "it is kept")
    someone.state("degrees", "Temperatures in", sizes=SIZES)
    assert theirs.get("/api/v1/people/me/preferences").json()["energy_cost_rate"] == 0.15, "nothing else was touched"

    page.goto(module_hub.url + "/")
    warm = page.locator("device-tile", has=page.locator(".warmth")).first
    warm.wait_for()
    wanted = lambda: float(re.match(r"[\d.]+", warm.locator(".strip-value").inner_text())[0])  # noqa: E731
    assert warm.locator(".strip-value").inner_text().endswith("\u00a0°F") and not page.get_by_text("°C").count()
    before = wanted()
    warm.get_by_role("button", name="Warmer").click()
    house.until(lambda: wanted() == before + 1, "a whole degree Fahrenheit")
    climate = lambda: next(e for d in module_owner.get("/api/v1/devices").json()["devices"] for e in d["entities"] if e["entity_type"] == "climate")["attributes"]["target_temperature"]  # noqa: E731
    house.until(lambda: round(climate() * 1.8 + 32) == wanted() == before + 1, "the house hears it in degrees Celsius")
    someone.state("home-fahrenheit", re.compile("°F"), sizes=SIZES)
    now = datetime.datetime.now(datetime.timezone.utc)
    points = [{"at": (now - datetime.timedelta(hours=one)).isoformat(), "min": None, "max": None, "mean": None, "count": None, "value": 10 + one} for one in range(5, 0, -1)]
    page.route("**/history?*", lambda route: route.fulfill(json={"device_id": "garden-temperature", "entity_id": "sensor.garden_temperature", "unit_of_measurement": "°C", "resolution": "raw", "from": "", "to": "", "points": points, "next_from": None}))
    page.goto(module_hub.url + "/devices/garden-temperature")
    page.get_by_text("Between 51.8 and 59.0, last 51.8\u00a0°F").wait_for()
    assert [one for one in page.locator(".plot svg text").all_text_contents() if one == "°F"] and not page.get_by_text("°C").count()
    page.get_by_text("As table").click()
    page.locator(".plot-table tbody td", has_text="59.0\u00a0°F").first.wait_for()
    someone.state("sensor-fahrenheit", re.compile("°F"), sizes=SIZES)

    page.goto(module_hub.url + "/house/what-if")
    page.get_by_label("Temperature, °F").fill("72")
    with page.expect_request("**/api/v1/predictions/what-if") as asked:
        page.get_by_role("button", name="Calculate").click()
    assert list(asked.value.post_data_json["changes"]["room"].values()) == [{"temperature": 22.22}]
    page.get_by_role("heading", name="Evidence").wait_for()

    # What is said of a habit is said in them, and kept in °C: it made the house want 64 °C.
    habit = {
        "memory_id": "habit_level_sensor.garden_temperature", "memory_type": "semantic", "title": "Garden", "content": "Garden is to show 64.4 to 69.8 °F.",
        "source": "learned", "told_by": None, "created_at": now.isoformat(), "confidence": 1, "related_devices": ["garden-temperature"], "may_change": True,
        "correction": {"forgotten": False, "shut_by": None, "low": 18, "high": 21, "hours": None, "active": None, "at": now.isoformat()}, "version": 0,
    }
    page.route("**/api/v1/memory?*", lambda route: route.fulfill(json={"memories": [habit], "total": 1}))
    page.route("**/api/v1/memory/*", lambda route: route.fulfill(json=habit))
    page.goto(module_hub.url + "/house/memory")
    page.locator(".rows li", has_text="Garden is to show").get_by_role("button").click()
    page.get_by_text("From 64.4\u00a0°F to 69.8\u00a0°F").wait_for()
    page.get_by_role("button", name="Correct").click()
    low, high = page.get_by_label("Usually from, °F"), page.get_by_label("Usually to, °F")
    assert (low.input_value(), high.input_value()) == ("64.4", "69.8")
    low.fill("66")
    with page.expect_request(lambda asked: asked.method == "PATCH") as asked:
        page.get_by_role("button", name="Save").click()
    assert asked.value.post_data_json == {"correction": {"low": 18.89, "high": 21}}
    someone.close()


def test_what_the_hub_is_known_by(module_hub, module_owner, start_hub, tmp_path, watch):  # noqa: F811
    someone, _ = at_home(watch, module_hub, module_owner, "Lodger", "/settings/house")
    someone.state("certificate-none", "The hub uses plain HTTP. The certificate belongs to the proxy in front of it.", sizes=SIZES)
    someone.page.route("**/api/v1/house/certificate", answer_with(500))
    someone.page.reload()
    someone.state("certificate-error", "The certificate could not be loaded", "Try again", sizes=(PHONE,))
    someone.close()

    hub = start_hub(tmp_path / "house", "--virtual-house", insecure=False)
    owner = watch("owner", ignore_https_errors=True)
    page = owner.page
    page.goto(hub.claim_url)
    page.fill("input[name=organization]", "Linden Street 14")
    page.get_by_role("button", name="Next").click()
    page.fill("input[name=name]", "Owner")
    page.fill("input[name=password]", PASSWORD)
    page.get_by_role("button", name="Claim this house").click()
    page.locator("door-row").first.wait_for()
    page.goto(hub.url + "/settings/house")
    page.get_by_text("Backup pin").wait_for()
    owner.state("certificate", re.compile(r"^([0-9A-F]{4} ){15}[0-9A-F]{4}$"), re.compile("^sha256/"), "Compare the SHA-256", sizes=SIZES)
    # The worker is not registered where the certificate is not trusted; browsers say so.
    owner.complaints = [one for one in owner.complaints if "certificate" not in one.lower() and "ssl" not in one.lower()]
    owner.close()


def test_whoever_manages_people_sees_where_they_are_signed_in_and_ends_it(module_hub, module_owner, watch):  # noqa: F811
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
    someone.state("person-sessions-none", "Nowhere just now.", gone=("End all",), sizes=SIZES)
    house.focused(page, "textContent", "Where they are signed in")
    assert requests.get(module_hub.url + "/api/v1/people/me", headers={"Authorization": f"Bearer {module_owner.token}"}, timeout=60).ok, "nobody else was signed out"

    # Nobody sees it of whoever stands above them, nor of somebody who has not joined.
    above = next(one["person_id"] for one in module_owner.get("/api/v1/people").json()["people"] if one["role"] == "owner")
    invited = module_owner.post("/api/v1/people", {"name": "Godchild", "role": "member"}).json()["person"]["person_id"]
    for one, name in ((above, "Owner"), (invited, "Godchild")):
        page.goto(module_hub.url + f"/people/{one}")
        page.get_by_role("heading", name=name, level=1).wait_for()
        assert not page.get_by_text("Where they are signed in").count()
    someone.close()


def test_somebody_has_home_assistant_tell_where_they_are(module_hub, module_owner, watch):  # noqa: F811
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
