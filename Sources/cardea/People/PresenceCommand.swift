import ArgumentParser
import CardeaAPI
import CardeaClient

struct PresenceCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "presence", abstract: "Set yourself home or away, or link your presence to Home Assistant.",
        discussion: """
            Automations use presence to detect the last person leaving and the first one coming home. You can link a person or device
            tracker of Home Assistant; then the newer of its report and your own counts. The house stores whether you are home and since
            when, but no location. Only you can link and unlink yourself.

              cardea presence away
              cardea presence
              cardea presence --link person.ann
              cardea presence --unlink
            """)

    enum Place: String, ExpressibleByArgument, CaseIterable {
        case home, away
    }

    @Argument(help: "home or away. Without it, the linked entity and possible entities are shown.")
    var place: Place?
    @Option(help: ArgumentHelp("Link this entity of Home Assistant to your presence.", valueName: "entity"))
    var link: String?
    @Flag(help: "Unlink Home Assistant from your presence.")
    var unlink = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [place != nil, link != nil, unlink].filter({ $0 }).count <= 1 else {
            throw ValidationError("Give only one of these: home, away, --link or --unlink.")
        }
    }

    func run(in context: CommandContext) async throws {
        let people = try context.client().people
        if let place {
            let answer = try await people.setPresence(isHome: place == .home)
            try await context.output.show(answer) { answer.isHome ? "You are home." : "You are away." }
        } else if unlink {
            try await people.unlinkPresence()
            try await context.output.show(try await people.presenceSource()) {
                "Your presence is no longer linked. Set it with `cardea presence home` or `away`."
            }
        } else if let link {
            let answer = try await people.linkPresence(to: link)
            try await context.output.show(answer) { Self.text(answer) }
        } else {
            let answer = try await people.presenceSource()
            let rows = answer.candidates.map { [$0.entityID, $0.name] }
            try await context.output.show(answer) {
                rows.isEmpty ? Self.text(answer) : "\(Self.text(answer))\n\n\(Table("ENTITY", "NAME", rows: rows).text(context.output))"
            }
        }
    }

    private static func text(_ answer: PresenceSourceAnswer) -> String {
        guard let linked = answer.linked else { return "Your presence is not linked. Set it with `cardea presence home` or `away`." }
        guard let entityID = linked.entityID else {
            return "Linked, but \(linked.integration) is not available or no longer has the entity."
        }
        return "Your presence is linked to \(entityID) of \(linked.integration)."
    }
}
