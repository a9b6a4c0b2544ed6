import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct IntegrationsNearbyCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby", abstract: "Find devices and servers on the hub's network.",
        discussion: """
            Lists Home Assistant servers, HomeKit accessories and Matter devices that announce themselves. Announcements can be forged:
            before you connect one, make sure that its address is yours.

              cardea integrations nearby
              cardea integrations nearby --json | jq -r '.found[] | select(.advice == "connect") | .url'
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.nearby)
        let nearby = look.answer
        try await context.output.show(look) {
            switch nearby.status {
            case "off": return "Discovery is off: the hub listens only on its own machine, or was started with --no-bonjour."
            case "unavailable": return "Discovery is not available: no Bonjour daemon, such as avahi-daemon, runs on the hub's machine."
            default: break
            }
            guard !nearby.found.isEmpty else { return "No devices or servers found." }
            let rows = nearby.found.map { thing in
                let what = [thing.category, thing.model, thing.version].compactMap { $0 }.joined(separator: ", ")
                return [
                    thing.name, IntegrationText.name(thing.kind), what, thing.url ?? "\(thing.host):\(thing.port)",
                    IntegrationText.advice(thing),
                ]
            }
            let table = Table("NAME", "KIND", "TYPE", "ADDRESS", "NEXT STEP", rows: rows).text(context.output)
            return nearby.more ? table + "\nMore were found than are listed." : table
        }
    }
}
