"""`cardea watch` on a real screen: drawn in place, paged, through a break of the line, and the terminal as it was afterwards."""

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


def test_the_house_is_drawn_in_place_as_it_changes(watch, owner):
    screen = watch()
    assert "Linden Street 14" in screen.shows("up to date")
    lines = screen.lines
    heads = [line for line in lines[1:-1] if line and not line.startswith(" ")]
    assert heads == sorted(heads) and "Hall" in heads
    hall = lines.index("Hall")
    assert any("Front door" in line for line in lines[hall:hall + 4]) and "q quit" in lines[-1]

    light(owner, "on")
    # Both are there for some seconds alone. What was drawn is kept, however late it is looked at.
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
def test_however_it_ends_the_terminal_is_as_it_was(watch, number):
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


def test_a_session_that_ends_says_so_on_a_terminal_as_it_was(watch, owner):
    screen = watch()
    screen.shows("up to date")
    session, = [one for one in owner.get("/api/v1/auth/sessions").json()["sessions"] if not one["current"]]
    assert owner.call("DELETE", f"/api/v1/auth/sessions/{session['session_id']}").ok
    assert screen.wait() == NOT_SIGNED_IN
    assert LEFT in screen.raw and "session has ended" in screen.raw.split(LEFT)[1].decode()
    assert screen.mode() & termios.ECHO


def test_a_small_screen_is_paged(watch):
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


def test_put_aside_and_called_back(watch, owner):
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


def test_through_a_break_and_without_the_house(watch, resident, proxy, owner):  # noqa: F811
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

    # Begun without the house, it shows what was kept, and takes up the line when it can.
    screen = watch()
    assert "as of" in screen.shows("hub unreachable")
    assert "Front door" in row(screen, "Front door")
    proxy.open()
    screen.shows("up to date")


def test_without_colours_it_is_a_line_for_each_change(watch, resident, owner):  # noqa: F811
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
