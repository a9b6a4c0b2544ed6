"""The client's address: a trusted proxy's header counts in every notation, and a caller whose address cannot be read is not at home."""

import subprocess

import house
import pytest
import requests
from conftest import PASSWORD, Owner

# What a trusted proxy passes on, and whether that caller is at home.
FORWARDED = [
    ("192.168.1.50", True), ("192.168.1.50:4711", True), ('"[fd00::1]:443"', True), ("fd00::1", True), ("::ffff:10.0.0.9", True),
    ("203.0.113.7, 192.168.1.50", True), ("unknown, 192.168.1.50", True), ("192.168.1.50, 127.0.0.1", True), ("192.168.1.50,127.0.0.1:80", True),
    ("203.0.113.7", False), ("203.0.113.7:50000", False), ("2001:db8::1", False), ("192.168.1.50, 203.0.113.7", False),
    ("203.0.113.7, 127.0.0.1", False), ("::ffff:203.0.113.7", False), ("unknown", False), ("_hidden", False), ("nonsense", False), ("", False),
    ("192.168.1.50, unknown", False), ("192.168.1.50,", False), ("192.168.1.500", False), (None, False),
]


# The hub's certificate is self-signed; other tests check its issuer.
@pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning")
@pytest.mark.parametrize("listen, named", [("127.0.0.1:0", "127.0.0.0/8"), ("[::]:0", "127.0.0.1"), ("[::]:0", "::ffff:127.0.0.1")])
def test_a_pass_for_the_home_network_opens_only_from_there(start_hub, tmp_path, listen, named):
    is_plain = listen.startswith("127.")
    hub = start_hub(tmp_path / "house", "--virtual-house", "--no-bonjour", "--listen", listen, "--trusted-proxy", named, insecure=is_plain)
    base = f"{'http' if is_plain else 'https'}://127.0.0.1:{hub.url.rsplit(':', 1)[1]}"
    web = requests.Session()

    def ask(method, path, body=None, token=None, forwarded="192.168.1.50"):
        headers = {**({"Authorization": f"Bearer {token}"} if token else {}), **({} if forwarded is None else {"X-Forwarded-For": forwarded})}
        return web.request(method, base + path, json=body, headers=headers, timeout=60, verify=False)

    claim = {"claim_token": hub.claim_token, "username": "owner", "password": PASSWORD, "house_name": "Lime", "time_zone": "Europe/Berlin", "name": "Owner"}
    owner = ask("POST", "/api/v1/claim", claim).json()["access_token"]
    made = ask("POST", "/api/v1/guests", house.draft(max_uses=0, local_only=True), owner).json()
    guest = ask("POST", "/api/guest_access/pair", {"pairing_code": house.link_code(made)}).json()["guest_token"]
    wrong = []
    for forwarded, is_home in FORWARDED:
        answer = ask("POST", "/api/guest_access/action", {"action": "door.open"}, guest, forwarded)
        said = (answer.status_code, answer.json().get("error"))
        if said != ((200, None) if is_home else (403, "forbidden_remote")):
            wrong.append((forwarded, said))
    assert wrong == []


@pytest.mark.parametrize("option", ["--trusted-proxy", "--relay-from"])
@pytest.mark.parametrize("value", ["localhost", "nonsense", "127.0.0.1/33", "127.0.0.1:80", "[::1]"])
def test_an_invalid_proxy_address_is_refused_at_start(hub_binary, tmp_path, option, value):
    ended = subprocess.run(
        [hub_binary, "serve", "--data", tmp_path / "house", "--insecure-http", "--listen", "127.0.0.1:0", option, value], capture_output=True,
        text=True, timeout=60)
    assert ended.returncode != 0 and f"{option} {value} is not an address or a range" in ended.stderr, ended.stderr
    assert not (tmp_path / "house").exists()


@pytest.mark.parametrize("address, why", [
    ("https://example.org/door", "https://door.example.org"),
    ("https://192.168.1.5/door", "Give it a port of its own, such as https://192.168.1.5:8443"), ("https://example.org/?house=1", "must not have a user, query or fragment"),
    ("example.org", "needs a whole address"),
])
def test_an_invalid_public_url_is_refused_at_start(hub_binary, tmp_path, address, why):
    ended = subprocess.run(
        [hub_binary, "serve", "--data", tmp_path / "house", "--insecure-http", "--listen", "127.0.0.1:0", "--public-url", address],
        capture_output=True, text=True, timeout=60)
    assert ended.returncode != 0 and "--public-url" in ended.stderr and why in ended.stderr, ended.stderr
    assert not (tmp_path / "house").exists()


def test_a_name_with_an_umlaut_answers_to_its_ascii_form(start_hub, tmp_path):
    hub = start_hub(tmp_path / "house", "--public-url", "https://tür.example.org/", "--allow-host", "Bücher.example")
    assert hub.claim_url.startswith("https://xn--tr-xka.example.org/")
    for name, status in (("xn--tr-xka.example.org", 200), ("XN--bcher-kva.example", 200), ("xn--trr-hoa.example.org", 403)):
        answer = requests.get(hub.url + "/api/v1/claim", headers={"Host": name, "Origin": f"https://{name.lower()}"}, timeout=60)
        assert answer.status_code == status, (name, answer.text)


def test_hsts_is_sent_only_where_it_is_enabled(start_hub, hub_binary, tmp_path):
    behind = ("--public-url", "https://door.example.org", "--allow-host", "127.0.0.1")
    for place, more, told in (("silent", (), None), ("told", ("--hsts", "1"), "max-age=86400")):
        hub = start_hub(tmp_path / place, *behind, *more)
        assert requests.get(hub.url + "/healthz", timeout=60).headers.get("Strict-Transport-Security") == told
        hub.stop()
    ended = subprocess.run(
        [hub_binary, "serve", "--data", tmp_path / "own", "--listen", "127.0.0.1:0", "--hsts", "1"], capture_output=True, text=True, timeout=60)
    assert ended.returncode != 0 and "--hsts needs a certificate that browsers trust" in ended.stderr


def test_a_caller_through_the_relay_is_not_at_home(start_hub, tmp_path):
    hub = start_hub(tmp_path / "house", "--virtual-house", "--relay-from", "127.0.0.0/8")
    owner = Owner(hub, house.claim(hub, PASSWORD))
    made = owner.post("/api/v1/guests", house.draft(local_only=True)).json()
    answer = house.pair(hub, house.link_code(made))
    assert (answer.status_code, answer.json()["error"]) == (403, "forbidden_remote")
