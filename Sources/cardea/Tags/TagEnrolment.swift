import CardeaNDEF
import CardeaSecurity
import Foundation

/// Makes an NTAG 424 DNA of the factory's one that proves to this house that it was touched.
///
/// Key 0, which changes the others, is changed last: whoever knows the keys goes on where the tag was taken away.
struct TagEnrolment {
    let personalisation: TagPersonalisation
    let keys: SUNKeys
    /// Seven octets.
    let uid: Data

    /// Looks which tag of the factory's lies there.
    static func uid(on line: any CardLine) async throws -> Data {
        _ = try await Type4Tag(on: line)
        let chip = NTAG424(line: line)
        var session = try await chip.authenticate(0, TagPersonalisation.factoryKey)
        return try await chip.uid(&session)
    }

    /// Begins, or goes on.
    func write(on line: any CardLine) async throws {
        _ = try await Type4Tag(on: line)
        let chip = NTAG424(line: line)
        let versions = try await Self.versions(of: chip)
        guard versions.first == 0 else { return }
        guard try await Self.uid(on: line) == uid else { throw EV2Session.Problem.forged }
        // Chosen anew, so that nobody is believed: what is plain is written plainly.
        let file = try await Type4Tag(on: line)
        let message = NDEFMessage(link: personalisation.template)
        // As it comes anybody may write it. Where that was changed before it was taken away, the link is there as well.
        let isSet: Bool
        do {
            try await file.write(message)
            isSet = false
        } catch TagProblem.readOnly {
            isSet = true
        }
        var session = try await chip.authenticate(0, TagPersonalisation.factoryKey)
        for (number, key) in personalisation.keys.enumerated().dropFirst() where versions[number] == 0 {
            try await chip.change(UInt8(truncatingIfNeeded: number), to: key, from: TagPersonalisation.factoryKey, &session)
        }
        if !isSet {
            let octets = message.octets
            let length = [UInt8(truncatingIfNeeded: octets.count >> 8), UInt8(truncatingIfNeeded: octets.count)]
            guard let settings = personalisation.settings(of: Data(length + octets)) else { throw TagProblem.notReadBack }
            try await chip.change(settings: settings, &session)
        }
        try await chip.changeOwn(to: personalisation.keys[0], session)
    }

    /// Reads it as a phone does, and believes it only where it proves itself, has none of the factory's keys left, and knows its own.
    ///
    /// - Returns: the link that it made.
    func readBack(on line: any CardLine) async throws -> String {
        let file = try await Type4Tag(on: line)
        guard let link = try await file.read()?.records.first?.link, case .touch(_, let values)? = try? TagLink(link),
            link.hasPrefix("\(personalisation.template.prefix { $0 != "?" })?"), let message = try keys.message(values)
        else { throw TagProblem.notReadBack }
        do {
            let touch = try message.touch(keys.meta)
            guard touch.uid == uid else { throw TagProblem.notReadBack }
            try message.check(touch, keys.file)
        } catch is SUNMessage.Problem {
            throw TagProblem.notReadBack
        }
        let chip = NTAG424(line: line)
        guard try await Self.versions(of: chip).allSatisfy({ $0 == TagPersonalisation.keyVersion }) else { throw TagProblem.notReadBack }
        _ = try await chip.authenticate(0, personalisation.keys[0])
        return link
    }

    private static func versions(of chip: NTAG424) async throws -> [UInt8] {
        var versions: [UInt8] = []
        for number in UInt8(0)...4 { versions.append(try await chip.keyVersion(number)) }
        return versions
    }
}
