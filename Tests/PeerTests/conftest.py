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

import house
import pytest
import requests

ROOT = pathlib.Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery staple"


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: it measures time, so nothing else runs beside it")


class Hub:
    """One running hub. `kill()` is the power cut, `stop()` the polite end."""

    def __init__(self, process, ready):
        self.process = process
        self.ready = ready
        self.url = ready["url"].rstrip("/")
        self.claim_url = ready.get("claim_url")
        # The hub's keys stand behind it where it has any.
        self.claim_token = self.claim_url and self.claim_url.split("#")[1].split("&")[0]
        self.log = []
        # The pipe is drained, or a talkative hub would block on its own log.
        self._drain = threading.Thread(target=self._read_log, daemon=True)
        self._drain.start()

    def _read_log(self):
        for line in self.process.stderr:
            self.log.append(line)

    def stop(self, timeout=15):
        if (ended := self.process.poll()) is None:
            self.process.terminate()
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                self.process.kill()
        elif ended in (-signal.SIGTRAP, -signal.SIGILL, -signal.SIGSEGV, -signal.SIGABRT):
            self._drain.join(5)
            print(f"the hub ended by itself with {signal.Signals(-ended).name}; its last words:\n" + "".join(self.log[-60:]), file=sys.stderr)
        return self.process.wait(timeout)

    def kill(self):
        self.process.kill()
        return self.process.wait(15)


class Owner:
    """The person who claimed the house, with a Bearer token at hand."""

    def __init__(self, hub, tokens):
        self.hub = hub
        self.token = tokens["access_token"]
        self.refresh_token = tokens.get("refresh_token")

    def call(self, method, path, body=None, **headers):
        headers = {"Authorization": f"Bearer {self.token}", **{k.replace("_", "-"): v for k, v in headers.items()}}
        ask = lambda: requests.request(method, self.hub.url + path, json=body, headers=headers, timeout=30)  # noqa: E731
        answer = ask()
        # Some tests take longer than five minutes. Who hands over a pass then says who it is, as they would on the screen.
        if path.startswith("/api/v1/guests") and answer.status_code == 403 and "step_up_required" in answer.text:
            assert self.post("/api/v1/auth/step-up", {"password": PASSWORD}).ok
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
    """Answers a function that starts hubs; whatever still runs at the end is stopped by its own process id."""
    running = []

    def start(data_dir, *args, insecure=True, besides=None):
        """`besides`: what stands in its environment beside what stands in ours."""
        command = [str(binary), "serve", "--data", str(data_dir), "--json"] + (["--insecure-http"] if insecure else [])
        if "--listen" not in args:
            command += ["--listen", "127.0.0.1:0"]
        environment = {**os.environ, **(besides or {})}
        process = subprocess.Popen(command + list(args), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the hub ended before it was ready: {process.stderr.read()}")
        hub = Hub(process, json.loads(line))
        running.append(hub)
        return hub

    try:
        yield start
    finally:
        for hub in running:
            hub.stop()


@pytest.fixture
def start_hub(hub_binary):
    with hubs(hub_binary) as start:
        yield start


@pytest.fixture(scope="module")
def module_hub(hub_binary, tmp_path_factory, request):
    """One virtual house for all tests of a module; `hub.data` is its folder, the module's HUB_ARGS say more about it."""
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
