import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Failed attempts from an unbounded number of addresses", .timeLimit(.minutes(5)))
struct FailedAttemptLogTests {
    private static func origin(_ number: Int) -> RequestOrigin {
        RequestOrigin(remote: "198.18.\(number / 256).\(number % 256)", isLocal: false, requestID: nil)
    }

    /// Presents a foreign access token from that many addresses, once each.
    private func flood(_ house: TestHouse, addresses: Int) async throws {
        let now = house.clock.now
        try await house.store.write { db in
            for number in 0..<addresses {
                try FailedAttemptLog.recordRefusal(
                    "access_token", reason: .unauthorized, in: .init(db: db, now: now, origin: Self.origin(number)))
            }
        }
    }

    /// Presents a foreign guest token.
    ///
    /// - Returns: true if the address was throttled.
    private func isThrottled(_ house: TestHouse, _ origin: RequestOrigin) async throws -> Bool {
        do {
            _ = try await house.hub.guestAccess.authenticate(SecretGenerator.token(.guestPass), origin: origin)
            Issue.record("the token was believed")
            return false
        } catch GuestAccess.GuestAccessError.throttled {
            return true
        } catch GuestAccess.GuestAccessError.unauthorized {
            return false
        }
    }

    private func count(_ house: TestHouse, _ table: String) async throws -> Int {
        try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    @Test("Beyond the address limit, failed tokens are refused without throttling and add no audit entry or counter")
    func flooded() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        let before = try await count(house, "audit")
        try await flood(house, addresses: 2500)
        #expect(try await count(house, "audit") == before + 2001)
        let (records, counters) = (try await count(house, "audit"), try await count(house, "throttles"))

        for _ in 0..<40 { #expect(try await !isThrottled(house, Self.origin(9000))) }

        #expect(try await count(house, "audit") == records)
        #expect(try await count(house, "throttles") == counters)

        // An address with a count keeps counting, and must wait.
        var waits = 0
        for _ in 0..<40 where try await isThrottled(house, Self.origin(0)) { waits += 1 }
        #expect(waits > 0)
        #expect(try await count(house, "audit") == records)

        // Later one more is recorded.
        house.clock.advance(by: 61)
        for number in 9001..<9005 { #expect(try await !isThrottled(house, Self.origin(number))) }
        #expect(try await count(house, "audit") == records + 1)
    }

    @Test("Failed attempts without an address share one throttle counter")
    func withoutAddress() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let nowhere = RequestOrigin(remote: nil, isLocal: false, requestID: nil)

        var waits = 0
        for _ in 0..<40 where try await isThrottled(house, nowhere) { waits += 1 }

        #expect(waits == 9)
        let refused = try await house.auditNotes().filter { $0.action == "guest_token" }
        #expect(refused.count == 31)
    }
}
