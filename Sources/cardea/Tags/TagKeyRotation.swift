import CardeaAPI
import CardeaClient
import CardeaNFC
import CardeaSecurity
import Foundation

/// Rotates the keys of this house's NTAG 424 DNA, and writes its link again.
///
/// Key 0, which changes the others, is changed last. The tag itself proves which keys it has, so an interrupted run can continue: the house
/// keeps the old and the new keys until the new ones were read back.
struct TagKeyRotation {
    enum RotationError: Error {
        /// It has neither the keys that the house knows of it nor those that it is to get.
        case unknownKeys
    }

    let old: TagPersonalisation
    /// The enrolment that the tag is to have.
    let enrolment: TagEnrolment

    private var new: TagPersonalisation { enrolment.personalisation }

    init(_ keys: TagKeysAnswer) throws {
        guard let uid = Hexadecimal.decode(keys.uid) else { throw Self.invalidKeysError }
        let (old, new): (SUNKeys, SUNKeys)
        do throws(TagKey.KeyError) {
            old = try Self.keys(keys.oldMetaKey, keys.oldFileKey, keys.names)
            new = try Self.keys(keys.metaKey, keys.fileKey, keys.names)
        } catch {
            throw Self.invalidKeysError
        }
        self.old = try TagPersonalisation(uid: uid, old, url: keys.url)
        enrolment = TagEnrolment(personalisation: try TagPersonalisation(uid: uid, new, url: keys.url), keys: new, uid: uid)
    }

    private static func keys(_ meta: String, _ file: String, _ names: TagLinkNames) throws(TagKey.KeyError) -> SUNKeys {
        let standard = SUNKeys.ParameterNames.standard
        return SUNKeys(
            meta: try TagKey(hex: Secret(meta)), file: try TagKey(hex: Secret(file)),
            names: .init(picc: names.piccData ?? standard.picc, enc: names.enc ?? standard.enc, cmac: names.cmac ?? standard.cmac))
    }

    private static let invalidKeysError = CommandLineError.refused(
        "invalid_response", "The hub made invalid keys. Nothing was written.")

    /// Starts or continues, and reads it back.
    ///
    /// - Returns: the link that it made.
    func run(on line: any CardChannel) async throws -> String {
        try await write(on: line)
        return try await enrolment.readBack(on: line)
    }

    private func write(on line: any CardChannel) async throws {
        _ = try await Type4Tag(on: line)
        let chip = NTAG424(channel: line)
        // Once key 0 is new, all earlier steps are done.
        if try await hasNewKey(0, chip) { return }
        var ahead: [UInt8] = []
        for number in UInt8(1)...4 where try await !hasNewKey(number, chip) { ahead.append(number) }
        var session = try await chip.authenticate(0, old.keys[0])
        guard try await chip.uid(&session) == enrolment.uid else { throw EV2Session.SessionError.forged }
        // Plain data is written plainly, which the tag refuses until then.
        try await chip.change(settings: TagPersonalisation.plainSettings, &session)
        let message = NDEFMessage(link: new.template)
        try await Type4Tag(on: line).write(message)

        session = try await chip.authenticate(0, old.keys[0])
        for number in ahead {
            try await chip.change(number, to: new.keys[Int(number)], from: old.keys[Int(number)], &session)
        }
        try await chip.change(settings: enrolment.settings(for: message), &session)
        try await chip.changeMasterKey(to: new.keys[0], session)
    }

    /// Returns whether the tag already has the new key of this number, not the old one.
    private func hasNewKey(_ number: UInt8, _ chip: NTAG424) async throws -> Bool {
        for (isNew, keys) in [(false, old.keys), (true, new.keys)] {
            do {
                _ = try await chip.authenticate(number, keys[Int(number)])
                return isNew
            } catch NTAG424.ChipError.wrongKey {
                continue
            }
        }
        throw RotationError.unknownKeys
    }
}

extension TagEnrolCommand {
    /// Other keys for a tag that the house has.
    func rotateKeys(_ wanted: String, in context: CommandContext) async throws {
        let client = try context.client()
        let tag = try await context.tag(wanted, for: "tags enrol --again")
        let exchange = try TagKeyRotation(try await client.tags.rekey(tag.tagID))
        context.output.progress("Writing. Do not move the tag…")
        let written: TagAnswer
        do {
            let readBack = try await rotateTag(of: exchange, context.output)
            written = try await client.tags.finishRekeying(tag.tagID, readBack: readBack)
        } catch {
            var failure =
                (error as? TagKeyRotation.RotationError).map { CommandLineError($0) }
                ?? CommandLineError(any: error, words: RefusalText(HouseClock(zone: .current, now: Date())))
            failure.message += " The house still has the tag's old keys: run the command again to continue."
            throw failure
        }
        let answer = TagWriteAnswer(written, medium: "NTAG 424 DNA", chip: written.uid, isLocked: true, replaced: nil)
        try await context.output.show(answer) {
            "\(TagText.name(written)) has new keys and is verified. Its old links are invalid."
        }
    }

    /// Waits for the tag if it is removed.
    private func rotateTag(of exchange: TagKeyRotation, _ output: Output) async throws -> String {
        while true {
            do {
                return try await readerOptions.withCard(output) { try await exchange.run(on: $0) }
            } catch PCSCError.cardRemoved {
                output.note("The tag was taken away too soon. Lay it on the reader again, and leave it there.")
            }
        }
    }
}

extension CommandLineError {
    init(_ problem: TagKeyRotation.RotationError) {
        switch problem {
        case .unknownKeys:
            self = .refused(
                "tag_has_keys",
                "This is another tag, or its keys were changed elsewhere: they are not the keys that the house stores for it.")
        }
    }
}
