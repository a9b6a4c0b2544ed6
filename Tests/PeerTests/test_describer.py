"""Descriptions of events: a local OpenAI-compatible endpoint receives the pictures, and its text is marked wherever it is shown."""

import base64
import contextlib
import http.server
import json
import queue
import subprocess
import threading

import pytest

import house
from conftest import PASSWORD, Owner
from test_tour import DESK, PHONE, SMALL, browser  # noqa: F401
from test_web_states import move_in, sign_in, watch  # noqa: F401

pytestmark = pytest.mark.long

SAID = "A courier in a yellow jacket puts a parcel on the mat."
KEY = "sk-the-houses-own-key"


class Describer(http.server.ThreadingHTTPServer):
    """Speaks OpenAI's chat completions and records its requests."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked = queue.Queue()
        self.answers = []
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.url = f"http://127.0.0.1:{self.server_port}/v1"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        status, headers, words = self.server.answers.pop(0) if self.server.answers else (200, {}, SAID)
        answer = json.dumps({"id": "chatcmpl-1", "object": "chat.completion", "model": body["model"], "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": words}}]}).encode()
        self.server.asked.put((self.path, self.headers, body))
        self.server.may_answer.wait(60)
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(answer)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def describer():
    server = Describer()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def eye():
    with describer() as server:
        yield server


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    """A camera's picture, drawn by ffmpeg."""
    file = tmp_path_factory.mktemp("picture") / "porch.jpg"
    command = ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=1280x720", "-frames:v", "1", "-q:v", "4", str(file)]
    subprocess.run(command, check=True)
    return base64.b64encode(file.read_bytes()).decode()


def start(start_hub, tmp_path, eye, *more):
    key = tmp_path / "describer.key"
    key.write_text(KEY + "\n")
    return start_hub(
        tmp_path / "house", "--virtual-house", "--describer-url", eye.url, "--describer-model", "little-eye", "--describer-key-file", str(key),
        *more)


def saw(owner, kind="person", **more):
    answer = owner.post("/api/v1/events", {"source": "Porch", "type": kind, "occurred_at": house.in_seconds(0), **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def described(owner, event_id):
    def look():
        event = owner.get(f"/api/v1/mobile/events/{event_id}").json()
        return event if event["description"] else None
    return house.until(look, "the event has words")


def test_an_event_with_a_picture_gets_a_marked_searchable_description(start_hub, tmp_path, eye, picture):
    hub = start(start_hub, tmp_path, eye)
    owner = Owner(hub, house.claim(hub, PASSWORD))
    own = saw(owner, description="The postman, as every day", image_base64=picture)
    blind = saw(owner, kind="ring")
    event = saw(owner, image_base64=picture)
    assert event["description"] == "" and "description_source" not in event

    path, headers, body = eye.asked.get(timeout=60)
    assert path == "/v1/chat/completions" and headers["authorization"] == f"Bearer {KEY}" and body["model"] == "little-eye"
    words, shown = body["messages"][0]["content"]
    assert words["type"] == "text" and body["max_tokens"] <= 200 and body["temperature"] == 0
    scheme, data = shown["image_url"]["url"].split(",", 1)
    assert scheme == "data:image/jpeg;base64"
    thumbnail = owner.get(f"/api/v1/mobile/events/{event['id']}/thumbnail").content
    assert base64.b64decode(data) == thumbnail and len(thumbnail) < 60_000, "the small picture leaves the house, and no larger one"

    seen = described(owner, event["id"])
    assert seen["description"] == SAID and seen["description_source"] == "describer"
    listed = owner.get("/api/v1/mobile/events?q=couriers+parcel").json()["events"]
    assert [(one["id"], one["description_source"]) for one in listed] == [(event["id"], "describer")]
    told = owner.get("/api/v1/changes?after=0&limit=500").json()
    assert [one["data"]["description_source"] for one in told["changes"] if one["type"] == "event_update"] == ["describer"], told
    for untouched, words in ((own, "The postman, as every day"), (blind, "")):
        now = owner.get(f"/api/v1/mobile/events/{untouched['id']}").json()
        assert now["description"] == words and "description_source" not in now
    assert eye.asked.empty(), "nobody is shown what has words, or no picture"
    hub.stop()
    assert not [line for line in hub.log if KEY in line or "courier" in line]
    assert [line for line in hub.log if "are sent to the description service" in line], "the log says at the start that pictures leave the house"


def test_a_power_cut_before_a_description_loses_no_event_and_asks_once(start_hub, tmp_path, eye, picture):
    # It answers "overloaded" until told otherwise.
    eye.answers += [(429, {"retry-after": "600"}, "")]
    hub = start(start_hub, tmp_path, eye)
    tokens = house.claim(hub, PASSWORD)
    event = saw(Owner(hub, tokens), image_base64=picture)
    eye.asked.get(timeout=60)
    hub.kill()

    hub = start(start_hub, tmp_path, eye)
    owner = Owner(hub, tokens)
    assert described(owner, event["id"])["description"] == SAID
    eye.asked.get(timeout=60)
    hub.kill()

    hub = start(start_hub, tmp_path, eye)
    owner = Owner(hub, tokens)
    described(owner, saw(owner, image_base64=picture)["id"])
    eye.asked.get(timeout=60)
    assert eye.asked.empty()


def test_the_describer_is_off_by_default_and_wrong_settings_are_named(hub_binary, tmp_path):
    def refused(*options):
        command = [str(hub_binary), "serve", "--data", str(tmp_path / "none"), *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode != 0
        return done.stderr
    assert "--describer-model" in refused("--describer-url", "https://api.example.org/v1")
    assert "belong to --describer-url" in refused("--describer-model", "x")
    assert "--describer-url needs a base" in refused("--describer-url", "http://api.example.org/v1", "--describer-model", "x")
    assert "--picture-space" in refused("--describer-url", "https://api.example.org/v1", "--describer-model", "x", "--picture-space", "0")
    assert "--describer-key-file" in refused(
        "--describer-url", "https://api.example.org/v1", "--describer-model", "x", "--describer-key-file", str(tmp_path / "nothing"))


def test_a_machine_description_is_marked_on_the_page_and_shown_as_text(start_hub, tmp_path, eye, picture, watch):  # noqa: F811
    eye.answers += [(200, {}, "A man holds a sign:\n<img src=x onerror=\"document.title='had'\"> \u202eneddih")]
    hub = start(start_hub, tmp_path, eye)
    owner = Owner(hub, house.claim(hub, PASSWORD))
    event = saw(owner, image_base64=picture)
    words = "A man holds a sign: <img src=x onerror=\"document.title='had'\"> neddih"
    assert described(owner, event["id"])["description"] == words

    visitor = watch("owner")
    sign_in(visitor, hub, to="/activity?show=seen")
    row = visitor.page.locator(".timeline > li", has=visitor.page.get_by_role("link", name=words))
    row.wait_for()
    assert "Described by a machine" in row.inner_text()
    visitor.page.goto(f"{hub.url}/activity/{event['id']}")
    visitor.page.get_by_role("heading", name=words).wait_for()
    visitor.page.get_by_text("Described by a machine", exact=True).wait_for()
    assert visitor.page.locator("img[src='x']").count() == 0 and visitor.page.title() != "had"
    visitor.state("event-by-machine", words, "Described by a machine", sizes=(SMALL, PHONE, DESK))


def test_an_open_event_page_shows_a_new_description(start_hub, tmp_path, eye, picture, watch):  # noqa: F811
    eye.may_answer.clear()
    hub = start(start_hub, tmp_path, eye)
    owner = Owner(hub, house.claim(hub, PASSWORD))
    event = saw(owner, image_base64=picture)

    visitor = watch("owner")
    sign_in(visitor, hub, to=f"/activity/{event['id']}")
    visitor.page.get_by_role("heading", name="Person", level=1).wait_for()
    visitor.page.get_by_role("button", name="Save picture").focus()
    eye.may_answer.set()

    visitor.page.get_by_role("heading", name=SAID, level=1).wait_for()
    visitor.page.get_by_text("Described by a machine", exact=True).wait_for()
    assert visitor.page.title().startswith(SAID)
    assert "Save" in visitor.page.evaluate("document.activeElement.textContent"), "only the words change"
    assert owner.call("DELETE", f"/api/v1/events/{event['id']}").status_code == 204
    visitor.page.get_by_role("button", name="Save picture").wait_for(state="detached")
