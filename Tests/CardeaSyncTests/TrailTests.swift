import CardeaAPI
import CardeaClient
import CardeaHTTP
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaSync
import CardeaTestSupport
import Foundation
import GRDB
import Hummingbird
import HummingbirdTesting
import Testing

@Suite("A device keeps what it saw signed, and says loudly when the house's record is another", .timeLimit(.minutes(5)))
struct TrailTests {
    /// The phone of whoever runs the house, which has seen the record, and grown with it.
    private func watching(_ house: TestHouse, _ line: any TestClientProtocol) async throws -> Phone {
        let phone = try await Phone.signedIn(to: house, over: line)
        try await house.hub.notary.sign(at: house.clock.now)
        #expect(try await phone.replica.trail() == nil)
        let first = try #require(try await phone.replica.checkTrail())
        #expect(first.alarm == nil && first.since == house.clock.now)
        try await grow(house)
        let grown = try #require(try await phone.replica.checkTrail())
        #expect(grown.alarm == nil && grown.size > first.size && grown.since == first.since && grown.key == first.key)
        #expect(try await phone.replica.trail() == grown)
        return phone
    }

    private func grow(_ house: TestHouse, by count: Int = 1) async throws {
        house.clock.advance(by: 61)
        let now = house.clock.now
        try await house.store.write { db in
            for _ in 0..<count { try db.leave(AuditNote(at: now, kind: "system", id: nil, action: "test", result: "done")) }
        }
        try await house.hub.notary.sign(at: now)
    }

    /// Changes the house's file as somebody does who can write it, with its triggers out of the way.
    private func tamper(_ house: TestHouse, _ sql: String) async throws {
        try await house.store.write { db in
            for name in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'audit_*'") {
                try db.execute(sql: "DROP TRIGGER \(name)")
            }
            try db.execute(sql: sql)
        }
    }

    /// The hub starts again on the file as it was left, and the phone finds it.
    private func startAgain(_ house: TestHouse, _ phone: Phone, _ body: @Sendable (TestHouse) async throws -> Void) async throws {
        let again = try await TestHouse.make(store: house.store, sealing: house.sealing, clock: house.clock)
        let application = again.door.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
        try await application.test(.router) { client in
            phone.tunnel.leads(to: RouterTransport(client))
            try await body(again)
        }
    }

    @Test("A record that was cut, as by a backup that was put back, is told of, again and again, until somebody accepts it")
    func putBack() async throws {
        try await withHouse { house, line in
            let phone = try await watching(house, line)
            let seen = try #require(try await phone.replica.trail())
            let cut = seen.size - 2
            try await tamper(house, "DELETE FROM audit WHERE seq > \(cut); DELETE FROM audit_checkpoints WHERE size > \(cut)")
            try await startAgain(house, phone) { again in
                try await again.hub.notary.sign(at: again.clock.now)
                #expect(try await phone.replica.checkTrail()?.alarm == .truncated)
                // It does not go away when the record has grown past it.
                try await grow(again, by: 10)
                #expect(try await phone.replica.checkTrail()?.alarm == .truncated)
                #expect(try await phone.replica.trail()?.size == seen.size)
                let accepted = try #require(try await phone.replica.acceptTrail())
                #expect(accepted.alarm == nil && accepted.size > seen.size)
                #expect(try await phone.replica.checkTrail()?.alarm == nil)
            }
        }
    }

    @Test("A record that was put back and has grown another way since is told of")
    func forked() async throws {
        try await withHouse { house, line in
            let phone = try await watching(house, line)
            let seen = try #require(try await phone.replica.trail())
            try await tamper(
                house, "DELETE FROM audit WHERE seq > \(seen.size - 1); DELETE FROM audit_checkpoints WHERE size >= \(seen.size)")
            try await startAgain(house, phone) { again in
                try await grow(again, by: 3)
                #expect(try await phone.replica.checkTrail()?.alarm == .forked)
            }
        }
    }

    @Test("A house that signs with another key is told of")
    func otherKey() async throws {
        try await withHouse { house, line in
            let phone = try await watching(house, line)
            try await tamper(house, "DELETE FROM audit_signer; DELETE FROM audit_checkpoints; DELETE FROM audit_segments")
            try await startAgain(house, phone) { again in
                try await again.hub.notary.sign(at: again.clock.now)
                let report = try await phone.replica.checkTrail()
                #expect(report?.alarm == .otherKey)
            }
        }
    }

    @Test("After ninety days what was seen last is gone; the whole segments before it still prove the rest")
    func dropped() async throws {
        try await withHouse { house, line in
            let phone = try await watching(house, line)
            try await grow(house, by: 300)
            #expect(try await phone.replica.checkTrail()?.alarm == nil)
            try await grow(house, by: 300)
            try await grow(house)
            let seen = try #require(try await phone.replica.trail())
            #expect(seen.size > 256 && seen.size % 256 != 0)
            #expect(try await house.hub.notary.drop(before: house.clock.now) > seen.size)
            let report = try #require(try await phone.replica.checkTrail())
            #expect(report.alarm == nil && report.size > seen.size)
        }
    }

    @Test("Whose it is not asks for it no more than once a day, and the house is asked no more often than it signs")
    func asked() async throws {
        try await withHouse { house, line in
            let owner = try await watching(house, line)
            func asked(_ phone: Phone) -> Int { phone.tunnel.asked.count { $0.hasSuffix("/audit/checkpoint") } }
            let before = asked(owner)
            for _ in 0..<3 { _ = try await owner.replica.checkTrail(ifOlderThan: 60) }
            #expect(asked(owner) == before)
            house.clock.advance(by: 61)
            _ = try await owner.replica.checkTrail(ifOlderThan: 60)
            #expect(asked(owner) == before + 1)
        }
    }

    @Test("Whom it is not for asks nothing that would be refused, and is told nothing")
    func members() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            _ = try await house.resident("member", role: "member", by: owner)
            try await house.hub.notary.sign(at: house.clock.now)
            let application = house.door.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
            try await application.test(.router) { line in
                let phone = try await Phone.signedIn("member", to: house, over: line)
                for _ in 0..<3 { #expect(try await phone.replica.checkTrail(ifOlderThan: 60) == nil) }
                #expect(phone.tunnel.asked.count { $0.hasSuffix("/people/me") } == 1)
                #expect(!phone.tunnel.asked.contains { $0.hasSuffix("/audit/checkpoint") })
            }
        }
    }

    @Test("A house that has signed nothing yet has nothing to be held against; one that shows what it has not signed is no house's")
    func first() async throws {
        try await withHouse { house, line in
            let phone = try await Phone.signedIn(to: house, over: line)
            #expect(try await phone.replica.checkTrail() == nil)
            try await house.hub.notary.sign(at: house.clock.now)
            try await tamper(house, "UPDATE audit_checkpoints SET signature = randomblob(64)")
            await #expect(throws: ClientError.self) { try await phone.replica.checkTrail() }
        }
    }
}
