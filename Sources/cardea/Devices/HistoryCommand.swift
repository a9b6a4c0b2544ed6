import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct HistoryCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show a sensor's values, or the commands of another device.",
        discussion: """
              cardea history garden-temperature
              cardea history garden-temperature --for 4w --table
              cardea history front-door
            """)

    @Argument(help: "The device, by id or name.", completion: .devices)
    var device: String
    @Option(help: "The sensor, if the device has several: sensor.garden_temperature.")
    var entity: String?
    @OptionGroup var span: TimeSpanOptions
    @Flag(help: "Print every value, one on each line.")
    var table = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let device = try await context.device(device)
        guard entity != nil || device.entities.contains(where: { $0.kind == .sensor }) else {
            return try await showActivity(of: device, context)
        }
        // Beyond two days single minutes are of no use.
        let question = CacheableQuery.history(
            of: device.deviceID, entityID: entity, last: span.length, resolution: span.length > 2 * 86_400 ? .hour : nil)
        let look = try await context.output.showingProgress(for: "Reading the last \(span.duration)") { try await context.query(question) }
        try await context.output.show(look) {
            let words = HistoryText(look.answer, clock: try await context.clock(look))
            return table ? words.table(context.output) : words.summary(of: device.name, span: span.duration)
        }
    }

    /// A door has no values: its history is its commands and their results.
    private func showActivity(of device: DeviceAnswer, _ context: CommandContext) async throws {
        let from = Date().addingTimeInterval(-span.length)
        let look = try await context.query(.activity(of: device.deviceID))
        try await context.output.show(look) {
            let recent = look.answer.entries.filter { $0.at >= from }
            guard !recent.isEmpty else { return "\(device.name) got no commands in the last \(span.duration)." }
            return try await ActivityText(context.clock(look)).table(recent, who: true, context.output)
        }
    }
}
