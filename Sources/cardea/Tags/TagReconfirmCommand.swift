import ArgumentParser
import CardeaAPI
import CardeaClient

struct TagReconfirmCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Confirm that a tag still presses its button after the button changed.",
        discussion: """
              cardea tags renew "By the hall mirror"
              cardea tags renew tag_0199… --label "In the hall"
            """)

    @Argument(help: "The tag, by id or full label.", completion: .tags)
    var tag: String
    @Option(help: "A new label.")
    var label: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let tag = try await context.tag(tag, for: "tags renew")
        let button = try await client.buttons.get(tag.buttonID)
        let renewed = try await client.tags.renew(tag.tagID, label: label, seen: button.version)
        try await context.output.show(renewed) { "\(TagText.name(renewed)) is renewed and presses \(button.title)." }
    }
}
