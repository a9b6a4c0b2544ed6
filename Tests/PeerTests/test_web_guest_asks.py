"""A pass with approval, in browsers: two phones show one link, each with its number, and a resident approves one of them."""

import re

import pytest

import house
from test_tour import DESK, PHONE, SMALL, browser, take  # noqa: F401
from test_web_account import at_home
from test_web_states import watch  # noqa: F401

pytestmark = pytest.mark.long

SIZES = (SMALL, PHONE, DESK)


def ask(page, link):
    """Opens the link and requests the pass; returns the number shown."""
    page.goto(link)
    page.get_by_role("button", name="Use this pass on this phone").click()
    page.get_by_text("Someone who may let guests in has to say yes").first.wait_for()
    return page.locator(".ask-number").text_content()


def test_one_of_two_requesting_phones_is_approved(module_hub, module_owner, watch):  # noqa: F811
    host, _ = at_home(watch, module_hub, module_owner, "Host", "/", role="admin")
    made = house.invite(module_owner, name="Plumber", requires_approval=True)
    first, second = watch("first"), watch("second")

    number = ask(first.page, made["link"])
    first.state("guest-asks", number, "Leave this page open", sizes=SIZES)
    host.page.locator(".ask", has_text=number).wait_for()
    host.state("ask-one-phone", "A phone asks to take the pass “Plumber”", number, sizes=SIZES)
    # Reloaded, or opened in another tab of the same browser, it is the same phone.
    first.page.reload()
    first.page.locator(".ask-number", has_text=number).wait_for()
    tab = first.context.new_page()
    assert ask(tab, made["link"]) == number
    tab.close()

    other = ask(second.page, made["link"])
    assert other != number
    host.page.get_by_text("A second phone asks to take the pass “Plumber”").wait_for()
    host.state("ask-two-phones", "A second phone asks", number, other, sizes=SIZES)
    # On the page of the pass, too.
    host.page.goto(f"{module_hub.url}/guests/{made['guest_id']}")
    host.page.get_by_text("A second phone asks").wait_for()
    host.state("ask-on-the-pass", number, other, sizes=SIZES)

    host.page.locator(".ask", has_text=other).get_by_role("button", name="Refuse").click()
    second.page.get_by_text("A resident said no").first.wait_for()
    second.state("guest-refused", "A resident said no", sizes=(PHONE,))
    host.page.locator(".ask", has_text=number).get_by_role("button", name="Allow this phone").click()
    first.page.wait_for_selector(".leaf-button")
    # The pass is on a phone; a later visitor of the link is told so.
    host.page.locator(".tag", has_text="Active").first.wait_for()


def test_every_resident_may_answer_a_request_on_any_page(module_hub, module_owner, watch):  # noqa: F811
    """The owner's choice: a member sees a request only while all residents may answer, on whatever page they are."""
    member, _ = at_home(watch, module_hub, module_owner, "Mia", "/activity")
    guest = watch("waiting")
    made = house.invite(module_owner, name="Gardener", ask_each_time=True)
    take(guest, made["link"])
    guest.hold(".leaf-button")
    guest.page.get_by_text("Someone who may let guests in has to say yes").first.wait_for()
    assert not member.page.locator(".ask").count()
    guest.page.get_by_role("button", name="Cancel").click()
    guest.face("leaf")

    assert module_owner.put("/api/v1/house", {"asks_answered_by": "everyone"}).ok
    guest.hold(".leaf-button")
    guest.state("guest-asks-everyone", "Someone who lives here has to say yes", sizes=SIZES)
    member.page.locator(".ask", has_text="Gardener").wait_for()
    member.state("ask-on-any-page", "Gardener asks to open", "Let in", sizes=SIZES)
    member.page.locator(".ask").get_by_role("button", name="Let in").click()
    guest.face("open")
    assert module_owner.put("/api/v1/house", {"asks_answered_by": "inviters"}).ok
