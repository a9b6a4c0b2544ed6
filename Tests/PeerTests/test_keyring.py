"""`cardea` on a desktop: the key of what it keeps of the house lies in a real GNOME keyring, on a session bus of its own."""

import pathlib
import shutil
import subprocess
import tempfile

import pytest
from test_command_line import cli_binary, resident, terminal  # noqa: F401

BUS = """<busconfig><type>session</type><listen>unix:path={0}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>"""


class Desktop:
    def __init__(self):
        # Its sockets' paths have to be short.
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
        while self.call("org.freedesktop.DBus.Peer.Ping").returncode != 0:
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


def test_the_key_of_what_is_kept_lies_in_the_keyring_and_nowhere_else(desktop, resident):
    elsewhere = dict(resident.env)
    resident.env.update({name: desktop.env[name] for name in ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")})
    first = resident.run("devices")
    assert first.stderr == ""
    key = desktop.secret(f"replica-key {resident.home}")
    assert len(key) == 44
    assert sorted(path.name for path in resident.home.glob("*key*")) == ["replica-key.lock"]
    assert not (resident.home / "secrets.sealed").exists()
    assert resident.json("queue") == {"entries": []}

    # From where the bus is out of reach, the house is asked, and no other key is made.
    resident.env = elsewhere
    afar = resident.run("devices")
    assert afar.stdout == first.stdout
    assert "lies in a keyring that cannot be reached from here" in afar.stderr
    assert not (resident.home / "secrets.sealed").exists()
    assert resident.error("queue")["code"] == "storage"


def test_a_locked_keyring_keeps_nobody_from_the_house_nor_from_signing_out(desktop, resident):
    resident.env.update({name: desktop.env[name] for name in ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")})
    first = resident.run("devices")
    desktop.lock()

    locked = resident.run("devices")
    assert locked.stdout == first.stdout
    assert "The keyring is locked. Unlock it" in locked.stderr
    assert "The keyring is locked" in resident.error("queue")["message"]

    assert resident.error("logout")["code"] == "queue_locked"
    resident.run("logout", "--force")
    assert list((resident.home / "houses").glob("*.sqlite")) == []
    assert "session" not in resident.kept()
