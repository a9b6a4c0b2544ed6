"""Phones for their owner: none, one that waits, the digits typed, the list, and removing one."""

import re

import pytest

from test_phones import App
from test_tour import DESK, PHONE, SMALL, browser  # noqa: F401
from test_web_account import at_home, stale_step_up
from test_web_states import answer_with, watch  # noqa: F401
from conftest import PASSWORD

pytestmark = pytest.mark.long

SIZES = (SMALL, PHONE, DESK)


def test_a_phone_is_paired_named_and_removed(module_hub, module_owner, watch):  # noqa: F811
    someone, _ = at_home(watch, module_hub, module_owner, "Niece", None)
    page = someone.page
    page.goto(module_hub.url + "/settings")
    page.get_by_role("link", name="Phones").click()
    page.wait_for_url("**/settings/phones")
    someone.state("phones-none", "No phones yet.", "No phone is waiting right now.", "Pair this phone", sizes=SIZES)

    # Typed wrongly: the message is beside the field, and no request is sent.
    page.get_by_label("The six digits on the phone's screen").fill("12 34a")
    page.get_by_role("button", name="Pair this phone").click()
    someone.state("phones-digits", "Enter the six digits that the phone shows.", sizes=(PHONE,))

    # A phone asks, and appears without a reload; its digits are on its own screen only.
    app = App(module_hub, name="Niece's phone")
    code = app.pair()
    page.get_by_role("button", name="Refuse Niece's phone").wait_for()
    assert code not in page.content()
    someone.state("phones-waiting", "Niece's phone", re.compile("iPhone17,1"), sizes=SIZES)
    wrong = "000000" if code != "000000" else "000001"
    page.get_by_label("The six digits on the phone's screen").fill(wrong)
    page.get_by_role("button", name="Pair this phone").click()
    someone.state("phones-unknown", "No phone shows these digits now.", sizes=(PHONE,))

    # Five minutes after sign-in the house requires a step-up, and the action continues.
    stale_step_up(page, "**/api/v1/mobile/auth/confirm")
    page.get_by_label("The six digits on the phone's screen").fill(f"{code[:3]} {code[3:]}")
    page.get_by_role("button", name="Pair this phone").click()
    page.get_by_role("dialog").get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_text("No phone is waiting right now.").wait_for()
    page.unroute_all(behavior="ignoreErrors")
    assert app.verify(code).status_code == 200
    page.get_by_role("button", name="Remove Niece's phone").wait_for()
    someone.state("phones-one", "Niece's phone", re.compile("last used"), sizes=SIZES)

    # The address for the app.
    page.get_by_text("Show the code for the app").click()
    page.get_by_alt_text("QR code with the address of the house and its key").wait_for()
    someone.state("phones-code", "The house's address", module_hub.url, sizes=SIZES)

    page.get_by_role("button", name="Rename Niece's phone").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Hall tablet")
    page.get_by_role("dialog").get_by_role("button", name="Rename phone").click()
    page.get_by_role("button", name="Remove Hall tablet").wait_for()
    page.get_by_role("button", name="Remove Hall tablet").click()
    someone.state("phones-remove", "Remove Hall tablet?", "It is refused at once, and has to be paired again.", sizes=SIZES)
    page.get_by_role("dialog").get_by_role("button", name="Remove phone").click()
    page.get_by_text("No phones yet.").wait_for()
    assert app.renew().status_code == 401

    # Rejected, and the page behind the link of a QR code.
    App(module_hub, name="Unknown phone").pair()
    page.goto(module_hub.url + "/pair")
    page.get_by_role("button", name="Refuse Unknown phone").click()
    page.get_by_text("No phone is waiting right now.").wait_for()
    page.route("**/api/v1/mobile/devices", answer_with(500))
    page.reload()
    someone.state("phones-error", "The phones could not be loaded", "Try again", sizes=SIZES)
    someone.close()
