import CardeaSecurity
import CardeaTestSupport
import Crypto
import Foundation
import Testing

@Suite("RSA keys of passkeys")
struct RSAPasskeyTests {
    /// An RSA COSE key with these numbers, each of any length.
    private func cose(modulus: Data, exponent: Data, algorithm: CBOR = CBOR(-257)) -> CBOR {
        .map([CBOR(1): CBOR(3), CBOR(3): algorithm, CBOR(-1): .bytes(modulus), CBOR(-2): .bytes(exponent)])
    }

    /// An odd number of that many bits.
    private func odd(bits: Int) -> Data {
        let first = UInt8(1) << UInt8((bits - 1) % 8)
        return Data([first]) + Data(repeating: 0x5A, count: (bits + 7) / 8 - 2) + Data([0x5B])
    }

    private let usual = Data([1, 0, 1])

    @Test("Keys of 2048 to 4096 bits are read", arguments: [2048, 2049, 3072, 3482, 4095, 4096])
    func lengths(bits: Int) throws {
        let key = try COSEKey(cose(modulus: odd(bits: bits), exponent: usual))
        #expect(key.algorithm == -257 && COSEKey.algorithms.contains(-257))
    }

    @Test("Weaker and longer keys are refused", arguments: [64, 512, 1024, 1536, 2040, 2047, 4097, 4104, 8192, 16_384])
    func wrongLengths(bits: Int) {
        #expect(throws: PasskeyError.invalidKey) { try COSEKey(cose(modulus: odd(bits: bits), exponent: usual)) }
    }

    @Test("Odd exponents from 3 to 32 bits are read", arguments: [[3], [17], [1, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]])
    func exponents(exponent: [UInt8]) throws {
        _ = try COSEKey(cose(modulus: odd(bits: 2048), exponent: Data(exponent)))
    }

    @Test(
        "Other exponents are refused",
        arguments: [
            [], [0], [1], [2], [4], [1, 0, 0], [0, 3], [0, 1, 0, 1], [1, 0, 0, 0, 1], [UInt8](repeating: 0xFF, count: 256),
        ] as [[UInt8]])
    func wrongExponents(exponent: [UInt8]) {
        #expect(throws: PasskeyError.invalidKey) { try COSEKey(cose(modulus: odd(bits: 2048), exponent: Data(exponent))) }
    }

    @Test("An even modulus, an empty one and one with a leading zero are refused")
    func moduli() {
        let good = odd(bits: 2048)
        let moduli: [Data] = [good.dropLast() + Data([0x5A]), Data(), Data([0]) + good, Data([0]) + good.dropFirst()]
        for modulus in moduli {
            #expect(throws: PasskeyError.invalidKey, "\(modulus.count) bytes") { try COSEKey(cose(modulus: modulus, exponent: usual)) }
        }
    }

    @Test("A key with missing, mistyped or additional members is refused")
    func members() {
        let good = odd(bits: 2048)
        let head: [CBOR: CBOR] = [CBOR(1): CBOR(3), CBOR(3): CBOR(-257)]
        let tails: [[CBOR: CBOR]] = [
            [:], [CBOR(-1): .bytes(good)], [CBOR(-2): .bytes(usual)], [CBOR(-1): .text("n"), CBOR(-2): .bytes(usual)],
            [CBOR(-1): .bytes(good), CBOR(-2): CBOR(65537)], [CBOR(-1): .bytes(good), CBOR(-2): .bytes(usual), CBOR(-3): .bytes(usual)],
        ]
        for tail in tails {
            #expect(throws: PasskeyError.invalidKey, "\(tail)") { try COSEKey(.map(head.merging(tail) { $1 })) }
        }
    }

    @Test("Other RSA algorithms are refused with their own error", arguments: [-37, -38, -39, -258, -259, -65535])
    func algorithms(algorithm: Int64) {
        let key = cose(modulus: odd(bits: 2048), exponent: usual, algorithm: CBOR(algorithm))
        #expect(throws: PasskeyError.unsupportedAlgorithm) { try COSEKey(key) }
    }

    @Test("A passkey with a weak key is not registered")
    func weak() throws {
        let challenge = SecretGenerator.randomBytes(32)
        let expected = PasskeyExpectation(challenge: challenge, rpID: "house.example", origins: ["https://house.example"])
        let soft = SoftwareAuthenticator(.rs256)
        let (json, object) = try soft.registrationResponse(challenge, rpID: "house.example", origin: "https://house.example")
        #expect(try PasskeyRegistration(clientDataJSON: json, attestationObject: object, expected: expected).algorithm == -257)
        // The same answer with half of the modulus: 1024 bits. The length of the authenticator's data is rewritten.
        let numbers = try #require(try CBOR.decode(soft.coseKey)[-1]?.data)
        let short = Data([0x20, 0x58, 128]) + numbers.suffix(128)
        let data = soft.authenticatorData(rpID: "house.example", flags: SoftwareAuthenticator.defaultFlags, count: 0, isNew: true)
            .replacing(Data([0x20, 0x59, 1, 0]) + numbers, with: short)
        let start = try #require(object.range(of: Data("authData".utf8))?.upperBound)
        let head = data.count < 256 ? [0x58, UInt8(data.count)] : [0x59, UInt8(data.count >> 8), UInt8(data.count & 0xFF)]
        let damaged = object.prefix(upTo: start) + Data(head) + data
        #expect(throws: PasskeyError.invalidKey) {
            try PasskeyRegistration(clientDataJSON: json, attestationObject: damaged, expected: expected)
        }
    }

    /// Signatures by the published key over the published assertion, with other paddings and hashes than RS256's.
    private enum Other {
        static let pss =
            "00bf9e61881a28e47ca82fb583774f6f53e7e6e3c37b17adb604a61b006b582e57199d04eb08dfe5dd1cfe59a1f2ac0be69ea00a4712b99af5ef62f9168e488eb088b45fd4904958b005c3909867b8ef42436c9bc0e010d34b78bf60d1d56bd2dc43546f16203efba912cd927ded95f02c38c8578568a438e248482e7186d74bccb40b8e8abd340a8fe23083e99fb817661e4830745ca6ff06f73f46c66d51866553fe6996395b935fa810528399d57682c1544aefce0926377f42ce599024ad4ea6a61413b244dc4f3397ebebe1a7721c146a1ab8fecb97a282557b6d43d0571de620bd75ebafef626580a2b2a8ed5876e94f8c309172dbdfca802d766b8b03f51c79f2990e504a2d50daa6edd4e4e400011f35280ccfade4e328d50b9196a7506f6af07397aa5ac81f55a3963da9fdb6f4b6e585f9b4615d3b73d7f76922e2f2fa2172941a254cad851d775653d7c959345b0b4e80ca7cfd644cb55a6892547d5472361df3904618a98d83f2e3ed1b716df43b71f0b41b7545e13ec1801b8e6cb7a932310196dfef2f1b98bfdbce0720120fc22930856e8601fb2a1b0e9195acd93ead6ced15a23618b6610331531df313d2c3"
        static let sha1 =
            "0345b70e91210a5a0178c13de1a9c0588735c3bd9a7a35381c5c77c2a97e07fbfe433f6b479c867bd99accd70486d0cdfbb78ed81363e03ac2479998530da30d224789f53b597dd63eed6a312ad33b013caa7a15901c7f0e2f20a43bd872f4de2f7f474306d85e50954e4c793b675da03153c115fce619298b69ddd3bc33faaf8e525fe1ce2841387c80194109e2cda6fb9ac2a3cd6b15cede79c1b5125c4d75de6f6630240cf02211b35dbdd15ac3d1c782790272f411b3642b67931fd20beee6355dedd68df47de2f7467444633f33fbe67c17faa027df01a61510168f25a120b64c8be745449d343b056b9f1ccf149a836c74c88d2b8133bc6ab73ed3b68edf1e86298d8eee07580b8446b46c2c78985ecff392db18c38bdda645f7b7024c162938986082658f861005fa334feebff9bfaffee9d8f18ffbbf56e11d2d6dc26d92852bda9a217665d3fc6277201b6a9d91c01ce418802181a4108bfccb6e4c1cccd4a7e81cf8a9ae3794bbf272f485a313e3fd42033af234eb314ad06f8fbd8a70e0a32a84da27c7ca81b49745fe396211a5c1f3663b6fb786b4e5cd34187fe067e072f76b14deaff04c6854c462c838c5b6d0"
        static let sha512 =
            "03d52cc3d6cbfd3608f8fe033489c3c0372b88aa0e51b865aff979dea46abd6f1a6290606b5953abd98078ec79b62987da0c925bdc15a5021146db51f3814cbb461d0aaef4d5644fcde4866be2211c1e937d25fbab2903031638b3e3cedbf49ab9cf04c03179b625699068cd01f1a2e45104f8ba408888d9f5a06039e8e0373089e5373959534c5920ff5b55ec2c049c8a5f035ecae1235dfd3c8e59ddfd869305a3045b6266c026bfe3c19e0a00eb84584a054c75e35bbf4b554d795140ee16f1fcaa3cf745db6fcfec8520a3c707b904ca8c6a662b1e2270ccf14642089d973f20e0ef9c284d3e3e11325ad9a44827a7b5fa59f1ded3fc102100f56c25424249cfe52b8939a31bae6044db0747af78eb02c9b8715b6012345053014f08e799597df26fd885f8d79bb747d621ea0c46450fdb1b7f1c0f17efcb65717187424b0af500d9bdc7d97eb8094cedb3c2be05a309ed36755f26a63d56501d07d3cb28760a2fd0319e3615d4bc3fbd5331012558c3211255d394de555c381a552f248c58c3368b5f4641148e6ab23e3d79670960ec51ffbd49bed7e1fe902fa6e8750f8bdf0a904061dd0c2c218e44d07408f094faab65"
    }

    @Test("A signature with another padding or hash is refused", arguments: [Other.pss, Other.sha1, Other.sha512])
    func paddings(signature: String) throws {
        let (key, message) = try published()
        #expect(key.isValid(bytes(PasskeyVectors.rsa.signature), for: message))
        #expect(!key.isValid(bytes(signature), for: message))
    }

    @Test("A signature of the wrong length is refused")
    func damaged() throws {
        let (key, message) = try published()
        let good = bytes(PasskeyVectors.rsa.signature)
        let longer: [Data] = [good + Data([0]), Data([0]) + good, good + good]
        for signature in longer + [Data(), good.dropFirst(), good.dropLast(), Data(count: 436), Data(repeating: 0xFF, count: 436)] {
            #expect(!key.isValid(signature, for: message), "\(signature.count) bytes")
        }
        #expect(!key.isValid(good, for: message + Data([0])))
    }

    private func published() throws -> (key: COSEKey, message: Data) {
        let object = try CBOR.decode(bytes(PasskeyVectors.rsa.attestationObject))
        let data = try #require(object["authData"]?.data)
        let attested = try #require(try AuthenticatorData(data).attested)
        let message = bytes(PasskeyVectors.rsa.authenticatorData) + Data(SHA256.hash(data: bytes(PasskeyVectors.rsa.getJSON)))
        return (attested.key, message)
    }

    private func bytes(_ hex: String) -> Data {
        Data(stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) })
    }
}
