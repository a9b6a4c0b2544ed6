import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB

@testable import CardeaHub

/// Creates a person's data in each table that holds personal data, under words that appear nowhere else.
enum PersonalDataTraces {
    /// The address from which the person signed in.
    private static func address(_ mark: String) -> String { "10.9.8.\(mark.utf8.reduce(0) { $0 + Int($1) } % 200)" }

    /// Makes a person do everything that leaves this data.
    ///
    /// - Parameter mark: the ending of each word.
    static func create(_ who: Principal, mark: String, in house: TestHouse) async throws {
        guard let id = who.personID else { return }
        _ = try await house.submit(house.unlock(as: who, key: "key-\(mark)"))
        _ = try await house.guest(house.draft(), by: who)
        _ = try await house.hub.apiTokens.make(
            .init(name: "script-\(mark)", items: nil, role: "member", expiresAt: house.clock.now.addingTimeInterval(86_400)), by: who,
            origin: .house)
        _ = try await house.hub.tags.issueSignedLink(
            .grant(.init(deviceID: "hall-light", action: "on")), by: who, call: nil, origin: .house)
        _ = try await house.hub.tapHandler.handle("https://house.example/t/\(mark)", isConfirmed: true, by: who, origin: .house)
        let now = house.clock.now.milliseconds
        try await house.store.write { db in
            try db.execute(
                sql: """
                    UPDATE people SET name = 'Name\(mark)' WHERE id = :id;
                    UPDATE guests SET name = 'Visitor\(mark)' WHERE created_by = :id;
                    UPDATE sessions SET device = 'Phone\(mark)', remote = '\(address(mark))' WHERE person_id = :id;
                    INSERT INTO preferences VALUES (:id, 'celsius', 0.15, 0.006, '{"hall":"Shown\(mark)"}', 1);
                    INSERT INTO presence_sources VALUES (:id, 'persons', 'Tracker\(mark)', :now, NULL);
                    INSERT INTO phones (id, person_id, session_id, device_hash, name, model, paired_at)
                        SELECT 'phone-\(mark)', :id, min(id), randomblob(32), 'Handset\(mark)', 'Model\(mark)', :now
                        FROM sessions WHERE person_id = :id;
                    INSERT INTO phone_pairings (id, code_hash, secret_hash, device_hash, name, model, remote, is_local, asked_at, expires_at,
                        confirmed_by, confirmed_in, confirmed_at)
                        SELECT 'pairing-\(mark)', randomblob(32), randomblob(32), randomblob(32), 'Tablet\(mark)', 'Slate\(mark)',
                            '\(address(mark))', 1, :now, :now + 600000, :id, min(id), :now FROM sessions WHERE person_id = :id;
                    INSERT INTO passkeys (id, person_id, credential_id, public_key, sign_count, rp_id, name, aaguid, transports,
                        is_backup_eligible, is_backed_up, created_at) VALUES ('passkey-\(mark)', :id, CAST('credential-\(mark)' AS BLOB),
                        zeroblob(8), 0, 'house.test', 'Ring\(mark)', zeroblob(16), 'usb', 0, 0, :now);
                    INSERT INTO push_subscriptions (id, person_id, session_id, way, hash, sealed, service, created_at, changed_at)
                        SELECT 'push-\(mark)', :id, min(id), 'web', randomblob(32), CAST('https://push.example/\(mark)' AS BLOB),
                            'https://service-\(mark).example', :now, :now FROM sessions WHERE person_id = :id;
                    INSERT INTO kept_answers (principal, key, fingerprint, sealed, at)
                        VALUES ('person:' || :id, 'answer-\(mark)', randomblob(32), CAST('Answered\(mark)' AS BLOB), :now);
                    UPDATE commands SET spoken = 'Spoken\(mark)', request_id = 'request-\(mark)', remote = '\(address(mark))'
                        WHERE principal = 'person:' || :id;
                    INSERT INTO notices (id, person_id, kind, subject, incident, place, place_name, happened_at, created_at, is_quiet, words)
                        VALUES ('notice-\(mark)', :id, 'ring', '\(mark)', '\(mark)', 'porch', 'Place\(mark)', :now, :now, 0, 'Told\(mark)');
                    INSERT INTO memories (id, created_at, memory_type, category, importance, title, content, details, source, confidence,
                        access_count, tags, related_devices, person, is_pinned, version) VALUES ('memory-\(mark)', :now, 'semantic', 'note', 0.5,
                        'Title\(mark)', 'Content\(mark)', '{"said":"Detail\(mark)"}', 'user_interaction', 1, 0, '["Tag\(mark)"]', '[]',
                        'person:' || :id, 0, 1);
                    INSERT INTO memory_words (rowid, words) SELECT number, keyed('Content\(mark)') FROM memories WHERE id = 'memory-\(mark)';
                    INSERT INTO interviews (id, person_id, status, phase, mentioned, confirmed, version, content, started_at, changed_at)
                        VALUES ('talk-\(mark)', :id, 'completed', 'completed', 0, 0, 1, '{"said":"Said\(mark)","then":"Then\(mark)"}', :now, :now);
                    INSERT INTO automations (id, name, owner, is_on, triggers, conditions, actions, version, created_at, changed_at)
                        VALUES ('auto-\(mark)', 'Habit\(mark)', :id, 0, '["When\(mark)"]', '[]', '[]', 1, :now, :now);
                    INSERT INTO automation_runs (automation_id, at, happening, result, is_dry, outcomes)
                        VALUES ('auto-\(mark)', :now, NULL, 'tried', 1, '["Outcome\(mark)"]');
                    INSERT INTO happenings (at, kind, device_id, actor, value, source)
                        VALUES (:now, 'standing', 'front-door', 'person:' || :id, 'Value', 'source-\(mark)');
                    INSERT INTO recovery_codes (hash, person_id, made_at) VALUES (randomblob(32), :id, :now);
                    INSERT OR IGNORE INTO maintenance_tasks (id, title, category, priority, is_predictive, version, created_at, changed_at)
                        VALUES ('task_1', 'Filter', 'heating', 'normal', 0, 1, :now, :now);
                    INSERT INTO maintenance_history (task_id, completed_at, completed_by, cost_minor, currency)
                        VALUES ('task_1', :now, :id, 1299, 'EUR');
                    """, arguments: ["id": id, "now": now])
            try Journal.append(
                .houseAsked, subject: "mind", data: ["person_id": .string(id), "query": .string("Asked\(mark)")], at: house.clock.now,
                in: db)
        }
    }

    /// The words that `create` leaves and that the person can read in their own data.
    static func markers(_ mark: String) -> [String] {
        [
            "key-\(mark)", "script-\(mark)", "Name\(mark)", "Visitor\(mark)", "Phone\(mark)", "Shown\(mark)", "Tracker\(mark)",
            "phone-\(mark)",
            "Handset\(mark)", "Model\(mark)", "pairing-\(mark)", "Tablet\(mark)", "Slate\(mark)", "passkey-\(mark)", "Ring\(mark)",
            "push-\(mark)", "service-\(mark)", "Spoken\(mark)", "request-\(mark)", "notice-\(mark)", "Place\(mark)", "Told\(mark)",
            "memory-\(mark)", "Title\(mark)", "Content\(mark)", "Detail\(mark)", "Tag\(mark)", "talk-\(mark)", "Said\(mark)",
            "Then\(mark)", "auto-\(mark)", "Habit\(mark)", "When\(mark)", "Outcome\(mark)", "Asked\(mark)", address(mark),
        ]
    }

    /// The words that `create` leaves and that are shown to no person.
    static func secretMarkers(_ mark: String) -> [String] {
        ["credential-\(mark)", "push.example/\(mark)", "answer-\(mark)", "Answered\(mark)"]
    }

    /// All stored personal data, decrypted.
    static func allText(in store: Store) async throws -> String {
        try await store.read { db in
            try DataInventory.policies.map { holding in
                try Row.fetchAll(db, sql: "SELECT \(holding.selectList) FROM \(holding.table)").map(\.description).joined(separator: "\n")
            }.joined(separator: "\n")
        }
    }

    /// A folder for the house or an export; deleted after the test.
    static func withFolder<Answer>(_ body: (URL) async throws -> Answer) async throws -> Answer {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-leaving-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}
