import CardeaAPI
import CardeaHub
import CardeaMQTT
import CardeaModel
import CardeaMosquitto
import CardeaSecurity
import Foundation
import Logging

/// Creates the buttons' own connection from the settings page's input.
struct ButtonBrokerIntegrationFactory: IntegrationFactory {
    let integration = ButtonBrokerIntegration.name
    let publisher: ButtonPublisher
    let logger: Logger

    func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration {
        let body = try WireFormat.readBody(EndpointSettingsBody.self, from: settings)
        do {
            let settings = try ButtonBrokerSettings(
                host: body.host, port: body.port, clientID: body.clientID, certificatePEM: body.certPEM ?? "",
                keyPEM: Secret(body.keyPEM ?? ""), caPEM: body.caPEM)
            return ButtonBrokerIntegration(settings: settings, sink: publisher, logger: logger)
        } catch {
            throw IntegrationSettingsError(field: error.field, message: error.rawValue)
        }
    }

    /// Keeps the previous certificates that the new settings leave out, if host and port are unchanged. An empty text deletes the
    /// certificate.
    func restoreRedacted(_ settings: Data, from before: Data) -> Data {
        guard var body = try? WireFormat.readBody(EndpointSettingsBody.self, from: settings),
            let known = try? WireFormat.readBody(EndpointSettingsBody.self, from: before)
        else { return settings }
        if body.host == known.host, body.port ?? ButtonBrokerSettings.defaultPort == known.port ?? ButtonBrokerSettings.defaultPort {
            body.caPEM = body.caPEM ?? known.caPEM
            if body.certPEM == nil, body.keyPEM == nil { (body.certPEM, body.keyPEM) = (known.certPEM, known.keyPEM) }
        }
        if body.caPEM == "" { body.caPEM = nil }
        return (try? WireFormat.encode(body)) ?? settings
    }

    func server(_ settings: Data) -> String? {
        guard let body = try? WireFormat.readBody(EndpointSettingsBody.self, from: settings) else { return nil }
        return "mqtts://\(body.host):\(body.port ?? ButtonBrokerSettings.defaultPort) \(body.caPEM ?? "")"
    }

    func redacted(_ settings: Data) -> [String: JSONValue] {
        guard let body = try? WireFormat.readBody(EndpointSettingsBody.self, from: settings) else { return [:] }
        var shown: [String: JSONValue] = [
            "host": .string(body.host), "port": .number(Double(body.port ?? ButtonBrokerSettings.defaultPort)),
            "has_client_certificate": .bool(body.certPEM != nil), "has_ca": .bool(body.caPEM != nil),
        ]
        shown["client_id"] = body.clientID.map(JSONValue.string)
        return shown
    }
}
