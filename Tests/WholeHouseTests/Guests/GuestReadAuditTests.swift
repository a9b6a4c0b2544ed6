import CardeaAPI
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import CardeaHub

/// A guest's page that stays open reads again and again. Those reads are no attempts, whatever the pass's state.
@Suite("Audit of guest reads", .timeLimit(.minutes(10)))
struct GuestReadAuditTests {
    enum State: CaseIterable {
        case early, outsideHours, active, usedUp, ended, takenBack

        /// The pass's next opening, by the test's clock.
        var next: String? {
            switch self {
            case .early: "2026-11-21T15:00:00.000Z"
            case .outsideHours: "2026-11-22T13:30:00.000Z"
            case .active, .usedUp, .ended, .takenBack: nil
            }
        }
    }

    private static let press = #"{"action":"door.open"}"#

    /// From half past two to four; the clock starts at three.
    private static func hours() throws -> WeeklySchedule {
        WeeklySchedule(lines: [
            .init(days: Set(Weekday.allCases), from: try #require(TimeOfDay("14:30")), to: try #require(TimeOfDay("16:00")))
        ])
    }

    /// A pass in this state, on a phone.
    private static func guest(_ state: State, in house: TestHouse, by owner: Principal) async throws -> (id: String, token: Secret) {
        let draft =
            switch state {
            case .early: house.draft(startsIn: 3600)
            case .outsideHours: house.draft(lasts: 3 * 86_400, schedule: try hours())
            case .usedUp: house.draft(uses: 1)
            case .ended: house.draft(lasts: 600)
            case .active, .takenBack: house.draft()
            }
        let (who, id, token) = try await house.guest(draft, by: owner)
        house.doorBackend.set(.obeys, at: "lock.front_door")
        switch state {
        case .early, .active: break
        case .outsideHours: house.clock.advance(by: 3600)
        case .usedUp: #expect(try await house.run(house.open(as: who)).status == .confirmed)
        case .ended: house.clock.advance(by: 601)
        case .takenBack: _ = try await house.hub.guests.decide(.revoke, id, by: owner, origin: .house)
        }
        return (id, token)
    }

    /// All reads of an untouched page, and those of another client of the family.
    private static func readAll(_ guest: TestAPIClient) async throws {
        _ = try await guest(.get, "/api/guest_access/pass")
        _ = try await guest(.get, "/api/guest_access/states")
        _ = try await guest(.post, "/api/guest_access/token/validate", #"{"guest_token":"\#(guest.token.reveal())"}"#)
        _ = try await guest(.post, "/api/v1/realtime/ticket", "{}")
        _ = try await guest(.get, "/api/v1/changes")
    }

    /// The pass's entries in Activity, oldest first; with `isWhole` all its entries in the audit log.
    private static func entries(_ id: String, isWhole: Bool = false, in house: TestHouse) async throws -> [ActivityLog.Entry] {
        let entries = try await house.store.read { db in
            try house.hub.activity.entries(.init(guestID: id, limit: 500, isWhole: isWhole), in: db)
        }
        return entries.reversed()
    }

    private static func activityEntries(_ house: TestHouse) async throws -> [String] {
        try await house.store.read {
            try String.fetchAll($0, sql: "SELECT scope || ' ' || failures FROM throttles ORDER BY scope, subject")
        }
    }

    @Test("An open page adds one audit line a day and none in Activity; a press adds one there", arguments: State.allCases)
    func openPage(state: State) async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, _) = try await house.claim()
            let (id, token) = try await Self.guest(state, in: house, by: owner)
            let guest = TestAPIClient(client: client, token: token)
            let (before, whole) = (try await Self.entries(id, in: house), try await Self.entries(id, isWhole: true, in: house))
            let tries = try await Self.activityEntries(house)

            for _ in 0..<20 { try await Self.readAll(guest) }

            #expect(try await Self.entries(id, in: house) == before)
            let more = try await Self.entries(id, isWhole: true, in: house).dropFirst(whole.count)
            #expect(more.count == (state == .active ? 0 : 1))
            #expect(more.allSatisfy { $0.result == "read" && $0.action.hasPrefix("look.") && $0.whoID == id })
            #expect(try await Self.activityEntries(house) == tries)

            let pressed = try await guest(.post, "/api/guest_access/action", Self.press)
            #expect((pressed.status == 200) == (state == .active))
            let shown = try await Self.entries(id, in: house).dropFirst(before.count)
            #expect(shown.map(\.result) == [state == .active ? "confirmed" : "refused"])
        }
    }

    @Test("Guest and owner see when the pass is valid next", arguments: State.allCases)
    func next(state: State) async throws {
        try await HubTransport.router.run { house, _, client in
            let (who, _) = try await house.claim()
            let (id, token) = try await Self.guest(state, in: house, by: who)
            let login = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
            let owner = TestAPIClient(client: client, token: login.access)
            let moment = state.next.flatMap(Timestamp.date)

            let shown = try await TestAPIClient(client: client, token: token)(.get, "/api/guest_access/pass").body
            #expect(shown["next_from"]?.number == moment?.timeIntervalSince1970)
            let told = try await owner(.get, "/api/v1/guests/\(id)").body
            #expect(told["next_from"] == (state.next.map(JSONValue.string) ?? .null))
            #expect(told["status"] == shown["status"])
        }
    }

    @Test("The read count of a day is audited once the day is over")
    func count() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, _) = try await house.claim()
            let (id, token) = try await Self.guest(.takenBack, in: house, by: owner)
            let guest = TestAPIClient(client: client, token: token)
            func looks() async throws -> [String] {
                try await Self.entries(id, isWhole: true, in: house).filter { $0.result == "read" }
                    .map { "\($0.action) \($0.entityID ?? $0.reason ?? "")" }
            }
            for _ in 0..<5 { _ = try await guest(.get, "/api/guest_access/states") }
            #expect(try await looks() == ["look.guest_access.states revoked"])

            house.clock.advance(by: 86_400)
            _ = try await guest(.get, "/api/guest_access/states")
            let days = ["look.guest_access.states revoked", "look.count looks:2026-11-21:5", "look.guest_access.states revoked"]
            #expect(try await looks() == days)

            // A single read is recorded already; the house closes a day without further reads.
            house.clock.advance(by: 86_400)
            let now = house.clock.now
            let zone = house.hub.house.current.timeZone
            try await house.store.write { [looks = house.hub.guestReadAuditor] in try looks.closeDays(at: now, in: zone, $0) }
            #expect(try await looks() == days)
            #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM guest_looks") } == 0)
        }
    }

    @Test("Reads with a replaced pass are never throttled; an attempt with it counts as failed")
    func replaced() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, _) = try await house.claim()
            let (id, token) = try await Self.guest(.active, in: house, by: owner)
            let codes = try await house.hub.guests.newCode(for: id, by: owner, origin: .house)
            _ = try await house.hub.guestAccess.pair(codes.linkCode.reveal(), origin: .house)
            let guest = TestAPIClient(client: client, token: token)
            let (before, tries) = (try await Self.entries(id, in: house), try await Self.activityEntries(house))

            for _ in 0..<60 { #expect(try await guest(.get, "/api/guest_access/pass").status == 401) }

            #expect(try await Self.entries(id, in: house) == before)
            #expect(try await Self.activityEntries(house) == tries)
            let read = try await Self.entries(id, isWhole: true, in: house).filter { $0.result == "read" }
            #expect(read.map(\.action) == ["guest_token"] && read.first?.reason == "token_replaced")

            #expect(try await guest(.get, "/api/guest_access/action/nonce").status == 401)
            let refused = try await Self.entries(id, in: house).dropFirst(before.count)
            #expect(refused.map { "\($0.action) \($0.result) \($0.reason ?? "")" } == ["guest_token refused token_replaced"])
        }
    }
}
