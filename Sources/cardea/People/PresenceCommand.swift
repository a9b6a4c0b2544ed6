import ArgumentParser
import CardeaAPI
import CardeaClient

struct PresenceCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "presence", abstract: "Say that you are home, or away, or have Home Assistant tell it.",
        discussion: """
            By this the house knows when the last one leaves and the first comes home. You can link one person or device tracker of Home
            Assistant to yourself; from then on the newer of its word and yours counts. The house keeps whether you are home and since when,
            and no place. Only you link and unlink yourself.

              cardea presence away
              cardea presence
              cardea presence --link person.ann
              cardea presence --unlink
            """)

    enum Place: String, ExpressibleByArgument, CaseIterable {
        case home, away
    }

    @Argument(help: "Where you are: home or away. Left out: what is linked to you, and what you could link.")
    var place: Place?
    @Option(help: ArgumentHelp("Have this entity of Home Assistant tell where you are.", valueName: "entity"))
    var link: String?
    @Flag(help: "Have nothing but you tell where you are.")
    var unlink = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [place != nil, link != nil, unlink].filter({ $0 }).count <= 1 else {
            throw ValidationError("Say one of these: home, away, --link or --unlink.")
        }
    }

    func run(in context: CommandContext) async throws {
        let people = try context.client().people
        if let place {
            let answer = try await people.setPresence(isHome: place == .home)
            try await context.output.show(answer) { answer.isHome ? "You are home." : "You are away." }
        } else if unlink {
            try await people.unlinkPresence()
            try await context.output.show(try await people.presenceSource()) { "Nothing but you tells where you are." }
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
        guard let linked = answer.linked else { return "Nothing is linked: you say yourself where you are." }
        guard let entityID = linked.entityID else { return "Linked, but \(linked.integration) is away or no longer has the entity." }
        return "\(entityID) of \(linked.integration) tells where you are."
    }
}
