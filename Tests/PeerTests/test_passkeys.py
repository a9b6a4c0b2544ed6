"""Passkeys with a real browser and its own authenticator: Chromium creates and uses them, the hub checks them."""

import base64
import shutil
import subprocess

import playwright.sync_api as playwright
import pytest
import requests

from conftest import PASSWORD
import house

MAKE = """async (token) => {
  const call = (path, body, headers = {}) => fetch('/api/v1/auth/' + path, {
    method: 'POST', headers: {'Content-Type': 'application/json', ...headers}, body: JSON.stringify(body ?? {})});
  const bearer = {Authorization: 'Bearer ' + token};
  const asked = await call('passkeys/register/options', {}, bearer);
  if (!asked.ok) return [asked.status, await asked.json()];
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON((await asked.json()).public_key);
  const credential = await navigator.credentials.create({publicKey});
  const kept = await call('passkeys/register/verify', {credential: credential.toJSON(), name: 'Key ring'}, bearer);
  return [kept.status, await kept.json()];
}"""

SHOW = """async ([path, token]) => {
  const call = (path, body, headers = {}) => fetch('/api/v1/auth/' + path, {
    method: 'POST', headers: {'Content-Type': 'application/json', ...headers}, body: JSON.stringify(body ?? {})});
  const asked = await call('passkeys/login/options');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON((await asked.json()).public_key);
  const credential = await navigator.credentials.get({publicKey});
  const answer = await call(path, {credential: credential.toJSON()}, token ? {Authorization: 'Bearer ' + token} : {});
  return [answer.status, await answer.json()];
}"""


@pytest.fixture(scope="module")
def browser():
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    assert chromium, "no chromium here; run scripts/setup"
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


class Visitor:
    """A page of the house, in a browser with an authenticator built in."""

    def __init__(self, browser, url, **authenticator):
        self.context = browser.new_context()
        self.context.set_default_timeout(60_000)
        self.page = self.context.new_page()
        self.devtools = self.context.new_cdp_session(self.page)
        self.devtools.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
            "isUserVerified": True, "automaticPresenceSimulation": True, **authenticator,
        }
        self.authenticator = self.devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
        self.page.goto(url)

    def credentials(self):
        return self.devtools.send("WebAuthn.getCredentials", {"authenticatorId": self.authenticator})["credentials"]

    def add(self, credential):
        self.devtools.send("WebAuthn.addCredential", {"authenticatorId": self.authenticator, "credential": credential})

    def clear(self):
        self.devtools.send("WebAuthn.clearCredentials", {"authenticatorId": self.authenticator})


@pytest.fixture
def page(hub, browser):
    """The house by its host name: browsers bind passkeys to one."""
    visitor = Visitor(browser, hub.url.replace("127.0.0.1", "localhost"))
    visitor.tokens = house.claim(hub, PASSWORD)
    yield visitor
    visitor.context.close()


def test_a_browser_makes_a_passkey_and_signs_in_with_it(hub, page):
    token = page.tokens["access_token"]
    status, passkey = page.page.evaluate(MAKE, token)
    assert status == 201 and passkey["name"] == "Key ring" and passkey["rp_id"] == "localhost", passkey
    [credential] = page.credentials()
    assert credential["isResidentCredential"] and credential["rpId"] == "localhost"

    for _ in range(3):
        status, tokens = page.page.evaluate(SHOW, ["passkeys/login/verify", None])
        assert status == 200, tokens
    me = requests.get(hub.url + "/api/v1/people/me", headers={"Authorization": f"Bearer {tokens['access_token']}"}, timeout=60)
    assert me.json()["role"] == "owner"
    status, until = page.page.evaluate(SHOW, ["step-up", token])
    assert status == 200 and "until" in until

    # The browser itself prevents a second one on the device for the same person.
    with pytest.raises(playwright.Error, match="InvalidStateError|credentials already registered"):
        page.page.evaluate(MAKE, token)


def test_a_copied_passkey_disables_both_copies(page):
    assert page.page.evaluate(MAKE, page.tokens["access_token"])[0] == 201
    [copied] = page.credentials()
    assert page.page.evaluate(SHOW, ["passkeys/login/verify", None])[0] == 200
    assert page.page.evaluate(SHOW, ["passkeys/login/verify", None])[0] == 200
    [moved_on] = page.credentials()
    assert moved_on["signCount"] > copied["signCount"] > 0
    page.clear()
    page.add(copied)
    status, answer = page.page.evaluate(SHOW, ["passkeys/login/verify", None])
    assert status == 401 and answer["error"]["details"]["reason"] == "cloned", answer
    page.clear()
    page.add(moved_on)
    status, answer = page.page.evaluate(SHOW, ["passkeys/login/verify", None])
    assert status == 401 and answer["error"]["details"]["reason"] == "ended", answer


def test_another_key_under_the_same_name_is_refused(page):
    assert page.page.evaluate(MAKE, page.tokens["access_token"])[0] == 201
    [credential] = page.credentials()
    page.clear()
    pem = subprocess.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout"], check=True, capture_output=True).stdout
    key = subprocess.run(["openssl", "pkcs8", "-topk8", "-nocrypt", "-outform", "DER"], input=pem, check=True, capture_output=True).stdout
    page.add({**credential, "privateKey": base64.b64encode(key).decode(), "signCount": credential["signCount"] + 100})
    status, answer = page.page.evaluate(SHOW, ["passkeys/login/verify", None])
    assert status == 401 and answer["error"]["details"]["reason"] == "wrong_signature", answer


def test_an_authenticator_without_user_verification_is_refused(hub, browser):
    visitor = Visitor(browser, hub.url.replace("127.0.0.1", "localhost"), hasUserVerification=False, isUserVerified=False)
    tokens = house.claim(hub, PASSWORD)
    with pytest.raises(playwright.Error):
        visitor.page.evaluate(MAKE, tokens["access_token"])
    visitor.context.close()
