import ArgumentParser
import CardeaAPI
import CardeaClient

struct TagAlarmSeenCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "seen", abstract: "Clear a tag's alarm for a possible copy.",
        discussion: """
            If you cannot explain the alarm, take the tag off the wall and remove it: cardea tags remove.

              cardea tags seen "Beside the bell"
            """)

    @Argument(help: "The tag, by id or full label.", completion: .tags)
    var tag: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let before = try await context.tag(tag, for: "tags seen")
        let seen = try await context.client().tags.acknowledgeAlarm(of: before.tagID)
        try await context.output.show(seen) {
            let name = TagText.name(seen)
            return before.alarmedAt == nil ? "\(name) has no alarm." : "The alarm of \(name) is cleared."
        }
    }
}
