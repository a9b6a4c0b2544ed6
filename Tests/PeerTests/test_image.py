"""The package installed, upgraded, removed and installed again, and the container's image built, run, stopped and upgraded: no house is lost."""

import hashlib
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import sys

import house
import pytest
import yaml
from conftest import PASSWORD, ROOT
from installed import SIMPLE, Container, Engine, house_id, inside, packages, resident, run
from test_command_line import cli_binary  # noqa: F401

pytestmark = pytest.mark.long

CONTAINERFILE = ROOT / "packaging/Containerfile"
COMPOSE = ROOT / "packaging/compose.yaml"
TOOLS = pathlib.Path(sys.executable).parent


@pytest.fixture(scope="module")
def both_packages(hub_binary, cli_binary, tmp_path_factory):  # noqa: F811
    folder = tmp_path_factory.mktemp("packages")
    yield packages(hub_binary, folder)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    engine = Engine(tmp_path_factory.mktemp("engine"))
    yield engine
    engine.end()


@pytest.fixture(scope="module")
def first_image(engine, both_packages):
    """The image of the older package, from a root made by mmdebstrap."""
    return engine.image(both_packages[0], "scratch")


@pytest.fixture
def serve():
    """Starts hubs in roots; every hub that still runs at the end is stopped."""
    running = []

    def start(*words):
        running.append(Container(*words))
        return running[-1]

    yield start
    for one in running:
        one.stop()


# Image

def test_the_image_is_run_claimed_stopped_and_upgraded(engine, first_image, both_packages, serve, tmp_path, monkeypatch):
    assert first_image["Labels"]["org.opencontainers.image.version"] == "0.0.9"
    assert first_image["StopSignal"] == "SIGTERM" and first_image["Volumes"] == {"/var/lib/cardea": {}}
    root, volume = engine.root("localhost/cardea"), tmp_path / "volume"
    # A new volume is like the image's folder.
    run("cp", "-a", root / "var/lib/cardea", volume)
    assert (volume.stat().st_uid, volume.stat().st_gid, stat.S_IMODE(volume.stat().st_mode)) == (830, 830, 0o700)
    assert run("chroot", root, "ffmpeg", "-version").startswith("ffmpeg version")

    def words(config):
        # The image's options with another port: no two tests share one.
        return [*config["Entrypoint"], *(word.replace(":8300", ":0") for word in config["Cmd"]), "--json"]

    hub = serve(root, volume, first_image, *words(first_image))
    assert hub.status("NSpid")[-1] == "1" and set(hub.status("Uid")) == set(hub.status("Gid")) == {"830"}
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(volume / "house/tls.crt"))
    identity = house_id(hub, house.claim(hub, PASSWORD)["access_token"])

    kind, *healthcheck = first_image["Healthcheck"]["Test"]
    assert kind == "CMD"
    well = hub.exec(*healthcheck)
    assert well.returncode == 0 and "A hub serves the house" in well.stdout, well
    # A stuck hub is not healthy.
    hub.tell(signal.SIGSTOP)
    ill = hub.exec(*healthcheck)
    hub.tell(signal.SIGCONT)
    assert ill.returncode == 1 and "does not answer" in ill.stdout, ill
    assert hub.stop() == 0, hub.log
    # Nor is a dead one, and the health check opens nothing.
    before = contents(volume)
    dead = subprocess.run(inside(root, volume, first_image, *healthcheck), capture_output=True, text=True, timeout=120)
    assert dead.returncode == 1 and "No hub serves the house" in dead.stdout, dead
    assert contents(volume) == before

    newer = engine.image(both_packages[1], "localhost/cardea-base")
    assert newer["Labels"]["org.opencontainers.image.version"] != "0.0.9" and newer["User"] == first_image["User"]
    hub = serve(engine.root("localhost/cardea"), volume, newer, *words(newer))
    assert hub.claim_url is None and resident(hub) == identity
    # An engine that kills after its timeout, and a start after it.
    hub.tell(signal.SIGKILL)
    assert hub.process.wait(house.LIMIT) != 0
    hub = serve(engine.root("localhost/cardea"), volume, newer, *words(newer))
    assert resident(hub) == identity and hub.stop() == 0


def test_the_containerfile_passes_hadolint():
    judged = subprocess.run([TOOLS / "hadolint", CONTAINERFILE], capture_output=True, text=True, timeout=60)
    assert judged.returncode == 0, judged.stdout + judged.stderr


def test_the_compose_file_is_valid_and_uses_our_image():
    run(TOOLS / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", COMPOSE)
    compose = yaml.safe_load(COMPOSE.read_text())
    hub, broker = compose["services"]["hub"], compose["services"]["broker"]
    assert f"IMAGE := {hub['image']}\n" in (ROOT / "Makefile").read_text() and hub["pull_policy"] == "never"
    text = CONTAINERFILE.read_text()
    assert "house:" + re.search(r"^VOLUME (\S+)$", text, re.MULTILINE)[1] in hub["volumes"] and f"CMD {hub['command']}".replace("'", '"') in text
    assert hub["restart"] == broker["restart"] == "unless-stopped"
    assert {one.split(":")[0] for service in (hub, broker) for one in service["volumes"]} == {*compose["volumes"], "./mosquitto.conf"}


def test_the_compose_files_broker_requires_a_password(tmp_path):
    port = house.free_port()
    run("mosquitto_passwd", "-b", "-c", tmp_path / "passwords", "cardea", "secret")
    config = (ROOT / "packaging/mosquitto.conf").read_text()
    assert "listener 1883\n" in config
    (tmp_path / "conf").write_text(
        config.replace("listener 1883", f"listener {port} 127.0.0.1").replace("/mosquitto/data", str(tmp_path)) + "user root\n")
    process = subprocess.Popen(["mosquitto", "-c", tmp_path / "conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        house.until(lambda: process.poll() is not None or house.listens(port), "the broker is there")
        publish = ["mosquitto_pub", "-p", str(port), "-t", "home/door", "-m", "LOCKED"]
        assert subprocess.run(publish, capture_output=True, timeout=60).returncode != 0
        assert subprocess.run([*publish, "-u", "cardea", "-P", "secret"], capture_output=True, timeout=60).returncode == 0
    finally:
        process.terminate()
        process.wait(60)


@pytest.mark.parametrize(("there", "chosen", "said"), [
    ({}, "", "no engine works here. Install one of the three: apt install podman"),
    ({"docker": 1}, "", "no engine works here"),
    ({"docker": 1, "buildah": 0}, "", None),
    ({"podman": 0}, "podman", None),
    ({"podman": 0}, "docker", "docker is not here, or does not work"),
    ({"podman": 0}, "kaniko", "ENGINE is podman, docker or buildah, and not kaniko"),
])
def test_an_image_is_built_by_any_engine_that_works(tmp_path, there, chosen, said):
    for tool in ("bash", "dirname"):
        (tmp_path / tool).symlink_to(f"/usr/bin/{tool}")
    for name, status in there.items():
        (tmp_path / name).write_text(f"#!/usr/bin/bash\nexit {status}\n")
        (tmp_path / name).chmod(0o755)
    tried = subprocess.run(
        ["/usr/bin/bash", ROOT / "scripts/image", "--try", "debian"], env={"PATH": str(tmp_path), "ENGINE": chosen}, capture_output=True, text=True,
        timeout=60)
    assert (tried.returncode == 0) == (said is None) and (said or "") in tried.stderr, tried


# Package

# Requests to systemd, one line each. /run/enabled is whether the unit is enabled, /run/broken whether its start fails.
SYSTEMCTL = """#!/bin/sh
echo "$*" >>/run/asked
case $1 in
    disable) rm -f /run/enabled ;;
    --quiet) test -e /run/enabled ;;
    try-restart) test ! -e /run/broken ;;
esac
"""


class Machine:
    """A Debian with systemd, as its packages' scripts see one."""

    def __init__(self, root):
        self.root, self.data = root, root / "var/lib/cardea"
        (root / "run/systemd/system").mkdir(parents=True)
        (root / "usr/local/bin/systemctl").write_text(SYSTEMCTL)
        (root / "usr/local/bin/systemctl").chmod(0o755)
        self.options = root / "etc/default/cardea-hub"

    def dpkg(self, *words):
        """Returns dpkg's output, and the requests to systemd."""
        (self.root / "run/asked").write_text("")
        enter = 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", enter, str(self.root), "dpkg", *words], capture_output=True, text=True,
            env={"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"})
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr, (self.root / "run/asked").read_text()

    def install(self, folder):
        (package,) = folder.glob("cardea_*.deb")
        run("cp", package, self.root / "cardea.deb")
        return self.dpkg("-i", "/cardea.deb")

    @property
    def user(self):
        return [line for line in (self.root / "etc/passwd").read_text().splitlines() if line.startswith("cardea:")]

    @property
    def status(self):
        return run("dpkg-query", f"--admindir={self.root}/var/lib/dpkg", "-W", "-f=${Status} ${Version}", "cardea")


def contents(folder):
    """Every file below a folder, with its owner and content."""
    return {
        str(path.relative_to(folder)): (path.lstat().st_uid, path.lstat().st_mode, hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "")
        for path in sorted(folder.rglob("*"))}


START = "Start the house with: systemctl enable --now cardea-hub"
LINK = "The link that makes you its owner"


def test_a_package_is_installed_upgraded_removed_and_purged_without_losing_the_house(engine, first_image, both_packages, serve):
    older, newer = both_packages
    machine = Machine(engine.root("localhost/cardea-base"))

    def begin():
        return serve(
            machine.root, machine.data, SIMPLE, "cardea-hub", "serve", "--data", "/var/lib/cardea/house", "--insecure-http", "--listen", "127.0.0.1:0",
            "--json")

    def goes_on():
        """The installed hub serves the earlier house and leaves its files as they are."""
        hub = begin()
        assert hub.claim_url is None and resident(hub) == identity and hub.stop() == 0
        return contents(machine.data)

    said, asked = machine.install(older)
    assert START in said and LINK in said and asked.split() == ["daemon-reload", "--quiet", "is-enabled", "cardea-hub.service"], (said, asked)
    (user,) = machine.user
    assert machine.status == "install ok installed 0.0.9" and stat.S_IMODE(machine.data.stat().st_mode) == 0o700
    assert str(machine.data.stat().st_uid) == user.split(":")[2] != "0"
    (machine.root / "run/enabled").touch()
    hub = begin()
    identity = house_id(hub, house.claim(hub, PASSWORD)["access_token"])
    assert hub.stop() == 0
    ours = machine.options.read_text().replace("0.0.0.0", "192.168.1.20")
    machine.options.write_text(ours)
    lies = contents(machine.data)

    # A newer version: it takes over without a question.
    said, asked = machine.install(newer)
    assert START not in said and "try-restart cardea-hub.service" in asked
    assert contents(machine.data) == lies and machine.options.read_text() == ours and machine.user == [user]
    lies = goes_on()
    # A hub that then does not start leaves the package configured.
    (machine.root / "run/broken").touch()
    said, _ = machine.install(newer)
    assert "cardea-hub does not start" in said and machine.status.startswith("install ok installed")
    (machine.root / "run/broken").unlink()

    said, asked = machine.dpkg("-r", "cardea")
    assert "disable --now cardea-hub.service" in asked and not (machine.root / "usr/bin/cardea-hub").exists()
    assert contents(machine.data) == lies and machine.options.read_text() == ours and machine.user == [user]
    # Installed again, it is not started automatically, and the message says so.
    said, _ = machine.install(newer)
    assert START in said and LINK not in said and machine.options.read_text() == ours
    lies = goes_on()

    said, _ = machine.dpkg("-P", "cardea")
    assert "The house is still in /var/lib/cardea." in said and not machine.options.exists()
    assert contents(machine.data) == lies and machine.user == [user]
    machine.install(newer)
    assert machine.options.read_text() == (ROOT / "packaging/debian/default").read_text()
    goes_on()
