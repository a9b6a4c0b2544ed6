import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaNDEF

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
    @OptionGroup var at: ReaderOptions
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let button = try await sitting.button(button, for: "tags write")
        let replaced = try await sitting.tagToReplace(replace, of: button, for: "tags write")
        if lock {
            try sitting.prompt.confirm(
                "A locked tag can never be written again, by nobody, also when the house gets another address. Lock it?", beforehand: yes)
        }
        try await at.withTag(sitting.output) { try await write($0, button, replaced, sitting) }
    }

    private func write(_ laid: LaidTag, _ button: ButtonAnswer, _ replaced: TagAnswer?, _ sitting: Sitting) async throws {
        let client = try sitting.client()
        guard laid.tag.isWritable else { throw TagProblem.readOnly }
        let before = try await Self.link(on: laid)
        let orphan = try await client.tags.list().tags.first { $0.url == before && $0.tagID != replaced?.tagID }
        if let before, before != replaced?.url {
            try sitting.prompt.confirm("There is \(TextWidth.printable(before)) on it. Write over it?", beforehand: yes)
        }

        let body = AddTagBody(kind: .static, buttonID: button.buttonID, label: label ?? replaced?.label)
        let writing = try await TagWriting.begin(body, replacing: replaced, at: client)
        let readBack = try await writing.orForget(sitting.output) {
            sitting.output.progress("Writing. Leave the tag where it is…")
            try await laid.tag.write(NDEFMessage(link: writing.made.url))
            return try await laid.tag.read()?.records.first?.link
        }
        let written = try await writing.finish(readBack: readBack ?? "", sitting.output)
        if lock { try await Self.lock(laid, written) }
        if let orphan { sitting.output.note("Nothing carries \(TagWords.name(orphan)) any more: cardea tags remove \(orphan.tagID)") }
        let answer = WrittenTag(written, medium: laid.tag.name, chip: laid.uidText, isLocked: lock, replaced: replaced)
        try await sitting.output.show(answer) {
            "The tag is written, and was read back: it presses \(button.title)." + (lock ? " It is locked." : "")
                + (replaced.map { " \(TagWords.name($0)) does nothing any more." } ?? "")
        }
    }

    /// What is there already: a link, or what else there is.
    private static func link(on laid: LaidTag) async throws -> String? {
        do {
            guard let message = try await laid.tag.read() else { return nil }
            return message.records.first?.link ?? "something that is no link"
        } catch TagProblem.malformed {
            return "something that cannot be read"
        }
    }

    private static func lock(_ laid: LaidTag, _ written: TagAnswer) async throws {
        do {
            try await laid.tag.lock()
        } catch let problem as TagProblem {
            throw Failure.refused("tag_not_locked", "The tag is written and presses its button, but it is not locked. \(problem)")
        }
    }
}

/// What `--json` prints of a tag that was written.
struct WrittenTag: Encodable {
    let tag: TagAnswer
    /// What it is sold as.
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
