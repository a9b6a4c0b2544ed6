import ArgumentParser
import CardeaAPI
import CardeaClient

struct TagRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a tag. It then presses nothing.",
        discussion: "  cardea tags remove \"By the hall mirror\" --yes")

    @Argument(help: "The tag, by id or full label.", completion: .tags)
    var tag: String
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let tag = try await context.tag(tag, for: "tags remove")
        try context.prompt.confirm("Remove \(TagText.name(tag))? It then presses nothing.", beforehand: yes)
        try await context.client().tags.remove(tag.tagID)
        try await context.output.show(tag) { "\(TagText.name(tag)) is removed." }
    }
}
