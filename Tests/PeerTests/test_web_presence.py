"""A guest's phone verifies its user: a passkey is created with the pass, opens the door, and restores the pass in a browser that lost it."""

import pytest

import house
from test_tour import browser, visit  # noqa: F401
from test_web_key import TAKEN

NO_ED25519 = """
    const make = crypto.subtle.generateKey.bind(crypto.subtle);
    SubtleCrypto.prototype.generateKey = (algorithm, ...more) =>
        algorithm === 'Ed25519' ? Promise.reject(new DOMException('unknown', 'NotSupportedError')) : make(algorithm, ...more);
"""


class Authenticator:
    """The phone's user verification, simulated by the browser's debugger."""

    def __init__(self, guest, credentials=()):
        self.debugger = guest.context.new_cdp_session(guest.page)
        self.debugger.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        self.id = self.debugger.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
        for credential in credentials:
            self.debugger.send("WebAuthn.addCredential", {"authenticatorId": self.id, "credential": credential})

    def finds(self, isTheirs):
        """Sets whether user verification succeeds."""
        self.debugger.send("WebAuthn.setUserVerified", {"authenticatorId": self.id, "isUserVerified": isTheirs})

    def credentials(self):
        return self.debugger.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]


def by_name(link):
    """A passkey belongs to a host name."""
    return link.replace("127.0.0.1", "localhost")


def take(guest):
    guest.unhurried()
    guest.page.get_by_role("button", name="Use this pass on this phone").click()
    guest.page.wait_for_selector(".leaf-button")


@pytest.mark.parametrize("algorithm", ["Ed25519", "ECDSA"])
def test_a_door_opens_after_user_verification_on_the_phone(module_hub, module_owner, visit, algorithm):  # noqa: F811
    invitation = house.invite(module_owner, name=f"Verified {algorithm}", max_uses=3, presence="verified")
    guest = visit("guest")
    phone = Authenticator(guest)
    if algorithm == "ECDSA":
        guest.page.add_init_script(NO_ED25519)
    guest.page.goto(by_name(invitation["link"]))
    take(guest)
    assert len(phone.credentials()) == 1
    # Stated once for the whole process, the address fragment is gone.
    sent = []
    guest.page.on("request", lambda request: sent.append(request) if request.url.endswith("/api/guest_access/action") else None)
    before = house.actuations(module_owner)

    phone.finds(False)
    guest.hold(".leaf-button")
    guest.face("refused")
    assert "Not opened: not checked" in guest.page.inner_text("door-leaf")
    assert sent == [] and house.actuations(module_owner) == before

    phone.finds(True)
    guest.page.reload()
    guest.hold(".leaf-button")
    guest.face("open")
    assert house.actuations(module_owner) == before + 1
    assert all(request.headers["x-cardea-presence"] for request in sent)
    assert module_owner.get(f"/api/v1/guests/{invitation['guest_id']}").json()["used_count"] == 1
    guest.close()


def test_a_phone_without_user_verification_is_told_when_the_link_is_opened(module_hub, module_owner, visit):  # noqa: F811
    invitation = house.invite(module_owner, name="Told", max_uses=1, presence="verified")
    for name, link in (("no check", by_name(invitation["link"])), ("a number for a name", invitation["link"])):
        bare = visit(name)
        bare.page.goto(link)
        bare.page.get_by_role("heading", name="This pass needs a phone that knows you").wait_for()
        if name == "no check":
            bare.look("guest-not-verified")
        bare.close()
    assert module_owner.get(f"/api/v1/guests/{invitation['guest_id']}").json()["status"] == "waiting"

    # Nothing was used up: the same link works on a phone with user verification.
    guest = visit("guest")
    Authenticator(guest)
    guest.page.goto(by_name(invitation["link"]))
    take(guest)
    guest.hold(".leaf-button")
    guest.face("open")
    guest.close()


def test_a_browser_without_its_pass_restores_it_with_the_passkey(module_hub, module_owner, visit):  # noqa: F811
    invitation = house.invite(module_owner, name="Forgetful", max_uses=3)
    guest = visit("guest")
    phone = Authenticator(guest)
    guest.page.goto(by_name(invitation["link"]))
    take(guest)
    kept = phone.credentials()
    before = guest.page.evaluate(TAKEN)["token"]
    # Like a browser that clears its storage after some days.
    guest.page.evaluate("new Promise((done) => { indexedDB.deleteDatabase('cardea-guest').onsuccess = () => done(); })")
    guest.page.reload()
    back = guest.page.get_by_role("button", name="It was on this phone: bring it back")
    back.wait_for()
    guest.look("guest-bring-back")
    # The debugger's authenticator ends with the screenshots, its credentials are kept.
    Authenticator(guest, kept)
    back.click()
    guest.page.wait_for_selector(".leaf-button")
    assert guest.page.evaluate(TAKEN)["token"] != before
    guest.hold(".leaf-button")
    guest.face("open")
    guest.close()


def test_a_guest_without_a_passkey_takes_a_pass_that_needs_none(module_hub, module_owner, visit):  # noqa: F811
    invitation = house.invite(module_owner, name="Unchecked", max_uses=1)
    guest = visit("guest")
    phone = Authenticator(guest)
    phone.finds(False)
    guest.page.goto(by_name(invitation["link"]))
    take(guest)
    assert phone.credentials() == []
    guest.hold(".leaf-button")
    guest.face("open")
    guest.close()
