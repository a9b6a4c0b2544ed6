import Foundation

/// The keys and parameter names by which a house verifies an NTAG 424 DNA. It prints nothing.
public struct SUNKeys: Sendable, CustomStringConvertible, CustomReflectable {
    /// `SDMMetaReadKey`, which encrypts the tag's identity.
    public let meta: TagKey
    /// `SDMFileReadKey`: the tag's own.
    public let file: TagKey
    public let names: ParameterNames

    /// The names of the link's parameters.
    public struct ParameterNames: Hashable, Sendable, Codable {
        public var picc: String
        public var enc: String
        public var cmac: String

        public static let standard = ParameterNames(picc: "picc_data", enc: "enc", cmac: "cmac")

        public init(picc: String, enc: String, cmac: String) {
            self.picc = picc
            self.enc = enc
            self.cmac = cmac
        }

        /// True if they are three different words of 1 to 16 letters or underscores.
        public var isValid: Bool {
            Set([picc, enc, cmac]).count == 3
                && [picc, enc, cmac].allSatisfy { name in
                    (1...16).contains(name.utf8.count) && name.utf8.allSatisfy { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 == 0x5F }
                }
        }
    }

    public init(meta: TagKey, file: TagKey, names: ParameterNames = .standard) {
        self.meta = meta
        self.file = file
        self.names = names
    }

    /// Returns the tag's message, or nil if the link has no parameters of these names.
    public func message(_ values: [String: String]) throws(SUNMessage.MessageError) -> SUNMessage? {
        guard let picc = values[names.picc], let cmac = values[names.cmac] else { return nil }
        guard Set(values.keys).isSubset(of: [names.picc, names.enc, names.cmac]) else { throw .malformed }
        return try SUNMessage(piccData: picc, enc: values[names.enc], cmac: cmac, cmacName: names.cmac)
    }

    /// As they are sealed.
    private struct StoredKeys: Codable {
        let meta: Data
        let file: Data
        let names: ParameterNames
    }

    public func sealed(by sealing: SealingKey, for place: String) throws -> Data {
        try sealing.seal(JSONEncoder().encode(StoredKeys(meta: meta.octets, file: file.octets, names: names)), for: place)
    }

    public init(sealed: Data, by sealing: SealingKey, for place: String) throws {
        let kept = try JSONDecoder().decode(StoredKeys.self, from: sealing.open(sealed, for: place))
        self.init(meta: TagKey(unchecked: kept.meta), file: TagKey(unchecked: kept.file), names: kept.names)
    }

    public var description: String { "[keys]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
