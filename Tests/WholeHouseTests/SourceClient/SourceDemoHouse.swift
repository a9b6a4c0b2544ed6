import CardeaHTTP
import CardeaHub
import CardeaSecurity
import CardeaTestSupport
import Hummingbird
import HummingbirdTesting
import Logging

/// A house that is served like `cardea-hub demo`: a caller without a token is taken for its owner.
enum SourceDemoHouse {
    /// - Parameter setup: `.live` for a port, which the client then names.
    static func run(
        _ setup: TestingSetup = .router,
        _ body: @escaping @Sendable (TestHouse, SessionTokens, any TestClientProtocol) async throws -> Void
    ) async throws {
        try await TestHouse.open { house in
            let (owner, tokens) = try await house.claim()
            let door = try HubApplication(
                hub: house.hub, mind: house.mind, automations: house.automations, settings: HTTPSettings(hosts: ["house.test"]),
                address: CurrentPublicURL("http://localhost"),
                demoResident: owner)
            let application = door.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
            try await application.test(setup) { client in try await body(house, tokens, client) }
        }
    }
}
