import CardeaAPI
import CardeaClient
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import HummingbirdTesting
import Testing

@testable import CardeaSync

@Suite("Erasure of a person from replicas", .timeLimit(.minutes(5)))
struct ReplicaErasureTests {
    /// Words that occur only in the erased person's data.
    private static let words = ["zuleika", "Visitor of the canary"]

    /// A household of three, each with a phone that keeps the house in its own file.
    private struct Household: Sendable {
        let house: TestHouse
        let owner, ben, zuleika: TestPhone
        let folder: URL

        func file(_ name: String) -> URL { folder.appending(path: name).appending(path: "house.sqlite") }

        /// The bytes of all files of a phone's replica.
        func bytes(_ name: String) throws -> Data {
            try ["", "-wal"].reduce(Data()) { bytes, part in
                let path = file(name).path + part
                return FileManager.default.fileExists(atPath: path) ? bytes + (try Data(contentsOf: URL(filePath: path))) : bytes
            }
        }

        /// The beginnings of the sealed values on a phone, by which they are found in the files.
        func sealed(_ replica: Replica) async throws -> [Data] {
            try await replica.store.read { db in
                let kinds = ["guest", "activity", "event", "memory"].map { "'\($0)'" }.joined(separator: ", ")
                return try Data.fetchAll(
                    db,
                    sql: """
                        SELECT sealed FROM documents WHERE kind IN (\(kinds)) UNION ALL SELECT sealed FROM answers
                        UNION ALL SELECT sealed FROM pictures UNION ALL SELECT sealed FROM outbox
                        """
                ).map { $0.prefix(24) }
            }
        }

        /// Everything that a phone can still show, decrypted.
        func text(_ replica: Replica) async throws -> String {
            let sealing = await replica.store.sealing
            let outbox = await replica.outbox
            return try await replica.store.read { db in
                var text = ""
                for kind in ReplicaDocumentKind.allCases {
                    let cursor = try ReplicaDocumentTable(sealing: sealing).all(kind, in: db)
                    while let document = try cursor.next() { text += String(decoding: document.json, as: UTF8.self) }
                }
                for row in try Row.fetchAll(db, sql: "SELECT mark, sealed FROM answers") {
                    let mark: Data = row[0]
                    text += String(decoding: try sealing.open(row[1], for: "answers/\(mark.base64EncodedString())"), as: UTF8.self)
                }
                for entry in try outbox.all(in: db) { text += String(decoding: try JSONEncoder().encode(entry.operation), as: UTF8.self) }
                return text
            }
        }

        func receipt(_ job: JobAnswer) async throws -> JobAnswer.Receipt {
            try #require(try await owner.client.privacy.job(job.jobID).receipt)
        }
    }

    private func withHousehold(_ body: @escaping @Sendable (Household) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-erasure-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withPictureHouse { house, line in
            func phone(_ name: String) async throws -> TestPhone {
                try await TestPhone.signedIn(
                    name, to: house, over: line, file: folder.appending(path: name).appending(path: "house.sqlite"))
            }
            let owner = try await phone("owner")
            for name in ["ben", "zuleika"] { _ = try await house.resident(name, role: "admin", by: try await principal(owner)) }
            try await body(
                Household(
                    house: house, owner: owner, ben: try await phone("ben"), zuleika: try await phone("zuleika"), folder: folder))
        }
    }

    /// The principal of the person signed in on a phone, as the hub knows them.
    private func principal(_ phone: TestPhone) async throws -> Principal {
        let session = try #require(try await phone.client.sessions.open().first { $0.current })
        return .person(id: try await phone.client.people.me().personID, sessionID: session.sessionID)
    }

    /// She invites a guest and opens the door; the others read all of it.
    private func live(_ all: Household) async throws -> (guestID: String, personID: String) {
        let made = try await all.zuleika.client.guests.invite(
            InviteGuestBody(
                name: "Visitor of the canary", grants: [GrantBody(deviceID: "front-door", actions: ["door.open"])],
                expiresAt: all.house.clock.now.addingTimeInterval(60 * 86_400), maxUses: 0))
        _ = try await all.zuleika.client.devices.control(DeviceCommand("hall-light", "on"))
        let event = try await all.owner.recordEvent("person")
        for phone in [all.owner, all.ben, all.zuleika] {
            #expect(try await phone.replica.sync().stopped == nil)
            _ = try await phone.replica.answer(.people)
            _ = try await phone.replica.answer(.guest(made.guestID))
            _ = try await phone.replica.thumbnail(of: event)
        }
        return (made.guestID, try await all.zuleika.client.people.me().personID)
    }

    private func erase(_ id: String, in all: Household) async throws -> JobAnswer {
        let job = try await all.owner.client.privacy.erase(id)
        try await all.house.hub.jobs.runAll()
        return job
    }

    @Test(
        "Two residents' replicas erase a person, one after two weeks offline; the person's own keeps nothing; the receipt counts all"
    )
    func letGo() async throws {
        try await withHousehold { all in
            let (guestID, personID) = try await live(all)
            // An entry in a phone's outbox names her guest.
            all.ben.transport.setCondition(.unreachable)
            guard case .queued = try await all.ben.replica.withdraw(.suspend, guestID: guestID) else { throw CancellationError() }
            var kept: [String: [Data]] = [:]
            for (name, phone) in [("owner", all.owner), ("ben", all.ben), ("zuleika", all.zuleika)] {
                let (sealed, bytes) = (try await all.sealed(phone.replica), try all.bytes(name))
                #expect(sealed.count > 3 && sealed.allSatisfy { bytes.range(of: $0) != nil }, "\(name)")
                let text = try await all.text(phone.replica)
                #expect(Self.words.allSatisfy { text.contains($0) }, "\(name)")
                kept[name] = sealed
            }

            let job = try await erase(personID, in: all)
            let told = try #require(try await all.receipt(job).replicas)
            #expect((told.told, told.confirmed, told.owing, told.own) == (2, 0, 2, 1))
            #expect(try await all.owner.replica.sync().stopped == nil)
            let half = try await all.receipt(job)
            #expect((half.replicas?.told, half.replicas?.confirmed, half.replicas?.owing) == (2, 1, 1))
            #expect(half.kept.contains { $0.contains("2 were notified, 1 have confirmed the deletion, 1 have not confirmed yet") })
            #expect(half.kept.contains { $0.contains("own devices with a copy: 1.") })

            all.house.clock.advance(by: 14 * 86_400)
            try await all.house.hub.clock.trust(at: all.house.clock.now)
            #expect(try await all.ben.replica.sync().stopped == .noConnection(host: "localhost"))
            all.ben.transport.setCondition(.clear)
            let report = try await all.ben.replica.sync()
            #expect(report.stopped == nil && report.waiting == 0 && report.ended == 0)
            _ = try await all.owner.client.sessions.stepUp(password: TestHouse.password)
            let whole = try #require(try await all.receipt(job).replicas)
            #expect((whole.told, whole.confirmed, whole.owing) == (2, 2, 0))

            let last = try await all.zuleika.replica.sync()
            #expect(last.stopped?.isPersonErased == true)
            #expect(try await !all.zuleika.client.sessions.isSignedIn())
            #expect(try await all.zuleika.replica.sync().stopped == .unauthorized)
            #expect(try await all.zuleika.replica.devices().value.isEmpty)

            for (name, phone) in [("owner", all.owner), ("ben", all.ben), ("zuleika", all.zuleika)] {
                let (bytes, text) = (try all.bytes(name), try await all.text(phone.replica))
                for blob in kept[name] ?? [] { #expect(bytes.range(of: blob) == nil, "\(name)") }
                for word in Self.words + [personID] { #expect(!text.contains(word), "\(word) on the phone of \(name)") }
                for word in Self.words + [personID] { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in the files of \(name)") }
            }
            #expect(try await all.owner.replica.devices().value.count == 4)
        }
    }

    @Test("A replica older than the journal learns of an erasure before it fetches everything")
    func tooLongAway() async throws {
        try await withHousehold { all in
            let (_, personID) = try await live(all)
            let job = try await erase(personID, in: all)
            try await all.house.doorBackend.report("unlocked", at: "lock.back_door")
            try await all.house.store.write { db in
                try db.execute(sql: "DELETE FROM journal WHERE seq < (SELECT max(seq) FROM journal)")
            }
            for phone in [all.owner, all.ben] {
                let report = try await phone.replica.sync()
                #expect(report.isFullSync && report.stopped == nil)
                let text = try await all.text(phone.replica)
                for word in Self.words + [personID] { #expect(!text.contains(word), "\(word)") }
            }
            #expect(try await all.receipt(job).replicas?.confirmed == 2)
        }
    }

    @Test("A confirmation with a lost answer is repeated and counted once, and the erasure runs once")
    func again() async throws {
        try await withHousehold { all in
            let (_, personID) = try await live(all)
            let job = try await erase(personID, in: all)
            all.owner.transport.setCondition(.dropsResponses, only: [.post])
            #expect(try await all.owner.replica.sync().stopped != nil)
            #expect(try await all.owner.replica.sync().stopped != nil)
            all.owner.transport.setCondition(.clear)
            #expect(try await all.owner.replica.sync().stopped == nil)
            let confirmations = { all.owner.transport.requests.count { $0 == "POST /api/v1/erasures" } }
            let before = confirmations()

            // Also with the daily full sync, and after a restart of the program.
            let restarted = try all.owner.restarted()
            all.house.clock.advance(by: 25 * 3600)
            try await all.house.hub.clock.trust(at: all.house.clock.now)
            _ = try await restarted.replica.answer(.people)
            let (erasures, report) = (try await count(restarted.replica), try await restarted.replica.sync())

            #expect(report.isFullSync && report.stopped == nil)
            #expect(try await count(restarted.replica) == erasures)
            #expect(confirmations() == before + 1, "that a copy is kept here, and no more")
            _ = try await all.owner.client.sessions.stepUp(password: TestHouse.password)
            let told = try #require(try await all.receipt(job).replicas)
            #expect((told.told, told.confirmed, told.owing) == (2, 1, 1))
        }
    }

    private func count(_ replica: Replica) async throws -> Int { try await replica.store.read { try ReplicaErasure.count(in: $0) } }

    @Test("An answer in progress during an erasure is shown and not cached")
    func underWay() async throws {
        try await withHousehold { all in
            let (_, personID) = try await live(all)
            let replica = all.ben.replica
            let people = CacheableQuery<PeopleAnswer>("asked before", priority: .high) { client, _ in
                let answer = try await client.people.list()
                _ = try await self.erase(personID, in: all)
                _ = try await replica.sync()
                return answer
            }
            #expect(try await replica.answer(people).value.people.contains { $0.personID == personID })
            let text = try await all.text(replica)
            for word in Self.words { #expect(!text.contains(word)) }
            all.ben.transport.setCondition(.unreachable)
            await #expect(throws: ClientError.noConnection(host: "localhost")) { try await replica.answer(people) }
        }
    }

    @Test("After a crash between erasing data and token, the person's replica repeats the request and is erased")
    func killed() async throws {
        try await withHousehold { all in
            let (_, personID) = try await live(all)
            all.zuleika.transport.setCondition(.unreachable)
            _ = try await all.zuleika.replica.remember(RememberBody(content: "mine alone"))
            _ = try await erase(personID, in: all)
            all.zuleika.transport.setCondition(.clear)
            try await all.zuleika.replica.store.write { try ReplicaErasure.eraseEverything(in: $0) }

            let after = try all.zuleika.restarted()
            #expect(try await after.replica.sync().stopped?.isPersonErased == true)
            #expect(try await !after.client.sessions.isSignedIn())
            #expect(try await after.replica.outboxEntries().isEmpty)
        }
    }

    @Test("A signed-out replica keeps its data")
    func onlySignedOut() async throws {
        try await withHousehold { all in
            _ = try await live(all)
            let ben = try await all.ben.client.people.me().personID
            _ = try await all.house.hub.sessions.endAll(of: ben, by: try await principal(all.owner), origin: .house)
            #expect(try await all.ben.replica.sync().stopped == .unauthorized)
            #expect(try await all.ben.replica.devices().value.count == 4)
        }
    }
}
