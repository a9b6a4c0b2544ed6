import CardeaModel
import Foundation

extension WhatIfQuestion {
    /// The question in the form a client sends, for clients that asked in plain words and need more than sentences; nil if it concerns more
    /// than rooms and devices.
    public var draft: WhatIfRequest? {
        var sections: [String: [String: JSONValue]] = [:]
        for change in changes {
            switch change {
            case .temperature(let roomID, let celsius, let hours):
                sections["room", default: [:]][roomID] = Self.fields("temperature", .number(celsius), hours)
            case .power(let deviceID, let isOn, let hours):
                sections["device", default: [:]][deviceID] = Self.fields("power", .string(isOn ? "on" : "off"), hours)
            case .access, .watch: return nil
            }
        }
        return WhatIfRequest(
            scenario: scenario, changes: .object(sections.mapValues { .object($0) }), duration: "\(Int(duration.rounded()))s",
            metrics: metrics.sorted().map(\.rawValue), from: from, days: days)
    }

    private static func fields(_ name: String, _ value: JSONValue, _ hours: QuietHours?) -> JSONValue {
        guard let hours else { return .object([name: value]) }
        return .object([name: value, "from": .string(hours.from.description), "to": .string(hours.to.description)])
    }
}
