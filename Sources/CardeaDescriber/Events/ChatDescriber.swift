import AsyncHTTPClient
import CardeaHub
import CardeaSecurity
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import ServiceLifecycle
import Synchronization

/// Asks an OpenAI-compatible endpoint what a picture shows. No redirect is followed, little is read of an answer, and all of it is to be there
/// in time.
public final class ChatDescriber: PictureDescriber, Service {
    private let address: DescriberAddress
    private let model: String
    private let key: Secret?
    private let client: HTTPClient
    private let patience: Duration
    private let logger: Logger
    /// What it answered last: a refusal is said once, and not with every picture.
    private let lastStatus = Mutex<UInt>(200)

    private enum Reply: Sendable {
        case whole(Data)
        case tooLong
        case status(UInt, retryAfter: Int?)
    }

    private struct TooLate: Error {}

    /// - Parameters:
    ///   - key: what stands after `Bearer`; nil for an endpoint that asks for none.
    ///   - authorities: a file with certificates in PEM that are trusted beside the system's.
    ///   - patience: how long a whole answer may take. A model on a small machine thinks for half a minute.
    public init(
        address: DescriberAddress, model: String, key: Secret? = nil, authorities: URL? = nil, patience: Duration = .seconds(60),
        logger: Logger
    ) throws {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        configuration.proxy = nil
        configuration.timeout.connect = .seconds(5)
        configuration.connectionPool.retryConnectionEstablishment = false
        if let authorities {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(authorities.path))]
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.address = address
        self.model = model
        self.key = key
        self.patience = patience
        self.logger = logger
    }

    /// Ends its connections with the house.
    public func run() async throws {
        // Cancelled or asked to: either way it is over.
        do { try await gracefulShutdown() } catch is CancellationError {}
        try await shutdown()
    }

    func shutdown() async throws { try await client.shutdown() }

    public func describe(_ jpeg: Data) async -> PictureDescription {
        do {
            switch try await reply(to: try request(about: jpeg)) {
            case .whole(let body):
                note(200)
                return ChatTalk.said(in: body).map { .said($0) } ?? .nothing
            case .tooLong: return .nothing
            case .status(let code, let after):
                note(code)
                return code == 408 || code == 429 || code >= 500 ? .later(after: after) : .nothing
            }
        } catch {
            logger.debug("the describer does not answer", metadata: ["service": "\(address.origin)", "error": "\(type(of: error))"])
            return .later(after: nil)
        }
    }

    private func request(about jpeg: Data) throws -> HTTPClientRequest {
        var request = HTTPClientRequest(url: address.completions)
        request.method = .POST
        request.headers = ["content-type": "application/json", "accept": "application/json"]
        if let key { request.headers.add(name: "authorization", value: "Bearer \(key.reveal())") }
        request.body = .bytes(ByteBuffer(string: try ChatTalk.question(about: jpeg, of: model)))
        return request
    }

    /// The client's own limit ends with an answer's head; this one holds for all of it.
    private func reply(to request: HTTPClientRequest) async throws -> Reply {
        try await withThrowingTaskGroup(of: Reply.self) { group in
            group.addTask { try await self.exchange(request) }
            group.addTask {
                try await Task.sleep(for: self.patience)
                throw TooLate()
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw TooLate() }
            return first
        }
    }

    private func exchange(_ request: HTTPClientRequest) async throws -> Reply {
        let response = try await client.execute(request, timeout: .seconds(patience.components.seconds + 1))
        guard response.status == .ok else {
            let seconds = response.headers.first(name: "retry-after").flatMap { Int($0) }.map { min(max($0, 0), 86_400) }
            return .status(response.status.code, retryAfter: seconds)
        }
        var body = Data()
        for try await part in response.body {
            guard body.count + part.readableBytes <= ChatTalk.longestAnswer else { return .tooLong }
            body.append(contentsOf: part.readableBytesView)
        }
        return .whole(body)
    }

    private func note(_ status: UInt) {
        let isNews = lastStatus.withLock { last in
            defer { last = status }
            return last != status
        }
        guard isNews, status != 200 else { return }
        logger.warning(
            "the describer answers otherwise than with words", metadata: ["service": "\(address.origin)", "status": "\(status)"])
    }
}
