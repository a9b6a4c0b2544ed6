"""`cardea watch` on a real screen: drawn in place, paged, through a lost connection, with the terminal restored afterwards."""

import re
import signal
import termios

import pytest
from screen import Screen

from test_command_line import DONE, NOT_SIGNED_IN, cli_binary, terminal  # noqa: F401
from test_offline import proxy, resident  # noqa: F401

pytestmark = pytest.mark.long

ENTERED, LEFT = b"\x1b[?1049h", b"\x1b[?25h\x1b[?1049l"


@pytest.fixture
def watch(resident):  # noqa: F811
    screens = []

    def start(*args, **size):
        screens.append(Screen(resident.binary, "watch", *args, env=resident.env, **size))
        return screens[-1]

    yield start
    for screen in screens:
        screen.end()


def light(owner, action):
    assert owner.put("/api/v1/devices/hall-light/control", {"action": action}).ok


def row(screen, name):
    return next((line for line in screen.lines if line.lstrip().startswith(name)), "")


def test_changes_are_drawn_in_place(watch, owner):
    screen = watch()
    assert "Linden Street 14" in screen.shows("up to date")
    lines = screen.lines
    heads = [line for line in lines[1:-1] if line and not line.startswith(" ")]
    assert heads == sorted(heads) and "Hall" in heads
    hall = lines.index("Hall")
    assert any("Front door" in line for line in lines[hall:hall + 4]) and "q quit" in lines[-1]

    light(owner, "on")
    # Both are shown for some seconds only. The output is recorded, however late it is checked.
    screen.until(lambda _: re.search(rb"Hall light *\x1b\[0m  \x1b\[7mon", screen.raw), "the light that is on, standing out")
    screen.until(lambda _: re.search(rb"\d\d:\d\d:\d\d  Hall light  on", screen.raw), "the change in the last line")
    screen.until(lambda _: " on" in row(screen, "Hall light"), "the light that is on")
    assert sum("Hall light" in line for line in screen.lines[:-1]) == 1
    screen.until(lambda _: not screen.is_bright("on "), "the change that fades")

    screen.press("q")
    assert screen.wait() == DONE
    assert screen.raw.count(ENTERED) == 1 and screen.raw.endswith(LEFT)
    assert screen.mode() & termios.ECHO and screen.mode() & termios.ICANON


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_restored_however_watch_ends(watch, number):
    screen = watch()
    screen.shows("up to date")
    assert not screen.mode() & termios.ECHO
    if number == signal.SIGINT:
        screen.press("\x03")
    else:
        screen.signal(number)
    assert screen.wait() == 128 + number
    assert screen.raw.endswith(LEFT)
    assert screen.mode() & termios.ECHO and screen.mode() & termios.ICANON


def test_an_ended_session_is_reported_on_the_restored_terminal(watch, owner):
    screen = watch()
    screen.shows("up to date")
    session, = [one for one in owner.get("/api/v1/auth/sessions").json()["sessions"] if not one["current"]]
    assert owner.call("DELETE", f"/api/v1/auth/sessions/{session['session_id']}").ok
    assert screen.wait() == NOT_SIGNED_IN
    assert LEFT in screen.raw and "session has ended" in screen.raw.split(LEFT)[1].decode()
    assert screen.mode() & termios.ECHO


def test_a_long_list_is_paged(watch):
    screen = watch(columns=44, rows=7)
    screen.shows("up to date")
    seen = set()
    for page in range(1, 9):
        screen.until(lambda lines: lines[-1].endswith(f"{page}/{lines[-1].split('/')[-1]}"), f"page {page}")
        seen |= {line.strip() for line in screen.lines[1:-1]}
        if screen.lines[-1].endswith(f"{page}/{page}"):
            break
        screen.press(" ")
    assert page > 2 and any(line.startswith("Garage door") for line in seen) and any(line.startswith("Study light") for line in seen)
    screen.press("b")
    screen.until(lambda lines: f"{page - 1}/{page}" in lines[-1], "the page before")
    screen.resize(100, 40)
    screen.until(lambda lines: "/" not in lines[-1] and any("Garage door" in line for line in lines), "everything on a large screen")


def test_watch_is_suspended_and_resumed(watch, owner):
    screen = watch()
    screen.shows("up to date")
    screen.press("\x1a")
    screen.until(lambda _: open(f"/proc/{screen.pid}/stat").read().split()[2] == "T", "a stopped program")
    screen.until(lambda _: screen.raw.endswith(LEFT), "the terminal as it was")
    assert screen.mode() & termios.ECHO
    light(owner, "on")
    screen.signal(signal.SIGCONT)
    screen.until(lambda _: " on" in row(screen, "Hall light"), "what changed meanwhile")
    assert screen.raw.count(ENTERED) == 2


def test_watch_continues_through_a_lost_connection_and_starts_offline(watch, resident, proxy, owner):  # noqa: F811
    resident.run("sync")
    screen = watch()
    screen.shows("up to date")
    proxy.shut()
    assert "as of" in screen.shows("hub unreachable")
    light(owner, "on")
    assert " off" in row(screen, "Hall light")
    proxy.open()
    screen.shows("up to date")
    screen.until(lambda _: " on" in row(screen, "Hall light"), "what was missed")
    proxy.shut()
    screen.press("q")
    assert screen.wait() == DONE

    # Started offline, it shows the replica, and connects when it can.
    screen = watch()
    assert "as of" in screen.shows("hub unreachable")
    assert "Front door" in row(screen, "Front door")
    proxy.open()
    screen.shows("up to date")


def test_without_colours_each_change_is_one_line(watch, resident, owner):  # noqa: F811
    resident.env["NO_COLOR"] = "1"
    screen = watch()
    screen.shows("NAME")
    light(owner, "on")
    screen.shows("Hall light  on")
    assert b"\x1b" not in screen.raw
    del resident.env["NO_COLOR"]
    screen = watch("--lines", "hall light")
    screen.shows("Hall light")
    light(owner, "off")
    screen.until(lambda lines: any(line.endswith("Hall light  off") for line in lines), "the change")
    assert ENTERED not in screen.raw
