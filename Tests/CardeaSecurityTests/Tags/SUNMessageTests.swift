import Foundation
import Testing

@testable import CardeaSecurity

/// Compared with NXP's application notes and an independent implementation.
@Suite("SUN messages of tags")
struct SUNMessageTests {
    private static let zeros = TagKey(unchecked: Data(count: 16))

    private static func octets(_ hex: String) throws -> Data { try #require(Hexadecimal.decode(hex)) }

    @Test("The published message gives its tag's UID and counter")
    func published() throws {
        let message = try SUNMessage(piccData: "EF963FF7828658A599F3041510671E88", cmac: "94EED9EE65337086")

        let touch = try message.touch(Self.zeros)

        #expect(try touch == .init(uid: Self.octets("04DE5F1EACC040"), counter: 61))
        try message.check(touch, Self.zeros)
        #expect(try message.fileData(touch, Self.zeros) == nil)
    }

    @Test("The published message with file data gives its tag's UID and counter")
    func withFile() throws {
        let message = try SUNMessage(
            piccData: "FD91EC264309878BE6345CBE53BADF40", enc: "CEE9A53E3E463EF1F459635736738962", cmac: "ECC1E7F6C6C73BF6")

        let touch = try message.touch(Self.zeros)

        #expect(try touch == .init(uid: Self.octets("04958CAA5C5E80"), counter: 8))
        try message.check(touch, Self.zeros)
        #expect(try message.fileData(touch, Self.zeros) == Data("xxxxxxxxxxxxxxxx".utf8))
        let small = try SUNMessage(
            piccData: "fd91ec264309878be6345cbe53badf40", enc: "cee9a53e3e463ef1f459635736738962", cmac: "ecc1e7f6c6c73bf6")
        try small.check(small.touch(Self.zeros), Self.zeros)
        let named = try SUNMessage(
            piccData: "FD91EC264309878BE6345CBE53BADF40", enc: "CEE9A53E3E463EF1F459635736738962", cmac: "ECC1E7F6C6C73BF6", cmacName: "c")
        #expect(throws: SUNMessage.MessageError.forged) { try named.check(named.touch(Self.zeros), Self.zeros) }
    }

    @Test("A message with one changed bit is refused")
    func everyBit() throws {
        let parts = try ["FD91EC264309878BE6345CBE53BADF40", "CEE9A53E3E463EF1F459635736738962", "ECC1E7F6C6C73BF6"].map(Self.octets)
        for part in parts.indices {
            for bit in 0..<parts[part].count * 8 {
                var changed = parts
                changed[part][bit / 8] ^= 1 << (bit % 8)
                let message = try SUNMessage(
                    piccData: Hexadecimal.encode(changed[0]), enc: Hexadecimal.encode(changed[1]), cmac: Hexadecimal.encode(changed[2]))
                #expect(throws: SUNMessage.MessageError.forged, "part \(part), bit \(bit)") {
                    try message.check(message.touch(Self.zeros), Self.zeros)
                }
            }
        }
    }

    @Test("A message of the wrong form or length is refused")
    func malformed() throws {
        let (data, code) = ("EF963FF7828658A599F3041510671E88", "94EED9EE65337086")
        #expect(throws: SUNMessage.MessageError.unsupported) { try SUNMessage(piccData: data + "0011223344556677", cmac: code) }
        for (data, enc, code) in [
            ("", nil, code), (data, nil, ""), (String(data.dropLast()), nil, code), (data, nil, code + "00"), (data, "", code),
            (data, "00", code), (data, String(repeating: "00", count: 272), code), ("zz" + data.dropFirst(2), nil, code),
        ] as [(String, String?, String)] {
            #expect(throws: SUNMessage.MessageError.malformed) { try SUNMessage(piccData: data, enc: enc, cmac: code) }
        }
    }

    @Test("Each tag's key is derived from the master key as published")
    func diversified() throws {
        let master = try TagKey(hex: Secret("00112233445566778899AABBCCDDEEFF"))
        let (uid, use) = (try Self.octets("04782E21801D80"), try Self.octets("3042F54E585020416275"))

        #expect(try master.diversified(for: uid + use).octets == Self.octets("A8DD63A3B89D54B37CA802473FDA9175"))
        #expect(throws: TagKey.DiversificationError.length) { try master.diversified(for: uid) }
        #expect(throws: TagKey.DiversificationError.length) { try master.diversified(for: Data(count: 32)) }
        // RFC 4493, section 4, the empty message.
        let key = try TagKey(hex: Secret("2b7e151628aed2a6abf7158809cf4f3c"))
        #expect(try key.mac(of: Data()) == Self.octets("bb1d6929e95937287fa37d129b756746"))
    }

    @Test("A well-known key is refused, and no key is printed")
    func keys() throws {
        for hex in [String(repeating: "0", count: 32), String(repeating: "f", count: 32), String(repeating: "a5", count: 16)] {
            #expect(throws: TagKey.KeyError.wellKnown) { try TagKey(hex: Secret(hex)) }
        }
        for hex in ["", "00", String(repeating: "0", count: 31), String(repeating: "x", count: 32)] {
            #expect(throws: TagKey.KeyError.malformed) { try TagKey(hex: Secret(hex)) }
        }
        let key = TagKey.make()
        #expect("\(key) \(String(reflecting: key))" == "[key] [key]" && key.octets.count == 16)
    }
}
