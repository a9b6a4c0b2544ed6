import NIOCore

/// A message of RTSP (RFC 2326): a request or a reply.
struct RTSPMessage: Sendable {
    var startLine: String
    var fields: [(name: String, value: String)]
    var body: ByteBuffer

    subscript(name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    mutating func set(_ name: String, _ value: String) {
        fields.removeAll { $0.name.lowercased() == name.lowercased() }
        fields.append((name, value))
    }

    /// Of a reply; nil of a request.
    var status: Int? {
        guard startLine.hasPrefix("RTSP/") else { return nil }
        let words = startLine.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, let status = Int(words[1]), (100...599).contains(status) else { return nil }
        return status
    }

    var bytes: ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeString(startLine + "\r\n")
        for field in fields { buffer.writeString("\(field.name): \(field.value)\r\n") }
        buffer.writeString("\r\n")
        buffer.writeImmutableBuffer(body)
        return buffer
    }
}

/// Parses the bytes of an RTSP connection: messages, and packets of the stream between them.
struct RTSPReader: Sendable {
    enum Item: Sendable {
        case message(RTSPMessage)
        /// `$`, the channel, its length and the packet, as they came.
        case packet(ByteBuffer)
    }

    /// The bytes are not RTSP, or exceed the size limits.
    struct FormatError: Error {}

    static let headLimit = 16 * 1024
    static let bodyLimit = 64 * 1024
    private var buffer = ByteBuffer()

    mutating func append(_ bytes: ByteBuffer) {
        buffer.writeImmutableBuffer(bytes)
    }

    /// The next whole item; nil until more has come.
    mutating func next() throws(FormatError) -> Item? {
        // Empty lines between messages are ignored.
        while let byte = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self), byte == 13 || byte == 10 {
            buffer.moveReaderIndex(forwardBy: 1)
        }
        defer { buffer.discardReadBytes() }
        guard let first = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self) else { return nil }
        if first == UInt8(ascii: "$") {
            guard let length = buffer.getInteger(at: buffer.readerIndex + 2, as: UInt16.self) else { return nil }
            return buffer.readSlice(length: 4 + Int(length)).map { .packet($0) }
        }
        guard first >= 0x41, first <= 0x5A else { throw FormatError() }
        return try message().map { .message($0) }
    }

    private mutating func message() throws(FormatError) -> RTSPMessage? {
        guard let (head, end) = try Self.head(of: buffer) else { return nil }
        var message = head
        let lengths = Set(message["content-length"])
        guard lengths.count <= 1 else { throw FormatError() }
        var length = 0
        if let text = lengths.first {
            guard let number = Int(text), (0...Self.bodyLimit).contains(number) else { throw FormatError() }
            length = number
        }
        guard buffer.readableBytes >= end + length else { return nil }
        buffer.moveReaderIndex(forwardBy: end)
        message.body = buffer.readSlice(length: length) ?? ByteBuffer()
        return message
    }

    /// The head of a message, which HTTP writes in the same way, and where it ends; nil until all of it has come.
    static func head(of buffer: ByteBuffer) throws(FormatError) -> (RTSPMessage, end: Int)? {
        let view = buffer.readableBytesView
        var (end, previous): (Int?, UInt8) = (nil, 0)
        // The head ends with an empty line; some cameras send only LF.
        for (offset, byte) in view.prefix(headLimit + 1).enumerated() {
            if byte == 13 { continue }
            if byte == 10, previous == 10 {
                end = offset + 1
                break
            }
            previous = byte
        }
        guard let end else {
            guard view.count <= headLimit else { throw FormatError() }
            return nil
        }
        guard let head = buffer.getString(at: buffer.readerIndex, length: end), head.utf8.allSatisfy({ $0 != 0 }) else {
            throw FormatError()
        }
        var lines = head.split(whereSeparator: \.isNewline).map(String.init)
        guard !lines.isEmpty else { throw FormatError() }
        let startLine = lines.removeFirst()
        let fields = lines.compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].trimmingPrefix(while: \.isWhitespace)))
        }
        return (RTSPMessage(startLine: startLine, fields: fields, body: ByteBuffer()), end)
    }
}
