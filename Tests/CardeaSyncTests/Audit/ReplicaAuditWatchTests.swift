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

@Suite("Audit checks by the replica", .timeLimit(.minutes(5)))
struct ReplicaAuditWatchTests {
    /// An admin's phone, which has verified the audit log, and followed its growth.
    private func watching(_ house: TestHouse, _ line: any TestClientProtocol) async throws -> TestPhone {
        let phone = try await TestPhone.signedIn(to: house, over: line)
        try await house.hub.auditCheckpointer.sign(at: house.clock.now)
        #expect(try await phone.replica.lastAuditReport() == nil)
        let first = try #require(try await phone.replica.checkAudit())
        #expect(first.alarm == nil && first.since == house.clock.now)
        try await house.appendAuditEntries()
        let grown = try #require(try await phone.replica.checkAudit())
        #expect(grown.alarm == nil && grown.size > first.size && grown.since == first.since && grown.key == first.key)
        #expect(try await phone.replica.lastAuditReport() == grown)
        return phone
    }

    @Test("A truncated log, as after a restore, raises an alarm until a user accepts it")
    func putBack() async throws {
        try await withHouse { house, line in
            let phone = try await watching(house, line)
            let seen = try #require(try await phone.replica.lastAuditReport())
            try await house.truncateAudit(after: seen.size - 2)
            try await house.restart(phone) { again in
                try await again.hub.auditCheckpointer.sign(at: again.clock.now)
                #expect(try await phone.replica.checkAudit()?.alarm == .truncated)
                // It stays when the log has grown past it.
                try await again.appendAuditEntries(by: 10)
                #expect(try await phone.replica.checkAudit()?.alarm == .truncated)
                #expect(try await phone.replica.lastAuditReport()?.size == seen.size)
                let accepted = try #require(try await phone.replica.acceptAudit())
                #expect(accepted.alarm == nil && accepted.size > seen.size)
                #expect(try await phone.replica.checkAudit()?.alarm == nil)
            }
        }
    }

    @Test("A restored log with new entries raises an alarm")
    func forked() async throws {
        try await withHouse { house, line in
            let phone = try await watching(house, line)
            let seen = try #require(try await phone.replica.lastAuditReport())
            try await house.truncateAudit(after: seen.size - 1)
            try await house.restart(phone) { again in
                try await again.appendAuditEntries(by: 3)
                #expect(try await phone.replica.checkAudit()?.alarm == .forked)
            }
        }
    }

    @Test("Another signing key raises an alarm")
    func otherKey() async throws {
        try await withHouse { house, line in
            let phone = try await watching(house, line)
            try await house.tamper("DELETE FROM audit_signer; DELETE FROM audit_checkpoints; DELETE FROM audit_segments")
            try await house.restart(phone) { again in
                try await again.hub.auditCheckpointer.sign(at: again.clock.now)
                let report = try await phone.replica.checkAudit()
                #expect(report?.alarm == .otherKey)
            }
        }
    }

    @Test("After ninety days the last seen entries are dropped, and earlier whole segments still prove the rest")
    func dropped() async throws {
        try await withHouse { house, line in
            let phone = try await watching(house, line)
            try await house.appendAuditEntries(by: 300)
            #expect(try await phone.replica.checkAudit()?.alarm == nil)
            try await house.appendAuditEntries(by: 300)
            try await house.appendAuditEntries()
            let seen = try #require(try await phone.replica.lastAuditReport())
            #expect(seen.size > 256 && seen.size % 256 != 0)
            #expect(try await house.hub.auditCheckpointer.drop(before: house.clock.now) > seen.size)
            let report = try #require(try await phone.replica.checkAudit())
            #expect(report.alarm == nil && report.size > seen.size)
        }
    }

    /// A house that checks its audit log on request, since its services do not run, and has more than a segment of it; and a phone that has
    /// seen its beginning.
    private func withLongRecord(_ body: @escaping @Sendable (TestHouse, TestPhone) async throws -> Void) async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        let application = house.application.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
        try await application.test(.router) { line in
            let phone = try await watching(house, line)
            try await house.appendAuditEntries(by: 300)
            try await body(house, phone)
        }
    }

    @Test("A change found by the hub is reported until the hub finds the log intact")
    func altered() async throws {
        try await withLongRecord { house, phone in
            let unseen = try #require(try await phone.replica.checkAudit())
            #expect(unseen.brokenAt == nil && unseen.problem == nil)
            #expect(try await phone.client.audit.checkpoint().verifiedAt == nil)
            try await house.hub.auditMonitor.verify()
            #expect(try await phone.client.audit.checkpoint().verifiedAt == house.clock.now)

            try await house.tamper("UPDATE audit SET result = result + 1 WHERE seq = 17")
            let unnoticed = try #require(try await phone.replica.checkAudit())
            #expect(unnoticed.alarm == nil && unnoticed.problem == nil)
            house.clock.advance(by: 61)
            try await house.hub.auditMonitor.verify()
            let answer = try await phone.client.audit.checkpoint()
            #expect(answer.verifiedAt == house.clock.now && answer.brokenAt == 17)
            let report = try #require(try await phone.replica.checkAudit())
            #expect(report.alarm == nil && report.brokenAt == 17 && report.problem == answer.problem)
            #expect(report.problem == "Entry 17 of the audit log is indexed under the wrong subject.")
            #expect(try await phone.replica.lastAuditReport() == report)
            #expect(try await phone.replica.acceptAudit()?.brokenAt == 17)

            try await house.store.write { try $0.execute(sql: "UPDATE audit SET result = result - 1 WHERE seq = 17") }
            try await house.hub.auditMonitor.verify()
            let whole = try #require(try await phone.replica.checkAudit())
            #expect(whole.alarm == nil && whole.brokenAt == nil && whole.problem == nil)
        }
    }

    @Test("A change found by the hub is still reported after the hub's restart and before its next check")
    func notLookedYet() async throws {
        try await withLongRecord { house, phone in
            try await house.tamper("UPDATE audit SET result = result + 1 WHERE seq = 17")
            try await house.hub.auditMonitor.verify()
            let found = try #require(try await phone.replica.checkAudit())
            #expect(found.brokenAt == 17 && found.problem != nil)

            try await house.tamper("UPDATE audit SET result = result - 1 WHERE seq = 17")
            try await house.restart(phone) { again in
                #expect(try await phone.client.audit.checkpoint().verifiedAt == nil)
                let kept = try #require(try await phone.replica.checkAudit())
                #expect(kept.brokenAt == 17 && kept.problem == found.problem)
                #expect(try await phone.replica.acceptAudit()?.brokenAt == 17)
                try await again.hub.auditMonitor.verify()
                let whole = try #require(try await phone.replica.checkAudit())
                #expect(whole.alarm == nil && whole.brokenAt == nil && whole.problem == nil)
            }
        }
    }

    @Test("Accepting an alarm needs the checkpoint shown before; without an answer of the hub the alarm remains")
    func acceptedOnlyAsShown() async throws {
        try await withHouse { house, line in
            let phone = try await watching(house, line)
            let seen = try #require(try await phone.replica.lastAuditReport())
            try await house.truncateAudit(after: seen.size - 2)
            try await house.restart(phone) { again in
                try await again.hub.auditCheckpointer.sign(at: again.clock.now)
                let alarmed = try #require(try await phone.replica.checkAudit())
                #expect(alarmed.alarm == .truncated)
                phone.transport.setCondition(.unreachable)
                await #expect(throws: ClientError.noConnection(host: "localhost")) { try await phone.replica.acceptAudit() }
                #expect(try await phone.replica.lastAuditReport() == alarmed)
                phone.transport.setCondition(.respondsNotFound("/audit/checkpoint"))
                let hidden = try #require(try await phone.replica.acceptAudit())
                #expect(hidden.alarm == .truncated && hidden.withheldSince == again.clock.now)
                #expect(try await phone.replica.lastAuditReport() == alarmed)
                phone.transport.setCondition(.clear)
                try await again.appendAuditEntries()
                let accepted = try #require(try await phone.replica.acceptAudit())
                #expect(accepted.alarm == nil && accepted.withheldSince == nil && accepted.note != alarmed.note)
                #expect(try await phone.replica.lastAuditReport() == accepted)
            }
        }
    }

    @Test("A log no longer shown by the hub is reported as unchecked with the last seen state")
    func withheld() async throws {
        try await withHouse { house, line in
            let phone = try await watching(house, line)
            let seen = try #require(try await phone.replica.lastAuditReport())
            #expect(seen.withheldSince == nil)
            house.clock.advance(by: 61)
            let since = house.clock.now
            phone.transport.setCondition(.respondsNotFound("/audit/checkpoint"))
            for _ in 0..<2 {
                let report = try #require(try await phone.replica.checkAudit())
                #expect(report.alarm == nil && report.note == seen.note && report.withheldSince == since)
                house.clock.advance(by: 61)
            }
            #expect(try await phone.replica.lastAuditReport()?.withheldSince == since)
            phone.transport.setCondition(.clear)
            #expect(try await phone.replica.checkAudit(ifOlderThan: 3600)?.withheldSince == since, "it was not asked again")
            try await house.appendAuditEntries()
            let shown = try #require(try await phone.replica.checkAudit())
            #expect(shown.alarm == nil && shown.withheldSince == nil && shown.size > seen.size && shown.since == seen.since)
        }
    }

    @Test("The log is checked no more often than the given interval")
    func asked() async throws {
        try await withHouse { house, line in
            let owner = try await watching(house, line)
            func asked(_ phone: TestPhone) -> Int { phone.transport.requests.count { $0.hasSuffix("/audit/checkpoint") } }
            let before = asked(owner)
            for _ in 0..<3 { _ = try await owner.replica.checkAudit(ifOlderThan: 60) }
            #expect(asked(owner) == before)
            house.clock.advance(by: 61)
            _ = try await owner.replica.checkAudit(ifOlderThan: 60)
            #expect(asked(owner) == before + 1)
        }
    }

    @Test("A member's replica sends no request that would be refused and reports nothing")
    func members() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            _ = try await house.resident("member", role: "member", by: owner)
            try await house.hub.auditCheckpointer.sign(at: house.clock.now)
            let application = house.application.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
            try await application.test(.router) { line in
                let phone = try await TestPhone.signedIn("member", to: house, over: line)
                for _ in 0..<3 { #expect(try await phone.replica.checkAudit(ifOlderThan: 60) == nil) }
                #expect(phone.transport.requests.count { $0.hasSuffix("/people/me") } == 1)
                #expect(!phone.transport.requests.contains { $0.hasSuffix("/audit/checkpoint") })
            }
        }
    }

    @Test("A log without a checkpoint is accepted, and an unsigned checkpoint is refused")
    func first() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            #expect(try await phone.replica.checkAudit() == nil)
            try await house.hub.auditCheckpointer.sign(at: house.clock.now)
            try await house.tamper("UPDATE audit_checkpoints SET signature = randomblob(64)")
            await #expect(throws: ClientError.self) { try await phone.replica.checkAudit() }
        }
    }

    // MARK: With a sync

    private func looks(_ phone: TestPhone) -> Int { phone.transport.requests.count { $0.hasSuffix("/audit/checkpoint") } }

    @Test(
        "A sync also checks the log: an append-only one raises no alarm, a restored one does, also offline")
    func withTheHouse() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line, clock: ManualClock(house.clock.now))
            try await house.hub.auditCheckpointer.sign(at: house.clock.now)
            let first = try #require(try await phone.replica.sync().auditWatch)
            #expect(first.alarm == nil && first.size > 0)
            try await house.appendAuditEntries(by: 3)
            phone.clock.advance(by: 3601)
            let report = try await phone.replica.sync()
            let grown = try #require(report.auditWatch)
            #expect(report.stopped == nil && report.auditWatchProblem == nil)
            #expect(grown.alarm == nil && grown.size > first.size && grown.since == first.since)

            try await house.truncateAudit(after: grown.size - 2)
            try await house.restart(phone) { again in
                try await again.hub.auditCheckpointer.sign(at: again.clock.now)
                #expect(try await phone.replica.sync().auditWatch?.alarm == nil, "not within the hour")
                phone.clock.advance(by: 3601)
                let told = try await phone.replica.sync()
                #expect(told.stopped == nil && told.auditWatch?.alarm == .truncated && told.auditWatch?.size == grown.size)
                phone.transport.setCondition(.unreachable)
                #expect(try await phone.replica.sync().auditWatch?.alarm == .truncated)
                phone.transport.setCondition(.clear)
                #expect(try await phone.replica.acceptAudit()?.alarm == nil)
                let accepted = try await phone.replica.sync()
                #expect(accepted.auditWatch != nil && accepted.auditWatch?.alarm == nil)
            }
        }
    }

    @Test("The log is not checked again within an hour, also after a crash")
    func withinTheHour() async throws {
        try await withFile { file in
            try await withHouse { house, line in
                let phone = try await TestPhone.signedIn(to: house, over: line, file: file)
                try await house.hub.auditCheckpointer.sign(at: house.clock.now)
                for _ in 0..<3 { #expect(try await phone.replica.sync().auditWatch != nil) }
                #expect(looks(phone) == 1)
                house.clock.advance(by: 3590)
                let restarted = try phone.restarted()
                #expect(try await restarted.replica.sync().auditWatch != nil)
                #expect(looks(phone) == 1)
                house.clock.advance(by: 11)
                #expect(try await restarted.replica.sync().stopped == nil)
                #expect(looks(phone) == 2)
            }
        }
    }

    @Test("A failed log check does not stop a sync and is repeated some minutes later")
    func notNow() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await house.hub.auditCheckpointer.sign(at: house.clock.now)
            phone.transport.setCondition(.dropsResponsesOf("/audit/checkpoint"))
            // The client itself retries before it gives up.
            var asked: [Int] = []
            for _ in 0..<3 {
                let report = try await phone.replica.sync()
                #expect(report.stopped == nil && report.levelAt == house.clock.now)
                #expect(report.auditWatch == nil && report.auditWatchProblem == .interrupted(host: "localhost"))
                asked.append(looks(phone))
            }
            #expect(asked[0] > 0 && asked[1...] == [asked[0], asked[0]])
            phone.transport.setCondition(.clear)
            house.clock.advance(by: 301)
            let report = try await phone.replica.sync()
            #expect(report.stopped == nil && report.auditWatchProblem == nil && report.auditWatch?.alarm == nil && report.auditWatch != nil)
        }
    }

    @Test("An unreadable stored state does not stop a sync and remains until the log is accepted")
    func unreadable() async throws {
        try await withFile { file in
            try await withHouse { house, line in
                let phone = try await TestPhone.signedIn(to: house, over: line, file: file)
                try await house.hub.auditCheckpointer.sign(at: house.clock.now)
                #expect(try await phone.replica.sync().auditWatch != nil)
                let sealed = Data([1, 2, 3])
                let other = try DatabaseQueue(path: file.path)
                try await other.write { try $0.execute(sql: "UPDATE trail SET sealed = ?", arguments: [sealed]) }
                for _ in 0..<2 {
                    let report = try await phone.replica.sync()
                    #expect(report.stopped == nil && report.levelAt == house.clock.now && report.auditWatch == nil)
                    guard case .storage? = report.auditWatchProblem else {
                        Issue.record("\(String(describing: report.auditWatchProblem))")
                        return
                    }
                    house.clock.advance(by: 3601)
                }
                await #expect(throws: ClientError.self) { try await phone.replica.checkAudit() }
                #expect(try await other.read { try Data.fetchOne($0, sql: "SELECT sealed FROM trail") } == sealed, "nothing took its place")
                #expect(try await phone.replica.acceptAudit()?.alarm == nil)
                let report = try await phone.replica.sync()
                #expect(report.auditWatch != nil && report.auditWatchProblem == nil)
            }
        }
    }

    @Test("A sync without the right to read the log sends no request that would be refused")
    func othersWithTheHouse() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            for (name, role) in [("ada", "admin"), ("ben", "member")] { _ = try await house.resident(name, role: role, by: owner) }
            try await house.hub.auditCheckpointer.sign(at: house.clock.now)
            let application = house.application.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
            try await application.test(.router) { line in
                let (ada, ben) = (
                    try await TestPhone.signedIn("ada", to: house, over: line), try await TestPhone.signedIn("ben", to: house, over: line)
                )
                for phone in [ada, ben] { _ = try await phone.replica.sync() }
                let report = try await ben.replica.sync()
                #expect(report.stopped == nil && report.auditWatch == nil && report.auditWatchProblem == nil)
                let seen = try #require(try await ada.replica.lastAuditReport())
                #expect((looks(ada), looks(ben)) == (1, 0))

                let runner = try await TestPhone.signedIn(to: house, over: line)
                let person = try #require(try await runner.client.people.list().people.first { $0.username == "ada" })
                _ = try await runner.client.people.change(person.personID, ChangePersonBody(role: "member"))
                try await ada.client.sessions.login(username: "ada", password: TestHouse.password)
                house.clock.advance(by: 3601)
                let later = try await ada.replica.sync()
                #expect(later.stopped == nil && later.auditWatchProblem == nil)
                let stays = try #require(later.auditWatch)
                #expect(stays.note == seen.note && stays.key == seen.key && stays.since == seen.since, "what was seen stays seen")
                #expect(stays.alarm == nil && seen.withheldSince == nil && stays.withheldSince == house.clock.now, "and was not looked at")
                #expect(looks(ada) == 1)
            }
        }
    }
}
