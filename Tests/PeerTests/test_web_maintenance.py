"""The maintenance page: due tasks, completed with their cost, added and changed; and each state of the page."""

import calendar
import json
import re
from datetime import date, timedelta

import playwright.sync_api as playwright
import pytest

from test_tour import DESK, NOON, PHONE, SMALL, browser  # noqa: F401
from test_web_buttons import go
from test_web_states import answer_with, asking, host, move_in, never, page, sign_in, try_again, watch  # noqa: F401

pytestmark = pytest.mark.long
# Texts about a day hold at any hour of the test.
ZONE = NOON

SIZES = (SMALL, PHONE, DESK)
PATH = "/privacy/maintenance"


@pytest.fixture
def owner(module_owner):
    """A house without tasks."""
    for one in module_owner.get("/api/v1/maintenance?done=true").json()["tasks"]:
        assert module_owner.call("DELETE", f"/api/v1/maintenance/{one['task_id']}").status_code == 204
    return module_owner


def task(owner, title, days=None, **more):
    due = {} if days is None else {"due_on": str(date.fromisoformat(owner.get("/api/v1/maintenance").json()["today"]) + timedelta(days=days))}
    made = owner.post("/api/v1/maintenance", {"title": title, **due, **more})
    assert made.status_code == 201, made.text
    return made.json()


def enter(page, hub, path=PATH, name="Maintenance"):  # noqa: F811
    page.goto(hub.url + "/doors")
    page.locator("door-row").first.wait_for()
    go(page, path)
    page.get_by_role("heading", name=name, level=1).wait_for()


def month_later(day):
    """The same day of the next month, or its last one."""
    year, month = divmod(day.year * 12 + day.month, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def test_a_task_is_added_completed_and_changed(module_hub, owner, host, page):  # noqa: F811
    # Completed early, it counts for the next due day, and not for a day one interval later.
    due = date.fromisoformat(owner.get("/api/v1/maintenance").json()["today"]) + timedelta(days=7)
    enter(page, module_hub)
    host.state("maintenance-empty", "No tasks.", "you get a notification on the day", sizes=SIZES)
    assert not page.get_by_role("group", name="Five weeks").count()
    page.get_by_role("link", name="Add").click()
    page.get_by_role("heading", name="Task", level=1).wait_for()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Enter a task.").wait_for()
    page.get_by_label("Task").fill("Change the filter")
    page.get_by_label("How often").select_option(label="Every month")
    page.get_by_role("button", name="Save").click()
    assert page.get_by_label("Due on").get_attribute("aria-invalid") == "true", "a series begins on a day"
    page.get_by_label("Due on").fill(f"{due.day} {due:%b %Y}")
    page.get_by_label("Kind", exact=True).select_option(label="Heating")
    page.get_by_label("Priority").select_option(label="High")
    page.get_by_label("Room").select_option(label="Hall")
    page.get_by_label("Notes").fill("In the cellar")
    host.state("maintenance-new", "Due on", sizes=SIZES)
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Change the filter").wait_for()
    (made,) = owner.get("/api/v1/maintenance").json()["tasks"]
    assert made | {"due_on": str(due), "recurrence": "monthly", "notes": "In the cellar", "category": "heating", "priority": "high", "room_id": "hall"} == made

    # By keyboard.
    page.get_by_role("link", name="Change the filter").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Change the filter", level=1).wait_for()
    host.state("maintenance-task", "In the cellar", "Not done yet.", re.compile("Every month · Hall · Heating · High"), sizes=SIZES)
    page.get_by_label("Cost").fill("a lot")
    page.get_by_role("button", name="Done").click()
    assert page.get_by_label("Cost").get_attribute("aria-invalid") == "true"
    page.get_by_label("Cost").fill("12,9 eur")
    page.get_by_label("Notes").first.fill("Filter G4")
    page.get_by_role("button", name="Done").click()
    page.get_by_role("heading", name="Maintenance", level=1).wait_for()
    (done,) = owner.get(f"/api/v1/maintenance/{made['task_id']}/history").json()["completions"]
    assert done["cost"] == {"minor": 1290, "currency": "EUR"} and done["notes"] == "Filter G4"
    assert owner.get(f"/api/v1/maintenance/{made['task_id']}").json()["due_on"] == str(month_later(due))

    page.get_by_role("link", name="Change the filter").click()
    host.state("maintenance-history", "Filter G4", re.compile("12[.,]90"), sizes=SIZES)
    page.get_by_text("Change", exact=True).click()
    page.get_by_label("Task").fill("Change both filters")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Change both filters").wait_for()
    kept = owner.get(f"/api/v1/maintenance/{made['task_id']}").json()
    assert kept["due_on"] == str(month_later(due)) and kept["recurrence"] == "monthly" and kept["category"] == "heating", "what was not touched stays"

    page.get_by_role("link", name="Change both filters").click()
    page.get_by_text("Change", exact=True).click()
    page.get_by_role("button", name="Remove").click()
    page.get_by_text("Its history is deleted too.").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    page.get_by_text("No tasks.").wait_for()
    assert owner.get("/api/v1/maintenance?done=true").json()["total"] == 0


def test_due_tasks_are_sorted_by_time_and_follow_changes(module_hub, owner, host, page):  # noqa: F811
    for title, days in (("Boiler", -3), ("Filter", 0), ("Battery of the bell", 20), ("Gutters", 90), ("Paint the fence", None)):
        task(owner, title, days, **({"device_id": "hall-light"} if days == 0 else {}))
    enter(page, module_hub)
    host.state("maintenance-list", "Overdue", "Within a week", "Within a month", "Later", "No due date", "Due today · Hall light", sizes=SIZES)
    assert [one.inner_text() for one in page.get_by_role("heading", level=2).all()] == ["Overdue", "Within a week", "Within a month", "Later", "No due date"]
    task(owner, "Told elsewhere", 1)
    page.get_by_role("link", name="Told elsewhere").wait_for()


def test_the_five_week_calendar_marks_due_days_and_links_to_them(module_hub, owner, host, page):  # noqa: F811
    today = date.fromisoformat(owner.get("/api/v1/maintenance").json()["today"])
    later = today + timedelta(days=15)
    for title, days in (("Boiler", 0), ("Filter", 0), ("Gutters", 15), ("Beyond", 60), ("Some day", None)):
        task(owner, title, days)
    enter(page, module_hub)
    month = page.get_by_role("group", name="Five weeks")
    month.wait_for()
    assert month.locator("> *").count() == 35 and month.locator("> *").first.inner_text().startswith("Mon")
    # A day with due tasks is a button, and its label says what its dots show.
    days = month.get_by_role("button")
    assert [one.text_content().split(" ")[-1] for one in days.all()] == ["••", "•"]
    names = [one.get_attribute("aria-label") for one in days.all()]
    assert [re.search(r" (\d+) ", name).group(1) for name in names] == [str(today.day), str(later.day)]
    assert names[0].startswith(f"{today:%A} ") and names[0].endswith(": 2 tasks") and names[1].endswith(": 1 task")
    current = month.locator("[aria-current=date]")
    assert current.count() == 1 and current.get_attribute("aria-label") == names[0]
    host.state("maintenance-month", "Within a week", "Later", sizes=SIZES)

    # By keyboard.
    days.last.focus()
    page.keyboard.press("Enter")
    link = page.get_by_role("link", name="Gutters")
    playwright.expect(link).to_be_focused()
    playwright.expect(link).to_be_in_viewport()


def test_maintenance_errors_are_shown(module_hub, owner, host, page):  # noqa: F811
    one = task(owner, "Boiler", 5)
    asking(page)
    page.route("**/api/v1/maintenance", never)
    enter(page, module_hub)
    page.locator(".skeleton").wait_for()
    host.state("maintenance-loading", "Maintenance")
    asking(page)
    page.route("**/api/v1/maintenance", answer_with(500))
    enter(page, module_hub)
    host.state("maintenance-error", "Try again", "Details")
    try_again(page, "**/api/v1/maintenance", lambda: asking(page))
    page.get_by_role("link", name="Boiler").click()
    page.route("**/complete", answer_with(500))
    page.get_by_label("Cost").fill("5 EUR")
    page.get_by_role("button", name="Done").click()
    host.state("maintenance-not-done", "That did not work.", "Details")
    assert page.get_by_label("Cost").input_value() == "5 EUR", "nothing typed is lost"
    asking(page)
    # Another person was faster: the form shows the new state, keeps the typed text, and saves on top of theirs.
    assert owner.call("PATCH", f"/api/v1/maintenance/{one['task_id']}", {"notes": "Theirs", "priority": "urgent"}).ok
    page.get_by_role("button", name="Done").click()
    host.state("maintenance-stale", "Owner changed it meanwhile.", re.compile("^Boiler · Due .* · Urgent · Theirs$"))
    assert owner.get(f"/api/v1/maintenance/{one['task_id']}/history").json()["completions"] == []
    assert page.get_by_label("Cost").input_value() == "5 EUR"
    page.get_by_text("Change", exact=True).click()
    assert page.get_by_label("Priority").input_value() == "urgent", "the form is as the house has it"
    page.get_by_text("Change", exact=True).click()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("heading", name="Maintenance", level=1).wait_for()
    (done,) = owner.get(f"/api/v1/maintenance/{one['task_id']}/history").json()["completions"]
    assert done["cost"] == {"minor": 500, "currency": "EUR"}
    enter(page, module_hub, f"{PATH}?task=task_nobodys", "Nothing here that you can see")


def test_a_resident_sees_tasks_and_cannot_change_them(module_hub, owner, watch):  # noqa: F811
    one = task(owner, "Boiler", 5, notes="Warm & Sons")
    member = watch("member")
    sign_in(member, module_hub, move_in(owner, "Mo"))
    member.page.locator("device-tile").first.wait_for()
    go(member.page, PATH)
    member.page.get_by_role("link", name="Boiler").wait_for()
    assert not member.page.get_by_role("link", name="Add").count()
    member.page.get_by_role("link", name="Boiler").click()
    member.state("maintenance-member", "Warm & Sons", "Not done yet.", gone=("Cost",))
    assert not member.page.get_by_role("button", name="Done").count() and one["version"] == 1
    go(member.page, f"{PATH}?task=new")
    member.page.get_by_role("heading", name="Nothing here that you can see", level=1).wait_for()


def test_concurrent_changes_of_a_task_are_both_kept(module_hub, owner, host, page):  # noqa: F811
    one = task(owner, "Boiler", 5, notes="Once a year")
    here = f"/api/v1/maintenance/{one['task_id']}"
    enter(page, module_hub, f"{PATH}?task={one['task_id']}", "Boiler")
    page.get_by_text("Change", exact=True).click()
    page.get_by_label("Notes").last.fill("Mine")
    assert owner.call("PATCH", here, {"title": "Both boilers", "notes": "Theirs", "category": "heating"}).ok
    page.get_by_role("button", name="Save").click()
    page.get_by_role("heading", name="Both boilers", level=1).wait_for()
    host.state("maintenance-both", "Owner changed it meanwhile.", re.compile("^Both boilers · Due .* · Heating · Theirs$"), sizes=(PHONE, DESK))
    playwright.expect(page.get_by_text("Owner changed it meanwhile.").locator("visible=true").first).to_be_in_viewport()
    assert page.get_by_label("Task").input_value() == "Both boilers" and page.get_by_label("Notes").last.input_value() == "Mine"
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Both boilers").wait_for()
    kept = owner.get(here).json()
    assert kept | {"title": "Both boilers", "notes": "Mine", "category": "heating", "due_on": one["due_on"]} == kept

    # Removal too.
    page.get_by_role("link", name="Both boilers").click()
    page.get_by_text("Change", exact=True).click()
    assert owner.call("PATCH", here, {"priority": "low"}).ok
    for _ in range(2):
        page.get_by_role("button", name="Remove").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        page.get_by_text("Owner changed it meanwhile.").or_(page.get_by_text("No tasks.")).first.wait_for()
    page.get_by_text("No tasks.").wait_for()


def test_changed_input_after_a_failure_gets_a_new_idempotency_key(module_hub, owner, host, page):  # noqa: F811
    """The first answer is lost: the same input again is one task, and other input is not refused for its key."""
    enter(page, module_hub, f"{PATH}?task=new", "Task")
    sent = []

    def lost(route):
        sent.append((route.request.headers["idempotency-key"], route.request.post_data))
        if len(sent) > 1:
            return route.continue_()
        route.fetch()
        route.abort()

    page.route("**/api/v1/maintenance", lambda route: lost(route) if route.request.method == "POST" else route.continue_())
    page.get_by_label("Task").fill("Gutters")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Try again").wait_for()
    page.get_by_label("Task").fill("Gutters and roof")
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("link", name="Gutters and roof").wait_for()
    assert sent[0][0] != sent[1][0]
    go(page, f"{PATH}?task=new")
    sent.clear()
    page.get_by_label("Task").fill("Chimney")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Try again").wait_for()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Chimney").wait_for()
    assert sent[0] == sent[1], "sent again as it was it is the same wish"
    titles = [one["title"] for one in owner.get("/api/v1/maintenance").json()["tasks"]]
    assert sorted(titles) == ["Chimney", "Gutters", "Gutters and roof"], json.dumps(titles)


def test_the_full_history_of_tasks_is_readable(module_hub, owner, host, page):  # noqa: F811
    one = task(owner, "Boiler", 0, recurrence="daily")
    for n in range(53):
        assert owner.post(f"/api/v1/maintenance/{one['task_id']}/complete", {"notes": f"No. {n}", "completed_at": f"2026-01-{1 + n % 28:02}T10:00:{n:02}Z"}).ok
    enter(page, module_hub, f"{PATH}?task={one['task_id']}", "Boiler")
    lines = page.locator(".rows li")
    assert lines.count() == 50
    host.state("maintenance-older", "Show older", sizes=(PHONE, DESK))
    page.route("**/history?before=*", answer_with(500))
    page.get_by_role("button", name="Show older").click()
    page.get_by_role("button", name="Try again").wait_for()
    asking(page)
    page.get_by_role("button", name="Try again").click()
    page.wait_for_function("() => document.querySelectorAll('.rows li').length === 53")
    assert not page.get_by_role("button", name="Show older").is_visible()
    assert len({line.inner_text() for line in lines.all()}) == 53
