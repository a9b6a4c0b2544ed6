import CardeaSecurity
import CardeaTestSupport
import Crypto
import Foundation
import Testing

@Suite("Malformed passkeys")
struct MalformedPasskeyTests {
    private let challenge = SecretGenerator.randomBytes(32)
    private let origin = "https://house.example"
    private var expected: PasskeyExpectation {
        PasskeyExpectation(challenge: challenge, rpID: "house.example", origins: [origin])
    }

    /// With arbitrary bytes after the authenticator's flags and count.
    private func said(_ soft: SoftwareAuthenticator, flags: UInt8, more: [UInt8] = [], isNew: Bool = false) -> Data {
        soft.authenticatorData(rpID: "house.example", flags: flags, count: 0, isNew: isNew) + Data(more)
    }

    /// Up to 255 bytes, without an attestation statement.
    private func object(_ data: Data) -> Data {
        var object = Data([0xA3, 0x63]) + Data("fmt".utf8) + Data([0x64]) + Data("none".utf8)
        object += Data([0x67]) + Data("attStmt".utf8) + Data([0xA0, 0x68]) + Data("authData".utf8)
        return object + Data([0x58, UInt8(data.count)]) + data
    }

    @Test("Extensions that are no map or are followed by other bytes are refused", arguments: [false, true])
    func extensions(isNew: Bool) throws {
        let soft = SoftwareAuthenticator(.ed25519)
        let flags = SoftwareAuthenticator.defaultFlags | 0x80

        let good = try AuthenticatorData(said(soft, flags: flags, more: [0xA1, 0x61, 0x61, 0xF5], isNew: isNew))

        #expect(good.flags.contains(.userVerified) && good.signCount == 0)
        #expect(good.attested?.credentialID == (isNew ? soft.credentialID : nil))
        for more: [UInt8] in [[], [0x80], [0xF6], [0xA1, 0x61], [0xA0, 0x00], [0xFF]] {
            #expect(throws: PasskeyError.malformed, "\(more)") {
                try AuthenticatorData(said(soft, flags: flags, more: more, isNew: isNew))
            }
        }
        #expect(throws: PasskeyError.malformed) {
            try AuthenticatorData(said(soft, flags: SoftwareAuthenticator.defaultFlags, more: [0xA0]))
        }
    }

    @Test("A credential with an empty or oversized id is refused", arguments: [0, 1024])
    func credentialLength(count: Int) {
        let soft = SoftwareAuthenticator(credentialID: Data(count: count))
        #expect(throws: PasskeyError.malformed) {
            try AuthenticatorData(said(soft, flags: SoftwareAuthenticator.defaultFlags, isNew: true))
        }
    }

    @Test("A registration without a key is refused")
    func noKey() throws {
        let soft = SoftwareAuthenticator()
        let json = SoftwareAuthenticator.clientData("webauthn.create", challenge, origin)
        let whole = object(said(soft, flags: SoftwareAuthenticator.defaultFlags, isNew: true))
        _ = try PasskeyRegistration(clientDataJSON: json, attestationObject: whole, expected: expected)
        let without = object(said(soft, flags: SoftwareAuthenticator.defaultFlags))
        #expect(throws: PasskeyError.malformed) {
            try PasskeyRegistration(clientDataJSON: json, attestationObject: without, expected: expected)
        }
    }

    @Test("An assertion that contains a new key is refused despite its valid signature")
    func keyInUse() throws {
        let soft = SoftwareAuthenticator()
        let json = SoftwareAuthenticator.clientData("webauthn.get", challenge, origin)
        let data = said(soft, flags: SoftwareAuthenticator.defaultFlags, isNew: true)
        let signature = try soft.sign(data + Data(SHA256.hash(data: json)))
        #expect(throws: PasskeyError.malformed) {
            try PasskeyAssertion(
                clientDataJSON: json, authenticatorData: data, signature: signature,
                by: StoredPasskey(publicKey: soft.coseKey, signCount: 0, isBackupEligible: true), expected: expected)
        }
    }

    @Test("An Ed25519 key of the wrong length, type or with additional members is refused")
    func ed25519() throws {
        let good = SoftwareAuthenticator(.ed25519).coseKey
        #expect(try COSEKey(bytes: good).algorithm == -8)
        let head = Data([0xA4, 1, 1, 3, 0x27, 0x20, 6, 0x21])
        for point in [
            Data([0x58, 31]) + Data(count: 31), Data([0x58, 33]) + Data(count: 33), Data([0x40]), Data([0x01]), Data([0x60]), Data([0xA0]),
        ] {
            #expect(throws: PasskeyError.invalidKey) { try COSEKey(bytes: head + point) }
        }
        var more = good
        more[0] = 0xA5
        #expect(throws: PasskeyError.invalidKey) { try COSEKey(bytes: more + Data([2, 0x41, 1])) }
    }

    @Test("A CBOR value that is no map has no members and is no key")
    func noMap() throws {
        for value: CBOR in [.unsigned(2), .bytes(Data([1])), .array([.unsigned(1)]), .text("key"), .bool(true), .null] {
            #expect(value["authData"] == nil && value[-1] == nil)
            #expect(throws: PasskeyError.invalidKey) { try COSEKey(value) }
        }
        #expect(throws: PasskeyError.unsupportedAlgorithm) { try COSEKey(.map([:])) }
        #expect(CBOR.text("key").data == nil && CBOR.map([.unsigned(1): .null])[1] == .null)
    }
}
