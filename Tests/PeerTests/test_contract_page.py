"""The contract's page: it shows both documents, works by keyboard, and passes axe."""

import pytest
import requests
from test_tour import DESK, PHONE, SMALL, browser, visit  # noqa: F401

pytestmark = pytest.mark.long


def test_the_contract_page_works_on_a_phone_and_by_keyboard(module_hub, visit):  # noqa: F811
    reader = visit("reader")
    page = reader.page
    page.goto(module_hub.url + "/contract")
    page.wait_for_selector("#listDevices")

    document = requests.get(module_hub.url + "/openapi.json", timeout=60).json()
    shown = set(page.eval_on_selector_all("main details.operation", "(rows) => rows.map((row) => row.id)"))
    assert {item["operationId"] for path in document["paths"].values() for item in path.values()} <= shown
    assert {f"type-{name}" for name in document["components"]["schemas"]} <= shown
    assert "channel-realtime" in shown

    page.locator("#controlDevice > summary").focus()
    page.keyboard.press("Enter")
    assert page.locator("#controlDevice").get_by_role("heading", name="Body").is_visible()
    page.locator("#controlDevice").get_by_role("link", name="ControlBody").press("Enter")
    page.locator("#type-ControlBody").get_by_text("transition_time").first.wait_for()

    reader.look("contract", sizes=(PHONE, SMALL, DESK))
    reader.close()
