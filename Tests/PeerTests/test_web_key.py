"""A guest's browser binds its pass to its own key, which no script can read: data copied out of the browser opens nothing."""

import pytest
import requests

import house
from test_tour import browser, visit  # noqa: F401

TAKEN = "import('/assets/GuestPage/storage.js').then(({ passStore }) => passStore.load())"
# An older browser.
NO_ED25519 = """
    const make = crypto.subtle.generateKey.bind(crypto.subtle);
    SubtleCrypto.prototype.generateKey = (algorithm, ...more) =>
        algorithm === 'Ed25519' ? Promise.reject(new DOMException('unknown', 'NotSupportedError')) : make(algorithm, ...more);
"""
# Every key that this browser stores for passes, and whether a script can export one.
KEYS = """new Promise((done) => {
    indexedDB.open('cardea-guest').onsuccess = (event) => {
        const store = event.target.result.transaction('keys').objectStore('keys');
        store.getAll().onsuccess = async (all) => {
            const keys = all.target.result.filter((one) => one instanceof CryptoKey);
            const out = await Promise.all(keys.map((key) => crypto.subtle.exportKey('pkcs8', key).then(() => true, () => false)));
            done(keys.map((key, index) => ({ name: key.algorithm.name, extractable: key.extractable, taken: out[index] })));
        };
    };
})"""


def take(guest, invitation):
    guest.unhurried()
    guest.page.goto(invitation["link"])
    guest.page.get_by_role("button", name="Use this pass on this phone").click()
    guest.page.wait_for_selector(".leaf-button")
    return guest.page.evaluate(TAKEN)


@pytest.mark.parametrize("algorithm", ["Ed25519", "ECDSA"])
def test_the_page_binds_its_pass_and_opens_with_a_proof(module_hub, module_owner, visit, algorithm):  # noqa: F811
    invitation = house.invite(module_owner, max_uses=3)
    guest = visit("guest")
    if algorithm == "ECDSA":
        guest.page.add_init_script(NO_ED25519)
    kept = take(guest, invitation)
    assert kept["pass"]["cnf"]["jkt"] and kept["pass"]["device_id"]
    assert guest.page.evaluate(KEYS) == [{"name": algorithm, "extractable": False, "taken": False}]
    assert kept["token"] not in guest.page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
    assert module_owner.get(f"/api/v1/guests/{invitation['guest_id']}").json()["bound_to_device"] is True

    before = house.actuations(module_owner)
    sent = []
    guest.page.on("request", lambda request: sent.append(request))
    guest.hold(".leaf-button")
    guest.face("open")
    assert house.actuations(module_owner) == before + 1
    actions = [request for request in sent if request.url.endswith("/api/guest_access/action")]
    assert len(actions) == 1 and actions[0].headers["x-cardea-proof"] and actions[0].headers["x-cardea-proof-signature"]

    # Everything that can be copied out of the browser: its token, and even the complete last request.
    thief = house.Pass(module_hub, invitation["guest_id"], kept["token"])
    stolen = thief.act()
    assert (stolen.status_code, stolen.json()["error"]) == (401, "action_proof_required")
    again = requests.post(actions[0].url, data=actions[0].post_data, headers=actions[0].headers, timeout=60)
    assert (again.status_code, again.json()["error"]) == (401, "action_proof_replay")
    assert house.actuations(module_owner) == before + 1

    # Another browser with all of it has no key to sign with, and names where the pass opens.
    other = visit("thief")
    other.refusals_expected = True
    other.unhurried()
    other.page.goto(module_hub.url + "/g")
    other.page.evaluate("(kept) => localStorage.setItem('cardea-guest-pass', JSON.stringify(kept))", kept)
    other.page.reload()
    other.page.wait_for_selector(".leaf-button")
    # As an earlier version stored it: it is moved, and deleted from the old place.
    assert other.page.evaluate("localStorage.getItem('cardea-guest-pass')") is None
    other.hold(".leaf-button")
    other.face("refused")
    assert "This pass opens where it was taken" in other.page.inner_text("door-leaf")
    assert house.actuations(module_owner) == before + 1

    # The pass still works, and a reload keeps the key.
    guest.page.reload()
    guest.hold(".leaf-button")
    guest.face("open")
    assert house.actuations(module_owner) == before + 2
    reasons = [entry.get("reason") for entry in module_owner.get(f"/api/v1/guests/{invitation['guest_id']}").json()["history"]]
    assert {"action_proof_required", "action_proof_replay"} <= set(reasons)
    guest.close()
    other.close()


def test_a_browser_without_signing_takes_an_unbound_pass(module_hub, module_owner, visit):  # noqa: F811
    for name, missing in [
        ("no Ed25519", "crypto.subtle.generateKey = () => Promise.reject(new DOMException('', 'NotSupportedError'))"),
        ("keeps no keys", "indexedDB.open = () => { throw new DOMException('', 'SecurityError') }"),
        ("no WebCrypto", "Object.defineProperty(crypto, 'subtle', { value: undefined })"),
    ]:
        invitation = house.invite(module_owner, name=name)
        guest = visit(name)
        guest.page.add_init_script(missing)
        kept = take(guest, invitation)
        assert "cnf" not in kept["pass"], name
        assert module_owner.get(f"/api/v1/guests/{invitation['guest_id']}").json()["bound_to_device"] is False
        before = house.actuations(module_owner)
        guest.hold(".leaf-button")
        guest.face("open")
        assert house.actuations(module_owner) == before + 1, name
        guest.close()


def test_a_rejected_proof_is_renewed_once(module_hub, module_owner, visit):  # noqa: F811
    invitation = house.invite(module_owner, name="Slow phone")
    guest = visit("slow phone")
    take(guest, invitation)
    guest.refusals_expected = True
    answers = iter(["action_nonce_expired", None])
    tried = []

    def first_refused(route):
        tried.append(route.request.headers["x-cardea-proof"])
        code = next(answers)
        if code is None:
            return route.continue_()
        return route.fulfill(status=401, json={"success": False, "error": code, "message": "no"})

    guest.page.route("**/api/guest_access/action", first_refused)
    guest.hold(".leaf-button")
    guest.face("open")
    assert len(set(tried)) == 2
    guest.close()


def test_the_house_shows_whether_a_pass_is_bound(module_hub, module_owner, visit):  # noqa: F811
    invitation = house.invite(module_owner, name="Bound guest")
    take(visit("bound guest"), invitation)
    host = visit("owner")
    host.page.goto(module_hub.url + "/sign-in")
    host.page.fill("input[name=username]", "owner")
    host.page.fill("input[name=password]", "correct horse battery staple")
    host.page.get_by_role("button", name="Sign in").click()
    host.page.wait_for_selector("door-row")
    host.page.goto(f"{module_hub.url}/guests/{invitation['guest_id']}")
    host.page.wait_for_selector(".pass-sentence")
    assert "only from the phone that took it" in host.page.inner_text(".pass-sentence")
    host.close()


def test_a_browser_without_its_pass_requests_it_again(module_hub, module_owner, visit):  # noqa: F811
    invitation = house.invite(module_owner, max_uses=3)
    guest = visit("guest")
    before = take(guest, invitation)["token"]
    # Like a browser that clears its storage after some days.
    guest.page.goto(module_hub.url + "/assets/mark.svg")
    guest.page.evaluate("new Promise((done) => { indexedDB.deleteDatabase('cardea-guest').onsuccess = done; })")
    guest.refusals_expected = True
    guest.page.goto(invitation["link"])
    guest.page.get_by_role("button", name="Use this pass on this phone").click()
    guest.page.get_by_role("heading", name="This link was used already").wait_for()
    guest.page.get_by_role("button", name="Ask for the pass again").click()
    number = guest.page.locator(".ask-number").text_content()
    [ask] = [one for one in module_owner.get("/api/v1/asks").json()["asks"] if one["guest_id"] == invitation["guest_id"]]
    assert ask["number"] == number and ask["replaces_phone"] is True
    # A reload requests the same one.
    guest.page.reload()
    guest.page.locator(".ask-number", has_text=number).wait_for()
    assert module_owner.post(f"/api/v1/guests/{invitation['guest_id']}/approve", {"number": number}).status_code == 200
    guest.page.wait_for_selector(".leaf-button")
    assert guest.page.evaluate(TAKEN)["token"] != before
    guest.hold(".leaf-button")
    guest.face("open")
    guest.close()
