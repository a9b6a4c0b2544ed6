"""The contract, tested against the hub itself: Schemathesis reads /openapi.json and sends valid and invalid requests of every operation, in every role.

Six roles, a house for each. `CARDEA_CONTRACT_EXAMPLES` says how many examples of each operation, `CARDEA_SEED` says
which; `make chaos` sends 200.
"""

import concurrent.futures
import json
import os
import subprocess
import sys

import house
import pytest
import requests
from conftest import PASSWORD, ROOT, Owner, hubs

pytestmark = pytest.mark.long
EXAMPLES = os.environ.get("CARDEA_CONTRACT_EXAMPLES", "6")
SEED = os.environ.get("CARDEA_SEED", "1")
CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "negative_data_rejection", "ignored_auth", "unsupported_method",
)
# Its answer never ends; test_realtime.py reads it.
ENDLESS = "streamEvents"


# An outdated version is reported before the body is validated; an ended object stays ended for an invalid body too.
REFUSALS = (400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422, 426, 429)


def joins(owner, role):
    """A signed-in resident."""
    invitation = owner.post("/api/v1/people", {"name": role.capitalize(), "role": role})
    assert invitation.status_code == 201, invitation.text
    body = {"invite_token": invitation.json()["invite_link"].split("#")[1], "username": role, "password": PASSWORD}
    answer = requests.post(owner.hub.url + "/api/v1/people/accept", json=body, timeout=60)
    assert answer.status_code == 201, answer.text
    return answer.json()["access_token"]


def made(answer, name, status=201):
    assert answer.status_code == status, answer.text
    return answer.json()[name]


def furnished(hub, role):
    """A house with one object of each kind, and its callers."""
    owner = Owner(hub, house.claim(hub, PASSWORD))
    tokens = {"owner": owner.token, "admin": joins(owner, "admin"), "member": joins(owner, "member")}
    guest = house.let_in(owner, max_uses=0)
    grants = [{"device_id": "front-door", "actions": ["lock", "unlock"]}]
    programs = [owner.post("/api/v1/auth/api-tokens", {"name": name, "grants": grants}) for name in ("Display", "Old")]
    tokens["program"] = made(programs[0], "token")
    tokens["guest"] = guest.token
    # A conversation belongs to one person.
    talker = Owner(hub, {"access_token": tokens["admin"]}) if role == "admin" else owner
    lock = [{"device_id": "front-door", "action": "lock"}]
    light = {"device_id": "hall-light", "action": "on"}
    leaving, off = [{"type": "presence", "change": "last_leaves"}], [{"type": "control", "device_id": "hall-light", "action": "off"}]
    buttons = [made(owner.post("/api/v1/buttons", {"title": title, "action": light}), "button_id") for title in ("Light", "Other", "Old")]
    tags = [made(owner.post("/api/v1/tags", {"kind": "static", "button_id": one}), "tag_id") for one in buttons[:2]]
    plans = [{"device_id": name, "config": {"name": name, "kind": "light"}} for name in ("porch-light", "old-light")]
    twins = [made(owner.post("/api/v1/twins", plan), "twin_id") for plan in plans]
    people = owner.get("/api/v1/people").json()["people"]
    command = owner.put("/api/v1/devices/front-door/control", {"action": "lock"}).json()["command_id"]
    told = {
        "url": hub.url, "role": role,
        # The last object of each kind may be deleted.
        "ids": {
            "/api/v1/devices": ["front-door", "hall-light", "living-climate", "house-meter", "no-such-device"],
            "/api/v1/commands": [command, "no-such-command"],
            "/api/v1/guests": [guest.guest_id, house.invite(owner)["guest_id"], house.invite(owner)["guest_id"]],
            "/api/v1/scenes": [made(owner.post("/api/v1/scenes", {"name": n, "actions": lock}), "scene_id") for n in ("Night", "Old")],
            "/api/v1/automations": [
                made(owner.post("/api/v1/automations", {"name": n, "triggers": leaving, "actions": off}), "automation_id") for n in ("Out", "Old")],
            "/api/v1/maintenance": [
                made(owner.post("/api/v1/maintenance", {"title": n, "due_on": "2027-01-31", "recurrence": "monthly"}), "task_id") for n in ("Filter", "Old")]
            + ["no-such-task"],
            "/api/v1/audit": ["1", "2", "no-such-entry"],
            "/api/v1/buttons": buttons,
            "/api/v1/webhooks": [made(owner.post("/api/v1/webhooks", {"name": n, "make": "shelly"}), "webhook_id") for n in ("Bell", "Old")],
            "/api/v1/memory": [made(owner.post("/api/v1/memory", {"type": "semantic", "content": n}), "memory_id") for n in ("Old", "New")] + ["no-such-memory"],
            "/api/v1/tags": tags,
            "/api/v1/interview": [made(talker.post("/api/v1/interview/start"), "interview_id"), "no-such-interview"],
            "/api/v1/twins": ["twin_front-door", *twins],
            "/api/v1/jobs": [made(owner.post(f"/api/v1/people/{owner.get('/api/v1/people/me').json()['person_id']}/export"), "job_id", 202), "no-such-job"],
            "/api/v1/rooms": [made(owner.post("/api/v1/rooms", {"name": n}), "room_id") for n in ("Den", "Shed")],
            "/api/v1/auth/api-tokens": [made(program, "token_id") for program in programs],
            # The callers do not disable or remove themselves: with a second owner even the first could, and would lose access.
            "/api/v1/people": [person["person_id"] for person in people if person["username"] != role] + ["no-such-person"],
        },
    }
    if role in tokens:
        told["token"] = tokens[role]
    if role in ("owner", "admin", "member"):
        told["login"] = {"username": role, "password": PASSWORD}
    return told


def asked(start_hub, folder, role):
    """Sends every request to a house, in a role; returns the status and the report."""
    folder.mkdir()
    hub = start_hub(folder / "house", "--virtual-house", "--trusted-proxy", "127.0.0.1")
    told = folder / "told.json"
    told.write_text(json.dumps(furnished(hub, role)))
    settings = folder / "schemathesis.toml"
    settings.write_text(
        f"[checks.negative_data_rejection]\nexpected-statuses = {list(REFUSALS)}\n"
        # No camera answers at these addresses, and the contract documents that answer.
        '[[operations]]\ninclude-path-regex = "/cameras/[^/]+/(snapshot|preview)$"\n'
        'checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 503]\n')
    command = [
        sys.executable, "-m", "schemathesis.cli", "--config-file", str(settings), "run", hub.url + "/openapi.json", "--checks", ",".join(CHECKS), "-n", EXAMPLES,
        "--phases", "examples,coverage,fuzzing", "--exclude-operation-id", ENDLESS, "--seed", SEED, "--no-color", "--request-timeout", "60",
        "--continue-on-failure", "--suppress-health-check", "all", "--generation-database", "none",
    ]
    environment = {
        **os.environ, "SCHEMATHESIS_HOOKS": "contract_hooks", "CARDEA_CONTRACT_HOUSE": str(told),
        "PYTHONPATH": str(ROOT / "Tests/PeerTests"),
    }
    report = folder / "report.txt"
    with report.open("w") as output:
        run = subprocess.run(command, env=environment, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
    assert hub.process.poll() is None, "the hub is gone"
    return run.returncode, report.read_text()


@pytest.fixture(scope="module")
def answers(request, hub_binary, tmp_path_factory):
    """The pending results of every role. Two roles run at a time: Schemathesis needs more time than the hub."""
    roles = [item.callspec.params["role"] for item in request.session.items if item.path == request.path]
    folder = tmp_path_factory.mktemp("contract")
    with hubs(hub_binary) as start, concurrent.futures.ThreadPoolExecutor(2) as two:
        yield {role: two.submit(asked, start, folder / role, role) for role in roles}


@pytest.mark.parametrize("role", ["none", "owner", "admin", "member", "guest", "program"])
def test_the_hub_keeps_its_contract(role, answers):
    code, report = answers[role].result()

    # Its own list of failures, without warnings; the end of the report where there is none.
    failures = report.partition(" FAILURES ===")[2].partition(" WARNINGS ===")[0] or report[-20_000:]
    assert code == 0, f"CARDEA_SEED={SEED}\n{failures}"
