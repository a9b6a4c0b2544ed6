"""Questions that the house did not understand: a local OpenAI-compatible endpoint rephrases them in the house's vocabulary, and the house answers."""

import json
import subprocess

import house
import pytest
from bad_bodies import GRANTS
from conftest import PASSWORD, Owner
from test_describer import describer
from test_realtime_access import resident

pytestmark = pytest.mark.long

KEY = "sk-the-houses-own-ear"


def start(start_hub, tmp_path, ear):
    key = tmp_path / "language.key"
    key.write_text(KEY + "\n")
    return start_hub(
        tmp_path / "house", "--virtual-house", "--language-url", ear.url, "--language-model", "little-ear", "--language-key-file", str(key))


def ask(owner, query):
    answer = owner.post("/api/v1/consciousness/query", {"query": query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_model_rephrases_the_question_and_the_house_answers_from_its_journal(start_hub, tmp_path):
    with describer() as ear:
        hub = start(start_hub, tmp_path, ear)
        owner = Owner(hub, house.claim(hub, PASSWORD))
        plain = ask(owner, "Is the front door locked?")
        assert plain["confidence"] == 1 and ear.asked.empty(), "what the house reads itself is told to nobody"

        ear.answers += [(200, {}, "Is the front door locked?")]
        reply = ask(owner, "frontage bolted situation?")
        assert reply["response"] == "I take that as “Is the front door locked?”. " + plain["response"]
        assert 0 < reply["confidence"] < 1 and reply["context"]["devices"] == plain["context"]["devices"]
        path, headers, body = ear.asked.get(timeout=60)
        assert path == "/v1/chat/completions" and headers["authorization"] == f"Bearer {KEY}" and body["model"] == "little-ear"
        told = json.loads(body["messages"][1]["content"])
        assert told["sentence"] == "frontage bolted situation?" and "Front door" in told["names"]["devices"]
        assert set(told) == {"sentence", "names"} and set(told["names"]) == {"rooms", "devices", "people", "scenes"}
        assert not any(word in json.dumps(told) for word in ("unlocked", "lock.front", "happening_", "192.168")), "no state and no past"

        ear.answers += [(200, {}, "Unlock the front door.")]
        wish = ask(owner, "lemme through the frontage")
        assert wish["confidence"] == 0 and not wish["suggested_actions"] and wish["choices"] == ["Unlock the front door."], wish

        ear.answers += [(200, {}, "The front door was opened by a burglar at noon."), (200, {}, "UNKNOWN"), (500, {}, "")]
        for _ in range(3):
            silent = ask(owner, "wherefore the frontage thingamajig")
            assert silent["confidence"] == 0 and "burglar" not in silent["response"] and not silent["suggested_actions"], silent
        hub.stop()
        assert not [line for line in hub.log if KEY in line or "frontage" in line]
        assert [line for line in hub.log if "questions are sent to the rewording service" in line]


def test_a_members_question_sends_only_names_they_may_see(start_hub, tmp_path):
    with describer() as ear:
        hub = start(start_hub, tmp_path, ear)
        owner = Owner(hub, house.claim(hub, PASSWORD))
        member = resident(owner, "Bea")
        made = owner.post("/api/v1/guests", {"name": "Secret Visitor", "grants": GRANTS, "max_uses": 1, "expires_at": house.in_seconds(3600)})
        assert made.status_code in (200, 201), made.text
        ear.answers += [(200, {}, "UNKNOWN")] * 2
        ask(owner, "gobbledygook forsooth")
        ask(member, "gobbledygook forsooth")
        owners, members = (json.loads(ear.asked.get(timeout=60)[2]["messages"][1]["content"])["names"]["people"] for _ in range(2))
        assert "Secret Visitor" in owners and "Secret Visitor" not in members


def test_the_model_is_off_by_default_and_wrong_settings_are_named(hub_binary, tmp_path):
    def refused(*options):
        command = [str(hub_binary), "serve", "--data", str(tmp_path / "none"), *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode != 0
        return done.stderr
    assert "--language-model" in refused("--language-url", "https://api.example.org/v1")
    assert "belong to --language-url" in refused("--language-model", "x")
    assert "--language-url needs a base" in refused("--language-url", "http://api.example.org/v1", "--language-model", "x")
