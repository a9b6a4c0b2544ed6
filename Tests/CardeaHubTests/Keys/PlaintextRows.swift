import CardeaStore
import GRDB

/// Rows as an older hub wrote them: in plain text, in each column with personal data.
enum PlaintextRows {
    /// Every text in it begins with `mark`.
    static func insert(_ mark: String, of person: String, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE people SET name = '\(mark) name', username = lower('\(mark)user'), username_mark = NULL,
                    former_names = '["\(mark) before"]' WHERE id = :id;
                UPDATE sessions SET device = '\(mark) device', remote = '\(mark) remote' WHERE person_id = :id;
                INSERT INTO commands (id, principal, integration, device_id, entity_id, verb, grant_id, is_way_in, risk, status, asks, accepted_at,
                    not_after, finished_at, remote, reason) VALUES ('command-of-old', 'person:' || :id, 'scripted', 'front-door', 'lock.front_door',
                    'unlock', 'role:owner', 1, 'open', 'failed', 0, 1, 2, 2, '\(mark) place', '\(mark) has locked it');
                INSERT INTO journal (at, kind, device_id, subject, data) VALUES (1, 'command_changed', 'front-door', 'command-of-old',
                    '{"reason":"\(mark) has locked it","status":"failed"}');
                INSERT INTO automations (id, name, owner, is_on, triggers, conditions, actions, version, created_at, changed_at)
                    VALUES ('rule-of-old', '\(mark) evening', :id, 0, '[{"type":"seen","event_type":"\(mark)"}]',
                    '[{"type":"state","entity_id":"lock.front_door","is":"\(mark)"}]',
                    '[{"type":"notify","words":"\(mark) waits","to":"owner"}]', 1, 1, 1);
                INSERT OR REPLACE INTO preferences (person_id, temperature_unit, energy_cost_rate, water_cost_rate, display, version)
                    VALUES (:id, 'celsius', 0.15, 0.006, '{"hall":"\(mark)"}', 1);
                INSERT OR REPLACE INTO notice_preferences (person_id, is_on, kinds, muted, lets_critical_through, cooldown, version)
                    VALUES (:id, 1, 'ring', '\(mark) porch', 1, 0, 1);
                INSERT INTO automation_runs (automation_id, at, result, is_dry, outcomes) VALUES ('rule-of-old', 1, 'ran', 0,
                    '[{"action":"control","status":"failed","reason":"\(mark) has locked it"}]');
                INSERT INTO guests (id, name, created_by, created_at, expires_at, use_limit, requires_approval, asks_each_time, local_only)
                    VALUES ('guest-of-old', '\(mark) guest', :id, 1, 9000000000000000, 1, 0, 0, 0);
                INSERT INTO passkeys (id, person_id, credential_id, public_key, sign_count, rp_id, name, aaguid, transports, is_backup_eligible,
                    is_backed_up, created_at) VALUES ('key-of-old', :id, randomblob(16), randomblob(32), 0, 'x', '\(mark) key', zeroblob(16), '', 0, 0, 1);
                INSERT INTO api_tokens (id, hash, person_id, name, role, created_at, records_events)
                    VALUES ('token-of-old', randomblob(32), :id, '\(mark) script', 'member', 1, 0);
                INSERT INTO phones (id, person_id, session_id, device_hash, name, model, paired_at)
                    SELECT 'phone-of-old', :id, min(id), randomblob(32), '\(mark) phone', '\(mark) model', 1 FROM sessions WHERE person_id = :id;
                INSERT INTO notices (id, person_id, kind, subject, incident, place, place_name, happened_at, created_at, is_quiet, words)
                    VALUES ('notice-of-old', :id, 'unusual', 'x', 'x', 'porch', 'Porch', 1, 1, 0, '\(mark) told');
                INSERT INTO memories (id, created_at, memory_type, category, importance, title, content, details, source, confidence,
                    access_count, tags, related_devices, person, experience, is_pinned, version) VALUES ('memory-of-old', 1, 'semantic', 'note',
                    0.5, '\(mark) title', '\(mark) content', '{"x":"\(mark)"}', 'user_interaction', 1, 0, '["\(mark)"]', '[]',
                    'person:' || :id, NULL, 0, 1);
                INSERT OR REPLACE INTO mind_sheets (name, content, changed_at) VALUES ('of-old', '{"x":"\(mark)"}', 1);
                INSERT INTO interviews (id, person_id, status, phase, mentioned, confirmed, version, content, started_at, changed_at)
                    VALUES ('talk-of-old', :id, 'completed', 'completed', 0, 0, 1, '{"said":"\(mark)"}', 1, 1);
                INSERT INTO incidents VALUES ('incident-of-old', 'porch', 1, 1, 1, 0);
                INSERT INTO events (key, id, source, place, camera_name, type, description, incident_id, recorded_by, created_at)
                    VALUES (1048576, 'event-of-old', 'porch', 'porch', 'Porch', 'person', '\(mark) waits at the gate', 'incident-of-old', 'x', 1);
                INSERT INTO maintenance_tasks (id, title, category, priority, notes, is_predictive, version, created_at, changed_at)
                    VALUES ('task-of-old', '\(mark) filter', 'heating', 'normal', '\(mark) cellar', 0, 1, 1, 1);
                INSERT INTO maintenance_history (task_id, completed_at, completed_by, notes, service_provider)
                    VALUES ('task-of-old', 1, :id, '\(mark) done', '\(mark) firm');
                INSERT INTO happenings (at, kind, device_id, value, status, words, source)
                    VALUES (1, 'asked', 'front-door', 'unlock', 'failed', '\(mark) refused', 'source-of-old');
                INSERT INTO journal (at, kind, subject, data) VALUES (1, 'house_asked', 'mind', '{"query":"\(mark)"}');
                INSERT INTO phone_pairings (id, code_hash, secret_hash, device_hash, name, model, remote, is_local, asked_at, expires_at)
                    VALUES ('pairing-of-old', randomblob(32), randomblob(32), randomblob(32), '\(mark) tablet', '\(mark) slate',
                        '\(mark) address', 1, 1, 9000000000000000);
                INSERT INTO jobs (id, kind, person_id, asked_by, state, step, asked_at, finished_at, receipt)
                    VALUES ('job-of-old', 'erasure', 'person-of-old', :id, 'done', 'done', 1, 1, '{"names":["\(mark)"]}');
                UPDATE entities SET wiring = '{"opening":{"x":"\(mark)"},"harmless":{},"topics":[]}' WHERE id = 'lock.front_door';
                UPDATE known_ways_in SET wiring = '{"opening":{"x":"\(mark)"},"harmless":{},"topics":[]}',
                    announced = '{"opening":{"x":"\(mark)"},"harmless":{},"topics":[]}' WHERE entity_id = 'lock.front_door';
                DELETE FROM column_seal;
                """, arguments: ["id": person])
        try db.execute(
            sql: "UPDATE memories SET experience = ? WHERE id = 'memory-of-old'",
            arguments: [#"{"outcome":"successful","lesson":"\#(mark)"}"#])
    }
}
