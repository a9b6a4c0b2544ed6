"""A real hub on a small disk that fills up while it serves, and on one that the kernel makes read-only. The bolts count their own movements."""

import contextlib
import pathlib
import shutil
import sqlite3
import subprocess

import crash_house
import house
import pytest
import requests
from conftest import PASSWORD, Owner

pytestmark = pytest.mark.long
READS = (
    "/api/v1/devices", "/api/v1/house", "/api/v1/people", "/api/v1/guests", "/api/v1/activity?limit=200", "/api/v1/mobile/events/recent", "/api/v1/notices",
    "/api/v1/memory", "/api/v1/automations", "/api/v1/jobs", "/healthz", "/openapi.json", "/")


def run(*command, check=True):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120, check=check)


@contextlib.contextmanager
def mounted(place, *how):
    """A separate disk, mounted at `place` inside the block."""
    place.mkdir()
    if run("mount", *how, place, check=False).returncode:
        pytest.fail("a disk of one's own needs root")
    try:
        yield place
    finally:
        if place.is_mount():
            run("umount", "--lazy", place)


class Household:
    """An owner, a guest, two doors whose bolts count their own movements, and every answer."""

    def __init__(self, start_hub, bench, **how):
        self.bench = bench
        self.hub, _ = crash_house.serve(start_hub, bench, **how)
        self.owner = Owner(self.hub, house.claim(self.hub, PASSWORD))
        answer = self.owner.put("/api/v1/integrations/mqtt", {"host": "127.0.0.1", "port": bench.broker_port})
        assert answer.status_code == 200, answer.text
        self.doors = house.until(lambda: bench.doors(self.owner), "the locks are in the house")
        self.guest = house.let_in(self.owner, {"device_id": self.doors[1], "actions": ["door.open"]}, max_uses=100)
        self.opened, self.refused, self.told = set(), 0, []

    def again(self, hub):
        """The same people at the same house after its restart."""
        self.hub = self.owner.hub = self.guest.hub = hub

    def owner_opens(self, *besides):
        return self.judged(lambda: self.owner.put(f"/api/v1/devices/{self.doors[0]}/control", {"action": "unlock"}), *besides)

    def guest_opens(self, *besides):
        return self.judged(lambda: self.guest.act("door.open"), *besides)

    def judged(self, ask, *besides):
        """Sends a door command and compares the answer with what the bolt did; returns whether it opened.

        `besides`: other refusals that are acceptable just now.
        """
        before = len(self.bench.moved())
        answer = ask()
        after = [command for _, _, command, _ in self.bench.moved()[before:]]
        if answer.status_code == 200:
            assert after == [answer.json()["command_id"]], "it says that it opened, and its bolt moved once"
            self.opened.add(after[0])
            return True
        assert after == [], f"no door moves for {answer.status_code} {answer.text}"
        self.unavailable(answer, *besides)
        self.refused += 1
        return False

    @staticmethod
    def unavailable(answer, *besides):
        """The house answers that it cannot write, in the format of the API family."""
        assert int(answer.headers["Retry-After"]) >= 1, answer.text
        error = answer.json()["error"]
        code = error if isinstance(error, str) else error["code"]
        assert (answer.status_code, code) in {(507, "insufficient_storage"), *((503, other) for other in besides)}, answer.text

    def until_no_door_opens(self):
        """Commands may still fit into the database's log; after that no door opens for any caller."""
        for opens in (self.owner_opens, self.guest_opens):
            for _ in range(400):
                if not opens():
                    break
            else:
                raise AssertionError("doors go on opening on a disk that takes nothing")
        assert not self.owner_opens() and not self.guest_opens()

    def tells_the_rest_no_less(self):
        """Every other write is done or refused, and the answer says which."""
        url = self.hub.url
        asked = {
            "sign in": lambda: requests.post(url + "/api/v1/auth/login", json={"username": "owner", "password": PASSWORD}, timeout=60),
            "invite": lambda: self.owner.post("/api/v1/guests", house.draft({"device_id": self.doors[0], "actions": ["door.open"]})),
            "pause a pass": lambda: self.owner.post(f"/api/v1/guests/{self.guest.guest_id}/suspend"),
            "remember": lambda: self.owner.post("/api/v1/memory", {"type": "semantic", "content": "The spare key lies under the mat. " * 50}),
            "tell of an event": lambda: self.owner.post(
                "/api/v1/events", {"source": "porch", "type": "person", "occurred_at": house.in_seconds(0)}),
            "take away": lambda: self.owner.post(f"/api/v1/people/{self.me}/export"),
            "wrong token": lambda: requests.get(url + "/api/v1/devices", headers={"Authorization": "Bearer nobody"}, timeout=60),
        }
        for what, ask in asked.items():
            answer = ask()
            assert answer.status_code < 500 or answer.status_code == 507, f"{what}: {answer.status_code} {answer.text}"
            if answer.status_code == 507:
                self.unavailable(answer)
            if answer.ok and what in ("invite", "remember"):
                self.told.append(answer.json().get("guest_id") or answer.json()["id"])

    @property
    def me(self):
        return self.owner.get("/api/v1/people/me").json()["person_id"]

    def reads(self):
        for path in READS:
            answer = self.owner.get(path)
            assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text}"
        pass_seen = self.guest.get("/api/guest_access/pass")
        assert pass_seen.status_code == 200, pass_seen.text

    def has_all_that_was_told(self):
        kept = dict(rows(self.bench, "SELECT id, status FROM commands"))
        assert {command for command, status in kept.items() if status == "confirmed"} >= self.opened, "nothing is lost that was answered"
        moved = [command for _, _, command, _ in self.bench.moved()]
        assert len(moved) == len(set(moved)) and set(moved) <= set(kept), "no bolt moved twice, or for nobody"
        text = self.owner.get("/api/v1/guests").text + self.owner.get("/api/v1/memory?limit=100").text
        assert [one for one in self.told if one not in text] == []
        entries, before = set(), ""
        while page := self.owner.get(f"/api/v1/activity?limit=200{before}").json()["entries"]:
            entries |= {entry.get("command_id") for entry in page}
            before = f"&before={page[-1]['id']}"
        assert self.opened <= entries, "each door that opened stands in the record"


def rows(bench, sql):
    with contextlib.closing(sqlite3.connect(f"file:{bench.data}/house.sqlite?mode=ro", uri=True, timeout=60)) as database:
        return database.execute(sql).fetchall()


def whole(hub_binary, data):
    assert crash_house.checked(hub_binary, data) == []
    verified = run(hub_binary, "audit", "verify", "--data", data, check=False)
    assert verified.returncode == 0, verified.stdout + verified.stderr


def fill(disk):
    """Writes bytes until the disk accepts no more; returns the file."""
    ballast = disk / "ballast"
    with open(ballast, "wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            with contextlib.suppress(OSError):
                while file.write(bytes(size)):
                    pass
    return ballast


class BadDisk:
    """A disk that fails on request for every process started in its `environment`."""

    def __init__(self, folder):
        library, self.page = folder / "bad_disk.so", folder / "bad_disk"
        # Beside the compiler that built the hub, wherever that is.
        clang = pathlib.Path(shutil.which("swift")).resolve().with_name("clang")
        run(clang, "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", library, pathlib.Path(__file__).with_name("bad_disk.c"))
        self.page.write_bytes(b"-")
        self.environment = {"LD_PRELOAD": str(library), "BAD_DISK": str(self.page)}

    @contextlib.contextmanager
    def that(self, fails):
        def says(letter):
            with open(self.page, "r+b", buffering=0) as page:
                page.write(letter)

        says(fails)
        try:
            yield
        finally:
            says(b"-")

    def that_does_not_read(self):
        return self.that(b"r")

    def that_keeps_nothing(self):
        return self.that(b"s")


@pytest.fixture
def bad_disk(tmp_path):
    return BadDisk(tmp_path)


@pytest.fixture
def bench(tmp_path):
    bench = crash_house.Bench(tmp_path, locks=2, bolt_ms=15)
    yield bench
    bench.close()


def test_a_full_disk_opens_no_door_and_the_house_recovers(start_hub, hub_binary, bench, tmp_path):
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=24m,mode=700", "none") as disk:
        bench.data = disk / "house"
        home = Household(start_hub, bench)
        process = home.hub.process
        assert home.owner_opens() and home.guest_opens()
        for _ in range(2):
            ballast = fill(disk)
            home.until_no_door_opens()
            home.tells_the_rest_no_less()
            home.reads()
            assert not home.owner_opens() and not home.guest_opens()
            # A bolt is turned by hand meanwhile.
            state = "LOCKED" if len(home.opened) % 2 else "UNLOCKED"
            run("mosquitto_pub", "-p", bench.broker_port, "-t", "cardea-test/locks/0/state", "-m", state)
            ballast.unlink()
            house.until(home.owner_opens, "the owner opens again")
            house.until(home.guest_opens, "the guest opens again")
            assert process.poll() is None, "it is the same hub, which nobody started anew"
        home.owner.put(f"/api/v1/devices/{home.doors[0]}/control", {"action": "lock"})
        home.reads()
        home.has_all_that_was_told()
        assert home.refused >= 8
        assert home.hub.stop() == 0
        whole(hub_binary, bench.data)


def test_jobs_requested_on_a_full_disk_run_when_there_is_room(start_hub, hub_binary, tmp_path):
    """The hub once ended when it could not write a job's result."""
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=24m,mode=700", "none") as disk:
        hub = start_hub(disk / "house", "--virtual-house")
        owner = Owner(hub, house.claim(hub, PASSWORD))
        me = owner.get("/api/v1/people/me").json()["person_id"]
        ballast = fill(disk)
        # A little room is left: enough to accept the job, and not to run it.
        asked = []

        def is_asked():
            with open(ballast, "r+b") as file:
                file.truncate(ballast.stat().st_size - 4096)
            asked.append(owner.post(f"/api/v1/people/{me}/export"))
            return asked[-1].status_code == 202

        house.until(is_asked, "it is taken on")
        house.until(lambda: any("job could not be stored" in line for line in hub.log), "there is no room to do it")
        assert owner.get("/healthz").status_code == 200
        ballast.unlink()
        job = asked[-1].json()["job_id"]
        state = lambda: owner.get(f"/api/v1/jobs/{job}").json()["state"]  # noqa: E731
        house.until(lambda: state() in ("done", "failed"), "it comes to an end")
        again = owner.post(f"/api/v1/people/{me}/export")
        assert again.status_code == 202, again.text
        job = again.json()["job_id"]
        house.until(lambda: state() == "done", "what is asked for with room again is done")
        assert hub.stop() == 0
        whole(hub_binary, disk / "house")


def test_a_hub_started_on_a_full_disk_serves_reads_and_recovers(start_hub, hub_binary, bench, tmp_path):
    """SQLite once had no room for the files that it needs even for reads."""
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=24m,mode=700", "none") as disk:
        bench.data = disk / "house"
        home = Household(start_hub, bench)
        assert home.owner_opens() and home.guest_opens()
        reserve = bench.data / "hub.reserve"
        house.until(lambda: reserve.exists() and reserve.stat().st_size >= 1 << 20, "the room is taken")

        def cannot_write():
            answer = home.owner.post("/api/v1/memory", {"type": "semantic", "content": "The spare key lies under the mat. " * 50})
            if answer.status_code == 507:
                home.unavailable(answer)
            return answer.status_code == 507

        for end in ("stop", "stop", "kill", "stop"):
            getattr(home.hub, end)()
            ballast = fill(disk)
            hub, _ = crash_house.serve(start_hub, bench)
            home.again(hub)
            home.reads()
            house.until(cannot_write, "nothing can be written")
            home.reads()
            house.until(lambda: any("disk is nearly full" in line for line in home.hub.log), "it says so")
        ballast.unlink()
        waking = ("device_unreachable", "integration_not_ready")
        house.until(lambda: home.owner_opens(*waking), "the owner opens again")
        house.until(lambda: home.guest_opens(*waking), "the guest opens again")
        home.has_all_that_was_told()
        assert home.hub.stop() == 0
        whole(hub_binary, bench.data)
        hub, _ = crash_house.serve(start_hub, bench)
        assert reserve.stat().st_size >= 1 << 20, "with room it keeps some for the next time"
        assert hub.stop() == 0


def test_check_reports_a_full_disk_in_plain_words(start_hub, hub_binary, tmp_path):
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=24m,mode=700", "none") as disk:
        hub = start_hub(disk / "house")
        house.claim(hub, PASSWORD)
        assert hub.stop() == 0
        fill(disk)
        done = run(hub_binary, "check", "--data", disk / "house", check=False)
        assert "Free space" in done.stdout, done.stdout + done.stderr
        assert "SQLite" not in done.stdout + done.stderr


def test_the_reserve_of_the_disk_is_kept_for_doors_and_rings(start_hub, hub_binary, bench, tmp_path):
    """A tenth of a small disk is reserved: 2.4 of 24 MiB."""
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=24m,mode=700", "none") as disk:
        bench.data = disk / "house"
        home = Household(start_hub, bench)
        seen = lambda kind: home.owner.post(  # noqa: E731
            "/api/v1/events", {"source": "porch", "type": kind, "occurred_at": house.in_seconds(0)})
        is_low = lambda: "\ncardea_disk_low 1.0\n" in requests.get(home.hub.url + "/metrics", timeout=60).text  # noqa: E731
        records = lambda: rows(bench, "SELECT count(*) FROM audit")  # noqa: E731
        assert seen("person").status_code == 201

        ballast = fill(disk)
        with open(ballast, "r+b") as file:
            file.truncate(ballast.stat().st_size - (2 << 20))
        house.until(is_low, "the hub has seen how little is left")
        home.unavailable(seen("person"))
        ring = seen("ring")
        assert ring.status_code == 201, ring.text
        assert home.owner_opens() and home.guest_opens()
        house.until(lambda: "nearly full" in home.owner.get("/api/v1/notices").text, "the owner is told")
        before = records()
        wrong = requests.get(home.hub.url + "/api/v1/devices", headers={"Authorization": "Bearer nobody"}, timeout=60)
        assert wrong.status_code == 401 and records() == before, "strangers are refused, and not put on record"
        done = run(hub_binary, "backup", "--data", bench.data, "--out", tmp_path / "one.backup", check=False)
        assert done.returncode == 1 and "nearly full" in done.stderr and "Free space" in done.stderr, done.stdout + done.stderr

        ballast.unlink()
        house.until(lambda: not is_low(), "the hub has seen that there is room")
        assert seen("person").status_code == 201
        house.until(lambda: "room again" in home.owner.get("/api/v1/notices").text, "the owner is told of that, too")
        home.has_all_that_was_told()
        assert home.hub.stop() == 0
        whole(hub_binary, bench.data)


def test_a_disk_remounted_read_only_opens_no_door(start_hub, hub_binary, bench, tmp_path):
    image = tmp_path / "image"
    with open(image, "wb") as file:
        file.truncate(48 << 20)
    run("mkfs.ext4", "-q", image)
    with mounted(tmp_path / "disk", "-o", "loop,errors=remount-ro", image) as disk:
        bench.data = disk / "house"
        home = Household(start_hub, bench)
        assert home.owner_opens() and home.guest_opens()
        device = pathlib.Path(run("findmnt", "-no", "SOURCE", disk).stdout.strip())
        pathlib.Path("/sys/fs/ext4", device.name, "trigger_fs_error").write_text("the disk fails")
        with pytest.raises(OSError):
            (disk / "anything").write_text("not taken")

        home.until_no_door_opens()
        home.tells_the_rest_no_less()
        home.reads()
        assert not home.owner_opens() and not home.guest_opens()
        assert home.hub.process.poll() is None
        home.hub.stop()

        # The administrator repairs the disk.
        run("umount", disk)
        assert run("e2fsck", "-fy", image, check=False).returncode in (0, 1)
        run("mount", "-o", "loop", image, disk)
        whole(hub_binary, bench.data)
        hub, _ = crash_house.serve(start_hub, bench)
        home.again(hub)
        waking = ("device_unreachable", "integration_not_ready")
        house.until(lambda: home.owner_opens(*waking), "the owner opens again")
        house.until(lambda: home.guest_opens(*waking), "the guest opens again")
        home.has_all_that_was_told()
        assert hub.stop() == 0
        whole(hub_binary, bench.data)


def test_a_failed_fsync_stops_the_hub(start_hub, hub_binary, bench, bad_disk):
    """A second fsync reports success although the data is lost: only a restarted hub reads what the disk really has."""
    home = Household(start_hub, bench, besides=bad_disk.environment)
    assert home.owner_opens() and home.guest_opens()
    before = bench.moved()
    process = home.hub.process
    with bad_disk.that_keeps_nothing():
        with pytest.raises(requests.ConnectionError):
            home.owner.put(f"/api/v1/devices/{home.doors[0]}/control", {"action": "lock"})
        assert process.wait(60) == 74
    assert any("disk lost written data" in line for line in home.hub.log)
    assert bench.moved() == before, "no bolt moves for what is not kept"

    hub, _ = crash_house.serve(start_hub, bench)
    home.again(hub)
    waking = ("device_unreachable", "integration_not_ready")
    house.until(lambda: home.owner_opens(*waking), "the owner opens again")
    house.until(lambda: home.guest_opens(*waking), "the guest opens again")
    home.has_all_that_was_told()
    assert hub.stop() == 0
    whole(hub_binary, bench.data)
