import Foundation

/// A socket in the house's folder, mode 0600: only those who may write there can connect. It takes requests for the hub that a second
/// process must not perform.
public enum LocalSocket {
    public static let name = "hub.sock"

    /// The socket has no server, or the other side is gone.
    public struct SocketError: Error, Hashable, CustomStringConvertible {
        public let description: String

        public init(_ description: String) { self.description = description }

        static func fromErrno(_ what: String) -> SocketError { SocketError("\(what): \(String(cString: strerror(errno)))") }
    }

    /// Waits for clients. It blocks, so it has its own thread.
    public final class Listener: Sendable {
        private let descriptor: Int32
        private let folder: Int32

        /// - Parameter url: the house's folder, whose lock the caller holds: a socket that is already there is unused.
        public init(in url: URL) throws(SocketError) {
            folder = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard folder >= 0 else { throw .fromErrno("\(url.path) cannot be opened") }
            unlinkat(folder, LocalSocket.name, 0)
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            let place = LocalSocket.address(in: folder)
            let isBound = withUnsafeBytes(of: place) { bytes in
                bytes.baseAddress.map { bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) } == 0
            }
            // Before `listen`, since no client can connect until then.
            guard isBound, fchmodat(folder, LocalSocket.name, 0o600, 0) == 0, listen(descriptor, 4) == 0 else {
                throw .fromErrno("A socket cannot be made in \(url.path)")
            }
        }

        /// Returns the next client; nil after `stop`.
        public func accept() -> Connection? {
            while true {
                let connection = Foundation.accept(descriptor, nil, nil)
                if connection >= 0 { return Connection(connection) }
                guard errno == EINTR || errno == ECONNABORTED else { return nil }
            }
        }

        /// Stops waiting for clients.
        public func stop() {
            shutdown(descriptor, Int32(SHUT_RDWR))
            unlinkat(folder, LocalSocket.name, 0)
        }

        deinit {
            close(descriptor)
            close(folder)
        }
    }

    /// The hub that serves the house there; nil if none does.
    public static func connect(in url: URL) throws(SocketError) -> Connection? {
        let folder = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .fromErrno("\(url.path) cannot be opened") }
        defer { close(folder) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let place = address(in: folder)
        let isThere = withUnsafeBytes(of: place) { bytes in
            bytes.baseAddress.map { Foundation.connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) } == 0
        }
        if isThere { return Connection(descriptor) }
        let code = errno
        close(descriptor)
        if code == ENOENT || code == ECONNREFUSED { return nil }
        errno = code
        throw .fromErrno("The hub that serves \(url.path) cannot be reached")
    }

    /// The address by the open folder, since a path may be longer than the 107 bytes that fit here.
    private static func address(in folder: Int32) -> sockaddr_un {
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        let path = Array("/proc/self/fd/\(folder)/\(name)".utf8)
        withUnsafeMutableBytes(of: &place.sun_path) { bytes in
            for (index, byte) in path.enumerated() { bytes[index] = byte }
        }
        return place
    }

    /// A connection that sends frames: a letter, four bytes of length, and that many bytes. It blocks.
    public final class Connection: Sendable {
        private let descriptor: Int32
        private static let frameLimit = 1 << 20

        fileprivate init(_ descriptor: Int32) {
            self.descriptor = descriptor
            // A peer that is silent for a minute is gone. Making and checking a copy may take longer, so the client has no such limit.
            var patience = timeval(tv_sec: 60, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        }

        /// Sets the time limit for data from the other side.
        public func wait(seconds: Int) {
            var patience = timeval(tv_sec: seconds, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        }

        /// Ends the connection; pending reads return an error.
        public func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

        public func send(_ kind: Character, _ data: Data) throws(SocketError) {
            let count = UInt32(clamping: data.count)
            var frame = Data([kind.asciiValue ?? 0])
            for shift in [24, 16, 8, 0] as [UInt32] { frame.append(UInt8(count >> shift & 255)) }
            frame += data
            var place = 0
            while place < frame.count {
                let sent = frame.withUnsafeBytes { bytes in
                    Foundation.send(descriptor, bytes.baseAddress.map { $0 + place }, bytes.count - place, Int32(MSG_NOSIGNAL))
                }
                if sent < 0 && errno == EINTR { continue }
                guard sent > 0 else { throw .fromErrno("The connection was closed") }
                place += sent
            }
        }

        /// The next frame; nil if the other side has ended.
        public func receive() throws(SocketError) -> (kind: Character, data: Data)? {
            guard let head = try read(5) else { return nil }
            let count = head.dropFirst().reduce(0) { $0 << 8 | Int($1) }
            guard count <= Self.frameLimit, let data = try read(count), let kind = head.first else {
                throw SocketError("The other program sent an invalid message.")
            }
            return (Character(UnicodeScalar(kind)), data)
        }

        private func read(_ count: Int) throws(SocketError) -> Data? {
            var data = Data()
            while data.count < count {
                var piece = [UInt8](repeating: 0, count: min(count - data.count, 1 << 16))
                let got = recv(descriptor, &piece, piece.count, 0)
                if got < 0 && errno == EINTR { continue }
                if got < 0 && errno == EAGAIN { throw SocketError("The other program did not answer in time.") }
                guard got >= 0 else { throw .fromErrno("The connection was closed") }
                if got == 0 { return nil }
                data.append(contentsOf: piece[..<got])
            }
            return data
        }

        deinit { close(descriptor) }
    }
}
