import Crypto
import Foundation
import Testing

@testable import CardeaSecurity

@Suite("Authenticated command envelope")
struct CommandEnvelopeTests {
    private let key = ButtonSecret(hex: Secret("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"))

    /// As `docs/firmware.md` prints it, made there by Python's `hmac`.
    @Test("The envelope matches the firmware documentation octet for octet")
    func known() throws {
        let envelope = try CommandEnvelope.seal(
            #"{"command":1}"#, id: "cmd_1", at: Date(timeIntervalSince1970: 1_700_000_000.9), device: "home/garage", try #require(key))

        #expect(
            String(decoding: envelope, as: UTF8.self)
                == #"{"command":"{\"command\":1}","device":"home/garage","id":"cmd_1","mac":"1b9ca56cf85b7e3290d67087450c9e4fa906f4efcf995d6b8f920e7a63d32338","time":1700000000}"#
        )
    }

    @Test("A change of any field or of the key changes the code")
    func bound() throws {
        let key = try #require(key)
        let one = CommandEnvelope.mac("open", id: "1", time: 5, device: "d", key)
        let others = [
            CommandEnvelope.mac("close", id: "1", time: 5, device: "d", key),
            CommandEnvelope.mac("open", id: "2", time: 5, device: "d", key),
            CommandEnvelope.mac("open", id: "1", time: 6, device: "d", key),
            CommandEnvelope.mac("open", id: "1", time: 5, device: "e", key),
            CommandEnvelope.mac("open", id: "1", time: 5, device: "d", .make()),
        ]
        #expect(!others.contains(one) && Set(others).count == others.count)
    }
}
