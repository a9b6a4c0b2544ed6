import Foundation

/// The content that makes a new NTAG 424 DNA one of this house's tags: its five keys, and a link with room for the tag's message.
public struct TagPersonalisation: Sendable, CustomStringConvertible, CustomReflectable {
    /// By their numbers on the tag: 0 changes the others, 1 is `SDMMetaReadKey`, 2 is `SDMFileReadKey`; 3 and 4 are for nothing.
    public let keys: [TagKey]
    /// The link to write, with zeros in the places that the tag fills in.
    public let template: String
    private let names: SUNKeys.ParameterNames

    /// The key of every tag from the factory: no secret.
    public static let factoryKey = TagKey(unchecked: Data(count: TagKey.length))
    /// The version by which the tag tells a key of the house from the factory's.
    public static let keyVersion: UInt8 = 1

    /// The settings of the tag's file as it leaves the factory: all may read and write it, nothing is inserted, and a holder of key 0 may
    /// change that.
    public static let plainSettings = Data([0x00, 0xE0, 0xEE])

    /// - Parameters:
    ///   - uid: seven octets.
    ///   - keys: the house's keys for this tag. A holder of the file key also has those of the numbers 0, 3 and 4, which are derived from
    ///     it (AN10922).
    ///   - url: the tag's link, without a query.
    public init(uid: Data, _ keys: SUNKeys, url: String) throws {
        let own = try [0, 3, 4].map { try keys.file.diversified(for: uid + Data("cardea key \($0)".utf8)) }
        self.keys = [own[0], keys.meta, keys.file, own[1], own[2]]
        names = keys.names
        template =
            "\(url)?\(keys.names.picc)=\(String(repeating: "0", count: 32))&\(keys.names.cmac)=\(String(repeating: "0", count: 16))"
    }

    /// Returns the settings of the tag's file, once the template is in it (AN12196, "ChangeFileSettings"): all may read it, and a holder of
    /// key 0 may write it. UID and counter are inserted, encrypted with key 1, followed by a code by key 2; the counter cannot be read by
    /// itself.
    ///
    /// - Parameter file: the file's octets, from its very first.
    /// - Returns: nil if the template is not in it.
    public func settings(of file: Data) -> Data? {
        guard let picc = position(of: names.picc, 32, in: file), let code = position(of: names.cmac, 16, in: file) else { return nil }
        return Data([0x40, 0x00, 0xE0, 0xC1, 0xFF, 0x12]) + Self.offset(picc) + Self.offset(code) + Self.offset(code)
    }

    /// Returns the data of `ChangeKey` (AN12196). A key other than the one of the session is sent as its difference (XOR) from the old one.
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
