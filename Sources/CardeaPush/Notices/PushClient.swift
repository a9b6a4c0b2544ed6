import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOSSL
import ServiceLifecycle

/// The connections to push services: HTTP/2 where the service has it, no redirect followed, and little read of an answer.
public final class PushClient: Service {
    struct Answer {
        let status: HTTPResponseStatus
        /// Seconds after which to try again, where the service says. A date, which it might say as well, is taken for nothing said.
        let retryAfter: Int?
        /// Its first 4096 octets.
        let body: Data
    }

    private let client: HTTPClient
    private let patience: Duration
    let logger: Logger

    /// - Parameters:
    ///   - authorities: a file with certificates in PEM that are trusted beside the system's, for a push service of the household's own.
    ///   - patience: how long a service may take for its whole answer.
    public init(authorities: URL? = nil, patience: Duration = .seconds(10), logger: Logger) throws {
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

    /// Of a hub that could not start nobody ends the connections; of one that ran, they have ended.
    deinit { client.shutdown { _ in } }

    /// - Returns: nil where the service does not answer.
    func send(_ request: HTTPClientRequest, to service: String) async -> Answer? {
        do {
            return try await withThrowingTaskGroup(of: Answer.self) { group in
                group.addTask { try await self.exchange(request) }
                // The client's own limits end with the head, and begin anew with each part of the body.
                group.addTask {
                    try await Task.sleep(for: self.patience)
                    throw HTTPClientError.deadlineExceeded
                }
                defer { group.cancelAll() }
                return try await group.next()
            }
        } catch {
            logger.debug("a push service does not answer", metadata: ["service": "\(service)", "error": "\(type(of: error))"])
            return nil
        }
    }

    private func exchange(_ request: HTTPClientRequest) async throws -> Answer {
        let response = try await client.execute(request, deadline: .distantFuture)
        var body = Data()
        for try await part in response.body {
            body.append(contentsOf: part.readableBytesView.prefix(4096 - body.count))
            if body.count >= 4096 { break }
        }
        let seconds = response.headers.first(name: "retry-after").flatMap { Int($0) }.map { min(max($0, 0), 86_400) }
        return Answer(status: response.status, retryAfter: seconds, body: body)
    }
}
