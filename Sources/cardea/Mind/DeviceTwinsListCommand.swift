import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct DeviceTwinsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the twins and whether each is in sync with its device.",
        discussion: """
            A twin holds the last reported state of a device, and requested changes that the device has not confirmed yet.

              cardea twins
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.twins)
        let clock = try await context.clock(look)
        try await context.output.show(look) { Self.text(look.answer, clock: clock, context.output) }
    }

    static func text(_ answer: TwinsAnswer, clock: HouseClock, _ output: Output) -> String {
        guard !answer.twins.isEmpty else { return "There are no devices yet." }
        let rows = answer.twins.map { twin in
            [
                twin.name, Self.statusText(twin.syncStatus), twin.lastSync.map(clock.short) ?? "never",
                twin.divergenceScore > 0 ? "\(Int((twin.divergenceScore * 100).rounded())) %" : "", twin.fidelityLevel, twin.id,
            ]
        }
        let table = Table("NAME", "STATE", "LAST REPORT", "DIFFERENCE", "LEVEL", "ID", rows: rows).text(output)
        return "\(table)\n\(answer.synchronized) of \(answer.total) twins are in sync with their devices."
    }

    static func statusText(_ status: String) -> String {
        switch status {
        case "synchronized": "in sync"
        case "out_of_sync": "out of sync"
        case "syncing": "syncing"
        case "no_real_device": "planned"
        case "error": "broken"
        default: status
        }
    }
}

extension CommandContext {
    /// The twin that a person names by its id, its device's, or its name.
    func twin(_ wanted: String) async throws -> TwinAnswer {
        let twins = try await query(.twins).answer.twins
        return try NameResolver.resolve(wanted, among: twins, what: "twin", ids: { [$0.id, $0.deviceID] }, name: \.name)
    }
}
