import ArgumentParser
import CardeaAPI
import CardeaClient
import Foundation

struct DiscoverCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover", abstract: "The houses that announce themselves on this network.",
        discussion: """
            Anybody on the network can put up such a sign. Whether a house is yours its key tells, when you sign in.

              cardea discover
              cardea discover --seconds 10 --json | jq -r '.houses[].url'
            """)

    @Option(help: "How long to look, 1 to 60.")
    var seconds = 4
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...60).contains(seconds) else { throw ValidationError("--seconds is 1 to 60.") }
    }

    /// The `--json` output.
    private struct Answer: Encodable {
        let houses: [NearbyHouse]
    }

    func run(in context: CommandContext) async throws {
        context.output.progress("Looking for houses on this network…")
        let houses = if let finder = context.finder { await NearbyHouse.all(finder, within: .seconds(seconds)) } else { [NearbyHouse]() }
        try await context.output.show(Answer(houses: houses)) {
            guard !houses.isEmpty else {
                return "No house announces itself on this network. On Linux, avahi-daemon must run here and where the hub is."
            }
            let rows = houses.map { [$0.sign.name, $0.hub, $0.addresses.joined(separator: ", "), $0.sign.pin] }
            return Table("NAME", "ADDRESS", "FOUND AT", "KEY IT NAMES", rows: rows).text(context.output)
        }
    }
}
