"""A house as an older hub left it: the migrations up to one of them, as released, and plaintext rows as that hub wrote them."""

import re
import shutil
import sqlite3
import time

import house
from conftest import ROOT, hubs

STEPS = ROOT / "Sources/CardeaStore/Migrations"
# Plaintext entries of the audit log: several commits of those that encrypt them.
ENTRIES = 1203


def statements(name):
    """The SQL of the migration, by `Type.name`."""
    kind, member = name.split(".")
    found = re.search(rf'static let {member} = """\n(.*?)\n\s*"""', (STEPS / f"{kind}.swift").read_text(), re.DOTALL)
    assert found and "\\" not in found[1], name
    return found[1]


def steps(through):
    listed = re.findall(r"\(\s*(\d+),\s*\[([^\]]*)\]", (STEPS / "Migrations.swift").read_text())
    assert [int(number) for number, _ in listed] == list(range(1, len(listed) + 1))
    return [(int(number), re.findall(r"\w+\.\w+", names)) for number, names in listed if int(number) <= through]


def make(data, through, mark, password, hub_binary):
    """A house whose owner can sign in. Every text of its people begins with `mark`; its hub never encrypted anything."""
    with hubs(hub_binary) as start:
        hub = start(data)
        house.claim(hub, password)
        hub.stop()
    with sqlite3.connect(data / "house.sqlite") as database:
        hashed = database.execute("SELECT password_hash FROM people").fetchone()[0]
    database.close()
    shutil.rmtree(data)
    data.mkdir(mode=0o700)
    database = sqlite3.connect(data / "house.sqlite", isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    for number, names in steps(through):
        for name in names:
            database.executescript(statements(name))
        database.execute("INSERT INTO grdb_migrations VALUES (?)", (str(number),))
    now = int(time.time() * 1000)
    plant(database, through, mark, hashed, now - 3_600_000)
    database.close()
    return now


def plant(database, through, mark, hashed, at):
    says = {"at": at, "later": at + 10 * 86_400_000, "hash": hashed}

    def write(sql, **more):
        database.execute(sql.replace("MARK", mark), {**says, **more})

    database.execute("BEGIN")
    write("INSERT INTO house (id, house_id, name, time_zone, claimed_at) VALUES (1, 'house-of-old', 'Home', 'Europe/Berlin', :at)")
    write("INSERT INTO people (id, username, name, role, password_hash, created_at) VALUES ('ada', lower('MARKuser'), 'MARK name', 'owner', :hash, :at)")
    write("""INSERT INTO sessions (id, person_id, created_at, expires_at, last_used_at, device, remote)
        VALUES ('session-of-old', 'ada', :at, :later, :at, 'MARK device', 'MARK remote')""")
    write("""INSERT INTO guests (id, name, created_by, created_at, expires_at, use_limit, requires_approval, asks_each_time, local_only)
        VALUES ('guest-of-old', 'MARK guest', 'ada', :at, :later, 1, 0, 0, 0)""")
    if through < 4:
        for number in range(ENTRIES):
            write("""INSERT INTO audit (at, journal_seq, who_kind, who_id, action, device_id, grant_id, result, remote, request_id)
                VALUES (:at + :number, :number, 'person', 'ada', 'planted-action', 'front-door', 'role:ada', 'done', 'MARK', :request)""",
                  number=number, request=f"planted-request-{number}")
    if through >= 27:
        write("""INSERT INTO memories (id, created_at, memory_type, category, importance, title, content, details, source, confidence,
            access_count, tags, related_devices, person, is_pinned, version) VALUES ('memory-of-old', :at, 'semantic', 'note', 0.5, 'MARK title',
            'MARK content', '{"x":"MARK"}', 'user_interaction', 1, 0, '["MARK"]', '[]', 'person:ada', 0, 1)""")
        write("INSERT INTO memory_words (rowid, words) VALUES (1, 'MARK title MARK content')")
        write("INSERT INTO incidents VALUES ('incident-of-old', 'porch', :at, :at, 1, 0)")
        # More than one commit encrypts.
        for number in range(600):
            write("""INSERT INTO events (key, id, source, place, camera_name, type, description, incident_id, recorded_by, created_at)
                VALUES (:key, :id, 'porch', 'porch', 'Porch', 'person', :words, 'incident-of-old', 'x', :at)""",
                  key=(at + number) << 20, id=f"event-of-old-{number}", words=f"{mark} waits at the {'hedge' if number else 'gate'}")
            write("INSERT INTO event_words (rowid, description, type, camera_name, place) SELECT key, description, type, camera_name, place "
                  "FROM events WHERE id = :id", id=f"event-of-old-{number}")
        write("""INSERT INTO maintenance_tasks (id, title, category, priority, notes, is_predictive, version, created_at, changed_at)
            VALUES ('task-of-old', 'MARK filter', 'heating', 'normal', 'MARK cellar', 0, 1, :at, :at)""")
        write("""INSERT INTO maintenance_history (task_id, completed_at, completed_by, notes, service_provider)
            VALUES ('task-of-old', :at, 'ada', 'MARK done', 'MARK firm')""")
        write("""INSERT INTO commands (id, principal, integration, device_id, entity_id, verb, grant_id, is_way_in, risk, status, asks, accepted_at,
            not_after, finished_at, reason) VALUES ('command-of-old', 'person:ada', 'virtual', 'front-door', 'lock.front_door', 'unlock',
            'role:owner', 1, 'open', 'failed', 0, :at, :at, :at, 'MARK has locked it')""")
        write("""INSERT INTO journal (at, kind, device_id, subject, data) VALUES (:at, 'command_changed', 'front-door', 'command-of-old',
            '{"reason":"MARK has locked it","status":"failed"}')""")
        write("""INSERT INTO automations (id, name, owner, is_on, triggers, conditions, actions, version, created_at, changed_at)
            VALUES ('rule-of-old', 'MARK evening', 'ada', 0, '[{"type":"seen","event_type":"MARK"}]',
            '[{"type":"state","entity_id":"lock.front_door","is":"MARK"}]', '[{"type":"notify","words":"MARK waits","to":"owner"}]', 1, :at, :at)""")
        write("""INSERT INTO preferences VALUES ('ada', 'celsius', 0.15, 0.006, '{"hall":"MARK"}', 1)""")
        write("""INSERT INTO notice_preferences (person_id, is_on, kinds, muted, lets_critical_through, cooldown, version)
            VALUES ('ada', 1, 'ring', 'MARK porch', 1, 0, 1)""")
        write("""INSERT INTO automation_runs (automation_id, at, result, is_dry, outcomes) VALUES ('rule-of-old', :at, 'ran', 0,
            '[{"action":"control","status":"failed","reason":"MARK has locked it"}]')""")
        write("INSERT INTO journal (at, kind, subject, data) VALUES (:at, 'house_asked', 'mind', '{\"query\":\"MARK\"}')")
    database.execute("COMMIT")
