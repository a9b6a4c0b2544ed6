"""Cameras at the terminal: added, listed, shown, with their events, and removed."""

import base64
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from conftest import PASSWORD, Owner, hubs
from house import claim, in_seconds
from test_command_line import REFUSED, USAGE, cli_binary, terminal  # noqa: F401
from test_web_events import pictures  # noqa: F401


pytestmark = pytest.mark.long


class OneCamera(BaseHTTPRequestHandler):
    """A camera that shows one picture to every signed-in client."""

    picture = b""

    def do_GET(self):
        if self.headers.get("Authorization") != "Basic " + base64.b64encode(b"cam:let me see").decode():
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="camera"')
            self.send_header("Content-Length", "0")
            return self.end_headers()
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        self.send_header("Content-Length", str(len(self.picture)))
        self.end_headers()
        self.wfile.write(self.picture)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def camera(pictures):  # noqa: F811
    """The address of a camera in the house."""
    handler = type("Camera", (OneCamera,), {"picture": base64.b64decode(pictures[0])})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/snapshot.jpg"
    server.shutdown()


@pytest.fixture
def local(hub_binary, tmp_path, terminal):  # noqa: F811
    """The administrator of a house that may use cameras on its own machine."""
    with hubs(hub_binary) as start:
        hub = start(tmp_path / "local", "--virtual-house", "--local-cameras")
        owner = Owner(hub, claim(hub, PASSWORD))
        seated = terminal("local")
        seated.run("login", "--hub", hub.url, "--username", "owner", typed=f"{PASSWORD}\n")
        seated.owner = owner
        yield seated


def test_a_camera_is_added_viewed_and_removed(local, camera, tmp_path):
    assert local.run("cameras").stdout == "There are no cameras yet.\n"
    assert "without user name and password" in local.run("cameras", "add", "Porch", camera.replace("//", "//cam:secret@"), expect=USAGE).stderr
    said = local.run("cameras", "add", "Porch", camera, "--user", "cam", typed="let me see\n").stdout
    assert said.startswith("Porch is added. See it: cardea cameras show camera_")
    [porch] = local.json("cameras")["cameras"]
    assert porch["source"]["has_credentials"] and "let me see" not in str(porch) and "snapshot.jpg" not in str(porch)
    assert "Porch" in local.run("cameras").stdout

    file = tmp_path / "porch.jpg"
    shown = local.run("cameras", "show", "por", "--picture", str(file)).stdout
    assert "No events yet." in shown and f"Its picture is in {file}." in shown
    assert file.read_bytes()[:3] == b"\xff\xd8\xff"
    assert "exists already" in local.error("cameras", "show", "Porch", "--picture", str(file), expect=USAGE)["message"]

    said = local.run("cameras", "change", "por", "--name", "Front porch", "--sensitivity", "70", "--no-enabled").stdout
    assert said.startswith("Front porch is changed")
    [changed] = local.json("cameras")["cameras"]
    assert not changed["detection"]["motion"] and changed["detection"]["sensitivity"] == 70 and not changed["is_enabled"]
    assert changed["source"]["has_credentials"], "what was not named stays as it was"
    assert "needs a source of kind rtsp" in local.error("cameras", "change", "Front porch", "--motion")["message"]
    assert "Nothing to change. Add" in local.run("cameras", "change", "Front porch", expect=USAGE).stderr
    assert "--user needs --address" in local.run("cameras", "change", "Front porch", "--user", "cam", "--name", "X", expect=USAGE).stderr
    local.run("cameras", "change", "Front porch", "--name", "Porch", "--enabled", "--address", camera, "--user", "cam", typed="let me see\n")
    local.run("cameras", "show", "Porch", "--picture", str(tmp_path / "again.jpg"))

    assert 'cardea cameras remove' in local.error("cameras", "remove", "Por", "--yes")["message"]
    assert local.run("cameras", "remove", "Porch", "--yes").stdout == "Porch is removed.\n"
    assert local.json("cameras")["cameras"] == []


def test_an_event_is_deleted(local):
    seen = {"source": "bell", "type": "ring", "description": "Somebody rang", "occurred_at": in_seconds(0)}
    event = local.owner.post("/api/v1/events", seen).json()["id"]
    assert "Delete ring at bell permanently?" in local.run("events", "delete", event, expect=USAGE).stderr
    assert local.run("events", "delete", event, "--yes").stdout == "Deleted: ring at bell.\n"
    assert local.run("events").stdout == "No events.\n"
    local.run("events", "delete", event, "--yes", expect=REFUSED)
