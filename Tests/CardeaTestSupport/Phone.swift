import CardeaClient
import CardeaHTTP
import CardeaSecurity
import CardeaSync
import Foundation
import Hummingbird
import HummingbirdTesting
import Synchronization

/// The way to the house, which a test can break as ways do break.
public final class Tunnel: Transport {
    public enum Weather: Hashable, Sendable {
        case clear
        /// No connection comes about.
        case closed
        /// What is asked arrives, and its answer does not.
        case losesAnswers
        /// Something before the house answers in its place.
        case storm(status: Int)
    }

    private let line: RouterTransport
    private let state = Mutex((weather: Weather.clear, only: Set<TransportRequest.Method>(), asked: [String]()))

    public init(_ line: RouterTransport) {
        self.line = line
    }

    /// - Parameter only: the methods it is so for; empty for all.
    public func turn(_ weather: Weather, only methods: Set<TransportRequest.Method> = []) {
        state.withLock { ($0.weather, $0.only) = (weather, methods) }
    }

    /// What was asked and may have arrived: method and path.
    public var asked: [String] { state.withLock { $0.asked } }

    public func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        let weather = state.withLock { state in
            let weather = state.only.isEmpty || state.only.contains(request.method) ? state.weather : .clear
            if weather != .closed { state.asked.append("\(request.method.rawValue) \(request.url.path)") }
            return weather
        }
        switch weather {
        case .clear: return try await line.send(request)
        case .closed: throw .noConnection
        case .losesAnswers:
            _ = try await line.send(request)
            throw .interrupted
        case .storm(let status): return TransportResponse(status: status, body: Data("busy".utf8))
        }
    }
}

/// Somebody's phone, with what it keeps of the house.
public struct Phone: Sendable {
    public let house: TestHouse
    public let tunnel: Tunnel
    public let client: CardeaClient
    public let replica: Replica
    private let file: URL?
    private let key: SealingKey

    private init(_ house: TestHouse, _ tunnel: Tunnel, _ client: CardeaClient, file: URL?, key: SealingKey, clock: ManualClock) throws {
        self.house = house
        self.tunnel = tunnel
        self.client = client
        self.file = file
        self.key = key
        replica = try Replica(file: file, sealing: key, client: client, surroundings: Self.surroundings(clock))
    }

    /// Time passes by the phone's own clock, and nobody really waits.
    public static func surroundings(_ clock: ManualClock) -> Surroundings {
        Surroundings(now: { clock.now }, sleep: { _ in await Task.yield() }, newKey: { UUID().uuidString.lowercased() })
    }

    public static func signedIn(
        _ name: String = "owner", to house: TestHouse, over client: any TestClientProtocol, file: URL? = nil, key: SealingKey = .random(),
        clock: ManualClock? = nil
    ) async throws -> Phone {
        let tunnel = Tunnel(RouterTransport(client))
        let clock = clock ?? house.clock
        let cardea = CardeaClient(
            hub: try HubAddress("http://localhost"), transport: tunnel, resilience: .none, surroundings: surroundings(clock))
        try await cardea.sessions.login(username: name, password: TestHouse.password)
        return try Phone(house, tunnel, cardea, file: file, key: key, clock: clock)
    }

    /// The same phone after its program was killed.
    public func restarted() throws -> Phone {
        try Phone(house, tunnel, client, file: file, key: key, clock: house.clock)
    }
}

/// Runs `body` with a claimed house and the way into it.
public func withHouse(_ body: @escaping @Sendable (TestHouse, any TestClientProtocol) async throws -> Void) async throws {
    try await TestHouse.open { house in
        try await house.claim()
        let application = house.door.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
        try await application.test(.router) { try await body(house, $0) }
    }
}

/// A file of a test's own, gone with it.
public func withFile<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-replica-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.appending(path: "house.sqlite"))
}
