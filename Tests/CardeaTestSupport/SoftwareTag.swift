import CardeaSecurity
import Crypto
import CryptoExtras
import Foundation

/// An NTAG 424 DNA in memory: each touch makes another link (NXP AN12196).
public struct SoftwareTag: Sendable {
    public let uid: Data
    private let meta: SymmetricKey
    private let file: SymmetricKey
    private let names: SUNKeys.ParameterNames
    /// The number of touches.
    public var counter: UInt32 = 0

    public init(uid: Data, meta: TagKey, file: TagKey, names: SUNKeys.ParameterNames = .standard) {
        self.uid = uid
        self.meta = SymmetricKey(data: meta.octets)
        self.file = SymmetricKey(data: file.octets)
        self.names = names
    }

    /// - Parameters:
    ///   - base: the written content, up to the parameters.
    ///   - data: the part of its file that the link carries, in whole blocks; nil for none.
    ///   - random: five meaningless octets, so that no two links are alike.
    public mutating func touch(
        _ base: String = "https://house.example/t/", with data: Data? = nil, random: Data = Data([1, 2, 3, 4, 5])
    ) throws -> String {
        counter += 1
        let count = Data([UInt8(counter & 255), UInt8(counter >> 8 & 255), UInt8(counter >> 16 & 255)])
        let said = try Self.encrypt(Data([0xC7]) + uid + count + random, meta, start: Data(count: 16))
        var (link, message) = ("\(base)?\(names.picc)=\(said)", "")
        if let data {
            let session = SymmetricKey(data: try Self.code(Data([0xC3, 0x3C, 0x00, 0x01, 0x00, 0x80]) + uid + count, file))
            // The first block is chained to the counter under the same key.
            var start = [UInt8](count + Data(count: 13))
            try AES.permute(&start, key: session)
            let enc = try Self.encrypt(data, session, start: Data(start))
            link += "&\(names.enc)=\(enc)"
            message = "\(enc)&\(names.cmac)="
        }
        let session = SymmetricKey(data: try Self.code(Data([0x3C, 0xC3, 0x00, 0x01, 0x00, 0x80]) + uid + count, file))
        let whole = [UInt8](try Self.code(Data(message.utf8), session))
        let code = stride(from: 1, to: 16, by: 2).map { whole[$0] }
        return "\(link)&\(names.cmac)=\(Hexadecimal.encode(code).uppercased())"
    }

    private static func encrypt(_ plain: Data, _ key: SymmetricKey, start: Data) throws -> String {
        let secret = try AES._CBC.encrypt(plain, using: key, iv: try AES._CBC.IV(ivBytes: start), noPadding: true)
        return Hexadecimal.encode(secret).uppercased()
    }

    private static func code(_ message: Data, _ key: SymmetricKey) throws -> Data {
        var code = try AES.CMAC(key: key)
        code.update(data: message)
        return Data(code.finalize())
    }
}
