"""Cameras in the web app: the wall, a single camera, its events, adding one, and drawing its motion zone."""

import re

import pytest

import house
from test_terminal_cameras import camera  # noqa: F401
from test_tour import DESK, PHONE, SMALL, browser  # noqa: F401
from test_web_events import drawn, pictures, saw  # noqa: F401
from test_web_states import TABLET, answer_with, move_in, never, sign_in, watch  # noqa: F401

pytestmark = pytest.mark.long

HUB_ARGS = ("--local-cameras",)
SIZES = (SMALL, PHONE, TABLET, DESK)


@pytest.fixture
def host(watch, module_hub, module_owner):  # noqa: F811
    visitor = watch("owner")
    sign_in(visitor, module_hub, to="/cameras")
    return visitor


def add(owner, name, url, **source):
    answer = owner.post("/api/v1/cameras", {"name": name, "source": {"kind": "http", "url": url, **source}})
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture(autouse=True)
def no_cameras(module_owner):
    """The next test begins without this one's cameras, whatever its result."""
    yield
    for one in module_owner.get("/api/v1/cameras").json()["cameras"]:
        assert module_owner.call("DELETE", f"/api/v1/cameras/{one['camera_id']}").status_code == 204


def test_a_camera_is_added_viewed_and_removed(host, module_hub, module_owner, camera):  # noqa: F811
    page = host.page
    host.state("cameras-none", "No cameras yet.", "Add a camera", sizes=SIZES)
    page.get_by_role("link", name="Add a camera").first.click()
    page.get_by_role("heading", level=1, name="Add a camera").wait_for()
    host.state("camera-add", "Detect motion", "Like rtsp://192.168.1.20:554/stream1", sizes=SIZES)
    page.get_by_role("button", name="Add a camera").click()
    host.state("camera-add-missing", "Give it a name.", "Enter the address of the camera.", sizes=(PHONE,))
    page.get_by_label("Name", exact=True).fill("Porch")
    page.get_by_label("Kind").select_option("http")
    page.get_by_label("Address").fill("http://169.254.169.254/latest.jpg")
    page.get_by_role("button", name="Add a camera").click()
    host.state("camera-add-refused", re.compile("the hub does not connect to"), sizes=(PHONE,))
    page.get_by_label("Address").fill(camera)
    page.get_by_label("User name").fill("cam")
    page.get_by_label("Password", exact=True).fill("let me see")
    page.get_by_role("button", name="Add a camera").click()
    page.get_by_role("heading", level=1, name="Porch").wait_for()
    drawn(page, ".camera-shot > img")
    host.state("camera", "Events", "No events yet.", "Picture or MJPEG over HTTP", sizes=SIZES)
    assert "let me see" not in page.content() and "snapshot.jpg" not in page.content()

    page.get_by_role("link", name="Change").click()
    page.get_by_role("heading", level=1, name="Change Porch").wait_for()
    page.get_by_label("Name", exact=True).fill("Front porch")
    page.get_by_role("button", name="Save camera").click()
    page.get_by_role("heading", level=1, name="Front porch").wait_for()
    page.get_by_role("button", name="Remove").click()
    host.state("camera-remove", "Remove Front porch?", sizes=(PHONE,))
    page.get_by_role("button", name="Remove camera").click()
    page.get_by_text("No cameras yet.").wait_for()
    assert module_owner.get("/api/v1/cameras").json()["total"] == 0
    host.close()


def test_the_camera_wall_shows_each_pictures_age_and_unreachable_cameras(host, module_hub, module_owner, camera, pictures):  # noqa: F811
    porch = add(module_owner, "Porch", camera, username="cam", password="let me see")
    add(module_owner, "Garden with the old pear tree and the bench under it", f"http://127.0.0.1:{house.free_port()}/x.jpg")
    off = add(module_owner, "Cellar", camera)
    assert module_owner.call("PATCH", f"/api/v1/cameras/{off['camera_id']}", {"is_enabled": False}).ok
    seen = saw(module_owner, "person", "Someone comes up the path", 0, pictures[0], camera_id=porch["camera_id"])
    page = host.page
    page.clock.install()
    page.goto(module_hub.url + "/cameras")
    drawn(page, 'img[alt="Picture of Porch"]')
    page.get_by_text(re.compile("^(Not reachable|No picture yet)")).first.wait_for()
    host.state("cameras", "Porch", "Cellar", "Switched off", re.compile("^Picture"), sizes=SIZES)

    page.get_by_role("link", name="Porch").click()
    page.get_by_role("heading", level=1, name="Porch").wait_for()
    page.get_by_role("link", name="Someone comes up the path").wait_for()
    drawn(page)
    host.state("camera-seen", "Someone comes up the path", "All events", sizes=SIZES)
    page.get_by_role("link", name="Someone comes up the path").click()
    page.wait_for_url(f"**/activity/{seen['id']}")
    page.get_by_role("link", name="Porch").click()
    page.wait_for_url(f"**/cameras/{porch['camera_id']}")

    # A hidden page sends no request. The page itself counts from the moment it is hidden: earlier requests do not count.
    drawn(page, ".camera-shot > img")
    look = "(hidden) => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true }); document.dispatchEvent(new Event('visibilitychange')); }"
    page.evaluate(f"""() => {{
        const real = window.fetch;
        window.asked = [];
        window.fetch = (url, ...more) => (/snapshot|preview/.test(url) && window.asked.push(url), real(url, ...more));
        ({look})(true);
    }}""")
    page.clock.run_for(12_000)
    assert page.evaluate("window.asked") == []
    page.evaluate(look, False)
    page.wait_for_function("() => window.asked.length")
    host.close()


def test_a_camera_that_timed_out_is_asked_again(host, module_hub, module_owner, camera):  # noqa: F811
    # A picture that timed out was once the last requested one, until the page was hidden and shown.
    add(module_owner, "Porch", camera, username="cam", password="let me see")
    page = host.page
    page.clock.install()
    page.route("**/snapshot", never)
    with page.expect_request("**/snapshot"):
        page.goto(module_hub.url + "/cameras")
    page.clock.fast_forward(21_000)
    page.locator(".camera-old").wait_for()
    page.unroute_all(behavior="ignoreErrors")
    page.clock.fast_forward(6_000)
    page.locator(".camera-old").wait_for(state="detached")
    drawn(page, ".camera-shot > img")
    host.close()


def test_a_motion_zone_is_drawn_by_keyboard(host, module_hub, module_owner):
    made = module_owner.post("/api/v1/cameras", {"name": "Yard", "source": {"kind": "rtsp", "url": "rtsp://127.0.0.1:9/yard"}}).json()
    page = host.page
    page.goto(module_hub.url + f"/cameras/{made['camera_id']}/change")
    page.get_by_role("switch", name="Detect motion").check()
    page.get_by_role("button", name="Add a zone").click()
    corner = page.get_by_role("button", name=re.compile("^Zone 1, corner 1"))
    assert corner.get_attribute("aria-label") == "Zone 1, corner 1: 25 percent from the left, 25 percent from the top"
    house.focused(page, "className", "zone-corner")
    for key in ("ArrowLeft", "ArrowLeft", "Shift+ArrowUp"):
        page.keyboard.press(key)
    page.get_by_role("button", name="Add a corner").click()
    page.keyboard.press("Delete")
    page.get_by_role("button", name=re.compile("^Zone 1, corner 3")).focus()
    page.keyboard.press("Delete")
    page.get_by_label("Name of the zone").fill("Path")
    host.state("camera-zones", "Where motion counts", re.compile("^Drag the corners"), sizes=SIZES)
    page.get_by_role("button", name="Save camera").click()
    page.get_by_role("heading", level=1, name="Yard").wait_for()
    page.get_by_text("Path").wait_for()
    detection = module_owner.get(f"/api/v1/cameras/{made['camera_id']}").json()["detection"]
    assert detection["motion"] and detection["zones"] == [{"name": "Path", "points": [[0.23, 0.2], [0.75, 0.25], [0.25, 0.75]]}]
    host.close()


def test_a_resident_may_view_and_may_not_configure_cameras(watch, module_hub, module_owner):  # noqa: F811
    someone = watch("resident")
    sign_in(someone, module_hub, move_in(module_owner, "Grandmother"), to=None)
    page = someone.page
    page.goto(module_hub.url + "/cameras")
    someone.state("cameras-none-resident", "No cameras yet. Ask someone who may change the settings to add one.", gone=("Add a camera",))
    page.goto(module_hub.url + "/cameras/new")
    someone.state("camera-denied", "Nothing here that you can see")
    page.route("**/api/v1/cameras", answer_with(500))
    page.goto(module_hub.url + "/cameras")
    someone.state("cameras-error", "The cameras could not be loaded", "Try again")
    page.route("**/api/v1/cameras", never)
    page.goto(module_hub.url + "/cameras")
    page.locator(".skeleton").wait_for()
    someone.state("cameras-loading", "Cameras")
    someone.close()
