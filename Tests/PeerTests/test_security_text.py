"""`/.well-known/security.txt` (RFC 9116): the contact for vulnerability reports."""

import datetime
import subprocess

import pytest
import requests

HUB_ARGS = ("--security-contact", "mailto:me@house.example", "--security-contact", "https://house.example/weaknesses",
            "--public-url", "https://house.example", "--allow-host", "127.0.0.1")


def test_security_txt_names_the_contact(module_hub):
    answer = requests.get(module_hub.url + "/.well-known/security.txt", timeout=60)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/plain; charset=utf-8")
    fields = [line.split(": ", 1) for line in answer.text.splitlines()]
    assert [value for name, value in fields if name == "Contact"] == ["mailto:me@house.example", "https://house.example/weaknesses"]
    (expires,) = [value for name, value in fields if name == "Expires"]
    left = datetime.datetime.fromisoformat(expires) - datetime.datetime.now(datetime.timezone.utc)
    assert datetime.timedelta(days=80) < left < datetime.timedelta(days=365)
    assert ["Canonical", "https://house.example/.well-known/security.txt"] in fields


def test_without_a_contact_there_is_no_security_txt(hub):
    assert requests.get(hub.url + "/.well-known/security.txt", timeout=60).status_code == 404


@pytest.mark.parametrize("contact", ["me@house.example", "http://house.example", "mailto:", "mailto:a@b\nContact: c", "tel:", "https://"])
def test_an_invalid_contact_is_refused(hub_binary, tmp_path, contact):
    done = subprocess.run(
        [hub_binary, "serve", "--data", tmp_path / "house", "--security-contact", contact], capture_output=True, text=True, timeout=60)
    assert done.returncode == 64 and "--security-contact" in done.stderr
