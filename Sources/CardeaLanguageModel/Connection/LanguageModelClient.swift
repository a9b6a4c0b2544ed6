import AsyncHTTPClient
import CardeaModel
import CardeaSecurity
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import ServiceLifecycle
import Synchronization

/// A model behind an OpenAI-compatible endpoint. Redirects are not followed, answers are read up to a limit, and all of it must arrive in
/// time.
final class LanguageModelClient: Sendable {
    enum Completion: Hashable, Sendable {
        case text(String)
        /// It answered, and not with words.
        case noContent
        /// Not now: after so many seconds, if it says.
        case retryLater(after: Int?)
    }

    private enum Reply: Sendable {
        case whole(Data)
        case tooLong
        case status(UInt, retryAfter: Int?)
    }

    private struct TimeoutError: Error {}

    private let settings: LanguageModelSettings
    /// The endpoint's role in the house, for the log.
    private let role: String
    private let client: HTTPClient
    private let timeout: Duration
    private let logger: Logger
    /// The last status: a refusal is logged once, and not with every question.
    private let lastStatus = Mutex<UInt>(200)

    /// - Parameter timeout: how long a whole answer may take.
    init(_ settings: LanguageModelSettings, as role: String, timeout: Duration, logger: Logger) throws {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        configuration.proxy = nil
        configuration.timeout.connect = .seconds(5)
        configuration.connectionPool.retryConnectionEstablishment = false
        if let authorities = settings.authorities {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(authorities.path))]
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.settings = settings
        self.role = role
        self.timeout = timeout
        self.logger = logger
    }

    /// Ends its connections with the house.
    func run() async throws {
        // Cancelled or shut down: either way it is over.
        do { try await gracefulShutdown() } catch is CancellationError {}
        try await shutdown()
    }

    func shutdown() async throws { try await client.shutdown() }

    /// Closes the connections of a hub that could not start; a hub that ran has closed them already.
    deinit { client.shutdown { _ in } }

    /// - Parameters:
    ///   - messages: in chat completions' form.
    ///   - longest: tokens of an answer at most.
    func complete(to messages: JSONValue, longest: Int) async -> Completion {
        do {
            switch try await reply(to: try request(messages, longest)) {
            case .whole(let body):
                logStatus(200)
                return ChatCompletionCoding.content(in: body).map { .text($0) } ?? .noContent
            case .tooLong: return .noContent
            case .status(let code, let after):
                logStatus(code)
                return code == 408 || code == 429 || code >= 500 ? .retryLater(after: after) : .noContent
            }
        } catch {
            logger.debug(
                "language model does not answer",
                metadata: ["model": "\(role)", "service": "\(settings.address.origin)", "error": "\(type(of: error))"])
            return .retryLater(after: nil)
        }
    }

    private func request(_ messages: JSONValue, _ longest: Int) throws -> HTTPClientRequest {
        var request = HTTPClientRequest(url: settings.address.completionsURL)
        request.method = .POST
        request.headers = ["content-type": "application/json", "accept": "application/json"]
        if let key = settings.key { request.headers.add(name: "authorization", value: "Bearer \(key.reveal())") }
        request.body = .bytes(ByteBuffer(string: try ChatCompletionCoding.requestBody(messages, of: settings.model, longest: longest)))
        return request
    }

    /// The client's own limit ends with an answer's head; this one holds for all of it.
    private func reply(to request: HTTPClientRequest) async throws -> Reply {
        try await withThrowingTaskGroup(of: Reply.self) { group in
            group.addTask { try await self.exchange(request) }
            group.addTask {
                try await Task.sleep(for: self.timeout)
                throw TimeoutError()
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw TimeoutError() }
            return first
        }
    }

    private func exchange(_ request: HTTPClientRequest) async throws -> Reply {
        let response = try await client.execute(request, timeout: .seconds(timeout.components.seconds + 1))
        guard response.status == .ok else {
            let seconds = response.headers.first(name: "retry-after").flatMap { Int($0) }.map { min(max($0, 0), 86_400) }
            return .status(response.status.code, retryAfter: seconds)
        }
        var body = Data()
        for try await part in response.body {
            guard body.count + part.readableBytes <= ChatCompletionCoding.responseLimit else { return .tooLong }
            body.append(contentsOf: part.readableBytesView)
        }
        return .whole(body)
    }

    private func logStatus(_ status: UInt) {
        let isNews = lastStatus.withLock { last in
            defer { last = status }
            return last != status
        }
        guard isNews, status != 200 else { return }
        logger.warning(
            "language model gave an invalid answer",
            metadata: ["model": "\(role)", "service": "\(settings.address.origin)", "status": "\(status)"])
    }
}
