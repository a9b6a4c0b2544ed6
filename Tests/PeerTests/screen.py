"""A terminal with a screen: a program runs in it, its output is drawn, and keys are pressed."""

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

import house
import pyte


class Screen:
    def __init__(self, program, *args, env, columns=80, rows=24):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execve(program, [str(program), *args], {**env, "TERM": "xterm-256color"})
        self.screen = pyte.HistoryScreen(columns, rows, history=1000)
        self.drawn = pyte.ByteStream(self.screen)
        self.raw = b""
        self.status = None
        self.resize(columns, rows)

    def resize(self, columns, rows):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def press(self, keys):
        os.write(self.terminal, keys.encode())

    def signal(self, number):
        os.kill(self.pid, number)

    def see(self, seconds=0.2):
        """Reads what is drawn within a moment; False where the program has ended and everything is drawn."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.terminal, 65536)
        except OSError:  # The other end was closed.
            return False
        self.raw += data
        self.drawn.feed(data)
        return bool(data)

    @property
    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def until(self, fits, what):
        end = time.monotonic() + house.LIMIT
        while not (found := fits(self.lines)):
            assert time.monotonic() < end, f"no {what} on\n" + "\n".join(self.lines) + f"\n{self.raw[-200:]}"
            if not self.see() and not fits(self.lines):
                raise AssertionError(f"it ended without {what}:\n" + "\n".join(self.lines))
        return found

    def shows(self, text):
        return self.until(lambda lines: next((line for line in lines if text in line), None), repr(text))

    def is_bright(self, text):
        """Whether the text is shown in reverse."""
        for row, line in enumerate(self.screen.display):
            if (column := line.find(text)) >= 0:
                return self.screen.buffer[row][column].reverse
        return False

    def mode(self):
        return termios.tcgetattr(self.terminal)[3]

    def wait(self):
        end = time.monotonic() + house.LIMIT
        while self.status is None:
            assert time.monotonic() < end, "it did not end"
            self.see(0.05)
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                self.status = os.waitstatus_to_exitcode(status)
        # Its last output may still be in the terminal, up to the end that is seen when it is closed.
        while self.see():
            assert time.monotonic() < end, "its terminal stays open"
        return self.status

    def end(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.status = -9
        os.close(self.terminal)
