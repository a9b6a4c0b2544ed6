"""Phones at the terminal: paired, listed, renamed and removed."""

import pytest

from test_command_line import USAGE, cli_binary, resident, terminal  # noqa: F401
from test_phones import App

pytestmark = pytest.mark.long


def test_a_phone_is_paired_named_and_removed(resident, hub):  # noqa: F811
    assert resident.run("phones").stdout == "You have no paired phones. Pair one: cardea pair-phone\n"
    app = App(hub)
    code = app.pair()
    waiting = resident.run("phones", "waiting").stdout
    assert "Ada's phone" in waiting and code not in waiting
    assert resident.error("pair-phone", typed="12a456\n", expect=USAGE)["message"] == "Type the six digits that the phone shows, 0 to 9."
    said = resident.run("pair-phone", typed=f"{code[:3]} {code[3:]}\n").stdout
    assert said == "Ada's phone is confirmed. It is ready when its app has fetched its keys. See: cardea phones\n"
    assert app.verify(code).status_code == 200 and app.get("/api/v1/devices").status_code == 200

    [phone] = resident.json("phones")["devices"]
    assert phone["device_name"] == "Ada's phone" and app.device_id not in str(phone)
    assert "Ada's phone" in resident.run("sessions").stdout
    assert resident.run("phones", "rename", "ada", "Hall tablet").stdout == "Ada's phone is now called Hall tablet.\n"
    assert "Hall tablet" in resident.run("phones").stdout
    # Removal needs a full name.
    assert 'cardea phones remove' in resident.error("phones", "remove", "tablet")["message"]
    assert resident.run("phones", "remove", "Hall tablet").stdout == "Hall tablet is removed.\n"
    assert app.renew().status_code == 401
    assert resident.run("phones", "remove", "--all").stdout == "You had no paired phones.\n"

    App(hub, name="Unknown phone").pair()
    assert resident.run("phones", "reject", "Unknown phone").stdout == "Unknown phone is rejected.\n"
    assert resident.run("phones", "waiting").stdout == "No phones are waiting.\n"
