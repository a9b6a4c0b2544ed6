"""A desk with an NFC reader: pcscd in its own network, a reader on a socket (vpcd), and cards simulated in Python."""

import contextlib
import ctypes
import os
import pathlib
import secrets
import socket
import struct
import subprocess
import threading
import zlib

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.cmac import CMAC

import house

VPCD = 35963
READER = b"Virtual PCD 00 00"
PRESENT = 0x20
NEW_NETWORK = 0x40000000


class State(ctypes.Structure):
    """A reader's state in PC/SC."""

    _fields_ = [
        ("name", ctypes.c_char_p), ("data", ctypes.c_void_p), ("current", ctypes.c_ulong), ("event", ctypes.c_ulong), ("count", ctypes.c_ulong),
        ("atr", ctypes.c_ubyte * 33)]


class Desk:
    """pcscd and its reader. It listens on port 35963 for every address, so it runs in a network of its own."""

    def __init__(self, folder, readers=True):
        self.folder = folder / "pcscd"
        self.folder.mkdir()
        (folder / "none").mkdir(exist_ok=True)
        hide = "" if readers else f" && mount --bind {folder / 'none'} /etc/reader.conf.d"
        script = f"mkdir -p /run/pcscd && mount --bind {self.folder} /run/pcscd{hide} && ip link set lo up && exec pcscd --foreground"
        self.daemon = subprocess.Popen(
            ["unshare", "--net", "--mount", "sh", "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = self.folder / "pcscd.comm"
        try:
            house.until(lambda: self.socket.exists() or self.daemon.poll() is not None, "pcscd is there")
            if self.daemon.poll() is not None:
                pytest.fail("pcscd does not run here; it needs root, and scripts/setup")
            if readers:
                house.until(self._listens, "the reader is there")
        except BaseException:
            self.stop()
            raise

    def _listens(self):
        with contextlib.suppress(OSError):
            return f":{VPCD:04X} " in pathlib.Path(f"/proc/{self.daemon.pid}/net/tcp").read_text()
        return False

    def until(self, has_card):
        """Waits until pcscd reports a card, or none."""
        os.environ["PCSCLITE_CSOCK_NAME"] = str(self.socket)
        library, context, state = ctypes.CDLL("libpcsclite.so.1"), ctypes.c_long(), State(name=READER)
        assert library.SCardEstablishContext(2, None, None, ctypes.byref(context)) == 0

        def seen():
            assert library.SCardGetStatusChange(context, ctypes.c_ulong(0), ctypes.byref(state), ctypes.c_ulong(1)) == 0
            return bool(state.event & PRESENT) == has_card

        try:
            house.until(seen, "the reader has seen it")
        finally:
            library.SCardReleaseContext(context)

    def connect(self):
        """A socket to the reader. A separate thread enters the reader's network, and the socket stays there."""
        made = []

        def make():
            with open(f"/proc/{self.daemon.pid}/ns/net", "rb") as network:
                if ctypes.CDLL(None, use_errno=True).setns(network.fileno(), NEW_NETWORK):
                    made.append(OSError(ctypes.get_errno(), "no way to the reader"))
                    return
            try:
                made.append(socket.create_connection(("127.0.0.1", VPCD), timeout=60))
            except OSError as error:
                made.append(error)

        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        if isinstance(made[0], OSError):
            raise made[0]
        return made[0]

    def stop(self):
        if self.daemon.poll() is None:
            self.daemon.terminate()
            try:
                self.daemon.wait(60)
            except subprocess.TimeoutExpired:
                self.daemon.kill()
                self.daemon.wait(60)


class Card:
    """A card laid on the reader and removed. After `pulled_after` writes it is removed automatically: before the next write or, with
    `is_heard`, after it and before its answer."""

    atr = bytes.fromhex("3B80800101")

    def __init__(self):
        self.line = None
        self.pulled_after, self.is_heard = None, False

    @contextlib.contextmanager
    def on(self, desk):
        self.lay_on(desk)
        try:
            yield self
        finally:
            self.take_away()

    def lay_on(self, desk):
        self.reset()
        self.desk, self.line = desk, desk.connect()
        self.line.settimeout(None)
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.thread = threading.Thread(target=self._serve, args=(self.line,), daemon=True)
        self.thread.start()
        desk.until(has_card=True)

    def take_away(self):
        if self.line:
            with contextlib.suppress(OSError):  # It was removed before.
                self.line.shutdown(socket.SHUT_RDWR)
            self.line.close()
            self.thread.join(house.LIMIT)
            self.line = None
            self.desk.until(has_card=False)

    def _serve(self, line):
        try:
            while True:
                message = self._take(line, struct.unpack(">H", self._take(line, 2))[0])
                if len(message) == 1:
                    if message[0] == 4:
                        self._say(line, self.atr)
                    elif message[0] in (0, 1, 2):
                        self.reset()
                    continue
                if self.is_write(message) and self.pulled_after is not None:
                    if self.pulled_after == 0:
                        if self.is_heard:
                            self.answer(message)
                        line.shutdown(socket.SHUT_RDWR)
                        return
                    self.pulled_after -= 1
                self._say(line, self.answer(message))
        except OSError:
            pass  # Removed.

    @staticmethod
    def _take(line, count):
        taken = b""
        while len(taken) < count:
            # Otherwise the reader holds back the second half of its message until this is acknowledged.
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            part = line.recv(count - len(taken))
            if not part:
                raise OSError("the reader has gone")
            taken += part
        return taken

    @staticmethod
    def _say(line, message):
        line.sendall(struct.pack(">H", len(message)) + message)

    def is_write(self, apdu):
        return apdu[1] in (0xD6, 0xC4, 0x5F)

    def reset(self):
        pass


class Sticker(Card):
    """An NTAG21x behind the reader's own commands (PC/SC part 3): pages of four octets."""

    atr = bytes.fromhex("3B8F8001804F0CA0000003060300030000000068")
    LOCKS = {0x12: 0x28, 0x3E: 0x82, 0x6D: 0xE2}

    def __init__(self, size, uid="04112233445566"):
        super().__init__()
        self.uid = bytes.fromhex(uid)
        self.memory = bytearray(16) + bytearray(size * 8) + bytearray(20)
        self.memory[12:16] = bytes((0xE1, 0x10, size, 0x00))
        self.memory[16:19] = b"\x03\x00\xfe"

    def answer(self, apdu):
        page = apdu[3] * 4
        if apdu[:2] == b"\xff\xca":
            return self.uid + b"\x90\x00"
        if apdu[:2] == b"\xff\xb0":
            return bytes(self.memory[page:page + apdu[4]]) + b"\x90\x00" if page < len(self.memory) else b"\x6a\x82"
        if apdu[:2] == b"\xff\xd6" and apdu[4] == 4:
            if self.memory[10:12] == b"\xff\xff" and page >= 12:
                return b"\x63\x00"
            for place, octet in enumerate(apdu[5:9]):
                # Lock bits can only be set.
                self.memory[page + place] = self.memory[page + place] | octet if page in (8, 12) else octet
            return b"\x90\x00"
        return b"\x6d\x00"

    @property
    def message(self):
        """The message, read as the NFC Forum specifies."""
        place = 16
        while self.memory[place] != 0x03:
            place += 1 if self.memory[place] == 0 else 2 + self.memory[place + 1]
        length, place = self.memory[place + 1], place + 2
        if length == 255:
            length, place = struct.unpack(">H", self.memory[place:place + 2])[0], place + 2
        return bytes(self.memory[place:place + length])


class Files(Card):
    """A Type 4 tag."""

    def __init__(self, size=256, most=0x34, uid="04A0A1A2A3A4A5"):
        super().__init__()
        self.uid = bytes.fromhex(uid)
        self.files = {0xE103: bytearray(struct.pack(">HBHHBBHHBB", 15, 0x20, 0x3B, most, 4, 6, 0xE104, size, 0, 0)), 0xE104: bytearray(size)}
        self.most = most
        self.reset()

    def reset(self):
        self.chosen = None
        self.is_open = False

    def answer(self, apdu):
        head, start = apdu[:2], struct.unpack(">H", apdu[2:4])[0]
        if head == b"\xff\xca":
            return self.uid + b"\x90\x00"
        if head == b"\x00\xa4" and apdu[2] == 4:
            self.is_open = apdu[5:5 + apdu[4]] == bytes.fromhex("D2760000850101")
            return b"\x90\x00" if self.is_open else b"\x6a\x82"
        if head == b"\x00\xa4" and self.is_open:
            self.chosen = struct.unpack(">H", apdu[5:7])[0]
            return b"\x90\x00" if self.chosen in self.files else b"\x6a\x82"
        if self.chosen not in self.files:
            return b"\x69\x85"
        if head == b"\x00\xb0":
            count = apdu[4] or 256
            return bytes(self.content()[start:start + count]) + b"\x90\x00"
        if head == b"\x00\xd6":
            return self.update(start, apdu[5:5 + apdu[4]])
        return b"\x6d\x00"

    def content(self):
        return self.files[self.chosen]

    def update(self, start, data):
        file = self.files[self.chosen]
        if len(data) > self.most or start + len(data) > len(file):
            return b"\x67\x00"
        if self.chosen == 0xE104 and self.files[0xE103][14]:
            return b"\x69\x82"
        file[start:start + len(data)] = data
        return b"\x90\x00"

    @property
    def message(self):
        file = self.files[0xE104]
        return bytes(file[2:2 + struct.unpack(">H", file[:2])[0]])


class Chip(Files):
    """An NTAG 424 DNA by NT4H2421Gx and AN12196: changes need proof of the key."""

    def __init__(self, uid="04958CAA5C5E80"):
        super().__init__(size=256, most=0xFF, uid=uid)
        self.keys, self.versions = [bytes(16)] * 5, [0] * 5
        # Readable and writable by default.
        self.settings = bytes.fromhex("00E0EE")
        self.counter = 0

    def reset(self):
        super().reset()
        self.session = self.handshake = self.mirrored = None

    def answer(self, apdu):
        if apdu[0] != 0x90:
            if apdu[:2] == b"\x00\xa4":
                self.mirrored = None
                self.session = None
            return super().answer(apdu)
        if not self.is_open or apdu[2:4] != b"\0\0" or len(apdu) > 5 and len(apdu) != 6 + apdu[4]:
            return b"\x91\x7e"
        body = apdu[5:5 + apdu[4]] if len(apdu) > 5 else b""
        return {0x71: self.first, 0xAF: self.second, 0x64: self.version, 0xC4: self.change_key, 0x5F: self.change_settings, 0x51: self.number}.get(
            apdu[1], lambda _: b"\x91\x1c")(body)

    # MARK: keys

    @staticmethod
    def cbc(key, start, data, decrypts=False):
        cipher = Cipher(algorithms.AES(key), modes.CBC(start))
        worker = cipher.decryptor() if decrypts else cipher.encryptor()
        return worker.update(data) + worker.finalize()

    @staticmethod
    def code(key, message):
        cmac = CMAC(algorithms.AES(key))
        cmac.update(message)
        return cmac.finalize()

    def first(self, body):
        self.session = None
        number, theirs = body[0], secrets.token_bytes(16)
        if number > 4:
            return b"\x91\x40"
        self.handshake = number, theirs
        return self.cbc(self.keys[number], bytes(16), theirs) + b"\x91\xaf"

    def second(self, body):
        if not self.handshake or len(body) != 32:
            return b"\x91\xae"
        (number, b), self.handshake = self.handshake, None
        key = self.keys[number]
        plain = self.cbc(key, bytes(16), body, True)
        a = plain[:16]
        if plain[16:] != b[1:] + b[:1]:
            return b"\x91\xae"
        name = secrets.token_bytes(4)
        rest = a[:2] + bytes(x ^ y for x, y in zip(a[2:8], b[:6])) + b[6:] + a[8:]
        self.session = {
            "number": number, "name": name, "count": 0, "enc": self.code(key, b"\xa5\x5a\0\1\0\x80" + rest),
            "mac": self.code(key, b"\x5a\xa5\0\1\0\x80" + rest)}
        return self.cbc(key, bytes(16), name + a[1:] + a[:1] + bytes(12)) + b"\x91\x00"

    def short(self, message):
        return self.code(self.session["mac"], message)[1::2]

    def start(self, kind, count):
        block = kind + self.session["name"] + count.to_bytes(2, "little") + bytes(8)
        return Cipher(algorithms.AES(self.session["enc"]), modes.ECB()).encryptor().update(block)

    def opened(self, instruction, body, header):
        """The plaintext of a command, or None where it is not of this session."""
        if not self.session:
            return None
        sent, code = body[:-8], body[-8:]
        count = self.session["count"]
        if code != self.short(bytes((instruction,)) + count.to_bytes(2, "little") + self.session["name"] + sent):
            self.session = None
            return None
        self.session["count"] += 1
        if len(sent) == header:
            return b""
        plain = self.cbc(self.session["enc"], self.start(b"\xa5\x5a", count), sent[header:], True).rstrip(b"\0")
        assert plain.endswith(b"\x80"), "padded as ISO 9797-1 has it"
        return plain[:-1]

    def fine(self, data=b""):
        count = self.session["count"]
        if data:
            data += b"\x80" + bytes(-(len(data) + 1) % 16)
            data = self.cbc(self.session["enc"], self.start(b"\x5a\xa5", count), data)
        return data + self.short(b"\0" + count.to_bytes(2, "little") + self.session["name"] + data) + b"\x91\x00"

    def version(self, body):
        return bytes((self.versions[body[0]],)) + b"\x91\x00"

    def number(self, body):
        return b"\x91\xae" if self.opened(0x51, body, 0) is None else self.fine(self.uid)

    def change_key(self, body):
        data, number = self.opened(0xC4, body, 1), body[0]
        if data is None or self.session["number"] != 0 or number > 4:
            return b"\x91\xae"
        if number == 0:
            if len(data) != 17:
                return b"\x91\x1e"
            self.keys[0], self.versions[0], self.session = data[:16], data[16], None
            return b"\x91\x00"
        new = bytes(x ^ y for x, y in zip(data[:16], self.keys[number]))
        if len(data) != 21 or (zlib.crc32(new) ^ 0xFFFFFFFF).to_bytes(4, "little") != data[17:]:
            return b"\x91\x1e"
        self.keys[number], self.versions[number] = new, data[16]
        return self.fine()

    def change_settings(self, body):
        data = self.opened(0x5F, body, 1)
        if data is None or self.session["number"] != self.settings[1] & 0x0F and self.settings[1] & 0x0F != 0x0E:
            return b"\x91\xae"
        if body[0] != 2 or data[0] & 0x40 and len(data) != 15:
            return b"\x91\x9e"
        self.settings = data
        return self.fine()

    # MARK: messages

    def content(self):
        if self.chosen != 0xE104 or not self.settings[0] & 0x40:
            return super().content()
        if self.mirrored is None:
            self.counter += 1
            self.mirrored = self.said()
        return self.mirrored

    def said(self):
        options, rights = self.settings[3], self.settings[4:6]
        picc, begin, end = (int.from_bytes(self.settings[place:place + 3], "little") for place in (6, 9, 12))
        assert options == 0xC1 and begin == end, "UID and counter as text, and a code over nothing else"
        meta, file = self.keys[rights[1] >> 4], self.keys[rights[1] & 0x0F]
        count, said = self.counter.to_bytes(3, "little"), bytearray(self.files[0xE104])
        said[picc:picc + 32] = self.cbc(meta, bytes(16), b"\xc7" + self.uid + count + secrets.token_bytes(5)).hex().upper().encode()
        session = self.code(file, b"\x3c\xc3\0\1\0\x80" + self.uid + count)
        said[end:end + 16] = self.code(session, b"")[1::2].hex().upper().encode()
        return said

    def update(self, start, data):
        if self.chosen == 0xE104 and 0x0E not in (self.settings[1] >> 4, self.settings[2] & 0x0F):
            return b"\x69\x82"
        return super().update(start, data)

    def touch(self):
        """The message that the next phone reads."""
        self.is_open, self.chosen, self.mirrored = True, 0xE104, None
        said = bytes(self.content())
        return said[2:2 + struct.unpack(">H", said[:2])[0]]
