import ArgumentParser
import CardeaAPI
import CardeaClient

struct TagRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "A tag does nothing any more, whatever is written on it.",
        discussion: "  cardea tags remove \"By the hall mirror\" --yes")

    @Argument(help: "The tag, by id or whole label.", completion: .tags)
    var tag: String
    @Flag(help: "Do not ask whether this is meant.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let tag = try await context.tag(tag, for: "tags remove")
        try context.prompt.confirm("Take \(TagText.name(tag)) out? It does nothing any more.", beforehand: yes)
        try await context.client().tags.remove(tag.tagID)
        try await context.output.show(tag) { "\(TagText.name(tag)) is removed." }
    }
}
