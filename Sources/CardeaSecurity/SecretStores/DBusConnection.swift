#if os(Linux)
    import Foundation

    /// One connection to the bus on which a desktop's programs speak with each other. Its calls block, and end at a moment set before.
    final class DBusConnection {
        private let socket: Int32
        private let deadline: ContinuousClock.Instant
        private var serial = 0

        /// - Parameter timeout: for the whole life of the connection.
        init(environment: [String: String], timeout: Duration) throws(DBusError) {
            deadline = .now + timeout
            guard let path = Self.path(environment) else { throw .noConnection("there is no session bus") }
            socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            try connect(to: path)
            try authenticate()
            _ = try call("Hello", on: "/org/freedesktop/DBus", of: "org.freedesktop.DBus", at: "org.freedesktop.DBus", answer: "s")
        }

        deinit { if socket >= 0 { close(socket) } }

        /// Makes one call and returns its reply, which must be of the types in `answer`.
        func call(
            _ member: String, on path: String, of interface: String, at program: String, taking signature: String = "",
            _ arguments: (inout DBusWriter) -> Void = { _ in }, answer: String
        ) throws(DBusError) -> DBusReader {
            serial += 1
            var body = DBusWriter()
            arguments(&body)
            var message = DBusWriter()
            for byte in [UInt8(ascii: "l"), DBusHeader.Kind.methodCall.rawValue, 0, 1] { message.byte(byte) }
            message.uint32(body.bytes.count)
            message.uint32(serial)
            message.array(alignedTo: 8) { fields in
                for (code, type, value) in [(1, "o", path), (2, "s", interface), (3, "s", member), (6, "s", program)]
                    as [(UInt8, String, String)]
                {
                    fields.align(8)
                    fields.byte(code)
                    fields.variant(type) { $0.string(value) }
                }
                guard !signature.isEmpty else { return }
                fields.align(8)
                fields.byte(8)
                fields.variant("g") { $0.signature(signature) }
            }
            message.align(8)
            try send(message.bytes + body.bytes)
            return try receiveReply(expecting: answer)
        }

        private func receiveReply(expecting signature: String) throws(DBusError) -> DBusReader {
            var (head, body) = try next()
            // Broadcast signals arrive in between.
            while head.replySerial != serial { (head, body) = try next() }
            if head.kind == .error { throw .refused(name: head.errorName) }
            guard head.kind == .methodReturn, head.signature == signature else { throw .malformed }
            return DBusReader(body)
        }

        private func next() throws(DBusError) -> (DBusHeader, body: [UInt8]) {
            var head = try DBusHeader(fixed: receive(DBusHeader.fixedLength))
            try head.read(fields: receive(head.fieldsLength))
            return (head, try receive(head.bodyLength))
        }

        /// The socket's path from the address; an abstract one begins with a zero. Nil if there is no bus of this person's.
        private static func path(_ environment: [String: String]) -> [UInt8]? {
            guard let addresses = environment["DBUS_SESSION_BUS_ADDRESS"], !addresses.isEmpty else {
                guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
                return Array("\(folder)/bus".utf8)
            }
            for address in addresses.split(separator: ";") where address.hasPrefix("unix:") {
                for part in address.dropFirst("unix:".count).split(separator: ",") {
                    let pair = part.split(separator: "=", maxSplits: 1)
                    guard pair.count == 2, let value = String(pair[1]).removingPercentEncoding else { continue }
                    if pair[0] == "path" { return Array(value.utf8) }
                    if pair[0] == "abstract" { return [0] + Array(value.utf8) }
                }
            }
            return nil
        }

        private func connect(to path: [UInt8]) throws(DBusError) {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let room = MemoryLayout.size(ofValue: address.sun_path)
            guard path.count < room else { throw .noConnection("the session bus has too long an address") }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
            // An abstract name has exactly its length, zeros included; a path ends at its first zero.
            let length = MemoryLayout<sockaddr_un>.size - room + path.count + (path.first == 0 ? 0 : 1)
            let bus = address
            func answers() -> Bool {
                withUnsafePointer(to: bus) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, socklen_t(length)) == 0 }
                }
            }
            // Without a socket, the reason is reported.
            guard socket >= 0, answers() else {
                throw .noConnection("the session bus does not answer (\(String(cString: strerror(errno))))")
            }
        }

        /// Authenticates by the user id, which the bus reads from the socket itself.
        private func authenticate() throws(DBusError) {
            let person = "\(getuid())".utf8.map { String($0, radix: 16) }.joined()
            try send(Array("\0AUTH EXTERNAL \(person)\r\n".utf8))
            var line: [UInt8] = []
            while line.last != UInt8(ascii: "\n") {
                guard line.count < 512 else { throw .malformed }
                line += try receive(1)
            }
            guard line.starts(with: "OK ".utf8) else { throw .noConnection("the session bus belongs to somebody else") }
            try send(Array("BEGIN\r\n".utf8))
        }

        private func send(_ bytes: [UInt8]) throws(DBusError) {
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(socket, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
                }
                if count >= 0 { sent += count } else { try waitAfterFailure(for: POLLOUT) }
            }
        }

        private func receive(_ count: Int) throws(DBusError) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            var received = 0
            while received < count {
                // A bus that sends without end is not waited for either.
                let isInTime = ContinuousClock.now < deadline
                let some = bytes.withUnsafeMutableBytes { recv(socket, $0.baseAddress?.advanced(by: received), count - received, 0) }
                guard some != 0, isInTime else { throw .noAnswer }
                if some > 0 { received += some } else { try waitAfterFailure(for: POLLIN) }
            }
            return bytes
        }

        private func waitAfterFailure(for event: Int32) throws(DBusError) {
            guard errno == EAGAIN || errno == EINTR else { throw .noAnswer }
            let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            guard left > 0 else { throw .noAnswer }
            var state = pollfd(fd: socket, events: Int16(event), revents: 0)
            // After the wait the caller tries once more, and comes back here if that failed.
            poll(&state, 1, Int32(min(left.rounded(.up), 60_000)))
        }
    }
#endif
