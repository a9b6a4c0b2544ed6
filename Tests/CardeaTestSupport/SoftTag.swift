import CardeaSecurity
import Crypto
import CryptoExtras
import Foundation

/// An NTAG 424 DNA in memory: each touch makes another link (NXP AN12196), in the plain words of the application note.
public struct SoftTag: Sendable {
    public let uid: Data
    private let meta: SymmetricKey
    private let file: SymmetricKey
    private let picc: String
    private let cmac: String
    /// How often it was touched.
    public var counter: UInt32 = 0

    public init(uid: Data, meta: TagKey, file: TagKey, picc: String = "picc_data", cmac: String = "cmac") {
        self.uid = uid
        self.meta = SymmetricKey(data: meta.octets)
        self.file = SymmetricKey(data: file.octets)
        self.picc = picc
        self.cmac = cmac
    }

    /// - Parameter base: what is written on it, up to the parameters.
    public mutating func touch(_ base: String = "https://house.example/t/") throws -> String {
        counter += 1
        let count = Data([UInt8(counter & 255), UInt8(counter >> 8 & 255), UInt8(counter >> 16 & 255)])
        let plain = Data([0xC7]) + uid + count + Data([1, 2, 3, 4, 5])
        let zero = try AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: 16))
        let said = try AES._CBC.encrypt(plain, using: meta, iv: zero, noPadding: true)
        let session = SymmetricKey(data: try Self.code(Data([0x3C, 0xC3, 0x00, 0x01, 0x00, 0x80]) + uid + count, file))
        let whole = [UInt8](try Self.code(Data(), session))
        let code = stride(from: 1, to: 16, by: 2).map { whole[$0] }
        return "\(base)?\(picc)=\(Hexadecimal.encode(said).uppercased())&\(cmac)=\(Hexadecimal.encode(code).uppercased())"
    }

    private static func code(_ message: Data, _ key: SymmetricKey) throws -> Data {
        var code = try AES.CMAC(key: key)
        code.update(data: message)
        return Data(code.finalize())
    }
}
