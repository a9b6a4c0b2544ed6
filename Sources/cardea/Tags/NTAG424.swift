import CardeaNFC
import CardeaSecurity
import Foundation

/// An NTAG 424 DNA on a reader, accessed with its keys (NXP NT4H2421Gx).
struct NTAG424 {
    let channel: any CardChannel

    enum ChipError: Error {
        /// Another kind of tag.
        case unsupportedTag
        /// It does not know the key, or does no longer.
        case wrongKey
        /// It refused, by its own number.
        case refused(UInt16)
    }

    private enum Instruction {
        static let authenticate: UInt8 = 0x71
        static let additionalFrame: UInt8 = 0xAF
        static let uid: UInt8 = 0x51
        static let keyVersion: UInt8 = 0x64
        static let changeKey: UInt8 = 0xC4
        static let changeSettings: UInt8 = 0x5F
    }

    private static let success: UInt16 = 0x9100
    private static let moreFrames: UInt16 = 0x91AF
    /// The number of the file with the link.
    private static let file: UInt8 = 2

    func authenticate(_ number: UInt8, _ key: TagKey) async throws -> EV2Session {
        let challenge = try await send(Instruction.authenticate, Data([number, 0]))
        guard challenge.status == Self.moreFrames else { throw ChipError.unsupportedTag }
        let handshake = try EV2Handshake(key, challenge: Data(challenge.data))
        let answer = try await send(Instruction.additionalFrame, handshake.answer)
        guard answer.status == Self.success else { throw ChipError.wrongKey }
        return try handshake.session(Data(answer.data))
    }

    /// The number from the factory, also if the tag shows each reader a random one.
    func uid(_ session: inout EV2Session) async throws -> Data {
        let answer = try await sendExpectingSuccess(Instruction.uid, try session.body(Instruction.uid))
        return try session.receive(answer)
    }

    /// 0 of a key of the factory's.
    func keyVersion(_ number: UInt8) async throws -> UInt8 {
        let answer = try await sendExpectingSuccess(Instruction.keyVersion, Data([number]))
        guard let version = answer.first else { throw EV2Session.SessionError.malformed }
        return version
    }

    /// Changes a key other than the session's own.
    func change(_ number: UInt8, to key: TagKey, from old: TagKey, _ session: inout EV2Session) async throws {
        let body = try session.body(
            Instruction.changeKey, header: Data([number]), data: TagPersonalisation.change(to: key, from: old))
        _ = try session.receive(try await sendExpectingSuccess(Instruction.changeKey, body))
    }

    /// Changes key 0, by which the session was begun. The session ends with it.
    func changeMasterKey(to key: TagKey, _ session: EV2Session) async throws {
        let body = try session.body(Instruction.changeKey, header: Data([0]), data: TagPersonalisation.change(to: key, from: nil))
        _ = try await sendExpectingSuccess(Instruction.changeKey, body)
    }

    func change(settings: Data, _ session: inout EV2Session) async throws {
        let body = try session.body(Instruction.changeSettings, header: Data([Self.file]), data: settings)
        _ = try session.receive(try await sendExpectingSuccess(Instruction.changeSettings, body))
    }

    private func sendExpectingSuccess(_ instruction: UInt8, _ body: Data) async throws -> Data {
        let answer = try await send(instruction, body)
        guard answer.status == Self.success else { throw ChipError.refused(answer.status) }
        return Data(answer.data)
    }

    private func send(_ instruction: UInt8, _ body: Data) async throws -> ResponseAPDU {
        try await channel.exchange(CommandAPDU(0x90, instruction, data: [UInt8](body), wanted: 256))
    }
}

extension CommandLineError {
    init(_ problem: NTAG424.ChipError) {
        switch problem {
        case .unsupportedTag:
            self = .refused(
                "tag_unsuitable", "This tag is not an NTAG 424 DNA. Use `cardea tags write` for other tags; they open no doors.")
        case .wrongKey:
            self = .refused(
                "tag_has_keys",
                "This NTAG 424 DNA already has keys, of this house or another one. Use a new tag.")
        case .refused(let status):
            self = .refused(
                "tag_refused",
                """
                The tag refused the command (\(String(status, radix: 16, uppercase: true))). Lay it flat on the reader again, do \
                not move it, and retry.
                """
            )
        }
    }

    init(_ problem: EV2Session.SessionError) {
        self = .refused("tag_forged", "Another tag is on the reader. Lay only the first tag on it, and retry.")
    }
}
