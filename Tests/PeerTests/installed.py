"""Cardea as people install it: its package in a Debian root, and its image in a container."""

import json
import os
import pathlib
import shutil
import signal
import subprocess

import house
import requests
from conftest import PASSWORD, ROOT, Hub

# The programs of a root, with only the mounts that every engine provides. $1 is the root, $2 the volume, $3 the user.
ENTER = """
root=$1 volume=$2 user=$3
shift 3
mount --bind "$root" "$root"
mount --bind "$volume" "$root/var/lib/cardea"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/tmp"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" "$@"
"""
SIMPLE = {"User": "cardea:cardea", "WorkingDir": "/var/lib/cardea", "Env": ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]}


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout.strip()


def packages(hub_binary, folder):
    """The package of the current build, and one of the same programs with an older version number, each in its own folder."""
    newer, older, parts = folder / "newer", folder / "older", folder / "parts"
    run(ROOT / "scripts/deb", hub_binary.parent, newer)
    (package,) = newer.glob("cardea_*.deb")
    older.mkdir()
    run("dpkg-deb", "-R", package, parts)
    control = parts / "DEBIAN/control"
    version = run("dpkg-deb", "-f", package, "Version")
    control.write_text(control.read_text().replace(f"Version: {version}\n", "Version: 0.0.9\n"))
    run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", parts, older / package.name.replace(version, "0.0.9"))
    shutil.rmtree(parts)
    return older, newer


class Engine:
    """buildah with its own images. Inside a container it has no namespaces to give, and works in a chroot."""

    def __init__(self, folder):
        self.folder = folder
        storage = folder / "storage.conf"
        storage.write_text(f'[storage]\ndriver = ""\ngraphroot = "{folder}/images"\nrunroot = "{folder}/run"\n')
        self.environment = {
            **os.environ, "CONTAINERS_STORAGE_CONF": str(storage), "BUILDAH_ISOLATION": "chroot", "ENGINE": "buildah", "TMPDIR": str(folder)}

    def __call__(self, *words):
        return run("buildah", *words, env=self.environment)

    def image(self, packages, base):
        """Does what `make image` does with an existing package; returns the image's configuration."""
        run(ROOT / "scripts/image", packages, "localhost/cardea", base, env=self.environment)
        return json.loads(self("inspect", "--type", "image", "localhost/cardea"))["Docker"]["config"]

    def root(self, image):
        """The files of an image, to be run and written to."""
        return pathlib.Path(self("mount", self("from", image)))

    def end(self):
        self("rm", "--all")
        self("rmi", "--all", "--force")
        shutil.rmtree(self.folder)


def inside(root, volume, config, *words):
    """The command that runs a program there like an engine: process 1, in a read-only root, as the image's user."""
    return [
        "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", ENTER, "sh", str(root), str(volume), config["User"],
        "env", "-i", *config["Env"], "sh", "-c", 'cd "$0" && exec "$@"', config["WorkingDir"], *words]


class Container(Hub):
    """A hub that runs in a root, over a volume. `stop()` does what an engine does: SIGTERM to process 1."""

    def __init__(self, root, volume, config, *words):
        super().__init__(inside(root, volume, config, *words), dict(os.environ))
        parent = self.process.pid
        self.first = int(pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text())
        self.config = config
        self.url = f"{self.url.split(':')[0]}://127.0.0.1:{self.url.rsplit(':', 1)[1]}"

    def status(self, name):
        return next(line.split()[1:] for line in pathlib.Path(f"/proc/{self.first}/status").read_text().splitlines() if line.startswith(name + ":"))

    def exec(self, *words):
        """Runs a program beside it, like `podman exec`; returns its status."""
        user, group = self.config["User"].split(":")
        there = ["nsenter", "--target", str(self.first), "--mount", "--pid", "--root", "--wd", "--setuid", user, "--setgid", group]
        return subprocess.run([*there, "/usr/bin/env", "-i", *self.config["Env"], *words], capture_output=True, text=True, timeout=120)

    def tell(self, number):
        os.kill(self.first, number)

    def stop(self):
        if self.process.poll() is None:
            self.tell(signal.SIGTERM)
        return self.process.wait(house.LIMIT)


def resident(hub):
    """The owner signs in; returns the house's id."""
    answer = requests.post(hub.url + "/api/v1/auth/login", json={"username": "owner", "password": PASSWORD}, timeout=60)
    assert answer.status_code == 200, answer.text
    return house_id(hub, answer.json()["access_token"])


def house_id(hub, token):
    return requests.get(hub.url + "/api/v1/house", headers={"Authorization": f"Bearer {token}"}, timeout=60).json()["house_id"]
