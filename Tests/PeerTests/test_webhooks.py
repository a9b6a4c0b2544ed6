"""Reports of doorbells and cameras, sent by curl to the plain HTTP listener of a hub that serves TLS beside it."""

import json
import subprocess

import pytest
import requests

import house
from conftest import Owner, PASSWORD

ALERT = """<?xml version="1.0" encoding="UTF-8"?><EventNotificationAlert version="2.0"><eventType>VMD</eventType><eventState>active</eventState></EventNotificationAlert>"""


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    file = tmp_path_factory.mktemp("camera") / "snap.jpg"
    command = ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=640x480", "-frames:v", "1", "-q:v", "4", str(file)]
    subprocess.run(command, check=True, timeout=120)
    return file


@pytest.fixture
def bell(start_hub, tmp_path):
    """A house with a plain HTTP listener for devices, its owner, and the URL of a doorbell."""
    port = house.free_port()
    hub = start_hub(tmp_path / "house", "--virtual-house", "--webhook-listen", f"127.0.0.1:{port}", "--log-level", "trace")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    made = owner.post("/api/v1/webhooks", {"name": "Bell", "make": "generic"})
    assert made.status_code == 201, made.text
    assert made.json()["url"].startswith(f"http://127.0.0.1:{port}/hook/")
    return owner, made.json()


def curl(*arguments):
    """The status, as for a device that follows no redirect and reads little."""
    said = subprocess.run(
        ["curl", "--silent", "--show-error", "--output", "/dev/null", "--write-out", "%{http_code}", "--max-time", "60", *arguments],
        capture_output=True, text=True, check=True, timeout=120)
    return int(said.stdout)


def events(owner):
    listed = owner.get("/api/v1/mobile/events").json()["events"]
    return {event["smart_detection_type"]: event for event in listed}


def test_curl_reports_events_by_get_form_json_and_multipart(bell, picture, tmp_path):
    owner, made = bell
    url = made["url"]
    (tmp_path / "MoveDetection.xml").write_text(ALERT)

    assert curl(f"{url}?battery=90") == 200
    assert curl("--data", "event=person&zone=2", url) == 200
    assert curl("--header", "Content-Type: application/json", "--data", json.dumps({"type": "package"}), url) == 200
    assert curl("--form", "event=vehicle", "--form", f"file=@{picture};type=image/jpeg", url) == 200
    assert curl("--upload-file", str(picture), "--header", "Content-Type: image/jpeg", f"{url}/animal") == 200
    hikvision = owner.post("/api/v1/webhooks", {"name": "Yard", "make": "hikvision"}).json()["url"]
    parts = f"MoveDetection.xml=@{tmp_path / 'MoveDetection.xml'};type=application/xml", f"VMDImage=@{picture};type=image/jpeg"
    assert curl("--header", "Host: anything", "--form", parts[0], "--form", parts[1], hikvision) == 200

    seen = events(owner)
    assert set(seen) == {"ring", "person", "package", "vehicle", "animal", "motion"}
    assert {kind for kind, event in seen.items() if event["has_thumbnail"]} == {"vehicle", "animal", "motion"}
    assert seen["ring"]["camera_name"] == "Bell" and seen["motion"]["camera_name"] == "Yard"


def test_the_plain_listener_serves_webhooks_only_and_logs_no_secret(bell):
    owner, made = bell
    url = made["url"]
    base, secret = url.rsplit("/hook/", 1)
    assert curl(url) == 200
    for path in ("/", "/healthz", "/api/v1/mobile/events", "/api/v1/auth/login", "/hook/", "/hook/AAAAAAAAAAAAAAAAAAAAAA"):
        assert curl("--header", f"Authorization: Bearer {owner.token}", base + path) == 404, path
    assert requests.get(f"{owner.hub.url}/hook/{secret}/motion", timeout=60).status_code == 200, "the hub's own address takes reports too"
    assert owner.call("DELETE", f"/api/v1/webhooks/{made['webhook_id']}").status_code == 204
    assert curl(url) == 404
    owner.hub.stop()
    house.until(lambda: any("/hook/{id}" in line for line in owner.hub.log), "the log names the route")
    assert not any(secret in line or secret[:8] in line for line in owner.hub.log)


def test_an_unavailable_webhook_address_does_not_stop_the_hub(start_hub, tmp_path):
    # 192.0.2.0/24 is reserved for documentation (RFC 5737).
    hub = start_hub(tmp_path / "house", "--virtual-house", "--webhook-listen", "192.0.2.1:8380")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    house.until(lambda: any("webhooks are not served" in line for line in hub.log), "the log says so")
    assert owner.get("/api/v1/webhooks").status_code == 200


def test_webhooks_from_other_networks_are_refused(start_hub, tmp_path):
    port = house.free_port()
    hub = start_hub(tmp_path / "house", "--virtual-house", "--webhook-listen", f"127.0.0.1:{port}", "--relay-from", "127.0.0.1")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    url = owner.post("/api/v1/webhooks", {"name": "Bell", "make": "shelly"}).json()["url"]
    assert curl("--header", "X-Forwarded-For: 192.168.1.5", url) == 403
    assert curl(f"http://127.0.0.1:{port}/") == 403
    assert events(owner) == {}
