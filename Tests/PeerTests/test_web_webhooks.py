"""Webhooks in the web app: an owner creates one, its URL is shown once and reports events, and a revoked one reports none."""

import pytest
import requests

from test_tour import DESK, PHONE, browser  # noqa: F401
from test_web_states import host, page  # noqa: F401

pytestmark = pytest.mark.long

SIZES = (PHONE, DESK)


def test_a_webhook_is_created_shown_once_and_revoked(module_hub, module_owner, host, page):  # noqa: F811
    page.goto(module_hub.url + "/settings/integrations")
    page.get_by_role("heading", name="Webhooks").wait_for()
    host.state("webhooks-none", "No webhooks yet.", "--webhook-listen", sizes=SIZES)

    page.get_by_role("button", name="Add a webhook").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="Add a webhook").click()
    sheet.get_by_text("Enter a name.").wait_for()
    sheet.get_by_label("Name of the device").fill("Front door bell")
    sheet.get_by_label("Make").select_option("shelly")
    host.state("webhooks-add", "Name of the device", "Event", sizes=SIZES)
    sheet.get_by_role("button", name="Add a webhook").click()
    sheet.get_by_text("This URL is shown once.").wait_for()
    url = sheet.locator(".link-text").inner_text()
    host.state("webhooks-url", "Copy URL", "In the device's settings: Actions.", sizes=SIZES)
    sheet.get_by_role("button", name="Close").click()
    sheet.wait_for(state="detached")
    page.get_by_text("has not reported yet").wait_for()
    assert url not in page.content()

    assert requests.get(url, timeout=60).status_code == 200
    assert module_owner.get("/api/v1/mobile/events?smart_detection_type=ring").json()["total_count"] == 1
    page.reload()
    page.get_by_text("reported last").wait_for()
    host.state("webhooks-list", "Front door bell", "Shelly", sizes=SIZES)

    page.get_by_role("button", name="Revoke Front door bell").click()
    host.state("webhooks-revoke", "Revoke the webhook of Front door bell?", sizes=SIZES)
    page.get_by_role("dialog").get_by_role("button", name="Revoke webhook").click()
    page.get_by_text("No webhooks yet.").wait_for()
    assert requests.get(url, timeout=60).status_code == 404
