"""Maintenance tasks at a terminal: added, listed, completed with their cost, recorded, and removed."""

from datetime import date, timedelta

from test_command_line import REFUSED, USAGE, cli_binary, resident, terminal  # noqa: F401




def test_a_filter_change_is_recorded(resident, owner):  # noqa: F811
    assert "No tasks." in resident.run("maintenance").stdout
    late = date.today() - timedelta(days=40)
    added = resident.run("maintenance", "add", "Change the filter", "--due", str(late), "--every", "quarterly", "--category", "heating",
                         "--priority", "high", "--device", "hall light", "--room", "Hall", "--notes", "In the cellar").stdout
    assert added == f"Change the filter is added, due on {late}.\n"
    resident.run("maintenance", "add", "Bleed the radiators")
    (task, other) = owner.get("/api/v1/maintenance").json()["tasks"]
    assert task | {"category": "heating", "priority": "high", "device_id": "hall-light", "room_id": "hall", "notes": "In the cellar"} == task
    listed = resident.run("maintenance").stdout
    assert f"{late}, overdue" in listed and "no date" in listed and "quarterly" in listed
    assert "Bleed" not in resident.run("maintenance", "list", "--overdue").stdout

    done = resident.run("maintenance", "done", "filter", "--cost", "12.99 EUR", "--notes", "Filter G4", "--provider", "Air & Sons",
                        "--on", str(date.today() - timedelta(days=3))).stdout
    assert done.startswith("Change the filter is done. It is due again on ")
    history = resident.run("maintenance", "history", "filter").stdout
    assert "12.99 EUR" in history and "Filter G4" in history and "Air & Sons" in history
    assert resident.json("maintenance", "done", "radiators")["task"]["done_at"]
    assert "Bleed" not in resident.run("maintenance").stdout and "done" in resident.run("maintenance", "list", "--done").stdout
    assert [entry["cost"] for entry in resident.json("maintenance", "history", "filter")["completions"]] == [{"minor": 1299, "currency": "EUR"}]

    # Entries beyond the page are counted, with the way to see them.
    for n in range(2):
        assert owner.post(f"/api/v1/maintenance/{task['task_id']}/complete", {"notes": f"Before, {n}", "completed_at": f"2026-01-0{n + 1}T10:00:00Z"}).ok
    first = resident.run("maintenance", "history", "filter", "--limit", "1").stdout
    assert "Filter G4" in first and "Before" not in first
    older = first.strip().splitlines()[-1].removeprefix("Older: cardea ").split()
    assert "Before, 1" in resident.run(*older).stdout
    assert "Older" not in resident.run("maintenance", "history", "filter").stdout
    resident.run("maintenance", "history", "filter", "--limit", "0", expect=USAGE)

    # Removal needs the full name.
    assert "Change the filter" in resident.run("maintenance", "remove", "filter", "--yes", expect=REFUSED).stderr
    assert resident.run("maintenance", "remove", "Change the filter", "--yes").stdout == "Change the filter is removed.\n"
    assert resident.run("maintenance", "history", "radiators").returncode == 0
    for wrong in (["add", "A", "--every", "monthly"], ["add", "A", "--due", "2026-02-30"], ["done", "radiators", "--cost", "12.999 EUR"]):
        resident.run("maintenance", *wrong, expect=USAGE)
