"""The hub under a supervisor: its messages to systemd, the unit that starts it, and the package it is installed from."""

import json
import os
import pathlib
import re
import select
import shutil
import socket
import subprocess
import time

import house
import pytest
import requests
from conftest import PASSWORD, ROOT

pytestmark = pytest.mark.long

UNIT = ROOT / "packaging/systemd/cardea-hub.service"


class Notified:
    """A supervisor's socket, at a path or at an abstract name."""

    def __init__(self, name):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(name)
        self.socket.settimeout(house.LIMIT)

    def words(self):
        return self.socket.recv(4096).decode().split("\n")

    def falls_silent(self, seconds):
        """Waits until no message arrived for that long."""
        end = time.monotonic() + house.LIMIT
        while select.select([self.socket], [], [], seconds)[0]:
            said = self.words()
            assert time.monotonic() < end, f"it still says {said}"


@pytest.fixture(params=["path", "abstract"])
def supervisor(request, tmp_path):
    name = str(tmp_path / "notify") if request.param == "path" else f"\0cardea-{os.getpid()}-{time.monotonic_ns()}"
    notified = Notified(name)
    yield notified, name.replace("\0", "@")
    notified.socket.close()


def test_the_hub_notifies_ready_watchdog_and_stopping(hub_binary, tmp_path, supervisor):
    notified, name = supervisor
    process = subprocess.Popen(
        [hub_binary, "serve", "--data", tmp_path / "house", "--insecure-http", "--listen", "127.0.0.1:0", "--json"],
        env={**os.environ, "NOTIFY_SOCKET": name, "WATCHDOG_USEC": "600000"}, stdout=subprocess.PIPE, text=True)
    try:
        ready = notified.words()
        assert ready[0] == "READY=1"
        url = json.loads(process.stdout.readline())["url"]
        assert url in ready[1] and requests.get(url + "/readyz", timeout=60).status_code == 200
        assert [notified.words() for _ in range(3)] == [["WATCHDOG=1"]] * 3
    finally:
        process.terminate()
    while (words := notified.words()) == ["WATCHDOG=1"]:
        pass
    assert words[0] == "STOPPING=1" and process.wait(60) == 0


def test_a_hub_with_a_stuck_writer_stops_its_watchdog_messages(hub_binary, tmp_path):
    """The watchdog then restarts it. A full disk is not reported this way: the hub still serves reads on one (test_full_disk.py)."""
    import sqlite3

    notified = Notified(str(tmp_path / "notify"))
    process = subprocess.Popen(
        [hub_binary, "serve", "--data", tmp_path / "house", "--insecure-http", "--listen", "127.0.0.1:0"],
        env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "300000"}, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    try:
        assert notified.words()[0] == "READY=1" and notified.words() == ["WATCHDOG=1"]
        blocker = sqlite3.connect(tmp_path / "house/house.sqlite", isolation_level=None, timeout=60)
        blocker.execute("BEGIN IMMEDIATE")
        # Messages in flight may still arrive.
        notified.falls_silent(2)
        blocker.execute("ROLLBACK")
        assert notified.words() == ["WATCHDOG=1"]
        blocker.close()
    finally:
        process.terminate()
        process.wait(60)


def test_without_a_notify_socket_the_hub_serves(start_hub, tmp_path):
    assert house.claim(start_hub(tmp_path / "house"), PASSWORD)


def test_the_unit_is_valid_and_sandboxes_the_hub(tmp_path):
    unit = tmp_path / "cardea-hub.service"
    # The program need not be installed for that.
    unit.write_text(UNIT.read_text().replace("/usr/bin/cardea-hub", "/bin/true"))
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, timeout=60)
    assert verified.returncode == 0 and not verified.stderr.strip(), verified.stderr
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)], capture_output=True, text=True, timeout=60)
    exposure = re.search(r"Overall exposure level for cardea-hub.service: ([0-9.]+)", judged.stdout)
    assert exposure and float(exposure[1]) <= 2.0, judged.stdout[-3000:]


@pytest.fixture(scope="module")
def package(hub_binary, tmp_path_factory):
    folder = tmp_path_factory.mktemp("deb")
    made = subprocess.run([ROOT / "scripts/deb", hub_binary.parent, folder], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    (deb,) = folder.glob("cardea_*.deb")
    return deb


def test_a_packaged_hub_runs_without_the_build_tools(package, hub_binary, tmp_path):
    def field(name):
        return subprocess.run(["dpkg-deb", "-f", package, name], capture_output=True, text=True, check=True).stdout.strip()

    assert field("Package") == "cardea"
    assert {"libmosquitto1", "libargon2-1", "libsqlite3-0", "libc6", "adduser"} <= set(field("Depends").split(", "))
    root = tmp_path / "root"
    subprocess.run(["dpkg", "-x", package, root], check=True)
    subprocess.run(["dpkg-deb", "-e", package, tmp_path / "control"], check=True)
    for script in ["postinst", "prerm", "postrm"]:
        subprocess.run(["sh", "-n", tmp_path / "control" / script], check=True)
    assert (root / "lib/systemd/system/cardea-hub.service").read_text() == UNIT.read_text()
    assert (root / "usr/share/man/man8/cardea-hub.8.gz").exists() and (root / "usr/share/doc/cardea/copyright").exists()

    bill = json.loads((root / "usr/share/doc/cardea/cardea.cdx.json").read_text())
    assert bill["metadata"]["component"]["version"] == field("Version")
    named = {one["name"] for one in bill["components"]}
    debian = set(field("Depends").split(", ")) - {"adduser", "ca-certificates", "tzdata"}
    assert bill["bomFormat"] == "CycloneDX" and {"hummingbird", "GRDB.swift"} <= named and debian <= named

    # The build folder and the toolchain are hidden: everything it needs is in the package or in Debian.
    swift = pathlib.Path(shutil.which("swift")).resolve().parents[2]
    port = house.free_port()
    hide = f"mount -t tmpfs none {hub_binary.parent.resolve()} && mount -t tmpfs none {swift} && exec \"$@\""
    process = subprocess.Popen(
        ["unshare", "-m", "sh", "-c", hide, "sh", root / "usr/bin/cardea-hub", "serve", "--data", tmp_path / "house", "--insecure-http",
         "--listen", f"127.0.0.1:{port}", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        page = requests.get(f"http://127.0.0.1:{port}/", timeout=60)
        assert page.status_code == 200 and "<html" in page.text
    finally:
        process.terminate()
        process.wait(60)


class Debian:
    """The Debian of this machine, free to change: writes go to memory and are gone afterwards.

    Its `/mnt` is `folder`. Requests to its systemd are written to `folder/asked`; systemd runs where `/run/systemd/system` is, and the house's
    unit is enabled where `folder/enabled` is.
    """

    SETUP = """
        set -e
        mount -t tmpfs none "$1"
        mkdir "$1/upper" "$1/work" "$1/root"
        mount -t overlay none -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
        mount --rbind /dev "$1/root/dev"
        mount -t proc none "$1/root/proc"
        mount -t tmpfs none "$1/root/run"
        mount --bind "$2" "$1/root/mnt"
        printf '%s\\n' '#!/bin/sh' 'case $* in *is-enabled*) exec test -e /mnt/enabled ;; esac' 'echo "$*" >>/mnt/asked' \\
            >"$1/root/usr/local/bin/systemctl"
        chmod 755 "$1/root/usr/local/bin/systemctl"
        echo ready
        exec sleep infinity
        """

    def __init__(self, base, folder):
        self.folder = folder
        self.holder = subprocess.Popen(["unshare", "--mount", "sh", "-c", self.SETUP, "sh", base, folder], stdout=subprocess.PIPE, text=True)
        if self.holder.stdout.readline() != "ready\n":
            pytest.fail("a system of its own needs root, and a kernel with overlay")
        self.root = base / "root"

    def run(self, *command, check=True):
        inside = ["nsenter", "--target", str(self.holder.pid), "--mount", "chroot", self.root, *command]
        return subprocess.run(
            inside, check=check, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
            env={"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"})

    def dpkg(self, *arguments):
        """Its output. Other packages' manual pages and menus are not rebuilt for it."""
        done = self.run("dpkg", "--no-triggers", "--force-unsafe-io", *arguments, check=False)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def path(self, name):
        """One of its files, as a path on this side."""
        return pathlib.Path(f"/proc/{self.holder.pid}/root{self.root}{name}")

    def has(self, name):
        return os.path.lexists(self.path(name))

    def asked(self):
        """The requests to its systemd since the last call."""
        asked = self.folder / "asked"
        lines = asked.read_text().splitlines() if asked.exists() else []
        asked.unlink(missing_ok=True)
        return lines


@pytest.fixture
def debian(tmp_path):
    folders = [tmp_path / "debian", tmp_path / "shared"]
    for folder in folders:
        folder.mkdir()
    debian = Debian(*folders)
    yield debian
    debian.holder.kill()
    debian.holder.wait(60)


def test_the_package_is_installed_upgraded_removed_and_purged_without_losing_the_house(package, debian, tmp_path):
    def state():
        return debian.run("dpkg-query", "-W", "-f", "${Status} ${Version}", "cardea", check=False).stdout.strip()

    def keeps_the_house():
        held = debian.run("stat", "-c", "%a %U:%G", "/var/lib/cardea").stdout.strip()
        return held == "700 cardea:cardea" and debian.path("/var/lib/cardea/house/house.sqlite").read_text() == "a house"

    version = subprocess.run(["dpkg-deb", "-f", package, "Version"], capture_output=True, text=True, check=True).stdout.strip()
    shutil.copy(package, debian.folder / "older.deb")
    subprocess.run(["dpkg-deb", "-R", package, tmp_path / "tree"], check=True)
    control = tmp_path / "tree/DEBIAN/control"
    control.write_text(re.sub(r"^Version: .*$", "Version: 9000.1", control.read_text(), flags=re.M))
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", tmp_path / "tree", debian.folder / "newer.deb"], check=True)
    options = debian.path("/etc/default/cardea-hub")
    systemd = debian.path("/run/systemd/system")

    # With systemd.
    systemd.mkdir(parents=True)
    told = debian.dpkg("--install", "/mnt/older.deb")
    assert "systemctl enable --now cardea-hub" in told and "journalctl -u cardea-hub" in told
    assert state() == f"install ok installed {version}" and debian.asked() == ["daemon-reload"]
    name, _, user, group, _, home, shell = debian.run("getent", "passwd", "cardea").stdout.strip().split(":")
    assert (name, home) == ("cardea", "/var/lib/cardea") and int(user) < 1000 and shell.endswith("nologin")
    assert debian.run("getent", "group", group).stdout.startswith("cardea:")
    assert debian.run("stat", "-c", "%a %U:%G", "/var/lib/cardea").stdout.strip() == "700 cardea:cardea"
    assert debian.run("cardea-hub", "--version").stdout.strip() == version
    files = [name for name in debian.run("dpkg", "-L", "cardea").stdout.splitlines() if debian.has(name) and not debian.path(name).is_dir()]
    assert {"/usr/bin/cardea", "/usr/lib/cardea/cardea-hub", "/lib/systemd/system/cardea-hub.service", "/etc/default/cardea-hub"} <= set(files)

    (debian.folder / "enabled").touch()
    debian.path("/var/lib/cardea/house").mkdir()
    debian.path("/var/lib/cardea/house/house.sqlite").write_text("a house")
    options.write_text('CARDEA_OPTIONS="--listen 127.0.0.1:8443"\n')
    told = debian.dpkg("--install", "/mnt/newer.deb")
    assert state() == "install ok installed 9000.1" and "enable --now" not in told
    asked = debian.asked()
    assert asked[-1] == "try-restart cardea-hub.service" and set(asked[:-1]) == {"daemon-reload"}, "it is not stopped for it, nor switched on or off"
    assert "8443" in options.read_text() and keeps_the_house()

    debian.dpkg("--remove", "cardea")
    assert state() == "deinstall ok config-files 9000.1"
    assert debian.asked() == ["disable --now cardea-hub.service", "daemon-reload"]
    assert [name for name in files if debian.has(name)] == ["/etc/default/cardea-hub"] and not debian.has("/usr/lib/cardea")
    assert "8443" in options.read_text() and keeps_the_house()

    told = debian.dpkg("--purge", "cardea")
    assert "The house is still in /var/lib/cardea." in told and debian.asked() == ["daemon-reload"]
    assert not any(debian.has(name) for name in files) and "installed" not in state().replace("not-installed", "")
    assert keeps_the_house(), "what is somebody's is still theirs, and so is the user that may read it"

    # Without systemd, as in a container. The user already exists.
    systemd.rmdir()
    told = debian.dpkg("--install", "/mnt/older.deb")
    assert state() == f"install ok installed {version}" and "systemctl" not in told
    assert "CARDEA_OPTIONS=" in options.read_text() and "8443" not in options.read_text() and keeps_the_house()
    shutil.rmtree(debian.path("/var/lib/cardea"))
    assert "The house" not in debian.dpkg("--purge", "cardea")
    assert debian.asked() == [] and not any(debian.has(name) for name in files)
