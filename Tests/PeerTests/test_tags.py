"""Buttons and the tags that press them: an NTAG 424 DNA written from NXP's application notes alone, and attempts to use a touch twice."""

import concurrent.futures
import datetime
import time

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.cmac import CMAC

import house
from conftest import PASSWORD, Owner
from test_contract import joins
from test_tour import DESK, PHONE, SMALL, browser  # noqa: F401
from test_web_states import move_in, sign_in, watch  # noqa: F401


class Chip:
    """The tag's messages by AN12196, with other primitives than the hub's."""

    def __init__(self, uid, meta, file, base, names=("picc_data", "enc", "cmac")):
        self.uid, self.meta, self.file, self.base, self.names = bytes.fromhex(uid), bytes.fromhex(meta), bytes.fromhex(file), base, names
        self.count = 0

    @staticmethod
    def code(key, message):
        cmac = CMAC(algorithms.AES(key))
        cmac.update(message)
        return cmac.finalize()

    @staticmethod
    def encrypted(key, start, plain):
        encryptor = Cipher(algorithms.AES(key), modes.CBC(start)).encryptor()
        return encryptor.update(plain) + encryptor.finalize()

    def touch(self, data=None, random=b"\x11\x22\x33\x44\x55"):
        self.count += 1
        count = self.count.to_bytes(3, "little")
        picc = self.encrypted(self.meta, bytes(16), b"\xc7" + self.uid + count + random).hex().upper()
        session = self.code(self.file, b"\x3c\xc3\x00\x01\x00\x80" + self.uid + count)
        text, message = f"{self.names[0]}={picc}", b""
        if data is not None:
            key = self.code(self.file, b"\xc3\x3c\x00\x01\x00\x80" + self.uid + count)
            first = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(count + bytes(13))
            enc = self.encrypted(key, first, data).hex().upper()
            text += f"&{self.names[1]}={enc}"
            message = f"{enc}&{self.names[2]}=".encode()
        return f"{self.base}?{text}&{self.names[2]}={self.code(session, message)[1::2].hex().upper()}"


META, FILE, UID = "8a2f11c07de39b54600177be9d21f4aa", "51c2de0f9b7746a8d3e1f0026b3c99fe", "04A1B2C3D4E5F6"


# AN12196's own examples, and published ones of back ends: UID, counter, padding, file part, and message.
ZEROS = "00" * 16
PUBLISHED = (
    (ZEROS, ZEROS, "04DE5F1EACC040", 61, "DA5CF60941", None, "picc_data=EF963FF7828658A599F3041510671E88&cmac=94EED9EE65337086"),
    (ZEROS, ZEROS, "04958CAA5C5E80", 8, "A243C86DFC", b"x" * 16,
     "picc_data=FD91EC264309878BE6345CBE53BADF40&enc=CEE9A53E3E463EF1F459635736738962&cmac=ECC1E7F6C6C73BF6"),
    (ZEROS, ZEROS, "04958CAA5C5E80", 1, "", b"x" * 16, "&enc=94592FDE69FA06E8E3B6CA686A22842B&"),
    ("42AFF114F2CB3B6141BE6DC95DFC5416", "B62A9BAF092439BD43C62AEE96B970C5", "041D3C8A2D6B80", 291, "58996A49F9", b"NTXXqno_oBFpwy-V",
     "picc_data=8ACADDEF0A9B62CDAE39A16B83FC14DE&enc=B8436E11F627BB7F543FCC0C1E0D1A89&"),
)


@pytest.mark.parametrize("meta, file, uid, count, random, data, said", PUBLISHED)
def test_the_simulated_chip_reproduces_the_published_link(meta, file, uid, count, random, data, said):
    chip = Chip(uid, meta, file, "")
    chip.count = count - 1
    assert said in chip.touch(data, bytes.fromhex(random) or bytes(5))


def test_the_simulated_chip_reproduces_the_published_codes():
    message = bytes.fromhex(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
    rfc4493 = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    for length, code in ((0, "bb1d6929e95937287fa37d129b756746"), (16, "070a16b46b4d4144f79bdd9dd04a287c"),
                         (40, "dfa66747de9ae63030ca32611497c827"), (64, "51f0bebf7e3b9d92fc49741779363cfe")):
        assert Chip.code(rfc4493, message[:length]).hex() == code
    an10922 = bytes.fromhex("01" + "04782E21801D80" + "3042F5" + "4E585020416275")
    assert Chip.code(bytes.fromhex("00112233445566778899AABBCCDDEEFF"), an10922).hex().upper() == "A8DD63A3B89D54B37CA802473FDA9175"
    table_1 = bytes.fromhex("5ACE7E50AB65D5D51FD5BF5A16B8205B")
    for vector, key in (("C33C00010080", "66DA61797E23DECA5D8ECA13BBADF7A9"), ("3CC300010080", "3A3E8110E05311F7A3FCF0D969BF2B48")):
        assert Chip.code(table_1, bytes.fromhex(vector + "04C767F2066180" + "010000")).hex().upper() == key


def button(owner, device="front-door", action="unlock", title="Door", **more):
    answer = owner.post("/api/v1/buttons", {"title": title, "action": {"device_id": device, "action": action}, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def tagged(owner, one, kind, **more):
    answer = owner.post("/api/v1/tags", {"kind": kind, "button_id": one["button_id"], **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def tap(who, url, **more):
    answer = who.post("/api/v1/tags/tap", {"url": url, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def state(owner, device):
    return owner.get(f"/api/v1/devices/{device}").json()["entities"][0]["state"]


def rested(owner, tag):
    """Waits until the tag counts again."""
    used = datetime.datetime.fromisoformat(owner.get(f"/api/v1/tags/{tag['tag_id']}").json()["last_used_at"]).timestamp()
    house.until(lambda: time.time() > used + 2, "the cooldown is over")


@pytest.fixture
def home(start_hub, tmp_path):
    hub = start_hub(tmp_path / "house", "--virtual-house")
    return hub, Owner(hub, house.claim(hub, PASSWORD))


def test_a_third_party_chip_is_accepted_once_per_touch_across_power_cuts(start_hub, tmp_path, home):
    hub, owner = home
    tag = tagged(owner, button(owner), "sun", uid=UID, meta_key=META, file_key=FILE, label="Gate")
    assert tag["meta_key"] is None and tag["file_key"] is None, "they are known"
    chip = Chip(UID, META, FILE, tag["url"])
    first = chip.touch()

    opened = tap(owner, first)
    assert opened["accepted"] and opened["outcome"] == "confirmed" and opened["action"]["device_id"] == "front-door"
    assert tap(owner, first)["reason"] == "already_used"

    hub.kill()
    hub = start_hub(tmp_path / "house", "--virtual-house")
    owner = Owner(hub, {"access_token": owner.token})
    assert tap(owner, first)["reason"] == "already_used", "the counter is durable before the door is told"
    second, third = chip.touch(), chip.touch(b"a part of the tag's own file, of 48 octets.....!")
    rested(owner, tag)
    assert tap(owner, third)["accepted"], "with a part of its file in the link"
    assert tap(owner, second)["reason"] == "replayed"
    shown = owner.get(f"/api/v1/tags/{tag['tag_id']}").json()
    assert shown["counter"] == 3 and shown["alarmed_at"] and shown["uid"] == UID and "key" not in str(shown)


def test_a_link_with_any_bit_changed_opens_nothing(home):
    hub, owner = home
    tag = tagged(owner, button(owner), "sun", uid=UID, meta_key=META, file_key=FILE)
    link = Chip(UID, META, FILE, tag["url"]).touch(b"a part of the tag's own file....")
    base, query = link.split("?")
    parts = dict(pair.split("=") for pair in query.split("&"))
    assert list(parts) == ["picc_data", "enc", "cmac"]
    links = []
    for name, text in parts.items():
        octets = bytes.fromhex(text)
        for bit in range(len(octets) * 8):
            changed = bytearray(octets)
            changed[bit // 8] ^= 1 << bit % 8
            said = {**parts, name: changed.hex().upper()}
            links.append(f"{base}?{'&'.join(f'{key}={value}' for key, value in said.items())}")
    # Each resident has thirty tries of their own.
    reasons = set()
    for start in range(0, len(links), 30):
        name = f"resident{start}"
        invitation = owner.post("/api/v1/people", {"name": name, "role": "member"}).json()
        body = {"invite_token": invitation["invite_link"].split("#")[1], "username": name, "password": PASSWORD}
        who = Owner(hub, owner.post("/api/v1/people/accept", body).json())
        for changed in links[start:start + 30]:
            answer = tap(who, changed)
            assert not answer["accepted"], changed
            reasons.add(answer["reason"])
    assert reasons <= {"forged", "unknown_tag"}, reasons
    assert state(owner, "front-door") == "locked"
    assert tap(owner, link)["accepted"], "the right one was not used up"


def test_one_touch_sent_by_many_at_once_is_accepted_once(home):
    hub, owner = home
    tag = tagged(owner, button(owner), "sun", uid=UID, meta_key=META, file_key=FILE)
    link = Chip(UID, META, FILE, tag["url"]).touch()
    # Each resident has thirty tries of their own.
    residents = [owner, *(Owner(hub, {"access_token": joins(owner, role)}) for role in ("admin", "member"))]

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda number: tap(residents[number % 3], link), range(64)))

    assert sum(answer["accepted"] for answer in answers) == 1
    assert {answer["reason"] for answer in answers if not answer["accepted"]} == {"already_used"}


def test_the_house_makes_tag_keys_and_refuses_well_known_ones(home):
    _, owner = home
    one = button(owner)
    tag = tagged(owner, one, "sun", uid=UID, names={"picc_data": "e", "enc": "d", "cmac": "c"})
    assert len(tag["meta_key"]) == len(tag["file_key"]) == 32 and tag["meta_key"] != tag["file_key"]
    assert tap(owner, Chip(UID, tag["meta_key"], tag["file_key"], tag["url"], ("e", "d", "c")).touch())["accepted"]
    other = tagged(owner, one, "sun", uid="04A1B2C3D4E5F7")
    assert other["meta_key"] == tag["meta_key"] and other["file_key"] != tag["file_key"]
    for wrong, field in (
        ({"uid": "04A1"}, "uid"), ({}, "uid"), ({"uid": "04A1B2C3D4E5F8", "file_key": "00" * 16}, "file_key"),
        ({"uid": "04A1B2C3D4E5F8", "meta_key": META, "file_key": META.upper()}, "file_key"),
        ({"uid": "04A1B2C3D4E5F8", "meta_key": "ff" * 16}, "meta_key"), ({"uid": "04A1B2C3D4E5F8", "meta_key": "xyz"}, "meta_key"),
        ({"uid": "04A1B2C3D4E5F8", "names": {"enc": "cmac"}}, "names"),
    ):
        answer = owner.post("/api/v1/tags", {"kind": "sun", "button_id": one["button_id"], **wrong})
        assert answer.status_code == 400 and answer.json()["error"]["details"]["field"] == field, answer.text
    assert owner.post("/api/v1/tags", {"kind": "sun", "button_id": one["button_id"], "uid": UID}).status_code == 409


def test_a_static_tag_needs_confirmation_and_a_live_link_works_once_for_its_maker(home):
    hub, owner = home
    light, door = button(owner, "hall-light", "on", "Light"), button(owner)
    sticker, gate = tagged(owner, light, "static"), tagged(owner, door, "static")

    asked = tap(owner, sticker["url"])
    assert not asked["accepted"] and asked["reason"] == "confirmation_required" and asked["action"]["title"] == "Light"
    assert tap(owner, sticker["url"], confirm=True)["accepted"]
    assert tap(owner, gate["url"], confirm=True)["reason"] == "needs_proof"

    member = Owner(hub, {"access_token": joins(owner, "member"), "refresh_token": ""})
    live = tagged(owner, door, "live")
    assert live["tag_id"] is None and live["url"].split("?")[1] == live["app_url"].removeprefix("smp://action?")
    assert tap(member, live["app_url"])["accepted"] and tap(member, live["url"])["reason"] == "already_used"
    assert owner.post(f"/api/v1/buttons/{door['button_id']}/regenerate").status_code == 204

    assert owner.put("/api/v1/tags/policy", {"on": False, "control": "at_once", "open": "confirmed"}).status_code == 200
    assert tap(owner, sticker["url"], confirm=True)["reason"] == "tags_off"
    guest = house.let_in(owner)
    for token in (guest.token, "nobodys"):
        assert Owner(hub, {"access_token": token}).post("/api/v1/tags/tap", {"url": sticker["url"]}).status_code in (401, 403)
    told = [entry for entry in owner.get("/api/v1/activity").json()["entries"] if entry["action"] == "tag.tap"]
    assert told[0]["reason"] == "tags_off" and not [line for line in hub.log if "sig=" in line or live["url"] in line]


def test_the_tap_page_acts_at_once_where_a_touch_is_enough_and_not_on_reload(home, watch):  # noqa: F811
    """The settings said that a touch is enough, and the page once asked anyway."""
    hub, owner = home
    light = tagged(owner, button(owner, "hall-light", "on", "Light"), "static")
    slow = tagged(owner, button(owner, "study-light", "on", "Study", countdown=30), "static")
    assert owner.put("/api/v1/tags/policy", {"on": True, "control": "at_once", "open": "confirmed"}).ok
    page_of = lambda url: url[url.index("/t/"):]  # noqa: E731
    visitor = watch("owner")
    page = visitor.page
    sign_in(visitor, hub, to="/")

    page.goto(hub.url + page_of(light["url"]))
    page.get_by_text("Light: done.").wait_for()
    assert state(owner, "hall-light") == "on"
    rested(owner, light)
    assert owner.call("PUT", "/api/v1/devices/hall-light/control", {"action": "off"}).ok
    page.reload()
    page.get_by_role("button", name="Switch on").wait_for()
    page.goto(hub.url + page_of(light["url"]), referer="http://elsewhere.example/")
    page.get_by_role("button", name="Switch on").wait_for()
    assert state(owner, "hall-light") == "off", "neither a second load nor another page's link is a touch"

    assert owner.call("PUT", "/api/v1/devices/study-light/control", {"action": "off"}).ok
    page.goto(hub.url + page_of(slow["url"]))
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Nothing was done").wait_for()
    assert state(owner, "study-light") == "off"


def test_the_tap_page_confirms_acts_once_and_shows_the_result(home, watch):  # noqa: F811
    hub, owner = home
    light = button(owner, "hall-light", "on", "Light in the hall", countdown=3)
    sticker = tagged(owner, light, "static")
    chip = Chip(UID, META, FILE, tagged(owner, button(owner, title="Front door, from outside"), "sun", uid=UID, meta_key=META, file_key=FILE)["url"])
    page_of = lambda url: url[url.index("/t/"):]  # noqa: E731
    touched = lambda yes: f"Object.defineProperty(navigator, 'userActivation', {{ configurable: true, value: {{ hasBeenActive: {yes} }} }})"  # noqa: E731

    def phone():
        visitor = watch("owner")
        visitor.page.add_init_script("navigator.vibrate = (pattern) => { (window.felt ||= []).push(pattern); return true; }")
        visitor.page.add_init_script(touched("true"))
        return visitor, visitor.page

    visitor, page = phone()
    sign_in(visitor, hub, to=page_of(sticker["url"]))
    page.get_by_role("heading", name="Light in the hall", level=1).wait_for()
    visitor.state("tap-asks", "Light in the hall", "Switch on", "You", sizes=(SMALL, PHONE, DESK))
    assert state(owner, "hall-light") == "off", "opening the page does nothing"
    # The test moves the page's clock. It is installed after loading: before, it would hide from the page how it was opened.
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    page.get_by_role("button", name="Switch on").click()
    page.get_by_role("button", name="Cancel (3)").click()
    page.get_by_text("Nothing was done").wait_for()
    page.get_by_role("button", name="Switch on").click()
    page.get_by_role("button", name="Cancel (3)").wait_for()
    page.clock.run_for(2000)
    page.get_by_role("button", name="Cancel (1)").wait_for()
    page.clock.run_for(1000)
    page.get_by_text("Light in the hall: done.").wait_for()
    page.clock.resume()
    assert state(owner, "hall-light") == "on"
    assert page.evaluate("window.felt") == [[60, 140, 60]], "two impacts, the second a fifth of a second after the first"
    visitor.state("tap-done", "Light in the hall: done.", sizes=(SMALL, PHONE, DESK))

    link = chip.touch()
    visitor, page = phone()
    sign_in(visitor, hub, to=page_of(link))
    page.get_by_role("button", name="Unlock").click()
    page.get_by_text("Front door, from outside: done.").wait_for()
    page.goto(hub.url + page_of(link))
    page.get_by_text("This was used before").wait_for()
    assert page.evaluate("window.felt") == [[200]]
    visitor.state("tap-refused", "Front door, from outside", "This was used before", sizes=(SMALL, PHONE, DESK))
    page.add_init_script(touched("false"))
    page.goto(hub.url + page_of(link))
    page.get_by_text("This was used before").wait_for()
    assert page.evaluate("window.felt") is None, "a browser shakes no phone that nobody has touched since, and complains of a page that tries"
    assert owner.get("/api/v1/activity").json()["entries"][0]["action"] != "tag.look", "a look is no tap"
