import CardeaClient
import CardeaHTTP
import CardeaSecurity
import CardeaSync
import Foundation
import Hummingbird
import HummingbirdTesting
import Synchronization

/// A person's phone, with its replica of the house.
public struct TestPhone: Sendable {
    public let house: TestHouse
    public let transport: FaultyTransport
    public let client: CardeaClient
    public let replica: Replica
    private let file: URL?
    private let key: SealingKey
    /// Its own clock, which may be wrong.
    public let clock: ManualClock

    private init(_ house: TestHouse, _ tunnel: FaultyTransport, _ client: CardeaClient, file: URL?, key: SealingKey, clock: ManualClock)
        throws
    {
        self.house = house
        self.transport = tunnel
        self.client = client
        self.file = file
        self.key = key
        self.clock = clock
        replica = try Replica(file: file, sealing: key, client: client, environment: Self.environment(clock))
    }

    /// Time passes by the phone's own clock, without real waiting.
    public static func environment(_ clock: ManualClock) -> ClientEnvironment {
        ClientEnvironment(now: { clock.now }, sleep: { _ in await Task.yield() }, newKey: { UUID().uuidString.lowercased() })
    }

    public static func signedIn(
        _ name: String = "owner", to house: TestHouse, over client: any TestClientProtocol, file: URL? = nil, key: SealingKey = .random(),
        clock: ManualClock? = nil
    ) async throws -> TestPhone {
        let tunnel = FaultyTransport(RouterTransport(client))
        let clock = clock ?? house.clock
        let cardea = CardeaClient(
            hub: try HubAddress("http://localhost"), transport: tunnel, resilience: .none, environment: environment(clock))
        try await cardea.sessions.login(username: name, password: TestHouse.password)
        return try TestPhone(house, tunnel, cardea, file: file, key: key, clock: clock)
    }

    /// The same phone after its program was killed.
    public func restarted() throws -> TestPhone {
        try TestPhone(house, transport, client, file: file, key: key, clock: clock)
    }
}

/// Runs `body` with a claimed house and its transport.
public func withHouse(_ body: @escaping @Sendable (TestHouse, any TestClientProtocol) async throws -> Void) async throws {
    try await TestHouse.open { house in
        try await house.claim()
        let application = house.application.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
        try await application.test(.router) { try await body(house, $0) }
    }
}

/// A test's own file, deleted with it.
public func withFile<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-replica-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.appending(path: "house.sqlite"))
}
