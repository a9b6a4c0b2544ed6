import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation
import Synchronization

/// A hub scripted by a closure, which records its requests.
final class ScriptedTransport: Transport {
    typealias Script = @Sendable (TransportRequest, Int) async -> Result<TransportResponse, TransportError>

    private let script: Script
    private let heard = Mutex<[TransportRequest]>([])

    /// - Parameter script: gets the request and the number of earlier ones.
    init(_ script: @escaping Script) {
        self.script = script
    }

    var requests: [TransportRequest] { heard.withLock { $0 } }

    func requests(to path: String) -> [TransportRequest] { requests.filter { $0.url.path == path } }

    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream { throw .noConnection }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let before = heard.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        return try await script(request, before).get()
    }
}

extension TransportResponse {
    static func json(_ status: Int, _ text: String, _ headers: [String: String] = [:]) -> TransportResponse {
        TransportResponse(status: status, headers: headers, body: Data(text.utf8))
    }

    static func tokens(_ number: Int) -> TransportResponse {
        .json(200, #"{"access_token":"access-\#(number)","refresh_token":"refresh-\#(number)","token_type":"Bearer","expires_in":3600}"#)
    }

    static func refused(_ status: Int, _ code: String, details: String = "{}") -> TransportResponse {
        .json(
            status,
            #"{"error":{"code":"\#(code)","message":"No: \#(code).","details":\#(details),"timestamp":"2026-11-21T14:31:07.250Z","request_id":"req-1"}}"#
        )
    }

    static let noPeople = TransportResponse.json(200, #"{"people":[],"total":0}"#)
}

extension Session {
    static func number(_ number: Int, expiresIn seconds: TimeInterval = 3600) -> Session {
        Session(
            accessToken: Secret("access-\(number)"), refreshToken: Secret("refresh-\(number)"),
            expiresAt: Date().addingTimeInterval(seconds))
    }
}

extension ClientEnvironment {
    /// Sleeping takes no time, the clock is stopped, and keys are counted. On a busy machine a real clock would expire between two tries.
    static func hurried() -> ClientEnvironment {
        let count = Counter()
        let start = Date()
        return ClientEnvironment(now: { start }, sleep: { _ in await Task.yield() }, newKey: { "key-\(count.next())" })
    }
}

final class Counter: Sendable {
    private let value = Mutex(0)

    @discardableResult
    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }

    var count: Int { value.withLock { $0 } }
}

extension CardeaClient {
    static func at(
        _ transport: ScriptedTransport, _ store: any SessionStore = MemorySessionStore(.number(1)),
        _ environment: ClientEnvironment = .hurried(), resilience: ResilienceSettings = .none
    ) throws -> CardeaClient {
        CardeaClient(
            hub: try HubAddress("https://house.example"), transport: transport, sessions: store, resilience: resilience,
            environment: environment)
    }
}
