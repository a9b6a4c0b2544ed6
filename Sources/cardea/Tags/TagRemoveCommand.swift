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

    func run(in sitting: Sitting) async throws {
        let tag = try await sitting.tag(tag, for: "tags remove")
        try sitting.prompt.confirm("Take \(TagWords.name(tag)) out? It does nothing any more.", beforehand: yes)
        try await sitting.client().tags.remove(tag.tagID)
        try await sitting.output.show(tag) { "\(TagWords.name(tag)) is removed." }
    }
}
