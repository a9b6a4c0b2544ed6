"""The screens of buttons and tags: pressed, set up, written by Web NFC in two phases, tested without a tag, and reports of copied tags.

No browser here has an NDEFReader: these tests script one that behaves like a phone's.
"""

import re
import shutil
import subprocess

import pytest

import house
from test_tags import META, FILE, UID, Chip, button, rested, state, tagged, tap
from test_tour import DESK, PHONE, PICTURES, SMALL, browser  # noqa: F401
from test_web_big_house import CLIPPED, NARROW
from test_web_states import PHOTOGRAPH, Watcher, answer_with, fault, host, move_in, never, page, sign_in, watch  # noqa: F401

pytestmark = pytest.mark.long

SIZES = (SMALL, PHONE, DESK)

# A phone's writer: `nfc.write` and `nfc.read` set the next tag's behaviour, `nfc.holds` is the content of the tag.
READER = """() => {
    window.nfc = { write: "well", read: "well", holds: null, did: [] };
    window.NDEFReader = class extends EventTarget {
        write({ records }, { signal }) {
            nfc.did.push("write");
            if (nfc.write === "never") return new Promise((_, refuse) => signal.addEventListener("abort", () => refuse(signal.reason)));
            if (nfc.write !== "well") return Promise.reject(new DOMException("no", nfc.write));
            nfc.holds = records[0].data;
            return Promise.resolve();
        }
        scan() {
            nfc.did.push("scan");
            const says = nfc.read === "well" ? nfc.holds : nfc.read;
            if (says === "never") return Promise.resolve();
            const data = new DataView(new TextEncoder().encode(says).buffer);
            const event = says === "error" ? new Event("readingerror") : Object.assign(new Event("reading"), { message: { records: [{ recordType: "url", data }] } });
            setTimeout(() => this.dispatchEvent(event));
            return Promise.resolve();
        }
    };
}"""


def go(page, path):  # noqa: F811
    """Moves between pages like a link of the app, without a reload."""
    page.evaluate("(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }", path)


@pytest.fixture
def owner(module_owner):
    """A house without buttons, with the default tag policy."""
    for one in module_owner.get("/api/v1/buttons").json()["buttons"]:
        answer = module_owner.call("DELETE", f"/api/v1/buttons/{one['button_id']}", If_Match=f'"{one["version"]}"')
        assert answer.status_code == 204
    assert module_owner.put("/api/v1/tags/policy", {"on": True, "control": "confirmed", "open": "confirmed"}).ok
    return module_owner


def press_of(page, title):  # noqa: F811
    return page.locator(".press", has_text=title)


def becomes(page, title, state):  # noqa: F811
    page.locator(f'.press[data-state="{state}"]', has_text=title).wait_for()


def feeling(page):  # noqa: F811
    """Records every vibration from now on."""
    page.evaluate("() => { window.felt = []; Object.defineProperty(navigator, 'vibrate', { configurable: true, value: (pattern) => window.felt.push(pattern) }); }")


def test_four_buttons_are_set_up_pressed_and_reported(module_hub, owner, host, page, watch):  # noqa: F811
    page.clock.install()
    page.goto(module_hub.url + "/buttons")
    page.get_by_role("link", name="Set up").first.wait_for()
    assert page.get_by_role("link", name="Set up").count() == 4
    host.state("buttons-empty", "Buttons", "Set up", sizes=SIZES)
    page.get_by_role("link", name="Set up").first.click()
    page.get_by_role("heading", name="New button", level=1).wait_for()
    page.get_by_role("button", name="Add button").click()
    host.state("button-new-missing", "Give it a title.", "Choose a device.", "Save the button first")
    page.get_by_label("Title", exact=True).fill("Light in the hall")
    page.get_by_label("Device", exact=True).select_option(label="Hall light")
    page.get_by_label("What to do").select_option(label="Set the brightness")
    page.get_by_role("button", name="Add button").click()
    page.get_by_text("A number from 0 to 100.").first.wait_for()
    page.get_by_label("Value").fill("40")
    page.get_by_role("button", name="Add button").click()
    page.get_by_text("Not configured").wait_for()
    made = owner.get("/api/v1/buttons").json()["buttons"][0]
    assert made["action"] == {"device_id": "hall-light", "action": "set_brightness", "value": 40} and page.url.endswith(made["button_id"])
    assert page.title() == "Light in the hall · Cardea"
    page.get_by_role("link", name="Back").click()

    press_of(page, "Light in the hall").wait_for()
    assert page.get_by_role("link", name="Set up").count() == 3
    button(owner, "garage", "close", "Shut the garage", enabled=False)
    becomes(page, "Shut the garage", "off")
    door = button(owner, title="Front door")
    press_of(page, "Front door").wait_for()
    feeling(page)
    page.get_by_role("button", name=re.compile("^Light in the hall")).click()
    becomes(page, "Light in the hall", "success")
    page.get_by_text("Light in the hall: Done").wait_for(state="attached")
    host.state("buttons", "Set the brightness to 40 % · Hall light", "Switched off", "Hold to unlock", "Done", sizes=SIZES)
    press_of(page, "Shut the garage").locator("button").click(force=True)
    assert press_of(page, "Shut the garage").get_attribute("data-state") == "off" and owner.get("/api/v1/devices/garage").json()["entities"][0]["state"] == "closed"

    # An action that opens a way in needs a second press, and pressing one resets the others. It waits ten seconds for it: here with a stopped clock.
    host.stop_time()
    page.get_by_role("button", name=re.compile("^Front door")).click()
    becomes(page, "Front door", "armed")
    host.state("buttons-armed", "Press again: unlock", sizes=SIZES)
    assert state(owner, "front-door") == "locked"
    page.clock.run_for(450)
    page.get_by_role("button", name=re.compile("^Front door")).click()
    page.clock.resume()
    becomes(page, "Front door", "success")
    assert press_of(page, "Light in the hall").get_attribute("data-state") == "normal" and state(owner, "front-door") == "unlocked"
    owner.call("PUT", "/api/v1/devices/front-door/control", {"action": "lock"})
    host.hold(".press:has-text('Front door') .press-button")
    house.until(lambda: state(owner, "front-door") == "unlocked", "held, it opens")
    becomes(page, "Front door", "success")
    assert page.evaluate("window.felt") == [], "a press is seen, and nothing shakes"

    fault(owner, "hall-light", "unreachable")
    page.get_by_role("button", name=re.compile("^Light in the hall")).click()
    becomes(page, "Light in the hall", "failure")
    host.state("buttons-failed", "Not done: the house cannot reach it.", sizes=SIZES)
    fault(owner, "hall-light", "none")
    page.route("**/press", never)
    page.get_by_role("button", name=re.compile("^Light in the hall")).click()
    becomes(page, "Light in the hall", "busy")
    host.state("buttons-busy", "Asking the house…", sizes=SIZES)
    page.unroute_all(behavior="ignoreErrors")
    assert owner.put(f"/api/v1/buttons/{door['button_id']}", {"title": "Front door, inside", "action": {"device_id": "front-door", "action": "lock"}}, If_Match=f'"{door["version"]}"').ok
    press_of(page, "Front door, inside").get_by_text("Lock · Front door").wait_for()
    host.context.set_offline(True)
    becomes(page, "Front door", "lost")
    host.state("buttons-offline", "No connection to the house", "No connection", sizes=(PHONE,))
    host.context.set_offline(False)
    becomes(page, "Front door", "normal")

    resident = watch("resident")
    sign_in(resident, module_hub, move_in(owner, "Nephew"), to="/buttons")
    press_of(resident.page, "Front door").wait_for()
    assert not resident.page.get_by_text("Set up").count() and not resident.page.get_by_role("link", name="New button").count()
    resident.page.get_by_role("link", name="About Front door, inside").click()
    resident.state("button-reading", "Lock · Front door", "Not configured", "Test without a tag", sizes=(PHONE,), gone=("Save", "Write NFC Tag", "Add a tag", "Remove"))
    go(resident.page, "/buttons/new")
    resident.page.get_by_role("heading", name="Nothing here that you can see").wait_for()
    resident.close()


def test_the_list_reports_a_loading_error(module_hub, owner, host, page):  # noqa: F811
    page.route("**/api/v1/buttons", never)
    page.goto(module_hub.url + "/buttons")
    page.locator(".skeleton").wait_for()
    host.state("buttons-loading", "Buttons", sizes=(PHONE,))
    for path in ("buttons", "tags", "tags/policy"):
        page.route(f"**/api/v1/{path}", answer_with(500))
    page.reload()
    host.state("buttons-error", "The buttons could not be loaded", "Try again", sizes=(PHONE,))
    go(page, "/tags")
    host.state("tags-error", "The tags could not be loaded", "The rules for tags could not be loaded", sizes=(PHONE,))
    page.unroute_all(behavior="ignoreErrors")
    page.evaluate("document.querySelectorAll('.failed button').forEach((again) => again.click())")
    host.state("tags-empty", "No tags yet.", "Go to the buttons", "After confirming", sizes=(PHONE, DESK))


def test_a_renamed_button_keeps_its_action_and_its_tags(module_hub, owner, page):  # noqa: F811
    """Saving a new title once dropped the transition time and added an entity that was not named: the rename outdated its tags."""
    dims = {"device_id": "hall-light", "action": "set_brightness", "value": 40, "transition_time": 2000}
    made = owner.post("/api/v1/buttons", {"title": "Evening", "action": dims})
    assert made.status_code == 201, made.text
    one = made.json()
    tag = tagged(owner, one, "static")
    path = f"/api/v1/buttons/{one['button_id']}"

    page.goto(module_hub.url + f"/buttons/{one['button_id']}")
    page.get_by_label("Title", exact=True).fill("Late evening")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("Late evening is saved.").locator("visible=true").first.wait_for()

    assert owner.get(path).json()["title"] == "Late evening" and owner.get(path).json()["action"] == one["action"] == dims
    assert not owner.get(f"/api/v1/tags/{tag['tag_id']}").json()["outdated"]


def test_a_temperature_is_set_in_the_readers_unit(module_hub, owner, host, page):  # noqa: F811
    preferences = "/api/v1/people/me/preferences"
    assert owner.put(preferences, {"temperature_unit": "fahrenheit"}).ok
    try:
        page.goto(module_hub.url + "/buttons/new")
        page.get_by_label("Title", exact=True).fill("Warm by evening")
        page.get_by_label("Device", exact=True).select_option(label="Living room heating")
        page.get_by_label("What to do").select_option(label="Set the temperature")
        page.get_by_label("Value in °F").fill("300")
        page.get_by_role("button", name="Add button").click()
        page.get_by_text("A number from -22 to 212.").first.wait_for()
        host.state("button-fahrenheit", "Value in °F", sizes=SIZES)
        page.get_by_label("Value in °F").fill("72")
        page.get_by_role("button", name="Add button").click()
        page.get_by_text("Not configured").wait_for()
        made = owner.get("/api/v1/buttons").json()["buttons"][0]
        assert made["action"]["value"] == 22.22, "the house speaks °C"

        # Read again it is unchanged, and saved again it stays unchanged.
        page.reload()
        assert page.get_by_label("Value in °F").input_value() == "72"
        page.get_by_label("Title", exact=True).fill("Warm tonight")
        page.get_by_role("button", name="Save").click()
        house.until(lambda: owner.get("/api/v1/buttons").json()["buttons"][0]["title"] == "Warm tonight", "the title is saved")
        assert owner.get("/api/v1/buttons").json()["buttons"][0]["action"] == made["action"]
        page.goto(module_hub.url + "/buttons")
        page.get_by_text("Set the temperature to 72\u00a0°F · Living room heating").wait_for()
    finally:
        assert owner.put(preferences, {"temperature_unit": "celsius"}).ok


def test_concurrent_changes_of_a_button_are_reported_and_keep_what_was_typed(module_hub, owner, host, page):  # noqa: F811
    light = button(owner, "hall-light", "on", "Light")
    path = f"/api/v1/buttons/{light['button_id']}"
    other = {"title": "Lamp", "action": {"device_id": "hall-light", "action": "off"}}
    page.goto(module_hub.url + f"/buttons/{light['button_id']}")
    page.get_by_label("Title", exact=True).fill("Light downstairs")
    assert owner.put(path, other, If_Match='"1"').ok
    page.get_by_role("button", name="Save", exact=True).click()
    host.state("button-conflict", "Owner changed Light meanwhile", "It now does this: Lamp, Switch off · Hall light.", "Keep mine", sizes=SIZES)
    page.get_by_role("button", name="Take theirs").click()
    page.get_by_role("heading", name="Lamp", level=1).wait_for()
    assert page.get_by_label("What to do").input_value() == "off"
    page.get_by_label("Title", exact=True).fill("Light downstairs")
    assert owner.put(path, {**other, "title": "Bulb"}, If_Match='"2"').ok
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Keep mine").click()
    page.get_by_text("Light downstairs is saved.").locator("visible=true").first.wait_for()
    assert owner.get(path).json()["title"] == "Light downstairs"
    page.route(f"**{path}", answer_with(500))
    page.get_by_label("Title", exact=True).fill("Light upstairs")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("That did not work.").first.wait_for()
    assert page.get_by_label("Title", exact=True).input_value() == "Light upstairs"
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("button", name="More: Time to cancel a tap").click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("Light upstairs is saved.").locator("visible=true").first.wait_for()
    assert owner.get(path).json()["countdown"] == 1

    live = tagged(owner, light, "live")
    page.get_by_role("button", name="Void links").click()
    page.get_by_role("dialog").get_by_role("button", name="Void links").click()
    page.get_by_text("All live links are void.").locator("visible=true").first.wait_for()
    assert tap(owner, live["url"])["reason"] == "forged"
    page.get_by_role("button", name="Remove", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Remove button").click()
    page.wait_for_url("**/buttons")
    assert owner.get("/api/v1/buttons").json()["total"] == 0


def test_a_button_publishes_to_the_broker(module_hub, owner, host, page, tmp_path):  # noqa: F811
    with house.broker(tmp_path) as port:
        assert owner.put("/api/v1/integrations/mqtt", {"host": "127.0.0.1", "port": port}).ok
        up = lambda: any(one["integration"] == "mqtt" and one["status"] == "connected" for one in owner.get("/api/v1/integrations").json()["integrations"])  # noqa: E731
        house.until(up, "the broker is there")
        page.goto(module_hub.url + "/buttons/new")
        page.get_by_label("Title", exact=True).fill("Garage, by radio")
        page.get_by_role("radio", name="An MQTT message").check(force=True)
        page.get_by_text("For the firmware").click()
        page.get_by_label("Timestamp key").fill("11")
        page.get_by_role("button", name="Add button").click()
        host.state("button-message-missing", "MQTT topic empty", "message empty", "timestamp key format incorrect", "This button opens a door", sizes=SIZES)
        page.get_by_label("MQTT topic").fill("home/+/garage")
        page.get_by_label("Message", exact=True).fill('{"command":1}')
        page.get_by_label("Timestamp key").fill("11223344556677889900aabbccddeeff")
        page.get_by_role("radio", name="Comfort only").check(force=True)
        page.get_by_role("button", name="Add button").click()
        house.until(lambda: page.get_by_label("MQTT topic").get_attribute("aria-invalid") == "true", "the hub's word stands at the field")
        page.get_by_label("MQTT topic").fill("home/garage")
        page.get_by_role("switch", name="Sign the message").check()
        page.get_by_role("button", name="Add button").click()
        page.get_by_role("heading", name="Garage, by radio", level=1).wait_for()
        made, = owner.get("/api/v1/buttons").json()["buttons"]
        assert made["publish"]["topic"] == "home/garage" and made["publish"]["risk"] == "control" and made["publish"]["has_timestamp_key"]
        page.get_by_text("Leave empty to keep the one that is stored").wait_for()

        page.get_by_role("button", name="Make key").click()
        page.get_by_role("dialog").get_by_role("button", name="Make key").click()
        host.state("button-signing-key", "Shown once. Put it into the firmware now.", "home/garage", sizes=SIZES)
        key = page.locator(".once .mono").inner_text()
        assert re.fullmatch("[0-9a-f]{64}", key)
        page.get_by_role("button", name="Done").click()
        assert not page.get_by_text(key).count(), "shown once"

        go(page, "/buttons")
        press_of(page, "Garage, by radio").get_by_text("Message · home/garage").wait_for()
        heard = subprocess.Popen(["stdbuf", "-oL", "mosquitto_sub", "-p", str(port), "-t", "home/garage", "-C", "1", "-W", "120", "-d"], stdout=subprocess.PIPE, text=True)
        for line in heard.stdout:
            if "SUBACK" in line:
                break
        page.get_by_role("button", name=re.compile("^Garage, by radio")).click()
        becomes(page, "Garage, by radio", "sent")
        host.state("buttons-sent", "Sent. The result is not known.", sizes=SIZES)
        assert '"mac"' in heard.communicate(timeout=60)[0]
        page.get_by_role("button", name=re.compile("^Garage, by radio")).click()
        host.state("buttons-not-sent", "Not done: the broker dropped the message: no client subscribes to the topic.", sizes=(PHONE,))
        assert owner.call("DELETE", "/api/v1/integrations/mqtt").ok
        becomes(page, "Garage, by radio", "lost")
        host.state("buttons-away", "Message · home/garage", "No connection", sizes=SIZES)
        assert page.get_by_role("button", name=re.compile("^Garage, by radio")).get_attribute("aria-disabled") == "true", "nothing presses it"


def test_a_tag_counts_only_after_it_is_written_and_read_back(module_hub, owner, host, page):  # noqa: F811
    light = button(owner, "hall-light", "on", "Light")
    tags = lambda: owner.get("/api/v1/tags").json()["tags"]  # noqa: E731
    page.goto(module_hub.url + "/buttons")
    press_of(page, "Light").wait_for()
    page.evaluate(READER)
    go(page, f"/buttons/{light['button_id']}")
    section = page.locator(".trigger")
    section.get_by_text("Not configured", exact=True).wait_for()

    def write(label, **how):
        page.evaluate("(how) => Object.assign(nfc, { write: 'well', read: 'well', did: [] }, how)", how)
        if not section.get_by_label("Label").count():
            section.get_by_role("button", name="Write NFC Tag").click()
        section.get_by_label("Label").fill(label)
        section.locator("form").get_by_role("button", name="Write NFC Tag").click()

    section.get_by_role("button", name="Write NFC Tag").click()
    host.state("tag-new", "Kind of tag", "it never opens a door", "Label", "Use another writing app", sizes=SIZES)

    # Every way in which it can fail; none of them configures anything.
    for how, says in (
        ({"write": "NetworkError"}, "Not written. The tag was taken away too soon, or it is locked or too small."),
        ({"write": "NotAllowedError"}, "Not written. This browser may not use NFC."),
        ({"write": "NotReadableError"}, "Not written. NFC is off"),
        ({"read": "error"}, "Not written. The tag could not be checked."),
        ({"read": "https://elsewhere.example/t/tag_1"}, re.compile("Not written. .*(read|checked)", re.I)),
    ):
        write("Stairs", **how)
        section.get_by_role("alert").get_by_text(says).wait_for()
        assert section.get_by_label("Label").input_value() == "Stairs"
        assert section.get_by_text("Not configured", exact=True).count()
        house.until(lambda: not tags(), "what was not written is gone")
    host.state("tag-not-written", "Not written.", "Not configured", sizes=SIZES)
    write("Stairs", write="never")
    host.state("tag-hold", "Hold the tag to the back of the phone", "Stop", sizes=SIZES)
    section.get_by_role("button", name="Stop").click()
    section.get_by_text("Stopped. Nothing was configured.").wait_for()
    write("Stairs", read="never")
    host.state("tag-reading", "Hold it there again to check it", sizes=(PHONE,))
    section.get_by_role("button", name="Stop").click()
    section.get_by_text("Stopped. Nothing was configured.").wait_for()
    house.until(lambda: not tags(), "what was stopped is gone")

    write("Stairs")
    section.get_by_text("Stairs is written, checked and configured.").wait_for()
    section.get_by_text("Configured ✓", exact=True).wait_for()
    first, = tags()
    assert first["state"] == "active" and first["written_at"] and page.evaluate("nfc.holds") == first["url"] and page.evaluate("nfc.did") == ["write", "scan"]
    host.state("tag-configured", "Configured ✓", "Last configured", "1 of 3", "Stairs", "Static tag", sizes=SIZES)

    # A tag replaces another: the old one works until the new one is read back.
    section.get_by_role("button", name="Write NFC Tag").click()
    section.get_by_label("Replaces").select_option(label="Stairs")
    write("Landing", write="NetworkError")
    section.get_by_text("Your other tags work as before.").wait_for()
    assert tap(owner, first["url"], confirm=True)["accepted"]
    section.get_by_label("Replaces").select_option(label="Stairs")
    write("Landing")
    section.get_by_role("link", name="Landing").wait_for()
    house.until(lambda: [one["label"] for one in tags()] == ["Landing"], "one for the other")
    assert tap(owner, first["url"], confirm=True)["reason"] == "unknown_tag"

    # Three are the maximum; and a changed action asks for each again.
    for label in ("Cellar", "Attic"):
        write(label)
        section.get_by_role("link", name=label).wait_for()
    section.get_by_role("button", name="Write NFC Tag").click()
    host.state("tag-full", "This button has three tags.", "3 of 3", sizes=(PHONE, DESK))
    assert section.get_by_label("Replaces").input_value(), "one of them gives way"
    section.get_by_role("button", name="Cancel").click()
    page.get_by_label("What to do").select_option(label="Switch off")
    page.get_by_role("button", name="Save", exact=True).click()
    section.get_by_role("button", name="Renew Landing").wait_for()
    host.state("tag-outdated", "Renew", sizes=(PHONE, DESK))
    assert tap(owner, tags()[0]["url"], confirm=True)["reason"] == "outdated"
    section.get_by_role("button", name="Renew Landing").click()
    section.get_by_role("button", name="Renew Landing").wait_for(state="detached")
    section.get_by_role("button", name="Remove NFC Trigger Landing").click()
    page.get_by_role("dialog").get_by_text("The tag stops working at once").wait_for()
    host.state("tag-remove", "Remove Landing?", sizes=(PHONE,))
    page.get_by_role("dialog").get_by_role("button", name="Remove NFC Trigger").click()
    section.get_by_role("link", name="Landing").wait_for(state="detached")
    assert sorted(one["label"] for one in tags()) == ["Attic", "Cellar"]


def scanned(code, tmp_path):
    """What a phone's camera reads of it."""
    picture = tmp_path / "code.png"
    code.screenshot(path=picture)
    return subprocess.run(["zbarimg", "--quiet", "--raw", str(picture)], capture_output=True, text=True, timeout=60).stdout.strip()


def test_without_web_nfc_links_and_keys_are_copied(module_hub, owner, host, page, tmp_path):  # noqa: F811
    light = button(owner, "hall-light", "on", "Light")
    page.goto(module_hub.url + f"/buttons/{light['button_id']}")
    section = page.locator(".trigger")
    section.get_by_role("button", name="Add a tag").click()
    host.state("tag-cannot", "This browser cannot write tags", "Make the link", sizes=SIZES, gone=("Write NFC Tag",))
    section.get_by_label("Label").fill("Stairs")
    section.get_by_role("button", name="Make the link").click()
    host.state("tag-link", "Write this link to the tag", "Copy link", sizes=SIZES)
    made, = owner.get("/api/v1/tags").json()["tags"]
    assert section.locator(".link-text").inner_text() == made["url"] == scanned(section.locator(".qr img"), tmp_path)
    section.get_by_role("button", name="Done").click()

    section.get_by_role("button", name="Add a tag").click()
    section.get_by_role("radio", name=re.compile("Secure tag")).check()
    section.get_by_label("Number of the chip").fill("04A1")
    section.get_by_role("radio", name="Already on the chip").check(force=True)
    section.get_by_role("button", name="Make the link").click()
    host.state("tag-sun-wrong", "A UID has 14 hexadecimal digits.", "SDMFileReadKey has 32 hexadecimal digits.", sizes=SIZES)
    section.get_by_label("Number of the chip").fill("04:A1:B2:C3:D4:E5:F6")
    for name in ("SDMMetaReadKey", "SDMFileReadKey"):
        section.get_by_label(name).fill("00" * 16)
    section.get_by_role("button", name="Make the link").click()
    section.get_by_role("link", name=re.compile("is a publicly known key")).wait_for()
    for name, key in (("SDMMetaReadKey", META), ("SDMFileReadKey", FILE)):
        section.get_by_label(name).fill(key)
    section.get_by_label("Parameter names in its link").fill("e c")
    section.get_by_role("button", name="Make the link").click()
    section.get_by_role("link", name="Enter three names, separated by commas or spaces.").wait_for()
    section.get_by_label("Parameter names in its link").fill("e, e, c")
    section.get_by_role("button", name="Make the link").click()
    section.get_by_role("link", name=re.compile("must be three different words")).wait_for()
    section.get_by_role("radio", name="Made by the house").check(force=True)
    section.get_by_role("button", name="Make the link").click()
    host.state("tag-sun-keys", "Shown once", "SDMMetaReadKey", "SDMFileReadKey", "Copy keys", sizes=SIZES)
    meta, file = (value.lower() for value in section.locator(".once dd").all_inner_texts())
    chip = Chip(UID, meta, file, section.locator(".once .link-text").inner_text())
    section.get_by_role("button", name="Done").click()
    assert tap(owner, chip.touch())["accepted"], "with the keys from the screen"
    assert not page.get_by_text(re.compile(meta, re.I)).count(), "shown once"

    section.get_by_role("button", name="Add a tag").click()
    section.get_by_role("radio", name=re.compile("Secure tag")).check()
    section.get_by_label("Number of the chip").fill("04A1B2C3D4E5F9")
    section.get_by_role("radio", name="Already on the chip").check(force=True)
    for name, words in (("SDMMetaReadKey", META), ("SDMFileReadKey", FILE), ("Parameter names in its link", "e d c")):
        section.get_by_label(name).fill(words)
    section.get_by_role("button", name="Make the link").click()
    chip = Chip("04A1B2C3D4E5F9", META, FILE, section.locator(".once .link-text").inner_text(), names=("e", "d", "c"))
    section.get_by_role("button", name="Done").click()
    assert tap(owner, chip.touch())["accepted"], "with its own keys, under its own names"

    section.get_by_role("button", name="Add a tag").click()
    section.get_by_role("radio", name=re.compile("^Live link")).check()
    section.get_by_role("button", name="Make a live link").click()
    host.state("tag-live", "A live link", re.compile("Works once, until"), sizes=SIZES)
    live = section.locator(".link-text").inner_text()
    assert scanned(section.locator(".qr img"), tmp_path) == live
    page.goto(module_hub.url + live[live.index("/t/"):])
    host.state("tap-live", "Light", "A live link works once, with the rights of the person who made it", sizes=SIZES)


def test_a_test_without_a_tag_names_the_result_and_vibrates(module_hub, owner, host, page):  # noqa: F811
    light, door = button(owner, "hall-light", "on", "Light"), button(owner, title="Front door")
    owner.call("PUT", "/api/v1/devices/front-door/control", {"action": "lock"})
    page.goto(module_hub.url + f"/buttons/{light['button_id']}")
    feeling(page)
    page.get_by_role("button", name="Test without a tag").click()
    page.get_by_text("Light: done.").wait_for()
    host.state("trigger-tested", "Light: done.", "A live link was made and used.", sizes=SIZES)
    assert state(owner, "hall-light") == "on" and page.evaluate("window.felt") == [[60, 140, 60]]
    owner.put("/api/v1/tags/policy", {"on": False, "control": "confirmed", "open": "confirmed"})
    page.get_by_role("button", name="Test without a tag").click()
    host.state("trigger-test-refused", "Light: nothing was done. Tags are switched off in this house. An owner or admin can switch them on.", sizes=(PHONE,))
    assert page.evaluate("window.felt") == [[60, 140, 60], [200]]
    owner.put("/api/v1/tags/policy", {"on": True, "control": "confirmed", "open": "confirmed"})

    go(page, f"/buttons/{door['button_id']}")
    page.get_by_role("heading", name="Front door", level=1).wait_for()
    page.get_by_role("button", name="Test without a tag").click()
    page.get_by_role("dialog").get_by_text("This really happens: Unlock · Front door.").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert state(owner, "front-door") == "locked"
    page.locator(".trigger").get_by_role("button", name="Add a tag").click()
    page.get_by_role("radio", name=re.compile("^Static tag")).check()
    page.get_by_text("This button opens a door, and a static tag never does.").wait_for()
    assert not page.get_by_role("button", name="Make the link").count()


def test_tags_their_alarms_and_their_policy(module_hub, owner, host, page, watch):  # noqa: F811
    light, door = button(owner, "hall-light", "on", "Light"), button(owner, title="Front door")
    owner.call("PUT", "/api/v1/devices/front-door/control", {"action": "lock"})
    stairs = tagged(owner, light, "static", label="Stairs")
    gate = tagged(owner, door, "sun", uid=UID, meta_key=META, file_key=FILE, label="Letterbox")
    page.goto(module_hub.url + "/tags")
    page.get_by_role("link", name="Letterbox").wait_for()
    host.state("tags", "Stairs", "Letterbox", "Front door", "What tags may do", "What each kind can prove", sizes=SIZES)
    chip = Chip(UID, META, FILE, gate["url"])
    old, new = chip.touch(), chip.touch()
    assert tap(owner, new)["accepted"]
    rested(owner, gate)
    assert tap(owner, old)["reason"] == "replayed"
    page.get_by_role("heading", name="Letterbox may have been copied").wait_for()
    host.state("tags-alarm", "Clone alarm", "What to do", "remove it here and put up a new tag", sizes=SIZES)
    go(page, "/buttons")
    host.state("buttons-alarm", "Letterbox may have been copied. Check it.", sizes=(PHONE,))
    page.get_by_role("link", name="Letterbox may have been copied").click()
    host.state("tag-alarm", "04 A1 B2 C3 D4 E5 F6", "NTAG 424 DNA", sizes=SIZES)
    page.get_by_role("button", name="I have seen it").click()
    page.get_by_role("heading", name="Letterbox may have been copied").wait_for(state="detached")
    assert owner.get(f"/api/v1/tags/{gate['tag_id']}").json()["alarmed_at"] is None

    go(page, "/tags")
    policy = lambda: owner.get("/api/v1/tags/policy").json()  # noqa: E731
    page.get_by_role("radio", name="At once").check(force=True)
    page.get_by_text("even with a tag that anyone can copy").wait_for()
    house.until(lambda: policy()["control"] == "at_once", "it is kept")
    page.get_by_role("group", name="Access").last.get_by_role("radio", name="Never").check(force=True)
    house.until(lambda: policy()["open"] == "never", "it is kept")
    assert owner.put("/api/v1/tags/policy", {"on": False, "control": "confirmed", "open": "confirmed"}).ok
    house.until(lambda: not page.get_by_role("switch", name="Tags and links").is_checked(), "changed by another")
    page.get_by_role("switch", name="Tags and links").check()
    house.until(lambda: policy() == {"on": True, "control": "confirmed", "open": "confirmed"}, "only the switch was moved")

    assert owner.put(f"/api/v1/buttons/{light['button_id']}", {"title": "Light", "action": {"device_id": "hall-light", "action": "off"}}, If_Match='"1"').ok
    page.locator("li", has_text="Stairs").get_by_text("Renew").wait_for()
    page.get_by_role("link", name="Stairs").click()
    host.state("tag-one-outdated", "Needs confirmation", "Light was changed after this tag was written. It now does this: Switch off · Hall light.", sizes=SIZES)
    page.get_by_label("Label").fill("Stairs, below")
    page.get_by_role("button", name="Save label").click()
    page.get_by_role("heading", name="Stairs, below", level=1).wait_for()
    assert owner.get(f"/api/v1/tags/{stairs['tag_id']}").json()["outdated"] and page.get_by_text("Needs confirmation").count(), "a label renews nothing"
    page.get_by_role("button", name="Renew").click()
    page.get_by_text("Needs confirmation").wait_for(state="detached")
    assert tap(owner, stairs["url"], confirm=True)["accepted"]
    page.get_by_label("Label").fill("Landing")
    page.get_by_role("button", name="Save label").click()
    page.get_by_role("heading", name="Landing", level=1).wait_for()
    page.get_by_text("Link and QR code").click()
    host.state("tag-one", "Landing", "Copy link", sizes=SIZES)

    resident = watch("resident")
    sign_in(resident, module_hub, move_in(owner, "Niece"), to="/tags")
    resident.state("tags-reading", "Landing", "Secure tags", "After confirming", sizes=(PHONE,), gone=("Remove NFC Trigger",))
    resident.close()
    page.get_by_role("button", name="Remove NFC Trigger").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove NFC Trigger").click()
    page.wait_for_url("**/tags")
    assert tap(owner, stairs["url"], confirm=True)["reason"] == "unknown_tag"


def test_reading_a_tag_shows_its_button_without_pressing_it(module_hub, owner, host, page):  # noqa: F811
    light, door = button(owner, "hall-light", "on", "Light"), button(owner, title="Front door")
    owner.call("PUT", "/api/v1/devices/front-door/control", {"action": "lock"})
    stairs = tagged(owner, light, "static", label="Stairs")
    uid = "04A1B2C3D4E5FB"
    gate = tagged(owner, door, "sun", uid=uid, meta_key=META, file_key=FILE, label="Letterbox")
    chip = Chip(uid, META, FILE, gate["url"])
    assert owner.put("/api/v1/tags/policy", {"on": True, "control": "at_once", "open": "confirmed"}).ok
    before = (state(owner, "hall-light"), owner.get("/api/v1/activity").json()["entries"][0]["id"])
    page.goto(module_hub.url + "/tags")
    page.get_by_role("link", name="Letterbox").wait_for()
    assert not page.get_by_role("button", name="Read a tag").count(), "no browser without a reader offers it"
    page.evaluate(READER)
    go(page, "/buttons")
    press_of(page, "Light").wait_for()
    go(page, "/tags")
    page.get_by_role("link", name="Letterbox").wait_for()

    def reads(what, *says):
        page.evaluate("(read) => Object.assign(nfc, { read })", what)
        page.get_by_role("button", name="Read a tag").click()
        for text in says:
            page.get_by_text(text).first.wait_for()
        page.get_by_role("button", name="Read a tag").wait_for()

    page.evaluate("() => Object.assign(nfc, { read: 'never' })")
    page.get_by_role("button", name="Read a tag").click()
    host.state("tag-read-hold", "Hold the tag to the back of the phone", "Stop", sizes=SIZES)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Read a tag").wait_for()
    assert not page.locator(".list-page").get_by_text("Hold the tag to the back").count() and not page.locator(".list-page").get_by_role("alert").count(), "stopped is no mistake"

    reads("error", "No link was found on it.")
    reads(stairs["url"], stairs["url"], "A tap presses Light.")
    host.state("tag-read", "Stairs", "A tap presses Light.", sizes=SIZES)
    older, newer = chip.touch(), chip.touch()
    reads(newer, newer, "A tap presses Front door.")
    reads("https://elsewhere.example/t/tag_1", "Not a tag of this house", "https://elsewhere.example/t/tag_1")
    reads(f"https://elsewhere.example/t/{stairs['tag_id']}", "Not a tag of this house", "https://elsewhere.example/t/" + stairs["tag_id"])
    host.state("tag-read-strange", "Not a tag of this house", sizes=SIZES)
    reads("https://elsewhere.example/" + "x" * 9000, "1 to ")
    assert page.locator(".list-page").get_by_role("alert").count() == 1
    assert before == (state(owner, "hall-light"), owner.get("/api/v1/activity").json()["entries"][0]["id"]), "nothing was pressed"
    assert tap(owner, newer)["accepted"], "what was only read is not used up"
    reads(older, older, "The tag was used after this link was made")
    assert owner.get(f"/api/v1/tags/{gate['tag_id']}").json()["alarmed_at"] is None
    reads(stairs["url"], stairs["url"])
    page.locator(".link-text").locator("..").get_by_role("link", name="Stairs").click()
    page.get_by_role("heading", name="Stairs", level=1).wait_for()


def test_an_old_touch_link_is_audited_and_raises_an_alarm(module_hub, owner, host, page):  # noqa: F811
    """The page once asked only what the link would do, and that raises no alarm for a copy."""
    door = button(owner, title="Front door")
    # Its own chip: the house remembers the touch counter of another test's chip.
    gate = tagged(owner, door, "sun", uid="04A1B2C3D4E5FA", meta_key=META, file_key=FILE, label="Letterbox")
    chip = Chip("04A1B2C3D4E5FA", META, FILE, gate["url"])
    older, newer = chip.touch(), chip.touch()
    assert tap(owner, newer)["accepted"]
    taps = lambda: [entry for entry in owner.get("/api/v1/activity").json()["entries"] if entry["action"] == "tag.tap"]  # noqa: E731
    first = taps()[0]["id"]
    refused = lambda: [entry["reason"] for entry in taps() if entry["id"] > first and entry["result"] == "refused"]  # noqa: E731
    alarmed = lambda: owner.get(f"/api/v1/tags/{gate['tag_id']}").json()["alarmed_at"]  # noqa: E731

    # A reloaded tab reports nothing new about the tag, and another page's link is no touch.
    page.goto(module_hub.url + older[older.index("/t/"):], referer="http://elsewhere.example/")
    page.get_by_text("The tag was used after this link was made").wait_for()
    page.reload()
    page.get_by_text("The tag was used after this link was made").wait_for()
    page.goto(module_hub.url + newer[newer.index("/t/"):])
    page.get_by_text("This was used before").wait_for()
    house.until(lambda: refused() == ["already_used"], "a link that was used is on record")
    assert alarmed() is None

    page.goto(module_hub.url + older[older.index("/t/"):])
    page.get_by_text("The tag was used after this link was made").wait_for()
    house.until(alarmed, "the alarm is raised")
    assert refused() == ["replayed", "already_used"]
    page.reload()
    page.get_by_text("The tag was used after this link was made").wait_for()
    page.wait_for_load_state("networkidle")
    go(page, "/tags")
    page.get_by_role("heading", name="Letterbox may have been copied").wait_for()
    assert refused() == ["replayed", "already_used"], "once"


def test_the_button_pages_by_keyboard(module_hub, owner, host, page):  # noqa: F811
    button(owner, "hall-light", "on", "Light")
    button(owner, title="Front door")
    owner.call("PUT", "/api/v1/devices/front-door/control", {"action": "lock"})
    page.clock.install()
    page.goto(module_hub.url + "/buttons")
    press_of(page, "Front door").wait_for()

    def tab_to(name):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement === document.body"):
                continue
            focused = page.evaluate("(document.activeElement.getAttribute('aria-label') || document.activeElement.labels && document.activeElement.labels[0] && document.activeElement.labels[0].innerText || document.activeElement.innerText || '').trim()")
            ring = page.evaluate("[null, '::after'].map((part) => getComputedStyle(document.activeElement, part).outlineStyle)")
            assert ring != ["none", "none"], f"nothing shows where one is: {focused}"
            if focused.startswith(name):
                return
        raise AssertionError(f"no way to {name} by keys")

    tab_to("Light")
    page.keyboard.press("Enter")
    becomes(page, "Light", "success")
    tab_to("Front door")
    host.stop_time()
    page.keyboard.press("Enter")
    becomes(page, "Front door", "armed")
    page.keyboard.press("Escape")
    becomes(page, "Front door", "normal")
    page.keyboard.press("Enter")
    page.clock.run_for(450)
    page.keyboard.press("Enter")
    page.clock.resume()
    becomes(page, "Front door", "success")
    tab_to("Set up")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="New button", level=1).wait_for()
    tab_to("Title")
    page.keyboard.type("Lamp")
    tab_to("Device")
    page.keyboard.type("Study light")
    tab_to("Add button")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Lamp", level=1).wait_for()
    tab_to("Add a tag")
    page.keyboard.press("Enter")
    page.get_by_text("Kind of tag").wait_for()
    house.focused(page, "value", "static", "the first question has the focus")
    tab_to("Label")
    page.keyboard.type("Desk")
    tab_to("Make the link")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Write this link to the tag").wait_for()
    tab_to("Done")
    page.keyboard.press("Enter")
    house.focused(page, "innerText", re.compile(r"\s*Add a tag\s*"))
    tab_to("Remove NFC Trigger")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    assert owner.get("/api/v1/tags").json()["tags"][0]["label"] == "Desk", "Esc leaves it"


def test_large_text_and_long_names_are_fully_readable(module_hub, owner, browser):  # noqa: F811
    """As set for the whole browser: the text grows, and so do the widths at which the layout changes."""
    light = button(owner, "hall-light", "on", "The light above the stairs between the hall and the landing!")
    button(owner, title="Дверь во двор за гаражом")
    tag = tagged(owner, light, "static", label="Behind the picture on the landing, a hand below the switch.")
    with browser.browser_type.launch(executable_path=shutil.which("chromium") or shutil.which("chromium-browser"), args=["--no-sandbox", "--blink-settings=defaultFontSize=32"]) as large:
        someone = Watcher(large, "owner", PHONE)
        page = someone.page  # noqa: F811
        sign_in(someone, module_hub, to="/buttons")
        page.locator(".press-title").first.wait_for()
        for path, ready in (("/buttons", ".press-title"), (f"/buttons/{light['button_id']}", ".trigger .row-link"), ("/tags", ".rows .row-link"), (f"/tags/{tag['tag_id']}", ".facts")):
            go(page, path)
            page.locator(ready).first.wait_for()
            if "button_" in path:
                page.get_by_role("button", name="Add a tag").click()
                page.get_by_text("Kind of tag").wait_for()
            page.wait_for_load_state("networkidle")
            someone.still()
            assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0, f"{path} scrolls sideways"
            assert page.evaluate(CLIPPED) == [], f"{path} cuts words off"
            assert page.evaluate(NARROW, 32) == [], f"{path} sets words letter by letter"
            if PHOTOGRAPH:
                page.screenshot(path=PICTURES / f"state-large-{path.split('/')[1]}-{len(path)}.png")
            someone._axe(f"{path}, large")
        someone.close()


def test_the_button_broker_form_reports_errors_at_each_field(module_hub, host, page):  # noqa: F811
    page.goto(module_hub.url + "/settings/integrations")
    page.get_by_role("button", name="Set up Endpoint of the buttons").click()
    page.get_by_role("button", name="Save and test").click()
    host.state("endpoint-missing", "Enter the broker's name or address.", "certificate empty", "private key empty", sizes=(PHONE, DESK))
    page.get_by_label("Host").fill("broker.invalid")
    page.get_by_label("Client certificate (PEM)").fill("-----BEGIN CERTIFICATE-----\nnothing\n-----END CERTIFICATE-----")
    page.get_by_label("Client key (PEM)").fill("-----BEGIN PRIVATE KEY-----\nnothing\n-----END PRIVATE KEY-----")
    page.get_by_role("button", name="Save and test").click()
    page.get_by_text(re.compile("certificate or private key incorrect", re.I)).first.wait_for()
    assert page.locator("[aria-invalid=true]").count() == 1 and "nothing" in page.get_by_label("Client key (PEM)").input_value()
