import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct IntegrationsMQTTCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "mqtt", abstract: "List the devices announced over MQTT, and unsupported parts of them.",
        discussion: """
            With --announcement, print one announcement with its secrets masked, for a bug report.

              cardea integrations mqtt
              cardea integrations mqtt --announcement homeassistant/lock/front_door/config
            """)

    @Option(help: "Print the announcement of this topic instead.")
    var announcement: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        if let announcement {
            let answer = try await context.client().integrations.announcement(at: announcement)
            return try await context.output.show(answer) { answer.announcement }
        }
        let look = try await context.query(.mqtt)
        try await context.output.show(look) {
            let rows = look.answer.announced.flatMap { device in
                device.entities.map { [device.name, $0.entityID, $0.component, $0.topic] }
            }
            let devices =
                rows.isEmpty
                ? "No device has announced itself over MQTT."
                : Table("DEVICE", "ENTITY", "COMPONENT", "ANNOUNCED AT", rows: rows).text(context.output)
            return ([devices] + UnsupportedPartsText.lines(look.answer)).joined(separator: "\n")
        }
    }
}

/// The parts of announcements that are not understood, for people.
enum UnsupportedPartsText {
    /// Empty if everything is understood.
    static func lines(_ answer: MQTTIntegrationAnswer) -> [String] {
        guard !answer.notUnderstood.isEmpty || answer.hasMoreNotUnderstood else { return [] }
        let more = answer.hasMoreNotUnderstood ? ["More parts are not listed."] : []
        return ["", "Not understood:"] + lines(answer.notUnderstood) + more
    }

    /// Each device once, with its parts below it.
    static func lines(_ parts: [NotUnderstoodAnswer]) -> [String] {
        let devices = Dictionary(grouping: parts) { $0.device ?? $0.topic }
        return devices.sorted { $0.key < $1.key }.flatMap { device, parts in
            [device] + parts.map { "  \($0.component): \($0.reason)" }
        }
    }
}
