import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaNDEF
import CardeaPCSC
import CardeaSecurity
import Foundation

struct TagEnrolCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrol", abstract: "Give a new NTAG 424 DNA keys of its own, so that it proves each touch, and write it for a button.",
        discussion: """
            Such a tag cannot be copied, and may open a door. Its keys are made for it by the house, and nobody else has them; where the house
            forgets the tag, it is of use to nobody. Leave it on the reader: taken away too soon, it is waited for, and done to its end then.

              cardea tags enrol "Front door" --label "Beside the bell"
            """)

    @Argument(help: "The button, by id or whole title.", completion: .buttons)
    var button: String
    @Option(help: "What the tag is called.")
    var label: String?
    @Option(help: ArgumentHelp("The tag whose place it takes, by id or whole label.", valueName: "tag"), completion: .tags)
    var replace: String?
    @OptionGroup var at: ReaderOptions
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let button = try await sitting.button(button, for: "tags enrol")
        let replaced = try await sitting.tagToReplace(replace, of: button, for: "tags enrol")
        let uid = try await at.withCard(sitting.output) { try await TagEnrolment.uid(on: $0) }

        let body = AddTagBody(
            kind: .sun, buttonID: button.buttonID, label: label ?? replaced?.label, uid: Hexadecimal.encode(uid).uppercased())
        let writing = try await TagWriting.begin(body, replacing: replaced, at: client)
        let readBack = try await writing.orForget(sitting.output) {
            let enrolment = try Self.enrolment(writing.made, uid)
            sitting.output.progress("Writing. Leave the tag where it is…")
            return try await link(of: enrolment, sitting.output)
        }
        let written = try await writing.finish(readBack: readBack, sitting.output)
        let answer = WrittenTag(written, medium: "NTAG 424 DNA", chip: written.uid, isLocked: true, replaced: replaced)
        try await sitting.output.show(answer) {
            "The tag has keys of its own, and proved itself: it presses \(button.title)."
                + (replaced.map { " \(TagWords.name($0)) does nothing any more." } ?? "")
        }
    }

    /// Writes the tag and reads it back. Taken away meanwhile, it is waited for.
    private func link(of enrolment: TagEnrolment, _ output: Output) async throws -> String {
        while true {
            do {
                return try await at.withCard(output) { card in
                    try await enrolment.write(on: card)
                    return try await enrolment.readBack(on: card)
                }
            } catch PCSCProblem.cardRemoved {
                output.note("The tag was taken away too soon. Lay it on the reader again, and leave it there.")
            }
        }
    }

    private static func enrolment(_ made: NewTagAnswer, _ uid: Data) throws -> TagEnrolment {
        guard let meta = made.metaKey, let file = made.fileKey else {
            throw Failure.refused("invalid_response", "The house made no keys for the tag. Nothing was written.")
        }
        let keys: SUNKeys
        do throws(TagKey.Problem) {
            keys = SUNKeys(meta: try TagKey(hex: Secret(meta)), file: try TagKey(hex: Secret(file)))
        } catch {
            throw Failure.refused("invalid_response", "The keys that the house made are none that keep anything. Nothing was written.")
        }
        return TagEnrolment(personalisation: try TagPersonalisation(uid: uid, keys, url: made.url), keys: keys, uid: uid)
    }
}
