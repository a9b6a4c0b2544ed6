import Crypto
import Foundation
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization

/// The properties by which others identify the hub.
public struct CertificateInfo: Hashable, Sendable {
    /// `sha256/` and the digest of the public key, base64 (RFC 7469).
    public let pin: String
    /// The key that takes over should this one be lost. Only the hub's own certificate has one.
    public let backupPin: String?
    public let notAfter: Date
    /// SHA-256 of the certificate, in hex, as browsers show it.
    public let fingerprint: String
}

/// The certificate the hub serves with, and its key: its own, made at the first start and renewed in time with the same key, or files that
/// another program maintains and that are read again when they change.
public final class HubIdentity: Service {
    public enum Source: Sendable {
        /// The hub's own certificate, for the names by which it is reachable at that moment: a machine's addresses change.
        case own(folder: URL, names: @Sendable () -> [String])
        case files(certificate: URL, key: URL)
    }

    private struct LoadedCertificate: Sendable {
        let chain: [NIOSSLCertificate]
        let key: NIOSSLPrivateKey
        let info: CertificateInfo
        let notBefore: Date
        /// The times and sizes of the files when they were read.
        var fileStamps: [String] = []
        /// The names that the certificate covers, if it is the hub's own.
        var names: Set<String> = []
    }

    /// The interval of checks whether the files changed, or the certificate is due for renewal.
    static let interval: TimeInterval = 10

    private let source: Source
    private let now: @Sendable () -> Date
    private let sleep: @Sendable (Date) async throws -> Void
    private let logger: Logger
    private let current: Mutex<LoadedCertificate>

    public init(
        _ source: Source, now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Date) async throws -> Void, logger: Logger
    ) throws {
        self.source = source
        self.now = now
        self.sleep = sleep
        self.logger = logger
        let first = try Self.load(source, at: now())
        current = Mutex(first)
        logger.notice(
            "hub key",
            metadata: [
                "pin": "\(first.info.pin)", "backup_pin": "\(first.info.backupPin ?? "none")", "not_after": "\(first.info.notAfter)",
            ])
    }

    public var info: CertificateInfo { current.withLock { $0.info } }

    /// TLS 1.3, and 1.2 only if it is allowed, and then with nothing but forward secrecy and AEAD.
    public func configuration(allowsTLS12: Bool) -> TLSConfiguration {
        let first = current.withLock { $0 }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: first.chain.map { .certificate($0) }, privateKey: .privateKey(first.key))
        configuration.minimumTLSVersion = allowsTLS12 ? .tlsv12 : .tlsv13
        configuration.cipherSuiteValues = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
        configuration.applicationProtocols = ["http/1.1"]
        // The last part of the one-second limit for closing a revoked reader: a client that reads nothing sends no close_notify.
        configuration.shutdownTimeout = .milliseconds(200)
        // Called at every handshake, so a new certificate needs no restart and cuts no connection.
        configuration.sslContextCallback = { [self] _, promise in
            let served = current.withLock { $0 }
            var override = NIOSSLContextConfigurationOverride()
            override.certificateChain = served.chain.map { .certificate($0) }
            override.privateKey = .privateKey(served.key)
            promise.succeed(override)
        }
        return configuration
    }

    public func run() async throws {
        try await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                do { try await sleep(now().addingTimeInterval(Self.interval)) } catch is CancellationError { return }
                refresh()
            }
        }
    }

    /// Looks whether another certificate is to be served, and serves it from the next handshake on.
    public func refresh() {
        let cached = current.withLock { $0 }
        let isDue =
            switch source {
            case .own(_, let names):
                // A certificate made by a clock that ran ahead is not valid yet.
                cached.notBefore > now() || cached.info.notAfter <= now().addingTimeInterval(SelfSignedCertificate.renewalPeriod)
                    || !cached.names.isSuperset(of: names())
            case .files(let certificate, let key): Self.readFileStamps([certificate, key]) != cached.fileStamps
            }
        guard isDue else { return }
        do {
            let fresh = try Self.load(source, at: now())
            current.withLock { $0 = fresh }
            // The existing one may already contain a name that the machine has again.
            guard fresh.info != cached.info else { return }
            logger.notice("new certificate loaded", metadata: ["pin": "\(fresh.info.pin)"])
        } catch {
            // Half-written files are complete a moment later; until then the old certificate is better than none.
            logger.error("certificate could not be reloaded; the old one stays in use", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Reading

    private static func load(_ source: Source, at now: Date) throws -> LoadedCertificate {
        switch source {
        case .own(let folder, let names): try own(folder, names(), at: now)
        case .files(let certificate, let key): try files(certificate, key)
        }
    }

    private static func own(_ folder: URL, _ names: [String], at now: Date) throws -> LoadedCertificate {
        let pair = try KeyPair.openOrCreate(at: folder.appending(path: "tls.key"))
        let backup = try KeyPair.openOrCreate(at: folder.appending(path: "tls-backup.key"))
        let file = folder.appending(path: "tls.crt")
        var pem = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        if !SelfSignedCertificate.isValid(pem, for: names, key: pair.key, at: now) {
            pem = try SelfSignedCertificate.make(for: names, key: pair.key, at: now).pem
            try Data(pem.utf8).write(to: file, options: .atomic)
        }
        return try loadedCertificate(
            NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)), NIOSSLPrivateKey(bytes: Array(pair.key.pemRepresentation.utf8), format: .pem),
            backupPin: backup.pin, names: Set(names))
    }

    private static func files(_ certificate: URL, _ key: URL) throws -> LoadedCertificate {
        // Before the files are read: a later change triggers another read.
        let stamps = readFileStamps([certificate, key])
        guard let chain = try? NIOSSLCertificate.fromPEMFile(certificate.path), let leaf = chain.first else {
            throw IdentityError.unreadable(path: certificate.path, what: "a certificate in PEM")
        }
        guard let secret = try? NIOSSLPrivateKey(file: key.path, format: .pem) else {
            throw IdentityError.unreadable(path: key.path, what: "a private key in PEM")
        }
        let mode = (try FileManager.default.attributesOfItem(atPath: key.path)[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
        guard mode & 0o007 == 0 else { throw IdentityError.readableByOthers(path: key.path) }
        // A certificate and key that do not match are rejected here, and not at every client's handshake.
        var trial = TLSConfiguration.makeServerConfiguration(certificateChain: [.certificate(leaf)], privateKey: .privateKey(secret))
        trial.minimumTLSVersion = .tlsv12
        guard (try? NIOSSLContext(configuration: trial)) != nil else {
            throw IdentityError.mismatch(certificate: certificate.path, key: key.path)
        }
        return try loadedCertificate(chain, secret, backupPin: nil, stamps: stamps)
    }

    private static func loadedCertificate(
        _ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey, backupPin: String?, stamps: [String] = [], names: Set<String> = []
    ) throws -> LoadedCertificate {
        guard let leaf = chain.first else { throw IdentityError.unreadable(path: "tls.crt", what: "a certificate in PEM") }
        let fingerprint = SHA256.hash(data: Data(try leaf.toDERBytes())).map { byte in
            let hex = String(byte, radix: 16)
            return byte < 16 ? "0\(hex)" : hex
        }
        return LoadedCertificate(
            chain: chain, key: key,
            info: CertificateInfo(
                pin: PublicKeyPin.pin(try leaf.extractPublicKey().toSPKIBytes()), backupPin: backupPin,
                notAfter: Date(timeIntervalSince1970: TimeInterval(leaf.notValidAfter)), fingerprint: fingerprint.joined()),
            notBefore: Date(timeIntervalSince1970: TimeInterval(leaf.notValidBefore)), fileStamps: stamps, names: names)
    }

    private static func readFileStamps(_ files: [URL]) -> [String] {
        files.map { file in
            guard let about = try? FileManager.default.attributesOfItem(atPath: file.path) else { return "" }
            let changed = (about[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            return "\(about[.systemFileNumber] ?? 0) \(about[.size] ?? 0) \(changed)"
        }
    }
}
