"""Machines with their own networks, names, system buses and Bonjour daemons: a house's hub, and a phone."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys

import pytest

import house

HOME, AWAY = "home0", "away0"

AVAHI = """[server]
host-name={name}
use-ipv4=yes
use-ipv6=no
allow-interfaces={interface}
[publish]
publish-workstation=no
"""


class Host:
    """One machine, made of namespaces that end with the process that holds them."""

    def __init__(self, name, folder):
        self.name = name
        self.folder = folder
        self.avahi = None
        start = f"hostname {name} && mount -t tmpfs tmpfs /run && mkdir -p /run/dbus /run/avahi-daemon && chown avahi:avahi /run/avahi-daemon"
        self.holder = subprocess.Popen(
            ["unshare", "--net", "--mount", "--uts", "sh", "-c", f"{start} && echo ready && exec sleep infinity"], stdout=subprocess.PIPE, text=True)
        if self.holder.stdout.readline() != "ready\n":
            pytest.fail("a machine with a network of its own needs root")
        self.run("ip", "link", "set", "lo", "up")
        self.bus = subprocess.Popen(self.inside("dbus-daemon", "--system", "--nofork", "--nopidfile"), stderr=subprocess.DEVNULL)
        house.until(lambda: self.run("test", "-S", "/run/dbus/system_bus_socket", check=False).returncode == 0, "the bus is there")
        (folder / f"{name}.conf").write_text(AVAHI.format(name=name, interface=HOME))

    def inside(self, *command):
        """The command as it runs on this machine, in the same process from the start."""
        return ["nsenter", "--target", str(self.holder.pid), "--net", "--mount", "--uts", *map(str, command)]

    def run(self, *command, check=True, timeout=60, **more):
        return subprocess.run(self.inside(*command), check=check, capture_output=True, text=True, timeout=timeout, **more)

    def binary(self, program):
        """A program that runs on this machine, wherever it is called from."""
        script = self.folder / f"{self.name}-{pathlib.Path(program).name}"
        script.write_text("#!/bin/sh\nexec " + " ".join(self.inside(program)) + ' "$@"\n')
        script.chmod(0o755)
        return script

    def start_avahi(self):
        self.avahi = subprocess.Popen(
            self.inside("avahi-daemon", "--no-rlimits", "--no-drop-root", "--no-chroot", "-f", self.folder / f"{self.name}.conf"),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        house.until(lambda: self.run("avahi-daemon", "--check", check=False).returncode == 0, "the Bonjour daemon is there")

    def stop_avahi(self):
        self.avahi.send_signal(signal.SIGTERM)
        self.avahi.wait(60)

    def signs(self, kind="_cardea._tcp"):
        """The services that Avahi's own browser sees nearby: name, address, port, texts."""
        lines = [line.split(";") for line in self.browsed(kind).splitlines() if line.startswith("=")]
        return [(unescaped(line[3]), line[7], int(line[8]), line[9]) for line in lines]

    def browsed(self, kind):
        """avahi-browse waits forever for the address of a service that was withdrawn (a house that was just renamed) before it resolved. It is
        restarted, each time with a longer limit, because slow machines need that."""
        for patience in (5, 5, 10, 20, 60, house.LIMIT):
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self.run("avahi-browse", "-rpt", kind, timeout=patience).stdout
        pytest.fail(f"avahi-browse did not end for {kind}")

    def cut(self, interface, up=False):
        self.run("ip", "link", "set", interface, "up" if up else "down")

    def close(self):
        for process in (self.avahi, self.bus, self.holder):
            if process and process.poll() is None:
                process.kill()
                process.wait(60)


def unescaped(name):
    """Avahi writes a space as \\032."""
    parts = name.split("\\")
    return parts[0] + "".join(chr(int(part[:3])) + part[3:] for part in parts[1:])


def link(one, other, interface, network):
    subprocess.run(
        ["ip", "link", "add", interface, "netns", str(one.holder.pid), "type", "veth", "peer", "name", interface, "netns", str(other.holder.pid)],
        check=True)
    for number, host in enumerate((one, other), 1):
        host.run("ip", "addr", "add", f"{network}.{number}/24", "dev", interface)
        host.run("ip", "link", "set", interface, "up")


@contextlib.contextmanager
def street(folder):
    """The house's machine at 10.77.0.1 and a phone at 10.77.0.2; between them also a longer route, 10.78.0."""
    hosts = []
    try:
        for name in ("house", "phone"):
            hosts.append(Host(name, folder))
        link(*hosts, HOME, "10.77.0")
        link(*hosts, AWAY, "10.78.0")
        for host in hosts:
            host.start_avahi()
        yield hosts
    finally:
        for host in hosts:
            host.close()


@contextlib.contextmanager
def published(host, name, kind, port, *texts):
    """A service that a machine's daemon announces, and withdraws at the end."""
    process = subprocess.Popen(
        host.inside("avahi-publish", "-s", name, kind, port, *texts), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait(60)


# A neighbour without a daemon that announces anything: that many accessories, with names of arbitrary bytes, again and again.
SHOUT = """
import socket, struct, sys, time

address, count = sys.argv[1], int(sys.argv[2])
label = lambda part: bytes([len(part)]) + part
name = lambda *parts: b"".join(map(label, parts)) + b"\\0"
record = lambda owner, kind, data, unique=True: owner + struct.pack(">HHIH", kind, 0x8001 if unique else 1, 120, len(data)) + data
TYPE, HOST = (b"_hap", b"_tcp", b"local"), name(b"shouter", b"local")
ODD = [b"\\x1b[2J\\x1b]0;evil\\x07", "\\u202edaol".encode(), b"\\xff\\xfe\\xfd", b"a\\0b", b"\\n" * 63, b"." * 63, "\\u0301".encode() * 31]
line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
line.bind(("", 5353))
line.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
line.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
print("ready", flush=True)
while True:
    for number in range(count):
        who = name(ODD[number] if number < len(ODD) else b"Shouter %04d" % number, *TYPE)
        text = bytes(range(1, 256)) if number % 7 == 3 else label(b"md=\\x1b[31m" + b"x" * 200) + label(b"ci=99999999999999999999") + label(b"sf=-1")
        answers = [
            record(name(*TYPE), 12, who, unique=False), record(who, 33, struct.pack(">HHH", 0, 0, 51826) + HOST), record(who, 16, text),
            record(HOST, 1, socket.inet_aton(address))]
        line.sendto(struct.pack(">HHHHHH", 0, 0x8400, 0, len(answers), 0, 0) + b"".join(answers), ("224.0.0.251", 5353))
        if number % 20 == 19:
            time.sleep(0.01)
    time.sleep(1)
"""

PASS_ON = """
import asyncio, sys

async def carry(reader, writer):
    try:
        while part := await reader.read(65536):
            writer.write(part)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()

async def guest(reader, writer):
    there, here = await asyncio.open_connection(sys.argv[3], int(sys.argv[4]))
    await asyncio.gather(carry(reader, here), carry(there, writer))

async def main():
    async with await asyncio.start_server(guest, sys.argv[1], int(sys.argv[2])) as server:
        print("ready", flush=True)
        await server.serve_forever()

asyncio.run(main())
"""

THIEF = """
import socket, ssl, sys

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[3])
listener = socket.create_server((sys.argv[1], int(sys.argv[2])))
print("ready", flush=True)
while True:
    raw, _ = listener.accept()
    print("knock", flush=True)
    raw.settimeout(60)
    try:
        with context.wrap_socket(raw, server_side=True) as line:
            while part := line.recv(65536):
                print("heard", part, flush=True)
    except OSError:
        pass
"""


@contextlib.contextmanager
def program(host, source, *arguments):
    """A small program on a machine; returns a function that gives the lines printed so far."""
    log = open(host.folder / f"{os.urandom(4).hex()}.log", "w+")
    process = subprocess.Popen(host.inside(sys.executable, "-c", source, *arguments), stdout=log, stderr=log)
    lines = lambda: pathlib.Path(log.name).read_text().splitlines()
    try:
        house.until(lambda: "ready" in lines(), "the program is there")
        yield lines
    finally:
        process.kill()
        process.wait(60)
        log.close()
