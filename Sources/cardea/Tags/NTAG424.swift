import CardeaNDEF
import CardeaSecurity
import Foundation

/// An NTAG 424 DNA on a reader, as whoever holds its keys speaks to it (NXP NT4H2421Gx).
struct NTAG424 {
    let line: any CardLine

    enum Problem: Error {
        /// Another kind of tag.
        case other
        /// It does not know the key, or does no longer.
        case wrongKey
        /// It refused, by its own number.
        case refused(UInt16)
    }

    private enum Instruction {
        static let authenticate: UInt8 = 0x71
        static let more: UInt8 = 0xAF
        static let uid: UInt8 = 0x51
        static let keyVersion: UInt8 = 0x64
        static let changeKey: UInt8 = 0xC4
        static let changeSettings: UInt8 = 0x5F
    }

    private static let fine: UInt16 = 0x9100
    private static let goesOn: UInt16 = 0x91AF
    /// The file in which the link lies.
    private static let file: UInt8 = 2

    func authenticate(_ number: UInt8, _ key: TagKey) async throws -> EV2Session {
        let challenge = try await ask(Instruction.authenticate, Data([number, 0]))
        guard challenge.status == Self.goesOn else { throw Problem.other }
        let handshake = try EV2Handshake(key, challenge: Data(challenge.data))
        let answer = try await ask(Instruction.more, handshake.answer)
        guard answer.status == Self.fine else { throw Problem.wrongKey }
        return try handshake.session(Data(answer.data))
    }

    /// The number that the factory gave it, also where it shows another to every reader.
    func uid(_ session: inout EV2Session) async throws -> Data {
        let answer = try await fine(Instruction.uid, try session.body(Instruction.uid))
        return try session.answered(answer)
    }

    /// 0 of a key of the factory's.
    func keyVersion(_ number: UInt8) async throws -> UInt8 {
        let answer = try await fine(Instruction.keyVersion, Data([number]))
        guard let version = answer.first else { throw EV2Session.Problem.malformed }
        return version
    }

    /// Changes a key other than the session's own.
    func change(_ number: UInt8, to key: TagKey, from old: TagKey, _ session: inout EV2Session) async throws {
        let body = try session.body(
            Instruction.changeKey, header: Data([number]), data: TagPersonalisation.change(to: key, from: old))
        _ = try session.answered(try await fine(Instruction.changeKey, body))
    }

    /// Changes key 0, by which the session was begun. The session ends with it.
    func changeOwn(to key: TagKey, _ session: EV2Session) async throws {
        let body = try session.body(Instruction.changeKey, header: Data([0]), data: TagPersonalisation.change(to: key, from: nil))
        _ = try await fine(Instruction.changeKey, body)
    }

    func change(settings: Data, _ session: inout EV2Session) async throws {
        let body = try session.body(Instruction.changeSettings, header: Data([Self.file]), data: settings)
        _ = try session.answered(try await fine(Instruction.changeSettings, body))
    }

    private func fine(_ instruction: UInt8, _ body: Data) async throws -> Data {
        let answer = try await ask(instruction, body)
        guard answer.status == Self.fine else { throw Problem.refused(answer.status) }
        return Data(answer.data)
    }

    private func ask(_ instruction: UInt8, _ body: Data) async throws -> ResponseAPDU {
        try await line.exchange(CommandAPDU(0x90, instruction, data: [UInt8](body), wanted: 256))
    }
}

extension Failure {
    init(_ problem: NTAG424.Problem) {
        switch problem {
        case .other:
            self = .refused("tag_unsuitable", "This is no NTAG 424 DNA. For other tags there is `cardea tags write`; they open no door.")
        case .wrongKey:
            self = .refused(
                "tag_has_keys",
                "This NTAG 424 DNA has keys already, of this house or of another: a factory's new one is wanted. Use another.")
        case .refused(let status):
            self = .refused(
                "tag_refused",
                "The tag refused (\(String(status, radix: 16, uppercase: true))). Lay it on the reader again, flat and still, and try once more."
            )
        }
    }

    init(_ problem: EV2Session.Problem) {
        self = .refused("tag_forged", "What answers on the reader is not the tag that began. Lay only the tag on it, and try once more.")
    }
}
