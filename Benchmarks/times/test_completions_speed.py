"""The time to complete names in a shell, while a person who pressed TAB waits.

The bounds are of a debug build; a release build is quicker.
"""

import statistics
import time

from test_command_line import cli_binary, resident, terminal  # noqa: F401
from test_completions import OPEN, ask, house, silent_bus  # noqa: F401


def timed(house, **env):  # noqa: F811
    begun = time.monotonic()
    done = ask(house, *OPEN, **env)
    assert done.returncode == 0 and done.stderr == ""
    return done, time.monotonic() - begun


def told(what, times):
    print(f"{what}: quickest {min(times) * 1000:.0f} ms, median {statistics.median(times) * 1000:.0f} ms")


def test_names_are_completed_quickly(house):  # noqa: F811
    times = []
    for _ in range(5):
        done, took = timed(house)
        assert "Front door" in done.stdout.split("\n")
        times.append(took)
    told("names of the house", times)
    assert min(times) < 0.4


def test_a_silent_keyring_is_not_waited_for(house):  # noqa: F811
    """The replica's key is in neither place: the terminal calls a session bus that does not answer."""
    key = house.home / "secrets.key"
    key.rename(house.home / "elsewhere")
    with silent_bus() as bus:
        done, took = timed(house, **bus)
    assert done.stdout.strip() == ""
    told("a silent session bus", [took])
    assert took < 1.5
