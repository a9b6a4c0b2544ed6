"""The privacy policy: it is public, it states the house's real retention times, and its links work."""

import re
import subprocess

from test_tour import DESK, PHONE, SMALL, browser, visit  # noqa: F401

# Its rows, by the kinds of data whose days they state.
ROWS = {
    "Activity, visits at the door, and the audit log": ("activity", "events", "audit"), "Single sensor readings": ("readings",),
    "Hourly consumption": ("energy",), "Hourly climate": ("environment",), "Notifications": ("notices",), "Memories that the house made by itself": ("memories",),
}


def test_the_policy_is_public_and_states_the_real_retention(hub, owner, visit):  # noqa: F811
    rules = {rule["kind"]: rule["most_days"] for rule in owner.get("/api/v1/retention").json()["retention"]}

    reader = visit("reader")
    page = reader.page
    page.goto(hub.url + "/policy")
    told = {row.locator("th").inner_text(): int(row.locator("td").inner_text()) for row in page.locator("tbody tr").all()}
    assert told == {row: rules[kinds[0]] for row, kinds in ROWS.items()}
    assert all(rules[kind] == rules[kinds[0]] for kinds in ROWS.values() for kind in kinds)
    assert set(rules) - {kind for kinds in ROWS.values() for kind in kinds} == {"maintenance"}, "what is done in the house stays"
    assert [h2.inner_text() for h2 in page.locator("h2").all()] == ["What is collected", "What it is used for", "How long it is stored", "Your rights", "Whom to ask"]
    assert "deleted in blocks of 256 entries, 90 days after the last entry of a block" in page.locator("main").inner_text()
    reader.look("policy", sizes=(PHONE, SMALL, DESK))

    page.goto(hub.url + "/g")
    page.get_by_role("link", name="What this house stores about you").click()
    page.wait_for_url(re.compile("/policy$"))
    reader.close()


def test_retention_cannot_be_set_longer_than_the_policy_states(hub_binary, tmp_path):
    """Up to ten years were once accepted, while the policy said ninety days."""
    for days in ("91", "0"):
        run = subprocess.run(
            [str(hub_binary), "serve", "--data", str(tmp_path / "house"), "--insecure-http", "--event-days", days], capture_output=True, text=True,
            timeout=60)
        assert run.returncode == 64 and "--event-days needs 1 to 90" in run.stderr
    assert not (tmp_path / "house").exists()
