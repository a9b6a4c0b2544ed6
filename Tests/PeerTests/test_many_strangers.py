"""A caller without a valid token sends a request to every route of the contract again and again: the house stores a bounded number of audit entries."""

import collections
import concurrent.futures
import contextlib
import http.client
import json
import re
import secrets
import sqlite3
import time

import pytest
import requests

pytestmark = pytest.mark.long
TIMES, THREADS = 50, 4
# A pass's token, an API token, a phone's refresh token, and one of no kind.
KINDS = ("cardea_gp_", "cardea_at_", "cardea_pr_", "")
# The first 31 failures of an address are recorded. Each later one waits twice as long as the one before, a minute at most.
MOST_RECORDS = 100
# Five of different kinds: a person's, a guest's, one that ends a session, a phone's refresh, one that opens a stream.
LASTING = [
    ("GET", "/api/v1/devices"), ("POST", "/api/guest_access/action"), ("POST", "/api/v1/auth/logout"),
    ("POST", "/api/v1/mobile/auth/refresh"), ("POST", "/api/v1/realtime/ticket"),
]
SECONDS = 60


def operations(hub):
    """Every route of the contract, with values filled in for its path parameters."""
    paths = requests.get(hub.url + "/openapi.json", timeout=60).json()["paths"]
    methods = {"get", "head", "post", "put", "patch", "delete"}
    return [(method.upper(), re.sub(r"\{[^}]*\}", "some", path)) for path, item in paths.items() for method in item if method in methods]


def ask(place, asked):
    """Calls each route with as many made-up tokens, over one connection; returns how often each got which answer."""
    host, port = place.split(":")
    answers = collections.Counter()

    def once(method, path, number):
        token = KINDS[number % len(KINDS)] + secrets.token_urlsafe(32)
        headers = {"Authorization": f"Bearer {token}"}
        body = "{}" if method in ("POST", "PUT", "PATCH") else None
        if path.endswith("/auth/refresh"):
            body = json.dumps({"refresh_token": token})
        if body:
            headers["Content-Type"] = "application/json"
        line.request(method, path, body, headers)
        answer = line.getresponse()
        answer.read()
        return answer.status

    with contextlib.closing(http.client.HTTPConnection(host, int(port), timeout=60)) as line:
        for method, path in asked:
            for number in range(TIMES):
                try:
                    status = once(method, path, number)
                except (ConnectionError, http.client.BadStatusLine):
                    # The hub had closed the connection: the next request opens another one.
                    line.close()
                    status = once(method, path, number)
                answers[method, path, status] += 1
    return answers


def count(hub, table):
    with contextlib.closing(sqlite3.connect(f"file:{hub.data}/house.sqlite?mode=ro", uri=True, timeout=60)) as database:
        return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def test_unknown_tokens_on_every_route_add_few_audit_entries(module_hub, module_owner):
    routes = operations(module_hub)
    assert len(routes) > 100
    place = module_hub.url.removeprefix("http://")
    records, counters = count(module_hub, "audit"), count(module_hub, "throttles")

    with concurrent.futures.ThreadPoolExecutor(THREADS) as threads:
        parts = threads.map(lambda first: ask(place, routes[first::THREADS]), range(THREADS))
        answers = sum(parts, collections.Counter())

    assert answers.total() == TIMES * len(routes)
    assert sorted(one for one in answers if one[2] >= 500) == []
    refused = {(method, path) for method, path, status in answers if status in (401, 429)}
    assert len(refused) > len(routes) / 2, "most routes want a token"
    assert count(module_hub, "audit") - records <= MOST_RECORDS
    assert count(module_hub, "throttles") - counters < 20, "one address is counted a few times, whatever it asks for"
    assert module_owner.get("/api/v1/devices").status_code == 200, "who is known is heard from the same address"


def test_a_minute_of_unknown_tokens_on_five_routes_adds_few_audit_entries(module_hub, module_owner):
    assert set(LASTING) <= set(operations(module_hub))
    place = module_hub.url.removeprefix("http://")
    records, counters, end = count(module_hub, "audit"), count(module_hub, "throttles"), time.monotonic() + SECONDS

    def keep_on(route):
        answers = collections.Counter()
        while time.monotonic() < end:
            answers += ask(place, [route])
        return answers

    with concurrent.futures.ThreadPoolExecutor(len(LASTING)) as threads:
        answers = sum(threads.map(keep_on, LASTING), collections.Counter())

    assert {(method, path) for method, path, status in answers if status in (401, 429)} == set(LASTING)
    assert sorted(one for one in answers if one[2] >= 500) == []
    assert count(module_hub, "audit") - records <= MOST_RECORDS
    assert count(module_hub, "throttles") - counters < 20
    assert module_owner.get("/api/v1/devices").status_code == 200
