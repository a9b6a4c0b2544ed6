"""Devices in the formats of their firmware, announced to a real Home Assistant and to a hub on the same broker.

`CARDEA_WRITE_MQTT_TABLE=1 python test_mqtt_differential.py` rewrites the gate's table with the Home Assistant in `.ha/2025.4`.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

import conftest
import house
import pytest
from mqtt_devices import cases, diced, hub, play, table

pytestmark = pytest.mark.long

BUNDLE = table.ROOT / ".build/debug/cardeaPackageTests.xctest"
SEED = 20250415
DICED = int(os.environ.get("CARDEA_DICED_DEVICES", "350"))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The rows that a real Home Assistant makes of every case and of the random ones."""
    with table.running(tmp_path_factory.mktemp("differential")) as (home, client, port):
        rows = table.rows(home, client)
        yield rows, play.Play(home, client, diced.cases(SEED, DICED)).run(), client, port


def test_the_gates_table_matches_home_assistant(played):
    rows, _, _, _ = played
    assert len(rows) >= 300
    assert table.written(rows).splitlines() == table.TABLE.read_text().splitlines()


def test_the_hub_and_home_assistant_show_the_same_for_every_device(played, hub_binary, tmp_path):
    rows, _, client, port = played
    found = {}
    with conftest.hubs(hub_binary) as start:
        running = start(tmp_path / "house")
        owner = conftest.Owner(running, house.claim(running, conftest.PASSWORD))
        for batch in cases.batches():
            found |= hub.HubPlay(owner, client, port, batch, rows).run()
    listed = {f"{one['case']} {one['entity']} {one['member']}" for one in json.loads(table.DIFFERENCES.read_text()) if one.get("only") != "roster"}
    assert {name: words for name, words in found.items() if name not in listed} == {}
    assert listed - found.keys() == set(), "these need no reason any more"


def test_random_devices_have_the_same_values(played, tmp_path):
    _, rows, _, _ = played
    file = tmp_path / "diced.json"
    file.write_text(table.written(rows))

    run = subprocess.run(
        [BUNDLE, "--testing-library", "swift-testing", "--filter", "CardeaMQTTTests.DeviceTableTests/diced"],
        env=os.environ | {"CARDEA_DEVICE_TABLE": str(file)}, capture_output=True, text=True)

    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    assert "1 test" in run.stdout + run.stderr


if __name__ == "__main__":
    assert os.environ.get("CARDEA_WRITE_MQTT_TABLE") == "1", "set CARDEA_WRITE_MQTT_TABLE=1 to write the table"
    with tempfile.TemporaryDirectory() as folder, table.running(pathlib.Path(folder)) as (home, client, _):
        table.TABLE.write_text(table.written(table.rows(home, client)))
    sys.exit(0)
