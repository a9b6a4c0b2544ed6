import Glibc
import Synchronization

/// PEM text under a path the library can open, with no name in any file system: shared memory, unlinked before anything is written
/// to it, mode 0600, gone with its descriptor.
final class MemoryFile {
    private let descriptor: Int32
    var path: String { "/proc/self/fd/\(descriptor)" }

    private static let count = Mutex(0)

    init?(_ text: String) {
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        let name = "/cardea-\(getpid())-\(number)-\(UInt64.random(in: 0 ... .max))"
        descriptor = shm_open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        shm_unlink(name)
        var rest = ArraySlice(text.utf8)
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else {
                if errno == EINTR { continue }
                return nil
            }
            rest = rest.dropFirst(written)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

/// The certificates and the key of one connection, if the library can open them.
final class CredentialFiles {
    let ca: MemoryFile?
    let certificate: MemoryFile?
    let key: MemoryFile?

    /// Nil when the system gives no memory for them.
    init?(_ tls: ConnectionOptions.TLS) {
        ca = tls.caPEM.flatMap(MemoryFile.init)
        certificate = tls.certificatePEM.flatMap(MemoryFile.init)
        key = tls.keyPEM.flatMap(MemoryFile.init)
        for (text, file) in [(tls.caPEM, ca), (tls.certificatePEM, certificate), (tls.keyPEM, key)] where text != nil && file == nil {
            return nil
        }
    }
}
