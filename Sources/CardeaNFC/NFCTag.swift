/// A tag on a reader, of either kind that links are written on.
public enum NFCTag: Sendable {
    case type2(Type2Tag)
    case type4(Type4Tag)

    /// Identifies the tag.
    ///
    /// - Parameter atr: the reader's data about the card from its placement.
    public init(on line: any CardChannel, atr: [UInt8]) async throws {
        switch StorageCard(atr) {
        case .ultralight?: self = .type2(try await Type2Tag(on: line))
        case .other?: throw NFCTagError.unsuitable
        case nil: self = .type4(try await Type4Tag(on: line))
        }
    }

    public func read() async throws -> NDEFMessage? {
        switch self {
        case .type2(let tag): try await tag.read()
        case .type4(let tag): try await tag.read()
        }
    }

    public func write(_ message: NDEFMessage) async throws {
        switch self {
        case .type2(let tag): try await tag.write(message)
        case .type4(let tag): try await tag.write(message)
        }
    }

    /// Makes it impossible to write it again, for good.
    public func lock() async throws {
        switch self {
        case .type2(let tag): try await tag.lock()
        case .type4(let tag): try await tag.lock()
        }
    }

    /// The maximum size of a message in octets.
    public var capacity: Int {
        switch self {
        case .type2(let tag): tag.capacity
        case .type4(let tag): tag.capacity
        }
    }

    public var isWritable: Bool {
        switch self {
        case .type2(let tag): tag.container.isWritable
        case .type4(let tag): tag.container.isWritable
        }
    }

    /// The product name, if it is known.
    public var name: String {
        switch self {
        case .type2(let tag): tag.container.model?.rawValue ?? "Type 2"
        case .type4: "Type 4"
        }
    }

    /// The number that the factory gave the card on this reader (PC/SC part 3).
    public static func uid(on line: any CardChannel) async throws -> [UInt8] {
        try await line.exchangeExpectingSuccess(CommandAPDU(0xFF, 0xCA, wanted: 256), for: .uid)
    }
}

/// A card without files, identified by its answer to reset (PC/SC part 3, "ATR for contactless storage cards").
enum StorageCard {
    /// MIFARE Ultralight, which an NTAG213, 215 and 216 are as well.
    case ultralight
    case other

    /// - Returns: nil for a card with files.
    init?(_ atr: [UInt8]) {
        let head: [UInt8] = [0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06]
        guard atr.count >= 15, Array(atr[4..<12]) == head else { return nil }
        let name = UInt16(atr[13]) << 8 | UInt16(atr[14])
        self = [0x0003, 0x003A].contains(name) ? .ultralight : .other
    }
}
