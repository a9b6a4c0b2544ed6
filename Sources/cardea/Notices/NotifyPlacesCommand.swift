import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct NotifyPlacesCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "places", abstract: "The browsers and phones that you are told on; with --remove, on one fewer.",
        discussion: """
            A browser is added in the web app, under Settings, Notices.

              cardea notify places
              cardea notify places --remove push_0199…
            """)

    @Option(help: ArgumentHelp("Take one off.", valueName: "id"))
    var remove: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        if let remove { try await context.client().notices.remove(remove) }
        let look = try await context.query(.push)
        let push = look.answer
        try await context.output.show(look) {
            guard !push.subscriptions.isEmpty else {
                return "You are told nowhere. Open the web app, Settings, Notices, in a browser of yours."
            }
            let clock = try await context.clock(look)
            let rows = push.subscriptions.map { [$0.way == "web" ? "browser" : "phone", $0.service, clock.short($0.createdAt), $0.id] }
            return Table("KIND", "BY WAY OF", "SINCE", "ID", rows: rows).text(context.output)
        }
    }
}
