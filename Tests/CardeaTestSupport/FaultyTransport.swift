import CardeaClient
import CardeaHTTP
import CardeaSecurity
import CardeaSync
import Foundation
import Hummingbird
import HummingbirdTesting
import Synchronization

/// The way to the house, which a test can break as ways do break.
public final class FaultyTransport: Transport {
    public enum Condition: Hashable, Sendable {
        case clear
        /// No connection comes about.
        case unreachable
        /// The request arrives, and its response is lost.
        case dropsResponses
        /// Something before the house answers in its place.
        case gatewayError(status: Int)
        /// The house itself says that it cannot now.
        case busy
        /// The first that comes is held until the weather turns, and then meets nobody; what comes after it gets through.
        case delaysFirst
        /// Something in between says yes for the house, which hears nothing.
        case forgesResponses
        /// Only what is asked at paths that end so arrives without its answer.
        case dropsResponsesOf(String)
        /// The house says of all paths that end so that there is nothing.
        case respondsNotFound(String)
    }

    private let line: Mutex<RouterTransport>
    private let state = Mutex(
        (weather: Condition.clear, only: Set<TransportRequest.Method>(), renames: false, asked: [String](), isHeld: false))

    public init(_ line: RouterTransport) {
        self.line = Mutex(line)
    }

    /// The house was started again: from here on the tunnel leads to it as it is now.
    public func connect(to line: RouterTransport) {
        self.line.withLock { $0 = line }
    }

    /// - Parameter only: the methods it is so for; empty for all.
    public func setCondition(_ weather: Condition, only methods: Set<TransportRequest.Method> = []) {
        state.withLock { ($0.weather, $0.only, $0.isHeld) = (weather, methods, false) }
    }

    /// From here on each write has a name of its own, so that nobody can know a repetition.
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
