import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

/// All that a guest can read, in every state of a pass: which present facts about the house it contains.
@Suite("Guest pass visibility", .timeLimit(.minutes(10)))
struct GuestPassVisibilityTests {
    /// A fact about the house that a guest may learn.
    private enum Fact: String, CaseIterable {
        case houseName = "House of today"
        case doorName = "Door of today"
        case hours = "14:30"
        case doorState = #""unlocked""#
    }

    enum State: CaseIterable {
        case active, usedUp, paused, pausedAndUsedUp, outsideHours, notYet, expired, revoked, movedOn
    }

    private enum Endpoint: CaseIterable {
        case pass, states, validate, changes

        func ask(_ guest: TestAPIClient, since cursor: Int) async throws -> TestAPIClient.Answer {
            switch self {
            case .pass: try await guest(.get, "/api/guest_access/pass")
            case .states: try await guest(.get, "/api/guest_access/states")
            case .validate:
                try await guest(.post, "/api/guest_access/token/validate", #"{"guest_token":"\#(guest.token.reveal())"}"#)
            case .changes: try await guest(.get, "/api/v1/changes?after=\(cursor)")
            }
        }

        /// The facts that the answer may contain.
        func shown(in state: State) -> Set<Fact> {
            let (names, door): (Set<Fact>, Set<Fact>) = ([.houseName, .doorName, .hours], [.doorName, .doorState])
            return switch (self, state) {
            case (.pass, .active), (.pass, .usedUp), (.pass, .paused), (.pass, .outsideHours), (.pass, .notYet): names
            // Its own hours, which say nothing about today.
            case (.pass, .pausedAndUsedUp), (.pass, .expired), (.pass, .revoked): [.hours]
            case (.states, .active): door
            case (.validate, .active), (.validate, .outsideHours): names
            case (.changes, .active), (.changes, .usedUp): door
            default: []
            }
        }
    }

    /// From half past two to four; the clock starts at three.
    private static func hours() throws -> WeeklySchedule {
        WeeklySchedule(lines: [
            .init(days: Set(Weekday.allCases), from: try #require(TimeOfDay("14:30")), to: try #require(TimeOfDay("16:00")))
        ])
    }

    private static func turn(_ house: TestHouse, to state: State, _ guest: (who: Principal, id: String), by owner: Principal) async throws {
        func decide(_ decision: CardeaHub.Guests.Decision) async throws {
            _ = try await house.hub.guests.decide(decision, guest.id, by: owner, origin: .house)
        }
        func useUp() async throws {
            house.doorBackend.set(.obeys, at: "lock.front_door")
            #expect(try await house.run(house.open(as: guest.who)).status == .confirmed)
            try await house.doorBackend.report("locked", at: "lock.front_door")
        }
        switch state {
        case .active, .notYet: return
        case .usedUp: try await useUp()
        case .paused: try await decide(.suspend)
        case .pausedAndUsedUp:
            try await useUp()
            try await decide(.suspend)
        case .outsideHours: house.clock.advance(by: 3600)
        case .expired: house.clock.advance(by: 3 * 86_400)
        case .revoked: try await decide(.revoke)
        case .movedOn:
            let codes = try await house.hub.guests.newCode(for: guest.id, by: owner, origin: .house)
            _ = try await house.hub.guestAccess.pair(codes.linkCode.reveal(), origin: .house)
        }
    }

    @Test("A guest reads exactly the permitted fields in every state of the pass", arguments: State.allCases)
    func fields(in state: State) async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, _) = try await house.claim()
            var draft = house.draft(uses: 1, lasts: 3 * 86_400, schedule: try Self.hours())
            if state == .notYet { draft.startsAt = house.clock.now.addingTimeInterval(600) }
            let (who, id, token) = try await house.guest(draft, by: owner)
            let guest = TestAPIClient(client: client, token: token)
            try await Self.turn(house, to: state, (who, id), by: owner)
            let cursor = Int(try await house.hub.journal.last())

            _ = try await house.hub.house.change(
                { $0 }, name: Fact.houseName.rawValue, seen: .any, by: owner, origin: .house, at: house.clock.now)
            // An hour may have passed since the house was claimed.
            let tokens = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
            let host = TestAPIClient(client: client, token: tokens.access)
            #expect(try await host(.patch, "/api/v1/devices/front-door", #"{"name":"\#(Fact.doorName.rawValue)"}"#).status == 200)
            try await house.doorBackend.report("unlocked", at: "lock.front_door")

            for reading in Endpoint.allCases {
                let answer = try await reading.ask(guest, since: cursor)
                let text = String(decoding: try JSONEncoder().encode(answer.body), as: UTF8.self)
                let shown = Set(Fact.allCases.filter { text.contains($0.rawValue) })
                #expect(shown == reading.shown(in: state), "\(reading) of a pass that is \(state): \(answer.status) \(text)")
            }
        }
    }

    @Test("Events at a door outside the pass's hours stay hidden inside its hours")
    func lastNight() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, _) = try await house.claim()
            let (_, _, token) = try await house.guest(house.draft(lasts: 3 * 86_400, schedule: try Self.hours()), by: owner)
            let guest = TestAPIClient(client: client, token: token)
            func told(since cursor: JSONValue?) async throws -> [JSONValue] {
                try await guest(.get, "/api/v1/changes?after=\(Int(cursor?.number ?? 0))").body["changes"]?.array ?? []
            }
            let cursor = try await guest(.get, "/api/v1/changes").body["next"]
            house.clock.advance(by: 6 * 3600)
            for state in ["unlocked", "locked"] { try await house.doorBackend.report(state, at: "lock.front_door") }

            house.clock.advance(by: 18 * 3600)
            #expect(try await told(since: cursor).isEmpty)
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            #expect(try await told(since: cursor).count == 1)
        }
    }

    @Test("Change cursors of a guest do not count other events of the house")
    func numbers() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, _) = try await house.claim()
            let (_, _, token) = try await house.guest(house.draft(), by: owner)
            let guest = TestAPIClient(client: client, token: token)
            func number(after cursor: Int? = nil) async throws -> Int {
                let answer = try await guest(.get, "/api/v1/changes" + (cursor.map { "?after=\($0)" } ?? ""))
                return Int(try #require(answer.body["next"]?.number))
            }
            let before = try await number()
            for state in ["unlocked", "locked", "unlocked"] { try await house.doorBackend.report(state, at: "lock.back_door") }
            #expect(try await house.hub.journal.last() > Int64(before))
            #expect(try await number() == before)
            #expect(try await number(after: before) == before)

            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            let after = try await number(after: before)
            #expect(after > before)
            #expect(try await number() == after)
            // A number without a row is foreign, and the answer names none that the guest does not know.
            let wrong = try await guest(.get, "/api/v1/changes?after=\(after + 1000)")
            #expect(wrong.status == 410 && wrong.body["error"]?["details"]?["last"]?.number == Double(after))
        }
    }
}
