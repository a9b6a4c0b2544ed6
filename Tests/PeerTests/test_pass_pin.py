"""A pass at a terminal, bound to a key there, and a pass whose key needs a PIN."""

import json
import os
import pty
import shutil
import stat
import termios

import house
from test_command_line import DONE, REFUSED, TRY_LATER, USAGE, actuations, cli_binary, invite, read_until, resident, terminal  # noqa: F401

PIN = "sesame-7"


def thief_of(guest, hub):
    kept = guest.kept()["passes"][0]
    return house.Pass(hub, kept["pass"]["guest_id"], kept["token"])


def key_file(guest):
    return next((guest.home / "keys").glob("*.json"))


def test_a_copied_token_opens_nothing(resident, terminal, hub, owner):  # noqa: F811
    guest = terminal("guest")
    link = invite(resident)["link"]
    assert "It works only on the device that accepted it." in guest.run("pair", typed=link + "\n").stdout
    before = actuations(owner)

    stolen = thief_of(guest, hub).act()
    assert (stolen.status_code, stolen.json()["error"]) == (401, "action_proof_required")
    assert guest.run("open").stdout.startswith("It is open.")
    assert actuations(owner) == before + 1
    assert "It works only on the device that accepted it." in resident.run("guests", "show", "Plumber").stdout
    assert "action proof required" in resident.run("guests", "show", "Plumber").stdout


def test_a_pass_without_a_key_still_opens(resident, terminal, hub, owner):  # noqa: F811
    guest, invited = terminal("guest"), invite(resident)
    guest.run("pair", typed=invited["link"] + "\n")
    # As an older terminal took and stored it.
    code = resident.json("guests", "code", invited["guest_id"])["pairing_code"]
    answer = house.pair(hub, code).json()
    kept = guest.kept()
    old = kept["passes"][0]
    old["token"] = answer.pop("guest_token")
    old["pass"] = answer
    del old["key"]
    shutil.rmtree(guest.home)
    guest.home.mkdir(mode=0o700)
    before = guest.home / "tokens.json"
    before.touch(mode=0o600)
    before.write_text(json.dumps(kept))

    before = actuations(owner)
    assert guest.run("open").stdout.startswith("It is open.")
    assert actuations(owner) == before + 1
    assert "only on the device" not in guest.run("pass").stdout
    assert "A copy of it also opens" in resident.run("guests", "show", "Plumber").stdout


def test_the_pin_is_asked_before_every_opening(resident, terminal, hub, owner):  # noqa: F811
    guest = terminal("guest")
    link = invite(resident)["link"]
    assert "6 to 64 characters" in guest.run("pair", "--with-pin", typed=f"{link}\n1234\n", expect=USAGE).stderr
    taken = guest.run("pair", "--with-pin", typed=f"{link}\n{PIN}\n").stdout
    assert "Each opening asks for your PIN." in taken, "what is no PIN has spent no link"
    before = actuations(owner)

    assert guest.run("open", typed="", expect=USAGE).stdout == ""
    wrong = guest.error("open", typed="sesame-8\n")
    assert wrong["code"] == "pin_wrong" and "9 tries are left" in wrong["message"]
    assert actuations(owner) == before
    assert guest.run("open", typed=PIN + "\n").stdout.startswith("It is open.")
    assert actuations(owner) == before + 1
    assert "Front door" in guest.run("pass").stdout, "looking asks for none"

    kept = guest.kept()["passes"][0]
    assert "key" not in kept and kept["guarded_key"] == key_file(guest).stem
    assert stat.S_IMODE(key_file(guest).stat().st_mode) == 0o600
    assert not any(PIN in file.read_text(errors="replace") for file in guest.home.rglob("*") if file.is_file())
    tries = [entry for entry in resident.json("guests", "show", "Plumber")["history"] if entry["action"] == "door.open"]
    assert len(tries) == 1, "a wrong PIN asks the house for nothing"


def swap(one, other):
    aside = one.with_name("aside")
    one.rename(aside)
    other.rename(one)
    aside.rename(other)


def test_a_copied_folder_opens_nothing_without_the_pin(resident, terminal, hub, owner):  # noqa: F811
    guest = terminal("guest")
    guest.run("pair", "--with-pin", typed=f"{invite(resident)['link']}\n{PIN}\n")
    # Sealed secrets open in the folder where they were sealed: a thief puts the copy in the same place.
    thief, away = guest, guest.home.with_name("away")
    shutil.copytree(guest.home, away)
    before = actuations(owner)

    assert thief_of(thief, hub).act().json()["error"] == "action_proof_required"
    for left in (9, 8, 7):
        assert f"{left} tries are left" in thief.error("open", typed="sesame-8\n")["message"]
    waits = thief.error("open", typed=PIN + "\n", expect=TRY_LATER)
    assert waits["code"] == "pin_wait" and 0 < waits["retry_after"] <= 30
    assert actuations(owner) == before

    # Its tries do not count for the original.
    swap(guest.home, away)
    assert guest.run("open", typed=PIN + "\n").stdout.startswith("It is open.")
    swap(guest.home, away)
    # After the tenth the key is deleted, and the token alone is as worthless as before.
    file = key_file(thief)
    contents = json.loads(file.read_text())
    contents["tries"] = {"wrong": 9, "lastAt": 0}
    file.write_text(json.dumps(contents))
    assert thief.error("open", typed="sesame-8\n")["code"] == "pin_erased"
    assert thief.error("open", typed=PIN + "\n")["code"] == "pin_erased"
    assert "sealed" not in json.loads(file.read_text())
    assert actuations(owner) == before + 1


def test_a_pass_paired_again_deletes_its_old_key(resident, terminal, hub):  # noqa: F811
    guest, invited = terminal("guest"), invite(resident)
    guest.run("pair", "--with-pin", typed=f"{invited['link']}\n{PIN}\n")
    first = key_file(guest)
    guest.run("pair", "--with-pin", "--hub", hub.url, typed=f"23456789AB\n{PIN}\n", expect=REFUSED)
    assert [first] == list((guest.home / "keys").glob("*.json")), "a code that is none leaves nothing"
    code = resident.json("guests", "code", invited["guest_id"])["pairing_code"]
    guest.run("pair", "--without-pin", "--hub", hub.url, typed=code + "\n")
    assert not list((guest.home / "keys").glob("*.json"))
    guest.run("open", expect=DONE)


def at_a_terminal(person, *args):
    pid, screen = pty.fork()
    if pid == 0:
        os.execve(person.binary, [str(person.binary), *args], {**person.env, "TERM": "xterm"})
    return pid, screen


def types(screen, question, text, hidden=True):
    shown = read_until(screen, question)
    # Input typed before the echo is off would be shown.
    house.until(lambda: bool(termios.tcgetattr(screen)[3] & termios.ECHO) is not hidden, "the echo is off" if hidden else "the echo is on")
    os.write(screen, text.encode() + b"\n")
    return shown


def test_the_terminal_asks_for_the_pin_without_echo(resident, terminal, hub, owner):  # noqa: F811
    guest = terminal("guest")
    guest.home.mkdir(mode=0o700)
    pid, screen = at_a_terminal(guest, "pair")
    types(screen, b"Link or code: ", invite(resident)["link"], hidden=False)
    shown = types(screen, b"(Enter for none): ", PIN)
    shown += types(screen, b"Repeat it: ", PIN)
    shown += read_until(screen, b"Each opening asks for your PIN.")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == DONE

    before = actuations(owner)
    pid, screen = at_a_terminal(guest, "open")
    shown += types(screen, b"PIN: ", PIN)
    shown += read_until(screen, b"It is open.")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == DONE
    assert actuations(owner) == before + 1 and PIN.encode() not in shown


def test_an_empty_pin_at_the_terminal_means_no_pin(resident, terminal, hub, owner):  # noqa: F811
    guest = terminal("guest")
    guest.home.mkdir(mode=0o700)
    pid, screen = at_a_terminal(guest, "pair")
    types(screen, b"Link or code: ", invite(resident)["link"], hidden=False)
    types(screen, b"(Enter for none): ", "")
    read_until(screen, b"Open the door with `cardea open`.")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == DONE
    assert "key" in guest.kept()["passes"][0]
    assert guest.run("open").stdout.startswith("It is open.")
