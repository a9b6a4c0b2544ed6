/// Page 3 of a Type 2 tag (NFC Forum, Type 2 Tag 1.2): its capacity, and whether it can be written.
public struct Type2CapabilityContainer: Hashable, Sendable {
    /// Octets for messages, including their headers.
    public let dataAreaSize: Int
    public let isWritable: Bool

    public init(_ page: some Collection<UInt8>) throws(NFCTagError) {
        let octets = Array(page)
        // Major version 1, with unrestricted read access.
        guard octets.count == 4, octets[0] == 0xE1, octets[1] >> 4 == 1, octets[3] >> 4 == 0 else { throw .unsuitable }
        // Page numbers reach 256, four of which are the tag's own. Pages beyond are left alone.
        dataAreaSize = min(Int(octets[2]) * 8, 252 * Type2Memory.pageSize)
        isWritable = octets[3] & 0x0F == 0
        guard dataAreaSize >= 16 else { throw .malformed }
    }

    public var model: Type2Model? { Type2Model.allCases.first { $0.dataAreaSize == dataAreaSize } }
}

/// The tags that are sold for this.
public enum Type2Model: String, Hashable, Sendable, CaseIterable {
    case ntag213 = "NTAG213"
    case ntag215 = "NTAG215"
    case ntag216 = "NTAG216"

    /// Octets of user memory. The capacity that the tag states for messages is a little less.
    public var userMemorySize: Int {
        switch self {
        case .ntag213: 144
        case .ntag215: 504
        case .ntag216: 888
        }
    }

    /// By its own declaration (NXP NTAG213/215/216, "Capability Container").
    var dataAreaSize: Int {
        switch self {
        case .ntag213: 0x12 * 8
        case .ntag215: 0x3E * 8
        case .ntag216: 0x6D * 8
        }
    }

    /// The lock bytes that make the pages after the first sixteen read-only for good: the page, and the bytes to write there.
    var dynamicLockBytes: (page: UInt8, octets: [UInt8]) {
        switch self {
        case .ntag213: (0x28, [0xFF, 0x0F, 0x3F, 0x00])
        case .ntag215: (0x82, [0xFF, 0x00, 0x0F, 0x00])
        case .ntag216: (0xE2, [0xFF, 0x3F, 0x7F, 0x00])
        }
    }
}

/// The content of a Type 2 tag from page 4 on: fields, each with a type and a length. One of them is the message.
public enum Type2Memory {
    /// The location of the message, or of the place for one.
    public enum MessageLocation: Hashable, Sendable {
        /// The field begins here; its content lies there.
        case message(field: Int, content: Range<Int>)
        /// There is none. One may be written here.
        case none(at: Int)
        /// More has to be read first: up to here.
        case needsMoreData(Int)
    }

    private enum TLVTag {
        static let null: UInt8 = 0x00
        static let message: UInt8 = 0x03
        static let terminator: UInt8 = 0xFE
    }

    static let pageSize = 4

    /// Searches the octets read so far.
    ///
    /// - Parameter room: the total number of octets.
    public static func locateMessage(in octets: [UInt8], room: Int) throws(NFCTagError) -> MessageLocation {
        var place = 0
        var free = 0
        while place < room {
            guard place < octets.count else { return .needsMoreData(place + 1) }
            let kind = octets[place]
            if kind == TLVTag.terminator { return .none(at: place) }
            if kind == TLVTag.null {
                place += 1
                continue
            }
            guard place + 1 < octets.count else { return try needsMoreData(place + 2, room) }
            var length = Int(octets[place + 1])
            var content = place + 2
            if length == 0xFF {
                content = place + 4
                guard content <= octets.count else { return try needsMoreData(content, room) }
                length = Int(octets[place + 2]) << 8 | Int(octets[place + 3])
            }
            guard content + length <= room else { throw .malformed }
            if kind == TLVTag.message {
                return content + length <= octets.count
                    ? .message(field: place, content: content..<content + length) : .needsMoreData(content + length)
            }
            place = content + length
            free = place
        }
        return .none(at: free)
    }

    private static func needsMoreData(_ end: Int, _ room: Int) throws(NFCTagError) -> MessageLocation {
        guard end <= room else { throw .malformed }
        return .needsMoreData(end)
    }

    public struct PageWrite: Hashable, Sendable {
        /// As the tag counts them.
        public let page: UInt8
        /// Four.
        public let octets: [UInt8]
    }

    /// Returns the pages to write, in this order, to replace the message with `message`. Until the last page is written the tag contains no
    /// message: if it is removed midway it is empty, instead of holding half a link.
    ///
    /// - Parameters:
    ///   - octets: the content that was read, at least up to the page of `start`.
    ///   - start: the position of the field.
    public static func pageWrites(_ message: [UInt8], at start: Int, over octets: [UInt8], room: Int) throws(NFCTagError) -> [PageWrite] {
        let length: [UInt8] =
            message.count < 0xFF
            ? [UInt8(truncatingIfNeeded: message.count)]
            : [0xFF, UInt8(truncatingIfNeeded: message.count >> 8), UInt8(truncatingIfNeeded: message.count)]
        var field = [TLVTag.message] + length + message
        guard message.count < 0xFFFF, start + field.count <= room else {
            throw .tooSmall(needs: message.count, has: max(0, room - start - (message.count < 0xFF ? 2 : 4)))
        }
        if start + field.count < room { field.append(TLVTag.terminator) }
        let end = start + field.count
        var after = Array(octets.prefix(room))
        let whole = (end + pageSize - 1) / pageSize * pageSize
        if after.count < whole { after += [UInt8](repeating: 0, count: whole - after.count) }
        after.replaceSubrange(start..<end, with: field)

        let lengthPage = (start + 1) / pageSize
        var empty = Array((octets + [UInt8](repeating: 0, count: whole))[lengthPage * pageSize..<lengthPage * pageSize + pageSize])
        empty[(start + 1) % pageSize] = 0
        if start / pageSize == lengthPage { empty[start % pageSize] = TLVTag.message }
        let others = (start / pageSize..<whole / pageSize).filter { $0 != lengthPage }
        return [pageWrite(empty, at: lengthPage)] + others.map { pageWrite(Array(after[$0 * pageSize..<$0 * pageSize + pageSize]), at: $0) }
            + [pageWrite(Array(after[lengthPage * pageSize..<lengthPage * pageSize + pageSize]), at: lengthPage)]
    }

    private static func pageWrite(_ octets: [UInt8], at index: Int) -> PageWrite {
        PageWrite(page: UInt8(truncatingIfNeeded: index + 4), octets: octets)
    }
}
