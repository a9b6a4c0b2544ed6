"""A connection between a hub and a server that can be cut, refused or made silent, like a network."""

import contextlib
import socket
import threading

import house


class LossyLine:
    def __init__(self, port):
        self.target = port
        self.port = house.free_port()
        self.is_silent = threading.Event()
        self.refuses = threading.Event()
        self.pairs = []
        self.guard = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                if self.refuses.is_set() or self.is_silent.is_set():
                    raise ConnectionError
                far = socket.create_connection(("127.0.0.1", self.target), 10)
            except OSError:
                near.close()
                continue
            with self.guard:
                self.pairs.append((near, far))
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one, other):
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                # The connection is dropped without a reset.
                if not self.is_silent.is_set():
                    other.sendall(data)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self):
        """Ends every connection and accepts no new one."""
        self.refuses.set()
        self._end()

    def fall_silent(self):
        """Forwards nothing any more, and closes no connection."""
        self.is_silent.set()

    def mend(self):
        """Forwards new connections again; silent ones are gone."""
        if self.is_silent.is_set():
            self._end()
        self.is_silent.clear()
        self.refuses.clear()

    def _end(self):
        with self.guard:
            pairs, self.pairs = self.pairs, []
        for pair in pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()

    def close(self):
        self.listener.close()
        self._end()
