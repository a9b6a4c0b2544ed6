"""A camera's preview over a real connection: complete pictures one after the other, and only while the viewer is permitted."""

import http.client
import time

import pytest
import requests

import house
from conftest import PASSWORD
from test_terminal_cameras import camera  # noqa: F401
from test_web_cameras import HUB_ARGS, add  # noqa: F401
from test_web_events import pictures  # noqa: F401
from test_web_states import move_in


pytestmark = pytest.mark.long


def parts(stream):
    """The pictures of a preview as they arrive."""
    while head := stream.readline():
        if head.lower().startswith(b"content-length:"):
            length = int(head.split(b":")[1])
            assert stream.readline() == b"\r\n"
            yield stream.read(length)


def test_a_preview_sends_pictures_until_the_session_ends(module_hub, module_owner, camera):  # noqa: F811
    made = add(module_owner, "Porch", camera, username="cam", password="let me see")
    username = move_in(module_owner, "Onlooker")
    token = requests.post(module_hub.url + "/api/v1/auth/login", json={"username": username, "password": PASSWORD}, timeout=60).json()["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    path = f"/api/v1/cameras/{made['camera_id']}/preview"
    line = http.client.HTTPConnection(module_hub.url.removeprefix("http://"), timeout=60)
    line.request("GET", path, headers=headers)
    stream = line.getresponse()
    assert stream.status == 200 and stream.getheader("Cache-Control") == "no-store"
    assert stream.getheader("Content-Type").startswith("multipart/x-mixed-replace; boundary=")
    coming = parts(stream)
    for _ in range(3):
        assert next(coming)[:3] == b"\xff\xd8\xff"
    assert requests.post(module_hub.url + "/api/v1/auth/logout", headers=headers, timeout=60).status_code in (200, 204)
    end = time.monotonic() + house.LIMIT
    for _ in coming:
        assert time.monotonic() < end, "pictures still come after the session has ended"
    line.close()
    assert requests.get(module_hub.url + path, headers=headers, timeout=60).status_code == 401


def test_a_preview_slot_is_free_again_when_a_viewer_leaves(module_hub, module_owner, camera):  # noqa: F811
    made = add(module_owner, "Yard", camera, username="cam", password="let me see")
    headers = {"Authorization": f"Bearer {module_owner.token}"}
    url = f"{module_hub.url}/api/v1/cameras/{made['camera_id']}/preview"

    def seat():
        answer = requests.get(url, headers=headers, stream=True, timeout=60)
        return answer if answer.status_code == 200 else answer.close()

    # The hub notices a moment later that the earlier viewer has gone.
    open_ones = [house.until(seat, "a seat is free") for _ in range(4)]
    full = requests.get(url, headers=headers, stream=True, timeout=60)
    assert full.status_code == 429 and int(full.headers["Retry-After"]) > 0
    open_ones.pop().close()
    open_ones.append(house.until(seat, "a reader that went is noticed"))
    for one in open_ones:
        one.close()
