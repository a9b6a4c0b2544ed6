"""The power of a hub, or of one of its commands, cut after a durable step. The steps of all its threads are counted together.

`CARDEA_CRASH_POINTS` says after how many of the steps the power is cut, evenly spread (8 by default, all of them in `make chaos`).
"""

import contextlib
import os
import re
import shlex
import signal
import subprocess
import threading

import house
from conftest import hubs

POINTS = int(os.environ.get("CARDEA_CRASH_POINTS", "8"))
# The log's pages too: a partial commit is not a commit.
CALLS = ["fsync", "fdatasync", "pwrite64", "rename", "renameat2", "unlink", "ftruncate"]
# The delay in microseconds before each of them, so that the power can be cut.
PAUSE = 3000


class Power:
    """Reports each durable step of a hub run by `program`, in all its threads, and cuts the power after one of them.

    Each call is delayed for a moment, so that the power is cut before the next one. Pages written one after the other
    are one step: the first of them is on the disk, and the others are not. With `within`, the second of them, the fourth, the eighth and so on
    are steps as well.
    """

    def __init__(self, tmp_path, hub_binary, last=None, within=False):
        self.steps, self.program, self.within = [], tmp_path / "traced-hub", within
        # The hub itself where it is known: a program that it has started may make the call.
        self.process = None
        told = tmp_path / "told"
        if not told.exists():
            os.mkfifo(told)
        calls = ",".join(CALLS)
        # The started process is the hub itself, and the tracer its grandchild. The tracer's output comes line by line through a pipe.
        words = ["strace", "-D", "-f", "--seccomp-bpf", "-qq", "-o", f"|exec cat >{shlex.quote(str(told))}", "-e", f"trace={calls}",
                 "-e", f"inject={calls}:delay_enter={PAUSE}", str(hub_binary)]
        self.program.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        self.program.chmod(0o755)
        self.listener = threading.Thread(target=self.listen, args=(told, last), daemon=True)
        self.listener.start()

    def listen(self, told, last):
        pages = 0
        with told.open() as lines:
            for line in lines:
                found = re.match(r"(\d+) +(?:<\.\.\. )?(\w+)", line)
                if not found or "<unfinished" in line:
                    continue
                pages = pages + 1 if found[2] == "pwrite64" else 0
                if pages <= 1 or self.within and pages & (pages - 1) == 0:
                    self.steps.append(found[2])
                    if len(self.steps) == last:
                        self.goes(int(found[1]))

    def goes(self, caller):
        for process in {caller, self.process.pid if self.process else caller}:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def live(self, data, words, ended):
        """Serves the house until `ended` is true of the hub or the power is cut; returns whether it was cut."""
        with hubs(self.program) as start:
            try:
                hub = start(data, *words)
            except RuntimeError:
                return True
            house.until(lambda: hub.process.poll() is not None or ended(hub), "it comes to its end")
            code = hub.stop()
        self.listener.join(house.LIMIT)
        return code == -signal.SIGKILL

    def run(self, words, **more):
        """Runs a command to its end, or until the power is cut; returns whether it was cut."""
        self.process = subprocess.Popen(
            [str(self.program), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
        # The tracer holds the pipe as well, and follows every program that the command starts: from here on nothing writes any more.
        said, _ = self.process.communicate(timeout=120)
        self.listener.join(house.LIMIT)
        assert self.process.returncode in (0, -signal.SIGKILL), said
        return self.process.returncode != 0


def killed_at_its_steps(tmp_path, hub_binary, words, prepare, judge, least=POINTS, **more):
    """Runs a command again and again, each time from what `prepare` lays out, and cuts its power after different steps.

    `judge` says whether the result is "old" or "new". The first step and the last are among them, and, to find the step at which
    old becomes new, the steps between; at least `least` steps, where there are so many. Returns how many times the power was cut, and the
    results.
    """

    def run(last=None):
        prepare()
        power = Power(tmp_path, hub_binary, last, within=True)
        return power.run(words, **more), power.steps

    went, steps = run()
    assert not went and judge("at its end") == "new", steps
    count, kills, seen = len(steps), 0, {}

    def look(last):
        nonlocal kills
        # A run that ended in fewer steps is judged too.
        went, done = run(last)
        kills += went
        when = f"{'killed' if went else 'not killed'} after step {last} of {count}: {done[-3:]}"
        try:
            seen[last] = judge(when)
        except Exception as problem:
            problem.add_note(when)
            raise

    few = max(2, min(max(POINTS, least), count))
    for place in range(few):
        look(1 + place * (count - 1) // (few - 1))
    for _ in range(3):
        # A thread may get less far in some runs: the search uses the most frequent turning point.
        old, new = max((last for last in seen if seen[last] == "old"), default=0), min((last for last in seen if seen[last] == "new"), default=count)
        if 0 < old and new - old > 1:
            look((old + new) // 2)
    assert 4 * kills >= 3 * len(seen), f"{kills} kills at {len(seen)} of {count} steps"
    return kills, set(seen.values())
