import CardeaAPI
import CardeaClient
import CardeaHTTP
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

/// Real client, real routes, real store; once without a socket and once over one.
enum HubTransport: CaseIterable, CustomTestStringConvertible {
    case router, live

    var testDescription: String { self == .router ? "client to router" : "over a live socket" }

    /// Runs `body` with a client of the house.
    func run(_ body: @escaping @Sendable (TestHouse, CardeaClient, any TestClientProtocol) async throws -> Void) async throws {
        let setup: TestingSetup = self == .router ? .router : .live
        try await TestHouse.open { house in
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let application = house.application.application(listen: .hostname("127.0.0.1", port: 0), logger: logger)
            try await application.test(setup) { client in
                let cardea = CardeaClient(hub: try HubAddress("http://localhost"), transport: RouterTransport(client))
                try await body(house, cardea, client)
            }
        }
    }
}

@Suite("Guest visit end to end", .timeLimit(.minutes(10)))
struct GuestVisitEndToEndTests {
    @Test("From an unclaimed hub to an opened door, a refused third attempt and a revoked pass", arguments: HubTransport.allCases)
    func tour(harness: HubTransport) async throws {
        try await harness.run { house, cardea, _ in
            #expect(try await !cardea.sessions.isClaimed())
            let token = try #require(try await house.hub.house.newClaimToken())
            try await cardea.sessions.claim(
                ClaimBody(
                    claimToken: token.reveal(), username: "owner", password: TestHouse.password.reveal(), houseName: "Lime House",
                    timeZone: "Europe/Berlin"))
            #expect(try await cardea.people.me().role == .owner)
            #expect(try await cardea.devices.get("front-door").state["locked"] == true)

            let guest = try await cardea.guests.invite(
                InviteGuestBody(
                    name: "Plumber", grants: [GrantBody(deviceID: "front-door", actions: ["door.open"])],
                    expiresAt: house.clock.now.addingTimeInterval(4 * 3600), maxUses: 2))
            #expect(guest.status == .waiting && guest.remainingUses == 2)
            let link = try #require(guest.link)
            let code = Secret(String(link.split(separator: "#").last ?? ""))

            guard case .granted(let taken) = try await cardea.guestAccess.pair(code: code) else {
                Issue.record("the pass waits for somebody")
                return
            }
            #expect(taken.pass.allowedActions == ["door.open"] && taken.pass.maxUses == 2)
            for left in [1, 0] {
                guard case .granted(let opened) = try await cardea.guestAccess.perform(GuestAction("door.open"), token: taken.token) else {
                    Issue.record("the door waits for somebody")
                    return
                }
                #expect(opened.success && opened.remainingUses == left && opened.usedCount == 2 - left)
                #expect(opened.entityID == "lock.front_door")
            }
            await #expect(throws: GuestAccessError.self) {
                try await cardea.guestAccess.perform(GuestAction("door.open"), token: taken.token)
            }
            #expect(house.doorBackend.backendCommands.count == 2)

            let seen = try await cardea.guests.get(guest.guestID)
            #expect(seen.status == .usedUp)
            #expect(seen.history?.prefix(4).map(\.result) == ["refused", "confirmed", "confirmed", "paired"])
            #expect(seen.history?.first?.reason == "used_up")
            #expect(try await cardea.guests.decide(.revoke, about: guest.guestID).status == .revoked)
        }
    }
}
