"""`cardea-hub demo`: the seed's client, which sends no token, with a simulated house that is not stored."""

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

# The routes that the demo, and no other hub, answers without a token.
OPEN_PATHS = [
    ("GET", "/api/devices"), ("GET", "/api/devices/hall-light"), ("PUT", "/api/devices/hall-light/control"),
    ("POST", "/api/devices/batch-control"), ("GET", "/api/consciousness/status"), ("GET", "/api/consciousness/emotions"),
    ("POST", "/api/consciousness/query"), ("GET", "/api/memory"), ("POST", "/api/memory"), ("POST", "/api/interview/start"),
    ("POST", "/api/interview/1/message"), ("GET", "/api/interview/1/status"), ("GET", "/api/twins"), ("POST", "/api/twins"),
    ("POST", "/api/predictions/what-if"), ("GET", "/ws"),
]
# Seed 004, `DeviceDTO`.
DEVICE = {
    "id", "user_name", "user_description", "location", "device_class", "status", "current_state", "supported_features", "capabilities",
}
STATE = {"power", "brightness", "color", "temperature", "humidity", "motion", "open_closed", "locked", "custom_attributes"}
# Seed 004's answers; the house adds fields to some of them.
STATUS = {"status", "awareness_level", "emotional_state", "active_devices", "safla_loops", "last_update"}
TWIN = {"id", "device_id", "name", "type", "fidelity_level", "sync_status", "last_sync", "divergence_score", "capabilities"}
CANDIDATE = {"id", "description", "detected_brand", "detected_function", "confidence", "possible_integrations"}
PROGRESS = {"total_devices_mentioned", "devices_confirmed", "devices_pending", "completion_percentage"}


def environment(folder):
    return {**os.environ, "TMPDIR": str(folder), "LLVM_PROFILE_FILE": "/dev/null"}


def run(binary, *args, cwd):
    return subprocess.Popen(
        [str(binary), "demo", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd, env=environment(cwd))


def start(binary, folder):
    return Hub([str(binary), "demo", "--json", "--listen", "127.0.0.1:0"], environment(folder), folder)


@pytest.fixture(scope="module")
def demo(hub_binary, tmp_path_factory):
    hub = start(hub_binary, tmp_path_factory.mktemp("demo"))
    yield hub
    hub.stop()


def listen(demo):
    return connect(demo.url.replace("http", "ws", 1) + "/ws", open_timeout=60)


def hear_until(connection, wanted, limit=house.LIMIT):
    deadline = time.monotonic() + limit
    while True:
        assert time.monotonic() < deadline, f"gave up after {limit} s"
        event = json.loads(connection.recv(timeout=house.LIMIT))
        assert event.keys() == {"type", "data", "timestamp"} and event["timestamp"].endswith("Z")
        if wanted(event):
            return event


def control(demo, device, action, value=None):
    body = {"action": action} if value is None else {"action": action, "value": value}
    return requests.put(f"{demo.url}/api/devices/{device}/control", json=body, timeout=60)


def get(demo, path, status=200):
    answer = requests.get(f"{demo.url}/api/{path}", timeout=60)
    assert answer.status_code == status, f"{path}: {answer.text}"
    return answer.json()


def post(demo, path, body, status=200, **headers):
    answer = requests.post(f"{demo.url}/api/{path}", json=body, headers=headers, timeout=60)
    assert answer.status_code == status, f"{path}: {answer.text}"
    return answer.json()


def test_devices_are_read_in_the_seeds_format_without_a_token(demo):
    answer = requests.get(demo.url + "/api/devices", timeout=60).json()
    assert answer.keys() == {"devices", "total", "filters_applied"} and answer["total"] == len(answer["devices"]) == 9
    for device in answer["devices"]:
        assert device.keys() == DEVICE and device["current_state"].keys() == STATE
    light = requests.get(demo.url + "/api/devices/study-light", timeout=60).json()
    assert light["user_name"] == "Study light" and light["location"] == "Study" and light["device_class"] == "light"
    assert light["capabilities"]["set_brightness"] == {"minimum": 0, "maximum": 100}
    assert light["current_state"]["color"].keys() >= {"hue", "saturation"}
    meter = requests.get(demo.url + "/api/devices/house-meter", timeout=60).json()
    assert meter["current_state"]["custom_attributes"]["sensor.house_power"]["unit"] == "W"
    climate = requests.get(demo.url + "/api/devices/living-climate", timeout=60).json()
    assert climate["current_state"]["temperature"]["unit"] == "celsius"
    found = requests.get(demo.url + "/api/devices?status=online&location=Study&device_type=light", timeout=60).json()
    assert [d["id"] for d in found["devices"]] == ["study-light"]
    assert found["filters_applied"] == {"status": "online", "location": "Study", "type": "light"}
    assert requests.get(demo.url + "/api/devices/nowhere", timeout=60).status_code == 404
    assert requests.get(demo.url + "/api/devices?status=asleep", timeout=60).status_code == 400


def test_device_commands_pass_the_gate_and_are_in_the_journal(demo):
    done = control(demo, "living-fan", "setPercentage", 55)
    assert done.status_code == 200 and done.json()["status"] == "success"
    assert done.json()["device"]["id"] == "living-fan" and done.json()["device"]["current_state"]["power"] == "on"
    for body, status in [
        ({"action": "set_percentage", "value": 155}, 400), ({"action": "fly"}, 400), ({"action": "toggle"}, 400), ({}, 400),
        ({"action": "on", "force": True}, 400),
    ]:
        answer = requests.put(demo.url + "/api/devices/living-fan/control", json=body, timeout=60)
        assert answer.status_code == status and answer.json()["error"]["code"], body
    assert control(demo, "nowhere", "on").status_code == 404
    together = requests.post(
        demo.url + "/api/devices/batch-control",
        json={"devices": [{"device_id": "living-fan", "action": "off"}, {"deviceId": "garden-temperature", "action": "on"}]}, timeout=60)
    assert together.status_code == 200
    assert [r["status"] for r in together.json()["results"]] == ["confirmed", "refused"]
    owner = sign_in(demo)
    tried = [e["action"] for e in owner.get("/api/v1/activity").json()["entries"] if e.get("device_id") == "living-fan"]
    assert len(tried) >= 2, "what was done without a token is written down all the same"


def sign_in(demo):
    words = {"username": demo.ready["username"], "password": demo.ready["password"]}
    return Owner(demo, requests.post(demo.url + "/api/v1/auth/login", json=words, timeout=60).json())


def test_ws_speaks_the_seeds_protocol_from_the_start(demo):
    with listen(demo) as client:
        assert control(demo, "living-fan", "set_percentage", 71).status_code == 200
        told = hear_until(client, lambda e: e["type"] == "device_update" and e["data"]["device_id"] == "living-fan")
        assert told["data"]["device"].keys() == DEVICE
        client.send(json.dumps({"type": "init", "data": {"subscriptions": ["consciousness", "devices", "safla"], "auth_token": "Bearer x"}}))
        answer = hear_until(client, lambda e: e["type"] == "init_complete")
        # Missing features are not announced.
        assert answer["data"]["subscriptions"] == ["consciousness", "devices"] and answer["data"]["client_id"]
        client.send('{"type":"ping"}')
        hear_until(client, lambda e: e["type"] == "pong")
        for nonsense in ("", "[]", "{}", '{"type":7}', '{"type":"subscribe"}', '{"type":"init","data":7}'):
            client.send(nonsense)
            hear_until(client, lambda e: e["type"] == "error")
        client.send(json.dumps({"type": "init", "data": {"subscriptions": ["interview"]}}))
        assert hear_until(client, lambda e: e["type"] == "init_complete")["data"]["subscriptions"] == ["interview"]
        assert control(demo, "living-fan", "set_percentage", 72).status_code == 200
        client.send('{"type":"ping"}')
        assert json.loads(client.recv(timeout=60))["type"] == "pong", "a device was told of to somebody who does not want to hear of devices"


# Seconds of a day in the demo's house: a missed event comes again after them.
DAY = 24 * 5


@pytest.mark.long
def test_the_demo_simulates_people_coming_home(hub_binary, tmp_path):
    fresh = start(hub_binary, tmp_path)
    try:
        with listen(fresh) as client:
            def unlocked(event):
                return event["data"].get("device_id") == "front-door" and event["data"]["device"]["current_state"]["locked"] is False

            def garage(event):
                return event["data"].get("device_id") == "garage" and event["data"]["device"]["current_state"]["open_closed"] == "opening"

            def warmer(event):
                if event["data"].get("device_id") != "living-climate":
                    return False
                return event["data"]["device"]["current_state"]["temperature"]["target"] == 21.5

            def lit(event):
                return event["data"].get("device_id") == "hall-light" and event["data"]["device"]["current_state"]["power"] == "on"

            hear_until(client, lambda e: e["data"].get("device_id") == "garden-temperature")
            for wanted in (garage, unlocked, lit, warmer):
                hear_until(client, wanted, house.LIMIT + DAY)
    finally:
        fresh.stop()


def test_foreign_origins_and_host_names_are_refused(demo):
    assert requests.get(demo.url + "/api/devices", headers={"Origin": "https://elsewhere.example"}, timeout=60).status_code == 403
    assert requests.get(demo.url + "/api/devices", headers={"Host": "rebound.example"}, timeout=60).status_code == 403
    with pytest.raises(InvalidStatus) as refused:
        connect(demo.url.replace("http", "ws", 1) + "/ws", origin="https://elsewhere.example", open_timeout=60)
    assert refused.value.response.status_code == 403
    assert requests.get(demo.url + "/ws", timeout=60).status_code == 426


def test_questions_and_emotions_in_the_seeds_format_without_a_token(demo):
    status = get(demo, "consciousness/status")
    assert status.keys() >= STATUS and status["status"] in ("active", "inactive", "processing", "sleeping")
    assert 0 <= status["awareness_level"] <= 1 and 1 <= status["active_devices"] <= 9 and status["safla_loops"] >= 1
    assert status["emotional_state"]["primary"] in ("happiness", "worry", "boredom", "excitement")
    emotions = get(demo, "consciousness/emotions?time_range=1h&include_history=true")
    assert emotions["current"].keys() >= {"primary_emotion", "emotion_vector", "arousal", "valence"}
    assert len(emotions["current"]["emotion_vector"]) == 4
    assert all(moment.keys() >= {"timestamp", "emotion", "trigger"} for moment in emotions["history"])
    assert "history" not in get(demo, "consciousness/emotions?include_history=false")
    answer = post(demo, "consciousness/query", {"query": "Is the front door locked?", "context": {"app": "seed"}, "includeDevices": True})
    assert answer.keys() >= {"response", "confidence", "context", "suggested_actions"}
    assert answer["confidence"] == 1 and answer["context"]["devices"] == ["front-door"]
    lost = post(demo, "consciousness/query", {"query": "how many angels dance on a pin?"})
    assert lost["confidence"] == 0 and lost["suggested_actions"] == [], "what the house does not know it does not make up"


def test_memories_and_predictions_in_the_seeds_format_without_a_token(demo):
    body = {"type": "semantic", "content": "The key to the shed hangs in the hall.", "context": {"told_in": "the demo"}}
    told = post(demo, "memory", body, 201, **{"Idempotency-Key": "shed"})
    assert told.keys() >= {"memory_id", "status", "timestamp"} and told["status"] == "stored"
    assert post(demo, "memory", body, 201, **{"Idempotency-Key": "shed"})["memory_id"] == told["memory_id"]
    found = get(demo, "memory?memory_type=semantic&time_range=7d&limit=200")["memories"]
    assert [m["content"] for m in found if m["memory_id"] == told["memory_id"]] == [body["content"]]

    twins = get(demo, "twins")
    assert twins.keys() >= {"twins", "total", "synchronized", "out_of_sync"} and twins["total"] == len(twins["twins"])
    assert all(twin.keys() >= TWIN for twin in twins["twins"])
    assert {"front-door", "living-climate"} <= {twin["device_id"] for twin in twins["twins"]}
    made = post(demo, "twins", {"device_id": "porch-light", "fidelity_level": "advanced", "config": {"name": "Porch", "kind": "light"}}, 201)
    assert made.keys() >= {"twin_id", "status", "sync_status", "estimated_ready_time", "capabilities"} and made["status"] == "created"
    planned = get(demo, "twins?device_id=porch-light")
    assert [(twin["id"], twin["sync_status"]) for twin in planned["twins"]] == [(made["twin_id"], "no_real_device")]

    imagined = post(demo, "predictions/what-if", {
        "scenario": "Dark", "changes": {"device": {"hall-light": {"power": "off"}}}, "duration": "8h", "metrics": ["energy"],
    })
    assert imagined.keys() >= {"analysis_id", "status", "results", "recommendations"} and imagined["status"] == "completed"
    # A value without a measurement is reported as unknown, and not guessed.
    assert imagined["results"].keys() | imagined["problems"].keys() == {"energy"}

    owner = sign_in(demo)
    for action in ("memory.add", "twin.make"):
        (entry, *_) = owner.get(f"/api/v1/audit?action={action}").json()["entries"]
        assert entry["action"] == action and entry["result"] == "done" and entry["who"]["name"] == "Demo"
    # It is one house: a signed-in person sees the same.
    assert owner.get("/api/v1/memory/" + told["memory_id"]).json()["content"] == body["content"]
    assert requests.get(f"{demo.url}/api/v1/memory", timeout=60).status_code == 401


def test_the_interview_in_the_seeds_format_without_a_token(demo):
    begun = requests.post(demo.url + "/api/interview/start", json={"houseId": "here"}, timeout=60)
    assert begun.status_code in (200, 201), begun.text
    begun = begun.json()
    assert begun.keys() >= {"interview_id", "status", "current_phase", "ai_message", "session_started_at"} and begun["status"] == "active"
    path = "interview/" + begun["interview_id"]
    said = post(demo, path + "/message", {"message": "There is a Yale lock in the pantry."})
    assert said.keys() >= {"ai_response", "current_phase", "discovered_candidates", "auto_discovery_results"}
    assert [one["detected_function"] for one in said["discovered_candidates"]] == ["lock"] and said["discovered_candidates"][0].keys() >= CANDIDATE
    stands = get(demo, path + "/status")
    assert stands.keys() >= {"interview_id", "status", "current_phase", "progress", "conversation_summary"}
    assert stands["progress"].keys() >= PROGRESS and stands["progress"]["total_devices_mentioned"] >= 1
    assert stands["conversation_summary"].keys() >= {"total_turns", "last_activity"}
    get(demo, "interview/nobodys/status", 404)
    assert sign_in(demo).get("/api/v1/audit?action=interview.say").json()["entries"], "it is on record"


@pytest.mark.parametrize("path, body", [
    ("consciousness/query", {}), ("consciousness/query", {"query": ""}), ("consciousness/query", {"query": "x", "shout": True}),
    ("consciousness/query", ["x"]), ("memory", {}), ("memory", {"type": "dream", "content": "x"}), ("memory", {"type": "semantic", "content": ""}),
    ("interview/start", {"house_id": 7}), ("interview/start", {"rooms": 3}), ("interview/x/message", {}), ("interview/x/message", {"message": ""}),
    ("twins", {}), ("twins", {"device_id": "front-door", "fidelity_level": "perfect"}), ("twins", {"device_id": "nowhere"}),
    ("predictions/what-if", {}), ("predictions/what-if", {"changes": {}, "duration": "forever"}),
])
def test_an_invalid_request_to_the_mind_is_refused_with_a_reason(demo, path, body):
    assert post(demo, path, body, 400)["error"]["message"]


def test_an_unsupported_question_is_refused_with_a_reason(demo):
    for path in ("consciousness/emotions?time_range=soon", "consciousness/emotions?include_history=perhaps", "memory?memory_type=dream",
                 "memory?limit=many", "twins?sync_status=asleep"):
        assert get(demo, path, 400)["error"]["message"], path
    # Only the routes of the seed's client work without a token.
    for method, path in (("DELETE", "memory/1"), ("GET", "safla/status"), ("GET", "interview"), ("POST", "interview/1/confirm"), ("DELETE", "twins/1")):
        assert requests.request(method, f"{demo.url}/api/{path}", timeout=60).status_code in (404, 405), path


@pytest.mark.long
def test_ws_reports_the_mind_the_interview_and_batched_changes(demo):
    with listen(demo) as client:
        client.send(json.dumps({"type": "init", "data": {"subscriptions": ["consciousness", "devices", "interview"]}}))
        answer = hear_until(client, lambda e: e["type"] == "init_complete")
        assert answer["data"]["subscriptions"] == ["consciousness", "devices", "interview"]

        said = post(demo, "consciousness/query", {"query": "is the garage closed?"})
        told = hear_until(client, lambda e: e["type"] == "consciousness_query")
        assert told["data"] == {"query": "is the garage closed?", "response": said["response"], "confidence": said["confidence"]}

        talk = requests.post(demo.url + "/api/interview/start", timeout=60).json()["interview_id"]
        post(demo, f"interview/{talk}/message", {"message": "There is a fan in the study."})
        told = hear_until(client, lambda e: e["type"] == "interview_update")
        assert told["data"].keys() == {"interview_id", "status", "current_phase"} and told["data"]["interview_id"] == talk

        # Each hour the weather and the meter are reported together.
        told = hear_until(client, lambda e: e["type"] == "batch_device_update")
        assert len(told["data"]["devices"]) >= 2
        for change in told["data"]["devices"]:
            assert change.keys() == {"device_id", "device"} and change["device"]["id"] == change["device_id"]
            assert change["device"].keys() == DEVICE

        owner, fault = sign_in(demo), {"device_id": "front-door", "fault": "jam"}
        assert owner.post("/api/v1/integrations/virtual/faults", fault).ok
        try:
            assert control(demo, "front-door", "unlock").status_code >= 400

            def worried(event):
                causes = event["data"]["emotional_state"]["causes"] if event["type"] == "status_update" else []
                return any("front-door" in cause["devices"] and cause["shares"][1] > 0 for cause in causes)

            assert hear_until(client, worried)["data"].keys() >= STATUS
        finally:
            assert owner.post("/api/v1/integrations/virtual/faults", {**fault, "fault": "none"}).ok
            control(demo, "front-door", "lock")


@pytest.mark.parametrize("method, path", OPEN_PATHS)
def test_a_served_house_has_no_demo_routes(module_hub, module_owner, method, path):
    for headers in ({}, {"Authorization": f"Bearer {module_owner.token}"}):
        answer = requests.request(method, module_hub.url + path, json={"action": "on"}, headers=headers, timeout=60)
        assert answer.status_code in (401, 404), f"{method} {path}: {answer.status_code}"
    if path == "/ws":
        with pytest.raises(InvalidStatus) as refused:
            connect(module_hub.url.replace("http", "ws", 1) + path, open_timeout=60)
        assert refused.value.response.status_code == 404


def test_all_other_routes_of_the_demo_need_a_token(demo):
    for path in ("/api/v1/devices", "/api/v1/guests", "/api/v1/activity", "/api/v1/people", "/api/v1/changes"):
        assert requests.get(demo.url + path, timeout=60).status_code == 401, path
    assert requests.put(demo.url + "/api/v1/devices/hall-light/control", json={"action": "on"}, timeout=60).status_code == 401


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.168.1.10:8300", "example.org:8300"])
def test_the_demo_listens_on_loopback_only(hub_binary, tmp_path, address):
    process = run(hub_binary, "--listen", address, cwd=tmp_path)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 64 and "only on this machine" in said and "127.0.0.1:8300" in said


@pytest.mark.long
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_the_demo_leaves_no_files_behind(hub_binary, tmp_path, ending):
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
                client.recv(timeout=60)
    assert hub.process.wait(60) == (-signal.SIGKILL if ending == signal.SIGKILL else 0)
    assert files() == before


def test_the_help_states_what_the_demo_leaves_out(hub_binary):
    said = subprocess.run([str(hub_binary), "demo", "--help"], capture_output=True, text=True, timeout=60, check=True).stdout
    for words in ("/api/devices", "/api/consciousness/query", "/api/twins", "/ws", "only on this machine", "/api/v1", "--listen"):
        assert words in said, words
    assert "demo" in subprocess.run([str(hub_binary), "--help"], capture_output=True, text=True, timeout=60, check=True).stdout
