"""Guessed codes never pair: wrong guesses are counted in the house's store, so a power cut forgives none."""

import math
import random
import time

import house
import pytest
import requests
from conftest import PASSWORD, Owner

ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
FREE_BY_ADDRESS, FREE_BY_HOUSE = 10, 60
PROXIED = ("--trusted-proxy", "127.0.0.1")


class Guesser:
    """A person at an address who does not know the code."""

    def __init__(self, hub, address=None, seed=1):
        self.hub, self.address, self.dice = hub, address, random.Random(f"{address}/{seed}")

    def say(self, code):
        headers = {"X-Forwarded-For": self.address} if self.address else {}
        return requests.post(self.hub.url + "/api/guest_access/pair", json={"pairing_code": code}, headers=headers, timeout=60)

    def guess(self):
        return self.say("".join(self.dice.choices(ALPHABET, k=10)))

    def guess_until_refused(self):
        """Guesses until the house throttles. Returns how many guesses it checked, when the last of them was sent, and its answer."""
        heard, last = 0, 0
        while True:
            asked = time.monotonic()
            answer = self.guess()
            if answer.status_code == 429:
                return heard, last, answer
            assert (answer.status_code, answer.json()["error"]) == (400, "pairing_code_invalid"), f"guess {heard}: {answer.text}"
            heard, last = heard + 1, asked


def waited(answer):
    """The seconds to wait in a throttled answer, the same in header and body."""
    assert answer.status_code == 429, answer.text
    seconds = int(answer.headers["Retry-After"])
    assert answer.json()["error"] == "rate_limited" and answer.json()["retry_after"] == seconds
    return seconds


def pause_after(heard):
    """The pause for an address after that many wrong guesses: the first pause is two seconds."""
    return 2 << heard - FREE_BY_ADDRESS - 1 if heard > FREE_BY_ADDRESS else 0


def house_pause_after(heard):
    """The pause for the whole house, for all addresses together."""
    return min(1 << heard - FREE_BY_HOUSE - 1, 8) if heard > FREE_BY_HOUSE else 0


# The house counts whole milliseconds.
ROUNDING = 0.002


def test_a_power_cut_between_guesses_forgives_no_guess(start_hub, tmp_path):
    """The power is cut after each guess that was checked, and after every other one that was not."""
    hub = start_hub(tmp_path / "house", "--virtual-house")
    heard, last, told, is_due = 0, 0, [], False

    def cut():
        hub.kill()
        return start_hub(tmp_path / "house", "--virtual-house")

    # The pauses grow, so eventually one of them is longer than a restart, however slow that is.
    while heard < FREE_BY_ADDRESS + 4 or not told:
        asked = time.monotonic()
        answer = Guesser(hub, seed=heard + len(told)).guess()
        if answer.status_code == 429:
            assert not is_due, f"the pause was longer than was told: {told}"
            told.append(waited(answer))
            assert told[-1] <= pause_after(heard), f"{told[-1]} s to wait after {heard} guesses"
            if len(told) % 2:
                hub = cut()
            else:
                due = time.monotonic() + told[-1]
                house.until(lambda due=due: time.monotonic() >= due, "the pause is over that was told")
                is_due = True
            continue
        assert (answer.status_code, answer.json()["error"]) == (400, "pairing_code_invalid"), f"guess {heard}: {answer.text}"
        assert time.monotonic() - last >= pause_after(heard) - ROUNDING, f"a restart forgave what was counted: {heard} were heard, {told}"
        heard, last, is_due = heard + 1, asked, False
        hub = cut()


def test_the_right_code_pairs_after_the_wait(owner):
    invitation = house.invite(owner)
    heard, last, _ = Guesser(owner.hub).guess_until_refused()
    # The right code from the same address waits like any other, and is not lost by waiting.
    paired = house.until(lambda: _paired(owner.hub, invitation["pairing_code"]), "the code works after the wait")
    assert time.monotonic() - last >= pause_after(heard) - ROUNDING, "it was heard before its turn"
    assert paired.json()["guest_id"] == invitation["guest_id"]
    assert house.pair(owner.hub, invitation["pairing_code"]).status_code in (400, 429), "a code pairs once"


def _paired(hub, code):
    answer = house.pair(hub, code)
    if answer.status_code == 200:
        return answer
    waited(answer)
    return None


def test_guesses_from_one_address_do_not_block_another(start_hub, tmp_path):
    hub = start_hub(tmp_path / "house", "--virtual-house", *PROXIED)
    owner = Owner(hub, house.claim(hub, PASSWORD))
    invitation = house.invite(owner)
    heard, _, refused = Guesser(hub, "203.0.113.7").guess_until_refused()
    assert heard > FREE_BY_ADDRESS and waited(refused) <= pause_after(heard)
    answer = Guesser(hub, "203.0.113.8").say(house.link_code(invitation))
    assert answer.status_code == 200, "the guest at another address pays for a stranger's guesses"


def test_guesses_from_many_addresses_slow_the_house_by_seconds_only(start_hub, tmp_path):
    data = tmp_path / "house"
    hub = start_hub(data, "--virtual-house", *PROXIED)
    invitation = house.invite(Owner(hub, house.claim(hub, PASSWORD)))
    heard, last = 0, 0
    for number in range(FREE_BY_HOUSE + 40):
        asked = time.monotonic()
        answer = Guesser(hub, f"198.51.{number // 200}.{number % 200 + 1}").guess()
        if answer.status_code == 429:
            break
        assert answer.json()["error"] == "pairing_code_invalid"
        assert time.monotonic() - last >= house_pause_after(heard) - ROUNDING, f"a guess was heard before its turn, after {heard}"
        heard, last = heard + 1, asked
        if number % 20 == 10:
            hub.kill()
            hub = start_hub(data, "--virtual-house", *PROXIED)
    assert heard > FREE_BY_HOUSE, f"only {heard} guesses from as many addresses were heard"
    assert waited(answer) <= house_pause_after(heard)
    guest = Guesser(hub, "198.51.100.200")
    house.until(lambda: guest.say(invitation["pairing_code"]).status_code == 200, "the guest waits seconds, not minutes")


def test_token_guesses_are_throttled_and_a_guest_with_a_pass_is_not(owner):
    guest = house.let_in(owner, {"device_id": "hall-light", "actions": ["light.on"]}, max_uses=0)
    guesser = house.Pass(owner.hub, "nobody", "")
    answers = []
    for number in range(40):
        guesser.token = f"cardea_gp_{number:043d}"
        answers.append(guesser.get("/api/guest_access/states"))
        if answers[-1].status_code == 429:
            break
        assert (answers[-1].status_code, answers[-1].json()["error"]) == (401, "unauthorized")
    assert waited(answers[-1]) >= 1
    assert guest.act("light.on").status_code == 200, "a valid pass is never slowed by others' guesses"


def test_a_code_works_once_and_a_new_code_replaces_it(owner):
    invitation = house.invite(owner)
    fresh = owner.post(f"/api/v1/guests/{invitation['guest_id']}/code").json()
    for old in (invitation["pairing_code"], house.link_code(invitation)):
        answer = house.pair(owner.hub, old)
        assert (answer.status_code, answer.json()["error"]) == (400, "pairing_code_invalid")
    spaced = " " + fresh["pairing_code"][:5].lower() + "-" + fresh["pairing_code"][5:] + " "
    assert house.pair(owner.hub, spaced).status_code == 200, "a code read aloud is typed as people type"
    assert house.pair(owner.hub, house.link_code(fresh)).status_code == 400, "the link of a code that was used opens nothing more"


PREVIEWS = [
    "WhatsApp/2.23.20.0", "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "facebookexternalhit/1.1",
    "TelegramBot (like TwitterBot)", "Mozilla/5.0 (Macintosh) AppleWebKit/601.2.4 (KHTML, like Gecko) facebookexternalhit/1.1 Twitterbot/1.0",
    "Mozilla/5.0 (compatible; Googlebot/2.1)", "Outlook-Safelinks", "curl/8.0",
]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_link_preview_uses_nothing_up(hub, owner, tmp_path, method):
    invitation = house.invite(owner, max_uses=1)
    page = invitation["link"].split("#")[0]
    before = house.digests(tmp_path / "house")
    for agent in PREVIEWS:
        headers = {"User-Agent": agent, "Purpose": "prefetch", "Sec-Purpose": "prefetch;prerender", "X-Moz": "prefetch"}
        answer = requests.request(method, page, headers=headers, timeout=60)
        assert answer.status_code == 200
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert house.link_code(invitation) not in answer.text
        # Some previews send the fragment's text as a path or a query.
        for wrong in (f"{page}?{house.link_code(invitation)}", f"{page}/{house.link_code(invitation)}"):
            requests.request(method, wrong, headers=headers, timeout=60)
        for path in ("/api/guest_access/pair", "/api/guest_access/pair/scanned"):
            assert requests.request(method, hub.url + path, headers=headers, timeout=60).status_code == 405
    assert house.digests(tmp_path / "house") == before, "a preview changed a row"
    assert house.pair(hub, house.link_code(invitation)).status_code == 200


def test_showing_and_scanning_the_qr_code_use_nothing_up(hub, owner):
    invitation = house.invite(owner)
    for _ in range(3):
        assert owner.get(f"/api/v1/guests/{invitation['guest_id']}/qr.svg").status_code == 200
    url, body = hub.url + "/api/guest_access/pair/scanned", {"pairing_code": house.link_code(invitation)}
    statuses = [requests.post(url, json=body, timeout=60).json()["status"] for _ in range(2)]
    assert statuses == ["acknowledged", "already_acknowledged"]
    assert house.pair(hub, house.link_code(invitation)).status_code == 200
    assert owner.get(f"/api/v1/guests/{invitation['guest_id']}/qr.svg").status_code == 410


def test_the_guess_limits_leave_a_negligible_chance():
    """The limits allow one try in eight seconds, against 31 letters in ten places, for five minutes."""
    tries = FREE_BY_HOUSE + 300
    assert tries / len(ALPHABET) ** 10 < 1e-11
    assert math.log2(len(ALPHABET) ** 10) > 49
