import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct TwinsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Every device's twin, and how it stands to its device.",
        discussion: """
            A twin is what a device last said, and what was asked of it and is not said yet.

              cardea twins
            """)

    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let look = try await sitting.look(.twins)
        let clock = try await sitting.clock(look)
        try await sitting.output.show(look) { Self.text(look.answer, clock: clock, sitting.output) }
    }

    static func text(_ answer: TwinsAnswer, clock: HouseClock, _ output: Output) -> String {
        guard !answer.twins.isEmpty else { return "There is no device yet." }
        let rows = answer.twins.map { twin in
            [
                twin.name, Self.words(twin.syncStatus), twin.lastSync.map(clock.short) ?? "never",
                twin.divergenceScore > 0 ? "\(Int((twin.divergenceScore * 100).rounded())) %" : "", twin.fidelityLevel, twin.id,
            ]
        }
        let table = Table("NAME", "STANDS", "LAST SAID", "APART", "KIND", "ID", rows: rows).text(output)
        return "\(table)\n\(answer.synchronized) of \(answer.total) are in step with their devices."
    }

    static func words(_ status: String) -> String {
        switch status {
        case "synchronized": "in step"
        case "out_of_sync": "out of step"
        case "syncing": "being asked"
        case "no_real_device": "planned"
        case "error": "broken"
        default: status
        }
    }
}

extension Sitting {
    /// The twin that a person names by its id, its device's, or its name.
    func twin(_ wanted: String) async throws -> TwinAnswer {
        let twins = try await look(.twins).answer.twins
        return try Named.find(wanted, among: twins, what: "twin", ids: { [$0.id, $0.deviceID] }, name: \.name)
    }
}
