"""A real hub process for every test that needs one.

`CARDEA_HUB_BINARY` names the binary; without it the debug build of this tree is taken.
"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import house
import pytest
import requests

ROOT = pathlib.Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery staple"


# The slowest files start first; otherwise one worker would still run one when the others are done.
LONGEST_FIRST = (
    "test_contract.py", "test_image.py", "test_tags_terminal.py", "test_home_assistant.py", "test_home_assistant_mqtt.py", "test_web_big_house.py",
    "test_web_privacy.py", "test_discovery.py", "test_command_line.py", "test_offline.py", "test_names.py", "test_buttons.py", "test_tour.py",
    "test_guesses.py", "test_realtime.py", "test_error_table.py", "test_tls.py", "test_crash.py", "test_tags.py", "test_offline_table.py",
    "test_web_key.py",
)


def pytest_configure(config):
    config.addinivalue_line("markers", "long: it belongs to the long suite, `make test-long`")
    config.addinivalue_line("markers", "chaos: it is long by its nature, and belongs to `make chaos`")


def pytest_collection_modifyitems(items):
    rank = {name: number for number, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: rank.get(item.path.name, len(rank)))


# Read by `scripts/test` during the run: a line for the start of each test, for each of its phases, and for its end.
# With several workers, only their controller writes.

def _tell(**record):
    if (path := os.environ.get("CARDEA_TEST_EVENTS")) and "PYTEST_XDIST_WORKER" not in os.environ:
        with open(path, "a") as events:
            events.write(json.dumps(record) + "\n")


def pytest_runtest_logstart(nodeid, location):
    _tell(id=nodeid, what="started")


def pytest_runtest_logfinish(nodeid, location):
    _tell(id=nodeid, what="ended")


def pytest_runtest_logreport(report):
    errors = []
    if report.failed:
        lines = [line for line in report.longreprtext.splitlines() if line.strip()]
        # The lines of the error with their location; then the hub's last log lines.
        errors = [line[:400] for line in lines if line.startswith(("E ", "E\t"))][:12] + lines[-1:]
        errors += [line for name, text in report.sections if name == HUB_LOG for line in text.splitlines()]
    _tell(id=report.nodeid, what=report.when, seconds=report.duration, errors=errors)


def pytest_collectreport(report):
    if report.failed:
        _tell(id=report.nodeid or "collection", what="ended", errors=str(report.longrepr).splitlines()[-12:])


HUB_LOG = "the hub's log"
# The hubs that the running test can have used, in the order of their starts.
RUNNING = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        for hub in RUNNING:
            report.sections.append((HUB_LOG, "".join(hub.log[-40:])))
    return report


class Hub:
    """One running hub. `kill()` is a power cut, `stop()` a clean stop."""

    def __init__(self, command, environment, folder=None):
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=folder)
        self.log = []
        # The pipe is read from the start, or a hub with a long log would block on it.
        self._drain = threading.Thread(target=self._read_log, daemon=True)
        self._drain.start()
        # A hub that hangs at its start ends here, and its log shows the cause.
        guard = threading.Timer(house.LIMIT, self.process.kill)
        guard.start()
        line = self.process.stdout.readline()
        guard.cancel()
        if not line:
            self.process.wait(house.LIMIT)
            self._drain.join(house.LIMIT)
            raise RuntimeError("the hub ended before it was ready: " + "".join(self.log[-60:]))
        self.ready = json.loads(line)
        self.url = self.ready["url"].rstrip("/")
        self.claim_url = self.ready.get("claim_url")
        # The hub's keys stand behind it where it has any.
        self.claim_token = self.claim_url and self.claim_url.split("#")[1].split("&")[0]

    def _read_log(self):
        for line in self.process.stderr:
            self.log.append(line)

    def stop(self):
        """Stops it cleanly and returns its status. A hub that does not end within the limit is killed, and the status shows that."""
        if (ended := self.process.poll()) is None:
            self.process.terminate()
            try:
                self.process.wait(house.LIMIT)
            except subprocess.TimeoutExpired:
                self.process.kill()
        elif ended in (-signal.SIGTRAP, -signal.SIGILL, -signal.SIGSEGV, -signal.SIGABRT):
            self._drain.join(house.LIMIT)
            print(f"the hub ended by itself with {signal.Signals(-ended).name}; its last words:\n" + "".join(self.log[-60:]), file=sys.stderr)
        return self.process.wait(house.LIMIT)

    def kill(self):
        self.process.kill()
        return self.process.wait(house.LIMIT)


# A write may grant access and then needs a recent step-up, by the hub's clock, which a test may move.
OPENS_LATER = tuple(f"/api/v1/{name}" for name in ("guests", "integrations", "automations", "scenes", "devices", "cameras", "webhooks", "tags", "buttons"))


class Owner:
    """The person who claimed the house, with a Bearer token at hand."""

    def __init__(self, hub, tokens):
        self.hub = hub
        self.token = tokens["access_token"]
        self.refresh_token = tokens.get("refresh_token")
        self.signed_in = time.monotonic()

    def call(self, method, path, body=None, **headers):
        headers = {"Authorization": f"Bearer {self.token}", **{k.replace("_", "-"): v for k, v in headers.items()}}
        ask = lambda: requests.request(method, self.hub.url + path, json=body, headers=headers, timeout=60)  # noqa: E731
        answer = ask()
        # A step-up lasts five minutes, and some tests take longer. They repeat it, like a person on the screen.
        is_old = time.monotonic() - self.signed_in > 240 or path.startswith(OPENS_LATER)
        if is_old and answer.status_code == 403 and "step_up_required" in answer.text:
            assert self.post("/api/v1/auth/step-up", {"password": PASSWORD}).ok
            self.signed_in = time.monotonic()
            answer = ask()
        return answer

    def get(self, path, **headers):
        return self.call("GET", path, **headers)

    def post(self, path, body=None, **headers):
        return self.call("POST", path, body, **headers)

    def put(self, path, body=None, **headers):
        return self.call("PUT", path, body, **headers)


@pytest.fixture(scope="session")
def hub_binary():
    binary = pathlib.Path(os.environ.get("CARDEA_HUB_BINARY", ROOT / ".build/debug/cardea-hub"))
    if not binary.exists():
        pytest.fail(f"no hub at {binary}; build it or set CARDEA_HUB_BINARY")
    return binary


@contextlib.contextmanager
def hubs(binary):
    """Returns a function that starts hubs; the fixture stops every hub that still runs, by its process id."""
    running = []

    def start(data_dir, *args, insecure=True, besides=None, by=()):
        """`besides`: extra environment variables. `by`: the program that starts the hub, with its arguments."""
        command = [*by, str(binary), "serve", "--data", str(data_dir), "--json"] + (["--insecure-http"] if insecure else [])
        if "--listen" not in args:
            command += ["--listen", "127.0.0.1:0"]
        environment = {**os.environ, **(besides or {})}
        hub = Hub(command + list(args), environment)
        running.append(hub)
        RUNNING.append(hub)
        return hub

    try:
        yield start
    finally:
        for hub in running:
            hub.stop()
            RUNNING.remove(hub)


@pytest.fixture
def start_hub(hub_binary):
    with hubs(hub_binary) as start:
        yield start


@pytest.fixture(scope="module")
def module_hub(hub_binary, tmp_path_factory, request):
    """One virtual house for all tests of a module; `hub.data` is its folder, and the module's HUB_ARGS add options."""
    with hubs(hub_binary) as start:
        data = tmp_path_factory.mktemp("house")
        hub = start(data, "--virtual-house", *getattr(request.module, "HUB_ARGS", ()))
        hub.data = data
        yield hub


@pytest.fixture(scope="module")
def module_owner(module_hub):
    return Owner(module_hub, house.claim(module_hub, PASSWORD))


@pytest.fixture
def hub(start_hub, tmp_path):
    return start_hub(tmp_path / "house", "--virtual-house")


@pytest.fixture
def owner(hub):
    return Owner(hub, house.claim(hub, PASSWORD))


class MovedClock:
    """The clock of a debug hub started with `besides=clock.environment`: system time plus the seconds that a test sets."""

    def __init__(self, file):
        self.environment = {"CARDEA_CLOCK_FILE": str(file)}
        self._file = file
        self.ahead(0)

    def ahead(self, seconds):
        # In one step, so that the hub never reads half a number.
        fresh = self._file.with_suffix(".new")
        fresh.write_text(str(seconds))
        fresh.replace(self._file)


@pytest.fixture
def moved_clock(tmp_path):
    return MovedClock(tmp_path / "clock")
