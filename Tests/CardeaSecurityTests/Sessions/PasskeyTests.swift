import CardeaSecurity
import CardeaTestSupport
import Crypto
import Foundation
import Testing

private func bytesFromHex(_ hex: String) -> Data {
    var data = Data()
    var rest = hex[...]
    while rest.count >= 2 {
        data.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
    }
    return data
}

private func expectation(_ json: Data, mustVerifyUser: Bool = false, origins: Set<String> = ["https://example.org"]) -> PasskeyExpectation {
    PasskeyExpectation(
        challenge: PasskeyAssertion.challenge(in: json) ?? Data(), rpID: "example.org", origins: origins, mustVerifyUser: mustVerifyUser)
}

/// The passkey of a vector as its authenticator describes it, whatever the statement beside it says.
private func passkey(_ vector: PasskeyVectors.Vector) throws -> (attested: AuthenticatorData.AttestedCredential, kept: StoredPasskey) {
    let object = try CBOR.decode(bytesFromHex(vector.attestationObject))
    let data = try AuthenticatorData(try #require(object["authData"]?.data))
    let attested = try #require(data.attested)
    let isEligible = data.flags.contains(.backupEligible)
    return (attested, StoredPasskey(publicKey: attested.keyBytes, signCount: data.signCount, isBackupEligible: isEligible))
}

private func use(
    _ vector: PasskeyVectors.Vector, by kept: StoredPasskey, mustVerifyUser: Bool = false
) throws(PasskeyError) -> PasskeyAssertion {
    let get = bytesFromHex(vector.getJSON)
    return try PasskeyAssertion(
        clientDataJSON: get, authenticatorData: bytesFromHex(vector.authenticatorData), signature: bytesFromHex(vector.signature), by: kept,
        expected: expectation(get, mustVerifyUser: mustVerifyUser))
}

@Suite("Passkeys with published vectors")
struct PublishedPasskeyTests {
    @Test("Registration and assertion match the published vectors", arguments: [PasskeyVectors.none, PasskeyVectors.itself])
    func published(vector: PasskeyVectors.Vector) throws {
        let create = bytesFromHex(vector.createJSON)
        let made = try PasskeyRegistration(
            clientDataJSON: create, attestationObject: bytesFromHex(vector.attestationObject), expected: expectation(create))
        #expect(made.algorithm == -7 && made.signCount == 0 && made.isBackupEligible && made.credentialID.count == 32)

        let get = bytesFromHex(vector.getJSON)
        let used = try PasskeyAssertion(
            clientDataJSON: get, authenticatorData: bytesFromHex(vector.authenticatorData), signature: bytesFromHex(vector.signature),
            by: StoredPasskey(publicKey: made.publicKey, signCount: made.signCount, isBackupEligible: made.isBackupEligible),
            expected: expectation(get))
        #expect(used.signCount == 0 && !used.isUserVerified)
    }

    @Test("A credential id of the maximum length is read with the key after it")
    func longest() throws {
        let create = bytesFromHex(PasskeyVectors.long.createJSON)
        let made = try PasskeyRegistration(
            clientDataJSON: create, attestationObject: bytesFromHex(PasskeyVectors.long.attestationObject), expected: expectation(create))
        #expect(made.algorithm == -7 && made.credentialID.count == 1023 && made.isBackupEligible && !made.isUserVerified)
        let kept = StoredPasskey(publicKey: made.publicKey, signCount: made.signCount, isBackupEligible: made.isBackupEligible)
        #expect(try use(PasskeyVectors.long, by: kept, mustVerifyUser: true).isUserVerified)
    }

    @Test(
        "An unverifiable vendor attestation is refused; its key is usable, also Ed25519 and RSA",
        arguments: [(PasskeyVectors.made, -7, true), (PasskeyVectors.edwards, -8, false), (PasskeyVectors.rsa, -257, false)])
    func certified(vector: PasskeyVectors.Vector, algorithm: Int, isUserVerified: Bool) throws {
        let create = bytesFromHex(vector.createJSON)
        #expect(throws: PasskeyError.unsupportedAttestation) {
            try PasskeyRegistration(
                clientDataJSON: create, attestationObject: bytesFromHex(vector.attestationObject), expected: expectation(create))
        }
        let (attested, kept) = try passkey(vector)
        #expect(attested.key.algorithm == algorithm && attested.credentialID.count == 32)
        let used = try use(vector, by: kept)
        #expect(used.signCount == 0 && used.isUserVerified == isUserVerified)
        if !isUserVerified {
            #expect(throws: PasskeyError.userNotVerified) { try use(vector, by: kept, mustVerifyUser: true) }
        }
        let other = try passkey(PasskeyVectors.none).kept
        let stolen = StoredPasskey(publicKey: other.publicKey, signCount: 0, isBackupEligible: kept.isBackupEligible)
        #expect(throws: PasskeyError.wrongSignature) { try use(vector, by: stolen) }
    }

    @Test("A cross-origin ceremony is refused with its own error", arguments: [PasskeyVectors.crossing, PasskeyVectors.framed])
    func inside(vector: PasskeyVectors.Vector) throws {
        let create = bytesFromHex(vector.createJSON)
        #expect(throws: PasskeyError.crossOrigin) {
            try PasskeyRegistration(
                clientDataJSON: create, attestationObject: bytesFromHex(vector.attestationObject), expected: expectation(create))
        }
        let (attested, kept) = try passkey(vector)
        #expect(throws: PasskeyError.crossOrigin) { try use(vector, by: kept) }
        // The signature is valid all the same: the page is refused.
        let signed = bytesFromHex(vector.authenticatorData) + Data(SHA256.hash(data: bytesFromHex(vector.getJSON)))
        #expect(attested.key.isValid(bytesFromHex(vector.signature), for: signed))
    }

    @Test(
        "Any changed bit of an assertion or a self-attestation is refused",
        arguments: [
            PasskeyVectors.none, PasskeyVectors.itself, PasskeyVectors.long, PasskeyVectors.made, PasskeyVectors.edwards,
            PasskeyVectors.rsa,
        ])
    func everyBit(vector: PasskeyVectors.Vector) throws {
        let create = bytesFromHex(vector.createJSON)
        let kept = try passkey(vector).kept
        let get = bytesFromHex(vector.getJSON)
        let expected = expectation(get)
        let parts = [get, bytesFromHex(vector.authenticatorData), bytesFromHex(vector.signature)]
        for (part, whole) in parts.enumerated() {
            for index in whole.indices {
                for bit in 0..<8 {
                    var altered = parts
                    altered[part][index] ^= 1 << bit
                    #expect(throws: PasskeyError.self) {
                        try PasskeyAssertion(
                            clientDataJSON: altered[0], authenticatorData: altered[1], signature: altered[2], by: kept, expected: expected)
                    }
                }
            }
        }
        guard vector.name == PasskeyVectors.itself.name else { return }
        let object = bytesFromHex(vector.attestationObject)
        for index in object.indices {
            var altered = object
            altered[index] ^= 1
            #expect(throws: PasskeyError.self) {
                try PasskeyRegistration(clientDataJSON: create, attestationObject: altered, expected: expectation(create))
            }
        }
    }

    @Test("A wrong frame, relying party, origin, challenge or user verification is refused with its own error")
    func refused() throws {
        let framed = bytesFromHex(PasskeyVectors.framed.createJSON)
        func problem(_ json: Data, _ object: String, _ expected: PasskeyExpectation) -> PasskeyError? {
            #expect(throws: PasskeyError.self) {
                try PasskeyRegistration(clientDataJSON: json, attestationObject: bytesFromHex(object), expected: expected)
            }
        }
        #expect(problem(framed, PasskeyVectors.framed.attestationObject, expectation(framed)) == .crossOrigin)
        let (json, object) = (bytesFromHex(PasskeyVectors.none.createJSON), PasskeyVectors.none.attestationObject)
        #expect(problem(json, object, expectation(json, origins: ["https://example.com"])) == .wrongOrigin)
        #expect(problem(json, object, expectation(json, mustVerifyUser: true)) == .userNotVerified)
        #expect(
            problem(bytesFromHex(PasskeyVectors.none.getJSON), object, expectation(bytesFromHex(PasskeyVectors.none.getJSON))) == .wrongType
        )
        let other = PasskeyExpectation(challenge: Data(count: 32), rpID: "example.org", origins: ["https://example.org"])
        #expect(problem(json, object, other) == .wrongChallenge)
        let house = PasskeyExpectation(
            challenge: PasskeyAssertion.challenge(in: json) ?? Data(), rpID: "house.example", origins: ["https://example.org"])
        #expect(problem(json, object, house) == .wrongRelyingParty)
    }
}

@Suite("Passkeys with a software authenticator")
struct SoftwareAuthenticatorTests {
    private let challenge = SecretGenerator.randomBytes(32)
    private let origin = "https://house.example"
    private var expected: PasskeyExpectation {
        PasskeyExpectation(challenge: challenge, rpID: "house.example", origins: [origin])
    }

    @Test("Every key type works with and without self-attestation", arguments: SoftwareAuthenticator.Kind.allCases, [false, true])
    func kinds(kind: SoftwareAuthenticator.Kind, signsItself: Bool) throws {
        let soft = SoftwareAuthenticator(kind)
        let (json, object) = try soft.registrationResponse(
            challenge, rpID: "house.example", origin: origin, count: 7, signsItself: signsItself)
        let made = try PasskeyRegistration(clientDataJSON: json, attestationObject: object, expected: expected)
        #expect(made.credentialID == soft.credentialID && made.publicKey == soft.coseKey && made.isUserVerified && made.isBackedUp)

        let shown = try soft.assertionResponse(challenge, rpID: "house.example", origin: origin, count: 8)
        func use(_ kept: StoredPasskey) throws -> PasskeyAssertion {
            try PasskeyAssertion(
                clientDataJSON: shown.clientDataJSON, authenticatorData: shown.authenticatorData, signature: shown.signature, by: kept,
                expected: expected)
        }
        #expect(try use(.init(publicKey: made.publicKey, signCount: 7, isBackupEligible: true)).signCount == 8)
        #expect(throws: PasskeyError.cloned) { try use(.init(publicKey: made.publicKey, signCount: 8, isBackupEligible: true)) }
        #expect(throws: PasskeyError.cloned) { try use(.init(publicKey: made.publicKey, signCount: 9, isBackupEligible: true)) }
        #expect(throws: PasskeyError.changedEligibility) {
            try use(.init(publicKey: made.publicKey, signCount: 7, isBackupEligible: false))
        }
        let other = SoftwareAuthenticator(kind)
        #expect(throws: PasskeyError.wrongSignature) { try use(.init(publicKey: other.coseKey, signCount: 7, isBackupEligible: true)) }
    }

    @Test("Missing user presence, missing verification and contradicting backup flags are refused")
    func flags() throws {
        let soft = SoftwareAuthenticator()
        for (flags, problem) in [(0x04, PasskeyError.userNotPresent), (0x01, .userNotVerified), (0x15, .malformed)]
            as [(UInt8, PasskeyError)]
        {
            let (json, object) = try soft.registrationResponse(challenge, rpID: "house.example", origin: origin, flags: flags)
            #expect(throws: problem) { try PasskeyRegistration(clientDataJSON: json, attestationObject: object, expected: expected) }
        }
    }

    @Test("An unverifiable vendor attestation is refused")
    func foreignAttestation() throws {
        let soft = SoftwareAuthenticator()
        let json = SoftwareAuthenticator.clientData("webauthn.create", challenge, origin)
        let data = soft.authenticatorData(rpID: "house.example", flags: SoftwareAuthenticator.defaultFlags, count: 0, isNew: true)
        func object(_ format: String, _ statement: [UInt8]) -> Data {
            var object = Data([0xA3, 0x63]) + Data("fmt".utf8)
            object += Data([0x60 | UInt8(format.utf8.count)]) + Data(format.utf8)
            object += Data([0x67]) + Data("attStmt".utf8) + Data(statement)
            object += Data([0x68]) + Data("authData".utf8) + Data([0x58, UInt8(data.count)]) + data
            return object
        }
        for (format, statement, problem) in [
            ("fido-u2f", [0xA0], .unsupportedAttestation), ("tpm", [0xA0], .unsupportedAttestation),
            ("packed", [0xA0], .unsupportedAttestation), ("none", [0xA1, 1, 1], .malformed), ("none", [0x80], .malformed),
        ] as [(String, [UInt8], PasskeyError)] {
            #expect(throws: problem) {
                try PasskeyRegistration(clientDataJSON: json, attestationObject: object(format, statement), expected: expected)
            }
        }
    }

    @Test("A key off its curve, of another type or with additional members is refused")
    func keys() throws {
        let good = SoftwareAuthenticator(.es256).coseKey
        _ = try COSEKey(bytes: good)
        _ = try COSEKey(bytes: SoftwareAuthenticator(.ed25519).coseKey)
        var offCurve = good
        offCurve[good.count - 1] ^= 1
        #expect(throws: PasskeyError.invalidKey) { try COSEKey(bytes: offCurve) }
        var otherAlgorithm = good
        otherAlgorithm[4] = 0x27
        #expect(throws: PasskeyError.unsupportedAlgorithm) { try COSEKey(bytes: otherAlgorithm) }
        var more = good
        more[0] = 0xA6
        #expect(throws: PasskeyError.invalidKey) { try COSEKey(bytes: more + Data([2, 0x41, 1])) }
        #expect(throws: PasskeyError.invalidKey) { try COSEKey(bytes: good.dropLast()) }
        #expect(throws: PasskeyError.invalidKey) { try COSEKey(bytes: good + Data([0])) }
    }
}

@Suite("CBOR of untrusted senders")
struct CBORTests {
    @Test("The RFC 8949 appendix A examples that an authenticator may send are decoded")
    func published() throws {
        for (hex, value) in [
            ("00", .unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1000)),
            ("1a000f4240", .unsigned(1_000_000)), ("1bffffffffffffffff", .unsigned(.max)), ("20", .negative(0)),
            ("3903e7", .negative(999)), ("3bffffffffffffffff", .negative(.max)), ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null),
            ("40", .bytes(Data())), ("4401020304", .bytes(Data([1, 2, 3, 4]))), ("60", .text("")), ("62c3bc", .text("ü")),
            ("64f0908591", .text("\u{10151}")), ("80", .array([])), ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])),
            ("a0", .map([:])), ("a201020304", .map([.unsigned(1): .unsigned(2), .unsigned(3): .unsigned(4)])),
            ("a26161016162820203", .map([.text("a"): .unsigned(1), .text("b"): .array([.unsigned(2), .unsigned(3)])])),
        ] as [(String, CBOR)] {
            #expect(try CBOR.decode(bytesFromHex(hex)) == value, "\(hex)")
        }
        #expect(CBOR(-7) == .negative(6) && CBOR(Int64.min) == .negative(UInt64(Int64.max)) && CBOR(5) == .unsigned(5))
    }

    @Test("Non-canonical encodings are refused with their own error")
    func refused() {
        for (hex, problem) in [
            ("", .truncated), ("18", .truncated), ("1a0000", .truncated), ("4401", .truncated), ("8201", .truncated), ("a101", .truncated),
            ("0000", .trailingBytes), ("1800", .notShortest), ("1817", .notShortest), ("190017", .notShortest), ("1900ff", .notShortest),
            ("1a0000ffff", .notShortest), ("1b00000000ffffffff", .notShortest), ("5801ff", .notShortest), ("9f01ff", .indefiniteLength),
            ("5f4101ff", .indefiniteLength), ("bf6161019fff", .indefiniteLength), ("ff", .indefiniteLength), ("a201020103", .duplicateKey),
            ("62c328", .invalidText), ("63eda080", .invalidText), ("c001", .unsupported), ("f90000", .unsupported),
            ("fa00000000", .unsupported),
            ("f7", .unsupported), ("f818", .unsupported), ("1c", .unsupported), ("fe", .unsupported),
            ("5bffffffffffffffff", .truncated), ("9bffffffffffffffff", .truncated), ("bbffffffffffffffff", .truncated),
            ("9a7fffffff", .truncated), (String(repeating: "81", count: 8) + "00", .tooDeep),
            (String(repeating: "81", count: 5000), .tooDeep),
        ] as [(String, CBOR.CBORError)] {
            #expect(throws: problem, "\(hex.prefix(40))") { try CBOR.decode(bytesFromHex(hex)) }
        }
        #expect(throws: CBOR.CBORError.tooLarge) { try CBOR.decode(Data([0x99, 0x02, 0x00]) + Data(count: 512)) }
        #expect(throws: CBOR.CBORError.tooLarge) { try CBOR.decode(Data(count: 64 * 1024 + 1)) }
    }

    @Test("Random messages are refused or encode back to the same bytes")
    func roundTrip() throws {
        var random = SeededGenerator.forTest(0xCBAD)
        var read = 0
        let count = TestRepetitions.of(20_000, full: 100_000)
        for round in 0..<count {
            var message = round.isMultiple(of: 2) ? Self.write(Self.made(&random, depth: 0)) : []
            if round.isMultiple(of: 4) || message.isEmpty {
                for _ in 0..<Int.random(in: 1...24, using: &random) { message.append(UInt8.random(in: 0...255, using: &random)) }
                message = Array(message.shuffled(using: &random).prefix(200))
            }
            guard let value = try? CBOR.decode(Data(message)) else { continue }
            read += 1
            // Maps may come in any order; everything else has one encoding.
            #expect(Self.write(value).sorted() == message.sorted(), "seed \(random.seed)")
            #expect(try CBOR.decode(Data(Self.write(value))) == value, "seed \(random.seed)")
        }
        #expect(read > count / 5, "seed \(random.seed)")
    }

    @Test("Damaged registrations cause no crash, and none is accepted unsigned")
    func damaged() throws {
        let create = bytesFromHex(PasskeyVectors.itself.createJSON)
        let object = bytesFromHex(PasskeyVectors.itself.attestationObject)
        let expected = expectation(create)
        var random = SeededGenerator.forTest(7)
        for _ in 0..<TestRepetitions.of(20_000, full: 40_000) {
            var damaged = Array(object)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                guard !damaged.isEmpty else { break }
                let index = Int.random(in: 0..<damaged.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: damaged[index] ^= UInt8.random(in: 1...255, using: &random)
                case 1: damaged.remove(at: index)
                case 2: damaged.insert(UInt8.random(in: 0...255, using: &random), at: index)
                default: damaged = Array(damaged.prefix(index))
                }
            }
            guard damaged != Array(object) else { continue }
            #expect(throws: PasskeyError.self, "seed \(random.seed)") {
                try PasskeyRegistration(clientDataJSON: create, attestationObject: Data(damaged), expected: expected)
            }
        }
    }

    private static func made(_ random: inout SeededGenerator, depth: Int) -> CBOR {
        switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &random) {
        case 0: .unsigned(UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0..<64, using: &random))
        case 1: .negative(UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0..<64, using: &random))
        case 2: .bytes(Data((0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }))
        case 3: .text(String((0..<Int.random(in: 0..<10, using: &random)).map { _ in "aü€😀x".randomElement(using: &random) ?? "a" }))
        case 4: .bool(Bool.random(using: &random))
        case 5: .null
        case 6: .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in made(&random, depth: depth + 1) })
        default:
            .map(
                Dictionary(
                    (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                        (made(&random, depth: depth + 1), made(&random, depth: depth + 1))
                    }, uniquingKeysWith: { first, _ in first }))
        }
    }

    private static func write(_ value: CBOR) -> [UInt8] {
        switch value {
        case .unsigned(let number): head(0, number)
        case .negative(let number): head(1, number)
        case .bytes(let data): head(2, UInt64(data.count)) + Array(data)
        case .text(let text): head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let elements): head(4, UInt64(elements.count)) + elements.flatMap(write)
        // In a fixed order: a dictionary's differs between runs.
        case .map(let members): head(5, UInt64(members.count)) + pairs(members)
        case .bool(let bool): [bool ? 0xF5 : 0xF4]
        case .null: [0xF6]
        }
    }

    private static func pairs(_ members: [CBOR: CBOR]) -> [UInt8] {
        let pairs: [[UInt8]] = members.map { write($0.key) + write($0.value) }
        return pairs.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
    }

    private static func head(_ major: UInt8, _ number: UInt64) -> [UInt8] {
        let big = withUnsafeBytes(of: number.bigEndian) { Array($0) }
        switch number {
        case 0...23: return [major << 5 | UInt8(number)]
        case 24...0xFF: return [major << 5 | 24] + big.suffix(1)
        case 0x100...0xFFFF: return [major << 5 | 25] + big.suffix(2)
        case 0x1_0000...0xFFFF_FFFF: return [major << 5 | 26] + big.suffix(4)
        default: return [major << 5 | 27] + big
        }
    }
}

@Suite("Passkey encodings")
struct Base64URLTests {
    @Test("Bytes have one Base64URL text, and other texts are refused")
    func strict() {
        var random = SeededGenerator.forTest(8)
        for count in 0..<70 {
            let data = Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
            #expect(Base64URL.decode(Base64URL.encode(data)) == data, "seed \(random.seed)")
        }
        for text in ["=", "AA==", "A", "AB", "A+", "A/", " AA", "AA\n", "AAA=", "AAB", "ü"] {
            #expect(Base64URL.decode(text) == nil, "\(text)")
        }
        #expect(Base64URL.decode("_-8") == Data([0xFF, 0xEF]))
    }

    @Test("Recovery codes read back in any notation and never repeat")
    func recovery() {
        let codes = (0..<2000).map { _ in SecretGenerator.recoveryCode() }
        #expect(Set(codes.map { $0.reveal() }).count == codes.count)
        for code in codes.prefix(50) {
            let shown = RecoveryCode.formatted(code)
            #expect(shown.count == 29 && shown.split(separator: "-").count == 6)
            #expect(RecoveryCode.normalized(" " + shown.lowercased().replacingOccurrences(of: "-", with: " "))?.reveal() == code.reveal())
        }
        #expect(RecoveryCode.normalized("7KQ2-M9PX-RT") == nil)
    }
}
