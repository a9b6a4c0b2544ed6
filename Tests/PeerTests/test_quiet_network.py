"""A claimed house without integrations sends no packet: hubs are used all the time on a machine whose only network interface is monitored.

`CARDEA_QUIET_SECONDS` says for how long (20 in `make test-long`, an hour in `make chaos`).
"""

import contextlib
import os
import socket
import struct
import subprocess
import threading
import time
import warnings

import home_assistant
import house
import pytest
import requests
from conftest import PASSWORD, hubs

pytestmark = pytest.mark.long

SECONDS = int(os.environ.get("CARDEA_QUIET_SECONDS", "20"))
OUT, OWN, GATEWAY = "out0", "10.66.0.2", "10.66.0.1"
OUTGOING = 4  # PACKET_OUTGOING of linux/if_packet.h
EVERYTHING = 0x0003  # ETH_P_ALL of linux/if_ether.h


class Listener:
    """Captures every outgoing packet, except the kernel's own messages about the interface."""

    def __init__(self):
        self.left = []
        self.line = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(EVERYTHING))
        self.line.bind((OUT, 0))
        threading.Thread(target=self.hear, daemon=True).start()

    def hear(self):
        with contextlib.suppress(OSError):
            while True:
                frame, (_, _, kind, _, _) = self.line.recvfrom(65_536)
                if kind == OUTGOING and not self.is_of_the_interface(frame):
                    self.left.append(frame)

    @staticmethod
    def is_of_the_interface(frame):
        """Which multicast groups it has joined, whether there is a router, and whether its address is taken: ICMPv6 143, 133, 135."""
        if frame[12:14] != b"\x86\xdd":
            return False
        kind, rest = frame[20], frame[54:]
        if kind == 0:
            kind, rest = rest[0], rest[8 * (rest[1] + 1):]
        return kind == 58 and (rest[0] in (133, 143) or rest[0] == 135 and frame[22:38] == bytes(16))

    def shown(self):
        return [frame[:96].hex() for frame in self.left[:5]]


@pytest.fixture
def way_out(tmp_path):
    """This machine has loopback, and one interface for everything else, DNS queries too."""
    with home_assistant.one_host_network():
        for words in (
            # The other end of the cable leads nowhere, and a sender needs no address resolution on it.
            f"link add {OUT} type veth peer name end0", f"link set {OUT} arp off", "link set end0 addrgenmode none", "link set end0 up",
            f"addr add {OWN}/24 dev {OUT}", f"link set {OUT} up", f"-6 addr add fd66::2/64 dev {OUT} nodad", f"route add default via {GATEWAY}",
            f"-6 route add default dev {OUT}",
        ):
            subprocess.run(["ip", *words.split()], check=True)
        listener = Listener()
        try:
            yield listener
        finally:
            listener.line.close()


@pytest.fixture
def apart(tmp_path):
    """A program that resolves names at the gateway, and reaches no daemon of this machine."""
    (tmp_path / "resolv.conf").write_text(f"nameserver {GATEWAY}\noptions timeout:1 attempts:1\n")

    def wrapped(program):
        script = tmp_path / f"apart-{os.path.basename(program)}"
        script.write_text(
            f"#!/bin/sh\nexec unshare --mount sh -c 'mount -t tmpfs none /run && mount --bind {tmp_path}/resolv.conf /etc/resolv.conf"
            f" && exec \"$0\" \"$@\"' {program} \"$@\"\n")
        script.chmod(0o755)
        return script

    return wrapped


class Life:
    """The daily use of a house, over and over: every answer is as expected."""

    def __init__(self, hub, url):
        self.url, self.rounds, self.token = url, 0, None
        self.session = requests.Session()
        claim = {
            "claim_token": hub.claim_token, "username": "owner", "password": PASSWORD, "house_name": "Linden Street 14",
            "time_zone": "Europe/Berlin", "name": "Owner"}
        self.token = self.ask("POST", "/api/v1/claim", claim)["access_token"]
        self.me = self.ask("GET", "/api/v1/people/me")["person_id"]

    def ask(self, method, path, body=None, token=None):
        headers = {"Authorization": f"Bearer {token or self.token}"} if token or self.token else {}
        # The house has its own certificate, which its people know by its key.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = self.session.request(method, self.url + path, json=body, headers=headers, timeout=60, verify=False)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.headers.get("Content-Type", "").startswith("application/json") else answer.content

    def round(self):
        self.token = self.ask("POST", "/api/v1/auth/login", {"username": "owner", "password": PASSWORD})["access_token"]
        for path in ("/", "/openapi.json", "/api/v1/devices", "/api/v1/house", "/api/v1/activity", "/api/v1/notices", "/metrics"):
            self.ask("GET", path)
        self.ask("PUT", "/api/v1/devices/front-door/control", {"action": "lock"})
        made = self.ask("POST", "/api/v1/guests", house.draft())
        guest = self.ask("POST", "/api/guest_access/pair", {"pairing_code": made["pairing_code"]})["guest_token"]
        self.ask("POST", "/api/guest_access/action", {"action": "door.open"}, token=guest)
        self.ask("POST", f"/api/v1/guests/{made['guest_id']}/revoke")
        self.ask("POST", "/api/v1/events", {"source": "porch", "type": "person", "occurred_at": house.in_seconds(0), "description": "A parcel"})
        for question in ("is the front door locked?", "who came to the door?", "why are you worried?", "what will tomorrow bring at example.org?"):
            self.ask("POST", "/api/v1/consciousness/query", {"query": question})
        self.ask("POST", "/api/v1/memory", {"type": "semantic", "content": "The manual is at https://example.org/manual"})
        if self.rounds < 2:
            job = self.ask("POST", f"/api/v1/people/{self.me}/export")["job_id"]
            house.until(lambda: self.ask("GET", f"/api/v1/jobs/{job}")["state"] == "done", "it is packed")
            self.ask("GET", self.ask("GET", f"/api/v1/jobs/{job}")["link"])
        self.ask("POST", "/api/v1/audit/export", {"format": "json"})
        self.rounds += 1


def test_no_packet_leaves_the_machine_while_the_house_is_used(way_out, apart, hub_binary, tmp_path, capsys):
    program = apart(hub_binary)
    with hubs(program) as start:
        # With the default options, and on every address of the machine.
        here = start(tmp_path / "here", "--virtual-house")
        everywhere = start(tmp_path / "everywhere", "--virtual-house", "--listen", "0.0.0.0:8300", insecure=False)
        lives = [Life(here, here.url), Life(everywhere, f"https://{OWN}:8300")]
        until = time.monotonic() + SECONDS
        while time.monotonic() < until or any(life.rounds < 2 for life in lives):
            for number, life in enumerate(lives):
                life.round()
                assert way_out.left == [], f"left in round {life.rounds} of house {number}: {way_out.shown()}"
            if lives[0].rounds in (1, 2):
                archive = tmp_path / f"{lives[0].rounds}.backup"
                subprocess.run(
                    [program, "backup", "--data", tmp_path / "here", "--out", archive, "--json"], check=True, capture_output=True, timeout=120)
        for hub in (here, everywhere):
            assert hub.stop() == 0
        assert way_out.left == [], way_out.shown()
    with capsys.disabled():
        print(f"\nnothing left in {SECONDS} s: {[life.rounds for life in lives]} rounds")

    # The control: any other packet is captured.
    with socket.socket() as line:
        line.setblocking(False)
        line.connect_ex(("198.51.100.7", 443))
        house.until(lambda: any(socket.inet_aton("198.51.100.7") in frame for frame in way_out.left), "a connection is heard")
    subprocess.run([apart("/usr/bin/getent"), "hosts", "example.org"], capture_output=True, timeout=60)
    house.until(lambda: any(b"\x07example\x03org" in frame for frame in way_out.left), "a question for a name is heard")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(OWN))
        line.sendto(struct.pack(">HHHHHH", 0, 0, 0, 0, 0, 0), ("224.0.0.251", 5353))
    house.until(lambda: any(socket.inet_aton("224.0.0.251") in frame for frame in way_out.left), "a word to the neighbours is heard")
