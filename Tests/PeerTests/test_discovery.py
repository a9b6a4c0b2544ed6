"""A house on the local network: announced through a real Avahi, found by the terminal, told from an impostor, and reached from elsewhere."""

import json
import os
import pty
import re
import signal
import subprocess
import sys

import pytest

import street as streets
from conftest import PASSWORD, hubs
from house import until
from test_command_line import DONE, REFUSED, UNREACHABLE, USAGE, Terminal, cli_binary, read_until

pytestmark = pytest.mark.long

NAME = "Linden Street 14"
FOUND_AT = "10.77.0.1:8300"
ON = ("--listen", "0.0.0.0:8300", "--virtual-house", "--relay-from", "127.0.0.1")


@pytest.fixture
def street(tmp_path):
    with streets.street(tmp_path) as hosts:
        yield hosts


@pytest.fixture
def start(street, hub_binary):
    """Starts hubs on the house's machine."""
    with hubs(street[0].binary(hub_binary)) as start:
        yield lambda folder, *args: start(folder, *args, insecure=False)


@pytest.fixture
def people(street, cli_binary, tmp_path):
    """Terminals on the phone."""
    binary = street[1].binary(cli_binary)
    return lambda name: Terminal(binary, tmp_path / name)


@pytest.fixture
def hub(start, people, tmp_path):
    """A house with an owner."""
    hub = start(tmp_path / "data", *ON)
    people("ada").run(
        "claim", "--hub", "https://10.77.0.1:8300", "--pin", hub.ready["pin"], "--username", "ada", "--house", NAME,
        typed=f"{hub.claim_url}\n{PASSWORD}\n")
    return hub


def found(terminal):
    return terminal.json("discover", "--seconds", "2")["houses"]


def way(terminal):
    return terminal.json("status")["route"]


def goes(terminal, kind, **where):
    """Waits until the house is reached this way: after a slow answer the terminal tries another way first."""
    until(lambda: (way(terminal) or {}).items() >= {"kind": kind, **where}.items(), f"{kind} {where}")


def sign_in(person, hub):
    """Signs in without an address. The terminal looks for the house for four seconds, which a slow machine may miss: then once more."""

    def tried():
        login = person.start("login", "--pin", hub.ready["pin"], "--username", "ada")
        _, said = login.communicate(PASSWORD, timeout=60)
        assert login.returncode in (DONE, USAGE, UNREACHABLE), said
        return login.returncode == DONE

    until(tried, "the house is found and signed in to")


def test_a_house_is_announced_under_its_name_with_its_key(hub, street, people):
    sign = until(lambda: next((sign for sign in street[1].signs() if sign[0] == NAME), None), "the house is seen by avahi-browse")
    assert sign[1:3] == ("10.77.0.1", 8300)
    for text in (f'"pin={hub.ready["pin"]}"', '"base_url=https://house.local:8300"', f'"location_name={NAME}"', '"api=/api/v1"'):
        assert text in sign[3], sign
    house, = until(lambda: found(people("stranger")), "a terminal finds it")
    assert (house["name"], house["pin"], house["url"]) == (NAME, hub.ready["pin"], "https://house.local:8300")
    assert FOUND_AT in house["addresses"] and len(house["uuid"]) == 32
    until(lambda: NAME in people("stranger").run("discover", "--seconds", "2").stdout, "a terminal shows it")


def test_the_announcement_returns_with_avahi_and_ends_with_the_hub(hub, street):
    phone, house = street[1], street[0]
    until(lambda: any(sign[0] == NAME for sign in phone.signs()), "announced")
    house.stop_avahi()
    until(lambda: not phone.signs(), "the goodbye is heard")
    until(lambda: any("no Bonjour daemon answers" in line for line in hub.log), "it is said once")
    house.start_avahi()
    until(lambda: any(sign[0] == NAME for sign in phone.signs()), "announced again")
    assert sum("no Bonjour daemon answers" in line for line in hub.log) == 1
    hub.stop()
    until(lambda: not phone.signs(), "gone with the hub")


def test_a_loopback_hub_and_a_hub_without_discovery_announce_nothing(start, street, tmp_path):
    start(tmp_path / "own", "--listen", "127.0.0.1:8302")
    start(tmp_path / "shy", "--listen", "0.0.0.0:8303", "--no-bonjour")
    # Once a later hub is announced, an earlier one would be too.
    start(tmp_path / "shown", "--listen", "10.77.0.1:8301")
    until(lambda: street[1].signs(), "the daemon does its work")
    assert {sign[2] for sign in street[0].signs()} == {8301}


def test_argusai_apps_find_the_house_where_that_is_enabled(start, street, tmp_path):
    house, phone = street
    plain = start(tmp_path / "plain", "--listen", "10.77.0.1:8301")
    until(phone.signs, "announced")
    assert not phone.signs("_argusai._tcp"), "not unless it is wanted"
    plain.stop()
    until(lambda: not phone.signs(), "gone")
    too = start(tmp_path / "too", "--listen", "10.77.0.1:8302", "--announce-argusai")
    until(phone.signs, "announced as ever")
    sign, = until(lambda: phone.signs("_argusai._tcp"), "it is seen by avahi-browse")
    assert sign[1:3] == ("10.77.0.1", 8302)
    for text in ('"ssl=true"', '"api_port=8302"', f'"pin={too.ready["pin"]}"', '"api=/api/v1"'):
        assert text in sign[3], sign
    too.stop()
    until(lambda: not phone.signs("_argusai._tcp"), "gone with the hub")
    with pytest.raises(RuntimeError, match="--announce-argusai does not work with --no-bonjour"):
        start(tmp_path / "shy", "--listen", "10.77.0.1:8303", "--no-bonjour", "--announce-argusai")


CONNECT = """
import json, ssl, sys, urllib.request

def ask(method, path, body, token=None):
    head = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    asked = urllib.request.Request(f"https://10.77.0.1:8300/api/v1{path}", json.dumps(body).encode(), head, method=method)
    return json.load(urllib.request.urlopen(asked, context=ssl._create_unverified_context(), timeout=60))

token = ask("POST", "/auth/login", {"username": "ada", "password": sys.argv[1]})["access_token"]
ask("PUT", "/integrations/home-assistant", {"url": sys.argv[2], "token": "a-token"}, token)
"""


def nearby(terminal):
    return terminal.json("integrations", "nearby")


def test_a_device_found_nearby_is_suggested_until_its_goodbye(hub, street, people):
    house, phone = street
    ada = people("ada")
    until(lambda: nearby(ada) == {"status": "looking", "found": [], "more": False}, "the house looks around")
    assert "No devices or servers found." in ada.run("integrations", "nearby").stdout
    texts = ("location_name=Linden Attic", "version=2026.11.1", "base_url=http://phone.local:8123", "internal_url=http://phone.local:8123", "uuid=0")
    with streets.published(phone, "Home", "_home-assistant._tcp", 8123, *texts):
        one, = until(lambda: nearby(ada)["found"], "it is found")
        assert one == {
            "kind": "home-assistant", "name": "Linden Attic", "host": "phone.local", "port": 8123, "address": "10.77.0.2",
            "version": "2026.11.1", "url": "http://phone.local:8123", "advice": "connect"}
        shown = ada.run("integrations", "nearby").stdout
        assert "Linden Attic" in shown and "http://phone.local:8123" in shown and "can be connected" in shown
        # With another spelling of the address.
        phone.run(sys.executable, "-c", CONNECT, PASSWORD, "http://10.77.0.2:8123")
        assert nearby(ada)["found"][0]["advice"] == "connected"
        assert "set up" in ada.run("integrations", "nearby").stdout
        assert "http://10.77.0.2:8123" in ada.run("integrations").stdout
    until(lambda: not nearby(ada)["found"], "gone with its goodbye")


def test_an_unsupported_device_is_suggested_through_home_assistant(hub, street, people):
    house, phone = street
    ada = people("ada")
    with streets.published(phone, "Cellar lock", "_hap._tcp", 51826, "md=Bolt 2", "ci=6", "sf=1"), \
            streets.published(phone, "87E1B004E235A130-8FC7772401CD0696", "_matter._tcp", 5540, "SII=5000"):
        lock, lamp = until(lambda: len(found := nearby(ada)["found"]) == 2 and found, "both are found")
        assert lock == {
            "kind": "homekit", "name": "Cellar lock", "host": "phone.local", "port": 51826, "model": "Bolt 2", "category": "door lock",
            "is_paired": False, "advice": "through_home_assistant"}
        assert (lamp["kind"], lamp["advice"], lamp["port"]) == ("matter", "through_home_assistant", 5540)
        # Without a daemon the hub reports that it cannot look, and after its return all are there again.
        house.stop_avahi()
        until(lambda: nearby(ada)["status"] == "unavailable", "nobody can look")
        assert "no Bonjour daemon" in ada.run("integrations", "nearby").stdout
        house.start_avahi()
        until(lambda: len(nearby(ada)["found"]) == 2, "both are found again")


def test_a_flood_of_announcements_from_one_host_is_bounded(hub, street, people):
    house, phone = street
    ada = people("ada")
    with streets.published(phone, "\x1b[31mHome\u202e", "_home-assistant._tcp", 8123, "base_url=http://127.0.0.1:8300", "version=\x1b]0;x\x07"):
        with streets.program(phone, streets.SHOUT, "10.77.0.2", "300"):
            until(lambda: nearby(ada)["more"], "there are more than are listed")
            # The daemon drops some of the flood.
            until(lambda: len(nearby(ada)["found"]) > 40, "those that are kept are asked")
            until(lambda: "home-assistant" in {one["kind"] for one in nearby(ada)["found"]}, "and hold up nobody of another kind")
        answer = nearby(ada)
        shouters = [one for one in answer["found"] if one["kind"] == "homekit"]
        home, = (one for one in answer["found"] if one["kind"] == "home-assistant")
        assert len(shouters) <= 64
        # A suggestion never connects the hub to itself.
        assert (home["name"], home["url"], home["version"]) == ("[31mHome", "http://10.77.0.2:8123", "]0;x")
        for one in answer["found"]:
            for text in map(str, one.values()):
                assert text.isprintable() and len(text) <= 100, one
        assert all(ord(sign) >= 32 or sign == "\n" for sign in ada.run("integrations", "nearby").stdout)
        assert ada.run("open", "front-door").returncode == DONE
    assert not [line for line in hub.log if "Shouter" in line]


def test_sign_in_without_an_address_by_the_hub_key(hub, people):
    until(lambda: any(house["name"] == NAME for house in found(people("bo"))), "announced")
    bo = people("bo")
    assert "Add the hub's address" in bo.run("login", "--username", "ada", typed=PASSWORD, expect=USAGE).stderr
    wrong = "sha256/" + "A" * 43 + "="
    bo.run("login", "--pin", wrong, "--username", "ada", typed=PASSWORD, expect=USAGE)
    sign_in(bo, hub)
    assert bo.kept()["hub"] == "https://house.local:8300"
    goes(bo, "local", host="10.77.0.1", port=8300)
    until(lambda: f"found on this network at {FOUND_AT}" in bo.run("status").stdout, "it is said where")
    assert bo.run("open", "front-door").returncode == DONE


def asked_whether(person):
    """Starts to sign in at a terminal; None where no house was found within the four seconds."""
    pid, screen = pty.fork()
    if pid == 0:
        os.execve(person.binary, [str(person.binary), "login", "--username", "ada"], {**person.env, "TERM": "xterm"})
    shown = read_until(screen, re.compile(rb"\(yes/no\)|Address of the hub"))
    if b"(yes/no)" in shown:
        return pid, screen, shown
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(screen)
    return None


@pytest.mark.parametrize("answer, signed_in", [("yes", True), ("no", False)])
def test_the_terminal_asks_whether_the_hub_key_is_right(hub, people, answer, signed_in):
    bo = people("bo")
    until(lambda: any(house["name"] == NAME for house in found(bo)), "announced")
    pid, screen, shown = until(lambda: asked_whether(bo), "the house is found")
    assert hub.ready["pin"].encode() in shown and NAME.encode() in shown
    os.write(screen, answer.encode() + b"\n")
    if signed_in:
        read_until(screen, b"Password: ")
        os.write(screen, PASSWORD.encode() + b"\n")
        read_until(screen, f"Signed in to {NAME} as ada.".encode())
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == (DONE if signed_in else REFUSED)
    assert signed_in == (bo.home / "home.json").exists()


def test_an_impostor_with_the_same_announcement_gets_no_secret(hub, street, people, tmp_path):
    house, phone = street
    bo = people("bo")
    sign = until(lambda: next((sign for sign in phone.signs() if sign[0] == NAME), None), "announced")
    texts = [text.strip('"') for text in sign[3].split('" "')]
    sign_in(bo, hub)
    certificate = tmp_path / "thief.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=house.local",
         "-keyout", str(certificate), "-out", str(certificate) + ".crt"], check=True, capture_output=True)
    certificate.write_text(certificate.read_text() + (tmp_path / "thief.pem.crt").read_text())
    with streets.program(house, streets.THIEF, "10.77.0.1", "8301", certificate) as thief:
        publish = subprocess.Popen(
            house.inside("avahi-publish", "-s", NAME + " ", "_cardea._tcp", "8301", *texts), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until(lambda: {sign[2] for sign in phone.signs()} == {8300, 8301}, "both signs are up")
            # Beside the real one nothing changes, also for a terminal that looks for the first time.
            assert until(lambda: way(bo), "the house is reached")["port"] == 8300
            cy = people("cy")
            sign_in(cy, hub)
            assert until(lambda: way(cy), "the house is reached")["port"] == 8300
            # Alone, it is not taken for the house, and the other way round.
            hub.stop()
            until(lambda: {sign[2] for sign in phone.signs()} == {8301}, "the house is gone")
            bo.run("open", "front-door", expect=UNREACHABLE)
            di = people("di")
            looked = lambda: di.run("login", "--pin", hub.ready["pin"], "--username", "ada", typed=PASSWORD, expect=USAGE)  # noqa: E731
            until(lambda: looked() and "knock" in thief(), "it was asked whether it has the key")
            assert not [line for line in thief() if line.startswith("heard")], "and was told nothing"
        finally:
            publish.kill()
            publish.wait(60)


def test_the_terminal_uses_the_relay_away_and_the_direct_way_at_home(hub, street, people):
    house, phone = street
    bo = people("bo")
    until(lambda: any(sign[0] == NAME for sign in phone.signs()), "announced")
    sign_in(bo, hub)
    with streets.program(house, streets.PASS_ON, "10.78.0.1", "9443", "127.0.0.1", "8300"):
        assert "10.78.0.1:9443" in bo.run("relay", "set", "https://10.78.0.1:9443").stdout
        goes(bo, "local")
        # A pass for the home network only.
        code = bo.json("guests", "invite", "Plumber", "--door", "front-door", "--local-only")["pairing_code"]
        bo.run("pair", typed=code)
        bo.run("open", "front-door", "--pass")

        phone.cut(streets.HOME)

        bo.run("open", "front-door")
        refused = bo.error("open", "front-door", "--pass")
        assert refused["code"] == "forbidden_remote", "who comes by the relay is not at home"
        goes(bo, "relay", host="10.78.0.1", port=9443)
        assert "through the relay 10.78.0.1:9443" in bo.run("status").stdout

        phone.cut(streets.HOME, up=True)

        goes(bo, "local")
        bo.run("open", "front-door")
        assert bo.json("relay")["relays"] == ["10.78.0.1:9443"]


def test_a_relay_to_another_hub_is_not_stored(hub, street, people, start, tmp_path):
    bo = people("ada")
    start(tmp_path / "other", "--listen", "10.78.0.1:8444", "--no-bonjour")
    assert "does not have the house's key" in bo.run("relay", "set", "https://10.78.0.1:8444", expect=REFUSED).stderr
    assert bo.json("relay")["relays"] == []


def test_a_house_that_moved_is_found_at_its_new_address(hub, street, people):
    house, phone = street
    bo = people("bo")
    until(lambda: any(sign[0] == NAME for sign in phone.signs()), "announced")
    sign_in(bo, hub)
    house.run("ip", "addr", "del", "10.77.0.1/24", "dev", streets.HOME)
    house.run("ip", "addr", "add", "10.77.0.9/24", "dev", streets.HOME)
    until(lambda: any(sign[1] == "10.77.0.9" for sign in phone.signs()), "announced anew")
    goes(bo, "local", host="10.77.0.9")
    kept = json.loads((bo.home / "home.json").read_text())["routes"]
    assert kept[0]["ways"]["last_local"]["host"] == "10.77.0.9"
