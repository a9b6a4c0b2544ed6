"""Notifications: a local push service, another Web Push implementation that decrypts the messages, and a real browser that shows them."""

import base64
import contextlib
import datetime
import http.server
import json
import queue
import re
import threading

import http_ece
import pytest
import requests
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

import house
from conftest import PASSWORD, Owner
from test_tour import DESK, PHONE, SMALL, browser  # noqa: F401
from test_web_states import move_in, sign_in, watch  # noqa: F401


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class FakePushService(http.server.ThreadingHTTPServer):
    """Answers as told, and records what it was sent."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.said = queue.Queue()
        self.answers = []
        self.url = f"http://127.0.0.1:{self.server_port}"

    def next(self):
        return self.said.get(timeout=house.LIMIT)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        status, headers = self.server.answers.pop(0) if self.server.answers else (201, {})
        self.send_response(status)
        for name, value in {"content-length": "0", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.server.said.put((self.path, self.headers, body))

    def log_message(self, *_):
        pass


class Browser:
    """A browser's side of Web Push, by http-ece."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.authentication = b"sixteen octets!!"

    @property
    def public(self):
        return self.key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)

    def subscription(self, endpoint):
        return {"subscription": {"endpoint": endpoint, "expirationTime": None, "keys": {"p256dh": b64(self.public), "auth": b64(self.authentication)}}}

    def open(self, body):
        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.authentication, version="aes128gcm")
        return json.loads(plain)


@contextlib.contextmanager
def push_service():
    service = FakePushService()
    threading.Thread(target=service.serve_forever, daemon=True).start()
    try:
        yield service
    finally:
        service.shutdown()
        service.server_close()


@pytest.fixture
def service():
    with push_service() as service:
        yield service


@pytest.fixture
def told(start_hub, tmp_path, service):
    """A house that sends to our push service, and its owner."""
    hub = start_hub(tmp_path / "house", "--virtual-house", "--push-service", service.url, "--push-contact", "mailto:house@example.org")
    return Owner(hub, house.claim(hub, PASSWORD))


def ring(owner, source="Bell", kind="ring"):
    moment = datetime.datetime.now(datetime.timezone.utc).isoformat()
    answer = owner.post("/api/v1/events", {"source": source, "type": kind, "occurred_at": moment})
    assert answer.status_code == 201, answer.text
    return answer.json()


def notices(owner):
    return owner.get("/api/v1/notices").json()


def test_another_web_push_implementation_decrypts_and_authenticates_messages(told, service):
    visitor = Browser()
    answer = told.post("/api/v1/push/web", visitor.subscription(service.url + "/to/owner"))
    assert answer.status_code == 201 and answer.json()["current"], answer.text
    assert told.post("/api/v1/push/web", visitor.subscription(service.url + "/to/owner")).status_code == 200
    event = ring(told)

    path, headers, body = service.next()
    assert path == "/to/owner" and headers["content-encoding"] == "aes128gcm" and headers["urgency"] == "high"
    assert b"Bell" not in body and b"ring" not in body and event["id"].encode() not in body
    words = visitor.open(body)
    assert (words["kind"], words["place"], words["event_id"]) == ("ring", "Bell", event["id"])

    # RFC 8292: signed by the key that the house publishes, for this service, for half a day.
    public = told.get("/api/v1/push").json()["public_key"]
    token, key = re.fullmatch(r"vapid t=(\S+), k=(\S+)", headers["authorization"]).groups()
    assert key == public
    head, claims, signature = token.split(".")
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(key))
    raw = unb64(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    point.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    claims = json.loads(unb64(claims))
    left = claims["exp"] - datetime.datetime.now(datetime.timezone.utc).timestamp()
    assert claims["aud"] == service.url and claims["sub"] == "mailto:house@example.org" and 11 * 3600 < left <= 12 * 3600

    house.until(lambda: notices(told)["notices"][0]["deliveries"][0]["state"] == "taken", "it is said to be taken")
    notice = notices(told)["notices"][0]
    assert notice["notice_id"] == words["notice_id"] and notices(told)["unseen"] == 1
    told.post(f"/api/v1/notices/{notice['notice_id']}/acknowledge")
    assert notices(told)["unseen"] == 0


def test_an_unavailable_push_service_is_retried_and_a_gone_subscription_is_deleted(told, service):
    visitor = Browser()
    told.post("/api/v1/push/web", visitor.subscription(service.url + "/to/away"))
    service.answers += [(503, {"retry-after": "1"}), (429, {}), (201, {})]
    event = ring(told)
    for _ in range(3):
        assert visitor.open(service.next()[2])["event_id"] == event["id"]
    house.until(lambda: notices(told)["notices"][0]["deliveries"][0]["tries"] == 3, "the third try is known")

    service.answers += [(410, {})]
    ring(told, source="Back bell")
    service.next()
    house.until(lambda: told.get("/api/v1/push").json()["subscriptions"] == [], "the browser is forgotten")

    # Only over https, on port 443, at a name. The refusal names the rule.
    elsewhere = service.url.replace("127.0.0.1", "localhost") + "/x"
    for endpoint, rule in (
        ("http://127.0.0.1:9/x", "https://"), ("https://192.168.1.1/x", "DNS name"), ("https://push.example.org:8443/x", "port 443"),
        (elsewhere, "https://"), ("", "URL"),
    ):
        answer = told.post("/api/v1/push/web", visitor.subscription(endpoint))
        assert answer.status_code == 400 and rule in answer.json()["error"]["message"], (endpoint, answer.text)


def test_a_killed_hub_notifies_once_after_its_restart(start_hub, tmp_path, service):
    folder = tmp_path / "house"
    args = ("--virtual-house", "--push-service", service.url)
    hub = start_hub(folder, *args)
    owner = Owner(hub, house.claim(hub, PASSWORD))
    visitor = Browser()
    owner.post("/api/v1/push/web", visitor.subscription(service.url + "/to/killed"))
    event = ring(owner)
    hub.kill()
    hub = start_hub(folder, *args)
    said = [visitor.open(service.next()[2])]
    login = requests.post(hub.url + "/api/v1/auth/login", json={"username": "owner", "password": PASSWORD}, timeout=60)
    owner = Owner(hub, login.json())
    house.until(lambda: notices(owner)["notices"][0]["deliveries"][0]["state"] == "taken", "it is said to be taken")
    # A message in flight at the power cut may be sent again; it is one notification all the same.
    while not service.said.empty():
        said.append(visitor.open(service.next()[2]))
    assert {one["event_id"] for one in said} == {event["id"]} and len({one["notice_id"] for one in said}) == 1
    assert len(notices(owner)["notices"]) == 1


@pytest.mark.long
def test_the_browser_shows_an_encrypted_notification_and_opens_its_page(told, service, watch):  # noqa: F811
    visitor = Browser()
    told.post("/api/v1/push/web", visitor.subscription(service.url + "/to/chromium"))
    ring(told, source="Garden gate")
    words = json.dumps(visitor.open(service.next()[2]))

    someone = watch("owner")
    sign_in(someone, told.hub)
    page = someone.page
    someone.context.grant_permissions(["notifications"], origin=told.hub.url)
    # `ready` resolves while the worker is still activating; messages delivered then are dropped.
    page.wait_for_function("() => navigator.serviceWorker.ready.then((one) => one.active.state === 'activated')")
    debugger = someone.context.new_cdp_session(page)
    found = queue.Queue()
    debugger.on("ServiceWorker.workerRegistrationUpdated", lambda news: [found.put(one["registrationId"]) for one in news["registrations"]])
    debugger.send("ServiceWorker.enable")
    # Browser events are handled only during a call to the browser.
    house.until(lambda: page.title() is not None and not found.empty(), "the browser names its service worker")
    number = found.get()

    # Chromium cannot subscribe without its vendor's service; the test passes on what that would deliver.
    def deliver(data):
        debugger.send("ServiceWorker.deliverPushMessage", {"origin": told.hub.url, "registrationId": number, "data": data})

    # A notification on its way to the screen is lost when its list is read meanwhile: this browser treats it as dismissed. So it
    # is observed where it is shown.
    worker = house.until(lambda: page.title() is not None and someone.context.service_workers, "the service worker is there")[0]
    worker.evaluate(
        """() => {
            const show = self.registration.showNotification.bind(self.registration);
            self.shown = [];
            self.registration.showNotification = (title, options) => show(title, options).then(() => self.shown.push([title, options.body]));
        }"""
    )
    deliver(words)
    house.until(lambda: worker.evaluate("self.shown") == [["Garden gate", "Somebody rang"]], "the notice is shown")
    # An unreadable message is shown as well: a browser that shows nothing loses its subscription.
    deliver("no json")
    house.until(lambda: worker.evaluate("self.shown.at(-1)") == ["Cardea", "Something happened"], "something is shown")

    worker.evaluate(
        """async () => {
            const told = (await self.registration.getNotifications()).find((one) => one.title === "Garden gate");
            self.dispatchEvent(new NotificationEvent("notificationclick", { notification: told }));
        }"""
    )
    page.wait_for_url("**/notices?notice=*")
    page.get_by_role("link", name="Somebody rang at Garden gate").wait_for()


@pytest.mark.long
def test_the_notifications_page_and_its_settings(told, watch):  # noqa: F811
    someone = watch("owner")
    sign_in(someone, told.hub, to="/notices")
    page = someone.page
    sizes = (SMALL, PHONE, DESK)
    someone.state("notices-none", "No notifications yet.", sizes=sizes)

    # Standing there and then ringing is one visit: the bell matters more, so it is sent as well.
    ring(told, source="Porch", kind="person")
    page.get_by_role("link", name="Somebody at Porch").wait_for()
    ring(told, source="Garden gate")
    page.get_by_role("link", name="Somebody rang at Garden gate").wait_for()
    someone.state("notices", "Somebody at Porch", "Mark all as seen", sizes=sizes)
    page.get_by_role("button", name="Seen Somebody rang at Garden gate").click()
    page.get_by_role("button", name="Seen Somebody rang at Garden gate").wait_for(state="detached")
    page.get_by_role("button", name="Mark all as seen").click()
    page.get_by_role("button", name="Mark all as seen").wait_for(state="hidden")
    someone.state("notices-seen", "Somebody at Porch", sizes=(PHONE,))
    page.get_by_role("link", name="Somebody rang at Garden gate").click()
    page.wait_for_url("**/activity/event_*")

    move_in(told, "Niece")
    garden = told.post("/api/v1/cameras", {"name": "Garden", "source": {"kind": "rtsp", "url": "rtsp://192.0.2.1/x"}}).json()["camera_id"]
    page.goto(told.hub.url + "/settings")
    page.get_by_role("link", name="Notifications").last.click()
    page.wait_for_url("**/settings/notices")
    someone.state("notices-choices", "Somebody asks to be let in", "This browser gets no notifications", sizes=sizes)
    page.get_by_label("A person", exact=True).uncheck()
    page.get_by_label("Garden", exact=True).uncheck()
    page.get_by_role("switch", name="Quiet at night").check()
    page.get_by_label("From").fill("25:00")
    page.get_by_role("button", name="Save", exact=True).click()
    someone.state("notices-wrong", "Enter a time, like 22:00.", sizes=(PHONE,))
    page.get_by_label("From").fill("23:00")
    page.get_by_label("When I do not answer").select_option(label="Niece")
    page.get_by_label("30 s").check()
    page.get_by_role("button", name="Save", exact=True).click()
    house.until(lambda: told.get("/api/v1/people/me/notifications").json()["version"] == 1, "it is saved")
    chosen = told.get("/api/v1/people/me/notifications").json()
    assert "person" not in chosen["kinds"] and "ring" in chosen["kinds"] and chosen["escalation"]["after_seconds"] == 30
    assert chosen["muted"] == [garden]
    assert chosen["quiet_hours"] == {"from": "23:00", "to": "07:00", "time_zone": "Europe/Berlin", "critical_override": True}
    someone.state("notices-chosen", "Until", "Someone at the door is urgent", sizes=sizes)

    # Changed on another device meanwhile: the new settings are shown, and not overwritten.
    told.put("/api/v1/people/me/notifications", {"kinds": ["ring"]})
    page.get_by_role("button", name="Save", exact=True).click()
    someone.state("notices-stale", "These choices were changed elsewhere.", sizes=(PHONE,))
    assert told.get("/api/v1/people/me/notifications").json()["version"] == 2
