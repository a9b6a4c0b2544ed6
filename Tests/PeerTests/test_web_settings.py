"""The settings pages of the web app: house name and time zone, preferences, units, and the hub's certificate."""

import datetime
import re

import pytest

import house
from conftest import Owner
from test_tour import DESK, PASSWORD, PHONE, SMALL, browser  # noqa: F401
from test_web_account import at_home, token_of
from test_web_house import FRAMES
from test_web_states import answer_with, sign_in, watch  # noqa: F401

pytestmark = pytest.mark.long

SIZES = (SMALL, PHONE, DESK)


def test_the_house_name_and_time_zone_change_without_overwriting_others(hub, owner, watch):  # noqa: F811
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


def test_a_preference_change_sends_only_that_preference(hub, owner, watch):  # noqa: F811
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

    # Another person's change meanwhile stays.
    assert owner.put("/api/v1/house", {"preferences": {"vacation_mode": True}}).ok
    page.get_by_label("Quiet hours").uncheck()
    assert not from_.is_visible()
    someone.refusals_expected = True
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Owner changed it meanwhile.").first.wait_for()
    page.get_by_role("button", name="Save").click()
    house.until(lambda: page.get_by_label("Away for several days").is_checked(), "the form says what is")
    now = owner.get("/api/v1/house").json()["preferences"]
    assert now["quiet_hours"] is None and now["vacation_mode"] is True

    # In the reader's own degrees, also the limits.
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

    # And in feet, which the house converts. The cached page may still say degrees Celsius.
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


def test_temperatures_are_in_the_readers_chosen_unit(module_hub, module_owner, watch):  # noqa: F811
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

    # A habit's temperature is shown in them and stored in °C: it once made the house ask for 64 °C.
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


def test_the_hubs_certificate_is_shown(module_hub, module_owner, start_hub, tmp_path, watch):  # noqa: F811
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
    # The worker is not registered without a trusted certificate; browsers report that.
    owner.complaints = [one for one in owner.complaints if "certificate" not in one.lower() and "ssl" not in one.lower()]
    owner.close()
