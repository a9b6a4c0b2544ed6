import CardeaAPI
import CardeaHub
import CardeaMQTT
import CardeaModel
import Foundation
import Logging

/// Makes the MQTT integration out of what was typed on the settings page.
struct MQTTMaker: IntegrationMaker {
    let integration = MQTTIntegration.name
    let devices: Devices
    let logger: Logger

    func make(settings: Data, desk: any DeviceDesk) throws -> any RunningIntegration {
        let settings = try Self.read(settings)
        if let problem = settings.problem { throw IntegrationProblem(field: "mqtt", message: problem) }
        let known = devices.all.devices
        let ours = known.filter { $0.integration == integration }
        let remembered = ours.compactMap { device in
            device.attributes[MQTTIntegration.identifierAttribute]?.string.map { ($0, device.id) }
        }
        let others = known.filter { $0.integration != integration }
        return MQTTIntegration(
            settings: settings, desk: desk, logger: logger, remembered: Dictionary(remembered, uniquingKeysWith: { first, _ in first }),
            reserved: Set(others.map(\.id) + others.flatMap { $0.entities.map(\.id) }))
    }

    func shown(_ settings: Data) -> [String: JSONValue] {
        guard let settings = try? Self.read(settings) else { return [:] }
        var shown: [String: JSONValue] = [
            "host": .string(settings.host), "port": .number(Double(settings.port)), "tls": .bool(settings.tls),
            "discovery_prefix": .string(settings.discoveryPrefix), "has_password": .bool(settings.password != nil),
            "has_client_certificate": .bool(settings.certPEM != nil), "has_ca": .bool(settings.caPEM != nil),
        ]
        shown["username"] = settings.username.map(JSONValue.string)
        shown["client_id"] = settings.clientID.map(JSONValue.string)
        return shown
    }

    private static func read(_ data: Data) throws -> MQTTSettings {
        let body = try Wire.readBody(MQTTSettingsBody.self, from: data)
        return MQTTSettings(
            host: body.host, port: body.port, tls: body.tls, caPEM: body.caPEM, certPEM: body.certPEM, keyPEM: body.keyPEM,
            username: body.username, password: body.password, clientID: body.clientID,
            discoveryPrefix: body.discoveryPrefix ?? "homeassistant")
    }
}
