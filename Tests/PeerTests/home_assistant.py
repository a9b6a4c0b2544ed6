"""A real Home Assistant with its demo house, in its own network namespace, because it scans the network it is on."""

import contextlib
import ctypes
import json
import os
import pathlib
import subprocess
import threading

import pytest
import requests

import house

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLONE_NEWNET = 0x40000000

CONFIGURATION = """
homeassistant: {{name: Demo, latitude: 0, longitude: 0, elevation: 0, unit_system: metric, time_zone: UTC}}
http: {{server_host: 127.0.0.1, server_port: {port}}}
api:
websocket_api:
auth:
config:
onboarding:
person:
demo:
logger: {{default: error}}
"""

SLOW_BOLTS = """
import runpy
from homeassistant.components.demo import lock
lock.LOCK_UNLOCK_DELAY = {seconds}
runpy.run_module("homeassistant", run_name="__main__", alter_sys=True)
"""


def installed():
    """The versions that `scripts/home-assistant` has installed."""
    return sorted(folder.name for folder in (ROOT / ".ha").glob("*") if (folder / "requirements.txt").exists())


@contextlib.contextmanager
def one_host_network():
    """Moves this thread, and every process it starts, to a network with loopback only."""
    libc = ctypes.CDLL(None, use_errno=True)
    home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    try:
        if libc.unshare(CLONE_NEWNET) != 0:
            pytest.fail(f"Home Assistant is met in a network namespace, which needs root: {os.strerror(ctypes.get_errno())}")
        try:
            for words in ("link set lo up", "link set lo multicast on", "route add 224.0.0.0/4 dev lo"):
                subprocess.run(["ip", *words.split()], check=True)
            yield
        finally:
            if libc.setns(home, CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "the way back to the usual network is lost")
    finally:
        os.close(home)


class Line:
    """Another client of Home Assistant, with a client library that is not ours."""

    def __init__(self, assistant, token):
        self.answers, self.events = {}, []
        self.count = 0
        self.process = subprocess.Popen(
            [str(assistant.folder / "bin/python"), str(pathlib.Path(__file__).with_name("home_assistant_line.py")), assistant.url],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._write({"access_token": token})
        assert json.loads(self.process.stdout.readline())["type"] == "auth_ok"
        threading.Thread(target=self._read, daemon=True).start()

    def _write(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def _read(self):
        for text in self.process.stdout:
            message = json.loads(text)
            if message["type"] == "event":
                self.events.append(message["event"])
            else:
                self.answers[message["id"]] = message

    def ask(self, kind, **fields):
        self.count += 1
        number = self.count
        self._write({"type": kind, **fields})
        answer = house.until(lambda: self.answers.get(number), f"an answer to {kind}")
        assert answer["success"], answer
        return answer["result"]

    def close(self):
        self.process.stdin.close()
        self.process.wait(60)


class HomeAssistant:
    def __init__(self, version, folder, more=""):
        """`more` is appended to its configuration."""
        self.folder = ROOT / ".ha" / version
        self.config = folder
        self.port = house.free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        (folder / "configuration.yaml").write_text(CONFIGURATION.format(port=self.port) + more)
        self.process = None

    def start(self, bolt_seconds=None):
        """`bolt_seconds`: how long its demo's locks take, where that is not the usual two seconds."""
        log = open(self.config / "output.txt", "ab")
        run = ["-m", "homeassistant"] if bolt_seconds is None else ["-c", SLOW_BOLTS.format(seconds=bolt_seconds)]
        command = [str(self.folder / "bin/python"), *run, "-c", str(self.config), "--skip-pip"]
        self.process = subprocess.Popen(command, stdout=log, stderr=log)
        log.close()
        house.until(self.answers, "Home Assistant is up")

    def answers(self):
        assert self.process.poll() is None, (self.config / "output.txt").read_text()[-4000:]
        with contextlib.suppress(requests.ConnectionError, requests.Timeout):
            return requests.get(self.url + "/api/onboarding", timeout=60).status_code in (200, 401, 404)

    def kill(self):
        """Kills it like a power cut."""
        self.process.kill()
        self.process.wait(60)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.kill()

    def move_in(self):
        """Creates the first user and a long-lived token for them."""
        user = {"client_id": self.url + "/", "name": "Owner", "username": "owner", "password": "secret", "language": "en"}
        code = requests.post(self.url + "/api/onboarding/users", json=user, timeout=60).json()["auth_code"]
        form = {"grant_type": "authorization_code", "code": code, "client_id": self.url + "/"}
        access = requests.post(self.url + "/auth/token", data=form, timeout=60).json()["access_token"]
        line = Line(self, access)
        self.token = line.ask("auth/long_lived_access_token", client_name="Cardea", lifespan=365)
        line.close()

    def line(self):
        return Line(self, self.token)

    def set_up(self, integration, **answers):
        """Sets an integration up like its owner on the settings page."""
        flow = requests.post(
            f"{self.url}/api/config/config_entries/flow", json={"handler": integration}, headers=self._headers, timeout=60).json()
        done = requests.post(
            f"{self.url}/api/config/config_entries/flow/{flow['flow_id']}", json=answers, headers=self._headers, timeout=60).json()
        assert done["type"] == "create_entry", done

    @property
    def _headers(self):
        return {"Authorization": f"Bearer {self.token}"}

    def state(self, entity_id):
        return requests.get(f"{self.url}/api/states/{entity_id}", headers=self._headers, timeout=60).json()

    def say(self, entity_id, state, **attributes):
        """Sets the state of an entity, existing or not, like a program of the household."""
        answer = requests.post(
            f"{self.url}/api/states/{entity_id}", json={"state": state, "attributes": attributes}, headers=self._headers, timeout=60)
        assert answer.status_code in (200, 201), answer.text

    def fire(self, event):
        """Presses a button of its demo house."""
        answer = requests.post(f"{self.url}/api/events/{event}", json={}, headers=self._headers, timeout=60)
        assert answer.status_code == 200, answer.text

    def do(self, domain, service, entity_id, **data):
        answer = requests.post(
            f"{self.url}/api/services/{domain}/{service}", json={"entity_id": entity_id, **data}, headers=self._headers, timeout=60)
        assert answer.status_code == 200, answer.text
