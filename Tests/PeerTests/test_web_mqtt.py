"""The broker's settings in the web app: what Home Assistant sees of the house, and what it may do with its locks."""

import re

import pytest

import house
from test_real_lock import broker  # noqa: F401
from test_tour import browser  # noqa: F401
from test_web_states import host, page  # noqa: F401

pytestmark = pytest.mark.long


def settings(owner):
    return next(one for one in owner.get("/api/v1/integrations").json()["integrations"] if one["integration"] == "mqtt")["settings"]


def test_the_owner_sets_what_home_assistant_sees_and_may_do(module_hub, module_owner, host, page, broker):  # noqa: F811
    page.goto(module_hub.url + "/settings/integrations")
    page.get_by_role("button", name="Set up MQTT").click()
    page.get_by_label("Host").fill("127.0.0.1")
    page.get_by_label("Port").fill(str(broker))
    page.get_by_text("Shown to Home Assistant").click()
    locks, may_lock, may_open, visitor = (
        page.get_by_role("switch", name=name)
        for name in ("Show this house's locks there", "Home Assistant may lock them", "Home Assistant may unlock them", "Name the last visitor"))
    # Nothing is announced unless enabled, and nothing is opened unless that is enabled as well.
    assert not locks.is_checked() and may_lock.is_checked() and not may_open.is_checked() and not visitor.is_checked()
    locks.check()
    page.get_by_text("Events from Frigate").click()
    prefix = page.get_by_label("Frigate's topic prefix")
    assert prefix.input_value() == ""
    prefix.fill("frigate")
    page.get_by_role("button", name="Save and test").click()
    page.get_by_text("Connected").first.wait_for(state="attached")
    # The test reports it before it is saved.
    page.get_by_role("button", name="Change MQTT").wait_for()
    shown = settings(module_owner)
    assert (shown["announce_locks"], shown["allow_lock"], shown["allow_open"], shown["announce_last_visitor"]) == (True, True, False, False)
    assert shown["frigate_prefix"] == "frigate"

    page.get_by_role("button", name="Change MQTT").click()
    assert locks.is_checked(), "what is told stands open"
    assert prefix.input_value() == "frigate"
    may_open.check()
    host.state("mqtt-told", "Anyone who may publish on the broker can then open your doors")
    page.get_by_role("button", name="Save and test").click()
    house.until(lambda: settings(module_owner)["allow_open"], "it may open")
    page.get_by_role("button", name="Change MQTT").wait_for()

    # A lost broker is shown at once, without a reload.
    assert module_owner.put("/api/v1/integrations/mqtt", {"host": "127.0.0.1", "port": house.free_port()}).status_code == 200
    page.locator(".integration-why").first.wait_for()


def test_a_late_connection_test_closes_only_its_own_form(module_hub, page, broker):  # noqa: F811
    """Pressing Change while the first test still ran once lost the second form."""
    held = []
    page.route(
        "**/api/v1/integrations/mqtt", lambda route: held.append((route, route.fetch())) if route.request.method == "PUT" else route.continue_())
    page.goto(module_hub.url + "/settings/integrations")
    page.get_by_role("button", name="MQTT").first.click()
    page.get_by_label("Host").fill("127.0.0.1")
    page.get_by_label("Port").fill(str(broker))
    page.get_by_role("button", name="Save and test").click()
    house.until(lambda: page.evaluate("true") and held, "the house has answered, and the page has not heard it")
    page.get_by_role("button", name="Change MQTT").click()
    page.get_by_label("Host").fill("another.test")
    (route, answer), = held
    route.fulfill(response=answer)
    page.get_by_text(re.compile(r"^Connected[,.]")).first.wait_for(state="attached")
    assert page.get_by_label("Host").input_value() == "another.test"
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Save and test").wait_for(state="detached")
