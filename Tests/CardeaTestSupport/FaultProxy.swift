import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A proxy to a house over real sockets with network faults. It reads each request, and a random generator decides its fate: the same seed
/// and the same requests meet the same faults.
public final class FaultProxy: Sendable {
    public enum Fault: String, CaseIterable, Sendable {
        /// The connection ends before anything was forwarded.
        case hangUp
        /// Forwarded, and the connection ends before the answer.
        case lostAnswer
        /// The connection ends in the middle of the answer's body.
        case cutBody
        /// The answer is late.
        case delay
        /// Forwarded twice, at once or one after the other.
        case duplicate
        /// The connection ends, and the request arrives after the next one.
        case reorder
        /// The proxy itself answers this and the next request, for a house that it did not reach or did not wait for.
        case storm
        /// The connection stays, and no more data arrives.
        case silence
    }

    /// The faults to draw from, with their frequencies.
    public struct FaultProfile: Sendable {
        /// Of 1000 exchanges, those that meet a fault.
        public var share: Int
        /// Each fault with its weight.
        public var faults: [(fault: Fault, weight: Int)]

        public init(share: Int, faults: [(fault: Fault, weight: Int)]) {
            self.share = share
            self.faults = faults
        }

        public static let clear = FaultProfile(share: 0, faults: [])
    }

    private struct State {
        var dice: XorshiftGenerator
        var profile = FaultProfile.clear
        var gatewayErrorsLeft = 0
        var delayed: [ProxiedRequest] = []
        var faultCounts: [Fault: Int] = [:]
        /// Streams that signal when a request has met silence, by the request's name.
        var listeners: [String: AsyncStream<Void>.Continuation] = [:]
    }

    /// The header with a request's name for `silence(of:)`.
    public static let attemptNameHeader = "x-name-of-try"

    private let house: Int
    private let state: Mutex<State>
    /// The port that the proxy listens on.
    public let port: Int

    private init(to house: Int, listeningOn port: Int, seed: UInt64) {
        self.house = house
        self.port = port
        state = Mutex(State(dice: XorshiftGenerator(seed: seed)))
    }

    public func setProfile(_ weather: FaultProfile) {
        state.withLock { $0.profile = weather }
    }

    /// The number of times each fault was met so far.
    public var faultCounts: [Fault: Int] { state.withLock(\.faultCounts) }

    /// Yields when the request of this name has met silence, so that a test need not wait to learn that.
    public func silences(of name: String) -> AsyncStream<Void> {
        let (stream, listener) = AsyncStream.makeStream(of: Void.self)
        state.withLock { $0.listeners[name] = listener }
        listener.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[name] = nil } }
        return stream
    }

    private func reportSilence(of silent: ProxiedRequest) {
        guard let name = silent.head.headers.first(name: Self.attemptNameHeader) else { return }
        state.withLock { $0.listeners[name] }?.yield()
    }

    /// Runs `body` with a proxy to the house on `port`.
    public static func open<Result: Sendable>(
        to house: Int, seed: UInt64, _ body: @escaping @Sendable (FaultProxy) async throws -> Result
    ) async throws -> Result {
        let listener = try await LoopbackServer.http()
        let proxy = FaultProxy(to: house, listeningOn: listener.port, seed: seed)
        return try await listener.run(serving: proxy.serve) { try await body(proxy) }
    }

    // MARK: One connection

    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    private typealias Requests = NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private typealias Answers = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    private func serve(_ connection: Connection) async {
        do {
            try await connection.executeThenClose { inbound, answers in
                var requests = inbound.makeAsyncIterator()
                while let request = try await Self.next(&requests), try await forward(request, answers, &requests) {}
            }
        } catch {
            // Clients that disconnect in the middle are part of the test.
        }
    }

    private static func next(_ requests: inout Requests) async throws -> ProxiedRequest? {
        var head: HTTPRequestHead?
        var body = ByteBuffer()
        while let part = try await requests.next() {
            switch part {
            case .head(let first): head = first
            case .body(let bytes): body.writeImmutableBuffer(bytes)
            case .end: return head.map { ProxiedRequest(head: $0, body: body) }
            }
        }
        return nil
    }

    /// Returns whether the connection continues.
    private func forward(_ request: ProxiedRequest, _ answers: Answers, _ requests: inout Requests) async throws -> Bool {
        switch nextFault() {
        case nil:
            try await answers.send(request.forwarded(of: house))
            // The held-back request is sent now, after later ones.
            for late in state.withLock({ state in
                defer { state.delayed = [] }
                return state.delayed
            }) { _ = try await late.forwarded(of: house) }
            return true
        case .hangUp: return false
        case .lostAnswer:
            _ = try await request.forwarded(of: house)
            return false
        case .cutBody:
            try await answers.sendHalf(of: request.forwarded(of: house))
            return false
        case .delay:
            // The delay is the injected fault.
            try await Task.sleep(for: .milliseconds(5 + roll(60)))
            try await answers.send(request.forwarded(of: house))
            return true
        case .duplicate:
            try await answers.send(forwardTwice(request))
            return true
        case .reorder:
            state.withLock { $0.delayed.append(request) }
            return false
        case .storm:
            try await answers.send(gatewayErrorResponse(request))
            return true
        case .silence:
            if roll(2) == 0 { _ = try await request.forwarded(of: house) }
            reportSilence(of: request)
            // Until the client gives up.
            while try await requests.next() != nil {}
            return false
        }
    }

    private func nextFault() -> Fault? {
        state.withLock { state in
            let fault = Self.nextFault(&state)
            if let fault { state.faultCounts[fault, default: 0] += 1 }
            return fault
        }
    }

    private static func nextFault(_ state: inout State) -> Fault? {
        if state.gatewayErrorsLeft > 0 {
            state.gatewayErrorsLeft -= 1
            return .storm
        }
        guard state.dice.next(1000) < state.profile.share else { return nil }
        var mark = state.dice.next(state.profile.faults.reduce(0) { $0 + $1.weight })
        for (fault, weight) in state.profile.faults {
            if mark < weight {
                if fault == .storm { state.gatewayErrorsLeft = 1 }
                return fault
            }
            mark -= weight
        }
        return nil
    }

    private func roll(_ sides: Int) -> Int { state.withLock { $0.dice.next(sides) } }

    private func forwardTwice(_ request: ProxiedRequest) async throws -> ProxiedResponse {
        if roll(2) == 0 {
            async let other = request.forwarded(of: house)
            let first = try await request.forwarded(of: house)
            _ = try await other
            return first
        }
        let first = try await request.forwarded(of: house)
        let second = try await request.forwarded(of: house)
        return roll(2) == 0 ? first : second
    }

    /// Sometimes the house has carried out the request, and the proxy did not wait.
    private func gatewayErrorResponse(_ request: ProxiedRequest) async throws -> ProxiedResponse {
        let status: HTTPResponseStatus = [.badGateway, .serviceUnavailable, .gatewayTimeout][roll(3)]
        if status == .gatewayTimeout { _ = try await request.forwarded(of: house) }
        let page = ByteBuffer(string: "<html><h1>\(status.code)</h1></html>")
        let headers: HTTPHeaders = ["content-type": "text/html", "content-length": "\(page.readableBytes)"]
        return ProxiedResponse(head: HTTPResponseHead(version: .http1_1, status: status, headers: headers), body: page)
    }
}

/// A complete request.
private struct ProxiedRequest {
    var head: HTTPRequestHead
    let body: ByteBuffer

    /// The answer of the house, over a separate connection.
    func forwarded(of port: Int) async throws -> ProxiedResponse {
        var head = head
        head.headers.replaceOrAdd(name: "connection", value: "close")
        let sent = head
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(host: "127.0.0.1", port: port) {
            channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(wrappingChannelSynchronously: channel)
            }
        }
        return try await channel.executeThenClose { parts, outbound in
            try await outbound.write(contentsOf: [.head(sent), .body(.byteBuffer(body)), .end(nil)])
            var answer = ProxiedResponse(head: HTTPResponseHead(version: .http1_1, status: .ok), body: ByteBuffer())
            for try await part in parts {
                switch part {
                case .head(let head): answer.head = head
                case .body(let bytes): answer.body.writeImmutableBuffer(bytes)
                case .end:
                    answer.head.headers.remove(name: "connection")
                    return answer
                }
            }
            throw ChannelError.eof
        }
    }
}

private struct ProxiedResponse {
    var head: HTTPResponseHead
    var body: ByteBuffer
}

extension NIOAsyncChannelOutboundWriter<HTTPServerResponsePart> {
    fileprivate func send(_ answer: ProxiedResponse) async throws {
        try await write(contentsOf: [.head(answer.head), .body(.byteBuffer(answer.body)), .end(nil)])
    }

    fileprivate func sendHalf(of answer: ProxiedResponse) async throws {
        guard answer.body.readableBytes > 1 else { return }
        var body = answer.body
        guard let half = body.readSlice(length: body.readableBytes / 2) else { return }
        try await write(contentsOf: [.head(answer.head), .body(.byteBuffer(half))])
    }
}
