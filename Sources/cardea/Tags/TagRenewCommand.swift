import ArgumentParser
import CardeaAPI
import CardeaClient

struct TagRenewCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Say that a tag still presses its button, which was changed since.",
        discussion: """
              cardea tags renew "By the hall mirror"
              cardea tags renew tag_0199… --label "In the hall"
            """)

    @Argument(help: "The tag, by id or whole label.", completion: .tags)
    var tag: String
    @Option(help: "What it is called from now on, too.")
    var label: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let tag = try await context.tag(tag, for: "tags renew")
        let button = try await client.buttons.get(tag.buttonID)
        let renewed = try await client.tags.renew(tag.tagID, label: label, seen: button.version)
        try await context.output.show(renewed) { "\(TagText.name(renewed)) presses \(button.title), as that is now." }
    }
}
