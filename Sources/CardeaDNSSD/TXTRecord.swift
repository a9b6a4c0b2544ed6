/// The description of a service beside its address: keys and values, as DNS carries them (RFC 6763, section 6).
///
/// Anyone can send one. It is a hint, never a reason to trust.
public struct TXTRecord: Hashable, Sendable {
    /// Bytes of one key with its value, in its place in the record.
    public static let entryLimit = 255
    /// Bytes of a whole record that is sent: it is to fit into one packet (section 6.2).
    public static let sendLimit = 1300
    /// Bytes of a record that are read, and entries; the rest is left out.
    public static let readLimit = 8900
    public static let entryCountLimit = 64

    struct Entry: Hashable, Sendable {
        /// As written; the lookup ignores case (section 6.4).
        let key: String
        /// Nil if there is a key alone.
        let value: [UInt8]?
    }

    private(set) var entries: [Entry] = []

    public init() {}

    /// Adds a key with its text; invalid ones are refused.
    ///
    /// - Returns: whether it was added: a key is printable ASCII without `=`, not empty and not there yet, and there is room.
    @discardableResult
    public mutating func add(_ key: String, _ text: String) -> Bool {
        let entry = Entry(key: key, value: Array(text.utf8))
        let length = Self.length(entry)
        guard Self.isKey(key.utf8), length <= Self.entryLimit, !has(key), entries.count < Self.entryCountLimit,
            bytes.count + 1 + length <= Self.sendLimit
        else { return false }
        entries.append(entry)
        return true
    }

    /// The text under `key`, in any case; nil if there is none, or it is no text.
    public subscript(key: String) -> String? {
        let wanted = key.lowercased()
        return entries.first { $0.key.lowercased() == wanted }?.value.flatMap { String(validating: $0, as: UTF8.self) }
    }

    private func has(_ key: String) -> Bool {
        let wanted = key.lowercased()
        return entries.contains { $0.key.lowercased() == wanted }
    }

    /// Printable ASCII but `=` (section 6.4).
    private static func isKey(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x3D }
    }

    private static func length(_ entry: Entry) -> Int { entry.key.utf8.count + (entry.value.map { $0.count + 1 } ?? 0) }
}

extension TXTRecord {
    /// Reads any bytes. Invalid parts are skipped: an empty entry, one without a key, a repeated key (section 6.4), and everything after an
    /// entry longer than the rest.
    public init(decoding bytes: some Sequence<UInt8>) {
        var rest = Array(bytes.prefix(Self.readLimit))[...]
        while let length = rest.popFirst(), entries.count < Self.entryCountLimit {
            guard Int(length) <= rest.count else { return }
            let text = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            let key = text.prefix { $0 != 0x3D }
            guard Self.isKey(key) else { continue }
            let name = String(decoding: key, as: UTF8.self)
            guard !has(name) else { continue }
            entries.append(Entry(key: name, value: key.count < text.count ? Array(text.dropFirst(key.count + 1)) : nil))
        }
    }

    /// The wire format; an empty record is one empty entry (section 6.1).
    public var bytes: [UInt8] {
        guard !entries.isEmpty else { return [0] }
        return entries.flatMap { entry in
            [UInt8(clamping: Self.length(entry))] + Array(entry.key.utf8) + (entry.value.map { [0x3D] + $0 } ?? [])
        }
    }
}
