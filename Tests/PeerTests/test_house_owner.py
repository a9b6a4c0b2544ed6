"""A house of one user, in which root runs commands: files that root makes belong to that user, and the hub starts afterwards.

Files that root left in a house before, and a share that is not mounted, are reported with the repair.
"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import house
import pytest
from conftest import PASSWORD
from test_full_disk import mounted

pytestmark = pytest.mark.long
USER = 1234
AS_USER = ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups")
HOME = {"HOME": "/tmp"}


@pytest.fixture
def yard():
    """A folder in which that user may make a house, unlike those that pytest makes for root."""
    if os.geteuid() != 0:
        pytest.fail("another user's house needs root")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="cardea-yard-"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def run(*command, code=0, by=()):
    done = subprocess.run(
        [*by, *(str(word) for word in command)], capture_output=True, text=True, timeout=120, env={**os.environ, **HOME}, check=False)
    assert code is None or done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def roots(data):
    """The paths that do not belong to the user."""
    return sorted(str(path.relative_to(data)) for path in [data, *data.rglob("*")] if path.lstat().st_uid != USER)


@pytest.fixture
def kept(start_hub, hub_binary, yard):
    """The user's stopped house, with a backup and its recovery key."""
    data = yard / "house"
    hub = start_hub(data, "--virtual-house", by=AS_USER, besides=HOME)
    house.claim(hub, PASSWORD)
    made = json.loads(run(hub_binary, "backup", "--data", data, "--out", yard / "one.backup", "--json", by=AS_USER))
    (yard / "key").write_text(made["recovery_key"])
    (yard / "key").chmod(0o644)
    hub.stop()
    (data / "hub.lock").unlink()
    return data


def test_files_that_root_makes_in_a_house_belong_to_its_user(start_hub, hub_binary, kept, yard):
    commands = {
        "key rotate": ("key", "rotate"), "key show": ("key", "show"), "check": ("check",), "audit verify": ("audit", "verify"),
        "recovery-key": ("recovery-key", "--replace"), "clock": ("clock", "--trust"), "backup": ("backup", "--out", yard / "roots.backup"),
        "key recover": ("key", "recover", "--recovery-key-file", yard / "paper"),
        "restore": ("restore", "--from", yard / "one.backup", "--recovery-key-file", yard / "key"),
    }
    for name, words in commands.items():
        if name == "key recover":
            made = json.loads(run(hub_binary, "recovery-key", "--replace", "--json", "--data", kept))
            (yard / "paper").write_text(made["recovery_key"])
            (kept / "hub.key").unlink()
        run(hub_binary, *words, "--data", kept)
        assert roots(kept) == [], name
        # Each command recreates the lock.
        with contextlib.suppress(FileNotFoundError):
            (kept / "hub.lock").unlink()
    assert start_hub(kept, "--virtual-house", by=AS_USER, besides=HOME).stop() == 0
    for before in yard.glob("house.before-*"):
        assert roots(before) == []


def test_a_house_that_root_restores_belongs_to_the_owner_of_the_parent_folder(start_hub, hub_binary, kept, yard):
    home = yard / "home"
    home.mkdir()
    os.chown(home, USER, USER)
    run(hub_binary, "restore", "--data", home / "house", "--from", yard / "one.backup", "--recovery-key-file", yard / "key")
    assert roots(home) == []
    assert start_hub(home / "house", by=AS_USER, besides=HOME).stop() == 0


@pytest.mark.parametrize("name", ["hub.lock", "house.sqlite", "hub.key"])
def test_a_root_owned_file_that_stops_the_hub_is_named_with_the_repair(start_hub, hub_binary, kept, name):
    (kept / "hub.lock").touch()
    os.chown(kept / "hub.lock", USER, USER)
    os.chown(kept / name, 0, 0)
    (kept / name).chmod(0o600)
    with pytest.raises(RuntimeError) as told:
        start_hub(kept, by=AS_USER, besides=HOME)
    words = str(told.value)
    assert name in words and f"sudo chown -R {USER}:{USER} {kept}" in words, words
    report = json.loads(run(hub_binary, "check", "--data", kept, "--json", by=AS_USER, code=1))
    assert f"sudo chown -R {USER}:{USER} {kept}" in " ".join(report["problems"])
    # Any command that root runs repairs it, too.
    run(hub_binary, "key", "show", "--data", kept)
    assert start_hub(kept, by=AS_USER, besides=HOME).stop() == 0


def test_a_root_owned_copy_beside_the_house_does_not_stop_the_hub(start_hub, hub_binary, kept):
    for name in ("house.sqlite.bak", "hub.key.old"):
        (kept / name).touch(0o600)
    told = run(hub_binary, "check", "--data", kept, by=AS_USER)
    assert "house.sqlite.bak" in told and f"sudo chown -R {USER}:{USER} {kept}" in told, told
    assert start_hub(kept, by=AS_USER, besides=HOME).stop() == 0


def test_no_backup_is_written_to_an_unmounted_share(start_hub, hub_binary, tmp_path):
    data, share = tmp_path / "house", tmp_path / "share"
    drawer = share / "cardea"
    options = ("--backup-folder", str(drawer))
    with mounted(share, "-t", "tmpfs", "-o", "size=64m,mode=700", "none"):
        hub = start_hub(data, *options)
        house.claim(hub, PASSWORD)
        run(hub_binary, "recovery-key", "--data", data)
        house.until(lambda: list(drawer.glob("*.erasures")), "the folder is set up")
        assert "not mounted" not in run(hub_binary, "check", "--data", data)
        hub.stop()
    hub = start_hub(data, *options)
    house.until(lambda: any("erasure list could not be written" in line for line in hub.log), "it looked for the folder")
    told = run(hub_binary, "check", "--data", data)
    assert f"backup folder {drawer} is not mounted" in told and f"It was on {share}." in told, told
    hub.stop()
    assert list(share.iterdir()) == []
    # The owner has put it there permanently.
    (data / "hub.backups").unlink()
    hub = start_hub(data, *options)
    house.until(lambda: list(drawer.glob("*.erasures")), "the folder is set up anew")
    assert "not mounted" not in run(hub_binary, "check", "--data", data)
