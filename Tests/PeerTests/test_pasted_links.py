"""Links and codes as people paste them: the API, the pages and the terminal accept the same spellings, and give correct reasons for refusals.

The spellings are in `Tests/CardeaSecurityTests/pasted.json`, which the hub's own tests read too.
"""

import json
import re

import pytest
import requests

import house
from conftest import PASSWORD, ROOT
from test_command_line import USAGE, cli_binary, terminal  # noqa: F401
from test_tour import browser, visit  # noqa: F401
from test_web_states import sign_in

TABLE = json.loads((ROOT / "Tests/CardeaSecurityTests/pasted.json").read_text())
# The spellings that a browser sends; the others come from QR readers.
OF_BROWSERS = ("as it was made", "a byte of padding", "a blank, as", "letters that", "a slash more", "a zero-width", "an escape", "what a network", "a fragment")


def filled(text, code, place="https://house.example"):
    half = len(code) // 2
    words = {
        "code": code, "head": code[:half], "tail": code[half:], "rest": code[1:], "cut": code[:-3], "lower": code.lower(), "spaced": " ".join(code),
        "wide": "".join(chr(ord(one) + 0xFEE0) for one in code), "markdown": code.replace("_", "\\_"), "other": "cardea_iv_" + "A" * 43,
        "place": place, "origin": place, "id": code, "escaped": "".join(f"%{ord(one):02X}" for one in code),
    }
    return re.sub(r"\{(\w+)\}", lambda match: words[match[1]], text)


class Codes:
    """New codes of one pass, one after the other."""

    def __init__(self, owner):
        self.owner, self.guest_id = owner, house.invite(owner)["guest_id"]

    def new(self):
        answer = self.owner.post(f"/api/v1/guests/{self.guest_id}/code")
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture
def codes(module_owner):
    return Codes(module_owner)


def links(place):
    """Every form of a complete link, as a function of its code."""
    for row in TABLE["behind_links"]:
        yield row["what"], lambda code, add=row["add"]: f"{place}/g#{code}{add}"
    for row in TABLE["around_links"]:
        yield row["what"], lambda code, text=row["text"]: filled(text, code, place)


def test_the_api_accepts_every_spelling(module_hub, codes):
    wrong = []

    def try_one(what, kind, text):
        made = codes.new()
        seen = requests.post(module_hub.url + "/api/guest_access/pair/scanned", json={"pairing_code": text(made)}, timeout=60)
        answer = house.pair(module_hub, text(made))
        if (seen.status_code, answer.status_code) != (200, 200):
            wrong.append(f"{kind}, {what}: {seen.status_code}, {answer.status_code} {answer.text[:120]}")

    for what, link in links(module_hub.url):
        try_one(what, "link", lambda made, link=link: link(house.link_code(made)))
    for row in TABLE["tokens"]:
        try_one(row["what"], "end of a link", lambda made, row=row: filled(row["text"], house.link_code(made)))
    for row in TABLE["codes"]:
        try_one(row["what"], "code", lambda made, row=row: filled(row["text"], made["pairing_code"]))
    assert wrong == []


def test_an_incomplete_link_is_reported_and_not_counted_as_a_guess(module_hub, codes):
    made = codes.new()
    code = house.link_code(made)
    for text in TABLE["not_whole"] * 2:
        for path in ("pair", "pair/scanned"):
            answer = requests.post(f"{module_hub.url}/api/guest_access/{path}", json={"pairing_code": filled(text, code)}, timeout=60)
            assert (answer.status_code, answer.json()["error"]) == (400, "invalid_pairing_code"), text
            assert "used" not in answer.json()["message"]
    assert house.pair(module_hub, code).status_code == 200, "no pass was used up, and nobody has to wait"
    assert house.pair(module_hub, code).json()["error"] == "pairing_code_invalid", "now it was used"


def test_an_invitation_is_accepted_with_surrounding_text(module_hub, module_owner):
    for number, around in enumerate(["{}.", "<{}>", "{}%E2%80%8B", "{}?utm_source=mail", "\u2068{}\u2069"]):
        link = module_owner.post("/api/v1/people", {"name": f"Invited {number}", "role": "member"}).json()["invite_link"]
        for token in (link[:-3], around.format(link)):
            body = {"invite_token": token, "username": f"invited{number}", "password": PASSWORD}
            answer = requests.post(module_hub.url + "/api/v1/people/accept", json=body, timeout=60)
            assert answer.status_code == (201 if token != link[:-3] else 401), f"{around}: {answer.text}"


@pytest.fixture(scope="module")
def tag(module_owner):
    """A static tag that presses the light's button; its link."""
    button = module_owner.post("/api/v1/buttons", {"title": "Hall light", "action": {"device_id": "hall-light", "action": "on"}}).json()
    return module_owner.post("/api/v1/tags", {"kind": "static", "button_id": button["button_id"], "label": "by the door"}).json()["url"]


def test_a_tags_link_presses_its_button_in_every_spelling(module_owner, tag):
    origin, name = tag.split("/t/")
    for row in TABLE["tags"]:
        seen = module_owner.post("/api/v1/tags/look", {"url": filled(row["text"], name, origin)}).json()
        assert seen["action"] and seen["action"]["title"] == "Hall light", f"{row['what']}: {seen['reason']}"
    for text in ("{origin}/x/{id}", "{origin}/t/{id}/more", "{id}"):
        assert module_owner.post("/api/v1/tags/look", {"url": filled(text, name, origin)}).json()["reason"] == "malformed"


@pytest.mark.long
def test_the_terminal_accepts_every_spelling(module_hub, codes, terminal):  # noqa: F811
    guest = terminal("guest")
    for what, link in links(module_hub.url):
        done = guest.run("pair", typed=link(house.link_code(codes.new())) + "\n")
        assert "Front door" in done.stdout, what
    for row in TABLE["codes"]:
        done = guest.run("pair", "--hub", module_hub.url, typed=filled(row["text"], codes.new()["pairing_code"]) + "\n")
        assert "Front door" in done.stdout, row["what"]
    made = codes.new()
    for text in (made["link"][:-3], made["link"].split("#")[0], made["pairing_code"][:-1], "{}"):
        refused = guest.run("pair", "--hub", module_hub.url, typed=text + "\n", expect=USAGE)
        assert "whole" in refused.stderr and "used" not in refused.stderr
    guest.run("pair", typed=made["link"] + "\n")


@pytest.mark.long
@pytest.mark.parametrize("row", TABLE["behind_links"], ids=lambda row: row["what"])
def test_the_guests_page_accepts_every_spelling(codes, visit, row):  # noqa: F811
    guest = visit("guest")
    guest.page.goto(codes.new()["link"] + row["add"])
    guest.page.get_by_role("button", name="Use this pass on this phone").click()
    guest.page.wait_for_selector(".leaf-button")
    assert "#" not in guest.page.url
    guest.close()


@pytest.mark.long
def test_the_guests_page_reports_an_incomplete_link(module_hub, codes, visit):  # noqa: F811
    guest, made = visit("guest"), codes.new()
    guest.refusals_expected = True
    guest.page.goto(made["link"][:-3])
    guest.page.get_by_role("heading", name="This link is not whole").wait_for()
    assert "used" not in guest.page.inner_text("main")
    # The whole link, pasted into the code field.
    guest.page.get_by_label("A code to type?").fill(f"<{made['link']}>.")
    guest.page.keyboard.press("Enter")
    guest.page.wait_for_selector(".leaf-button")
    guest.close()


@pytest.mark.long
def test_the_invitation_page_accepts_an_extra_slash(module_hub, module_owner, visit):  # noqa: F811
    link = module_owner.post("/api/v1/people", {"name": "Kim", "role": "member"}).json()["invite_link"]
    someone = visit("kim")
    someone.page.goto(link.replace("/join#", "/join/#") + ".%E2%80")
    someone.page.fill("input[name=username]", "kim")
    someone.page.fill("input[name=password]", PASSWORD)
    someone.page.get_by_role("button", name="Join the house").click()
    someone.page.wait_for_selector("door-row")
    someone.close()


@pytest.mark.long
def test_a_tags_page_opens_in_every_spelling(module_hub, tag, visit):  # noqa: F811
    name = tag.split("/t/")[1]
    resident = visit("resident")
    sign_in(resident, module_hub)
    for row in TABLE["tags"]:
        if row["what"].startswith(OF_BROWSERS):
            resident.page.goto(filled(row["text"], name, module_hub.url))
            resident.page.get_by_role("heading", name="Hall light").wait_for()
            resident.page.locator(".tap-yes").wait_for()
    resident.close()
