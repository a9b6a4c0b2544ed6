"""`cardea-hub demo`: the seed's client, which brings no token, against a house that lives by itself and is kept nowhere."""

import json
import os
import pathlib
import signal
import subprocess
import time

import house
import pytest
import requests
from conftest import Hub, Owner
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

# What the demo answers without a token, and nobody else at all.
OPEN_PATHS = [
    ("GET", "/api/devices"), ("GET", "/api/devices/hall-light"), ("PUT", "/api/devices/hall-light/control"),
    ("POST", "/api/devices/batch-control"), ("GET", "/ws"),
]
# Seed 004, `DeviceDTO`.
DEVICE = {
    "id", "user_name", "user_description", "location", "device_class", "status", "current_state", "supported_features", "capabilities",
}
STATE = {"power", "brightness", "color", "temperature", "humidity", "motion", "open_closed", "locked", "custom_attributes"}


def run(binary, *args, cwd):
    return subprocess.Popen(
        [str(binary), "demo", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd,
        env={**os.environ, "TMPDIR": str(cwd), "LLVM_PROFILE_FILE": "/dev/null"})


def start(binary, folder):
    process = run(binary, "--json", "--listen", "127.0.0.1:0", cwd=folder)
    line = process.stdout.readline()
    assert line, process.stderr.read()
    return Hub(process, json.loads(line))


@pytest.fixture(scope="module")
def demo(hub_binary, tmp_path_factory):
    hub = start(hub_binary, tmp_path_factory.mktemp("demo"))
    yield hub
    hub.stop()


def listen(demo):
    return connect(demo.url.replace("http", "ws", 1) + "/ws", open_timeout=15)


def hear_until(connection, wanted, within=20):
    deadline = time.monotonic() + within
    while True:
        event = json.loads(connection.recv(timeout=max(0.1, deadline - time.monotonic())))
        assert event.keys() == {"type", "data", "timestamp"} and event["timestamp"].endswith("Z")
        if wanted(event):
            return event


def control(demo, device, action, value=None):
    body = {"action": action} if value is None else {"action": action, "value": value}
    return requests.put(f"{demo.url}/api/devices/{device}/control", json=body, timeout=30)


def test_devices_are_read_in_the_seeds_words_without_a_token(demo):
    answer = requests.get(demo.url + "/api/devices", timeout=10).json()
    assert answer.keys() == {"devices", "total", "filters_applied"} and answer["total"] == len(answer["devices"]) == 9
    for device in answer["devices"]:
        assert device.keys() == DEVICE and device["current_state"].keys() == STATE
    light = requests.get(demo.url + "/api/devices/study-light", timeout=10).json()
    assert light["user_name"] == "Study light" and light["location"] == "Study" and light["device_class"] == "light"
    assert light["capabilities"]["set_brightness"] == {"minimum": 0, "maximum": 100}
    climate = requests.get(demo.url + "/api/devices/living-climate", timeout=10).json()
    assert climate["current_state"]["temperature"]["unit"] == "celsius"
    found = requests.get(demo.url + "/api/devices?status=online&location=Study&device_type=light", timeout=10).json()
    assert [d["id"] for d in found["devices"]] == ["study-light"]
    assert found["filters_applied"] == {"status": "online", "location": "Study", "type": "light"}
    assert requests.get(demo.url + "/api/devices/nowhere", timeout=10).status_code == 404
    assert requests.get(demo.url + "/api/devices?status=asleep", timeout=10).status_code == 400


def test_devices_are_moved_through_the_same_gate_and_the_journal_tells_of_it(demo):
    done = control(demo, "living-fan", "setPercentage", 55)
    assert done.status_code == 200 and done.json()["status"] == "success"
    assert done.json()["device"]["id"] == "living-fan" and done.json()["device"]["current_state"]["power"] == "on"
    for body, status in [
        ({"action": "set_percentage", "value": 155}, 400), ({"action": "fly"}, 400), ({"action": "toggle"}, 400), ({}, 400),
        ({"action": "on", "force": True}, 400),
    ]:
        answer = requests.put(demo.url + "/api/devices/living-fan/control", json=body, timeout=10)
        assert answer.status_code == status and answer.json()["error"]["code"], body
    assert control(demo, "nowhere", "on").status_code == 404
    together = requests.post(
        demo.url + "/api/devices/batch-control",
        json={"devices": [{"device_id": "living-fan", "action": "off"}, {"deviceId": "garden-temperature", "action": "on"}]}, timeout=30)
    assert together.status_code == 200
    assert [r["status"] for r in together.json()["results"]] == ["confirmed", "refused"]
    owner = sign_in(demo)
    tried = [e["action"] for e in owner.get("/api/v1/activity").json()["entries"] if e.get("device_id") == "living-fan"]
    assert len(tried) >= 2, "what was done without a token is written down all the same"


def sign_in(demo):
    words = {"username": demo.ready["username"], "password": demo.ready["password"]}
    return Owner(demo, requests.post(demo.url + "/api/v1/auth/login", json=words, timeout=30).json())


def test_ws_tells_from_the_first_moment_and_speaks_the_seeds_protocol(demo):
    with listen(demo) as client:
        assert control(demo, "living-fan", "set_percentage", 71).status_code == 200
        told = hear_until(client, lambda e: e["type"] == "device_update" and e["data"]["device_id"] == "living-fan")
        assert told["data"]["device"].keys() == DEVICE
        client.send(json.dumps({"type": "init", "data": {"subscriptions": ["consciousness", "devices", "safla"], "auth_token": "Bearer x"}}))
        answer = hear_until(client, lambda e: e["type"] == "init_complete")
        # What does not exist is not promised.
        assert answer["data"]["subscriptions"] == ["devices"] and answer["data"]["client_id"]
        client.send('{"type":"ping"}')
        hear_until(client, lambda e: e["type"] == "pong")
        for nonsense in ("", "[]", "{}", '{"type":7}', '{"type":"subscribe"}', '{"type":"init","data":7}'):
            client.send(nonsense)
            hear_until(client, lambda e: e["type"] == "error")
        client.send(json.dumps({"type": "init", "data": {"subscriptions": ["interview"]}}))
        assert hear_until(client, lambda e: e["type"] == "init_complete")["data"]["subscriptions"] == []
        assert control(demo, "living-fan", "set_percentage", 72).status_code == 200
        client.send('{"type":"ping"}')
        assert json.loads(client.recv(timeout=10))["type"] == "pong", "a device was told of to somebody who does not want to hear of devices"


def test_it_lives_by_itself_somebody_comes_home(hub_binary, tmp_path):
    fresh = start(hub_binary, tmp_path)
    try:
        with listen(fresh) as client:
            def unlocked(event):
                return event["data"].get("device_id") == "front-door" and event["data"]["device"]["current_state"]["locked"] is False

            def garage(event):
                return event["data"].get("device_id") == "garage" and event["data"]["device"]["current_state"]["open_closed"] == "opening"

            def warmer(event):
                state = event["data"]["device"]["current_state"]
                return event["data"]["device_id"] == "living-climate" and state["temperature"]["target"] == 21.5

            hear_until(client, lambda e: e["data"].get("device_id") == "garden-temperature", within=15)
            hear_until(client, garage, within=30)
            hear_until(client, unlocked, within=30)
            hear_until(client, lambda e: e["data"].get("device_id") == "hall-light" and e["data"]["device"]["current_state"]["power"] == "on")
            hear_until(client, warmer, within=30)
    finally:
        fresh.stop()


def test_pages_of_other_sites_and_other_names_get_nothing(demo):
    assert requests.get(demo.url + "/api/devices", headers={"Origin": "https://elsewhere.example"}, timeout=10).status_code == 403
    assert requests.get(demo.url + "/api/devices", headers={"Host": "rebound.example"}, timeout=10).status_code == 403
    with pytest.raises(InvalidStatus) as refused:
        connect(demo.url.replace("http", "ws", 1) + "/ws", origin="https://elsewhere.example")
    assert refused.value.response.status_code == 403
    assert requests.get(demo.url + "/ws", timeout=10).status_code == 426


def test_what_does_not_exist_yet_is_not_pretended(demo):
    for path in ("consciousness/status", "consciousness/emotions", "memory", "twins", "interview/1/status"):
        assert requests.get(f"{demo.url}/api/{path}", timeout=10).status_code == 404, path
    for path in ("consciousness/query", "memory", "interview/start", "twins", "predictions/what-if"):
        assert requests.post(f"{demo.url}/api/{path}", json={}, timeout=10).status_code == 404, path


@pytest.mark.parametrize("method, path", OPEN_PATHS)
def test_a_served_house_has_none_of_it_for_anybody(module_hub, module_owner, method, path):
    for headers in ({}, {"Authorization": f"Bearer {module_owner.token}"}):
        answer = requests.request(method, module_hub.url + path, json={"action": "on"}, headers=headers, timeout=10)
        assert answer.status_code in (401, 404), f"{method} {path}: {answer.status_code}"
    if path == "/ws":
        with pytest.raises(InvalidStatus) as refused:
            connect(module_hub.url.replace("http", "ws", 1) + path)
        assert refused.value.response.status_code == 404


def test_in_the_demo_everything_else_needs_a_token_as_everywhere(demo):
    for path in ("/api/v1/devices", "/api/v1/guests", "/api/v1/activity", "/api/v1/people", "/api/v1/changes"):
        assert requests.get(demo.url + path, timeout=10).status_code == 401, path
    assert requests.put(demo.url + "/api/v1/devices/hall-light/control", json={"action": "on"}, timeout=10).status_code == 401


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.168.1.10:8300", "example.org:8300"])
def test_it_is_served_on_this_machine_alone(hub_binary, tmp_path, address):
    process = run(hub_binary, "--listen", address, cwd=tmp_path)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 64 and "this machine alone" in said and "127.0.0.1:8300" in said


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_it_leaves_nothing_behind_however_it_ends(hub_binary, tmp_path, ending):
    def files():
        return set(pathlib.Path(tmp_path).rglob("*"))

    before = files()
    hub = start(hub_binary, tmp_path)
    with listen(hub) as client:
        assert control(hub, "living-fan", "on").status_code == 200
        held = house.open_files(hub.process.pid)
        assert held and not [name for name in held if "sqlite" in name or name.startswith(str(tmp_path))], held
        hub.process.send_signal(ending)
        with pytest.raises(ConnectionClosed):
            while True:
                client.recv(timeout=20)
    assert hub.process.wait(20) == (-signal.SIGKILL if ending == signal.SIGKILL else 0)
    assert files() == before


def test_its_help_says_what_it_is_and_what_is_not_there(hub_binary):
    said = subprocess.run([str(hub_binary), "demo", "--help"], capture_output=True, text=True, timeout=30, check=True).stdout
    for words in ("/api/devices", "/ws", "this machine alone", "/api/v1", "--listen"):
        assert words in said, words
    assert "demo" in subprocess.run([str(hub_binary), "--help"], capture_output=True, text=True, timeout=30, check=True).stdout
