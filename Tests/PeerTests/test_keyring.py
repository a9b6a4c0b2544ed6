"""A desktop with a real GNOME keyring, on its own session bus. It stores the terminal's tokens, the key of its replica, and
the key of a house that is served there."""

import json
import pathlib
import shutil
import subprocess
import tempfile

import house
import pytest
from conftest import PASSWORD
from test_command_line import DONE, NOT_SIGNED_IN, UNREACHABLE, cli_binary, resident, signed_in, terminal  # noqa: F401

pytestmark = pytest.mark.long

BUS = """<busconfig><type>session</type><listen>unix:path={0}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>"""


class Desktop:
    def __init__(self):
        # The paths of its sockets must be short.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cardea-", dir="/tmp"))
        self.env = {
            "HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder), "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.folder}/bus",
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
        }
        configuration = self.folder / "bus.conf"
        configuration.write_text(BUS.format(self.folder))
        self.programs = [subprocess.Popen(
            ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile", "--print-address"], env=self.env,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)]
        self.programs[0].stdout.readline()
        keyring = subprocess.Popen(
            ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"], env=self.env, stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
        self.programs.append(keyring)
        keyring.stdin.write("house")
        keyring.stdin.close()
        # Without a service folder the bus answers at once until the keyring is there.
        house.until(lambda: keyring.poll() is not None or self.call("org.freedesktop.DBus.Peer.Ping").returncode == 0, "the keyring is there")
        assert keyring.poll() is None

    def call(self, method, *arguments):
        return subprocess.run(
            ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets", method, *arguments],
            env=self.env, capture_output=True, timeout=60)

    def lock(self):
        done = self.call("org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login")
        assert done.returncode == 0

    def secret(self, name):
        return subprocess.run(
            ["secret-tool", "lookup", "service", "cardea", "account", name], env=self.env, capture_output=True, text=True, timeout=60).stdout

    def end(self):
        for program in reversed(self.programs):
            program.kill()
            program.wait()
        shutil.rmtree(self.folder)


@pytest.fixture
def desktop():
    desktop = Desktop()
    yield desktop
    desktop.end()


def names(desktop):
    """The names under which the keyring stores our secrets."""
    found = subprocess.run(
        ["secret-tool", "search", "--all", "service", "cardea"], env=desktop.env, capture_output=True, text=True, timeout=60)
    return sorted(line.split(" = ", 1)[1] for line in (found.stdout + found.stderr).splitlines() if line.startswith("attribute.account"))


def test_tokens_and_key_are_stored_only_in_the_keyring(desktop, resident, owner):
    """Signed in before there was a keyring: the content of the sealed file moves over."""
    elsewhere = dict(resident.env)
    before = resident.kept()["session"]
    resident.env.update({name: desktop.env[name] for name in ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")})
    first = resident.run("devices")
    assert first.stderr == ""
    hub = json.loads((resident.home / "home.json").read_text())["hub"]
    assert names(desktop) == [f"replica-key {resident.home}", f"session {hub} {resident.home}"]
    assert len(desktop.secret(f"replica-key {resident.home}")) == 44
    assert json.loads(desktop.secret(f"session {hub} {resident.home}")) == before
    assert sorted(path.name for path in resident.home.iterdir()) == [
        "home.json", "houses", "replica-key.lock", "secrets.lock", "tokens.lock"]
    assert resident.json("queue") == {"entries": []}

    # Without the bus the terminal is signed out, and the replica stays closed; nothing is lost or recreated.
    resident.env = elsewhere
    afar = resident.error("devices")
    assert afar["code"] == "storage" and "are in a keyring that is not available here" in afar["message"]
    assert not (resident.home / "secrets.sealed").exists()

    # After another sign-in there, the newer session counts, and moves to the keyring when it can.
    resident.run("login", "--hub", hub, "--username", "owner", typed=PASSWORD + "\n")
    shown = resident.run("devices")
    assert shown.stdout == first.stdout and "is in a keyring that is not available here" in shown.stderr
    newer = resident.kept()["session"]
    assert newer != before
    resident.env.update({name: desktop.env[name] for name in ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")})
    assert resident.run("devices").stdout == first.stdout
    assert json.loads(desktop.secret(f"session {hub} {resident.home}")) == newer and not (resident.home / "secrets.sealed").exists()

    resident.run("logout")
    assert names(desktop) == [f"replica-key {resident.home}"]


def test_concurrent_commands_move_tokens_to_the_keyring_and_refresh_once(desktop, signed_in):  # noqa: F811
    person, hub = signed_in
    person.env.update({name: desktop.env[name] for name in ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")})
    running = [person.start("devices", "--json") for _ in range(6)]
    for process in running:
        out, err = process.communicate(timeout=90)
        assert process.returncode == DONE, err
    assert hub.refreshes == ["refresh-1"]
    assert json.loads(desktop.secret(f"session {hub.url} {person.home}"))["refresh_token"] == "refresh-2"
    assert not list(person.home.glob("secrets.sealed")) and not (person.home / "tokens.json").exists()
    for file in person.home.rglob("*"):
        assert file.is_dir() or b"refresh-" not in file.read_bytes(), f"{file} tells a token"


def test_passes_are_stored_in_the_keyring(desktop, resident, terminal):
    guest = terminal("guest")
    guest.env.update({name: desktop.env[name] for name in ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")})
    invited = resident.json("guests", "invite", "Plumber", "--door", "front-door", "--for", "4h")
    assert guest.run("pair", typed=invited["link"] + "\n").stderr == ""
    guest.run("open")
    name, = names(desktop)
    assert name.startswith("pass http") and "cardea_gp_" in desktop.secret(name)
    assert not list(guest.home.glob("secrets*"))
    desktop.lock()
    locked = guest.error("open", expect=NOT_SIGNED_IN)
    assert locked["code"] == "tokens_locked" and "The keyring is locked. Unlock it" in locked["message"]


def test_a_locked_keyring_is_reported_and_does_not_block_sign_in_or_out(desktop, resident):
    resident.env.update({name: desktop.env[name] for name in ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")})
    first = resident.run("devices")
    hub = json.loads((resident.home / "home.json").read_text())["hub"]
    desktop.lock()

    locked = resident.error("devices")
    assert locked["code"] == "storage" and "The keyring is locked. Unlock it" in locked["message"]
    assert "The keyring is locked" in resident.error("queue")["message"]
    assert resident.error("logout")["code"] == "queue_locked"

    # After another sign-in meanwhile, the house is reachable, and the message names where the tokens are stored.
    signed_in = resident.run("login", "--hub", hub, "--username", "owner", typed=PASSWORD + "\n")
    assert "The keyring is locked" in signed_in.stderr and "encrypted with a key in the same folder" in signed_in.stderr
    shown = resident.run("devices")
    assert shown.stdout == first.stdout and "The keyring is locked. Unlock it" in shown.stderr

    resident.run("logout", "--force")
    assert list((resident.home / "houses").glob("*.sqlite")) == []
    assert "secrets" not in json.loads((resident.home / "home.json").read_text())
    resident.run("status", expect=NOT_SIGNED_IN)


def test_sign_out_with_a_locked_keyring(desktop, resident):
    resident.env.update({name: desktop.env[name] for name in ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")})
    resident.run("devices")
    desktop.lock()
    out = resident.error("logout", "--force", expect=UNREACHABLE)
    assert out["code"] == "tokens_locked" and out["message"].startswith("Signed out here.")
    resident.run("status", expect=NOT_SIGNED_IN)


def test_the_hub_opens_a_house_with_a_key_in_the_keyring(desktop, start_hub, hub_binary, tmp_path, monkeypatch):
    data = tmp_path / "house"

    def run(*words, code=0):
        done = subprocess.run(
            [str(hub_binary), *map(str, words), "--data", str(data)], capture_output=True, text=True, timeout=60)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    def kept():
        return [name for name in names(desktop) if name.startswith("cardea-hub-key-")]

    hub = start_hub(data)
    house.claim(hub, PASSWORD)
    hub.stop()
    for name in ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"):
        monkeypatch.setenv(name, desktop.env[name])
    key = (data / "hub.key").read_bytes()
    assert "keyring" in run("key", "move", "--to", "secret-service") and not (data / "hub.key").exists()
    first, = kept()
    assert json.loads(run("key", "show", "--json").splitlines()[-1])["protection"] == "full"
    for file in (file for file in data.iterdir() if file.is_file()):
        assert key not in file.read_bytes(), file

    # The house runs with it, is rotated there, and runs again; the keyring holds one key at a time.
    start_hub(data).stop()
    assert "The house has a new key." in run("key", "rotate")
    second, = kept()
    assert second != first and not (data / "hub.key").exists()
    report = json.loads(run("check", "--json"))
    assert report["ok"] and report["key"]["place"] == "secret-service"
    hub = start_hub(data)
    hub.stop()

    # With a locked keyring nothing is opened or recreated; the message names the remedy.
    desktop.lock()
    report = json.loads(run("check", "--json", code=1))
    assert not report["ok"] and "The keyring is locked. Unlock it" in report["problems"][0], report
    assert "The keyring is locked. Unlock it" in run("serve", "--insecure-http", "--listen", "127.0.0.1:0", code=1)
    assert "The keyring is locked. Unlock it" in run("key", "rotate", code=1)
    assert not (data / "hub.key").exists() and kept() in ([], [second])

    # Where no keyring is reachable, as for a hub under systemd, the message says that too.
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/nobody")
    report = json.loads(run("check", "--json", code=1))
    assert "The house key cannot be read" in report["problems"][0] or "key recover" in report["problems"][0], report
