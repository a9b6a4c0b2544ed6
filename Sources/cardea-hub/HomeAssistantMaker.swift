import CardeaAPI
import CardeaHomeAssistant
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import Logging

/// Makes the Home Assistant integration out of what was typed on the settings page.
struct HomeAssistantMaker: IntegrationMaker {
    let integration = HomeAssistantIntegration.name
    let devices: Devices
    let events: any EventDesk
    let logger: Logger

    func make(settings: Data, desk: any DeviceDesk) throws -> any RunningIntegration {
        let settings = try Self.read(settings)
        let (ours, others) = (
            devices.all.devices.filter { $0.integration == integration }, devices.all.devices.filter { $0.integration != integration }
        )
        return HomeAssistantIntegration(
            settings: settings, desk: desk, events: events, logger: logger, known: ours, reserved: Set(others.map(\.id)))
    }

    func shown(_ settings: Data) -> [String: JSONValue] {
        guard let settings = try? Self.read(settings) else { return [:] }
        return ["url": .string(settings.address.description), "has_token": true, "has_ca": .bool(settings.caPEM != nil)]
    }

    private static func read(_ data: Data) throws -> HomeAssistantSettings {
        let body = try Wire.readBody(HomeAssistantSettingsBody.self, from: data)
        let address: HomeAssistantAddress
        do { address = try HomeAssistantAddress(body.url) } catch { throw IntegrationProblem(field: "url", message: error.words) }
        let settings = HomeAssistantSettings(
            address: address, token: Secret(body.token.trimmingCharacters(in: .whitespacesAndNewlines)), caPEM: body.caPEM)
        if let problem = settings.tokenProblem { throw IntegrationProblem(field: "token", message: problem) }
        if body.caPEM != nil, !address.isSecure { throw IntegrationProblem(field: "ca_pem", message: "needs an https address") }
        return settings
    }
}
