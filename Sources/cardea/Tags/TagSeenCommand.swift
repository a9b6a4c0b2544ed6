import ArgumentParser
import CardeaAPI
import CardeaClient

struct TagSeenCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "seen", abstract: "Say that you have looked into a tag's alarm: that there may be a copy of it.",
        discussion: """
            Where you cannot explain it, take the tag off the wall and out of the house instead: cardea tags remove.

              cardea tags seen "Beside the bell"
            """)

    @Argument(help: "The tag, by id or whole label.", completion: .tags)
    var tag: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let before = try await context.tag(tag, for: "tags seen")
        let seen = try await context.client().tags.acknowledgeAlarm(of: before.tagID)
        try await context.output.show(seen) {
            let name = TagText.name(seen)
            return before.alarmedAt == nil ? "There is no alarm about \(name)." : "The alarm about \(name) is put away."
        }
    }
}
