import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaNFC

struct TagWriteCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "write", abstract: "Write a tag for a button, read it back, and only then let it press.",
        discussion: """
            Lay an NTAG213, NTAG215, NTAG216 or another NFC Forum tag of Type 2 or 4 on the reader. Taken away too soon it is empty, does
            nothing, and the house forgets it; the tag that it was to replace stays good.
            Whoever reads such a tag can copy it. It names a place, asks who taps to say yes where the house wants that, and opens no door.

              cardea tags write "Hall light" --label "By the hall mirror"
              cardea tags write "Hall light" --replace "By the hall mirror"
              cardea tags write "Hall light" --label Desk --lock --yes
            """)

    @Argument(help: "The button, by id or whole title.", completion: .buttons)
    var button: String
    @Option(help: "What the tag is called.")
    var label: String?
    @Option(help: ArgumentHelp("The tag whose place it takes, by id or whole label.", valueName: "tag"), completion: .tags)
    var replace: String?
    @Flag(help: "Make it impossible to write the tag again, for ever.")
    var lock = false
    @Flag(help: "Do not ask whether it is meant to be locked, or written over.")
    var yes = false
    @OptionGroup var readerOptions: ReaderOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let button = try await context.button(button, for: "tags write")
        let replaced = try await context.tagToReplace(replace, of: button, for: "tags write")
        if lock {
            try context.prompt.confirm(
                "A locked tag can never be written again, by nobody, also when the house gets another address. Lock it?", beforehand: yes)
        }
        try await readerOptions.withTag(context.output) { try await write($0, button, replaced, context) }
    }

    private func write(_ laid: PresentedTag, _ button: ButtonAnswer, _ replaced: TagAnswer?, _ context: CommandContext) async throws {
        let client = try context.client()
        guard laid.tag.isWritable else { throw NFCTagError.readOnly }
        let before = try await Self.existingContent(on: laid)
        let orphan = try await client.tags.list().tags.first { $0.url == before && $0.tagID != replaced?.tagID }
        if let before, before != replaced?.url {
            try context.prompt.confirm("There is \(TextWidth.printable(before)) on it. Write over it?", beforehand: yes)
        }

        let body = AddTagBody(kind: .static, buttonID: button.buttonID, label: label ?? replaced?.label)
        let writing = try await TagRegistration.begin(body, replacing: replaced, at: client)
        let readBack = try await writing.deletingOnFailure(context.output) {
            context.output.progress("Writing. Leave the tag where it is…")
            try await laid.tag.write(NDEFMessage(link: writing.newTag.url))
            return try await laid.tag.read()?.records.first?.link
        }
        let written = try await writing.finish(readBack: readBack ?? "", context.output)
        if lock { try await Self.lock(laid, written) }
        if let orphan { context.output.note("Nothing carries \(TagText.name(orphan)) any more: cardea tags remove \(orphan.tagID)") }
        let answer = TagWriteAnswer(written, medium: laid.tag.name, chip: laid.uidText, isLocked: lock, replaced: replaced)
        try await context.output.show(answer) {
            "The tag is written, and was read back: it presses \(button.title)." + (lock ? " It is locked." : "")
                + (replaced.map { " \(TagText.name($0)) does nothing any more." } ?? "")
        }
    }

    /// The existing content: a link, or a description of other content; nil for an empty tag.
    private static func existingContent(on laid: PresentedTag) async throws -> String? {
        do {
            guard let message = try await laid.tag.read() else { return nil }
            return message.records.first?.link ?? "something that is no link"
        } catch NFCTagError.malformed {
            return "something that cannot be read"
        }
    }

    private static func lock(_ laid: PresentedTag, _ written: TagAnswer) async throws {
        do {
            try await laid.tag.lock()
        } catch let problem as NFCTagError {
            throw CommandLineError.refused("tag_not_locked", "The tag is written and presses its button, but it is not locked. \(problem)")
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
