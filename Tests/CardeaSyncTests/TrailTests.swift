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
        try await house.growRecord()
        let grown = try #require(try await phone.replica.checkTrail())
        #expect(grown.alarm == nil && grown.size > first.size && grown.since == first.since && grown.key == first.key)
        #expect(try await phone.replica.trail() == grown)
        return phone
    }

    @Test("A record that was cut, as by a backup that was put back, is told of, again and again, until somebody accepts it")
    func putBack() async throws {
        try await withHouse { house, line in
            let phone = try await watching(house, line)
            let seen = try #require(try await phone.replica.trail())
            try await house.cutRecord(after: seen.size - 2)
            try await house.startAgain(phone) { again in
                try await again.hub.notary.sign(at: again.clock.now)
                #expect(try await phone.replica.checkTrail()?.alarm == .truncated)
                // It does not go away when the record has grown past it.
                try await again.growRecord(by: 10)
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
            try await house.cutRecord(after: seen.size - 1)
            try await house.startAgain(phone) { again in
                try await again.growRecord(by: 3)
                #expect(try await phone.replica.checkTrail()?.alarm == .forked)
            }
        }
    }

    @Test("A house that signs with another key is told of")
    func otherKey() async throws {
        try await withHouse { house, line in
            let phone = try await watching(house, line)
            try await house.tamper("DELETE FROM audit_signer; DELETE FROM audit_checkpoints; DELETE FROM audit_segments")
            try await house.startAgain(phone) { again in
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
            try await house.growRecord(by: 300)
            #expect(try await phone.replica.checkTrail()?.alarm == nil)
            try await house.growRecord(by: 300)
            try await house.growRecord()
            let seen = try #require(try await phone.replica.trail())
            #expect(seen.size > 256 && seen.size % 256 != 0)
            #expect(try await house.hub.notary.drop(before: house.clock.now) > seen.size)
            let report = try #require(try await phone.replica.checkTrail())
            #expect(report.alarm == nil && report.size > seen.size)
        }
    }

    /// A house that looks at its record when it is told to, since its services do not run, and has more than a segment of it; and a phone that has
    /// seen its beginning.
    private func withLongRecord(_ body: @escaping @Sendable (TestHouse, Phone) async throws -> Void) async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        let application = house.door.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
        try await application.test(.router) { line in
            let phone = try await watching(house, line)
            try await house.growRecord(by: 300)
            try await body(house, phone)
        }
    }

    @Test("What the house itself finds changed in its record is told of until it finds it whole: no root that was signed says so")
    func altered() async throws {
        try await withLongRecord { house, phone in
            let unseen = try #require(try await phone.replica.checkTrail())
            #expect(unseen.brokenAt == nil && unseen.problem == nil)
            #expect(try await phone.client.audit.checkpoint().verifiedAt == nil)
            try await house.hub.auditWatch.look()
            #expect(try await phone.client.audit.checkpoint().verifiedAt == house.clock.now)

            try await house.tamper("UPDATE audit SET result = result + 1 WHERE seq = 17")
            let unnoticed = try #require(try await phone.replica.checkTrail())
            #expect(unnoticed.alarm == nil && unnoticed.problem == nil)
            house.clock.advance(by: 61)
            try await house.hub.auditWatch.look()
            let answer = try await phone.client.audit.checkpoint()
            #expect(answer.verifiedAt == house.clock.now && answer.brokenAt == 17)
            let report = try #require(try await phone.replica.checkTrail())
            #expect(report.alarm == nil && report.brokenAt == 17 && report.problem == answer.problem)
            #expect(report.problem == "Entry 17 of the audit trail is filed under something that it is not about.")
            #expect(try await phone.replica.trail() == report)
            #expect(try await phone.replica.acceptTrail()?.brokenAt == 17)

            try await house.store.write { try $0.execute(sql: "UPDATE audit SET result = result - 1 WHERE seq = 17") }
            try await house.hub.auditWatch.look()
            let whole = try #require(try await phone.replica.checkTrail())
            #expect(whole.alarm == nil && whole.brokenAt == nil && whole.problem == nil)
        }
    }

    @Test("What the house found changed is told of on, also by a house that has started since and has not looked yet")
    func notLookedYet() async throws {
        try await withLongRecord { house, phone in
            try await house.tamper("UPDATE audit SET result = result + 1 WHERE seq = 17")
            try await house.hub.auditWatch.look()
            let found = try #require(try await phone.replica.checkTrail())
            #expect(found.brokenAt == 17 && found.problem != nil)

            try await house.tamper("UPDATE audit SET result = result - 1 WHERE seq = 17")
            try await house.startAgain(phone) { again in
                #expect(try await phone.client.audit.checkpoint().verifiedAt == nil)
                let kept = try #require(try await phone.replica.checkTrail())
                #expect(kept.brokenAt == 17 && kept.problem == found.problem)
                #expect(try await phone.replica.acceptTrail()?.brokenAt == 17)
                try await again.hub.auditWatch.look()
                let whole = try #require(try await phone.replica.checkTrail())
                #expect(whole.alarm == nil && whole.brokenAt == nil && whole.problem == nil)
            }
        }
    }

    @Test("What is accepted was shown first: while the house cannot be asked, or shows nothing, the alarm stays, and what was seen with it")
    func acceptedOnlyAsShown() async throws {
        try await withHouse { house, line in
            let phone = try await watching(house, line)
            let seen = try #require(try await phone.replica.trail())
            try await house.cutRecord(after: seen.size - 2)
            try await house.startAgain(phone) { again in
                try await again.hub.notary.sign(at: again.clock.now)
                let alarmed = try #require(try await phone.replica.checkTrail())
                #expect(alarmed.alarm == .truncated)
                phone.tunnel.turn(.closed)
                await #expect(throws: ClientError.noConnection(host: "localhost")) { try await phone.replica.acceptTrail() }
                #expect(try await phone.replica.trail() == alarmed)
                phone.tunnel.turn(.hides("/audit/checkpoint"))
                let hidden = try #require(try await phone.replica.acceptTrail())
                #expect(hidden.alarm == .truncated && hidden.withheldSince == again.clock.now)
                #expect(try await phone.replica.trail() == alarmed)
                phone.tunnel.turn(.clear)
                try await again.growRecord()
                let accepted = try #require(try await phone.replica.acceptTrail())
                #expect(accepted.alarm == nil && accepted.withheldSince == nil && accepted.note != alarmed.note)
                #expect(try await phone.replica.trail() == accepted)
            }
        }
    }

    @Test("What the house does not show any more was not looked at, which is said with what was seen until it shows it again")
    func withheld() async throws {
        try await withHouse { house, line in
            let phone = try await watching(house, line)
            let seen = try #require(try await phone.replica.trail())
            #expect(seen.withheldSince == nil)
            house.clock.advance(by: 61)
            let since = house.clock.now
            phone.tunnel.turn(.hides("/audit/checkpoint"))
            for _ in 0..<2 {
                let report = try #require(try await phone.replica.checkTrail())
                #expect(report.alarm == nil && report.note == seen.note && report.withheldSince == since)
                house.clock.advance(by: 61)
            }
            #expect(try await phone.replica.trail()?.withheldSince == since)
            phone.tunnel.turn(.clear)
            #expect(try await phone.replica.checkTrail(ifOlderThan: 3600)?.withheldSince == since, "it was not asked again")
            try await house.growRecord()
            let shown = try #require(try await phone.replica.checkTrail())
            #expect(shown.alarm == nil && shown.withheldSince == nil && shown.size > seen.size && shown.since == seen.since)
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
            try await house.tamper("UPDATE audit_checkpoints SET signature = randomblob(64)")
            await #expect(throws: ClientError.self) { try await phone.replica.checkTrail() }
        }
    }

    // MARK: With a look at the house

    private func looks(_ phone: Phone) -> Int { phone.tunnel.asked.count { $0.hasSuffix("/audit/checkpoint") } }

    @Test(
        "Looking at the house, a phone looks at its record too: one that only grew is no alarm, one that was put back is, also in a tunnel")
    func withTheHouse() async throws {
        try await withHouse { house, line in
            let phone = try await Phone.signedIn(to: house, over: line, clock: ManualClock(house.clock.now))
            try await house.hub.notary.sign(at: house.clock.now)
            let first = try #require(try await phone.replica.sync().trail)
            #expect(first.alarm == nil && first.size > 0)
            try await house.growRecord(by: 3)
            phone.clock.advance(by: 3601)
            let report = try await phone.replica.sync()
            let grown = try #require(report.trail)
            #expect(report.stopped == nil && report.trailProblem == nil)
            #expect(grown.alarm == nil && grown.size > first.size && grown.since == first.since)

            try await house.cutRecord(after: grown.size - 2)
            try await house.startAgain(phone) { again in
                try await again.hub.notary.sign(at: again.clock.now)
                #expect(try await phone.replica.sync().trail?.alarm == nil, "not within the hour")
                phone.clock.advance(by: 3601)
                let told = try await phone.replica.sync()
                #expect(told.stopped == nil && told.trail?.alarm == .truncated && told.trail?.size == grown.size)
                phone.tunnel.turn(.closed)
                #expect(try await phone.replica.sync().trail?.alarm == .truncated)
                phone.tunnel.turn(.clear)
                #expect(try await phone.replica.acceptTrail()?.alarm == nil)
                let accepted = try await phone.replica.sync()
                #expect(accepted.trail != nil && accepted.trail?.alarm == nil)
            }
        }
    }

    @Test("Within the hour the record is not looked at again, also by a program that was killed meanwhile")
    func withinTheHour() async throws {
        try await withFile { file in
            try await withHouse { house, line in
                let phone = try await Phone.signedIn(to: house, over: line, file: file)
                try await house.hub.notary.sign(at: house.clock.now)
                for _ in 0..<3 { #expect(try await phone.replica.sync().trail != nil) }
                #expect(looks(phone) == 1)
                house.clock.advance(by: 3590)
                let restarted = try phone.restarted()
                #expect(try await restarted.replica.sync().trail != nil)
                #expect(looks(phone) == 1)
                house.clock.advance(by: 11)
                #expect(try await restarted.replica.sync().stopped == nil)
                #expect(looks(phone) == 2)
            }
        }
    }

    @Test("A record that could not be looked at stops no look at the house, and is looked at some minutes later")
    func notNow() async throws {
        try await withHouse { house, line in
            let phone = try await Phone.signedIn(to: house, over: line)
            try await house.hub.notary.sign(at: house.clock.now)
            phone.tunnel.turn(.losesAnswersOf("/audit/checkpoint"))
            // The client itself asks some times before it gives up.
            var asked: [Int] = []
            for _ in 0..<3 {
                let report = try await phone.replica.sync()
                #expect(report.stopped == nil && report.levelAt == house.clock.now)
                #expect(report.trail == nil && report.trailProblem == .interrupted(host: "localhost"))
                asked.append(looks(phone))
            }
            #expect(asked[0] > 0 && asked[1...] == [asked[0], asked[0]])
            phone.tunnel.turn(.clear)
            house.clock.advance(by: 301)
            let report = try await phone.replica.sync()
            #expect(report.stopped == nil && report.trailProblem == nil && report.trail?.alarm == nil && report.trail != nil)
        }
    }

    @Test("What was seen and cannot be read any more stops no look at the house, and stays until the record is taken as it is")
    func unreadable() async throws {
        try await withFile { file in
            try await withHouse { house, line in
                let phone = try await Phone.signedIn(to: house, over: line, file: file)
                try await house.hub.notary.sign(at: house.clock.now)
                #expect(try await phone.replica.sync().trail != nil)
                let sealed = Data([1, 2, 3])
                let other = try DatabaseQueue(path: file.path)
                try await other.write { try $0.execute(sql: "UPDATE trail SET sealed = ?", arguments: [sealed]) }
                for _ in 0..<2 {
                    let report = try await phone.replica.sync()
                    #expect(report.stopped == nil && report.levelAt == house.clock.now && report.trail == nil)
                    guard case .storage? = report.trailProblem else {
                        Issue.record("\(String(describing: report.trailProblem))")
                        return
                    }
                    house.clock.advance(by: 3601)
                }
                await #expect(throws: ClientError.self) { try await phone.replica.checkTrail() }
                #expect(try await other.read { try Data.fetchOne($0, sql: "SELECT sealed FROM trail") } == sealed, "nothing took its place")
                #expect(try await phone.replica.acceptTrail()?.alarm == nil)
                let report = try await phone.replica.sync()
                #expect(report.trail != nil && report.trailProblem == nil)
            }
        }
    }

    @Test("Looking at the house, whom its record is not for, or not any more, asks nothing that would be refused")
    func othersWithTheHouse() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            for (name, role) in [("ada", "admin"), ("ben", "member")] { _ = try await house.resident(name, role: role, by: owner) }
            try await house.hub.notary.sign(at: house.clock.now)
            let application = house.door.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
            try await application.test(.router) { line in
                let (ada, ben) = (
                    try await Phone.signedIn("ada", to: house, over: line), try await Phone.signedIn("ben", to: house, over: line)
                )
                for phone in [ada, ben] { _ = try await phone.replica.sync() }
                let report = try await ben.replica.sync()
                #expect(report.stopped == nil && report.trail == nil && report.trailProblem == nil)
                let seen = try #require(try await ada.replica.trail())
                #expect((looks(ada), looks(ben)) == (1, 0))

                let runner = try await Phone.signedIn(to: house, over: line)
                let person = try #require(try await runner.client.people.list().people.first { $0.username == "ada" })
                _ = try await runner.client.people.change(person.personID, ChangePersonBody(role: "member"))
                try await ada.client.sessions.login(username: "ada", password: TestHouse.password)
                house.clock.advance(by: 3601)
                let later = try await ada.replica.sync()
                #expect(later.stopped == nil && later.trailProblem == nil)
                let stays = try #require(later.trail)
                #expect(stays.note == seen.note && stays.key == seen.key && stays.since == seen.since, "what was seen stays seen")
                #expect(stays.alarm == nil && seen.withheldSince == nil && stays.withheldSince == house.clock.now, "and was not looked at")
                #expect(looks(ada) == 1)
            }
        }
    }
}
