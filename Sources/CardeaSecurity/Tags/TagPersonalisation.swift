import Foundation

/// What makes a tag of a factory's NTAG 424 DNA one that this house believes: its five keys, and a link with room for what it says of itself.
public struct TagPersonalisation: Sendable, CustomStringConvertible, CustomReflectable {
    /// By their numbers on the tag: 0 changes the others, 1 is `SDMMetaReadKey`, 2 is `SDMFileReadKey`; 3 and 4 are for nothing.
    public let keys: [TagKey]
    /// What is written, with zeros where the tag puts what it says.
    public let template: String
    private let names: SUNKeys.ParameterNames

    /// What every tag leaves the factory with: no secret.
    public static let factoryKey = TagKey(unchecked: Data(count: TagKey.length))
    /// By which the tag tells a key of the house from the factory's.
    public static let keyVersion: UInt8 = 1

    /// The settings of the tag's file as it leaves the factory: everybody reads and writes it, nothing is put in, and whoever has key 0 changes that.
    public static let plainSettings = Data([0x00, 0xE0, 0xEE])

    /// - Parameters:
    ///   - uid: seven octets.
    ///   - keys: as the house made them for this tag. Whoever has the file key has those of the numbers 0, 3 and 4, which are made of it (AN10922).
    ///   - url: the tag's link, without a query.
    public init(uid: Data, _ keys: SUNKeys, url: String) throws {
        let own = try [0, 3, 4].map { try keys.file.diversified(for: uid + Data("cardea key \($0)".utf8)) }
        self.keys = [own[0], keys.meta, keys.file, own[1], own[2]]
        names = keys.names
        template =
            "\(url)?\(keys.names.picc)=\(String(repeating: "0", count: 32))&\(keys.names.cmac)=\(String(repeating: "0", count: 16))"
    }

    /// The settings of the tag's file, once the template lies in it (AN12196, "ChangeFileSettings"): everybody reads it, and whoever has key 0
    /// writes it. UID and counter are put in, encrypted with key 1, and behind them a code by key 2; nobody reads the counter by itself.
    ///
    /// - Parameter file: the file's octets, from its very first.
    /// - Returns: nil where the template is not in it.
    public func settings(of file: Data) -> Data? {
        guard let picc = position(of: names.picc, 32, in: file), let code = position(of: names.cmac, 16, in: file) else { return nil }
        return Data([0x40, 0x00, 0xE0, 0xC1, 0xFF, 0x12]) + Self.offset(picc) + Self.offset(code) + Self.offset(code)
    }

    /// What `ChangeKey` carries (AN12196): a key other than the one with which one authenticated is sent as what it differs in from the old one.
    ///
    /// - Parameter old: nil for the key by which the session was begun.
    public static func change(to new: TagKey, from old: TagKey?) -> Data {
        guard let old else { return new.octets + [keyVersion] }
        return Data(zip(new.octets, old.octets).map { $0 ^ $1 }) + [keyVersion] + checksum(new.octets)
    }

    /// CRC32 as IEEE 802.3 has it, without its last inversion.
    private static func checksum(_ octets: Data) -> Data {
        let sum = octets.reduce(UInt32.max) { sum, octet in
            (0..<8).reduce(sum ^ UInt32(octet)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return Data([0, 8, 16, 24].map { UInt8(truncatingIfNeeded: sum >> $0) })
    }

    private func position(of name: String, _ count: Int, in file: Data) -> Int? {
        let wanted = Data("\(name)=\(String(repeating: "0", count: count))".utf8)
        return file.range(of: wanted).map { file.distance(from: file.startIndex, to: $0.upperBound) - count }
    }

    private static func offset(_ place: Int) -> Data { Data([0, 8, 16].map { UInt8(truncatingIfNeeded: place >> $0) }) }

    public var description: String { "[keys]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
