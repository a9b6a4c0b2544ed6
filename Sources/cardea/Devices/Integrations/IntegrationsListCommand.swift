import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct IntegrationsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the integrations and the status of each.")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.integrations)
        try await context.output.show(look) {
            guard !look.answer.integrations.isEmpty else { return "No integrations are set up." }
            let clock = try await context.clock(look)
            let rows = look.answer.integrations.map { one in
                let isOff = one.status == "off"
                return [
                    IntegrationText.name(one.integration), isOff ? "not set up" : one.status, isOff ? "" : clock.short(one.since),
                    isOff ? "" : "\(one.devices)", one.settings?["url"]?.string ?? one.settings?["host"]?.string ?? "", one.reason ?? "",
                ]
            }
            let table = Table("INTEGRATION", "STATE", "SINCE", "DEVICES", "AT", "REASON", rows: rows).text(context.output)
            return ([table] + (try await notUnderstood(look, context))).joined(separator: "\n")
        }
    }

    /// The parts of announcements that are not understood, if the answer is the house's present one.
    private func notUnderstood(_ look: QueryResult<IntegrationsAnswer>, _ context: CommandContext) async throws -> [String] {
        guard look.asOf == nil, look.answer.integrations.contains(where: { $0.integration == "mqtt" && $0.status != "off" }) else {
            return []
        }
        do {
            return UnsupportedPartsText.lines(try await context.client().integrations.mqtt())
        } catch ClientError.api(let error) where error.status == 404 {
            // An older hub.
            return []
        }
    }
}

/// Integrations as text.
enum IntegrationText {
    static func name(_ integration: String) -> String {
        let names = [
            "virtual": "Virtual house", "mqtt": "MQTT", "home-assistant": "Home Assistant", "homekit": "HomeKit", "matter": "Matter",
        ]
        return names[integration] ?? integration
    }

    static func advice(_ thing: NearbyServiceAnswer) -> String {
        switch thing.advice {
        case "connected": "set up"
        case "connect": "can be connected in the web app, under Settings, Integrations"
        case "through_home_assistant": "available through Home Assistant"
        default: thing.advice
        }
    }
}
