import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaNFC

struct TagWriteCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "write", abstract: "Write a tag for a button, verify it, and activate it.",
        discussion: """
            Lay an NTAG213, NTAG215, NTAG216 or another NFC Forum tag of Type 2 or 4 on the reader. If you take it away too soon, it stays
            inactive, and the tag that it was to replace stays valid.
            Such a tag can be copied, so it opens no door. The tag policy decides whether a tap needs confirmation.

              cardea tags write "Hall light" --label "By the hall mirror"
              cardea tags write "Hall light" --replace "By the hall mirror"
              cardea tags write "Hall light" --label Desk --lock --yes
            """)

    @Argument(help: "The button, by id or full title.", completion: .buttons)
    var button: String
    @Option(help: "The label of the tag.")
    var label: String?
    @Option(help: ArgumentHelp("The tag to replace, by id or full label.", valueName: "tag"), completion: .tags)
    var replace: String?
    @Flag(help: "Lock the tag against writing, permanently.")
    var lock = false
    @Flag(help: "Lock or overwrite the tag without asking.")
    var yes = false
    @OptionGroup var readerOptions: ReaderOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let button = try await context.button(button, for: "tags write")
        let replaced = try await context.tagToReplace(replace, of: button, for: "tags write")
        if lock {
            try context.prompt.confirm(
                "A locked tag can never be written again, even if the house's address changes. Lock it?", beforehand: yes)
        }
        try await readerOptions.withTag(context.output) { try await write($0, button, replaced, context) }
    }

    private func write(_ laid: PresentedTag, _ button: ButtonAnswer, _ replaced: TagAnswer?, _ context: CommandContext) async throws {
        let client = try context.client()
        guard laid.tag.isWritable else { throw NFCTagError.readOnly }
        let before = try await Self.existingContent(on: laid)
        let orphan = try await client.tags.list().tags.first { $0.url == before && $0.tagID != replaced?.tagID }
        if let before, before != replaced?.url {
            try context.prompt.confirm("The tag contains \(TextWidth.printable(before)). Overwrite it?", beforehand: yes)
        }

        let body = AddTagBody(kind: .static, buttonID: button.buttonID, label: label ?? replaced?.label)
        let writing = try await TagRegistration.begin(body, replacing: replaced, at: client)
        let readBack = try await writing.deletingOnFailure(context.output) {
            context.output.progress("Writing. Do not move the tag…")
            try await laid.tag.write(NDEFMessage(link: writing.newTag.url))
            return try await laid.tag.read()?.records.first?.link
        }
        let written = try await writing.finish(readBack: readBack ?? "", context.output)
        if lock { try await Self.lock(laid, written) }
        if let orphan { context.output.note("\(TagText.name(orphan)) was overwritten. Remove it: cardea tags remove \(orphan.tagID)") }
        let answer = TagWriteAnswer(written, medium: laid.tag.name, chip: laid.uidText, isLocked: lock, replaced: replaced)
        try await context.output.show(answer) {
            "The tag is written and verified. It presses \(button.title)." + (lock ? " It is locked." : "")
                + (replaced.map { " \(TagText.name($0)) no longer works." } ?? "")
        }
    }

    /// The existing content: a link, or a description of other content; nil for an empty tag.
    private static func existingContent(on laid: PresentedTag) async throws -> String? {
        do {
            guard let message = try await laid.tag.read() else { return nil }
            return message.records.first?.link ?? "data that is not a link"
        } catch NFCTagError.malformed {
            return "unreadable data"
        }
    }

    private static func lock(_ laid: PresentedTag, _ written: TagAnswer) async throws {
        do {
            try await laid.tag.lock()
        } catch let problem as NFCTagError {
            throw CommandLineError.refused("tag_not_locked", "The tag is written and presses its button, but is not locked. \(problem)")
        }
    }
}

/// The `--json` output for a written tag.
struct TagWriteAnswer: Encodable {
    let tag: TagAnswer
    /// The product name.
    let medium: String
    /// The number that the factory gave it.
    @Nullable private(set) var chip: String?
    let isLocked: Bool
    @Nullable private(set) var replaced: String?

    enum CodingKeys: String, CodingKey {
        case tag, medium, chip, replaced
        case isLocked = "is_locked"
    }

    init(_ tag: TagAnswer, medium: String, chip: String?, isLocked: Bool, replaced: TagAnswer?) {
        self.tag = tag
        self.medium = medium
        self.isLocked = isLocked
        self.chip = chip
        self.replaced = replaced?.tagID
    }
}
