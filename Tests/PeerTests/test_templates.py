"""The templates of MQTT discovery, by Cardea's evaluator and by a real Home Assistant's.

`python test_templates.py` rewrites the gate's table with the Home Assistant in `.ha/2025.4`.
"""

import json
import os
import pathlib
import subprocess

import pytest

import template_cases
import template_generator

pytestmark = pytest.mark.long

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASSISTANT = ROOT / ".ha/2025.4/bin/python"
TABLE = ROOT / "Tests/CardeaTemplatesTests/templates.json"
BUNDLE = ROOT / ".build/debug/cardeaPackageTests.xctest"
SEED = 20250415
DICED = int(os.environ.get("CARDEA_DICED_TEMPLATES", "20000"))


def rendered(rows):
    oracle = pathlib.Path(__file__).with_name("template_oracle.py")
    return json.loads(subprocess.run(
        [ASSISTANT, "-W", "ignore", oracle], input=json.dumps(rows), capture_output=True, text=True, check=True).stdout)


def table():
    """The rows as the gate reads them, one a line. A row without a payload uses the message at the top."""
    rows = []
    for row in rendered(template_cases.rows()):
        if row.get("payload") == template_cases.MESSAGE:
            del row["payload"]
        rows.append(json.dumps(row, ensure_ascii=False, sort_keys=True))
    message = json.dumps(template_cases.MESSAGE, ensure_ascii=False)
    return f'{{"message": {message}, "rows": [\n' + ",\n".join(rows) + "\n]}\n"


def test_the_gates_table_matches_home_assistant():
    assert TABLE.read_text() == table()


def test_random_templates_have_the_same_results(tmp_path):
    diced = tmp_path / "diced.json"
    diced.write_text(json.dumps({"message": "", "rows": rendered(template_generator.Generator(SEED).rows(DICED))}))

    run = subprocess.run(
        [BUNDLE, "--testing-library", "swift-testing", "--filter", "CardeaTemplatesTests.TemplateTableTests/diced"],
        env=os.environ | {"CARDEA_TEMPLATE_TABLE": str(diced)}, capture_output=True, text=True)

    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-4000:]
    assert "1 test" in run.stdout + run.stderr


if __name__ == "__main__":
    TABLE.write_text(table())
