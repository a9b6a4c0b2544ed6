"""Devices added at the terminal: in a conversation, with an answer to each line, or with a command for each sentence."""

from screen import Screen
from test_command_line import REFUSED, TRY_LATER, cli_binary, resident, terminal  # noqa: F401


def test_an_interview_at_the_terminal(resident, owner):  # noqa: F811
    screen = Screen(resident.binary, "interview", env=resident.env, columns=120, rows=40)
    screen.shows("Tell me what there is")
    screen.press("two Hue lamps in the hall and a Yale lock at the back\n")
    screen.shows("I have two Hue lamps in the hall")

    # The interview continues at another place: the input here then answers another question, and is not taken as an answer.
    (interview,) = owner.get("/api/v1/interview").json()["interviews"]
    path = "/api/v1/interview/" + interview["interview_id"]
    assert owner.post(path + "/message", {"message": "a fan in the study"}).status_code == 200
    screen.press("the same room\n")
    screen.shows("You continued this conversation on another device")
    screen.press("done\n")
    screen.shows("Shall I take in")
    screen.press("yes\n")
    screen.shows("not connected yet")
    screen.shows("That is all. Thank you.")
    screen.wait()
    assert screen.status == 0
    names = [one["name"] for one in owner.get("/api/v1/devices").json()["devices"] if one["integration"] == "planned"]
    assert "Yale lock" in names and len(names) >= 2, names
    assert owner.get(path + "/status").json()["status"] == "completed"


def test_an_interview_is_left_and_resumed(resident, owner):  # noqa: F811
    screen = Screen(resident.binary, "interview", env=resident.env, columns=120, rows=40)
    screen.shows("Tell me what there is")
    screen.press("\x04")
    screen.wait()
    assert screen.status == 0
    assert "Tell me what there is" in resident.run("interview").stdout
    assert owner.get("/api/v1/interview").json()["total"] == 1


def test_an_interview_with_one_command_per_sentence(resident, owner):  # noqa: F811
    assert "no conversation" in resident.run("interview", "confirm", expect=REFUSED).stderr.lower()
    assert "cardea interview" in resident.run("interview", "status").stdout
    said = resident.json("interview", "say", "A Philips television and a fan in the hall.")
    television, fan = [one["id"] for one in said["discovered_candidates"]]
    assert "television" in resident.run("interview", "status").stdout
    made = resident.json("interview", "confirm", television, "--reject", fan)["created_devices"]
    assert [one["status"] for one in made] == ["pending_auth"]
    refused = resident.run("devices", "control", made[0]["device_id"], "on", expect=TRY_LATER)
    assert "planned and not connected yet" in refused.stderr
    assert resident.json("interview", "say", "pause")["status"] == "paused"
    assert resident.json("interview", "say", "a printer in the study")["status"] == "active", "what is paused is gone on with"
    assert resident.run("interview", "cancel").stdout.startswith("The conversation has ended.")
    states = [one["status"] for one in resident.json("interview", "status")["candidates"]]
    assert states[:2] == ["confirmed", "rejected"], states
