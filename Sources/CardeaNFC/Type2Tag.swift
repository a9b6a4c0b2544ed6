/// A tag that is plain memory in pages of four octets, such as an NTAG213, 215 or 216, on a reader that speaks PC/SC part 3.
public struct Type2Tag: Sendable {
    private let channel: any CardChannel
    public let container: Type2CapabilityContainer

    /// Reads the tag's own description.
    public init(on line: any CardChannel) async throws {
        self.channel = line
        container = try Type2CapabilityContainer(try await Self.readPages(from: 3, on: line).prefix(4))
    }

    /// Reads the message; nil if the tag is empty.
    public func read() async throws -> NDEFMessage? {
        let octets = try await content().octets
        guard !octets.isEmpty else { return nil }
        do { return try NDEFMessage(octets) } catch { throw NFCTagError.malformed }
    }

    /// The data size of a tag with no more than the sixteen pages that all of them lock in the same way.
    private static let staticLockAreaSize = 48

    /// The maximum size of a message in octets.
    public var capacity: Int {
        // Type and length take two or four octets, if no factory data precedes them.
        container.dataAreaSize - (container.dataAreaSize - 2 < 0xFF ? 2 : 4)
    }

    /// Overwrites the existing message, and reads it back.
    public func write(_ message: NDEFMessage) async throws {
        guard container.isWritable else { throw NFCTagError.readOnly }
        let octets = message.octets
        let before = try await contentOrEmpty()
        for write in try Type2Memory.pageWrites(octets, at: before.field, over: before.read, room: container.dataAreaSize) {
            try await self.write(write.octets, at: write.page, for: .write)
        }
        guard try await content().octets == octets else { throw NFCTagError.verificationFailed }
    }

    /// Makes it impossible to write it again, for good.
    public func lock() async throws {
        guard container.model != nil || container.dataAreaSize <= Self.staticLockAreaSize else { throw NFCTagError.unknownLock }
        let head = try await Self.readPages(from: 2, on: channel)
        guard head.count >= 8 else { throw NFCTagError.malformed }
        // A lock bit that is set stays set: each octet is combined with the existing one. The first sixteen pages are locked last, because
        // they contain the tag's read-only mark.
        try await write([head[4], head[5], head[6], 0x0F], at: 3, for: .lock)
        if let lock = container.model?.dynamicLockBytes { try await write(lock.octets, at: lock.page, for: .lock) }
        try await write([head[0], head[1], 0xFF, 0xFF], at: 2, for: .lock)
    }

    /// The same for overwriting: malformed content counts as empty.
    private func contentOrEmpty() async throws -> (field: Int, octets: [UInt8], read: [UInt8]) {
        do { return try await content() } catch NFCTagError.malformed { return (0, [], []) }
    }

    /// Reads the tag up to the end of the message. Returns the position of the message's field, its content, and all bytes that were read.
    private func content() async throws -> (field: Int, octets: [UInt8], read: [UInt8]) {
        var read: [UInt8] = []
        var wanted = 16
        while true {
            while read.count < min(wanted, container.dataAreaSize) {
                let more = try await Self.readPages(from: 4 + read.count / 4, on: channel)
                guard more.count >= 4 else { throw NFCTagError.malformed }
                read += more.prefix(more.count / 4 * 4)
            }
            switch try Type2Memory.locateMessage(in: Array(read.prefix(container.dataAreaSize)), room: container.dataAreaSize) {
            case .needsMoreData(let end): wanted = max(end, wanted + 1)
            case .message(let field, let content): return (field, Array(read[content]), read)
            case .none(let place): return (place, [], read)
            }
        }
    }

    /// Four pages at a time, which is what such a tag answers.
    private static func readPages(from page: Int, on line: any CardChannel) async throws -> [UInt8] {
        try await line.exchangeExpectingSuccess(CommandAPDU(0xFF, 0xB0, 0, UInt8(truncatingIfNeeded: page), wanted: 16), for: .read)
    }

    private func write(_ octets: [UInt8], at page: UInt8, for what: NFCTagError.Step) async throws {
        _ = try await channel.exchangeExpectingSuccess(CommandAPDU(0xFF, 0xD6, 0, page, data: octets), for: what)
    }
}
