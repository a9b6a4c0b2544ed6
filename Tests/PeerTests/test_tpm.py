"""A machine with a simulated TPM: systemd seals the house's key with it, and no other TPM opens the house.

`systemd-creds` stands in for systemd's process 1 and `LoadCredentialEncrypted`; it opens credentials with the same code.
"""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

import house
import pytest
from test_house_key import lived, run, shown, sign_in  # noqa: F401

pytestmark = pytest.mark.long

# TPM2_Shutdown, state cleared. A TPM that loses its power without it counts a failed try, and soon locks itself.
SHUTDOWN = bytes.fromhex("8001" "0000000c" "00000145" "0000")
DONE = bytes.fromhex("8001" "0000000a" "00000000")


class TPM:
    """The TPM of one machine. Its seeds survive being switched off."""

    def __init__(self):
        # The paths of its sockets must be short. A client of one finds the other by its name.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cardea-tpm-", dir="/tmp"))
        self.socket = self.folder / "tpm"

    @property
    def machine(self):
        return {**os.environ, "SYSTEMD_TPM2_DEVICE": f"swtpm:path={self.socket}", "SYSTEMD_CREDENTIAL_SECRET": str(self.folder / "host.secret")}

    @contextlib.contextmanager
    def on(self):
        """While it is on, it serves two or three clients: systemd 252 leaves sessions behind, which a kernel would clean up."""
        program = subprocess.Popen(
            ["swtpm", "socket", "--tpm2", "--tpmstate", f"dir={self.folder}", "--server", f"type=unixio,path={self.socket}",
             "--ctrl", f"type=unixio,path={self.socket}.ctrl", "--flags", "not-need-init,startup-clear"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            house.until(lambda: self.answers(program), "the TPM is on")
            yield self.machine
            with self.line() as line:
                line.sendall(SHUTDOWN)
                assert line.recv(len(DONE)) == DONE
        finally:
            program.terminate()
            program.wait(60)
            for left in [self.socket, pathlib.Path(f"{self.socket}.ctrl")]:
                left.unlink(missing_ok=True)

    def line(self):
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(60)
        line.connect(str(self.socket))
        return line

    def answers(self, program):
        assert program.poll() is None, "the TPM went away"
        try:
            self.line().close()
        except OSError:
            return False
        return pathlib.Path(f"{self.socket}.ctrl").exists()


@pytest.fixture
def tpms():
    """The TPM of the house's machine, and that of another one."""
    both = [TPM(), TPM()]
    yield both
    for one in both:
        shutil.rmtree(one.folder)


def opened(credential, machine):
    """The credential that systemd hands to the service at start; None where this machine does not open it."""
    done = subprocess.run(
        ["systemd-creds", "decrypt", "--name=cardea-hub-key", str(credential), "-"], env=machine, capture_output=True, timeout=60)
    assert (done.returncode == 0) == bool(done.stdout)
    return done.stdout or None


def test_a_tpm_sealed_key_opens_the_house_only_on_its_own_machine(
    start_hub, hub_binary, lived, tmp_path, tpms, monkeypatch  # noqa: F811
):
    own, other = tpms
    credential = tmp_path / "credstore/cardea-hub-key"
    at = ["--data", lived, "--credential-file", credential]
    key = (lived / "hub.key").read_bytes()
    with own.on() as machine:
        said = run(hub_binary, "key", "move", "--to", "credential", "--with-key", "tpm2", *at, env=machine)
    assert "sealed by this machine's TPM" in said and key.hex() not in said
    assert not (lived / "hub.key").exists() and key not in credential.read_bytes() and credential.stat().st_mode & 0o777 == 0o600

    # The machine was switched off meanwhile. The unsealed credential is the key, and the house runs with it at the best key protection.
    with own.on() as machine:
        given = opened(credential, machine)
    assert given == key
    credentials = tmp_path / "credentials"
    credentials.mkdir(mode=0o700)
    (credentials / "cardea-hub-key").write_bytes(given)
    (credentials / "cardea-hub-key").chmod(0o440)
    with monkeypatch.context() as service:
        service.setenv("CREDENTIALS_DIRECTORY", str(credentials))
        now = shown(hub_binary, lived)
        assert (now["place"], now["protection"]) == ("credential", "full")
        hub = start_hub(lived, "--virtual-house")
        owner = sign_in(hub)
        assert len(owner.get("/api/v1/guests").json()["guests"]) == 1
        standing = owner.get("/api/v1/backups").json()["key"]
        assert (standing["place"], standing["protection"]) == ("credential", "full") and "a copy of the disk cannot be decrypted" in standing["words"]
        hub.stop()
    assert not (lived / "hub.key").exists()

    # Another machine has the whole disk: the house, the credential, and everything else that systemd seals with.
    for secret in own.folder.glob("host.secret"):
        shutil.copy(secret, other.folder)
    with other.on() as stranger:
        assert opened(credential, stranger) is None
        refused = subprocess.run(
            [str(hub_binary), "key", "show", *map(str, at)], env=stranger, capture_output=True, text=True, timeout=60)
    assert refused.returncode != 0 and "systemd-creds decrypt" in refused.stderr, refused.stderr
    assert not (lived / "hub.key").exists()

    # By default the host's key seals it as well. That key is useless without the TPM.
    with own.on() as machine:
        run(hub_binary, "key", "rotate", *at, env=machine)
    assert (own.folder / "host.secret").exists()
    shutil.copy(own.folder / "host.secret", other.folder)
    with other.on() as stranger:
        assert opened(credential, stranger) is None
    with own.on() as machine:
        fresh = opened(credential, machine)
    assert fresh and fresh != key
