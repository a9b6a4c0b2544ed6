"""The files by which phones open links on tags in an app, as Apple and Google document them."""

import subprocess

import pytest
import requests

FINGERPRINT = ":".join(f"{octet:02X}" for octet in range(32))
HUB_ARGS = (
    "--ios-app", "ABCDE12345.org.example.door", "--ios-app", "ABCDE12345.org.example.clip",
    "--android-app", f"org.example.door={FINGERPRINT.lower()}",
)


def test_association_files_name_the_apps_that_open_tag_links(module_hub):
    hub = module_hub
    apple = requests.get(hub.url + "/.well-known/apple-app-site-association", timeout=60)
    assert (apple.status_code, apple.headers["Content-Type"]) == (200, "application/json")
    assert apple.json() == {
        "applinks": {
            "details": [{"appIDs": ["ABCDE12345.org.example.door", "ABCDE12345.org.example.clip"], "components": [{"/": "/t/*"}]}]
        }
    }
    android = requests.get(hub.url + "/.well-known/assetlinks.json", timeout=60)
    assert (android.status_code, android.headers["Content-Type"]) == (200, "application/json")
    assert android.json() == [
        {
            "relation": ["delegate_permission/common.handle_all_urls"],
            "target": {"namespace": "android_app", "package_name": "org.example.door", "sha256_cert_fingerprints": [FINGERPRINT]},
        }
    ]


@pytest.mark.parametrize(
    "option, value",
    [
        ("--ios-app", "org.example.door"), ("--ios-app", "ABCDE12345"), ("--ios-app", 'ABCDE12345.a"b'),
        ("--android-app", "org.example.door"), ("--android-app", f"door={FINGERPRINT}"), ("--android-app", "org.example.door=AB:CD"),
    ],
)
def test_an_invalid_app_id_is_refused_with_an_example(hub_binary, tmp_path, option, value):
    words = [str(hub_binary), "serve", "--data", str(tmp_path / "house"), option, value]
    answer = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert answer.returncode == 64 and f"{option} needs" in answer.stderr, answer.stderr
