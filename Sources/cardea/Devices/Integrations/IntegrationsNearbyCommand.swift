import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct IntegrationsNearbyCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby", abstract: "What stands on the network near the house, and what can be done with it.",
        discussion: """
            Home Assistants, HomeKit accessories and Matter devices that announce themselves. Anybody on the network can announce
            anything: before you connect one, make sure that its address is yours.

              cardea integrations nearby
              cardea integrations nearby --json | jq -r '.found[] | select(.advice == "connect") | .url'
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.nearby)
        let nearby = look.answer
        try await context.output.show(look) {
            switch nearby.status {
            case "off": return "The house does not look around: it listens on its own machine alone, or was started with --no-bonjour."
            case "unavailable": return "The house cannot look around: no Bonjour daemon, such as avahi-daemon, runs on its machine."
            default: break
            }
            guard !nearby.found.isEmpty else { return "Nothing that the house could be connected to announces itself nearby." }
            let rows = nearby.found.map { thing in
                let what = [thing.category, thing.model, thing.version].compactMap { $0 }.joined(separator: ", ")
                return [
                    thing.name, IntegrationText.name(thing.kind), what, thing.url ?? "\(thing.host):\(thing.port)",
                    IntegrationText.advice(thing),
                ]
            }
            let table = Table("NAME", "KIND", "WHAT IT IS", "AT", "WHAT CAN BE DONE", rows: rows).text(context.output)
            return nearby.more ? table + "\nThere are more, which are not listed." : table
        }
    }
}
