import CardeaAPI
import CardeaHomeAssistant
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import Logging

/// Makes the Home Assistant integration from the settings page's input.
struct HomeAssistantIntegrationFactory: IntegrationFactory {
    let integration = HomeAssistantIntegration.name
    let devices: Devices
    let events: any EventSink
    let presence: any PresenceSink
    let logger: Logger

    func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration {
        let settings = try Self.read(settings)
        let (known, former) = (devices.all.devices, devices.former)
        let others = (known + former).filter { $0.integration != integration }
        // Home Assistant mirrors most entities of other integrations, too: the house marks duplicates, as long as such an entity exists.
        let entities = Set(others.flatMap { $0.entities.map(\.id) })
        return HomeAssistantIntegration(
            settings: settings, sink: sink, events: events, presence: presence, logger: logger,
            known: known.filter { $0.integration == integration },
            former: former.filter { $0.integration == integration },
            reserved: Set(others.flatMap(\.allIDs)).subtracting(entities).union(devices.formerIDs.all))
    }

    func merge(_ other: MergeCandidate, into staying: MergeCandidate) throws -> MergeResult {
        try HomeAssistantIntegration.merge(other, into: staying)
    }

    /// An omitted token or authority is kept, as long as the address is the same, so that they are never sent elsewhere. An empty text
    /// removes the authority.
    func restoreRedacted(_ settings: Data, from before: Data) -> Data {
        guard var body = try? WireFormat.readBody(HomeAssistantSettingsBody.self, from: settings),
            let known = try? WireFormat.readBody(HomeAssistantSettingsBody.self, from: before)
        else { return settings }
        if let address = try? HomeAssistantAddress(body.url), let former = try? HomeAssistantAddress(known.url), address == former {
            body.token = body.token ?? known.token
            body.caPEM = body.caPEM ?? known.caPEM
        }
        if body.caPEM == "" { body.caPEM = nil }
        return (try? WireFormat.encode(body)) ?? settings
    }

    func redacted(_ settings: Data) -> [String: JSONValue] {
        guard let settings = try? Self.read(settings) else { return [:] }
        return ["url": .string(settings.address.description), "has_token": true, "has_ca": .bool(settings.caPEM != nil)]
    }

    func server(_ settings: Data) -> String? {
        guard let settings = try? Self.read(settings) else { return nil }
        return "\(settings.address.description) \(settings.caPEM ?? "")"
    }

    private static func read(_ data: Data) throws -> HomeAssistantSettings {
        let body = try WireFormat.readBody(HomeAssistantSettingsBody.self, from: data)
        let address: HomeAssistantAddress
        do { address = try HomeAssistantAddress(body.url) } catch { throw IntegrationSettingsError(field: "url", message: error.message) }
        let token = Secret((body.token ?? "").trimmingCharacters(in: .whitespacesAndNewlines))
        let settings = HomeAssistantSettings(address: address, token: token, caPEM: body.caPEM)
        if let problem = settings.tokenProblem { throw IntegrationSettingsError(field: "token", message: problem) }
        if body.caPEM != nil, !address.isSecure {
            throw IntegrationSettingsError(field: "ca_pem", message: "needs an https address in url")
        }
        return settings
    }
}
