import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Crypto
import Foundation
import GRDB
import Glibc
import Testing

@testable import CardeaHub

@Suite("House key", .timeLimit(.minutes(5)))
struct HouseKeyTests {
    /// A house with a value in every sealed column.
    private func live(_ store: Store, _ sealing: SealingKey, pictures: URL) async throws {
        let house = try await TestHouse.make(
            store: store, sealing: sealing, events: EventSettings(pictures: pictures, maker: PassthroughPictureMaker()),
            exports: pictures.deletingLastPathComponent().appending(path: "exports"))
        let (owner, tokens) = try await house.claim()
        _ = try await house.hub.sessions.refresh(tokens.refresh, origin: .house)
        let call = IdempotencyKey(key: "once", method: "POST", path: "/guests", body: Data())
        _ = try await house.hub.guests.invite(house.draft(), by: owner, call: call, origin: .house)
        let browser = PushSubscriptions.BrowserDraft(
            endpoint: "https://fcm.googleapis.com/fcm/send/x",
            key: Base64URL.encode(P256.KeyAgreement.PrivateKey().publicKey.x963Representation),
            authentication: Base64URL.encode(Data(count: 16)))
        _ = try await house.hub.pushSubscriptions.register(browser, by: owner, origin: .house)
        _ = await ScriptedBroker(house)
        let publication = ButtonPublication(topic: "t", message: #"{"otp-auth":"%T"}"#)
        let key = try TagKey(hex: Secret("11223344556677889900aabbccddeeff"))
        let draft = Buttons.Draft(title: "Garage", behavior: .publish(publication, .new(key)))
        let button = try await house.hub.buttons.add(draft, by: owner, call: nil, origin: .house).0
        let chip = Tags.Draft(
            pressing: .button(button.id), label: nil,
            nature: .sun(uid: Data([4, 1, 2, 3, 4, 5, 6]), meta: nil, file: nil, names: .standard))
        let tag = try await house.hub.tags.add(chip, by: owner, call: nil, origin: .house).tag
        _ = try await house.hub.tags.beginKeyRotation(tag.id, by: owner, origin: .house)
        let porch = Cameras.Draft(name: "Porch", source: .init(kind: "rtsp", url: "rtsp://192.168.1.20/s"))
        _ = try await house.hub.cameras.add(porch, by: owner, call: nil, origin: .house)
        let seen = Events.Draft(source: "porch", type: "person", occurredAt: house.clock.now, picture: smallestJPEG)
        _ = try await house.hub.events.record(seen, by: owner, call: nil, origin: .house)
        let job = try await house.hub.jobs.export(try #require(owner.personID), by: owner, origin: .house)
        try await house.hub.jobs.runAll()
        #expect(try await house.hub.jobs.one(job.id, seenBy: owner).state == .done)
        for topic in ["shed/set", "hut/set"] {
            let wiring = EntityCommandTopics(opening: ["command_topic": topic], topics: [topic])
            let lock = Entity(id: "lock.shed", kind: .lock, name: "Shed", wiring: wiring, verbs: [.lock, .unlock])
            try await house.hub.devices.announce(
                Device(
                    id: "shed", name: "Shed", deviceClass: .security, integration: "scripted", stateChangedAt: house.clock.now,
                    entities: [lock]))
        }
        let settings = try sealing.seal(Data("settings".utf8), for: "sealed_settings/mqtt/sealed")
        try await store.write { db in
            try db.execute(sql: "INSERT INTO sealed_settings (name, sealed, changed_at) VALUES ('mqtt', ?, 0)", arguments: [settings])
            try PlaintextRows.insert("Clear", of: owner.personID ?? "", in: db)
        }
        _ = try await SealedColumns.sealAll(in: store, at: house.clock.now)
    }

    // MARK: Opening

    @Test("A new house gets a house key and a key that encrypts it, and both are found again")
    func new() async throws {
        try await HouseKeyFixture.open { kept in
            let first = try await kept.keys.open()
            #expect(first.location == .file && !first.protection.isFull)
            // Before its first start it has no audit log, and a hub would serve it.
            #expect(try await kept.keys.servingProblem(with: first) == nil)
            let bytes = try #require(FileManager.default.contents(atPath: kept.file.path))
            _ = try await TestHouse.make(store: kept.store, sealing: first.sealing)

            let again = try await kept.keys.open(changing: false)

            #expect(again.encryption.reveal() == bytes && bytes.count == 32)
            #expect(try await kept.isWhole(with: again.sealing))
            // The key in the file opens the house's key, and nothing else.
            #expect(try await !Hub.opens(kept.store, with: again.encryption.asHouseKey))
            let printed =
                "\(again.encryption) \(String(reflecting: again.encryption)) \(Mirror(reflecting: again.encryption).children.count)"
            #expect(printed == "[key] [key] 0")
        }
    }

    @Test("A house with a missing or foreign key reports it and gets no new key")
    func lost() async throws {
        try await HouseKeyFixture.open { kept in
            let opened = try await kept.keys.open()
            _ = try await TestHouse.make(store: kept.store, sealing: opened.sealing)
            try FileManager.default.removeItem(at: kept.file)

            #expect(try await kept.problem { try await kept.keys.open() } == .missing(.file, file: kept.file.path))
            #expect(!FileManager.default.fileExists(atPath: kept.file.path))

            try PrivateFile(kept.file).replace(with: KeyEncryptionKey.random().reveal())
            #expect(try await kept.problem { try await kept.keys.open() } == .wrongKey(.file, file: kept.file.path))
            // Credential and keyring report errors in their own words.
            for place in [KeyLocation.credential, .secretService] {
                #expect(try await kept.problem { try await kept.keys.open(from: place) } == .missing(place, file: kept.file.path))
            }
        }
    }

    @Test("A house with one legacy key continues with it and rejects another house's key")
    func before() async throws {
        try await HouseKeyFixture.open { kept in
            let key = try KeyEncryptionKey.random()
            _ = try await TestHouse.make(store: kept.store, sealing: key.asHouseKey)
            #expect(try await kept.problem { try await kept.keys.open() } != nil)
            try PrivateFile(kept.file).replace(with: KeyEncryptionKey.random().reveal())
            #expect(try await kept.problem { try await kept.keys.open() } == .wrongKey(.file, file: kept.file.path))
            try PrivateFile(kept.file).replace(with: key.reveal())

            #expect(try await kept.opensCompletely(changing: false))
            #expect(try await kept.rows() == [])
            #expect(try await kept.opensCompletely())
            #expect(try await kept.rows() == ["file"])
            #expect(try await kept.opensCompletely())
        }
    }

    @Test("A systemd credential takes precedence over the key file and is accepted with mode 0440")
    func credential() async throws {
        try await HouseKeyFixture.open { kept in
            let credentials = kept.folder.appending(path: "credentials", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: credentials, withIntermediateDirectories: true)
            let key = try KeyEncryptionKey.random()
            let given = credentials.appending(path: KeyLocations.credentialName)
            try PrivateFile(given).replace(with: key.reveal())
            #expect(chmod(given.path, 0o440) == 0)
            let kept = kept.with { $0.environment = ["CREDENTIALS_DIRECTORY": credentials.path] }

            let opened = try await kept.keys.open()

            #expect(opened.location == .credential && opened.encryption.mark == key.mark)
            #expect(!FileManager.default.fileExists(atPath: kept.file.path))
            // The kind of protection cannot be seen here.
            #expect(!opened.protection.isFull && opened.protection.text.contains("is unknown here"))
            // A key file beside it does the house no harm, and is reported.
            try PrivateFile(kept.file).replace(with: key.reveal())
            let both = try await kept.keys.open()
            #expect(both.location == .credential && both.protection.isBesideData && both.protection.text.contains("also in hub.key"))
            // An unreadable one may be the same key.
            try Data("half".utf8).write(to: kept.file)
            #expect(try await kept.keys.open().protection.isBesideData)
            #expect(chmod(given.path, 0o444) == 0)
            await #expect(throws: KeyFileError.self) { try await kept.keys.open(from: .credential) }
        }
    }

    @Test("Only an absolute CREDENTIALS_DIRECTORY is used")
    func relative() async throws {
        try await HouseKeyFixture.open { kept in
            let credentials = kept.folder.appending(path: "credentials", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: credentials, withIntermediateDirectories: true)
            let key = try KeyEncryptionKey.random()
            try PrivateFile(credentials.appending(path: KeyLocations.credentialName)).replace(with: key.reveal())
            let path = "\(String(repeating: "../", count: 64))\(credentials.path.dropFirst())"
            #expect(FileManager.default.fileExists(atPath: path))

            let opened = try await kept.with { $0.environment = ["CREDENTIALS_DIRECTORY": path] }.keys.open()

            #expect(opened.location == .file && opened.encryption.mark != key.mark)
        }
    }

    @Test("Verification reports nothing for an intact house and names the table of a value that does not decrypt")
    func damage() async throws {
        try await HouseKeyFixture.open { kept in
            let opened = try await kept.keys.open()
            let house = try await TestHouse.make(store: kept.store, sealing: opened.sealing)
            _ = try await house.claim()
            #expect(try await kept.keys.problem(with: opened) == nil)

            // It is marked as sealed, and contains no bytes at all.
            try await kept.store.write { try $0.execute(sql: "UPDATE sessions SET remote = char(1) || 'no base64'") }

            #expect(try await kept.keys.problem(with: opened) == HouseKeyError.doesNotOpen(table: "sessions").description)
        }
    }

    // A `hub.key.next` left by root once kept the house from opening with its valid key.
    @Test("An unreadable key file does not block another valid key, and no key is created in its place")
    func unread() async throws {
        try await HouseKeyFixture.open { kept in
            _ = try await kept.keys.open()
            let next = URL(filePath: kept.file.path + ".next")
            try Data("half".utf8).write(to: next)
            #expect(try await kept.opensCompletely())
            #expect(FileManager.default.fileExists(atPath: next.path))

            // With nothing beside it, the error is about this file.
            try FileManager.default.removeItem(at: kept.file)
            await #expect(throws: KeyFileError.self) { try await kept.keys.open() }
            #expect(!FileManager.default.fileExists(atPath: kept.file.path))

            try Data("half".utf8).write(to: kept.file)
            await #expect(throws: KeyFileError.self) { try await kept.keys.open() }
            let new = HouseKeyFixture(folder: kept.folder, store: try .inMemory())
            await #expect(throws: KeyFileError.self) { try await new.keys.open() }
        }
    }

    @Test("The last row of `house_keys` cannot be deleted")
    func last() async throws {
        try await HouseKeyFixture.open { kept in
            _ = try await kept.keys.open()
            await #expect(throws: DatabaseError.self) { try await kept.store.write { try $0.execute(sql: "DELETE FROM house_keys") } }
        }
    }

    @Test(
        "House key errors name the location and the remedy",
        arguments: [
            (.missing(.file, file: "/house/hub.key"), ["/house/hub.key is missing", "cardea-hub key recover"]),
            (.missing(.credential, file: "/house/hub.key"), ["LoadCredentialEncrypted=cardea-hub-key", "cardea-hub key recover"]),
            (.missing(.secretService, file: "/house/hub.key"), ["missing from the keyring", "cardea-hub key recover"]),
            (.wrongKey(.file, file: "/house/hub.key"), ["/house/hub.key is another house's", "Put back the hub.key"]),
            (.wrongKey(.credential, file: "/house/hub.key"), ["credential cardea-hub-key is another house's", "this house.sqlite"]),
            (.wrongKey(.secretService, file: "/house/hub.key"), ["in the keyring is another house's"]),
            (.cannotWrite(.credential), ["sealed by systemd-creds"]),
            (.cannotWrite(.secretService), ["No keyring answers"]),
            (.disk("/house/hub.key", "Is a directory"), ["/house/hub.key cannot be changed: Is a directory."]),
            (.alreadyThere(.secretService), ["is there already (secret-service)"]),
            (.occupied("/house/hub.key"), ["/house/hub.key holds a key that does not belong to this house", "Rename it first"]),
            (.noRecoveryKey, ["is not sealed to a recovery key", "Restore hub.key from a backup"]),
            (.otherRecoveryKey, ["not the house's recovery key"]),
        ] as [(HouseKeyError, [String])])
    func told(_ problem: HouseKeyError, _ words: [String]) {
        for part in words { #expect(problem.description.contains(part), "\(problem.description)") }
    }

    // MARK: Rotating

    @Test("Key rotation covers every column sealed with the house key")
    func columns() throws {
        // Hashes, marks, public keys, and values sealed by a key that is itself sealed here.
        let others: Set = [
            "people.password_hash", "people.passkey_handle", "people.username_mark", "sessions.key_thumbprint", "person_invitations.hash",
            "push_subscriptions.hash",
            "refresh_tokens.hash", "sessions.remote_mark", "refresh_tokens.successor_hash", "passkeys.credential_id", "passkeys.public_key",
            "passkey_challenges.hash", "passkey_challenges.remote_mark",
            "recovery_codes.hash", "webhooks.hash", "api_tokens.hash",
            "phones.device_hash", "phone_pairings.code_hash", "phone_pairings.secret_hash",
            "phone_pairings.device_hash", "commands.idempotency_key", "commands.fingerprint", "guest_codes.hash", "guest_tokens.hash",
            "guest_tokens.device_id", "guest_tokens.public_key", "guest_passkeys.credential_id", "guest_passkeys.public_key",
            "phone_asks.phone", "audit.event", "audit.actor_sealed",
            "audit.subject_sealed",
            "audit.device", "audit.result", "audit.command", "audit.action", "audit_index.device", "audit_index.result",
            "audit_index.command", "audit_index.action", "audit_keys.subject", "tags.chip", "tag_counters.chip",
            "live_links.digest", "house.claim_hash", "kept_answers.key", "kept_answers.fingerprint", "house_keys.mark",
            "house_keys.wrapped", "erased_tokens.hash",
        ]
        let secrets = Set(DataInventory.policies.flatMap { holding in holding.secretColumns.map { "\(holding.table).\($0)" } })

        let personal = DataInventory.policies.flatMap { holding in holding.sealedColumns.map { "\(holding.table).\($0)" } }
        #expect(secrets.subtracting(others).union(personal) == Set(SealedColumns.all.map { "\($0.table).\($0.column)" }))
    }

    @Test("After a rotation the new key decrypts everything, the old key nothing, and marks still match")
    func rotation() async throws {
        try await HouseKeyFixture.open { kept in
            let first = try await kept.keys.open()
            try await live(kept.store, first.sealing, pictures: kept.folder.appending(path: "pictures"))
            for column in SealedColumns.all {
                let count = try await kept.store.read {
                    try Int.fetchOne($0, sql: "SELECT count(*) FROM \(column.table) WHERE \(column.isSealed)")
                }
                #expect(count ?? 0 > 0, "\(column.table).\(column.column)")
            }
            let triggers = try await kept.store.read {
                try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE type = 'trigger'")
            }
            #expect(try await kept.isWhole(with: first.sealing))

            let second = try await kept.keys.rotate(first)

            #expect(try await kept.isWhole(with: second.sealing))
            #expect(try await !Hub.opens(kept.store, with: first.sealing))
            #expect(constantTimeEquals(second.sealing.mark(Data("x".utf8)), first.sealing.mark(Data("x".utf8))))
            let lying = try KeyEncryptionKey(file: kept.file)
            #expect(lying?.mark == second.encryption.mark)
            #expect(second.encryption.mark != first.encryption.mark)
            #expect(try await kept.rows() == ["file"])
            #expect(try await kept.opensCompletely())
            let after = try await kept.store.read { try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE type = 'trigger'") }
            #expect(Set(after) == Set(triggers) && after.count == triggers.count)
            // The old key, restored, is another house's now.
            try PrivateFile(kept.file).replace(with: first.encryption.reveal())
            #expect(try await kept.problem { try await kept.keys.open() } == .wrongKey(.file, file: kept.file.path))
        }
    }

    @Test("A rotation interrupted before the new key file was in place completes at the next start")
    func brokenOff() async throws {
        try await HouseKeyFixture.open { kept in
            let first = try await kept.keys.open()
            let house = try await TestHouse.make(store: kept.store, sealing: first.sealing)
            _ = try await house.claim()
            let next = URL(filePath: kept.file.path + ".next")
            // No file replaces a folder.
            try FileManager.default.removeItem(at: kept.file)
            try FileManager.default.createDirectory(at: kept.file, withIntermediateDirectories: false)
            let reason = String(cString: strerror(EISDIR))
            #expect(try await kept.problem { try await kept.keys.rotate(first) } == .disk(kept.file.path, reason))
            try FileManager.default.removeItem(at: kept.file)
            try PrivateFile(kept.file).replace(with: first.encryption.reveal())

            // Two keys open the house; the prepared one is the newer.
            #expect(try await kept.rows() == ["file", "file"])
            let found = try await kept.keys.open(changing: false)
            #expect(found.encryption.mark != first.encryption.mark)
            #expect(FileManager.default.fileExists(atPath: next.path))
            #expect(try await kept.opensCompletely())

            let lying = try KeyEncryptionKey(file: kept.file)
            #expect(lying?.mark == found.encryption.mark)
            #expect(!FileManager.default.fileExists(atPath: next.path))
            #expect(try await kept.rows() == ["file"])
        }
    }

    @Test("A rotated key file keeps mode 0600 and belongs to the owner of the house's folder")
    func owner() async throws {
        try await HouseKeyFixture.open { kept in
            let first = try await kept.keys.open()
            // Only root can rotate the key of another user's house.
            let (owner, group): (uid_t, gid_t) = getuid() == 0 ? (65534, 65534) : (getuid(), getgid())
            #expect(lchown(kept.folder.path, owner, group) == 0)

            _ = try await kept.keys.rotate(first)

            let about = try FileManager.default.attributesOfItem(atPath: kept.file.path)
            #expect(about[.ownerAccountID] as? UInt == UInt(owner) && about[.groupOwnerAccountID] as? UInt == UInt(group))
            #expect(about[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("A rotation keeps the legacy or current generation of the audit signer")
    func age() async throws {
        try await HouseKeyFixture.open { kept in
            let first = try await kept.keys.open()
            _ = try await TestHouse.make(store: kept.store, sealing: first.sealing)
            let second = try await kept.keys.rotate(first)
            #expect(try await kept.store.read { try AuditSigner.generation(sealing: second.sealing, in: $0) } == .current)
            try await kept.store.write { db in
                let sealed = try #require(try Data.fetchOne(db, sql: "SELECT key FROM audit_signer"))
                let old = try second.sealing.seal(second.sealing.open(sealed, for: AuditSigner.sealingLabel), for: "audit_signer/1/key")
                try db.execute(sql: "UPDATE audit_signer SET key = ?", arguments: [old])
            }
            let third = try await kept.keys.rotate(second)
            #expect(try await kept.store.read { try AuditSigner.generation(sealing: third.sealing, in: $0) } == .legacy)
            #expect(try await kept.isWhole(with: third.sealing))
            _ = try await TestHouse.make(store: kept.store, sealing: third.sealing)
            #expect(try await kept.store.read { try AuditSigner.generation(sealing: third.sealing, in: $0) } == .current)
            #expect(try await kept.isWhole(with: third.sealing))
        }
    }

    // A rotation once sealed the same keys again: a person with a copy of the house could still read its audit log and sign tokens for
    // everyone.
    @Test("After a rotation old audit entries still decrypt, erasure destroys old and new keys, and old tokens are invalid")
    func newKeys() async throws {
        try await HouseKeyFixture.open { kept in
            let first = try await kept.keys.open()
            let house = try await TestHouse.make(store: kept.store, sealing: first.sealing)
            let (owner, tokens) = try await house.claim()
            let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
            let adaID = try #require(ada.personID)
            _ = try await house.guest(house.draft(), by: ada)
            let (old, count) = try await kept.store.read { db in
                (
                    try Int64.fetchSet(db, sql: "SELECT id FROM audit_keys WHERE purpose <> 'index'"),
                    try Int64.fetchOne(db, sql: "SELECT count(*) FROM audit") ?? 0
                )
            }

            let second = try await kept.keys.rotate(first)
            #expect(try await kept.opensCompletely(changing: false))
            let again = try await TestHouse.make(store: kept.store, sealing: second.sealing, clock: house.clock)
            _ = try await again.guest(again.draft(), by: ada)

            // The rotation's own entry is the last under the old keys.
            let used = try await kept.store.read { db in
                try Int64.fetchSet(
                    db,
                    sql: """
                        SELECT event_key FROM audit WHERE seq > :last UNION SELECT actor FROM audit WHERE seq > :last
                        UNION SELECT subject FROM audit WHERE seq > :last AND subject IS NOT NULL
                        """, arguments: ["last": count + 1])
            }
            #expect(used.count >= 2 && used.isDisjoint(with: old))
            #expect(try await again.auditNotes().count > Int(count) + 1)
            #expect(try await kept.isWhole(with: second.sealing))
            await #expect(throws: (any Error).self) { try await again.hub.sessions.authenticate(tokens.access) }
            let fresh = try await again.hub.sessions.refresh(tokens.refresh, origin: .house)
            #expect(try await again.hub.sessions.authenticate(fresh.access).personID == owner.personID)

            let keys = again.hub.activity.auditLogWriter.keys
            let theirs = try await kept.store.read { try keys.ids(of: "person:\(adaID)", in: $0) }
            _ = try await again.hub.jobs.erase(adaID, by: owner, origin: .house)
            try await again.hub.jobs.runAll()
            let standings = try await kept.store.read { try keys.statuses(of: Set(theirs), in: $0) }
            #expect(theirs.count == 2 && standings.count == 2)
            for (name, standing) in standings {
                guard case .destroyed = standing else {
                    Issue.record("key \(name) is still there")
                    continue
                }
            }
            #expect(try await kept.isWhole(with: second.sealing))
        }
    }

    @Test("One value that does not decrypt aborts the rotation without changes")
    func refused() async throws {
        try await HouseKeyFixture.open { kept in
            let first = try await kept.keys.open()
            let house = try await TestHouse.make(store: kept.store, sealing: first.sealing)
            _ = try await house.claim()
            try await kept.store.write { try $0.execute(sql: "UPDATE push_identity SET key = zeroblob(60)") }

            #expect(try await kept.problem { try await kept.keys.rotate(first) } == .doesNotOpen(table: "push_identity"))

            #expect(try await Hub.opens(kept.store, with: try await kept.keys.open().sealing))
            let lying = try KeyEncryptionKey(file: kept.file)
            #expect(lying?.mark == first.encryption.mark)
            #expect(try FileManager.default.contentsOfDirectory(atPath: kept.folder.path) == ["hub.key"])
        }
    }

    /// The reason why no backup of the house is made; nil if one is made without damage.
    private func refusal(of kept: HouseKeyFixture, _ house: TestHouse, by key: KeyEncryptionKey) async throws -> String? {
        let copy = kept.folder.appending(path: "copy.sqlite")
        try await kept.store.copy(to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        do {
            #expect(try await house.hub.backups.damage(inCopy: copy, openedBy: key) == nil)
            return nil
        } catch let problem as BackupRegistry.UnrestorableError { return problem.description }
    }

    // With a damaged row of the token signing key, the house's own key was called another house's, and a backup that no restore accepted
    // counted as good. One with a damaged notification key was restored, and no hub served it.
    @Test(
        "Damage that prevents serving is reported with its table, and a backup of that house is refused",
        arguments: [("signing_keys", "sealed"), ("push_identity", "key"), ("house_keys", "wrapped")])
    func unservable(_ table: String, _ column: String) async throws {
        try await HouseKeyFixture.open { kept in
            let paper = RecoveryKey()
            let opened = try await kept.keys.open()
            let house = try await kept.house(sealedBy: opened.sealing, and: paper)
            #expect(try await refusal(of: kept, house, by: opened.encryption) == nil)

            // The table of the house's keys also contains the recovery key's row.
            let rows = table == "house_keys" ? "place <> 'recovery'" : "1"
            try await kept.store.write { try $0.execute(sql: "UPDATE \(table) SET \(column) = zeroblob(60) WHERE \(rows)") }

            let words = try #require(try await refusal(of: kept, house, by: opened.encryption))
            #expect(words.contains("could not be restored") && words.contains(table), "\(words)")
            let told = try await kept.problem {
                try await TestHouse.make(store: kept.store, sealing: try await kept.keys.open(changing: false).sealing)
            }
            #expect(told == .doesNotOpen(table: table))
            let served = try await kept.problem { try await TestHouse.make(store: kept.store, sealing: opened.sealing) }
            #expect(served == (table == "house_keys" ? nil : .doesNotOpen(table: table)))
            // The recovery key opens the house's own key, and is not called another one.
            let recovered = try await kept.problem { try await kept.keys.recover(with: paper) }
            #expect(recovered == (table == "signing_keys" ? .doesNotOpen(table: table) : nil))
        }
    }

    @Test(
        "Backup is refused when the key in it would not open the house or an audit key does not decrypt",
        arguments: [("house_keys", "mark", 32), ("audit_keys", "wrapped", 60)])
    func unopened(_ table: String, _ column: String, _ bytes: Int) async throws {
        try await HouseKeyFixture.open { kept in
            let opened = try await kept.keys.open()
            let house = try await TestHouse.make(store: kept.store, sealing: opened.sealing)
            _ = try await house.claim()

            try await kept.store.write { db in
                try SealedColumns.withoutTriggers(of: table, in: db) {
                    try db.execute(sql: "UPDATE \(table) SET \(column) = zeroblob(\(bytes))")
                }
            }

            // The error names the damaged place: the house's own key was once called wrong.
            let words = try #require(try await refusal(of: kept, house, by: opened.encryption))
            #expect(words.contains("could not be restored") && words.contains("in \(table) was changed"), "\(words)")
        }
    }

    // MARK: Moving

    @Test("The key moves to a keyring and back, verified before the old copy is removed, and rotates in the keyring")
    func keyring() async throws {
        try await HouseKeyFixture.open { kept in
            let first = try await kept.keys.open()
            _ = try await TestHouse.make(store: kept.store, sealing: first.sealing)
            #expect(try await kept.problem { try await kept.keys.move(first, to: .file) } == .alreadyThere(.file))
            for place in [KeyLocation.secretService, .credential] {
                #expect(try await kept.problem { try await kept.keys.move(first, to: place) } == .cannotWrite(place))
            }
            let keyring = SealedFileStore(folder: kept.folder.appending(path: "keyring"), environment: [:], keyringName: "none")
            let desktop = kept.with { $0.keyring = keyring }

            let moved = try await desktop.keys.move(first, to: .secretService)
            #expect(moved.protection.isFull && !FileManager.default.fileExists(atPath: kept.file.path))
            // Its location is recorded, and need not be given.
            let rotated = try await desktop.keys.rotate(try await desktop.keys.open())
            #expect(rotated.location == .secretService && rotated.encryption.mark != first.encryption.mark)
            let found = try await desktop.keys.open()
            #expect(try await desktop.isWhole(with: found.sealing))

            let back = try await desktop.keys.move(found, to: .file)
            #expect(back.location == .file && !back.protection.isFull)
            #expect(try await kept.opensCompletely())
            let moves = [KeyLocation.secretService, .file].map { "house_key.move done \($0.auditReason.rawValue)" }
            #expect(try await kept.auditActions(sealedBy: back.sealing) == [moves[0], "house_key.rotate done", moves[1]])
        }
    }

    @Test("The credential's sealing is recorded and reported, and the old key works until systemd provides the new one")
    func sealed() async throws {
        try await HouseKeyFixture.open { kept in
            let first = try await kept.keys.open()
            _ = try await TestHouse.make(store: kept.store, sealing: first.sealing)
            let file = ScriptedCredentialFile(in: kept.folder, sealedBy: .both)
            let kept = kept.with { $0.credentialFile = file }

            // Another house's key under the same name was once overwritten, and that house was lost.
            let strange = try KeyEncryptionKey.random().reveal()
            file.write(strange)
            #expect(try await kept.problem { try await kept.keys.move(first, to: .credential) } == .occupied(file.path))
            #expect(try await file.open() == strange)
            file.write(Data("cut off".utf8))
            #expect(try await kept.problem { try await kept.keys.move(first, to: .credential) } == .occupied(file.path))
            try file.remove()
            let moved = try await kept.keys.move(first, to: .credential)
            #expect(moved.protection.isFull && !FileManager.default.fileExists(atPath: kept.file.path))
            let old = try await kept.keys.open(changing: false)
            #expect(old.protection == moved.protection)

            let rotated = try await kept.keys.rotate(old)
            #expect(try await kept.rows() == ["credential", "credential"])
            // The hub was started with the earlier systemd credential.
            file.write(old.encryption.reveal())
            let late = try await kept.keys.open()
            #expect(try await kept.isWhole(with: late.sealing))
            #expect(try await kept.rows() == ["credential", "credential"])
            file.write(rotated.encryption.reveal())
            #expect(try await kept.keys.open().protection.isFull)
            #expect(try await kept.rows() == ["credential"])
        }
    }

    @Test("A keyring that does not return the stored key aborts the move, and the key file stays")
    func forgetful() async throws {
        try await HouseKeyFixture.open { kept in
            let first = try await kept.keys.open()
            _ = try await TestHouse.make(store: kept.store, sealing: first.sealing)

            let empty = kept.with { $0.keyring = ForgetfulKeyring(answer: nil) }
            let missing = try await kept.problem { try await empty.keys.move(first, to: .secretService) }
            #expect(missing == .missing(.secretService, file: kept.file.path))
            let mistaken = kept.with { $0.keyring = ForgetfulKeyring(answer: Secret("this is no key")) }
            await #expect(throws: KeyFileError.wrongLength(0)) { try await mistaken.keys.move(first, to: .secretService) }

            #expect(try await kept.opensCompletely())
            #expect(try await kept.rows() == ["file"])
        }
    }

    @Test("Moving the key again removes a copy beside the data, and the sealing is recorded only for the credential")
    func movedAgain() async throws {
        try await HouseKeyFixture.open { kept in
            let credential = ScriptedCredentialFile(in: kept.folder, sealedBy: .both)
            let kept = kept.with { $0.credentialFile = credential }
            let first = try await kept.keys.open()
            _ = try await TestHouse.make(store: kept.store, sealing: first.sealing)
            _ = try await kept.keys.move(first, to: .credential)

            try PrivateFile(kept.file).replace(with: first.encryption.reveal())
            let beside = try await kept.keys.open()
            #expect(beside.protection == KeyProtection(location: .credential, sealedBy: .both, isBesideData: true))
            let again = try await kept.keys.move(beside, to: .credential)
            #expect(again.protection == KeyProtection(location: .credential, sealedBy: .both, isBesideData: false))
            #expect(!FileManager.default.fileExists(atPath: kept.file.path))

            let back = try await kept.keys.move(again, to: .file)
            #expect(back.location == .file && !FileManager.default.fileExists(atPath: credential.path))

            // It was written to the file by hand, while the house had it as a credential.
            _ = try await kept.keys.move(back, to: .credential)
            try PrivateFile(kept.file).replace(with: first.encryption.reveal())
            try credential.remove()
            let found = try await kept.keys.open()
            #expect(found.protection == KeyProtection(location: .file, sealedBy: nil, isBesideData: true))
            #expect(try await kept.rows() == ["file"])
        }
    }

    @Test(
        "Key protection is described by location and sealing",
        arguments: [
            (KeyProtection(location: .file, sealedBy: nil, isBesideData: true), false, "hub.key"),
            (KeyProtection(location: .file, sealedBy: nil, isBesideData: false), false, "hub.key"),
            (KeyProtection(location: .credential, sealedBy: .tpm2, isBesideData: false), true, "TPM"),
            (KeyProtection(location: .credential, sealedBy: .both, isBesideData: true), false, "also in hub.key"),
            (KeyProtection(location: .credential, sealedBy: .host, isBesideData: false), false, "whole disk"),
            (KeyProtection(location: .secretService, sealedBy: nil, isBesideData: false), true, "keyring"),
        ])
    func words(_ protection: KeyProtection, _ isFull: Bool, _ word: String) {
        #expect(protection.isFull == isFull && protection.text.contains(word))
        #expect(protection.level == (isFull ? "full" : "reduced"))
    }
}

/// A keyring that accepts every write, and then has another value, or none.
private struct ForgetfulKeyring: SecretStore {
    let answer: Secret?

    var protection: ProtectionLevel { .full }
    func save(_ secret: Secret, as name: String, for use: SecretAvailability) async throws(SecretStoreError) {}
    func load(_ name: String) async throws(SecretStoreError) -> Secret {
        guard let answer else { throw .notFound(name: name) }
        return answer
    }
    func delete(_ name: String) async throws(SecretStoreError) {}
}
