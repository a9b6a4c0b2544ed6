import ArgumentParser
import CardeaAPI
import CardeaClient
import Foundation

struct DiscoverCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover", abstract: "Find houses on this network.",
        discussion: """
            Announcements can be forged. You check the house's key when you sign in.

              cardea discover
              cardea discover --seconds 10 --json | jq -r '.houses[].url'
            """)

    @Option(help: "Seconds to search, 1 to 60.")
    var seconds = 4
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...60).contains(seconds) else { throw ValidationError("--seconds needs 1 to 60.") }
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
                return "No houses found on this network. On Linux, avahi-daemon must run on this machine and on the hub's machine."
            }
            let rows = houses.map { [$0.sign.name, $0.hub, $0.addresses.joined(separator: ", "), $0.sign.pin] }
            return Table("NAME", "ADDRESS", "FOUND AT", "ANNOUNCED KEY", rows: rows).text(context.output)
        }
    }
}
