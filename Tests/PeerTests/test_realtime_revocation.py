"""Whoever may listen no longer is hung up on within a second, whatever ended their right and whoever did: on a socket, and on a stream of events."""

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

# The second is the house's own, and not that of whoever else wants this machine.
pytestmark = pytest.mark.alone
TRIALS = 3
NAMES = (f"lodger{number}" for number in itertools.count())


def session_of(person):
    return next(s["session_id"] for s in person.get("/api/v1/auth/sessions").json()["sessions"] if s["current"])


def person_id(person):
    return person.get("/api/v1/people/me").json()["person_id"]


# Each answers the token of somebody who may listen, and what ends that.


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
    """Somebody who listens both ways. Answers what fills with the moment at which each of them ended, and with how."""
    ended = {}

    def on_socket(socket):
        try:
            while True:
                hear(socket, within=30)
        except ConnectionClosed as closed:
            ended["socket"] = time.monotonic(), closed.rcvd and closed.rcvd.code

    def on_stream(lines):
        with contextlib.suppress(requests.RequestException):
            for _ in lines:
                pass
        ended["stream"] = time.monotonic(), None

    url, bearer = hub.url + "/api/v1/realtime/events", {"Authorization": f"Bearer {token}"}
    with ws(hub, token) as socket, requests.get(url, headers=bearer, stream=True, timeout=30) as stream:
        subscribe(socket)
        lines = stream.iter_lines(decode_unicode=True)
        assert next(line for line in lines if line.startswith("event: ")) == "event: snapshot"
        for listen, place in ((on_socket, socket), (on_stream, lines)):
            threading.Thread(target=listen, args=(place,), daemon=True).start()
        yield ended


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: ending.__name__)
def test_whoever_may_listen_no_longer_is_hung_up_on_within_a_second(module_hub, module_owner, capsys, ending):
    took = []
    for _ in range(TRIALS):
        assert module_owner.post("/api/v1/auth/step-up", {"password": PASSWORD}).status_code == 200
        token, end = ending(module_owner)
        with listening(module_hub, token) as ended:
            begun = time.monotonic()
            answer = end()
            assert answer.status_code in (200, 204), answer.text
            house.until(lambda ended=ended: len(ended) == 2, 5, "the socket and the stream have ended")
        assert ended["socket"][1] == 4401, ended
        took += [moment - begun for moment, _ in ended.values()]
        asked = requests.get(module_hub.url + "/api/v1/devices", headers={"Authorization": f"Bearer {token}"}, timeout=10)
        assert asked.status_code == 401, asked.text
    with capsys.disabled():
        print(f"\n{ending.__name__.replace('_', ' ')}, {TRIALS} times: hung up on after at most {max(took) * 1000:.0f} ms")
    assert max(took) <= 1
