"""Another port of the hub's host name is a foreign origin: data that its pages and its server get from a signed-in browser is useless."""

import contextlib
import http.server
import json
import re
import socket
import threading

import requests

import house
from conftest import PASSWORD
from dpop import BrowserKey
from test_tour import browser, visit  # noqa: F401
from test_web_presence import Authenticator

LOGIN = "/api/v1/auth/login"
REFRESH = "/api/v1/auth/refresh"


def refresh_cookie(visitor):
    (cookie,) = [one for one in visitor.context.cookies() if one["name"].startswith("cardea_refresh")]
    return cookie


class Neighbour:
    """A web server at another port of the same host name, such as a router's: it stores what browsers send and sets its own cookies."""

    def __init__(self):
        self.heard, self.sets = [], None
        neighbour = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                neighbour.heard.append(self.headers.get("Cookie") or "")
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                if neighbour.sets:
                    self.send_header("Set-Cookie", neighbour.sets)
                self.end_headers()
                self.wfile.write(b"<!doctype html><link rel=icon href=data:,><h1>The router's page</h1>")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@contextlib.contextmanager
def neighbour():
    one = Neighbour()
    try:
        yield one
    finally:
        one.close()


@contextlib.contextmanager
def mapped(port):
    """A port forwarded to the hub's, like a container's or a tunnel's: bytes only."""
    listener = socket.create_server(("127.0.0.1", 0))
    lines = [listener]

    def pass_on(source, target):
        with contextlib.suppress(OSError):
            while chunk := source.recv(65536):
                target.sendall(chunk)
            target.shutdown(socket.SHUT_WR)

    def serve():
        with contextlib.suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(("127.0.0.1", port))
                lines.extend((near, far))
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=pass_on, args=pair, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        for line in lines:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()


def port_of(hub):
    return int(hub.url.rsplit(":", 1)[1])


def by_name(hub):
    return hub.url.replace("127.0.0.1", "localhost")


def sign_in(visitor, url):
    page = visitor.page
    page.goto(url + "/sign-in")
    page.fill("input[name=username]", "owner")
    page.fill("input[name=password]", PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(url + "/")
    page.wait_for_selector("door-row")


def test_a_cookie_at_another_port_is_useless(module_hub, module_owner, visit):  # noqa: F811
    url, owner = by_name(module_hub), visit("owner")
    sign_in(owner, url)
    with neighbour() as router:
        tab = owner.context.new_page()
        tab.goto(router.url + "/api/v1/auth/status")
        (name, value), = [one.split("=", 1) for one in router.heard[0].split("; ") if one.startswith("cardea_refresh")]
        assert value == refresh_cookie(owner)["value"]
        cookie = {"Cookie": f"{name}={value}"}
        assert requests.post(url + REFRESH, headers=cookie, timeout=60).status_code == 401
        assert requests.post(url + REFRESH, json={"refresh_token": value}, timeout=60).status_code == 401
        proof = BrowserKey().proof(url + REFRESH)
        assert requests.post(url + REFRESH, headers={**cookie, **proof}, timeout=60).status_code == 401
        # Its script may not call the hub, though the browser would send the cookie along.
        refused = tab.evaluate(
            "(url) => fetch(url, { method: 'POST', credentials: 'include' }).then((answer) => answer.ok, () => false)", url + REFRESH)
        assert refused is False
        # None of it has ended the owner's session.
        owner.page.reload()
        owner.page.wait_for_selector("door-row")
        assert owner.page.evaluate("import('/assets/Sessions/session.js').then(({ session }) => session.me.username)") == "owner"
    owner.close()


def test_a_cookie_set_by_another_port_signs_in_no_other_user(module_hub, module_owner, visit):  # noqa: F811
    url = by_name(module_hub)
    made = module_owner.post("/api/v1/people", {"name": "Mallory", "role": "member"}).json()
    mallory = {"username": "mallory", "password": PASSWORD}
    accepted = requests.post(
        url + "/api/v1/people/accept", json={"invite_token": made["invite_link"].split("#")[1].split("&")[0], **mallory}, timeout=60)
    assert accepted.status_code == 201
    answer = requests.post(url + LOGIN, json={**mallory, "cookie": True}, headers=BrowserKey().proof(url + LOGIN), timeout=60)
    ((name, value),) = answer.cookies.items()
    owner = visit("owner")
    sign_in(owner, url)
    assert refresh_cookie(owner)["name"] == name, "the name is one of the origin"
    with neighbour() as router:
        router.sets = f"{name}={value}; Path=/api/v1/auth"
        owner.context.new_page().goto(router.url + "/")
    assert refresh_cookie(owner)["value"] == value
    owner.refusals_expected = True
    owner.page.reload()
    # The browser is signed out, and not signed in as Mallory.
    owner.page.wait_for_selector("input[name=password]")
    assert owner.page.evaluate("import('/assets/Sessions/session.js').then(({ accessToken }) => accessToken())") is None
    owner.close()


def test_tabs_and_reloaded_pages_share_one_key(module_hub, module_owner, visit):  # noqa: F811
    url, owner = by_name(module_hub), visit("owner")
    sign_in(owner, url)
    first, second = owner.page, owner.context.new_page()
    second.goto(url + "/")
    second.wait_for_selector("door-row")
    renew = "import('/assets/Sessions/session.js').then(({ renew }) => renew())"
    for page in (first, second, first, second):
        before = refresh_cookie(owner)["value"]
        page.reload()
        page.wait_for_selector("door-row")
        assert refresh_cookie(owner)["value"] != before
    assert first.evaluate(renew) is True and second.evaluate(renew) is True
    assert first.evaluate("""indexedDB.databases().then((all) => all.map(({ name }) => name).includes("cardea-session"))""")
    key = """new Promise((done) => {
        indexedDB.open('cardea-session').onsuccess = ({ target: { result } }) => {
            result.transaction('kept').objectStore('kept').get('key').onsuccess = async ({ target: { result: { privateKey } } }) =>
                done([privateKey.extractable, await crypto.subtle.exportKey('pkcs8', privateKey).then(() => true, () => false)]);
        };
    })"""
    assert first.evaluate(key) == [False, False]
    owner.close()


def test_a_browser_session_without_a_key_is_told_to_sign_in_again(module_hub, module_owner, visit):  # noqa: F811
    url, owner = by_name(module_hub), visit("owner")
    sign_in(owner, url)
    owner.page.goto("about:blank")
    owner.page.goto(url + "/sign-in")
    owner.page.evaluate("new Promise((done) => { const going = indexedDB.deleteDatabase('cardea-session'); going.onsuccess = () => done(null); })")
    owner.refusals_expected = True
    owner.page.goto(url + "/")
    owner.page.get_by_text("your session works in this browser only").wait_for()
    owner.look("sign-in-again-for-a-key")
    sign_in(owner, url)
    owner.page.reload()
    owner.page.wait_for_selector("door-row")
    owner.close()


def test_a_passkey_used_at_another_port_does_not_sign_in(module_hub, module_owner, visit):  # noqa: F811
    url, owner = by_name(module_hub), visit("owner")
    authenticator = Authenticator(owner)
    sign_in(owner, url)
    owner.page.evaluate("import('/assets/Sessions/passkey.js').then(({ createPasskey }) => createPasskey()).then(() => null)")
    assert len(authenticator.credentials()) == 1
    challenge = requests.post(url + "/api/v1/auth/passkeys/login/options", timeout=60).json()["public_key"]
    show = """async (asked) => {
        const credential = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked) });
        return JSON.stringify(credential);
    }"""
    with neighbour() as router:
        owner.page.goto(router.url + "/")
        shown = json.loads(owner.page.evaluate(show, challenge))
    verify = "/api/v1/auth/passkeys/login/verify"
    answer = requests.post(url + verify, json={"credential": shown}, timeout=60)
    assert answer.status_code == 401, answer.text
    # At the hub's own port the same passkey signs in.
    challenge = requests.post(url + "/api/v1/auth/passkeys/login/options", timeout=60).json()["public_key"]
    owner.page.goto(url + "/sign-in")
    shown = json.loads(owner.page.evaluate(show, challenge))
    assert requests.post(url + verify, json={"credential": shown}, timeout=60).status_code == 200
    owner.close()


def test_behind_a_mapped_port_a_password_signs_in_and_a_passkey_needs_the_allowed_name(start_hub, tmp_path, visit):  # noqa: F811
    hub = start_hub(tmp_path / "house", "--virtual-house")
    house.claim(hub, PASSWORD)
    first = visit("owner behind a port")
    with mapped(port_of(hub)) as port:
        outside = f"http://localhost:{port}"
        Authenticator(first)
        sign_in(first, outside)
        first.page.reload()
        first.page.wait_for_selector("door-row")
        made = first.page.evaluate("import('/assets/Sessions/passkey.js').then(({ createPasskey }) => createPasskey()).then(() => 200, (error) => error.status)")
        assert made in (400, 401, 403), made
    first.context.close()
    hub.stop()

    with socket.create_server(("127.0.0.1", 0)) as free:
        listen = free.getsockname()[1]
    with mapped(listen) as port:
        outside = f"http://localhost:{port}"
        hub = start_hub(tmp_path / "house", "--virtual-house", "--listen", f"127.0.0.1:{listen}", "--allow-host", f"localhost:{port}")
        second = visit("owner whose port is allowed")
        authenticator = Authenticator(second)
        sign_in(second, outside)
        second.page.evaluate("import('/assets/Sessions/passkey.js').then(({ createPasskey }) => createPasskey()).then(() => null)")
        assert len(authenticator.credentials()) == 1
        second.page.evaluate("import('/assets/Sessions/session.js').then(({ signOut }) => signOut())")
        second.page.goto(outside + "/sign-in")
        # The page's requests in flight at the sign-out were refused.
        second.complaints[:] = [complaint for complaint in second.complaints if "status of 401" not in complaint]
        second.page.get_by_role("button", name=re.compile("passkey")).click()
        second.page.wait_for_selector("door-row")
        second.close()
