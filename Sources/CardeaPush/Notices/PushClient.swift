import AsyncHTTPClient
import CardeaModel
import Foundation
import Logging
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOSSL
import ServiceLifecycle

/// The connections to push services: HTTP/2 if the service has it, no redirect followed, and little read of an answer. A service that the
/// household did not name is connected to at public addresses alone.
public final class PushClient: Service {
    struct Reply {
        let status: HTTPResponseStatus
        /// Seconds after which to try again, if the service gives them. A date, which is allowed as well, is ignored.
        let retryAfter: Int?
        /// Its first 4096 octets.
        let body: Data
    }

    private let configuration: HTTPClient.Configuration
    private let client: HTTPClient
    private let hostResolver: PublicHostResolver
    private let timeout: Duration
    let logger: Logger

    /// - Parameters:
    ///   - authorities: a file with certificates in PEM that are trusted beside the system's, for a push service of the household's own.
    ///   - timeout: how long a service may take for its whole answer.
    public convenience init(authorities: URL? = nil, timeout: Duration = .seconds(10), logger: Logger) throws {
        try self.init(authorities: authorities, timeout: timeout, hosts: PublicHostResolver(), logger: logger)
    }

    init(authorities: URL? = nil, timeout: Duration = .seconds(10), hosts: PublicHostResolver, logger: Logger) throws {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        configuration.proxy = nil
        configuration.timeout.connect = .seconds(5)
        configuration.connectionPool.retryConnectionEstablishment = false
        if let authorities {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(authorities.path))]
            configuration.tlsConfiguration = tls
        }
        self.configuration = configuration
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.hostResolver = hosts
        self.timeout = timeout
        self.logger = logger
    }

    /// Ends its connections with the house.
    public func run() async throws {
        // Cancelled or shut down: either way it is over.
        do { try await gracefulShutdown() } catch is CancellationError {}
        try await shutdown()
    }

    func shutdown() async throws { try await client.shutdown() }

    /// Closes the connections of a hub that could not start; a hub that ran has closed them already.
    deinit { client.shutdown { _ in } }

    /// - Parameter host: the name of the service, to be reached at public addresses alone; nil to reach it at any.
    /// - Returns: nil if the service does not answer.
    func send(_ request: HTTPClientRequest, to service: String, at host: String? = nil) async -> Reply? {
        do {
            return try await withThrowingTaskGroup(of: Reply.self) { group in
                group.addTask {
                    if let host { try await self.exchange(request, at: host) } else { try await Self.exchange(request, by: self.client) }
                }
                // The client's own limits end with the head, and restart with each part of the body.
                group.addTask {
                    try await Task.sleep(for: self.timeout)
                    throw HTTPClientError.deadlineExceeded
                }
                defer { group.cancelAll() }
                return try await group.next()
            }
        } catch PublicHostResolver.HostError.notPublic(let rule) {
            logger.warning(
                "push service has no public address: allow it with --push-service",
                metadata: ["service": "\(service)", "rule": "\(rule.rawValue)"])
            return nil
        } catch {
            logger.debug("push service does not answer", metadata: ["service": "\(service)", "error": "\(type(of: error))"])
            return nil
        }
    }

    /// Connects to a checked address of the host, and to no other. The connection has its own client, because clients cache an address by
    /// the host's name.
    private func exchange(_ request: HTTPClientRequest, at host: String) async throws -> Reply {
        // With another name the client would resolve it itself.
        guard URL(string: request.url)?.host() == host else { throw PublicHostResolver.HostError.unknownHost }
        let addresses = try await hostResolver.addresses(of: host)
        for (index, address) in addresses.enumerated() {
            var configuration = self.configuration
            configuration.dnsOverride = [host: address]
            do {
                return try await HTTPClient.withHTTPClient(configuration: configuration) { try await Self.exchange(request, by: $0) }
            } catch let failure where index + 1 < addresses.count && Self.isUnconnected(failure) {
                continue
            }
        }
        throw PublicHostResolver.HostError.unknownHost
    }

    /// No connection was made, so nothing was sent, and the next address may be tried.
    private static func isUnconnected(_ error: any Error) -> Bool {
        if let error = error as? HTTPClientError { return error == .connectTimeout }
        guard let error = error as? IOError else { return false }
        return [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ETIMEDOUT].contains(error.errnoCode)
    }

    private static func exchange(_ request: HTTPClientRequest, by client: HTTPClient) async throws -> Reply {
        let response = try await client.execute(request, deadline: .distantFuture)
        var body = Data()
        for try await part in response.body {
            body.append(contentsOf: part.readableBytesView.prefix(4096 - body.count))
            if body.count >= 4096 { break }
        }
        let seconds = response.headers.first(name: "retry-after").flatMap { Int($0) }.map { min(max($0, 0), 86_400) }
        return Reply(status: response.status, retryAfter: seconds, body: body)
    }
}
