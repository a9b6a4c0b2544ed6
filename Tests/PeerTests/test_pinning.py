"""How the terminal recognises its house: by a certificate that this machine trusts, or by the house's key.

A mount namespace replaces the machine's list of authorities, so the test covers the default validation and not a certificate that was
passed by hand.
"""

import base64
import datetime
import hashlib
import ipaddress
import shlex
import socket
import ssl
import subprocess
import threading

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

import house
from conftest import PASSWORD
from test_command_line import UNREACHABLE, cli_binary, terminal  # noqa: F401

# The authorities that the tests' client reads on Debian.
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"
TODAY = datetime.datetime.now(datetime.timezone.utc)
DAY = datetime.timedelta(days=1)


class Authority:
    """Issues certificates like a public authority."""

    def __init__(self, folder):
        self.folder = folder
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority")])
        made = self._signed(self.name, self.key.public_key(), TODAY - 300 * DAY, TODAY + 300 * DAY, x509.BasicConstraints(True, None), None)
        self.file = folder / "authorities.pem"
        self.file.write_bytes(made.public_bytes(serialization.Encoding.PEM))

    def _signed(self, name, key, begins, ends, constraints, names):
        builder = (
            x509.CertificateBuilder().subject_name(name).issuer_name(self.name).public_key(key).serial_number(x509.random_serial_number())
            .not_valid_before(begins).not_valid_after(ends).add_extension(constraints, critical=True))
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        return builder.sign(self.key, hashes.SHA256())

    def make(self, name, names=("localhost", "127.0.0.1"), begins=TODAY - DAY, ends=TODAY + 30 * DAY, key=None):
        """Files with a certificate and its key, and the key's pin."""
        key = key or ec.generate_private_key(ec.SECP256R1())
        known = [x509.IPAddress(ipaddress.ip_address(one)) if one[0].isdigit() else x509.DNSName(one) for one in names]
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        made = self._signed(subject, key.public_key(), begins, ends, x509.BasicConstraints(False, None), known)
        file = self.folder / f"{name}.pem"
        file.write_bytes(
            made.public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        spki = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        return file, "sha256/" + base64.b64encode(hashlib.sha256(spki).digest()).decode()


class Proxy:
    """Terminates TLS in front of the house with its own certificate, and counts the bytes it received."""

    def __init__(self, certificate, hub):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate)
        self.hub = int(hub.url.rsplit(":", 1)[1])
        self.door = socket.create_server(("127.0.0.1", 0))
        self.url = f"https://localhost:{self.door.getsockname()[1]}"
        self.heard, self.knocks, self.gone = 0, 0, []
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self):
        while True:
            try:
                raw, _ = self.door.accept()
            except OSError:
                return
            self.knocks += 1
            threading.Thread(target=self._serve, args=(raw,), daemon=True).start()

    def _serve(self, raw):
        try:
            self._meet(raw)
        finally:
            self.gone.append(raw)

    def _meet(self, raw):
        try:
            line = self.context.wrap_socket(raw, server_side=True)
        except (ssl.SSLError, OSError):
            raw.close()
            return
        with line, socket.create_connection(("127.0.0.1", self.hub)) as hub:
            back = threading.Thread(target=self._carry, args=(hub, line), daemon=True)
            back.start()
            self.heard += self._carry(line, hub)
            back.join(house.LIMIT)

    @staticmethod
    def _carry(source, sink):
        count = 0
        try:
            while data := source.recv(65536):
                count += len(data)
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except (OSError, ssl.SSLError):
            pass  # Either end has gone: the other sees it on its own connection.
        return count

    def close(self):
        self.door.close()


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def stand(hub, owner):
    """Puts a proxy in front of the house."""
    proxies = []

    def stand(certificate):
        proxies.append(Proxy(certificate, hub))
        return proxies[-1]

    yield stand
    for proxy in proxies:
        proxy.close()


@pytest.fixture
def login(terminal, authority):  # noqa: F811
    """Signs in at an address, on a machine that trusts the authority."""
    somebody = terminal("somebody")

    def login(url, *options):
        words = [str(somebody.binary), "login", "--url", url, "--username", "owner", "--password-stdin", *options]
        believing = f"mount --bind {shlex.quote(str(authority.file))} {AUTHORITIES} && exec {shlex.join(words)}"
        return subprocess.run(
            ["unshare", "--mount", "sh", "-c", believing], input=PASSWORD + "\n", capture_output=True, text=True, env=somebody.env, timeout=60)

    return login


misfits = pytest.mark.parametrize("wrong", [
    {"names": ("other.example",)},
    {"begins": TODAY - 30 * DAY, "ends": TODAY - DAY},
    {"begins": TODAY + DAY, "ends": TODAY + 30 * DAY},
], ids=["of another name", "expired", "not valid yet"])


def refused(done, proxy):
    assert done.returncode == UNREACHABLE, done.stderr
    assert "could not prove that it is your house" in done.stderr and "Nothing was sent" in done.stderr
    house.until(lambda: 0 < proxy.knocks == len(proxy.gone), "whoever came to the proxy has gone")
    assert proxy.heard == 0, "it heard something"


def test_a_trusted_certificate_for_the_name_is_accepted(authority, stand, login):
    proxy = stand(authority.make("good")[0])
    done = login(proxy.url)
    assert done.returncode == 0, done.stderr
    house.until(lambda: proxy.heard > 0, "it went through the proxy")


@misfits
def test_a_trusted_certificate_for_another_name_or_time_is_refused(authority, stand, login, wrong):
    proxy = stand(authority.make("wrong", **wrong)[0])
    refused(login(proxy.url), proxy)


def test_an_untrusted_certificate_is_refused(stand, login, tmp_path):
    proxy = stand(Authority(tmp_path).make("unknown")[0])
    refused(login(proxy.url), proxy)


def test_a_trusted_certificate_with_another_key_is_refused_where_the_key_is_pinned(authority, stand, login):
    proxy, other = stand(authority.make("good")[0]), authority.make("other")[1]
    refused(login(proxy.url, "--pin", other), proxy)


def test_the_pinned_key_is_accepted(authority, stand, login):
    certificate, pin = authority.make("known")
    proxy = stand(certificate)
    done = login(proxy.url, "--pin", pin)
    assert done.returncode == 0, done.stderr


@misfits
def test_the_pinned_key_does_not_excuse_an_invalid_certificate(authority, stand, login, wrong):
    certificate, pin = authority.make("wrong", **wrong)
    proxy = stand(certificate)
    refused(login(proxy.url, "--pin", pin), proxy)


def test_the_pinned_key_needs_no_authority(stand, login, tmp_path):
    certificate, pin = Authority(tmp_path).make("unknown")
    done = login(stand(certificate).url, "--pin", pin)
    assert done.returncode == 0, done.stderr
