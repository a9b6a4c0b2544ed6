import CardeaAPI
import CardeaClient
import CardeaNDEF
import CardeaPCSC
import CardeaSecurity
import Foundation

/// Gives an NTAG 424 DNA of this house other keys, and writes its link anew.
///
/// Key 0, which changes the others, is changed last. Which keys the tag has it proves itself, so that a run that broke off is gone on with: the
/// house knows the old ones and the new ones until the new ones were read back.
struct TagKeyExchange {
    enum Problem: Error {
        /// It has neither the keys that the house knows of it nor those that it is to get.
        case strangeKeys
    }

    let old: TagPersonalisation
    /// What the tag is to be.
    let enrolment: TagEnrolment

    private var new: TagPersonalisation { enrolment.personalisation }

    init(_ keys: TagKeysAnswer) throws {
        guard let uid = Hexadecimal.decode(keys.uid) else { throw Self.unusable }
        let (old, new): (SUNKeys, SUNKeys)
        do throws(TagKey.Problem) {
            old = try Self.keys(keys.oldMetaKey, keys.oldFileKey, keys.names)
            new = try Self.keys(keys.metaKey, keys.fileKey, keys.names)
        } catch {
            throw Self.unusable
        }
        self.old = try TagPersonalisation(uid: uid, old, url: keys.url)
        enrolment = TagEnrolment(personalisation: try TagPersonalisation(uid: uid, new, url: keys.url), keys: new, uid: uid)
    }

    private static func keys(_ meta: String, _ file: String, _ names: TagLinkNames) throws(TagKey.Problem) -> SUNKeys {
        let standard = SUNKeys.Names.standard
        return SUNKeys(
            meta: try TagKey(hex: Secret(meta)), file: try TagKey(hex: Secret(file)),
            names: .init(picc: names.piccData ?? standard.picc, enc: names.enc ?? standard.enc, cmac: names.cmac ?? standard.cmac))
    }

    private static let unusable = Failure.refused(
        "invalid_response", "The keys that the house made are none that keep anything. Nothing was written.")

    /// Begins, or goes on, and reads it back.
    ///
    /// - Returns: the link that it made.
    func done(on line: any CardLine) async throws -> String {
        try await write(on: line)
        return try await enrolment.readBack(on: line)
    }

    private func write(on line: any CardLine) async throws {
        _ = try await Type4Tag(on: line)
        let chip = NTAG424(line: line)
        // With the new key 0 all that comes before it is done.
        if try await hasNew(0, chip) { return }
        var ahead: [UInt8] = []
        for number in UInt8(1)...4 where try await !hasNew(number, chip) { ahead.append(number) }
        var session = try await chip.authenticate(0, old.keys[0])
        guard try await chip.uid(&session) == enrolment.uid else { throw EV2Session.Problem.forged }
        // What is plain is written plainly, which the tag allows nobody until then.
        try await chip.change(settings: TagPersonalisation.plainSettings, &session)
        let message = NDEFMessage(link: new.template)
        try await Type4Tag(on: line).write(message)

        session = try await chip.authenticate(0, old.keys[0])
        for number in ahead {
            try await chip.change(number, to: new.keys[Int(number)], from: old.keys[Int(number)], &session)
        }
        try await chip.change(settings: enrolment.settings(for: message), &session)
        try await chip.changeOwn(to: new.keys[0], session)
    }

    /// Whether it has the new one of these keys already, and not the old one.
    private func hasNew(_ number: UInt8, _ chip: NTAG424) async throws -> Bool {
        for (isNew, keys) in [(false, old.keys), (true, new.keys)] {
            do {
                _ = try await chip.authenticate(number, keys[Int(number)])
                return isNew
            } catch NTAG424.Problem.wrongKey {
                continue
            }
        }
        throw Problem.strangeKeys
    }
}

extension TagEnrolCommand {
    /// Other keys for a tag that the house has.
    func again(_ wanted: String, in sitting: Sitting) async throws {
        let client = try sitting.client()
        let tag = try await sitting.tag(wanted, for: "tags enrol --again")
        let exchange = try TagKeyExchange(try await client.tags.rekey(tag.tagID))
        sitting.output.progress("Writing. Leave the tag where it is…")
        let written: TagAnswer
        do {
            let readBack = try await link(of: exchange, sitting.output)
            written = try await client.tags.finishRekeying(tag.tagID, readBack: readBack)
        } catch {
            var failure =
                (error as? TagKeyExchange.Problem).map { Failure($0) }
                ?? Failure(any: error, words: RefusalWords(HouseClock(zone: .current, now: Date())))
            failure.message += " The house still knows the keys that the tag had: the same command, given again, goes on."
            throw failure
        }
        let answer = WrittenTag(written, medium: "NTAG 424 DNA", chip: written.uid, isLocked: true, replaced: nil)
        try await sitting.output.show(answer) {
            "\(TagWords.name(written)) has other keys, and proved itself. What it said before is worth nothing."
        }
    }

    /// Taken away, it is waited for.
    private func link(of exchange: TagKeyExchange, _ output: Output) async throws -> String {
        while true {
            do {
                return try await at.withCard(output) { try await exchange.done(on: $0) }
            } catch PCSCProblem.cardRemoved {
                output.note("The tag was taken away too soon. Lay it on the reader again, and leave it there.")
            }
        }
    }
}

extension Failure {
    init(_ problem: TagKeyExchange.Problem) {
        switch problem {
        case .strangeKeys:
            self = .refused(
                "tag_has_keys", "This is another tag, or its keys were changed elsewhere: it has none that the house knows of this one.")
        }
    }
}
