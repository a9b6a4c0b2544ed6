"""The history of a Home Assistant household: the real recorder's database, imported into a house that mirrors it."""

import json
import subprocess

import pytest

import conftest
import home_assistant
import house

VERSIONS = home_assistant.installed()


@pytest.fixture(params=VERSIONS or ["none"])
def assistant(request, tmp_path):
    if not VERSIONS:
        pytest.fail("there is no Home Assistant in .ha; make one with scripts/home-assistant")
    with home_assistant.one_host_network():
        folder = tmp_path / "home-assistant"
        folder.mkdir()
        assistant = home_assistant.HomeAssistant(request.param, folder, more="recorder: {commit_interval: 0}\n")
        try:
            assistant.start()
            assistant.move_in()
            yield assistant
        finally:
            assistant.stop()


@pytest.mark.long
def test_the_recorders_history_is_imported(assistant, hub_binary, tmp_path):
    data = tmp_path / "house"
    with conftest.hubs(hub_binary) as start:
        hub = start(data)
        tokens = house.claim(hub, conftest.PASSWORD)
        owner = conftest.Owner(hub, tokens)
        answer = owner.put("/api/v1/integrations/home-assistant", {"url": assistant.url, "token": assistant.token})
        assert answer.status_code == 200, answer.text
        house.until(lambda: owner.get("/api/v1/devices/front-door").status_code == 200, "the front door is there")
        assert hub.stop() == 0

        # The hub is off from here on.
        for service in ("unlock", "lock"):
            assistant.do("lock", service, "lock.front_door")
            house.until(lambda: assistant.state("lock.front_door")["state"] == service + "ed", f"it is {service}ed")
        assistant.stop()
        command = [hub_binary, "import-history", str(assistant.config / "home-assistant_v2.db"), "--data", str(data), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        report = json.loads(done.stdout)
        assert report["refused"] == 0 and report["happenings"] > 0 and report["readings"] > 0, report
        again = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=120).stdout)
        assert again["happenings"] == again["readings"] == 0, again

        owner = conftest.Owner(start(data), tokens)
        answer = owner.post("/api/v1/consciousness/query", {"query": "how often was the front door unlocked in the past 24 hours?"}).json()
        assert "once" in answer["response"] and answer["confidence"] == 1, answer


def test_a_file_that_is_not_a_recorder_database_is_refused(hub_binary, start_hub, tmp_path):
    data = tmp_path / "house"
    hub = start_hub(data)
    assert hub.stop() == 0
    command = [hub_binary, "import-history", str(data / "house.sqlite"), "--data", str(data)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "no recorder database of Home Assistant" in done.stderr, done.stderr
