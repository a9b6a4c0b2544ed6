import CardeaNFC
import CardeaSecurity
import Foundation

/// Personalises a factory-new NTAG 424 DNA so that it proves its touches to this house.
///
/// Key 0, which changes the others, is changed last, and only once the previous keys are proved to be these: a process with these keys can
/// continue after the tag was removed or answered wrongly, and a tag with other keys is left as it is.
struct TagEnrolment {
    enum EnrolmentError: Error {
        /// It has the factory's key 0, and others that are not of this enrolment.
        case unknownKeys
    }

    /// An error while the tag had, or may have had, some of its keys. No other run can continue: only this one knows the keys.
    struct InterruptedError: Error {
        let reason: any Error
    }

    let personalisation: TagPersonalisation
    let keys: SUNKeys
    /// Seven octets.
    let uid: Data

    /// Reads the uid of a factory-new tag.
    static func uid(on line: any CardChannel) async throws -> Data {
        _ = try await Type4Tag(on: line)
        let chip = NTAG424(channel: line)
        var session = try await chip.authenticate(0, TagPersonalisation.factoryKey)
        return try await chip.uid(&session)
    }

    /// Starts or continues, and reads it back.
    ///
    /// - Returns: the link that it made.
    func run(on line: any CardChannel) async throws -> String {
        var hasKeys = false
        do {
            try await write(on: line, &hasKeys)
            return try await readBack(on: line)
        } catch EnrolmentError.unknownKeys {
            throw EnrolmentError.unknownKeys
        } catch {
            if hasKeys { throw InterruptedError(reason: error) }
            throw error
        }
    }

    /// - Parameter hasKeys: becomes true as soon as one of the keys may not be the factory's any more.
    private func write(on line: any CardChannel, _ hasKeys: inout Bool) async throws {
        _ = try await Type4Tag(on: line)
        let chip = NTAG424(channel: line)
        let versions = try await Self.versions(of: chip)
        hasKeys = versions.contains { $0 != 0 }
        guard versions.first == 0 else { return }
        guard try await Self.uid(on: line) == uid else { throw EV2Session.SessionError.forged }
        try await verifyKeys(versions, on: chip)
        // Selected again without a session: plain data is written without a key.
        let file = try await Type4Tag(on: line)
        let message = NDEFMessage(link: personalisation.template)
        do {
            try await file.write(message)
        } catch NFCTagError.readOnly {
            // A factory tag is writable by any device. If that was changed before it was removed, the link is already there.
            guard let link = try await file.read()?.records.first?.link, isOurs(link) else { throw NFCTagError.readOnly }
        }
        var session = try await chip.authenticate(0, TagPersonalisation.factoryKey)
        hasKeys = true
        for (number, key) in personalisation.keys.enumerated().dropFirst() where versions[number] == 0 {
            try await chip.change(UInt8(truncatingIfNeeded: number), to: key, from: TagPersonalisation.factoryKey, &session)
        }
        // Also if they may be set already: a repetition has the same result.
        try await chip.change(settings: settings(for: message), &session)
        try await chip.changeMasterKey(to: personalisation.keys[0], session)
    }

    /// The settings of the file with `message`.
    func settings(for message: NDEFMessage) throws -> Data {
        let octets = message.octets
        let length = [UInt8(truncatingIfNeeded: octets.count >> 8), UInt8(truncatingIfNeeded: octets.count)]
        guard let settings = personalisation.settings(of: Data(length + octets)) else { throw NFCTagError.verificationFailed }
        return settings
    }

    /// Proves that the tag's changed keys are these. With other keys it would be useless once key 0 is changed.
    private func verifyKeys(_ versions: [UInt8], on chip: NTAG424) async throws {
        for (number, key) in personalisation.keys.enumerated().dropFirst() where versions[number] != 0 {
            do {
                _ = try await chip.authenticate(UInt8(truncatingIfNeeded: number), key)
            } catch NTAG424.ChipError.wrongKey {
                throw EnrolmentError.unknownKeys
            }
        }
    }

    /// Reads it as a phone does, and believes it only if it proves itself, has none of the factory's keys left, and knows its own.
    func readBack(on line: any CardChannel) async throws -> String {
        let file = try await Type4Tag(on: line)
        guard let link = try await file.read()?.records.first?.link, case .touch(_, let values)? = try? TagLink(link), isOurs(link),
            let message = try keys.message(values)
        else { throw NFCTagError.verificationFailed }
        do {
            let touch = try message.touch(keys.meta)
            guard touch.uid == uid else { throw NFCTagError.verificationFailed }
            try message.check(touch, keys.file)
        } catch is SUNMessage.MessageError {
            throw NFCTagError.verificationFailed
        }
        let chip = NTAG424(channel: line)
        guard try await Self.versions(of: chip).allSatisfy({ $0 == TagPersonalisation.keyVersion }) else {
            throw NFCTagError.verificationFailed
        }
        _ = try await chip.authenticate(0, personalisation.keys[0])
        return link
    }

    private func isOurs(_ link: String) -> Bool { link.hasPrefix("\(personalisation.template.prefix { $0 != "?" })?") }

    private static func versions(of chip: NTAG424) async throws -> [UInt8] {
        var versions: [UInt8] = []
        for number in UInt8(0)...4 { versions.append(try await chip.keyVersion(number)) }
        return versions
    }
}

extension CommandLineError {
    init(_ problem: TagEnrolment.EnrolmentError) {
        switch problem {
        case .unknownKeys:
            self = .refused(
                "tag_has_keys",
                """
                This NTAG 424 DNA has keys of another enrolment: an interrupted one, or one of another house. Its master key was not \
                changed. Use another tag.
                """)
        }
    }
}
