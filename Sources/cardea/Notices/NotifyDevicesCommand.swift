import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct NotifyDevicesCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "places", abstract: "List or remove the browsers and phones that get your notifications.",
        discussion: """
            Add a browser in the web app, under Settings, Notices.

              cardea notify places
              cardea notify places --remove push_0199…
            """)

    @Option(help: ArgumentHelp("Remove this browser or phone, by id.", valueName: "id"))
    var remove: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        if let remove { try await context.client().notices.remove(remove) }
        let look = try await context.query(.push)
        let push = look.answer
        try await context.output.show(look) {
            guard !push.subscriptions.isEmpty else {
                return "No browser or phone gets your notifications. Add one in the web app, under Settings, Notices."
            }
            let clock = try await context.clock(look)
            let rows = push.subscriptions.map { [$0.way == "web" ? "browser" : "phone", $0.service, clock.short($0.createdAt), $0.id] }
            return Table("KIND", "SERVICE", "SINCE", "ID", rows: rows).text(context.output)
        }
    }
}
