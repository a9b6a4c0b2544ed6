#if canImport(Darwin)
    import CryptoKit
    import Foundation
    import Security
    import Synchronization

    /// The transport on Apple's systems: `URLSession`, here without redirects, proxies and cookies.
    ///
    /// A hub in the pin store is recognised by its key alone: P-256, P-384 or P-521, as hubs have. Every other hub is validated as usual.
    public final class URLSessionTransport: Transport {
        /// The maximum size of an answer in bytes.
        public static let largest = 8 << 20

        private let session: URLSession
        private let pins: PinBook

        public init(pins: PinBook = PinBook()) {
            self.pins = pins
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = nil
            configuration.urlCache = nil
            configuration.connectionProxyDictionary = [:]
            configuration.waitsForConnectivity = false
            configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
            session = URLSession(configuration: configuration)
        }

        deinit { session.finishTasksAndInvalidate() }

        public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            let doorman = Doorman(pins.pins(for: request.url))
            do {
                let (bytes, head) = try await session.bytes(for: outgoing(request), delegate: doorman)
                guard let head = head as? HTTPURLResponse else { throw TransportFailure.interrupted }
                var body = Data()
                for try await byte in bytes {
                    guard body.count < Self.largest else { throw TransportFailure.tooLarge }
                    body.append(byte)
                }
                return TransportResponse(status: head.statusCode, headers: Self.headers(of: head), body: body)
            } catch {
                throw doorman.failure(error)
            }
        }

        public func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
            let doorman = Doorman(pins.pins(for: request.url))
            do {
                let (bytes, head) = try await session.bytes(for: outgoing(request), delegate: doorman)
                guard let head = head as? HTTPURLResponse else { throw TransportFailure.interrupted }
                let (parts, part) = AsyncThrowingStream<Data, any Error>.makeStream()
                let reading = Task {
                    do {
                        var line = Data()
                        for try await byte in bytes {
                            line.append(byte)
                            guard byte == UInt8(ascii: "\n") || line.count >= 4096 else { continue }
                            part.yield(line)
                            line.removeAll(keepingCapacity: true)
                        }
                        part.yield(line)
                        part.finish()
                    } catch {
                        part.finish(throwing: doorman.failure(error))
                    }
                }
                part.onTermination = { _ in reading.cancel() }
                return TransportStream(status: head.statusCode, parts: parts)
            } catch {
                throw doorman.failure(error)
            }
        }

        private func outgoing(_ request: TransportRequest) throws -> URLRequest {
            // Another route to the same hub needs a transport that can connect to a given address.
            guard request.route == nil else { throw TransportFailure.noConnection }
            var outgoing = URLRequest(url: request.url, timeoutInterval: TimeInterval(request.timeout.components.seconds))
            outgoing.httpMethod = request.method.rawValue
            outgoing.httpBody = request.body
            for (name, value) in request.headers { outgoing.setValue(value, forHTTPHeaderField: name) }
            return outgoing
        }

        private static func headers(of head: HTTPURLResponse) -> [String: String] {
            Dictionary(
                head.allHeaderFields.compactMap { name, value in (name as? String).map { ($0, "\(value)") } },
                uniquingKeysWith: { first, _ in first })
        }
    }

    /// Checks the host's identity before anything is sent, and follows no redirect.
    private final class Doorman: NSObject, URLSessionTaskDelegate {
        private let pins: Set<Pin>?
        private let refused = Mutex(false)

        init(_ pins: Set<Pin>?) { self.pins = pins }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest
        ) async -> URLRequest? { nil }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            guard let pins, let trust = challenge.protectionSpace.serverTrust else { return (.performDefaultHandling, nil) }
            guard let key = Self.key(of: trust), pins.contains(key), Self.isValid(trust) else {
                refused.withLock { $0 = true }
                return (.cancelAuthenticationChallenge, nil)
            }
            return (.useCredential, URLCredential(trust: trust))
        }

        /// Returns whether the certificate is within its validity period and matches the name. No authority need vouch for it, since its
        /// key is pinned.
        private static func isValid(_ trust: SecTrust) -> Bool {
            guard let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let shown = chain.first else { return false }
            return SecTrustSetAnchorCertificates(trust, [shown] as CFArray) == errSecSuccess && SecTrustEvaluateWithError(trust, nil)
        }

        /// SHA-256 over the SubjectPublicKeyInfo (RFC 7469, section 2.4).
        private static func key(of trust: SecTrust) -> Pin? {
            guard let key = SecTrustCopyKey(trust), let point = SecKeyCopyExternalRepresentation(key, nil) as Data? else { return nil }
            let info =
                (try? P256.Signing.PublicKey(x963Representation: point).derRepresentation)
                ?? (try? P384.Signing.PublicKey(x963Representation: point).derRepresentation)
                ?? (try? P521.Signing.PublicKey(x963Representation: point).derRepresentation)
            return info.map { Pin(digest: Data(SHA256.hash(data: $0))) }
        }

        func failure(_ error: any Error) -> TransportFailure {
            if let failure = error as? TransportFailure { return failure }
            if refused.withLock(\.self) { return .untrusted }
            guard let error = error as? URLError else { return error is CancellationError ? .cancelled : .interrupted }
            switch error.code {
            case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .dataNotAllowed,
                .appTransportSecurityRequiresSecureConnection:
                return .noConnection
            case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
                .serverCertificateNotYetValid:
                return .untrusted
            case .timedOut: return .timeout
            case .cancelled: return .cancelled
            default: return .interrupted
            }
        }
    }
#endif
