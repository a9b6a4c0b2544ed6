import CardeaModel
import Foundation

/// Devices with Home Assistant 2025.4's results, in Cardea's format; written by `Tests/PeerTests/test_mqtt_differential.py`.
enum DeviceTable {
    struct Case: Decodable {
        let id: String
        let announcements: [Message]
        /// Messages that the broker retains from before the announcement.
        let before: [Message]?
        let entities: [String: ExpectedEntity]
        let steps: [Step]
        let commands: [Command]
    }

    struct Message: Decodable {
        let topic: String
        let payload: String?
        let base64: String?

        var bytes: [UInt8] {
            if let base64, let data = Data(base64Encoded: base64) { return Array(data) }
            return Array((payload ?? "").utf8)
        }
    }

    /// An existing entity.
    struct ExpectedEntity: Decodable {
        let category: String?
        /// The device announces it as disabled by default.
        let disabled: Bool?
        /// False for a kind that the hub does not show.
        let isShown: Bool?
        let unit: String?
        let deviceClass: String?
        /// The tolerance of numbers, if one of the two converts units.
        let tolerance: Double?

        enum CodingKeys: String, CodingKey {
            case category, disabled, unit, tolerance
            case isShown = "is_shown"
            case deviceClass = "device_class"
        }
    }

    struct Step: Decodable {
        let messages: [Message]
        /// The time that passes after the messages.
        let seconds: Double?
        /// The entities whose state differs from the previous step.
        let states: [String: State]
    }

    struct State: Decodable {
        /// `unavailable` if no more is known; `@3` for the time of the messages in step 3.
        let state: String
        let attributes: [String: JSONValue]?
    }

    struct Command: Decodable {
        let entity: String
        let action: Verb
        let value: JSONValue?
        let code: String?
        /// None if Home Assistant refuses.
        let messages: [Message]
    }

    /// A value that differs here, with its reason.
    struct Difference: Decodable {
        let `case`: String
        let entity: String
        let member: String
        /// For readers, in `docs/devices.md` as well.
        let reason: String
        /// `roster` or `hub` if the difference shows only there: a hub that answers requests does more than its roster.
        let only: String?

        var name: String { "\(self.case) \(entity) \(member)" }
    }

    /// - Parameter file: a table other than the gate's.
    static func cases(at file: URL? = nil) throws -> [Case] { try read(file ?? resourceURL("mqtt-devices.json")) }

    static func differences() throws -> [Difference] { try read(resourceURL("mqtt-differences.json")) }

    /// The document that describes the differences.
    static func document() throws -> String {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return try String(contentsOf: root.appending(path: "docs/devices.md"), encoding: .utf8)
    }

    private static func resourceURL(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: name)
    }

    private static func read<Value: Decodable>(_ file: URL) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(contentsOf: file))
    }
}
