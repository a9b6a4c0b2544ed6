"""The manual pages: generated from the programs, complete, and readable by the usual man page readers."""

import gzip
import json
import os
import re
import shutil
import subprocess

import pytest

from conftest import ROOT, hub_binary  # noqa: F401
from test_command_line import cli_binary  # noqa: F401


@pytest.fixture(scope="module")
def pages(cli_binary, hub_binary, tmp_path_factory):  # noqa: F811
    folder = tmp_path_factory.mktemp("manual")
    subprocess.run([ROOT / "scripts/manual", folder, cli_binary, hub_binary], check=True, timeout=120)
    return folder


def tree(program):
    return json.loads(subprocess.run([program, "--experimental-dump-help"], capture_output=True, check=True, timeout=60).stdout)["command"]


def commands(command, path=()):
    path = (*path, command["commandName"])
    yield path, command
    for one in command.get("subcommands", []):
        if one["commandName"] != "help":
            yield from commands(one, path)


def read(pages, name):
    """As `man` shows it, with each paragraph on one long line."""
    shown = subprocess.run(
        ["man", "--local-file", str(pages / name)], capture_output=True, text=True, timeout=60,
        env={**os.environ, "MANWIDTH": "1000", "LC_ALL": "C.UTF-8", "MANPAGER": "cat", "MAN_KEEP_FORMATTING": ""})
    assert shown.returncode == 0 and not shown.stderr.strip(), shown.stderr
    return shown.stdout.replace("‐", "-").replace("‘", "'").replace("’", "'")


def plain(text):
    """The text without typesetting."""
    return re.sub(r"[^\w]+", " ", text).strip()


def test_the_man_page_readers_report_no_error(pages):
    assert shutil.which("mandoc") and shutil.which("man"), "no mandoc or man here; run scripts/setup"
    checked = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *sorted(pages.iterdir())], capture_output=True, text=True, timeout=60)
    assert checked.returncode == 0 and checked.stdout == "", checked.stdout
    assert {path.name for path in pages.iterdir()} >= {"cardea.1", "cardea-open.1", "cardea-watch.1", "cardea-hub.8"}


def test_every_command_and_option_is_documented(pages, cli_binary, hub_binary):  # noqa: F811
    for program, section in ((cli_binary, 1), (hub_binary, 8)):
        for path, command in commands(tree(program)):
            whole = len(path) == 1 or section == 8
            page = read(pages, f"{path[0]}.{section}" if whole else f"{path[0]}-{path[1]}.{section}")
            assert " ".join(path) in page, f"{path} is on no page"
            words = plain(page)
            for text in filter(None, (command["abstract"].rstrip(".")[1:], command.get("discussion"))):
                assert plain(text) in words, f"{path}: {text}"
            for argument in command["arguments"]:
                if not argument["shouldDisplay"] or argument["valueName"] in ("help", "version"):
                    continue
                for name in argument.get("names", []):
                    assert f"--{name['name']}" in page or f"-{name['name']}" in page, f"{path} says nothing of {name['name']}"
                assert plain(argument.get("abstract") or "") in words


def test_examples_are_printed_verbatim(pages):
    assert re.search(r"^ +cardea watch --json \| jq -r 'select\(\.type == \"device\"\)\.device\.name'$", read(pages, "cardea-watch.1"), re.M)
    assert re.search(r"^ +75 +try later", read(pages, "cardea.1"), re.M)


def test_installing_copies_every_file(cli_binary, hub_binary, tmp_path):  # noqa: F811
    """With the existing programs, so that nothing is built."""
    done = subprocess.run(
        ["make", "--no-print-directory", "install-only", f"BIN={cli_binary.parent}", f"DESTDIR={tmp_path}", "PREFIX=/usr"], cwd=ROOT,
        capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    root = tmp_path / "usr"
    for program in ("cardea", "cardea-hub"):
        ran = subprocess.run([root / "bin" / program, "--version"], capture_output=True, text=True, timeout=60)
        assert ran.returncode == 0 and "0.1" in ran.stdout
    # The folder in which the hub looks for its pages.
    assert (root / "bin/cardea_CardeaWeb.resources").is_dir()
    with gzip.open(root / "share/man/man1/cardea-open.1.gz") as page:
        assert b".Nm cardea open" in page.read()
    assert (root / "share/man/man8/cardea-hub.8.gz").exists()
    for script in ("bash-completion/completions/cardea", "zsh/site-functions/_cardea", "fish/vendor_completions.d/cardea.fish"):
        assert "cardea" in (root / "share" / script).read_text()
    shown = subprocess.run(["man", "-M", str(root / "share/man"), "cardea-open"], capture_output=True, text=True, timeout=60)
    assert "Open a door" in shown.stdout or "open a door" in shown.stdout
