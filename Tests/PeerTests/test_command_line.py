"""The terminal against a real hub: the tour of docs/terminal.md, the exit codes scripts rely on, and where secrets must not be.

`CARDEA_CLI` names the binary; without it the debug build of this tree is taken.
"""

import http.server
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import stat
import subprocess
import threading
import termios
import time

import house
import kept
import pytest

from conftest import PASSWORD, ROOT

DONE, REFUSED, USAGE, NOT_SIGNED_IN, UNREACHABLE, UNKNOWN, TRY_LATER = 0, 1, 2, 3, 4, 5, 75


@pytest.fixture(scope="session")
def cli_binary():
    binary = pathlib.Path(os.environ.get("CARDEA_CLI", ROOT / ".build/debug/cardea"))
    if not binary.exists():
        pytest.fail(f"no command line at {binary}; build it or set CARDEA_CLI")
    return binary


class Terminal:
    """A person at their own terminal: one binary, one CARDEA_HOME."""

    def __init__(self, binary, home):
        self.binary = binary
        self.home = home
        self.env = {
            "CARDEA_HOME": str(home), "PATH": os.environ["PATH"], "HOME": str(home.parent), "LANG": "C.UTF-8", "USER": "resident",
        }

    def start(self, *args):
        # As at a keyboard: a test run in a shell's background ignores Ctrl-C, and its child processes would inherit that.
        return subprocess.Popen(
            [str(self.binary), *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.env,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def run(self, *args, typed="", expect=DONE):
        done = subprocess.run(
            [str(self.binary), *args], input=typed, capture_output=True, text=True, env=self.env, timeout=90)
        assert done.returncode == expect, f"{args}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def json(self, *args, typed=""):
        return json.loads(self.run(*args, "--json", typed=typed).stdout)

    def error(self, *args, typed="", expect=REFUSED):
        done = self.run(*args, "--json", typed=typed, expect=expect)
        assert done.stdout == ""
        return json.loads(done.stderr)["error"]

    def kept(self):
        return kept.kept(self.home)


@pytest.fixture
def terminal(cli_binary, tmp_path):
    return lambda name: Terminal(cli_binary, tmp_path / name)


@pytest.fixture
def resident(terminal, hub, owner):
    """The owner, signed in at a terminal."""
    resident = terminal("resident")
    resident.run("login", "--hub", hub.url, "--username", "owner", typed=PASSWORD + "\n")
    return resident


def invite(resident, *args):
    return resident.json("guests", "invite", "Plumber", "--door", "front-door", "--for", "4h", *args)


def actuations(owner, device="front-door"):
    return owner.get(f"/api/v1/devices/{device}").json()["attributes"]["actuations"]


def test_the_tour(resident, terminal, owner):
    """Invite, pair, open twice, be refused, see each attempt, revoke."""
    before = actuations(owner)
    invited = resident.run("guests", "invite", "Plumber", "--door", "Front door", "--for", "4h", "--uses", "2", "--qr").stdout
    assert "may open Front door" in invited and "2 times" in invited
    assert "▀" in invited and re.search(r"Code: \w{4} \w{4} \w{2}, until", invited)
    link = re.search(r"Link: (\S+)", invited)[1]

    guest = terminal("guest")
    assert "Front door" in guest.run("pair", typed=link + "\n").stdout
    assert guest.run("open", "front-door").stdout.startswith("It is open. Pull the door. This pass can be used once more.")
    assert guest.run("open").stdout.startswith("It is open. Pull the door.")
    refused = guest.run("open", "front-door", expect=REFUSED)
    assert refused.stderr == "This pass is used up: 2 of 2. Ask the house for more.\n" and refused.stdout == ""
    assert actuations(owner) == before + 2

    shown = resident.json("guests", "show", "Plumber")
    tries = [entry["result"] for entry in reversed(shown["history"]) if entry["action"] == "door.open"]
    assert tries == ["confirmed", "confirmed", "refused"] and shown["used_count"] == 2
    assert "refused: used up" in resident.run("guests", "show", "Plumber").stdout

    resident.run("guests", "revoke", "Plumber")
    assert "taken back" in guest.run("open", expect=REFUSED).stderr
    assert guest.error("open")["code"] == "token_revoked"
    assert actuations(owner) == before + 2


@pytest.mark.parametrize("language", ["C.UTF-8", "C"])
def test_the_qr_code_in_the_terminal_scans(resident, tmp_path, language):
    """Read by zbar, like a camera in front of a dark terminal: ink is light."""
    assert shutil.which("zbarimg"), "no zbarimg here; run scripts/setup"
    resident.env["LANG"] = language
    printed = resident.run("guests", "invite", "Plumber", "--door", "front-door", "--for", "4h", "--qr").stdout
    link = re.search(r"Link: (\S+)", printed)[1]
    ink = "#" if language == "C" else "█▀▄"
    drawn = [line for line in printed.split("\n") if len(line) > 24 and set(line) <= set(ink + " ")]
    if language == "C":
        modules = [[column == "#" for column in line[::2]] for line in drawn]
    else:
        modules = [[mark in half for mark in line] for line in drawn for half in ("█▀", "█▄")][:-1]
    width = max(len(row) for row in modules)
    pixels = "".join(("\n".join([" ".join("255" if light else "0" for light in row for _ in range(6))] * 6)) + "\n" for row in modules)
    picture = tmp_path / "code.pgm"
    picture.write_text(f"P2 {width * 6} {len(modules) * 6} 255\n{pixels}")
    read = subprocess.run(["zbarimg", "--quiet", "--raw", str(picture)], capture_output=True, text=True, timeout=60)
    assert read.stdout.strip() == link, read.stderr


def test_a_spoken_code_pairs_once(resident, terminal, hub):
    code = invite(resident)["pairing_code"]
    guest, other = terminal("guest"), terminal("other")
    spoken = f"{code[:4]} {code[4:8]} {code[8:]}".lower()
    assert guest.json("pair", "--hub", hub.url, typed=spoken + "\n")["entities"][0]["device_id"] == "front-door"
    assert other.error("pair", "--hub", hub.url, typed=code + "\n")["code"] in ("pairing_code_invalid", "pairing_code_expired")
    assert "is wrong or was already used" in other.run("pair", "--hub", hub.url, typed=code + "\n", expect=REFUSED).stderr
    other.run("pair", typed=code + "\n", expect=USAGE)


def test_passes_are_suspended_resumed_and_all_revoked(resident, terminal):
    link = invite(resident)["link"]
    guest = terminal("guest")
    guest.run("pair", typed=link + "\n")
    resident.run("guests", "suspend", "plumber")
    assert "paused" in guest.run("open", expect=REFUSED).stderr
    resident.run("guests", "resume", "plumber")
    guest.run("open")
    resident.run("guests", "revoke-all", expect=USAGE)
    assert resident.json("guests", "revoke-all", "--yes")["revoked"] == 1
    guest.run("open", expect=REFUSED)


def test_a_pass_with_approval_waits_for_the_owner(resident, terminal):
    link = invite(resident, "--approve-first", "--ask-each-time")["link"]
    guest = terminal("guest")
    assert guest.error("pair", "--no-wait", typed=link + "\n", expect=TRY_LATER)["code"] == "pending_approval"

    pairing = guest.start("pair")
    pairing.stdin.write(link + "\n")
    pairing.stdin.close()
    assert house.until(lambda: resident.json("guests", "asks")["asks"], "the house is asked")[0]["kind"] == "pairing"
    resident.run("guests", "approve", "Plumber")
    assert pairing.wait(60) == DONE, pairing.stderr.read()

    opening = guest.start("open")
    assert house.until(lambda: resident.json("guests", "asks")["asks"], "the house is asked")[0]["kind"] == "command"
    resident.run("guests", "approve", "Plumber")
    assert opening.wait(60) == DONE, opening.stderr.read()
    assert resident.json("guests", "show", "Plumber")["used_count"] == 1


def test_ctrl_c_withdraws_the_guests_request(resident, terminal, owner):
    before = actuations(owner)
    guest = terminal("guest")
    guest.run("pair", typed=invite(resident, "--ask-each-time", "--uses", "1")["link"] + "\n")
    opening = guest.start("open")
    house.until(lambda: resident.json("guests", "asks")["asks"], "the house is asked")
    # The house has the request a moment before the terminal reads its keyboard.
    house.until(lambda: any("signalfd" in name for name in house.open_files(opening.pid)), "the terminal listens for Ctrl-C")
    opening.send_signal(signal.SIGINT)
    out, err = opening.communicate(timeout=60)
    assert opening.returncode == REFUSED and err.strip() == "Request withdrawn. The use was not counted." and out == "", err
    assert resident.json("guests", "asks")["asks"] == [] and resident.json("guests", "show", "Plumber")["used_count"] == 0
    assert actuations(owner) == before

    unwaited = guest.error("open", "--no-wait", expect=TRY_LATER)
    assert unwaited["code"] == "pending_approval" and "Without --no-wait" in unwaited["message"] and unwaited["details"]["command_id"]
    # A part of a name approves no request.
    near = resident.error("guests", "approve", "plumb")
    assert near["code"] == "not_found" and near["message"].endswith("Plumber is: cardea guests approve Plumber")
    assert len(resident.json("guests", "asks")["asks"]) == 1 and actuations(owner) == before
    resident.run("guests", "approve", "plumber")
    house.until(lambda: actuations(owner) == before + 1, "the door opens")


def wait_for(look):
    """`house.until` without a description."""
    return house.until(look, "it came")


def test_people_are_added_and_removed(resident, terminal):
    invitation = resident.json("people", "invite", "Newcomer")
    newcomer = terminal("newcomer")
    newcomer.run("join", "--username", "newcomer", typed=f"{invitation['invite_link']}\ncorrect staple battery horse\n")
    assert "member" in newcomer.run("status").stdout
    newcomer.run("open", "front-door")
    assert newcomer.error("guests", "invite", "Friend", "--door", "front-door")["code"] == "forbidden"

    changed = resident.json("people", "change", "newcomer", "--name", "New name", "--invites-guests")
    assert changed["name"] == "New name" and changed["can_invite_guests"]
    assert {person["username"] for person in resident.json("people")["people"]} == {"owner", "newcomer"}
    assert resident.error("people", "change", "owner", "--role", "member")["code"] == "last_owner"

    assert resident.error("people", "remove", "newcom", "--yes")["code"] == "not_found"
    assert "Remove New name from the household?" in resident.run("people", "remove", "newcomer", expect=USAGE).stderr
    assert resident.run("people", "remove", "newcomer", "--yes").stdout.startswith("New name is removed.")
    assert "session has ended" in newcomer.run("status", expect=NOT_SIGNED_IN).stderr
    assert "session" not in newcomer.kept()


@pytest.mark.parametrize(
    "command",
    ["status", "devices", "devices show front-door", "devices control hall-light on", "open front-door", "lock front-door", "guests",
     "guests asks", "people", "activity", "explain --person owner front-door unlock"])
def test_json_output_is_one_object(resident, command):
    done = resident.run(*command.split(), "--json")
    assert isinstance(json.loads(done.stdout), dict) and done.stdout.count("\n") == 1 and done.stderr == ""


def test_piped_text_contains_no_escape_sequences(resident):
    for command in ["status", "devices", "people", "guests", "activity", "devices show garage"]:
        assert "\x1b" not in resident.run(*command.split()).stdout


def test_exit_codes(resident, terminal, owner, hub):
    nobody = terminal("nobody")
    for command in ["status", "devices", "open", "guests", "pass"]:
        nobody.run(*command.split(), expect=NOT_SIGNED_IN)
    nobody.run("login", "--hub", "http://house.example", "--username", "resident", typed="x\n", expect=USAGE)
    assert "https" in nobody.error("login", "--hub", "http://house.example", "--username", "resident", typed="x\n", expect=USAGE)["message"]
    for wrong in ["fly", "open a b", "guests invite X", "--nonsense"]:
        nobody.run(*wrong.split(), expect=USAGE)
    assert "EXIT CODES" in nobody.run("--help").stdout
    assert resident.error("open", "cellar")["code"] == "not_found"
    assert resident.error("devices", "control", "hall-light", "fly")["code"] == "unsupported_action"

    fault = lambda kind: owner.post("/api/v1/integrations/virtual/faults", {"device_id": "front-door", "fault": kind})
    fault("jam")
    assert "jammed" in resident.run("open", "front-door", expect=REFUSED).stderr.lower()
    fault("silent")
    silent = resident.error("open", "front-door", expect=UNKNOWN)
    assert silent["code"] == "outcome_unknown" and "not sure" in silent["message"] and silent["details"]["command"]["status"] == "unknown"
    fault("none")

    hub.stop()
    gone = resident.error("open", "front-door", expect=UNREACHABLE)
    assert gone["code"] == "no_connection" and "nothing is sent later" in gone["message"]
    resident.run("devices", expect=UNREACHABLE)
    assert "stays open until it expires" in resident.run("logout", expect=UNREACHABLE).stderr
    resident.run("status", expect=NOT_SIGNED_IN)


def test_too_many_wrong_passwords_must_wait(terminal, hub, owner):
    nobody = terminal("nobody")
    for _ in range(40):
        done = subprocess.run(
            [str(nobody.binary), "login", "--hub", hub.url, "--username", "owner", "--json"], input="wrong wrong\n", capture_output=True,
            text=True, env=nobody.env, timeout=60)
        if done.returncode != REFUSED:
            break
        assert json.loads(done.stderr)["error"]["code"] == "invalid_credentials"
    assert done.returncode == TRY_LATER
    error = json.loads(done.stderr)["error"]
    assert error["code"] == "rate_limited" and error["retry_after"] > 0 and error["message"].startswith("Too many tries. Again in ")


def test_signing_out_ends_the_session(resident, hub):
    before = resident.kept()["session"]["access_token"]
    resident.run("logout")
    import requests

    answer = requests.get(hub.url + "/api/v1/house", headers={"Authorization": f"Bearer {before}"}, timeout=60)
    assert answer.status_code == 401 and "session" not in resident.kept()


def test_secrets_are_only_in_their_files(resident, terminal):
    """Encrypted, in files of mode 0600; never in arguments, the environment or output."""
    invited = resident.run("guests", "invite", "Plumber", "--door", "front-door", "--json").stdout
    link = json.loads(invited)["link"]
    guest = terminal("guest")
    printed = [guest.run("pair", "--json", typed=link + "\n").stdout]
    for who in (resident, guest):
        assert stat.S_IMODE(who.home.stat().st_mode) == 0o700
        for file in who.home.iterdir():
            assert file.is_dir() or stat.S_IMODE(file.stat().st_mode) == 0o600, file

    opening = guest.start("open", "front-door")
    proc = pathlib.Path(f"/proc/{opening.pid}")
    seen = proc.joinpath("cmdline").read_bytes() + proc.joinpath("environ").read_bytes()
    out, err = opening.communicate(timeout=60)
    assert opening.returncode == DONE
    printed += [out, err]
    for command in ["status", "devices", "guests", "people", "activity"]:
        done = resident.run(*command.split(), "--json")
        printed += [done.stdout, done.stderr]
    secrets = [guest.kept()["passes"][0]["token"], *[resident.kept()["session"][name] for name in ("access_token", "refresh_token")]]
    for secret in secrets:
        assert secret.encode() not in seen
        assert not any(secret in text for text in printed)
        for file in [file for who in (resident, guest) for file in who.home.rglob("*") if file.is_file()]:
            assert secret.encode() not in file.read_bytes(), f"{file} tells a token"

    code = link.split("#")[1]
    refused = guest.run("pair", code, expect=USAGE)
    assert code not in refused.stdout + refused.stderr
    os.chmod(guest.home / "home.json", 0o644)
    assert "chmod 600" in guest.run("open", expect=REFUSED).stderr


def test_a_typed_password_is_not_echoed(terminal, hub, owner):
    person = terminal("person")
    pid, screen = pty.fork()
    if pid == 0:
        os.execve(person.binary, [str(person.binary), "login", "--hub", hub.url, "--username", "owner"], {**person.env, "TERM": "xterm"})
    shown = read_until(screen, b"Password: ")
    # Input typed before the echo is off would be shown.
    house.until(lambda: not termios.tcgetattr(screen)[3] & termios.ECHO, "the echo is off")
    os.write(screen, b"wrong" + b"\x7f" * 5 + PASSWORD.encode() + b"\n")
    shown += read_until(screen, b"Signed in to Linden Street 14 as owner.")
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == DONE
    assert PASSWORD.encode() not in shown and b"wrong" not in shown


def read_until(screen, wanted):
    """The terminal's output up to these bytes, or up to a match of a pattern."""
    shown = b""
    end = time.monotonic() + house.LIMIT
    has_come = lambda: wanted.search(shown) if isinstance(wanted, re.Pattern) else wanted in shown  # noqa: E731
    while not has_come():
        assert time.monotonic() < end, shown
        if select.select([screen], [], [], 0.5)[0]:
            try:
                shown += os.read(screen, 4096)
            except OSError:
                break
    assert has_come(), shown
    return shown


def test_completion_scripts_exist_for_every_shell(terminal):
    person = terminal("person")
    for shell, mark in [("bash", "complete"), ("zsh", "#compdef cardea"), ("fish", "complete -c")]:
        assert mark in person.run("completions", shell).stdout
    script = person.run("completions", "bash").stdout
    assert subprocess.run(["bash", "-n"], input=script, text=True).returncode == 0


def at_moment(moment):
    """Returns at this moment or later, never before."""
    house.until(lambda: time.monotonic() >= moment, "the moment has come")


class FakeHub(http.server.ThreadingHTTPServer):
    """A hub of a few lines, for client behaviour that no real hub would show."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), FakeAnswers)
        self.refreshes = []
        self.commands = []
        self.current = 1
        self.guard = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request, client_address):
        pass


class FakeAnswers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, code):
        self.answer(401, {"error": {"code": code, "message": code, "details": {}}})

    def body(self):
        return json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")

    def is_known(self):
        return self.headers.get("Authorization") == f"Bearer access-{self.server.current}"

    def do_POST(self):
        body = self.body()
        if self.path != "/api/v1/auth/refresh":
            return self.refuse("unauthorized")
        with self.server.guard:
            self.server.refreshes.append(body["refresh_token"])
            number = self.server.current
            # Like the real hub: the previous token gets the same successor again, an older one ends the session.
            if body["refresh_token"] not in (f"refresh-{number}", f"refresh-{number - 1}"):
                return self.refuse("token_reused")
            # Refreshing takes a while, so that other requests arrive meanwhile.
            at_moment(time.monotonic() + 0.3)
            if body["refresh_token"] == f"refresh-{number}":
                number = self.server.current = number + 1
        self.answer(
            200, {"access_token": f"access-{number}", "refresh_token": f"refresh-{number}", "token_type": "Bearer", "expires_in": 3600})

    def do_GET(self):
        if not self.is_known():
            return self.refuse("token_expired")
        self.answer(200, {"devices": [FRONT_DOOR], "total": 1, "filters_applied": {}})

    def do_PUT(self):
        self.server.commands.append((self.headers.get("Idempotency-Key"), self.body()))
        # Received, and closed without an answer.
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True


FRONT_DOOR = {
    "device_id": "front-door", "name": "Front door", "device_class": "security", "integration": "virtual", "connection_method": "local",
    "status": "online", "is_security_device": False, "is_guest_accessible": True, "state": {}, "attributes": {}, "version": 1, "revision": 1,
    "state_changed_at": "2026-11-21T14:31:07.250Z", "actions": ["lock", "unlock"],
    "entities": [{
        "entity_id": "lock.front_door", "entity_type": "lock", "name": "Front door", "state": "locked", "attributes": {}, "is_enabled": True,
        "actions": [],
    }],
}


@pytest.fixture
def signed_in(terminal):
    """A person with an expired access token, at a hub that counts; signed in when tokens were still in their own file."""
    hub = FakeHub()
    person = terminal("person")
    person.home.mkdir(mode=0o700)
    file = person.home / "tokens.json"
    session = {"access_token": "access-0", "refresh_token": "refresh-1", "expires_at": "2026-01-01T00:00:00.000Z"}
    file.write_text(json.dumps({"hub": hub.url, "username": "resident", "session": session}))
    file.chmod(0o600)
    yield person, hub
    hub.shutdown()


def test_eight_concurrent_commands_refresh_the_session_once(signed_in):
    person, hub = signed_in
    running = [person.start("devices", "--json") for _ in range(8)]
    for process in running:
        out, err = process.communicate(timeout=60)
        assert process.returncode == DONE, err
    assert hub.refreshes == ["refresh-1"]
    assert person.kept()["session"]["refresh_token"] == "refresh-2"
    assert sorted(path.name for path in person.home.glob("tokens*")) == ["tokens.lock"]


def test_a_killed_command_leaves_a_complete_file(signed_in):
    person, hub = signed_in
    for number in range(12):
        process = person.start("devices", "--json")
        at_moment(time.monotonic() + 0.03 * number)
        process.kill()
        process.wait()
        # At the old or the new place, and complete.
        before = person.home / "tokens.json"
        session = (json.loads(before.read_text()) if before.exists() else person.kept())["session"]
        assert session["refresh_token"].startswith("refresh-")
    assert person.json("devices")["total"] == 1
    assert person.kept()["session"]["refresh_token"] == "refresh-2"


def test_a_refused_refresh_signs_out(signed_in):
    person, hub = signed_in
    hub.current = 9
    assert person.error("devices", expect=NOT_SIGNED_IN)["code"] == "unauthorized"
    assert "session" not in person.kept()


def test_a_lost_answer_is_retried_with_the_same_key_and_not_reported_as_success(signed_in):
    person, hub = signed_in
    lost = person.error("open", "front-door", expect=UNKNOWN)
    assert lost["code"] == "outcome_unknown" and "connection to the house was lost" in lost["message"]
    assert len(hub.commands) > 1 and len({key for key, _ in hub.commands}) == 1
    assert {body["action"] for _, body in hub.commands} == {"unlock"}


def test_scenes_rooms_and_history(resident, owner):
    assert resident.run("scenes").stdout.startswith("There are no scenes yet. Make one: ")
    made = resident.run("scenes", "make", "Good night", "hall-light:off", "study-light:off", "front-door:lock").stdout
    assert made == 'Good night is saved. Run it: cardea scenes run "Good night"\n'
    assert "Hall light off, Study light off, Front door lock" in resident.run("scenes").stdout
    owner.put("/api/v1/devices/hall-light/control", {"action": "on"})
    assert resident.run("scenes", "run", "good night").stdout == "Good night: done.\n"
    assert owner.get("/api/v1/devices/hall-light").json()["entities"][0]["state"] == "off"
    assert owner.post("/api/v1/integrations/virtual/faults", {"device_id": "hall-light", "fault": "unreachable"}).ok
    wrong = resident.run("scenes", "run", "Good night", expect=REFUSED)
    assert wrong.stderr.startswith("Good night: 1 of 3 not done.\n  Hall light: ") and wrong.stdout == ""
    error = resident.error("scenes", "run", "Good night")
    assert error["code"] == "not_all_done" and len(error["details"]["batch"]["results"]) == 3
    owner.post("/api/v1/integrations/virtual/faults", {"device_id": "hall-light", "fault": "none"})
    assert resident.error("scenes", "make", "Bad", "hall-light:fly")["code"] == "unsupported_action"
    assert resident.run("scenes", "remove", "Good night").stdout == "Good night is removed.\n"

    assert re.search(r"^Study +\d", resident.run("rooms").stdout, re.M)
    assert resident.run("rooms", "rename", "Study", "Library").stdout == "Study is now called Library.\n"
    assert "Study light" in resident.run("rooms", "show", "library").stdout
    assert resident.error("rooms", "show", "Cellar")["code"] == "not_found"

    # Measurements come every few seconds; a door's history has its commands.
    house.until(lambda: resident.json("history", "garden-temperature")["points"], "the garden is measured")
    assert re.match(r"Garden temperature, last 24h\n[ ▁-█]+\nlowest -?\d", resident.run("history", "garden-temperature").stdout)
    assert resident.run("history", "Garden temperature", "--table").stdout.startswith("WHEN ")
    assert "Owner" in resident.run("history", "front-door").stdout
    assert resident.run("history", "garage").stdout == "Garage door got no commands in the last 24h.\n"
    assert resident.run("energy").stdout.startswith("KIND ")
    assert "Garden temperature" in resident.run("environment", "--for", "6h").stdout


def test_sessions_and_tokens(resident, terminal, hub, owner, tmp_path):
    other = terminal("other")
    other.run("login", "--hub", hub.url, "--username", "owner", typed=PASSWORD + "\n")
    sessions = resident.json("sessions")
    assert sessions["total"] >= 3 and "(this one)" in resident.run("sessions").stdout
    own = next(one["session_id"] for one in sessions["sessions"] if one["current"])
    assert "cardea logout" in resident.run("sessions", "end", own, expect=USAGE).stderr
    theirs = next(one["session_id"] for one in other.json("sessions")["sessions"] if one["current"])
    assert resident.run("sessions", "end", theirs).stdout.endswith(" is signed out.\n")
    assert other.error("devices", expect=NOT_SIGNED_IN)["code"] == "unauthorized"

    made = resident.json("tokens", "make", "Kitchen display", "--device", "Hall light", "--action", "on", "--action", "off", "--for", "30d")
    assert made["token"].startswith("cardea_at_") and made["grants"][0]["actions"] == ["off", "on", "read"]
    file = tmp_path / "token"
    file.write_text(made["token"])
    file.chmod(0o600)
    program = terminal("program")
    program.env |= {"CARDEA_TOKEN_FILE": str(file), "CARDEA_HUB": hub.url}
    program.run("devices", "control", "hall-light", "on")
    assert program.error("devices", "control", "study-light", "on")["code"] == "not_found"
    assert "Signed in with a program's token." in program.run("status").stdout
    listed = resident.run("tokens").stdout
    assert "Hall light: off on" in listed and made["token"] not in listed
    printed = resident.run("tokens", "make", "Night script", "--role", "member", "--no-end").stdout
    assert re.search(r"^Night script may do what a member may, until you revoke it\.\nToken: cardea_at_\S+$", printed, re.M)
    assert "Front door has none of the actions on." in resident.run("tokens", "make", "X", "--device", "front-door", "--action", "on", expect=USAGE).stderr
    assert resident.run("tokens", "revoke", "kitchen").stdout == "The token for Kitchen display is revoked.\n"
    ended = program.error("devices", expect=NOT_SIGNED_IN)
    assert ended["code"] == "unauthorized" and "CARDEA_TOKEN_FILE" in ended["message"] and "cardea tokens make" in ended["message"]
    # A stored pass is not used instead of the token.
    program.run("pair", typed=invite(resident)["link"] + "\n")
    before = actuations(owner)
    program.run("open", "front-door", expect=NOT_SIGNED_IN)
    program.run("status", expect=NOT_SIGNED_IN)
    assert actuations(owner) == before

    # The fixture's owner token is one of the others.
    assert re.match(r"One other session is ended|\d+ other sessions are ended", resident.run("sessions", "end", "--others").stdout)
    assert resident.json("sessions")["total"] == 1
    assert owner.get("/api/v1/devices").status_code == 401
