import Foundation
import Glibc
import Synchronization

@testable import CardeaSecurity

/// Our own session bus with a keyring on it, whose faults a test scripts. Without a script it is an open keyring that stores what it is
/// given, under one name.
final class ScriptedDBus: Sendable {
    struct Call: Sendable {
        let member: String
        let serial: Int
        let body: DBusReader
    }

    enum Reply: Sendable {
        case answer(String, @Sendable (inout DBusWriter) -> Void)
        case refusal(String)
        /// These bytes, unchanged.
        case bytes([UInt8])
        /// The same bytes again and again, while the client reads.
        case endless([UInt8])
        /// The connection ends, with everything unread on it.
        case hangUp
        /// Nothing is read or sent any more.
        case deaf
    }

    /// The behaviour that a test changes. By default it is that of an ordinary bus and keyring.
    struct Script: Sendable {
        /// The reply to a client's authentication.
        var greeting = Reply.bytes(Array("OK 0123456789abcdef\r\n".utf8))
        /// The action taken once the header of a call was read, by the call's number on the connection.
        var atHead: @Sendable (_ number: Int) -> Reply? = { _ in nil }
        var reply: @Sendable (Call) -> Reply? = { _ in nil }
    }

    /// The path at which programs find the bus.
    let path: String
    private let listening: Int32
    private let script: Script
    private let kept: Mutex<[UInt8]?>

    /// - Parameter isAbstract: true for an abstract name.
    init(isAbstract: Bool = false, keeping kept: [UInt8]? = nil, _ script: Script = Script()) throws {
        path = "/tmp/cardea-\(UUID().uuidString.prefix(8)) bus"
        self.script = script
        self.kept = Mutex(kept)
        listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = (isAbstract ? [0] : []) + Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path) + name.count)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listening, $0, length) }
        }
        guard status == 0, listen(listening, 8) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        // Separate blocking threads: one ends with this bus, each other with its caller.
        Thread.detachNewThread { [listening, weak self] in
            while true {
                let line = accept(listening, nil, nil)
                guard line >= 0 else { break }
                Thread.detachNewThread { [weak self] in
                    self?.serve(line)
                    close(line)
                }
            }
            // Closed only here, so that its number does not pass to another socket while this thread listens on it.
            close(listening)
        }
    }

    /// Tells those waiting for callers that none will come any more.
    func end() {
        shutdown(listening, Int32(SHUT_RDWR))
        unlink(path)
    }

    var store: SecretServiceStore { store(timeout: .seconds(120)) }

    func store(timeout: Duration) -> SecretServiceStore {
        SecretServiceStore(
            environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(path.replacing(" ", with: "%20"))"], timeout: timeout)
    }

    /// The keyring's stored secret.
    var secret: [UInt8]? { kept.withLock { $0 } }

    // MARK: - Answers

    /// A message from the bus that answers the call with that number.
    static func message(
        _ kind: DBusHeader.Kind = .methodReturn, to serial: Int, signature: String, fields more: (inout DBusWriter) -> Void = { _ in },
        _ body: (inout DBusWriter) -> Void
    ) -> [UInt8] {
        var content = DBusWriter()
        body(&content)
        var message = DBusWriter()
        for byte in [UInt8(ascii: "l"), kind.rawValue, 0, 1] { message.byte(byte) }
        message.uint32(content.bytes.count)
        message.uint32(1)
        message.array(alignedTo: 8) { fields in
            more(&fields)
            fields.align(8)
            fields.byte(5)
            fields.variant("u") { $0.uint32(serial) }
            fields.align(8)
            fields.byte(8)
            fields.variant("g") { $0.signature(signature) }
        }
        message.align(8)
        return message.bytes + content.bytes
    }

    private func ordinary(_ call: Call) -> Reply {
        let item = kept.withLock { $0 }.map { _ in ["/item"] } ?? []
        switch call.member {
        case "Hello": return .answer("s") { $0.string(":1.1") }
        case "ReadAlias": return .answer("o") { $0.string("/collection") }
        case "Get":
            return .answer("v") { answer in answer.variant("b") { $0.boolean(false) } }
        case "SearchItems":
            return .answer("aoao") { answer in
                answer.array(alignedTo: 4) { for path in item { $0.string(path) } }
                answer.array(alignedTo: 4) { _ in }
            }
        case "OpenSession":
            return .answer("vo") { answer in
                answer.variant("s") { $0.string("") }
                answer.string("/session")
            }
        case "GetSecret":
            let secret = secret ?? []
            return .answer("(oayays)") { answer in
                answer.align(8)
                answer.string("/session")
                answer.data([])
                answer.data(secret)
                answer.string("text/plain")
            }
        case "SetSecret":
            var body = call.body
            guard let (_, _, secret) = try? (body.string(), body.data(), body.data()) else { return .refusal("double.Misunderstood") }
            kept.withLock { $0 = secret }
            return .answer("") { _ in }
        case "Delete":
            kept.withLock { $0 = nil }
            return .answer("o") { $0.string("/") }
        case "CreateItem":
            return .answer("oo") { answer in
                answer.string("/item")
                answer.string("/")
            }
        default: return .refusal("double.Unknown")
        }
    }

    // MARK: - Connection

    private func serve(_ line: Int32) {
        guard readUntil(line, until: "\r\n"), act(script.greeting, on: line), readUntil(line, until: "BEGIN\r\n") else { return }
        var number = 0
        while let fixed = read(DBusHeader.fixedLength, from: line) {
            number += 1
            if let reply = script.atHead(number), !act(reply, on: line) { return }
            guard let call = rest(of: fixed, on: line), act(script.reply(call) ?? ordinary(call), on: line, to: call.serial) else { return }
        }
    }

    /// Returns whether the connection continues.
    private func act(_ reply: Reply, on line: Int32, to serial: Int = 0) -> Bool {
        switch reply {
        case .answer(let signature, let body): return send(Self.message(to: serial, signature: signature, body), on: line)
        case .refusal(let name):
            let fields = { (fields: inout DBusWriter) in
                fields.align(8)
                fields.byte(4)
                fields.variant("s") { $0.string(name) }
            }
            return send(Self.message(.error, to: serial, signature: "", fields: fields) { _ in }, on: line)
        case .bytes(let bytes): return send(bytes, on: line)
        case .endless(let bytes):
            while send(bytes, on: line) {}
            return false
        case .hangUp: return false
        case .deaf:
            // Without requested events, this ends when the other side closes.
            var state = pollfd(fd: line, events: 0, revents: 0)
            poll(&state, 1, -1)
            return false
        }
    }

    private func send(_ bytes: [UInt8], on line: Int32) -> Bool {
        bytes.withUnsafeBytes { Glibc.send(line, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
    }

    private func readUntil(_ line: Int32, until end: String) -> Bool {
        var heard: [UInt8] = []
        while !heard.reversed().starts(with: end.utf8.reversed()) {
            guard let byte = read(1, from: line) else { return false }
            heard += byte
        }
        return true
    }

    /// In small pieces, so that the sender of a large message has to wait.
    private func read(_ count: Int, from line: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 512)
        while bytes.count < count {
            let some = recv(line, &piece, min(piece.count, count - bytes.count), 0)
            guard some > 0 else { return nil }
            bytes += piece.prefix(some)
        }
        return bytes
    }

    private func rest(of fixed: [UInt8], on line: Int32) -> Call? {
        var head = DBusReader(fixed)
        guard let (_, bodyLength, serial, length) = try? (head.uint32(), head.uint32(), head.uint32(), head.uint32()),
            let fields = read((length + 7) / 8 * 8, from: line), let body = read(bodyLength, from: line)
        else { return nil }
        var reader = DBusReader(Array(fields.prefix(length)))
        var member = ""
        while !reader.isAtEnd {
            reader.align(8)
            guard let (code, type) = try? (reader.byte(), reader.signature()),
                let value = try? type == "g" ? reader.signature() : reader.string()
            else { return nil }
            if code == 3 { member = value }
        }
        return Call(member: member, serial: serial, body: DBusReader(body))
    }
}
