"""What a shell completes after `cardea`: names from the replica, in real shells, typed key by key."""

import contextlib
import os
import pathlib
import re
import shutil
import socket
import subprocess

import pexpect
import pytest

from test_command_line import cli_binary, resident, terminal  # noqa: F401

pytestmark = pytest.mark.long

EVIL = "Fritz $(touch owned) `touch owned`; touch owned"
# With characters that are special to a shell, and here only part of a name.
ODD = 'Lamp (left); "big" & {co} *'


@pytest.fixture
def house(resident, owner, hub, tmp_path):  # noqa: F811
    """A terminal with a replica of a house of many names, and the shells' scripts in place."""
    for device, name in [("study-light", "Frieda's 🛋 lamp"), ("living-climate", EVIL), ("garage", ODD)]:
        before = owner.get(f"/api/v1/devices/{device}").json()
        changed = owner.call("PATCH", f"/api/v1/devices/{device}", {"name": name}, If_Match=f'"{before["version"]}"')
        assert changed.ok, changed.text
    resident.run("scenes", "make", "Good night", "hall-light:off")
    resident.run("sync")
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    for shell in ("bash", "zsh", "fish"):
        (scripts / ("_cardea" if shell == "zsh" else f"cardea.{shell}")).write_text(resident.run("completions", shell).stdout)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "cardea").symlink_to(resident.binary)
    resident.env |= {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "TERM": "xterm", "ZDOTDIR": str(tmp_path), "LC_ALL": "C.UTF-8"}
    (tmp_path / ".zshrc").write_text(f"fpath=({scripts} $fpath)\nautoload -Uz compinit\ncompinit -u\nPS1='> '\n")
    resident.scripts, resident.folder = scripts, tmp_path
    # A name that was executed would leave a file here.
    hub.stop()
    return resident


def shell(house, name):
    command = {
        "bash": ["bash", "--noprofile", "--norc", "-i"], "zsh": ["zsh", "-i"], "fish": ["fish", "--no-config", "-i"],
    }[name]
    assert shutil.which(name), f"no {name} here; run scripts/setup"
    started = pexpect.spawn(command[0], command[1:], env=house.env, cwd=str(house.folder), encoding="utf-8", timeout=60, dimensions=(24, 300))
    if name == "bash":
        started.sendline(f"bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; source {house.scripts}/cardea.bash; PS1='> '")
    elif name == "fish":
        started.sendline(f"source {house.scripts}/cardea.fish; function fish_prompt; echo '> '; end")
    started.sendline("echo ready''now")
    started.expect("readynow")
    return started


def completed(house, name, typed):
    """What the shell passes on after `typed`, a TAB and a Return, word by word; a program in cardea's place prints its arguments."""
    spoken = shell(house, name)
    try:
        # The line is completed by the real program and run with a function.
        spoken.send(f"{typed}\t")
        spoken.send(" \x01printf '<%s>' \r")
        found = spoken.expect([r"<cardea>((?:<[^\r\n]*?>)+)(?=\r|\n|> |\x1b|$)", pexpect.TIMEOUT], timeout=60)
        assert found == 0, spoken.before
        return re.findall(r"<([^>]*)>", spoken.match[1])
    finally:
        spoken.close(force=True)


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_names_are_completed_without_the_hub(house, name):
    assert completed(house, name, "cardea open Fro") == ["open", "Front door"]
    assert completed(house, name, "cardea devices show Frie") == ["devices", "show", "Frieda's 🛋 lamp"]
    assert completed(house, name, "cardea scenes run Good") == ["scenes", "run", "Good night"]
    assert completed(house, name, "cardea rooms show Stu") == ["rooms", "show", "Study"]


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_a_completed_name_is_never_executed(house, name):
    assert completed(house, name, "cardea devices show Lamp") == ["devices", "show", ODD]
    # Completed by its id instead of its name.
    assert completed(house, name, "cardea devices show living-c") == ["devices", "show", "living-climate"]
    assert completed(house, name, "cardea devices show Fritz") == ["devices", "show", "Fritz"]
    assert not (house.folder / "owned").exists()


def ask(house, *words, **env):
    """Calls the completion like the scripts."""
    return subprocess.run(
        [str(house.binary), "---completion", *words], env={**house.env, "SAP_SHELL": "fish", **env}, capture_output=True, text=True, timeout=60)


OPEN = ["open", "--", "positional@0", "2", "0", "cardea", "open", ""]


@contextlib.contextmanager
def silent_bus():
    """The address of a session bus that does not answer."""
    path = pathlib.Path("/tmp") / f"cardea-bus-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(path))
        silent.listen()
        try:
            yield {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={path}"}
        finally:
            path.unlink()


def test_completion_sends_no_request(house):
    done = ask(house, *OPEN)
    assert done.returncode == 0 and "Front door" in done.stdout.split("\n") and "Hall light" not in done.stdout and done.stderr == ""


def test_completion_is_empty_after_an_error(house, terminal):  # noqa: F811
    nobody = terminal("nobody")
    done = ask(nobody, *OPEN)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "") and not nobody.home.exists()
    key = house.home / "secrets.key"
    key.rename(house.home / "elsewhere")
    done = ask(house, *OPEN)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "") and not key.exists()
    with silent_bus() as bus:
        done = ask(house, *OPEN, **bus)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")
