import CardeaAPI
import CardeaHub
import CardeaMQTT
import CardeaModel
import Foundation
import Logging

/// Creates the MQTT integration from the settings page's input.
struct MQTTIntegrationFactory: IntegrationFactory {
    let integration = MQTTIntegration.name
    let devices: Devices
    let house: HomeAssistantExport
    let events: any EventSink
    let publishing: any PublishingSink
    let logger: Logger

    func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration {
        let settings = try Self.read(settings)
        if let problem = settings.problem { throw IntegrationSettingsError(field: "mqtt", message: problem) }
        let (known, former) = (devices.all.devices, devices.former)
        let others = (known + former).filter { $0.integration != integration }
        return MQTTIntegration(
            settings: settings, sink: sink, logger: logger, house: house, events: events, publishing: publishing,
            known: known.filter { $0.integration == integration }, former: former.filter { $0.integration == integration },
            reserved: Set(others.flatMap(\.allIDs)).union(devices.formerIDs.all))
    }

    func merge(_ other: MergeCandidate, into staying: MergeCandidate) throws -> MergeResult {
        try MQTTIntegration.merge(other, into: staying)
    }

    func check(announcement: String, at topic: String?) throws -> AnnouncementCheck? {
        try AnnouncementChecker.check(announcement, at: topic)
    }

    /// An omitted password, code or certificate is kept, as long as it goes to the same broker as securely as before; an empty text removes
    /// it.
    func restoreRedacted(_ settings: Data, from before: Data) -> Data {
        guard var body = try? WireFormat.readBody(MQTTSettingsBody.self, from: settings),
            let known = try? WireFormat.readBody(MQTTSettingsBody.self, from: before)
        else { return settings }
        if (body.host, body.port) == (known.host, known.port), body.tls == true || (body.tls ?? false) == (known.tls ?? false) {
            if body.username == known.username { body.password = body.password ?? known.password }
            body.codes = (known.codes ?? [:]).merging(body.codes ?? [:]) { $1 }
            body.caPEM = body.caPEM ?? known.caPEM
            if body.certPEM == nil, body.keyPEM == nil { (body.certPEM, body.keyPEM) = (known.certPEM, known.keyPEM) }
        }
        for secret in [\MQTTSettingsBody.password, \.caPEM, \.certPEM, \.keyPEM] where body[keyPath: secret] == "" {
            body[keyPath: secret] = nil
        }
        body.codes = body.codes?.filter { $0.value?.isEmpty == false }
        return (try? WireFormat.encode(body)) ?? settings
    }

    func redacted(_ data: Data) -> [String: JSONValue] {
        guard let settings = try? Self.read(data) else { return [:] }
        var shown: [String: JSONValue] = [
            "host": .string(settings.host), "port": .number(Double(settings.port)), "tls": .bool(settings.tls),
            "discovery_prefix": .string(settings.discoveryPrefix), "has_password": .bool(settings.password != nil),
            "has_client_certificate": .bool(settings.certPEM != nil), "has_ca": .bool(settings.caPEM != nil),
        ]
        shown["username"] = settings.username.map(JSONValue.string)
        shown["client_id"] = settings.clientID.map(JSONValue.string)
        shown["frigate_prefix"] = settings.frigatePrefix.map(JSONValue.string)
        shown["announce_locks"] = .bool(settings.announces)
        shown["announce_last_visitor"] = .bool(settings.announcesLastVisitor)
        shown["codes"] = .array(settings.codes.keys.sorted().map(JSONValue.string))
        if let grant = grant(data) {
            shown["allow_lock"] = .bool(grant.allowsLock)
            shown["allow_open"] = .bool(grant.allowsOpen)
        }
        return shown
    }

    func server(_ settings: Data) -> String? {
        guard let settings = try? Self.read(settings) else { return nil }
        return "\(settings.tls ? "mqtts" : "mqtt")://\(settings.host):\(settings.port) \(settings.caPEM ?? "")"
    }

    func grant(_ settings: Data) -> IntegrationGrant? {
        guard let body = try? WireFormat.readBody(MQTTSettingsBody.self, from: settings), body.announceLocks == true else { return nil }
        return IntegrationGrant(allowsLock: body.allowLock ?? true, allowsOpen: body.allowOpen ?? false)
    }

    private static func read(_ data: Data) throws -> MQTTSettings {
        let body = try WireFormat.readBody(MQTTSettingsBody.self, from: data)
        return MQTTSettings(
            host: body.host, port: body.port, tls: body.tls, caPEM: body.caPEM, certPEM: body.certPEM, keyPEM: body.keyPEM,
            username: body.username, password: body.password, clientID: body.clientID,
            discoveryPrefix: body.discoveryPrefix ?? "homeassistant", announces: body.announceLocks ?? false,
            announcesLastVisitor: body.announceLocks == true && body.announceLastVisitor == true,
            frigatePrefix: body.frigatePrefix.flatMap { $0.isEmpty ? nil : $0 },
            codes: (body.codes ?? [:]).compactMapValues { $0.flatMap { $0.isEmpty ? nil : $0 } })
    }
}
