"""A subscriber who loses their permission is disconnected, however and by whomever it ended: on a socket, and on an event stream.

Benchmarks/times/test_revocation_speed.py measures that it takes less than a second.
"""

import contextlib
import itertools
import threading
import time

import house
import pytest
import requests
from conftest import PASSWORD
from test_phones import login, paired, phones
from test_realtime import hear, subscribe, ws
from test_realtime_access import program, resident
from websockets.exceptions import ConnectionClosed

NAMES = (f"lodger{number}" for number in itertools.count())


def session_of(person):
    return next(s["session_id"] for s in person.get("/api/v1/auth/sessions").json()["sessions"] if s["current"])


def person_id(person):
    return person.get("/api/v1/people/me").json()["person_id"]


# Each returns a subscriber's token, and a function that ends its permission.


def a_programs_token_is_revoked(owner):
    made = program(owner)
    return made["token"], lambda: owner.call("DELETE", f"/api/v1/auth/api-tokens/{made['token_id']}")


def a_phone_is_taken_off(owner):
    app = paired(owner)
    phone, = phones(owner)
    return app.access, lambda: owner.call("DELETE", f"/api/v1/mobile/devices/{phone['device_id']}")


def a_session_is_ended_from_another_one(owner):
    other = login(owner.hub)
    session = session_of(other)
    return other.token, lambda: owner.call("DELETE", f"/api/v1/auth/sessions/{session}")


def all_other_sessions_are_ended(owner):
    return login(owner.hub).token, lambda: owner.post("/api/v1/auth/sessions/revoke-all", {"keep_current": True})


def a_session_is_ended_by_the_owner(owner):
    lodger = resident(owner, next(NAMES))
    path = f"/api/v1/people/{person_id(lodger)}/sessions/{session_of(lodger)}"
    return lodger.token, lambda: owner.call("DELETE", path)


def all_sessions_are_ended_by_the_owner(owner):
    lodger = resident(owner, next(NAMES))
    path = f"/api/v1/people/{person_id(lodger)}/sessions"
    return lodger.token, lambda: owner.call("DELETE", path)


def a_person_is_removed(owner):
    lodger = resident(owner, next(NAMES))
    path = f"/api/v1/people/{person_id(lodger)}"
    return lodger.token, lambda: owner.call("DELETE", path)


ENDINGS = [
    a_programs_token_is_revoked, a_phone_is_taken_off, a_session_is_ended_from_another_one, all_other_sessions_are_ended,
    a_session_is_ended_by_the_owner, all_sessions_are_ended_by_the_owner, a_person_is_removed,
]


@contextlib.contextmanager
def listening(hub, token):
    """A subscriber on both transports. Returns what fills with the moment and the kind of each disconnection."""
    ended = {}

    def on_socket(socket):
        try:
            while True:
                hear(socket)
        except ConnectionClosed as closed:
            ended["socket"] = time.monotonic(), closed.rcvd and closed.rcvd.code

    def on_stream(lines):
        with contextlib.suppress(requests.RequestException):
            for _ in lines:
                pass
        ended["stream"] = time.monotonic(), None

    url, bearer = hub.url + "/api/v1/realtime/events", {"Authorization": f"Bearer {token}"}
    with ws(hub, token) as socket, requests.get(url, headers=bearer, stream=True, timeout=60) as stream:
        subscribe(socket)
        lines = stream.iter_lines(decode_unicode=True)
        assert next(line for line in lines if line.startswith("event: ")) == "event: snapshot"
        for listen, place in ((on_socket, socket), (on_stream, lines)):
            threading.Thread(target=listen, args=(place,), daemon=True).start()
        yield ended


def seconds_until_hung_up_on(hub, owner, ending):
    """Ends the permission of a subscriber on both transports. Returns the seconds until each of the two was disconnected."""
    assert owner.post("/api/v1/auth/step-up", {"password": PASSWORD}).status_code == 200
    token, end = ending(owner)
    with listening(hub, token) as ended:
        begun = time.monotonic()
        answer = end()
        assert answer.status_code in (200, 204), answer.text
        house.until(lambda: len(ended) == 2, "the socket and the stream have ended")
    assert ended["socket"][1] == 4401, ended
    asked = requests.get(hub.url + "/api/v1/devices", headers={"Authorization": f"Bearer {token}"}, timeout=60)
    assert asked.status_code == 401, asked.text
    return [moment - begun for moment, _ in ended.values()]


every_ending = pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: ending.__name__)


@every_ending
def test_a_subscriber_without_permission_is_disconnected(module_hub, module_owner, ending):
    seconds_until_hung_up_on(module_hub, module_owner, ending)
