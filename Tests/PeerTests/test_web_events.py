"""Events in the web app: the timeline by day, one event, and finding it again among fifty thousand."""

import base64
import contextlib
import datetime
import re
import sqlite3
import subprocess
import time
import zoneinfo

import pytest

import house
from conftest import PASSWORD, Owner, hubs
from test_tour import DESK, NOON, PHONE, SMALL, browser  # noqa: F401
from test_web_states import TABLET, answer_with, asking, move_in, never, sign_in, watch  # noqa: F401

pytestmark = pytest.mark.long

SIZES = (SMALL, PHONE, TABLET, DESK)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """Three pictures of a camera, drawn by ffmpeg."""
    folder, made = tmp_path_factory.mktemp("pictures"), []
    for number, pattern in enumerate(("testsrc2=size=1280x720", "smptebars=size=1280x720", "mandelbrot=size=1280x720")):
        file = folder / f"{number}.jpg"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", pattern, "-frames:v", "1", "-q:v", "4", str(file)], check=True)
        made.append(base64.b64encode(file.read_bytes()).decode())
    return made


def saw(owner, kind, description, ago, picture=None, source="Porch", **more):
    body = {"source": source, "type": kind, "description": description, "occurred_at": house.in_seconds(-ago), **more}
    if picture:
        body["image_base64"] = picture
    answer = owner.post("/api/v1/events", body)
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def seen(module_owner, pictures):
    """A day at the door, in a time zone where it is noon: a parcel with its person, a cat, a car, and the day before."""
    assert module_owner.put("/api/v1/house", {"time_zone": NOON}).ok
    a, b, c = pictures
    day, begun = 86_400, datetime.datetime.now(datetime.timezone.utc)

    def told(ago, kind, description, picture, source="Porch", **more):
        """Sent before the first: the time that sending takes is no part of the visit."""
        at = (begun - datetime.timedelta(seconds=ago)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return saw(module_owner, kind, description, ago, picture, source, occurred_at=at, **more)

    told(day + 3000, "vehicle", "A van stops at the gate", b, "Gate")
    told(day + 900, "animal", "", None, "Garden with the old pear tree and the bench under it")
    told(640, "person", "Someone comes up the path", a)
    told(620, "package", "A parcel is left on the mat", b, confidence=93)
    told(600, "motion", "", c)
    return told(120, "animal", "The neighbour's cat on the wall", c, "Garden")


@pytest.fixture
def host(watch, module_hub, module_owner, seen):  # noqa: F811
    visitor = watch("owner", timezone_id=NOON)
    sign_in(visitor, module_hub, to="/activity?show=seen")
    visitor.page.locator("a.entry-head").first.wait_for()
    return visitor


def drawn(page, selector=".shot > img"):
    """Waits until the screen shows pictures and every one is loaded."""
    every = "(selector) => ((all) => all.length && all.every((one) => !one.hidden && one.naturalWidth > 0))([...document.querySelectorAll(selector)])"
    house.until(lambda: page.evaluate(every, selector), "the pictures are there")


def test_events_and_actions_share_the_timeline(host, module_hub):
    page = host.page
    assert page.get_by_role("link", name="A parcel is left on the mat").count() == 0, "a person and a parcel of one visit are one row"
    row = page.locator("li", has=page.get_by_role("link", name="Someone comes up the path"))
    assert row.locator(".shot-count").inner_text() == "3"
    assert re.search("Porch · Person, Package · 3 events in 4[01]", row.inner_text())
    drawn(page)
    host.state("events-timeline", "The neighbour's cat on the wall", "Today", "Yesterday", re.compile("3 events in"), sizes=SIZES)

    page.get_by_role("button", name="Everything").click()
    page.get_by_role("button", name="House claimed").first.wait_for()
    heads = page.locator(".entry-head").all_inner_texts()
    assert "The neighbour's cat on the wall" in heads and "A van stops at the gate" in heads
    host.state("events-everything", "House claimed", "The neighbour's cat on the wall", sizes=SIZES)
    page.get_by_role("button", name="Vehicles").click()
    page.get_by_text("The neighbour's cat on the wall").wait_for(state="detached")
    assert page.locator(".entry-head").all_inner_texts() == ["A van stops at the gate"]
    assert "show=vehicle" in page.url
    page.get_by_role("button", name="Packages").click()
    page.get_by_role("link", name="A parcel is left on the mat").wait_for()
    host.close()


def test_events_are_searched_by_words_and_day(host):
    page = host.page
    page.get_by_role("button", name="Search").click()
    page.get_by_label("Search events").fill("parcels")
    page.get_by_text("Someone comes up the path").wait_for(state="detached")
    assert page.locator(".entry-head").all_inner_texts() == ["A parcel is left on the mat"]
    host.state("events-search", "A parcel is left on the mat", sizes=SIZES)
    page.get_by_label("Search events").fill("elephant")
    host.state("events-search-none", "No event matches.", "Show everything", sizes=(PHONE,))
    page.reload()
    page.get_by_text("No event matches.").wait_for()
    page.get_by_role("button", name="Show everything").click()
    page.get_by_role("button", name="House claimed").first.wait_for()
    yesterday = datetime.datetime.now(zoneinfo.ZoneInfo(NOON)).date() - datetime.timedelta(days=1)
    page.get_by_role("button", name="Go to a day").click()
    page.get_by_label("Day", exact=True).fill(str(yesterday))
    page.get_by_role("button", name="House claimed").first.wait_for(state="detached")
    assert page.locator("a.entry-head").count() >= 1
    assert page.locator("h2").all_inner_texts() == ["Yesterday"]
    page.get_by_label("Day", exact=True).fill("2024-02-29")
    page.get_by_text(re.compile("^No events on .*2024")).wait_for()
    host.close()


def test_an_event_shows_its_picture_and_related_events(host, module_hub):
    page = host.page
    page.get_by_role("link", name="Someone comes up the path").click()
    page.wait_for_url(re.compile("/activity/[^?]+$"))
    page.get_by_role("heading", level=1, name="Someone comes up the path").wait_for()
    drawn(page)
    host.state("event", "Person", "Save picture", "Delete", sizes=SIZES)
    assert page.title() == "Someone comes up the path · Cardea"
    page.get_by_role("link", name=re.compile("A parcel is left on the mat, 2 of 3")).click()
    page.get_by_role("heading", level=1, name="A parcel is left on the mat").wait_for()
    assert re.search("93\\s?%", page.inner_text("main"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Save picture").click()
    assert download.value.suggested_filename.startswith("Porch 20")
    with open(download.value.path(), "rb") as file:
        assert file.read(3) == b"\xff\xd8\xff"
    page.keyboard.press("Escape")
    page.wait_for_url("**/activity?show=seen")
    # Beside the list where there is room.
    page.set_viewport_size(DESK)
    page.get_by_role("link", name="Someone comes up the path").click()
    page.get_by_role("heading", level=2, name="Someone comes up the path").wait_for()
    assert page.url.endswith("/activity?show=seen")
    drawn(page)
    host.state("event-beside", "Save picture", sizes=(DESK,))
    page.keyboard.press("Escape")
    page.get_by_role("heading", level=2, name="Someone comes up the path").wait_for(state="detached")
    house.focused(page, "textContent", "Someone comes up the path")
    host.close()


def test_events_are_found_by_keyboard(host):
    page = host.page
    focused = "document.activeElement.textContent"
    page.get_by_role("link", name="The neighbour's cat on the wall").focus()
    page.keyboard.press("j")
    assert page.evaluate(focused) == "Someone comes up the path"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("k")
    assert page.evaluate(focused) == "Someone comes up the path"
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1, name="Someone comes up the path").wait_for()
    house.focused(page, "tagName", "H1")
    page.keyboard.press("Escape")
    page.get_by_role("heading", level=1, name="Activity").wait_for()
    house.until(lambda: page.evaluate(focused) == "Someone comes up the path", "Esc leads back to the row")
    host.close()


def test_a_new_event_appears_and_a_deleted_one_disappears_at_once(host, module_hub, module_owner, pictures):
    page = host.page
    saw(module_owner, "ring", "Somebody rings", 0, pictures[0], source="Front door bell")
    page.get_by_role("link", name="Somebody rings").wait_for()
    assert page.locator(".entry-head").first.inner_text() == "Somebody rings"
    page.set_viewport_size(DESK)
    page.get_by_role("link", name="Somebody rings").click()
    page.get_by_role("button", name="Delete").click()
    host.state("event-delete", "Delete this event?", "The event and its pictures are deleted for good.", sizes=(PHONE, DESK))
    house.focused(page, "textContent", "Cancel")
    page.get_by_role("button", name="Delete event").click()
    page.get_by_role("link", name="Somebody rings").wait_for(state="detached")
    # The next row has the focus once the list is shown again.
    page.wait_for_function("document.activeElement.textContent === `The neighbour's cat on the wall`")
    assert not page.get_by_role("link", name="Somebody rings").count()
    assert "Somebody rings" not in str(module_owner.get("/api/v1/mobile/events").json())
    host.close()


def test_the_timeline_empty_unreachable_and_without_permission(watch, module_hub, module_owner, seen):  # noqa: F811
    someone = watch("resident")
    sign_in(someone, module_hub, move_in(module_owner, "Lodger"), to=None)
    page = someone.page
    asking(page)
    page.route("**/api/v1/mobile/events?*", never)
    page.goto(module_hub.url + "/activity?show=seen")
    page.locator(".skeleton").wait_for()
    someone.state("events-loading", "Activity")
    asking(page)
    page.route("**/api/v1/mobile/events?*", answer_with(500))
    page.goto(module_hub.url + "/activity?show=seen")
    someone.state("events-error", "The camera events could not be loaded", "Try again")
    page.goto(module_hub.url + "/activity")
    someone.state("events-half", "The camera events could not be loaded", "Joined the house")
    asking(page)
    page.route("**/api/v1/mobile/events?*", lambda route: route.fulfill(json={"events": [], "total_count": 0, "has_more": False}))
    page.goto(module_hub.url + "/activity?show=person")
    someone.state("events-none", "No person was seen yet.", "Show everything")
    asking(page)
    # A person without the right to manage the house may look and not delete; a missing picture is reported in its place.
    page.route("**/thumbnail", answer_with(404, "not_found"))
    page.goto(module_hub.url + "/activity?show=seen")
    someone.state("events-no-pictures", "The picture is not stored any more.")
    page.unroute_all(behavior="ignoreErrors")
    page.goto(module_hub.url + f"/activity/{seen['id']}")
    page.get_by_role("button", name="Save picture").wait_for()
    assert not page.get_by_role("button", name="Delete").count()
    page.goto(module_hub.url + "/activity/event_nobody")
    someone.state("event-missing", "Nothing here that you can see")
    someone.close()


# Fifty thousand

MANY = 50_000


@pytest.fixture(scope="module")
def full(hub_binary, tmp_path_factory):
    """A house with many events: written into its store between two starts, like a year of cameras."""
    data = tmp_path_factory.mktemp("full")
    with hubs(hub_binary) as start:
        hub = start(data, "--virtual-house")
        owner = Owner(hub, house.claim(hub, PASSWORD))
        hub.stop()
        now = int(time.time() * 1000)
        step = 6 * 86_400_000 // MANY
        kinds = ("person", "motion", "vehicle", "animal", "package")
        with contextlib.closing(sqlite3.connect(data / "house.sqlite")) as db:
            db.executemany("INSERT INTO incidents VALUES (?, 'Porch', ?, ?, 0, 0)", ((f"incident_{n}", now - n * step, now - n * step) for n in range(1, MANY + 1)))
            db.executemany(
                "INSERT INTO events (key, id, source, place, camera_name, type, description, incident_id, recorded_by, created_at) VALUES (?, ?, 'Porch', 'Porch', 'Porch', ?, ?, ?, 'script', ?)",
                (((now - n * step) << 20, f"event_{n}", kinds[n % 5], f"Seen as number {n}", f"incident_{n}", now) for n in range(1, MANY + 1)))
            # The next start encrypts plaintext rows and indexes their words.
            db.execute("DELETE FROM column_seal")
            db.commit()
        hub = start(data, "--virtual-house")
        yield hub


# A slow browser reports several moments at once.
BEHIND = """window.IntersectionObserver = class extends IntersectionObserver {
  constructor(told, options) {
    const held = [];
    let timer = 0;
    super((all, by) => {
      held.push(...all);
      clearTimeout(timer);
      timer = setTimeout(() => told(held.splice(0), by), 300);
    }, options);
  }
};"""


def test_a_slow_browser_still_loads_older_rows(full, watch):  # noqa: F811
    """Of "out of sight" and "in sight again", reported together, the first was used: the list stopped, with its end on the screen."""
    someone = watch("owner")
    page = someone.page
    page.add_init_script(BEHIND)
    sign_in(someone, full, to="/activity?show=seen")
    page.get_by_role("link", name="Seen as number 1", exact=True).wait_for()
    for _ in range(6):
        height = page.evaluate("(scrollTo(0, document.body.scrollHeight), document.body.scrollHeight)")
        page.wait_for_function("(was) => document.body.scrollHeight > was + 1000", arg=height)
    someone.close()


def test_the_page_stays_small_with_fifty_thousand_events(full, watch):  # noqa: F811
    someone = watch("owner")
    sign_in(someone, full, to="/activity?show=seen")
    page = someone.page
    page.get_by_role("link", name="Seen as number 1", exact=True).wait_for()
    # Down through a thousand rows, by the wheel.
    page.mouse.move(200, 400)
    reached = "Math.max(0, ...[...document.querySelectorAll('a.entry-head')].map((one) => Number(one.textContent.split(' ').pop())))"

    def down():
        page.mouse.wheel(0, 4000)
        return page.evaluate(reached) >= 1000

    house.until(down, "the thousandth row is reached")
    house.until(lambda: page.locator(".timeline > li").count() <= 80, "a window of the rows is in the page")
    top, bottom = page.evaluate("[...document.querySelectorAll('a.entry-head')].map((one) => one.getBoundingClientRect()).filter((box) => box.bottom > 0 && box.top < innerHeight).map((box) => box.top).reduce(([a, b], y) => [Math.min(a, y), Math.max(b, y)], [1e9, -1e9])")
    assert top < 200 and bottom > 500, "rows fill the screen wherever one is"
    numbers = [int(text.split()[-1]) for text in page.locator("a.entry-head").all_inner_texts()]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "in order and without a gap"
    someone.state("events-many", re.compile("Your browser’s own search finds only"), sizes=(PHONE, DESK))

    # To an event and back: the same rows at the same height.
    here = page.evaluate("[...document.querySelectorAll('a.entry-head')].find((one) => one.getBoundingClientRect().top > 100).textContent")
    page.get_by_role("link", name=here, exact=True).click()
    page.get_by_role("heading", level=1, name=here, exact=True).wait_for()
    page.go_back()
    back = page.get_by_role("link", name=here, exact=True)
    back.wait_for()
    house.until(lambda: 0 < (back.bounding_box() or {"y": -1})["y"] < 500, "the row one came from is on the screen")

    # By keyboard, on from the current row.
    page.locator("a.entry-head").nth(30).focus()
    start = int(page.evaluate("document.activeElement.textContent").split()[-1])
    for _ in range(40):
        page.keyboard.press("j")
    house.until(lambda: int(page.evaluate("document.activeElement.textContent").split()[-1]) == start + 40, "the keyboard walks through the window's edge")

    # The oldest load as fast as the newest.
    page.goto(full.url + "/activity?show=seen&q=49321")
    page.get_by_role("link", name="Seen as number 49321").wait_for()
    oldest = datetime.datetime.now(zoneinfo.ZoneInfo("Europe/Berlin")) - datetime.timedelta(days=5)
    page.goto(full.url + f"/activity?show=package&day={oldest:%Y-%m-%d}")
    page.locator("a.entry-head").first.wait_for()
    assert page.locator("h2").count() == 1
    someone.close()
