import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaNFC
import CardeaSecurity
import Foundation

struct TagEnrolCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrol", abstract: "Enrol an NTAG 424 DNA tag for a button, with its own keys.",
        discussion: """
            Such a tag cannot be copied and may open a door. Only the house has its keys: if you remove the tag from the house, it cannot be
            used again. Leave it on the reader until the command ends. If you take it away too soon, put it back, and the command goes on.
            A tag with keys from another enrolment is not changed.

            With --again, an enrolled tag gets new keys and the house's current address. Use it if the keys may be known to others, or if
            the house's address changed. If the command is interrupted, run it again. Needs `cardea step-up` first.

              cardea tags enrol "Front door" --label "Beside the bell"
              cardea tags enrol --again "Beside the bell"
            """)

    @Argument(help: "The button, by id or full title.", completion: .buttons)
    var button: String?
    @Option(help: "The label of the tag.")
    var label: String?
    @Option(help: ArgumentHelp("The tag to replace, by id or full label.", valueName: "tag"), completion: .tags)
    var replace: String?
    @Option(help: ArgumentHelp("The tag that gets new keys, by id or full label.", valueName: "tag"), completion: .tags)
    var again: String?
    @OptionGroup var readerOptions: ReaderOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (button == nil) != (again == nil) else { throw ValidationError("Name a button, or add --again with a tag.") }
        guard again == nil || label == nil && replace == nil else {
            throw ValidationError("--again keeps the label: do not add --label or --replace.")
        }
    }

    func run(in context: CommandContext) async throws {
        if let again { return try await self.rotateKeys(again, in: context) }
        guard let wanted = button else { return }
        let client = try context.client()
        let button = try await context.button(wanted, for: "tags enrol")
        let replaced = try await context.tagToReplace(replace, of: button, for: "tags enrol")
        let uid = try await readerOptions.withCard(context.output) { try await TagEnrolment.uid(on: $0) }

        let body = AddTagBody(
            kind: .sun, buttonID: button.buttonID, label: label ?? replaced?.label, uid: Hexadecimal.encode(uid).uppercased())
        let writing = try await TagRegistration.begin(body, replacing: replaced, at: client)
        let readBack = try await writing.deletingOnFailure(context.output) {
            let enrolment = try Self.makeEnrolment(writing.newTag, uid)
            context.output.progress("Writing. Do not move the tag…")
            return try await enrolTag(of: enrolment, context.output)
        }
        let written = try await writing.finish(readBack: readBack, context.output)
        let answer = TagWriteAnswer(written, medium: "NTAG 424 DNA", chip: written.uid, isLocked: true, replaced: replaced)
        try await context.output.show(answer) {
            "The tag is enrolled and verified. It presses \(button.title)."
                + (replaced.map { " \(TagText.name($0)) no longer works." } ?? "")
        }
    }

    /// Writes the tag and reads it back. If the tag is removed, this waits for it; once the tag has some of its keys, which only this run
    /// knows, it tries again after any error.
    private func enrolTag(of enrolment: TagEnrolment, _ output: Output) async throws -> String {
        var mayHaveKeys = false
        var triesLeft = Self.maxAttempts
        while true {
            let reason: any Error
            do {
                return try await readerOptions.withCard(output) { try await enrolment.run(on: $0) }
            } catch let broken as TagEnrolment.InterruptedError {
                mayHaveKeys = true
                reason = broken.reason
            } catch {
                reason = error
            }
            if let problem = reason as? PCSCError, problem == .cardRemoved {
                output.note("The tag was taken away too soon. Lay it on the reader again, and leave it there.")
                continue
            }
            triesLeft -= 1
            guard mayHaveKeys, triesLeft > 0, Self.isRetryable(reason) else { throw Self.failure(reason, mayHaveKeys: mayHaveKeys) }
            if triesLeft == Self.maxAttempts - 1 {
                output.note(
                    "The tag did not answer correctly and has only some of its keys. Leave it flat on the reader: trying again.")
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// One second between tries: time to put the tag back.
    private static let maxAttempts = 10

    /// False if the tag was not returned in time, or the wait was cancelled.
    private static func isRetryable(_ reason: any Error) -> Bool {
        if let problem = reason as? PCSCError { return problem != .noCard }
        return !(reason is CancellationError)
    }

    private static func failure(_ reason: any Error, mayHaveKeys: Bool) -> any Error {
        let strange = (reason as? TagEnrolment.EnrolmentError).map { CommandLineError($0) }
        guard mayHaveKeys else {
            if let strange { return strange }
            return reason
        }
        var failure = strange ?? CommandLineError(any: reason, words: RefusalText(HouseClock(zone: .current, now: Date())))
        failure.message += " The tag you started with may already have some of its keys, which are now lost. Use another tag."
        return failure
    }

    private static func makeEnrolment(_ made: NewTagAnswer, _ uid: Data) throws -> TagEnrolment {
        guard let meta = made.metaKey, let file = made.fileKey else {
            throw CommandLineError.refused("invalid_response", "The hub made no keys for the tag. Nothing was written.")
        }
        let keys: SUNKeys
        do throws(TagKey.KeyError) {
            keys = SUNKeys(meta: try TagKey(hex: Secret(meta)), file: try TagKey(hex: Secret(file)))
        } catch {
            throw CommandLineError.refused(
                "invalid_response", "The hub made invalid keys. Nothing was written.")
        }
        return TagEnrolment(personalisation: try TagPersonalisation(uid: uid, keys, url: made.url), keys: keys, uid: uid)
    }
}
