"""The files shipped beside the programs: an app's declarations, and the bill of materials."""

import json
import plistlib
import re
import subprocess

import pytest
from conftest import ROOT
from test_command_line import cli_binary  # noqa: F401

pytestmark = pytest.mark.long

IOS = ROOT / "packaging/ios"


def test_the_privacy_manifest_declares_no_tracking_and_no_collected_data():
    manifest = plistlib.loads((IOS / "PrivacyInfo.xcprivacy").read_bytes())
    reasons = {one["NSPrivacyAccessedAPIType"]: one["NSPrivacyAccessedAPITypeReasons"] for one in manifest["NSPrivacyAccessedAPITypes"]}
    assert reasons == {"NSPrivacyAccessedAPICategoryUserDefaults": ["CA92.1"], "NSPrivacyAccessedAPICategoryFileTimestamp": ["C617.1"]}
    assert manifest["NSPrivacyCollectedDataTypes"] == [] and manifest["NSPrivacyTrackingDomains"] == []
    assert manifest["NSPrivacyTracking"] is False


def test_every_permission_request_states_its_purpose():
    info = plistlib.loads((IOS / "Info.plist").read_bytes())
    assert info["NSLocalNetworkUsageDescription"] == "This app needs access to your local network to discover and control smart home devices."
    assert {"_hap._tcp", "_matter._tcp", "_cardea._tcp"} == set(info["NSBonjourServices"])
    assert info["NFCReaderUsageDescription"] == "Configure NFC tags to trigger garage door actions"
    assert info["CFBundleURLTypes"][0]["CFBundleURLSchemes"] == ["smp"]
    # Every permission that our code for Apple's systems requests has its purpose, and there is no other.
    asks = "\n".join(path.read_text() for path in (ROOT / "Sources").rglob("*.swift"))
    assert ("biometry" in asks or "LAContext" in asks or "userPresence" in asks) == ("NSFaceIDUsageDescription" in info)
    assert {key for key in info if key.endswith("UsageDescription")} == {
        "NSLocalNetworkUsageDescription", "NFCReaderUsageDescription", "NSFaceIDUsageDescription"}
    entitled = plistlib.loads((IOS / "App.entitlements").read_bytes())
    assert entitled == {"com.apple.developer.nfc.readersession.formats": ["TAG"]}


def test_the_bill_of_materials_names_every_package_and_library(hub_binary, cli_binary, tmp_path):  # noqa: F811
    for name in ["one.json", "two.json"]:
        subprocess.run([ROOT / "scripts/sbom", tmp_path / name, hub_binary, cli_binary], check=True, timeout=120)
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    bill = json.loads((tmp_path / "one.json").read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", bill["serialNumber"])
    found = {one["purl"]: one for one in bill["components"]}
    assert len(found) == len(bill["components"]) == len(bill["dependencies"][0]["dependsOn"])
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        purl = f"pkg:swift/{pin['location'].split('://')[1].removesuffix('.git')}@{pin['state']['version']}"
        assert found[purl]["licenses"][0]["license"]["id"] in {"Apache-2.0", "MIT", "BSD-3-Clause", "BSD-2-Clause"}, purl
    debian = {one["name"] for purl, one in found.items() if purl.startswith("pkg:deb/")}
    assert {"libsqlite3-0", "libmosquitto1", "libargon2-1", "libc6", "libpcsclite1", "zlib1g"} <= debian
