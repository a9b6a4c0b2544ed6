/// A tag with files, such as an NTAG 424 DNA or a DESFire.
public struct Type4Tag: Sendable {
    private let channel: any CardChannel
    public let container: Type4CapabilityContainer

    /// Selects the application for messages, and reads the tag's own description.
    public init(on line: any CardChannel) async throws {
        self.channel = line
        let chosen = try await line.exchange(
            CommandAPDU(0x00, 0xA4, 0x04, 0x00, data: [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01], wanted: 256))
        guard chosen.isSuccess else { throw NFCTagError.unsuitable }
        try await Self.select(0xE103, on: line)
        container = try Type4CapabilityContainer(try await Self.read(0, 15, on: line))
        try await Self.select(container.file, on: line)
    }

    /// Reads the message; nil if the tag is empty.
    public func read() async throws -> NDEFMessage? {
        let octets = try await content()
        guard !octets.isEmpty else { return nil }
        do { return try NDEFMessage(octets) } catch { throw NFCTagError.malformed }
    }

    public var capacity: Int { container.capacity }

    /// Overwrites the existing message, and reads it back. Until its length is written, which is last, the tag is empty: removed in the
    /// middle it does not hold half a link.
    public func write(_ message: NDEFMessage) async throws {
        guard container.isWritable else { throw NFCTagError.readOnly }
        let octets = message.octets
        guard octets.count <= capacity else { throw NFCTagError.tooSmall(needs: octets.count, has: capacity) }
        try await write([0, 0], at: 0, for: .write)
        let piece = min(container.maxWriteLength, 255)
        for start in stride(from: 0, to: octets.count, by: piece) {
            try await write(Array(octets[start..<min(start + piece, octets.count)]), at: 2 + start, for: .write)
        }
        try await write([UInt8(truncatingIfNeeded: octets.count >> 8), UInt8(truncatingIfNeeded: octets.count)], at: 0, for: .write)
        guard try await content() == octets else { throw NFCTagError.verificationFailed }
    }

    /// Says for good that it may not be written. Tags that keep this behind a key refuse.
    public func lock() async throws {
        try await Self.select(0xE103, on: channel)
        try await write([0xFF], at: Type4CapabilityContainer.writeAccessOffset, for: .lock)
        try await Self.select(container.file, on: channel)
    }

    private func content() async throws -> [UInt8] {
        let length = try await Self.read(0, 2, on: channel).reduce(0) { $0 << 8 | Int($1) }
        guard length <= capacity else { throw NFCTagError.malformed }
        var octets: [UInt8] = []
        while octets.count < length {
            let piece = min(length - octets.count, container.maxReadLength, 255)
            octets += try await Self.read(2 + octets.count, piece, on: channel)
        }
        return octets
    }

    private static func select(_ file: UInt16, on line: any CardChannel) async throws {
        let name = [UInt8(truncatingIfNeeded: file >> 8), UInt8(truncatingIfNeeded: file)]
        _ = try await line.exchangeExpectingSuccess(CommandAPDU(0x00, 0xA4, 0x00, 0x0C, data: name), for: .select)
    }

    /// Reads from the selected file. `start` is at most 0x7FFF.
    private static func read(_ start: Int, _ count: Int, on line: any CardChannel) async throws -> [UInt8] {
        let octets = try await line.exchangeExpectingSuccess(
            CommandAPDU(0x00, 0xB0, UInt8(truncatingIfNeeded: start >> 8), UInt8(truncatingIfNeeded: start), wanted: count), for: .read)
        guard octets.count == count else { throw NFCTagError.malformed }
        return octets
    }

    private func write(_ octets: [UInt8], at start: Int, for what: NFCTagError.Step) async throws {
        let command = CommandAPDU(0x00, 0xD6, UInt8(truncatingIfNeeded: start >> 8), UInt8(truncatingIfNeeded: start), data: octets)
        let answer = try await channel.exchange(command)
        // "Security status not satisfied": the tag requires a key first.
        if answer.status == 0x6982, what == .write { throw NFCTagError.readOnly }
        guard answer.isSuccess else { throw NFCTagError.refused(what, status: answer.status) }
    }
}
