"""`cardea-hub check` says whether a house that was put back is whole, and changes nothing."""

import json
import secrets
import subprocess

import house
import pytest
from conftest import PASSWORD


@pytest.fixture
def kept(start_hub, tmp_path):
    """A claimed house whose hub has stopped."""
    hub = start_hub(tmp_path / "house")
    house.claim(hub, PASSWORD)
    hub.stop()
    return tmp_path / "house"


def check(hub_binary, folder):
    run = subprocess.run([str(hub_binary), "check", "--data", str(folder), "--json"], capture_output=True, text=True, timeout=60)
    return run.returncode, json.loads(run.stdout)["problems"]


def test_a_house_with_its_own_key_is_whole(hub_binary, kept):
    assert check(hub_binary, kept) == (0, [])


def test_a_house_without_its_key_is_not_given_another_one(hub_binary, kept):
    """It once made a fresh key, called the house whole, and the hub then did not start."""
    (kept / "hub.key").unlink()
    code, problems = check(hub_binary, kept)
    assert code == 1 and "missing" in problems[0]
    assert not (kept / "hub.key").exists()


def test_another_houses_key_is_told_from_its_own(hub_binary, kept):
    (kept / "hub.key").write_bytes(secrets.token_bytes(32))
    (kept / "hub.key").chmod(0o600)
    code, problems = check(hub_binary, kept)
    assert code == 1 and "another house" in problems[0]
