"""Pictures in the terminal: drawn where it can draw them, else in a file; encrypted in the cache, and available offline."""

import base64
import json
import re
import stat
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from house import in_seconds
from screen import Screen
from test_command_line import USAGE, cli_binary, resident, terminal  # noqa: F401
from test_offline import proxy  # noqa: F401
from test_offline import resident as distant  # noqa: F401
from test_terminal_cameras import camera, local  # noqa: F401
from test_web_events import pictures  # noqa: F401

pytestmark = pytest.mark.long

ITERM = {"TERM_PROGRAM": "iTerm.app"}
KITTY = {"KITTY_WINDOW_ID": "1"}
INLINE = re.compile(rb"\x1b\]1337;File=inline=1;size=(\d+);width=(\d+);preserveAspectRatio=1:([A-Za-z0-9+/=]+)\x1b\\")
CHUNK = re.compile(rb"\x1b_G(?:a=T,f=100,q=2,)?m=([01]);([A-Za-z0-9+/=]{1,4096})\x1b\\")


def saw(owner, picture=None, description="Somebody with a parcel", ago=0):
    body = {"source": "porch", "type": "person", "description": description, "occurred_at": in_seconds(-ago)}
    if picture:
        body["image_base64"] = picture
    answer = owner.post("/api/v1/events", body)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def thumbnail(owner, event):
    return owner.get(f"/api/v1/mobile/events/{event}/thumbnail").content


def drawn(seated, *args, **env):
    """The bytes sent to the terminal."""
    screen = Screen(seated.binary, *args, env={**seated.env, **env}, columns=100, rows=40)
    try:
        assert screen.wait() == 0, screen.raw[-500:]
        return screen.raw
    finally:
        screen.end()


def pixels(picture):
    made = subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-i", "pipe:0", "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"], input=picture,
        capture_output=True, check=True)
    return made.stdout


def test_a_jpeg_capable_terminal_gets_the_original_thumbnail(resident, owner, pictures):  # noqa: F811
    event = saw(owner, pictures[0])
    sent = drawn(resident, "events", "show", event, **ITERM)
    [(size, width, base64_)] = INLINE.findall(sent)
    picture = base64.b64decode(base64_)
    assert picture == thumbnail(owner, event) and len(picture) == int(size) and int(width) == 64
    words = INLINE.sub(b"", sent)
    assert b"Somebody with a parcel" in words and b"Its picture is in" not in words and b"\x1b]" not in words
    assert not (resident.home / "pictures").exists()


def test_a_png_only_terminal_gets_the_same_picture(resident, owner, pictures, tmp_path):  # noqa: F811
    event = saw(owner, pictures[0])
    chunks = CHUNK.findall(drawn(resident, "events", "show", event, **KITTY))
    assert [more for more, _ in chunks] == [b"1"] * (len(chunks) - 1) + [b"0"]
    png = base64.b64decode(b"".join(chunk for _, chunk in chunks))
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    here, there = pixels(png), pixels(thumbnail(owner, event))
    assert len(here) == len(there) == 640 * 360 * 3
    assert sum(abs(a - b) for a, b in zip(here[::97], there[::97])) / len(here[::97]) < 2

    # Without ffmpeg there is no PNG, and the message names the remedy.
    (tmp_path / "empty").mkdir()
    sent = drawn(resident, "events", "show", event, **KITTY, PATH=str(tmp_path / "empty"))
    assert b"\x1b_G" not in sent and b"Install ffmpeg to draw pictures here." in sent and b"Its picture is in" in sent


def test_other_terminals_get_a_private_file(resident, owner, pictures):  # noqa: F811
    event = saw(owner, pictures[1])
    file = resident.home / "pictures" / f"{event}.jpg"
    resident.env.update(ITERM)
    piped = resident.run("events", "show", event)
    assert f"Its picture is in {file}.\n" in piped.stdout and "\x1b" not in piped.stdout + piped.stderr
    assert file.read_bytes() == thumbnail(owner, event)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert resident.json("events", "show", event)["picture_file"] == str(file)
    without = saw(owner, description="Nothing to see")
    assert "picture_file" not in resident.json("events", "show", without)
    assert "There is no picture." in resident.run("events", "show", without).stdout

    name = f"{event}.jpg".encode()
    for env in ({"NO_COLOR": "1"}, {"TMUX": "/tmp/tmux-1000/default,1,0"}, {"TERM_PROGRAM": "Apple_Terminal"}):
        sent = drawn(resident, "events", "show", event, **env)
        assert b"\x1b]" not in sent and b"\x1b_" not in sent and name in sent, env
    sent = drawn(resident, "events", "show", event, "--no-pictures")
    assert b"\x1b]" not in sent and name in sent
    # Where a setting may prevent drawing, it is both.
    sent = drawn(resident, "events", "show", event, TERM_PROGRAM="vscode")
    assert INLINE.search(sent) and name in sent

    resident.run("logout")
    assert not file.parent.exists()


@pytest.fixture
def liar(terminal, pictures):  # noqa: F811
    """A program's terminal at a malicious house: every text of an event contains control sequences."""
    evil = "\x1b]1337;File=inline=1:AAAA\x07\x1b_Ga=T;AAAA\x1b\\\x1b[2J\x9b2J\u202e"
    event = {
        "id": f"../../../{evil}", "camera_id": evil, "camera_name": evil, "timestamp": in_seconds(0), "description": evil,
        "smart_detection_type": evil, "confidence": 90, "has_thumbnail": True, "incident_id": evil, "is_doorbell_ring": True, "source": evil,
        "thumbnail_url": evil, "picture_url": evil, "created_at": in_seconds(0)}
    house = {"house_id": "h", "name": evil, "time_zone": "UTC", "now": in_seconds(0), "public_url": "http://localhost", "rooms": []}
    picture = base64.b64decode(pictures[2]) + evil.encode()

    class House(BaseHTTPRequestHandler):
        def do_GET(self):
            kind, body = "application/json", json.dumps(house if self.path == "/api/v1/house" else event).encode()
            if self.path.endswith("/thumbnail"):
                kind, body = "image/jpeg", picture
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), House)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    seated = terminal("liar")
    seated.home.mkdir(mode=0o700)
    token = seated.home / "token"
    token.touch(mode=0o600)
    token.write_text("cardea_at_x\n")
    seated.env.update(CARDEA_TOKEN_FILE=str(token), CARDEA_HUB=f"http://127.0.0.1:{server.server_port}")
    seated.picture = picture
    yield seated
    server.shutdown()


def test_event_text_sends_no_control_sequence_to_the_terminal(liar):
    sent = drawn(liar, "events", "show", "e", **ITERM)
    assert base64.b64decode(INLINE.search(sent)[3]) == liar.picture
    for sent in (sent, drawn(liar, "events", "show", "e", **KITTY), drawn(liar, "events", "show", "e")):
        words = CHUNK.sub(b"", INLINE.sub(b"", sent, count=1))
        # The rest colours the event's kind, or clears the progress line.
        left = re.sub(r"\x1b\[[0-9;]*[mK]", "", words.decode())
        assert not set(left) & {"\x1b", "\x07", "\x9b", "\u202e"} and "rang" in left, left
    # Its name is no path, and the bytes are unchanged.
    [file] = (liar.home / "pictures").iterdir()
    assert re.fullmatch(r"[A-Za-z0-9_-]+\.jpg", file.name) and file.read_bytes() == liar.picture


def test_viewed_pictures_are_shown_offline(distant, owner, proxy, pictures):  # noqa: F811
    event, other = saw(owner, pictures[0], ago=60), saw(owner, pictures[1], "The neighbour")
    distant.run("events", "show", event)
    for file in (distant.home / "houses").iterdir():
        assert thumbnail(owner, event)[:64] not in file.read_bytes(), file
    distant.run("sync")
    proxy.shut()

    sent = drawn(distant, "events", "show", event, **ITERM)
    assert base64.b64decode(INLINE.search(sent)[3]) == thumbnail(owner, event)
    assert b"cannot be reached" in sent and b"The picture was viewed" in sent
    # This event was not opened alone: its list entry is stored, and its picture was prefetched.
    shown = distant.run("events", "show", other).stdout
    assert "person at porch" in shown and "The neighbour" in shown and f"pictures/{other}.jpg" in shown
    found = distant.json("events", "list", "--search", "neighbours", "--limit", "5")
    assert [one["id"] for one in found["events"]] == [other] and found["stale"] and found["as_of"]
    assert "cannot be reached" in distant.run("events").stderr


def test_the_size_of_the_picture_cache_is_configurable(distant, owner, proxy, pictures):  # noqa: F811
    event = saw(owner, pictures[0])
    distant.env["CARDEA_PICTURES_MB"] = "many"
    assert "whole number of megabytes" in distant.run("events", expect=USAGE).stderr
    distant.env["CARDEA_PICTURES_MB"] = "0"
    distant.run("events", "show", event)
    proxy.shut()
    assert "It was not viewed here before, and the house cannot be reached." in distant.run("events", "show", event).stdout


def test_the_current_camera_picture_is_drawn(local, camera, tmp_path):  # noqa: F811
    local.run("cameras", "add", "Porch", camera, "--user", "cam", typed="let me see\n")
    file = tmp_path / "now.jpg"
    sent = drawn(local, "cameras", "show", "Porch", "--picture", str(file), **ITERM)
    assert base64.b64decode(INLINE.search(sent)[3]) == file.read_bytes()
    # After one check it is reachable; it is shown without --picture too.
    assert INLINE.search(drawn(local, "cameras", "show", "Porch", **ITERM))
    shown = local.run("cameras", "show", "Porch").stdout
    [kept] = (local.home / "pictures").iterdir()
    assert f"Its picture is in {kept}." in shown and kept.read_bytes()[:3] == b"\xff\xd8\xff"
    assert "picture_file" not in local.json("cameras", "show", "Porch")
