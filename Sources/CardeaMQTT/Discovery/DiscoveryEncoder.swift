import CardeaHub
import CardeaModel
import Foundation

/// Encodes the house for Home Assistant's MQTT discovery. A value: from the house it makes the retained messages by topic.
///
/// It uses the single form of discovery, since Home Assistant knows the bundle only since 2024.11.
struct DiscoveryEncoder: Hashable, Sendable {
    /// Home Assistant's discovery prefix.
    let prefix: String
    let houseID: String
    let showsLastVisitor: Bool

    /// The prefix of every id that the hub announces: a discovery reader, here or in Home Assistant, recognises the hub's own entities by
    /// it.
    static let idPrefix = "cardea_"

    init(prefix: String, houseID: String, showsLastVisitor: Bool) {
        self.prefix = prefix
        self.houseID = String(houseID.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(12))
        self.showsLastVisitor = showsLastVisitor
    }

    /// The name of the house on the broker.
    var node: String { Self.idPrefix + houseID }
    /// The prefix of all topics on which the house publishes, except its announcements.
    var base: String { "cardea/\(houseID)" }
    /// The filter for the topics on which the house publishes and receives requests.
    var topicFilter: String { "\(base)/#" }

    /// Returns whether the house publishes on this topic, to recognise its own retained messages.
    func isOurs(_ topic: String) -> Bool {
        if topic.hasPrefix(base + "/") { return !topic.hasSuffix("/set") }
        guard let found = DiscoveryTopic(topic, prefix: prefix) else { return false }
        return found.object.hasPrefix(node + "_")
    }

    func isState(_ topic: String) -> Bool { topic.hasPrefix(base + "/") }

    func state(of lock: HomeAssistantExport.Lock) -> String { "\(base)/\(Self.object(lock.entity.id))/state" }

    /// Everything that is to be kept on the broker, by topic.
    func messages(_ view: HomeAssistantExport.Snapshot) -> [String: String] {
        var messages: [String: String] = [:]
        for lock in view.locks {
            let entity = Self.object(lock.entity.id)
            messages["\(prefix)/lock/\(node)/\(entity)/config"] = configuration(lock, entity)
            messages["\(base)/\(entity)/state"] = Self.stateValue(lock.entity.state.value)
            messages["\(base)/\(entity)/available"] = Self.isKnown(lock) ? "online" : "offline"
        }
        messages["\(prefix)/sensor/\(node)/passes/config"] = sensor("passes", "Passes in use", "mdi:card-account-details-outline", view)
        messages["\(base)/passes/state"] = String(view.passesInUse)
        if showsLastVisitor {
            messages["\(prefix)/sensor/\(node)/last_visitor/config"] = sensor("last_visitor", "Last visitor", "mdi:account-clock", view)
            messages["\(base)/last_visitor/state"] = view.lastVisitor ?? "None"
        }
        return messages
    }

    /// The lock that a command's topic names.
    func lock(at topic: String, in view: HomeAssistantExport.Snapshot) -> HomeAssistantExport.Lock? {
        view.locks.first { topic == "\(base)/\(Self.object($0.entity.id))/set" }
    }

    // MARK: Home Assistant's values

    private func configuration(_ lock: HomeAssistantExport.Lock, _ entity: String) -> String {
        let topics = "\(base)/\(entity)"
        var device: [String: JSONValue] = [
            "identifiers": [.string("\(node)_\(lock.device.id)")], "name": .string(lock.device.name), "via_device": .string(node),
        ]
        device["manufacturer"] = lock.device.manufacturer.map(JSONValue.string)
        device["model"] = lock.device.model.map(JSONValue.string)
        device["suggested_area"] = lock.room.map(JSONValue.string)
        var config: [String: JSONValue] = [
            // A device's only lock has the device's name.
            "name": lock.device.entities.count { $0.kind == .lock } > 1 ? .string(lock.entity.name) : .null,
            "unique_id": .string("\(node)_\(entity)"), "command_topic": .string("\(topics)/set"), "state_topic": .string("\(topics)/state"),
            // The request's time is sent with it, so that no command runs late.
            "command_template": #"{"do":"{{ value }}","at":{{ now().timestamp() }}}"#,
            "retain": false, "optimistic": false, "availability": availability(own: "\(topics)/available"), "availability_mode": "all",
            "device": .object(device), "origin": Self.origin,
        ]
        if lock.entity.verbs.contains(.open) { config["payload_open"] = "OPEN" }
        return Self.text(config)
    }

    private func sensor(_ object: String, _ name: String, _ icon: String, _ view: HomeAssistantExport.Snapshot) -> String {
        Self.text([
            "name": .string(name), "unique_id": .string("\(node)_\(object)"), "state_topic": .string("\(base)/\(object)/state"),
            "icon": .string(icon), "availability": availability(), "origin": Self.origin,
            "device": [
                "identifiers": [.string(node)], "name": .string(view.houseName), "manufacturer": "Cardea", "model": "Hub",
            ],
        ])
    }

    private func availability(own topic: String? = nil) -> JSONValue {
        .array(([MQTTIntegration.statusTopic] + [topic].compactMap(\.self)).map { ["topic": .string($0)] })
    }

    private static let origin: JSONValue = ["name": "Cardea"]

    /// False if its state is the old one: Home Assistant shows such a lock as unavailable. One that never reported is there, and
    /// unknown.
    private static func isKnown(_ lock: HomeAssistantExport.Lock) -> Bool { lock.device.status == .online && lock.entity.lastReport == nil }

    /// Returns the state of a lock, or that it is unknown.
    private static func stateValue(_ state: String) -> String {
        switch state {
        case "locked", "unlocked", "locking", "unlocking", "jammed": state.uppercased()
        // An opened latch is an unlocked lock; older versions have no state for it.
        case "open": "UNLOCKED"
        default: "None"
        }
    }

    /// `lock.front_door` may stand in a topic of discovery as `lock_front_door`.
    private static func object(_ entityID: String) -> String {
        Slug.make(entityID.replacingOccurrences(of: ".", with: "_"), separator: "_") ?? "lock"
    }

    private static func text(_ members: [String: JSONValue]) -> String {
        let encoder = JSONEncoder()
        // In a fixed order, so that equal values give equal text.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(JSONValue.object(members))).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
