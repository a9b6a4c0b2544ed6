"""Every command block of the documents: run as written, or marked as an example.

The word behind a block's backticks is its kind:

    sh              commands: run here as written, with the house's address and folder filled in
    sh example      commands for another machine, an administrator or a real terminal: their words and options are checked
    text            a drawing, or text to read
    any of READ     a file or a program; where a test runs it, that test is named

Prompts are answered, and `exit code N` in a comment is the expected status. Six minutes pass before each block, so a block
that needs a step-up begins with one.
"""

import contextlib
import json
import pathlib
import re
import shlex
import subprocess

import house
import pytest
from conftest import PASSWORD, ROOT, MovedClock, Owner, hubs
from test_command_line import cli_binary  # noqa: F401
from test_demo import start as start_demo
from test_tour import NOON

READ = {
    "json": "", "swift": "", "cpp": "", "python": "", "ini": "",
    "nginx": "test_recipes.py", "caddy": "test_recipes.py", "haproxy": "test_recipes.py", "mosquitto-acl": "test_broker_acl.py",
}
DOCUMENTS = [
    "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md",
    *(str(path.relative_to(ROOT)) for folder in ("docs", "docs/technotes") for path in sorted((ROOT / folder).glob("*.md"))),
]
PROGRAMS = ("cardea", "cardea-hub")
# Commands that run until they are ended.
ENDLESS = ("mosquitto ", "mosquitto_sub ")
SIX_MINUTES = 360


def blocks(document):
    """The blocks of a document: kind, text and line of each."""
    found, opened = [], None
    for number, line in enumerate((ROOT / document).read_text().splitlines(), 1):
        fence = re.match(r" *```(.*)$", line)
        if fence and opened is None:
            opened = (fence[1].strip(), [], number)
        elif fence:
            found.append((opened[0], "\n".join(opened[1]), opened[2]))
            opened = None
        elif opened is not None:
            opened[1].append(line)
    assert opened is None, f"{document}: the block of line {opened[2]} has no end"
    return found


def is_whole(text):
    checked = subprocess.run(["bash", "-n"], input=text + "\n", capture_output=True, text=True, timeout=60)
    return checked.returncode == 0 and not text.rstrip().endswith("\\")


def commands(text):
    """The commands of a block, each with its lines and its comment."""
    found, lines = [], []
    for line in text.splitlines():
        lines.append(line)
        if line.strip() and is_whole("\n".join(lines)):
            found.append("\n".join(lines).strip())
            lines = []
    assert not "".join(lines).strip(), f"no whole command: {lines}"
    return [one for one in found if not one.startswith("#")]


def test_every_block_is_run_or_marked():
    wrong = []
    for document in DOCUMENTS:
        for word, text, line in blocks(document):
            place = f"{document}:{line}"
            if word not in ("sh", "sh example", "text", *READ):
                wrong.append(f"{place}: ```{word} is no word that test_documented_commands.py knows")
            elif word.startswith("sh"):
                wrong += [f"{place}: no command of a shell: {one}" for one in commands(text) if not is_whole(one)]
                if re.search(r"\bcurl\b[^\n]* (-d|--data)\b", text):
                    wrong.append(f"{place}: curl -d sends a form; the house takes JSON, which is --json")
    assert wrong == []
    for test in filter(None, READ.values()):
        assert (ROOT / "Tests/PeerTests" / test).exists(), test


def tree(program):
    return json.loads(subprocess.run([program, "--experimental-dump-help"], capture_output=True, check=True, timeout=60).stdout)["command"]


def options(command):
    return {name["name"] for argument in command.get("arguments", []) for name in argument.get("names", []) if name["kind"].startswith("long")}


def test_documented_commands_and_options_exist(cli_binary, hub_binary):  # noqa: F811
    trees, wrong = {"cardea": tree(cli_binary), "cardea-hub": tree(hub_binary)}, []
    for document in DOCUMENTS:
        for word, text, line in blocks(document):
            for one in commands(text) if word.startswith("sh") else []:
                words = shlex.split(one, comments=True)
                place = next((index for index, part in enumerate(words) if pathlib.PurePath(part).name in PROGRAMS and words[index - 1] != "-u"), None)
                if place is None or words[0] in ("alias", "journalctl", "systemctl"):
                    continue
                command = trees[pathlib.PurePath(words[place]).name]
                rest = words[place + 1:]
                while rest and (sub := next((child for child in command.get("subcommands", []) if child["commandName"] == rest[0]), None)):
                    command, rest = sub, rest[1:]
                # A command may leave out the word of its first subcommand.
                known = options(command).union(*(options(child) for child in command.get("subcommands", [])))
                named = {part[2:].split("=")[0] for part in rest if part.startswith("--") and len(part) > 2}
                wrong += [f"{document}:{line}: {one.splitlines()[0]}: there is no --{option}" for option in sorted(named - known)]
    assert wrong == []


# The worlds in which blocks run.

class World:
    """A shell's folder and environment, and the values filled in for the documents' placeholders."""

    def __init__(self, folder, cli, hub):
        self.folder, self.put, self.typed, self.first = folder, {}, [], []
        self.clock = None
        programs = folder / "bin"
        programs.mkdir()
        (folder / "tmp").mkdir()
        for name, program in zip(PROGRAMS, (cli, hub)):
            wrapper = programs / name
            wrapper.write_text(f'#!/bin/sh\nexec {shlex.quote(str(program))} "$@"\n')
            wrapper.chmod(0o755)
        self.put[".build/debug/cardea"] = str(programs / "cardea")
        # curl fails for a status of 400 or more.
        (folder / ".curlrc").write_text("silent\nshow-error\nfail-with-body\n")
        self.environment = {
            "PATH": f"{programs}:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / ".config"), "TMPDIR": str(folder / "tmp"), "LANG": "C.UTF-8", "USER": "resident",
        }

    def _typed(self, command):
        return next((text for pattern, text in self.typed if re.match(pattern, command)), None)

    def run(self, texts):
        """Runs the blocks one after the other in one shell; returns the failures with their output."""
        script, ran = ["shopt -s expand_aliases", "ENDED="], []
        for number, text in enumerate(texts):
            if self.clock:
                script.append(f"echo {SIX_MINUTES * (number + 1)} > clock.new; mv clock.new {self.clock}")
            for command in (self.first if number == 0 else []) + commands(text):
                for word, ours in self.put.items():
                    command = command.replace(word, ours)
                index, typed = len(ran), self._typed(command)
                ran.append(command)
                if command.startswith(ENDLESS):
                    script += ["{", command, f"}} > out.{index} 2> err.{index} &", 'ENDED="$ENDED $!"', f'echo "{index} 0" >> status', *self.put_after(command)]
                    continue
                given = "< /dev/null" if typed is None else f"<< TYPED_{index}"
                script += ["{", command, f"}} > out.{index} 2> err.{index} {given}"]
                script += [] if typed is None else [typed, f"TYPED_{index}"]
                script.append(f'echo "{index} $?" >> status')
        script.append('[ -z "$ENDED" ] || kill $ENDED')
        (self.folder / "blocks.sh").write_text("\n".join(script) + "\n")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "blocks.sh"], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=5 * house.LIMIT)
        ended = dict(map(int, line.split()) for line in (self.folder / "status").read_text().splitlines())
        wrong = []
        for index, command in enumerate(ran):
            wanted = re.search(r"exit code (\d+)", command)
            if ended.get(index) != (int(wanted[1]) if wanted else 0):
                said = "".join((self.folder / f"{name}.{index}").read_text()[-400:] for name in ("out", "err") if (self.folder / f"{name}.{index}").exists())
                wrong.append(f"{command}\nended with {ended.get(index)}: {said}")
        return wrong + ([done.stderr] if wrong else [])

    def put_after(self, command):
        """The check that waits for an endless command to start: a broker that listens."""
        port = re.match(r"mosquitto -p (\d+)", command)
        return [f"until (exec 3<> /dev/tcp/127.0.0.1/{port[1]}) 2> /dev/null; do sleep 0.1; done"] if port else []


LINK = "$(grep -oh 'http[^ ]*/g#[^ ]*' out.* | tail -n 1)"
PHONE = """'{"device_id": "6f1c8a52-3c0e-4c55-9d0a-2b7f5b1f8a11", "device_name": "Phone", "platform": "ios"}'"""


@contextlib.contextmanager
def served(world, hub_binary, texts):
    """A claimed, running house with virtual devices; without a `cardea login` in the blocks, a person is signed in before."""
    clock = MovedClock(world.folder / "clock")
    world.clock = "clock"
    with hubs(hub_binary) as start:
        data = world.folder / "house"
        hub = start(data, "--virtual-house", besides=clock.environment)
        owner = Owner(hub, house.claim(hub, PASSWORD))
        # There, the document's afternoon is still to come.
        assert owner.put("/api/v1/house", {"time_zone": NOON}).ok
        (world.folder / "backup").mkdir()
        world.put |= {"http://127.0.0.1:8300": hub.url, "/var/lib/cardea/house": str(data), "/srv/backup": str(world.folder / "backup")}
        digits = f"curl --json {PHONE} {hub.url}/api/v1/mobile/auth/pair | grep -o '\"pairing_code\":\"[0-9]*\"' | tr -dc 0-9"
        world.typed = [
            (r"cardea login .*--username", PASSWORD), (r"cardea login ", f"owner\n{PASSWORD}"), (r"cardea step-up", PASSWORD),
            (r"cardea pair( |$)", LINK), (r"cardea pair-phone", f"$({digits})"), (r"cardea cameras add .*--user", "the-cameras-password"),
            (r"cardea integrations home-assistant", "a-long-lived-access-token"),
        ]
        if not any("cardea login" in text for text in texts):
            world.first = [f"cardea login --hub {hub.url} --username owner"]
        yield


@contextlib.contextmanager
def demo(world, hub_binary, _):
    (world.folder / "demo").mkdir()
    hub = start_demo(hub_binary, world.folder / "demo")
    world.put["http://127.0.0.1:8300"] = hub.url
    try:
        yield
    finally:
        hub.stop()


@contextlib.contextmanager
def broker(world, *_):
    port = house.free_port()
    (world.folder / ".config").mkdir()
    for program in ("mosquitto_pub", "mosquitto_sub"):
        (world.folder / ".config" / program).write_text(f"-p {port}\n")
    world.put["mosquitto -p 1883"] = f"mosquitto -p {port}"
    yield


@contextlib.contextmanager
def lost_key(world, hub_binary, _):
    """A house whose key is lost, and its recovery key on paper."""
    data = world.folder / "house"
    with hubs(hub_binary) as start:
        start(data).stop()
    made = subprocess.run([hub_binary, "recovery-key", "--data", data, "--json"], check=True, capture_output=True, text=True, timeout=120)
    (world.folder / "paper.txt").write_text(json.loads(made.stdout)["recovery_key"] + "\n")
    (data / "hub.key").unlink()
    world.put["/var/lib/cardea/house"] = str(data)
    yield


WORLDS = [("curl http://127.0.0.1:8300/api/", demo), ("mosquitto ", broker), ("cardea-hub key recover", lost_key), ("", served)]


def runs():
    """The blocks that run, by document and world."""
    found = {}
    for document in DOCUMENTS:
        for word, text, _ in blocks(document):
            if word == "sh":
                world = next(world for begin, world in WORLDS if text.startswith(begin))
                found.setdefault((document, world), []).append(text)
    return [pytest.param(world, texts, id=f"{document}-{world.__name__}") for (document, world), texts in found.items()]


@pytest.mark.long
@pytest.mark.parametrize("world, texts", runs())
def test_documented_commands_run_as_written(world, texts, cli_binary, hub_binary, tmp_path):  # noqa: F811
    there = World(tmp_path, cli_binary, hub_binary)
    with world(there, hub_binary, texts):
        assert there.run(texts) == []
