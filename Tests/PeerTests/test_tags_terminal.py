"""Tags at the terminal: written, read and enrolled on a simulated reader, and read back by another library."""

import itertools
import re

import ndef
import pytest

import house
from conftest import PASSWORD
from reader import Chip, Desk, Files, Sticker
from test_command_line import REFUSED, TRY_LATER, UNKNOWN, USAGE, cli_binary, resident, terminal  # noqa: F401
from test_tags import FILE, META, UID, Chip as Reference, rested, state, tagged, tap

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    desk = Desk(tmp_path_factory.mktemp("desk"))
    yield desk
    desk.stop()


@pytest.fixture
def seated(resident, desk):  # noqa: F811
    """The owner at a terminal with a reader, and a house with two buttons."""
    resident.env["PCSCLITE_CSOCK_NAME"] = str(desk.socket)
    resident.run("buttons", "add", "Hall light", "hall-light:on")
    resident.run("buttons", "add", "Front door", "front-door:unlock")
    return resident


def link(octets):
    """The link that an independent library reads."""
    [record] = ndef.message_decoder(octets)
    assert isinstance(record, ndef.UriRecord)
    return record.iri


def tags(owner):
    return owner.get("/api/v1/tags").json()["tags"]


def test_buttons_are_added_pressed_and_removed(resident, owner):  # noqa: F811
    assert "There are no buttons yet" in resident.run("buttons").stdout
    made = resident.run("buttons", "add", "Hall light", "hall-light:on", "--countdown", "3").stdout
    assert re.match(r"Hall light is made\. Press it: cardea buttons press button_", made)
    listed = resident.run("buttons").stdout
    assert "Hall light on" in listed and "after 3 s" in listed
    assert resident.run("buttons", "press", "hall light").stdout == "Hall light: done.\n"
    assert state(owner, "hall-light") == "on"
    assert "cardea buttons press 'Hall light'" in resident.error("buttons", "press", "Hall")["message"]
    assert "0 to 30" in resident.run("buttons", "add", "X", "hall-light:on", "--countdown", "31", expect=USAGE).stderr
    assert resident.error("buttons", "add", "X", "hall-light:fly")["code"] == "unsupported_action"

    live = owner.post("/api/v1/tags", {"kind": "live", "button_id": resident.json("buttons")["buttons"][0]["button_id"]}).json()
    assert "now invalid" in resident.run("buttons", "regenerate", "Hall light").stdout
    assert tap(owner, live["url"])["reason"] == "forged"
    assert resident.run("tags", "test", "Hall light").stdout == "Hall light: done.\n"

    assert "Add --yes" in resident.run("buttons", "remove", "Hall light", expect=USAGE).stderr
    assert resident.run("buttons", "remove", "Hall light", "--yes").stdout == "Hall light is removed.\n"
    assert resident.json("buttons")["buttons"] == []


def test_a_publishing_button_is_added_with_all_settings(resident, owner):  # noqa: F811
    resident.run(
        "buttons", "add", "Gate", "--topic", "home/gate", "--message", '{"command":1,"otp":"%T"}', "--signed", "--state-topic", "home/gate/state",
        "--state-message", "open", "--timestamped", typed="11223344556677889900aabbccddeeff\n")
    [button] = resident.json("buttons")["buttons"]
    assert button["publish"] == {
        "via": "mqtt", "topic": "home/gate", "message": '{"command":1,"otp":"%T"}', "risk": "open", "state_topic": "home/gate/state",
        "state_message": "open", "signed": True, "has_timestamp_key": True}
    assert 'says {"command":1,"otp":"%T"} to home/gate' in resident.run("buttons").stdout
    key = resident.json("buttons", "key", "Gate")
    assert len(bytes.fromhex(key["key"])) == 32 and key["device"] == "home/gate"
    assert resident.json("buttons", "key", "Gate")["key"] != key["key"]
    assert resident.error("buttons", "press", "Gate", expect=TRY_LATER)["code"] == "device_unreachable", "there is no broker"

    resident.run("buttons", "add", "Fan", "--topic", "fan", "--message", "1", "--control", "--endpoint", "--no-tags")
    fan = [one for one in resident.json("buttons")["buttons"] if one["title"] == "Fan"][0]
    assert (fan["publish"]["risk"], fan["publish"]["via"], fan["tags_enabled"]) == ("control", "endpoint", False)
    assert resident.error("buttons", "add", "X", "--topic", "a/#", "--message", "1")["code"] == "invalid_publication"
    for wrong in (["--topic", "a"], ["--message", "1"], ["--signed"], ["hall-light:on", "--topic", "a", "--message", "1"], []):
        resident.run("buttons", "add", "X", *wrong, expect=USAGE)


@pytest.mark.parametrize("make", [lambda: Sticker(0x12), lambda: Sticker(0x3E), lambda: Sticker(0x6D), Files, lambda: Files(most=15)])
def test_a_written_tag_is_read_by_another_library(seated, desk, owner, make):
    with make().on(desk) as card:
        written = seated.json("tags", "write", "Hall light", "--label", "By the hall mirror")
        [tag] = tags(owner)
        assert link(card.message) == tag["url"] == written["tag"]["url"]
        assert written["chip"] == card.uid.hex().upper() and not written["is_locked"]
        assert tap(owner, link(card.message), confirm=True)["accepted"]

        read = seated.json("tags", "read")
        assert read["records"] == [{"kind": "link", "text": tag["url"]}] and read["tag"]["label"] == "By the hall mirror"
        assert read["look"]["action"]["title"] == "Hall light"
        words = seated.run("tags", "read").stdout
        assert "Tag of this house: By the hall mirror, can be copied." in words and "A tap presses Hall light." in words
    assert "By the hall mirror  Hall light" in seated.run("tags").stdout


def test_a_tag_replaces_another_and_existing_data_is_overwritten_only_on_request(seated, desk, owner):
    with Sticker(0x3E).on(desk) as old:
        seated.run("tags", "write", "Hall light", "--label", "Mirror")
        first = link(old.message)
        asked = seated.run("tags", "write", "Hall light", "--label", "Desk", expect=USAGE).stderr
        assert f"The tag contains {first}. Overwrite it? Add --yes" in asked and len(tags(owner)) == 1
    with Files().on(desk) as new:
        said = seated.run("tags", "write", "Hall light", "--replace", "Mirror").stdout
        assert said == "The tag is written and verified. It presses Hall light. Mirror no longer works.\n"
    [tag] = tags(owner)
    assert link(new.message) == tag["url"] != first and tag["label"] == "Mirror"
    assert tap(owner, first, confirm=True)["reason"] == "unknown_tag"
    with new.on(desk):
        wiped = seated.run("tags", "write", "Front door", "--yes", "--label", "Door")
        assert f"Mirror was overwritten. Remove it: cardea tags remove {tag['tag_id']}" in wiped.stderr
    assert seated.run("tags", "remove", "Mirror", "--yes").stdout == "Mirror is removed.\n"
    assert [tag["label"] for tag in tags(owner)] == ["Door"]


@pytest.mark.parametrize("make", [lambda: Sticker(0x3E), lambda: Files(most=20)])
def test_a_tag_removed_during_writing_has_no_partial_link_and_the_old_tag_still_works(seated, desk, owner, make):
    with Sticker(0x3E).on(desk):
        seated.run("tags", "write", "Hall light", "--label", "Old")
    [old] = tags(owner)
    card = make()
    for cut in itertools.count():
        card.pulled_after = cut
        with card.on(desk):
            done = seated.start("tags", "write", "Hall light", "--replace", "Old", "--yes")
            _, said = done.communicate(timeout=60)
        card.pulled_after = None
        if done.returncode == 0:
            break
        assert done.returncode == REFUSED and "taken away too soon" in said, said
        assert tags(owner) == [old], "the house knows of nothing that nobody holds"
        assert card.message == b"" or cut == 0
    assert cut > 3
    [new] = tags(owner)
    assert link(card.message) == new["url"] != old["url"]


def test_a_locked_tag_is_never_written_again(seated, desk, owner):
    for card in (Sticker(0x12), Sticker(0x6D), Files()):
        with card.on(desk):
            assert "can never be written again" in seated.run("tags", "write", "Hall light", "--lock", expect=USAGE).stderr
            assert not tags(owner)
            assert "It is locked." in seated.run("tags", "write", "Hall light", "--lock", "--yes", "--label", "Locked").stdout
            [tag] = tags(owner)
            assert link(card.message) == tag["url"]
            assert seated.error("tags", "write", "Hall light", "--yes")["code"] == "tag_read_only"
            assert "locked" in seated.run("tags", "read").stdout and len(tags(owner)) == 1
        seated.run("tags", "remove", "Locked", "--yes")


def test_unsuitable_tags_and_readers_are_reported_with_a_remedy(seated, desk, owner, tmp_path):
    for small in (Sticker(6), Files(size=40)):
        with small.on(desk):
            problem = seated.error("tags", "write", "Hall light")
        assert problem["code"] == "tag_too_small"
        assert problem["message"].startswith("Tag too small") and problem["message"].endswith("Use NTAG215 or NTAG216.")
        assert small.message == b"" and tags(owner) == []
    blank = Sticker(0x12)
    blank.memory[12:16] = bytes(4)
    with blank.on(desk):
        assert seated.error("tags", "read")["code"] == "tag_unsuitable"
    with Files().on(desk):
        assert "The tag is empty." in seated.run("tags", "read").stdout
        assert "No reader is called \"ACR\". Available: Virtual PCD 00 00" in seated.run("tags", "read", "--reader", "ACR", expect=USAGE).stderr
        assert seated.json("tags", "read", "--reader", "pcd 00 00")["records"] == []
    assert seated.error("tags", "read", "--wait", "0")["code"] == "no_card"

    seated.env["PCSCLITE_CSOCK_NAME"] = str(tmp_path / "nobody")
    problem = seated.error("tags", "write", "Hall light")
    assert problem["code"] == "no_reader_service" and "apt install pcscd" in problem["message"]
    bare = Desk(tmp_path, readers=False)
    try:
        seated.env["PCSCLITE_CSOCK_NAME"] = str(bare.socket)
        problem = seated.error("tags", "write", "Hall light")
        assert problem["code"] == "no_reader" and "Plug one in" in problem["message"]
    finally:
        bare.stop()
    assert tags(owner) == []


def test_foreign_tags_are_shown_and_not_changed(seated, desk, owner, hub):
    card = Files()
    records = [ndef.UriRecord("https://elsewhere.example/menu"), ndef.TextRecord("Grüezi\x1b[31m", "de"), ndef.Record("text/vcard", "", b"x")]
    octets = b"".join(ndef.message_encoder(records))
    card.files[0xE104][:2 + len(octets)] = len(octets).to_bytes(2, "big") + octets
    with card.on(desk):
        read = seated.json("tags", "read")
        assert [record["kind"] for record in read["records"]] == ["link", "text", "other"] and read["tag"] is None
        assert read["look"]["reason"] == "malformed"
        words = seated.run("tags", "read").stdout
        assert "link: https://elsewhere.example/menu" in words and "\x1b" not in words
        card.files[0xE104][2:5] = b"\xff\xff\xff"
        assert seated.error("tags", "read")["code"] == "tag_malformed"
        hub.stop()
        card.files[0xE104][:2 + len(octets)] = len(octets).to_bytes(2, "big") + octets
        away = seated.run("tags", "read")
        assert "link: https://elsewhere.example/menu" in away.stdout and "cannot be reached" in away.stderr


def test_a_tag_is_renewed_after_its_button_was_changed(seated, desk, owner):
    with Files().on(desk) as card:
        seated.run("tags", "write", "Hall light", "--label", "Mirror")
    [button] = [button for button in seated.json("buttons")["buttons"] if button["title"] == "Hall light"]
    body = {"title": "Hall light", "action": {"device_id": "hall-light", "action": "off"}}
    assert owner.put(f"/api/v1/buttons/{button['button_id']}", body).status_code == 200
    assert tap(owner, link(card.message), confirm=True)["reason"] == "outdated"
    assert "renew it" in seated.run("tags").stdout
    assert seated.run("tags", "renew", "Mirror", "--label", "Hall").stdout == "Hall is renewed and presses Hall light.\n"
    assert "renew it" not in seated.run("tags").stdout
    assert tap(owner, link(card.message), confirm=True)["accepted"]


def test_a_tap_at_the_reader_or_by_link_needs_confirmation(seated, desk, owner):
    with Files().on(desk):
        seated.run("tags", "write", "Hall light", "--label", "Mirror")
        asked = seated.run("tags", "tap", expect=USAGE).stderr
        assert "Press Hall light as " in asked and "Add --yes" in asked and state(owner, "hall-light") == "off"
        assert seated.run("tags", "tap", "--yes").stdout == "Hall light: done.\n"
    assert state(owner, "hall-light") == "on"
    [tag] = tags(owner)
    rested(owner, tag)
    tapped = seated.json("tags", "tap", tag["url"], "--yes")
    assert tapped["accepted"] and tapped["outcome"] == "confirmed"

    with Files().on(desk):
        assert seated.error("tags", "tap", "--yes")["code"] == "malformed", "nothing is written on it"
    assert seated.error("tags", "tap", "https://elsewhere.example/menu", "--yes")["code"] == "malformed"


def test_a_tap_follows_the_tag_policy(seated, owner):
    [light] = [button for button in seated.json("buttons")["buttons"] if button["title"] == "Hall light"]
    tag = owner.post("/api/v1/tags", {"kind": "static", "button_id": light["button_id"], "label": "Mirror"}).json()
    assert seated.json("tags", "policy") == {"on": True, "control": "confirmed", "open": "confirmed"}
    said = seated.run("tags", "policy", "--control", "at_once", "--open", "at_once").stdout
    assert "Buttons that open no door: at once." in said and "Buttons that open a door: with an enrolled tag or a live link." in said
    assert said.endswith("A tap needs a signed-in person.\n")
    assert "Buttons that open a door: with an enrolled tag or a live link." in seated.run("tags", "policy", "--open", "confirmed").stdout
    assert seated.run("tags", "tap", tag["url"]).stdout == "Hall light: done.\n"

    assert seated.json("tags", "policy", "--off") == {"on": False, "control": "at_once", "open": "confirmed"}
    off = seated.error("tags", "tap", tag["url"], "--yes")
    assert off["code"] == "tags_off" and "switched off" in off["message"]
    assert seated.json("tags", "policy", "--on", "--open", "never") == {"on": True, "control": "at_once", "open": "never"}
    for wrong in (["--on", "--off"], ["--control", "always"]):
        seated.run("tags", "policy", *wrong, expect=USAGE)


def test_a_tap_has_the_exit_status_of_opening_the_door(seated, owner):
    [door] = [button for button in seated.json("buttons")["buttons"] if button["title"] == "Front door"]
    live = lambda: owner.post("/api/v1/tags", {"kind": "live", "button_id": door["button_id"]}).json()["url"]
    fault = lambda kind: owner.post("/api/v1/integrations/virtual/faults", {"device_id": "front-door", "fault": kind})
    fault("jam")
    assert seated.error("tags", "tap", live(), "--yes")["code"] == "action_execution_failed"
    fault("silent")
    assert seated.error("tags", "tap", live(), "--yes", expect=UNKNOWN)["code"] == "outcome_unknown"
    fault("none")


def test_a_tag_alarm_is_dismissed(seated, desk, owner):
    chip = Chip()
    with chip.on(desk):
        seated.run("tags", "enrol", "Front door", "--label", "Bell")
    assert seated.run("tags", "seen", "Bell").stdout == "Bell has no alarm.\n"
    first, second = link(chip.touch()), link(chip.touch())
    assert tap(owner, second)["accepted"]
    [tag] = tags(owner)
    rested(owner, tag)
    assert tap(owner, first)["reason"] == "replayed"
    assert "copied?" in seated.run("tags").stdout

    assert seated.run("tags", "seen", "Bell").stdout == "The alarm of Bell is cleared.\n"
    assert tags(owner)[0]["alarmed_at"] is None


def test_a_tap_with_an_old_link_is_audited_and_raises_an_alarm(seated, owner):
    """The terminal once asked only what the link would do, and that raises no alarm."""
    [door] = [button for button in seated.json("buttons")["buttons"] if button["title"] == "Front door"]
    tag = tagged(owner, door, "sun", uid=UID, meta_key=META, file_key=FILE, label="Bell")
    chip = Reference(UID, META, FILE, tag["url"])
    kept, latest = chip.touch(), chip.touch()
    assert tap(owner, latest)["accepted"]
    refused = lambda: [entry["reason"] for entry in owner.get("/api/v1/activity").json()["entries"] if entry["action"] == "tag.tap" and entry["result"] == "refused"]
    assert seated.error("tags", "tap", latest, "--yes")["code"] == "already_used"
    assert refused() == ["already_used"] and tags(owner)[0]["alarmed_at"] is None

    old = seated.error("tags", "tap", kept)
    assert old["code"] == "replayed" and "may have been copied" in old["message"]
    assert refused() == ["replayed", "already_used"] and tags(owner)[0]["alarmed_at"]
    assert "copied?" in seated.run("tags").stdout


def test_a_button_change_keeps_the_settings_not_named(resident, owner):  # noqa: F811
    resident.run("buttons", "add", "Hall light", "hall-light:on", "--countdown", "3", "--no-tags")
    assert resident.run("buttons", "change", "Hall light", "--title", "Hall").stdout == "Hall is changed.\n"
    [button] = resident.json("buttons")["buttons"]
    assert (button["title"], button["countdown"], button["tags_enabled"], button["enabled"]) == ("Hall", 3, False, True)
    assert button["action"]["device_id"] == "hall-light" and button["action"]["action"] == "on"
    tagged(owner, button, "static")
    assert resident.run("buttons", "change", "Hall", "hall-light:on").stdout == "Hall is changed.\n", "it does what it did"
    assert "cardea tags renew" in resident.run("buttons", "change", "Hall", "hall-light:off", "--tags", "--no-enabled").stdout
    [button] = resident.json("buttons")["buttons"]
    assert (button["action"]["action"], button["tags_enabled"], button["enabled"], button["countdown"]) == ("off", True, False, 3)

    resident.run(
        "buttons", "change", "Hall", "--topic", "home/hall", "--message", "%T", "--signed", "--state-topic", "home/hall/state",
        "--state-message", "on", "--timestamped", typed="11223344556677889900aabbccddeeff\n")
    resident.run("buttons", "change", "Hall", "--message", "on %T", "--control", "--state-topic", "")
    [button] = resident.json("buttons")["buttons"]
    assert button["publish"] == {
        "via": "mqtt", "topic": "home/hall", "message": "on %T", "risk": "control", "state_topic": None, "state_message": None, "signed": True,
        "has_timestamp_key": True}
    assert "0 to 30" in resident.run("buttons", "change", "Hall", "--countdown", "31", expect=USAGE).stderr
    for wrong in ([], ["hall-light:on", "--message", "1"]):
        resident.run("buttons", "change", "Hall", *wrong, expect=USAGE)
    resident.run("buttons", "change", "Hall", "hall-light:on")
    assert resident.json("buttons")["buttons"][0]["publish"] is None
    assert "--topic and --message" in resident.run("buttons", "change", "Hall", "--signed", expect=USAGE).stderr


def test_a_factory_chip_is_enrolled_and_opens_the_door(seated, desk, owner):
    chip = Chip()
    with chip.on(desk):
        said = seated.run("tags", "enrol", "Front door", "--label", "Beside the bell").stdout
        assert said == "The tag is enrolled and verified. It presses Front door.\n"
        read = seated.json("tags", "read")
        assert read["tag"]["label"] == "Beside the bell" and read["look"]["action"]["title"] == "Front door"
        assert seated.error("tags", "enrol", "Front door")["code"] == "tag_has_keys"
        assert seated.error("tags", "write", "Hall light", "--yes")["code"] == "tag_read_only"
    [tag] = tags(owner)
    assert tag["kind"] == "sun" and tag["uid"] == chip.uid.hex().upper()
    assert chip.versions == [1] * 5 and len(set(chip.keys)) == 5 and bytes(16) not in chip.keys

    first, second = link(chip.touch()), link(chip.touch())
    assert first != second and first.startswith(tag["url"] + "?picc_data=")
    assert tap(owner, second)["outcome"] == "confirmed" and state(owner, "front-door") == "unlocked"
    assert tap(owner, second)["reason"] == "already_used"
    rested(owner, tag)
    assert tap(owner, first)["reason"] == "replayed"
    third = link(chip.touch())
    wrong = third[:-1] + ("0" if third[-1] != "0" else "1")
    assert tap(owner, wrong)["reason"] == "forged" and tap(owner, third)["accepted"]


def test_an_interrupted_enrolment_is_completed(seated, desk, owner):
    for cut, is_heard in itertools.product(range(9), (False, True)):
        chip = Chip(uid=f"04958CAA5C{cut:02X}{is_heard:02X}")
        chip.pulled_after, chip.is_heard = cut, is_heard
        chip.lay_on(desk)
        done = seated.start("tags", "enrol", "Front door", "--label", f"Chip {cut}", "--wait", "120")
        try:
            assert "taken away too soon" in done.stderr.readline() + done.stderr.readline()
            chip.take_away()
            chip.pulled_after = None
            with chip.on(desk):
                out, said = done.communicate(timeout=house.LIMIT)
        finally:
            done.kill()
            done.wait()
        assert done.returncode == 0, said
        assert chip.versions == [1] * 5
        assert tap(owner, link(chip.touch()))["accepted"], (cut, is_heard)
        seated.run("tags", "remove", f"Chip {cut}", "--yes")


def test_an_interrupted_key_change_is_resumed(seated, desk, owner):
    chip, before = Chip(), []
    with chip.on(desk):
        seated.run("tags", "enrol", "Front door", "--label", "Bell")
    [tag] = tags(owner)
    for cut, is_heard in itertools.product(range(10), (False, True)):
        seated.run("step-up", typed=PASSWORD + "\n")
        old, touch = list(chip.keys), link(chip.touch())
        before.append(touch)
        chip.pulled_after, chip.is_heard = cut, is_heard
        chip.lay_on(desk)
        broken = seated.start("tags", "enrol", "--again", "Bell", "--wait", "1")
        _, said = broken.communicate(timeout=60)
        chip.take_away()
        chip.pulled_after = None
        assert broken.returncode == REFUSED and "run the command again to continue" in said, (cut, is_heard, said)
        if cut == 0 and not is_heard:
            assert tap(owner, touch)["accepted"], "nothing was changed, and the house believes the old keys"
        with chip.on(desk):
            done = seated.run("tags", "enrol", "--again", "Bell").stdout
        assert done == "Bell has new keys and is verified. Its old links are invalid.\n"
        assert not set(chip.keys) & set(old) and chip.versions == [1] * 5, (cut, is_heard)
    assert len(tags(owner)) == 1
    rested(owner, tag)
    assert tap(owner, before[-1])["reason"] == "unknown_tag"
    assert tap(owner, link(chip.touch()))["accepted"]

    with Chip(uid="04958CAA5C5E99").on(desk):
        assert seated.error("tags", "enrol", "--again", "Bell")["code"] == "tag_has_keys"
    for wrong in (["Front door", "--again", "Bell"], ["--again", "Bell", "--label", "X"], []):
        seated.run("tags", "enrol", *wrong, expect=USAGE)


class Garbled(Chip):
    """A chip with one wrong answer, after so many of its commands. With `does_it` the command is carried out all the same."""

    def __init__(self, uid, after, does_it, wrong):
        super().__init__(uid)
        self.after, self.does_it, self.wrong, self.was_wrong = after, does_it, wrong, False

    def answer(self, apdu):
        if apdu[0] != 0x90 or self.was_wrong:
            return super().answer(apdu)
        if self.after > 0:
            self.after -= 1
            return super().answer(apdu)
        self.was_wrong = True
        if self.does_it:
            super().answer(apdu)
        return self.wrong


def test_a_chip_with_one_wrong_answer_ends_enrolled_or_untouched(seated, desk, owner):
    # Three commands identify the chip; the 14th to the 19th change keys and settings, and more of them read that back.
    wrong = itertools.cycle((b"\x91\x1e", b"\x91\xca", b"\x91\x00", bytes(16) + b"\x91\x00"))
    outcomes = set()
    for after, does_it in [*((after, False) for after in range(3, 25)), *((after, True) for after in range(13, 19))]:
        chip = Garbled(f"04958CAA5D{after:02X}{does_it:02X}", after, does_it, next(wrong))
        with chip.on(desk):
            done = seated.start("tags", "enrol", "Front door", "--label", f"Chip {after}")
            _, said = done.communicate(timeout=60)
        assert chip.was_wrong, after
        if done.returncode == 0:
            assert chip.versions == [1] * 5 and tap(owner, link(chip.touch()))["accepted"], (after, does_it)
            seated.run("tags", "remove", f"Chip {after}", "--yes")
        else:
            assert done.returncode == REFUSED, said
            assert chip.versions == [0] * 5 and chip.keys == [bytes(16)] * 5 and tags(owner) == [], (after, does_it, said)
        outcomes.add(done.returncode)
    assert outcomes == {0, REFUSED}


def test_a_chip_with_keys_of_a_failed_enrolment_is_not_locked_with_others(seated, desk, owner):
    chip = Chip()
    chip.keys[1], chip.versions[1] = b"somebody's key 1", 1
    with chip.on(desk):
        problem = seated.error("tags", "enrol", "Front door")
    assert problem["code"] == "tag_has_keys" and "of another enrolment" in problem["message"]
    assert chip.keys == [bytes(16), b"somebody's key 1"] + [bytes(16)] * 3 and chip.message == b"" and tags(owner) == []


def test_a_wrong_chip_type_or_another_chip_gets_no_keys(seated, desk, owner):
    with Files().on(desk):
        assert seated.error("tags", "enrol", "Front door")["code"] == "tag_unsuitable"
    chip, other = Chip(), Chip(uid="04958CAA5C5E99")
    chip.pulled_after = 5
    chip.lay_on(desk)
    done = seated.start("tags", "enrol", "Front door", "--wait", "120")
    assert "taken away too soon" in done.stderr.readline() + done.stderr.readline()
    chip.take_away()
    with other.on(desk):
        _, said = done.communicate(timeout=house.LIMIT)
    assert done.returncode == REFUSED and "Another tag is on the reader" in said
    assert other.versions == [0] * 5 and other.message == b"" and tags(owner) == []
