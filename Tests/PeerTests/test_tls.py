"""The hub's TLS with clients that are not ours: Python's ssl, which is OpenSSL."""

import base64
import hashlib
import http.client
import json
import os
import pathlib
import socket
import ssl
import subprocess
import urllib.parse

import pytest
from kept import kept

import house
from conftest import PASSWORD, ROOT, Owner
from dpop import BrowserKey
from test_slow_clients import hangs_up_on_who_reads_nothing


@pytest.fixture
def tls_hub(start_hub, tmp_path):
    hub = start_hub(tmp_path / "house", "--virtual-house", insecure=False)
    hub.data = tmp_path / "house"
    return hub


def port(hub):
    return int(hub.url.rsplit(":", 1)[1])


def handshake(hub, context, name="localhost"):
    with socket.create_connection(("127.0.0.1", port(hub)), timeout=60) as raw:
        with context.wrap_socket(raw, server_hostname=name) as wrapped:
            return wrapped.version(), wrapped.cipher()[0], wrapped.getpeercert(binary_form=True), wrapped.selected_alpn_protocol()


def trusting(hub):
    return ssl.create_default_context(cafile=str(hub.data / "tls.crt"))


def spki_pin(der):
    pem = subprocess.run(["openssl", "x509", "-inform", "der", "-pubkey", "-noout"], input=der, capture_output=True, check=True).stdout
    key = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=pem, capture_output=True, check=True).stdout
    return "sha256/" + base64.b64encode(hashlib.sha256(key).digest()).decode()


def test_the_hub_speaks_tls_1_3_with_the_printed_key(tls_hub):
    assert tls_hub.url.startswith("https://127.0.0.1:")
    context = trusting(tls_hub)
    context.set_alpn_protocols(["h2", "http/1.1"])
    version, cipher, der, protocol = handshake(tls_hub, context)
    assert version == "TLSv1.3" and "GCM" in cipher or "CHACHA20" in cipher
    assert protocol == "http/1.1"
    assert spki_pin(der) == tls_hub.ready["pin"]
    # By IP address, too; and by no other name.
    assert handshake(tls_hub, trusting(tls_hub), "127.0.0.1")[0] == "TLSv1.3"
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(tls_hub, trusting(tls_hub), "house.example")
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(tls_hub, ssl.create_default_context())


@pytest.mark.parametrize("offered, chosen", [([], None), (["http/1.1"], "http/1.1"), (["h2"], None), (["h2", "http/1.1"], "http/1.1")], ids=str)
def test_any_alpn_offer_is_answered_in_http_1_1(tls_hub, offered, chosen):
    context = trusting(tls_hub)
    if offered:
        context.set_alpn_protocols(offered)
    with socket.create_connection(("127.0.0.1", port(tls_hub)), timeout=60) as raw:
        with context.wrap_socket(raw, server_hostname="localhost") as line:
            assert line.selected_alpn_protocol() == chosen
            line.sendall(f"GET /healthz HTTP/1.1\r\nHost: localhost:{port(tls_hub)}\r\nConnection: close\r\n\r\n".encode())
            heard = b""
            while chunk := line.recv(4096):
                heard += chunk
    assert heard.startswith(b"HTTP/1.1 200 ") and heard.endswith(b"ok\n")


def test_the_house_is_claimed_and_used_over_tls(tls_hub):
    connection = http.client.HTTPSConnection("localhost", port(tls_hub), context=trusting(tls_hub), timeout=60)

    def call(method, path, body=None, token=None, proof=()):
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {}), **dict(proof)}
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = connection.getresponse()
        return answer, json.loads(answer.read() or b"null")

    claim = tls_hub.claim_token
    answer, tokens = call(
        "POST", "/api/v1/claim",
        {"claim_token": claim, "username": "ada", "password": PASSWORD, "house_name": "Lime", "cookie": True},
        proof=BrowserKey().proof(f"https://localhost:{port(tls_hub)}/api/v1/claim"))
    assert answer.status == 201
    assert "; Secure" in answer.headers["Set-Cookie"]
    token = tokens["access_token"]
    certificate = call("GET", "/api/v1/house/certificate", token=token)[1]
    der = handshake(tls_hub, trusting(tls_hub))[2]
    assert certificate["pin"] == tls_hub.ready["pin"] and certificate["backup_pin"] != certificate["pin"]
    assert certificate["backup_pin"] == tls_hub.ready["backup_pin"]
    assert certificate["fingerprint_sha256"] == hashlib.sha256(der).hexdigest()
    answer, outcome = call("PUT", "/api/v1/devices/front-door/control", {"action": "unlock"}, token)
    assert answer.status == 200 and outcome["status"] == "confirmed"
    assert call("GET", "/api/v1/house/certificate")[0].status == 401


def old(version):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.maximum_version = version
    return context


def test_tls_1_2_is_refused_unless_enabled(tls_hub, start_hub, tmp_path):
    with pytest.raises((ssl.SSLError, ConnectionError)):
        handshake(tls_hub, old(ssl.TLSVersion.TLSv1_2))
    older = start_hub(tmp_path / "older", "--tls-1.2", insecure=False)
    version, cipher, _, _ = handshake(older, old(ssl.TLSVersion.TLSv1_2))
    assert version == "TLSv1.2" and cipher.startswith("ECDHE-") and ("GCM" in cipher or "POLY1305" in cipher)
    weak = old(ssl.TLSVersion.TLSv1_2)
    weak.set_ciphers("ECDHE-ECDSA-AES128-SHA:AES128-SHA:AES128-GCM-SHA256")
    with pytest.raises((ssl.SSLError, ConnectionError)):
        handshake(older, weak)


def test_the_tls_key_survives_a_restart(start_hub, tmp_path):
    first = start_hub(tmp_path / "house", insecure=False)
    first.stop()
    again = start_hub(tmp_path / "house", insecure=False)
    assert first.ready["pin"] == again.ready["pin"]
    for name in ("tls.key", "tls-backup.key"):
        assert (tmp_path / "house" / name).stat().st_mode & 0o777 == 0o600
    assert any(first.ready["pin"].encode() in line.encode() for line in first.log)


def test_a_custom_certificate_is_reloaded_when_it_changes(start_hub, tmp_path):
    certificate, key = tmp_path / "house.pem", tmp_path / "house.key"

    def make(name):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-subj", f"/CN={name}",
             "-addext", "subjectAltName=DNS:localhost", "-keyout", str(tmp_path / "new.key"), "-out", str(tmp_path / "new.pem")],
            check=True, capture_output=True)
        (tmp_path / "new.key").replace(key)
        (tmp_path / "new.pem").replace(certificate)
        return ssl.create_default_context(cafile=str(certificate))

    context = make("first")
    hub = start_hub(tmp_path / "house", "--tls-certificate", str(certificate), "--tls-key", str(key), insecure=False)
    assert spki_pin(handshake(hub, context)[2]) == hub.ready["pin"]
    context = make("second")

    def shown():
        try:
            return handshake(hub, context)[2]
        except ssl.SSLCertVerificationError:
            return None

    # It checks every ten seconds.
    assert spki_pin(house.until(shown, "the new certificate is shown")) != hub.ready["pin"]


def test_an_invalid_certificate_is_reported_and_the_hub_does_not_start(hub_binary, tmp_path):
    """It once ended with a crash trace: the connections of a half-started hub were dropped without being closed."""
    (tmp_path / "none.pem").write_text("this is no certificate\n")
    for name in ("none.pem", "missing.pem"):
        file = str(tmp_path / name)
        command = [str(hub_binary), "serve", "--data", str(tmp_path / "house"), "--listen", "127.0.0.1:0", "--tls-certificate", file, "--tls-key", file]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode not in (0, -4, -5, -6) and "crashed" not in done.stderr and "Fatal" not in done.stderr, done.stderr[-2000:]
        assert name in done.stderr, done.stderr[-2000:]
    for option in ("push", "language", "describer"):
        model = [] if option == "push" else [f"--{option}-url", "https://api.example.org/v1", f"--{option}-model", "x"]
        command = [str(hub_binary), "serve", "--data", str(tmp_path / "house"), *model, f"--{option}-ca", file]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode != 0 and f"--{option}-ca needs a file" in done.stderr and "crashed" not in done.stderr, done.stderr[-2000:]


def run_cli(home, *arguments, stdin=""):
    binary = pathlib.Path(os.environ.get("CARDEA_BINARY", pathlib.Path(os.environ.get("CARDEA_HUB_BINARY", ROOT / ".build/debug/x")).parent / "cardea"))
    return subprocess.run(
        [str(binary), *arguments], input=stdin, text=True, capture_output=True, timeout=60,
        env={**os.environ, "CARDEA_HOME": str(home), "LLVM_PROFILE_FILE": "/dev/null"})


def test_the_terminal_pins_the_hub_key(tls_hub, tmp_path):
    claim = tls_hub.claim_url
    home = tmp_path / "home"
    pin = tls_hub.ready["pin"]
    refused = run_cli(home, "claim", "--hub", tls_hub.url, "--username", "ada", "--house", "Lime", stdin=f"{tls_hub.claim_token}\n{PASSWORD}\n")
    assert refused.returncode != 0 and "could not prove" in refused.stderr
    wrong = "sha256/" + base64.b64encode(bytes(32)).decode()
    refused = run_cli(home, "claim", "--pin", wrong, "--username", "ada", "--house", "Lime", stdin=f"{claim}\n{PASSWORD}\n")
    assert refused.returncode != 0 and "could not prove" in refused.stderr
    forged = f"{claim.split('&')[0]}&pin={urllib.parse.quote(wrong, safe='')}"
    refused = run_cli(home, "claim", "--username", "ada", "--house", "Lime", stdin=f"{forged}\n{PASSWORD}\n")
    assert refused.returncode != 0 and "could not prove" in refused.stderr
    done = run_cli(home, "claim", "--username", "ada", "--house", "Lime", stdin=f"{claim}\n{PASSWORD}\n")
    assert done.returncode == 0, done.stderr
    assert run_cli(home, "open", "front-door").returncode == 0
    assert set(kept(home)["pins"][0]["pins"]) == {pin, tls_hub.ready["backup_pin"]}
    assert run_cli(tmp_path / "other", "login", "--hub", tls_hub.url, "--pin", pin, "--username", "ada", stdin=PASSWORD).returncode == 0


def test_the_backup_key_takes_over_without_a_prompt(start_hub, tmp_path):
    data, address = tmp_path / "house", f"127.0.0.1:{house.free_port()}"
    hub = start_hub(data, "--virtual-house", "--listen", address, insecure=False)
    claim = hub.claim_url
    home = tmp_path / "terminal"
    done = run_cli(home, "claim", "--pin", hub.ready["pin"], "--username", "ada", "--house", "Lime", stdin=f"{claim}\n{PASSWORD}\n")
    assert done.returncode == 0, done.stderr
    hub.stop()
    os.replace(data / "tls-backup.key", data / "tls.key")

    after = start_hub(data, "--virtual-house", "--listen", address, insecure=False)

    assert after.ready["pin"] != hub.ready["pin"]
    assert run_cli(home, "open", "front-door").returncode == 0
    assert (data / "tls-backup.key").exists(), "there is a next one"


def test_a_program_uses_a_token_from_a_file(tls_hub, tmp_path):
    home = tmp_path / "home"
    assert run_cli(
        home, "claim", "--pin", tls_hub.ready["pin"], "--username", "ada", "--house", "Lime", stdin=f"{tls_hub.claim_url}\n{PASSWORD}\n"
    ).returncode == 0
    access = kept(home)["session"]["access_token"]
    connection = http.client.HTTPSConnection("localhost", port(tls_hub), context=trusting(tls_hub), timeout=60)
    connection.request(
        "POST", "/api/v1/auth/api-tokens", json.dumps({"name": "script", "grants": [{"device_id": "front-door", "actions": ["door.open"]}]}),
        {"Content-Type": "application/json", "Authorization": f"Bearer {access}"})
    answer = connection.getresponse()
    made = json.loads(answer.read())
    assert answer.status == 201, made
    token = tmp_path / "token"
    token.write_text(made["token"] + "\n")
    token.chmod(0o600)
    os.environ["CARDEA_TOKEN_FILE"] = str(token)
    try:
        opened = run_cli(home, "open", "front-door")
        assert opened.returncode == 0, opened.stderr
        assert run_cli(home, "lock", "front-door").returncode == 1
        assert run_cli(home, "people", "list").returncode == 1
        token.chmod(0o644)
        assert run_cli(home, "open", "front-door").returncode != 0
    finally:
        del os.environ["CARDEA_TOKEN_FILE"]


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.168.1.10:8300", "example.org:8300"])
def test_plain_http_is_served_on_loopback_only(hub_binary, tmp_path, address):
    data = tmp_path / "house"
    process = subprocess.run(
        [str(hub_binary), "serve", "--data", str(data), "--json", "--insecure-http", "--listen", address],
        capture_output=True, text=True, timeout=60)
    assert process.returncode == 64 and process.stdout == ""
    said = " ".join(process.stderr.split())
    assert "--insecure-http works only on a loopback address" in said and "127.0.0.1:8300" in said
    assert not data.exists(), "nothing was made"


@pytest.mark.long
def test_a_stalled_subscriber_over_tls_is_disconnected_when_its_session_ends(tls_hub, monkeypatch):
    """The hub once waited for TLS close_notify, which a client that reads nothing never sends."""
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tls_hub.data / "tls.crt"))
    owner = Owner(tls_hub, house.claim(tls_hub, PASSWORD))
    hangs_up_on_who_reads_nothing(
        tls_hub, owner, "127.0.100.6", lambda line: trusting(tls_hub).wrap_socket(line, server_hostname="localhost"))
