import CardeaClient
import CardeaHTTP
import CardeaSecurity
import CardeaSync
import Foundation
import Hummingbird
import HummingbirdTesting
import Synchronization

/// The transport to the house, with faults on request.
public final class FaultyTransport: Transport {
    public enum Condition: Hashable, Sendable {
        case clear
        /// Every connection fails.
        case unreachable
        /// The request arrives, and its response is lost.
        case dropsResponses
        /// An intermediary answers in the house's place.
        case gatewayError(status: Int)
        /// The house itself answers that it is busy.
        case busy
        /// The first request is held until the condition changes, and is then lost; later ones get through.
        case delaysFirst
        /// An intermediary confirms for the house, which receives nothing.
        case forgesResponses
        /// Only requests to paths with this ending arrive without their answers.
        case dropsResponsesOf(String)
        /// The house answers 404 for all paths with this ending.
        case respondsNotFound(String)
    }

    private let line: Mutex<RouterTransport>
    private let state = Mutex(
        (weather: Condition.clear, only: Set<TransportRequest.Method>(), renames: false, asked: [String](), isHeld: false))

    public init(_ line: RouterTransport) {
        self.line = Mutex(line)
    }

    /// The house was restarted: from here on requests reach the new one.
    public func connect(to line: RouterTransport) {
        self.line.withLock { $0 = line }
    }

    /// - Parameter only: the methods it applies to; empty for all.
    public func setCondition(_ weather: Condition, only methods: Set<TransportRequest.Method> = []) {
        state.withLock { ($0.weather, $0.only, $0.isHeld) = (weather, methods, false) }
    }

    /// From here on each write gets its own key, so that a repetition is not recognised.
    public func replaceIdempotencyKeys(_ renames: Bool) {
        state.withLock { $0.renames = renames }
    }

    /// The requests that may have arrived: method and path.
    public var requests: [String] { state.withLock { $0.asked } }

    public func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
        try await line.withLock(\.self).open(request)
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let weather = state.withLock { state in
            let weather = state.only.isEmpty || state.only.contains(request.method) ? state.weather : .clear
            if weather == .delaysFirst { (state.weather, state.isHeld) = (.clear, true) }
            if weather != .unreachable { state.asked.append("\(request.method.rawValue) \(request.url.path)") }
            return weather
        }
        var request = request
        if state.withLock(\.renames), request.headers["idempotency-key"] != nil { request.headers["idempotency-key"] = UUID().uuidString }
        switch weather {
        case .clear: return try await line.withLock(\.self).send(request)
        case .unreachable: throw .noConnection
        case .dropsResponses:
            _ = try await line.withLock(\.self).send(request)
            throw .interrupted
        case .dropsResponsesOf(let path):
            let answer = try await line.withLock(\.self).send(request)
            guard !request.url.path.hasSuffix(path) else { throw .interrupted }
            return answer
        case .respondsNotFound(let path):
            guard request.url.path.hasSuffix(path) else { return try await line.withLock(\.self).send(request) }
            let words = #"{"error":{"code":"not_found","message":"There is nothing.","details":{}}}"#
            return TransportResponse(status: 404, body: Data(words.utf8))
        case .busy:
            let words = #"{"error":{"code":"service_unavailable","message":"The house cannot now.","details":{}}}"#
            return TransportResponse(status: 503, body: Data(words.utf8))
        case .delaysFirst:
            while state.withLock(\.isHeld), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
            throw .noConnection
        case .gatewayError(let status): return TransportResponse(status: status, body: Data("busy".utf8))
        case .forgesResponses:
            let device = request.url.path.split(separator: "/").dropLast().last ?? ""
            guard request.method == .put, request.url.path.hasSuffix("/control") else { throw .noConnection }
            let answer = #"{"command_id":"none","device_id":"\#(device)","entity_id":"none","action":"on","status":"confirmed"}"#
            return TransportResponse(status: 200, body: Data(answer.utf8))
        }
    }
}

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
