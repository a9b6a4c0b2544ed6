import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

struct HistoryCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "What a device was like: a sensor's values, or what was asked of anything else.",
        discussion: """
              cardea history garden-temperature
              cardea history garden-temperature --for 4w --table
              cardea history front-door
            """)

    @Argument(help: "The device, by id or name.", completion: .devices)
    var device: String
    @Option(help: "Which of the device's sensors, like sensor.garden_temperature.")
    var entity: String?
    @OptionGroup var span: SpanOptions
    @Flag(help: "Every value, one to a line.")
    var table = false
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let device = try await client.devices.one(client.deviceID(device))
        guard entity != nil || device.entities.contains(where: { $0.entityType == .sensor }) else {
            return try await asked(of: device, client, sitting)
        }
        let (from, to) = span.span()
        // Past two days nobody reads single minutes.
        let answer = try await sitting.output.waiting(for: "Reading the last \(span.duration)") {
            try await client.readings.history(
                of: device.deviceID, entityID: entity, from: from, to: to, resolution: span.length > 2 * 86_400 ? .hour : nil)
        }
        try await sitting.output.show(answer) {
            let words = HistoryWords(answer, clock: try await sitting.clock(client))
            return table ? words.table(sitting.output) : words.summary(of: device.name, span: span.duration)
        }
    }

    /// A door has no values; what it was asked, and what came of it, is its history.
    private func asked(of device: DeviceAnswer, _ client: CardeaClient, _ sitting: Sitting) async throws {
        let (from, _) = span.span()
        let answer = try await client.access.activity(Access.Filter(limit: 100, deviceID: device.deviceID))
        try await sitting.output.show(answer) {
            let recent = answer.entries.filter { $0.at >= from }
            guard !recent.isEmpty else { return "Nothing was asked of \(device.name) in the last \(span.duration)." }
            return try await ActivityWords(sitting.clock(client)).table(recent, who: true, sitting.output)
        }
    }
}
