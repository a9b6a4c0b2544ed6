import CardeaHub
@testable import CardeaMind
import CardeaModel
import CardeaMindAdapter
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Erasure during a poll", .timeLimit(.minutes(10)))
struct ErasureDuringPollTests {
    // The mind read who had opened the door, the person was erased, and then the mind stored what it had read.
    @Test("After erasure during a poll the event stays without the person's id")
    func erased() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (ada, _) = try await house.resident("ada", role: "member", by: owner)
            guard case .person(let id, _) = ada else { preconditionFailure("a resident is a person") }
            let command = try await house.run(house.unlock("front-door", as: ada))
            #expect(command.status == .confirmed)
            // Reading takes so long that something happens between the read and the store.
            let houseReader = ForwardingHouseReader(
                HubHouseReader(house.hub.mindFeed),
                afterHappenings: {
                    guard try await house.store.read({ try Int.fetchOne($0, sql: "SELECT count(*) FROM erasures") }) == 0 else { return }
                    let job = try await house.hub.jobs.erase(id, by: owner, origin: .house)
                    try await waitUntil { try await house.hub.jobs.one(job.id, seenBy: owner).state == .done }
                })

            try await HouseEventStore(store: house.store, houseReader: houseReader, now: { [clock = house.clock] in clock.now }).catchUp()

            let actors = try await house.store.read {
                try String.fetchAll(
                    $0, sql: "SELECT coalesce(actor, '') FROM happenings WHERE source = ?", arguments: ["command:\(command.id)"])
            }
            #expect(!actors.isEmpty && !actors.contains { $0.contains(id) }, "\(actors)")
        }
    }
}
