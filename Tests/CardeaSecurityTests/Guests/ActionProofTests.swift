import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaSecurity

@Suite("Signed proofs of guest actions")
struct ActionProofTests {
    /// RFC 8032, section 7.1: seed, public key, message, signature.
    private static let published = [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
        (
            "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
            "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"
        ),
    ]

    @Test("Keys and signatures match RFC 8032")
    func vectors() throws {
        for (seed, publicKey, message, signature) in Self.published {
            let key = try #require(GuestKey(seed: Self.bytes(seed)))
            let expected = Base64URL.encode(Self.bytes(signature))

            #expect(key.publicKey.bytes == Self.bytes(publicKey))
            #expect(key.publicKey.signed(Self.bytes(message), expected))
            // Deterministic signatures: all implementations but Apple's, which adds randomness.
            #if !canImport(Darwin)
                #expect(try key.signature(of: Self.bytes(message)) == expected)
            #endif
            #expect(!key.publicKey.signed(Self.bytes(message) + Data([0]), expected))
            #expect(GuestKey(encoded: key.encoded)?.publicKey == key.publicKey)
        }
    }

    /// RFC 6979, appendix A.2.5: message, `r` and `s`.
    private static let publishedOfP256 = [
        (
            "sample",
            "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
        ),
        (
            "test",
            "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
                + "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"
        ),
    ]

    @Test("A browser's P-256 key signs as in RFC 6979, and a point off the curve is refused")
    func p256() throws {
        let point = Self.bytes(
            "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
        let key = try #require(GuestPublicKey(deviceID: "phone", bytes: point))
        for (message, signature) in Self.publishedOfP256 {
            let signature = Base64URL.encode(Self.bytes(signature))
            #expect(key.signed(Data(message.utf8), signature))
            #expect(!key.signed(Data((message + ".").utf8), signature))
            #expect(!key.signed(Data(message.utf8), Base64URL.encode(Data(count: 64))))
        }
        #expect(GuestPublicKey(deviceID: "phone", bytes: point.dropLast() + [0x98]) == nil)
        #expect(GuestPublicKey(deviceID: "phone", bytes: point.prefix(33)) == nil)
        #expect(GuestPublicKey(deviceID: "phone", bytes: Data(count: 65)) == nil)
    }

    /// Made independently: Python's json and hashlib, and OpenSSL's Ed25519, with the first key of RFC 8032.
    @Test("A key of small order is refused in every encoding")
    func smallOrder() throws {
        // The eight points of small order and their other encodings (Chalkias, Garillot, Nikolaenko, 2020, table 5).
        let points = [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ]
        for text in points {
            let bytes = try #require(Hexadecimal.decode(text))
            var signed = Array(bytes)
            signed[31] |= 0x80
            #expect(GuestPublicKey(deviceID: "phone", bytes: bytes) == nil, "\(text)")
            #expect(GuestPublicKey(deviceID: "phone", bytes: Data(signed)) == nil, "\(text), with the other sign")
        }
        #expect(GuestPublicKey(deviceID: "phone", bytes: try #require(Base64URL.decode(GuestKey().publicKey.text))) != nil)
    }

    @Test("A proof's signed bytes match the expected bytes")
    func fixed() throws {
        let key = try #require(GuestKey(seed: Self.bytes(Self.published[0].0)))
        let proof = ActionProof(
            nonce: "bm9uY2U", ts: 1_790_000_000, method: "POST", path: "/api/guest_access/action",
            body: Data(#"{"action":"door.open"}"#.utf8),
            jti: "tok-1", deviceID: key.deviceID)

        #expect(key.publicKey.text == "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
        #expect(key.publicKey.thumbprint == "If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk")
        #expect(key.deviceID == "If4x36FUomFia_hUBG_SJx")
        #expect(
            String(decoding: proof.signedBytes, as: UTF8.self) == """
                POST
                /api/guest_access/action
                1790000000
                bm9uY2U
                tok-1
                If4x36FUomFia_hUBG_SJx
                9c245dac2bbf3eb8bcd0641e5b6183288a1f17ce3cafbae95d8ba08b67ed7de5
                """)
        let (header, signature) = try key.sign(proof)
        #expect(header == Self.header)
        #expect(key.publicKey.signed(proof.signedBytes, Self.signature))
        #if !canImport(Darwin)
            #expect(signature == Self.signature)
        #endif
        #expect(ActionProof(header: Self.header) == proof)
    }

    private static let header =
        "eyJib2R5X3NoYTI1NiI6IjljMjQ1ZGFjMmJiZjNlYjhiY2QwNjQxZTViNjE4MzI4OGExZjE3Y2UzY2FmYmFlOTVkOGJhMDhiNjdlZDdkZTUiLCJkZXZpY2VfaWQiOiJJZjR4MzZGVW9tRmlhX2hVQkdfU0p4IiwianRpIjoidG9rLTEiLCJtZXRob2QiOiJQT1NUIiwibm9uY2UiOiJibTl1WTJVIiwicGF0aCI6Ii9hcGkvZ3Vlc3RfYWNjZXNzL2FjdGlvbiIsInRzIjoxNzkwMDAwMDAwfQ"
    private static let signature = "dkD2EtBaSXtkiu2L9mSKQWObGK2wLPU1b6UcEeyUyyKkffAxxQWRcmV_GaXX8mQQL_rFfKvbXEQfIGLu4HVIBw"

    @Test("An invalid proof is refused, and no field contains a line break")
    func strict() throws {
        func header(_ json: String) -> String { Base64URL.encode(Data(json.utf8)) }
        let whole = #"{"nonce":"n","ts":1,"method":"POST","path":"/p","body_sha256":"00","jti":"j","device_id":"d"}"#
        #expect(ActionProof(header: header(whole)) != nil)
        for bad in [
            "", "{}", "null", "[]", whole.replacing(#""ts":1"#, with: #""ts":"1""#), whole.replacing(#""ts":1"#, with: #""ts":1e400"#),
            whole.replacing(#""ts":1"#, with: #""ts":9223372036854775808"#), whole.replacing(#""ts":1"#, with: #""ts":1.5"#),
            whole.replacing(#""nonce":"n","#, with: ""), whole.replacing(#""n""#, with: #""n\nx""#),
            whole.replacing(#""d""#, with: #""d\u0000""#),
            whole.replacing(#""d""#, with: "\"" + String(repeating: "d", count: 2000) + "\""),
            String(repeating: "[", count: 1500),
        ] {
            #expect(ActionProof(header: header(bad)) == nil, "\(bad.prefix(120))")
        }
        #expect(ActionProof(header: header(whole) + "=") == nil)
        #expect(GuestKey(encoded: Secret("!")) == nil && GuestKey(encoded: Secret("AAAA")) == nil)
    }

    @Test("Different proofs have different signed bytes, and each reads back equal")
    func property() throws {
        var luck = SeededGenerator.forTest(2)
        func word() -> String {
            String(
                (0..<Int.random(in: 0...6, using: &luck)).map { _ in ["a", "/", "0", "ü", "\"", " "].randomElement(using: &luck) ?? "a" }
                    .joined())
        }
        var seen: [Data: ActionProof] = [:]
        for _ in 0..<5000 {
            let proof = ActionProof(
                nonce: word(), ts: Int64.random(in: .min ... .max, using: &luck) >> Int64.random(in: 0...63, using: &luck), method: word(),
                path: word(), body: Data(word().utf8), jti: word(), deviceID: word())
            #expect(ActionProof(header: try proof.header()) == proof, "seed \(luck.seed)")
            if let other = seen.updateValue(proof, forKey: proof.signedBytes) {
                #expect(other == proof, "seed \(luck.seed)")
            }
        }
    }

    @Test("Damaged headers and signatures cause no crash, and no altered one verifies")
    func fuzz() throws {
        let key = GuestKey()
        let proof = ActionProof(nonce: "n", ts: 1, method: "POST", path: "/p", body: Data(), jti: "j", deviceID: key.deviceID)
        let (header, signature) = try key.sign(proof)
        var luck = SeededGenerator.forTest(3)
        var read = 0
        let count = TestRepetitions.of(20_000, full: 50_000)
        for _ in 0..<count {
            let damaged = Self.damaged(header, &luck)
            if let other = ActionProof(header: damaged) {
                read += 1
                #expect(other == proof || !key.publicKey.signed(other.signedBytes, signature), "seed \(luck.seed)")
            }
            let forged = Self.damaged(signature, &luck)
            #expect(forged == signature || !key.publicKey.signed(proof.signedBytes, forged), "\(forged), seed \(luck.seed)")
        }
        #expect(read > count / 50, "seed \(luck.seed)")
    }

    private static func damaged(_ text: String, _ luck: inout some RandomNumberGenerator) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 0...3, using: &luck) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &luck)
            switch Int.random(in: 0..<4, using: &luck) {
            case 0: bytes[place] = Array("ABab09-_=\n".utf8).randomElement(using: &luck) ?? 0
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &luck), at: place)
            default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &luck)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func bytes(_ hex: String) -> Data {
        Data(stride(from: 0, to: hex.utf8.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) })
    }
}
