import CardeaHub
import CardeaModel
import Foundation

@testable import CardeaMQTT

/// One case of the table, played into a roster, with the differences of its entities from Home Assistant's.
struct DeviceTableRun {
    private let row: DeviceTable.Case
    private var roster = DiscoveryRegistry()
    private var now = Date(timeIntervalSince1970: 1_800_000_000)
    /// The times of the messages of each step.
    private var moments: [Date] = []
    /// The ids of the entities, by their names in the table.
    private var ids: [String: String] = [:]
    private var entities: [String: Entity] = [:]
    private var expected: [String: DeviceTable.State] = [:]
    private(set) var differences: [String: String] = [:]
    /// Entities that were away: after their return they are unknown until they report, while Home Assistant keeps the earlier state.
    private var wereAway: Set<String> = []
    /// The differences of those entities.
    private(set) var afterReturns: Set<String> = []

    init(_ row: DeviceTable.Case) {
        self.row = row
    }

    mutating func run() {
        announce()
        compareEntities()
        for (number, step) in row.steps.enumerated() { play(step, number) }
        for (number, command) in row.commands.enumerated() { sendCommand(command, number) }
    }

    private mutating func announce() {
        var devices: [String: Device] = [:]
        for message in row.announcements {
            guard let topic = DiscoveryTopic(message.topic, prefix: "homeassistant") else { continue }
            roster.apply(message.bytes, at: topic)
            for device in roster.collectChanges(at: now).announced { devices[device.id] = device }
        }
        for device in devices.values {
            for entity in device.entities { entities[entity.id] = entity }
        }
        for key in row.entities.keys { ids[key] = id(of: key) }
        for message in row.before ?? [] { receive(message, isRetained: true) }
    }

    /// The id of an entity by its component and its unique id, or of a device trigger by its type and subtype.
    private func id(of key: String) -> String? {
        guard let colon = key.firstIndex(of: ":") else { return nil }
        let (component, name) = (String(key[..<colon]), String(key[key.index(after: colon)...]))
        switch component {
        case "device_automation": return entities.values.first { $0.kind == .event && $0.name == name }?.id
        case "camera": return entities.values.first { $0.kind == .image && $0.uniqueID == name }?.id
        default: return entities.values.first { $0.kind.rawValue == component && $0.uniqueID == name }?.id
        }
    }

    private mutating func receive(_ message: DeviceTable.Message, isRetained: Bool = false) {
        let heard = IncomingMessage(topic: message.topic, payload: message.bytes, at: now, isRetained: isRetained)
        _ = roster.receive(heard, isFresh: !isRetained)
        if roster.hasPictures(on: message.topic) {
            _ = roster.storePicture(message.bytes, on: message.topic, at: now, isFresh: !isRetained)
        }
    }

    // MARK: Comparison

    private mutating func note(_ key: String, _ member: String, _ shown: String, _ wanted: String) {
        let name = "\(row.id) \(key) \(member)"
        differences[name] = "\(shown), and for Home Assistant \(wanted)"
        if wereAway.contains(key) { afterReturns.insert(name) }
    }

    private mutating func compareEntities() {
        for (key, noted) in row.entities where noted.isShown != false {
            guard let id = ids[key], let entity = entities[id] else {
                note(key, "is there", "no", "yes")
                continue
            }
            let pairs: [(String, String?, String?)] = [
                ("category", entity.category?.rawValue, noted.category), ("unit", entity.unit, noted.unit),
                ("device_class", entity.deviceClass, noted.deviceClass),
                ("disabled", entity.isEnabled ? nil : "true", noted.disabled == true ? "true" : nil),
            ]
            for (member, shown, wanted) in pairs where shown != wanted && !(noted.disabled == true && member != "disabled") {
                note(key, member, shown ?? "none", wanted ?? "none")
            }
        }
        let known = Set(ids.values)
        for entity in entities.values where !known.contains(entity.id) {
            note("\(entity.kind.rawValue):\(entity.uniqueID ?? entity.name)", "is there", "yes", "no")
        }
    }

    private mutating func play(_ step: DeviceTable.Step, _ number: Int) {
        now.addTimeInterval(0.25)
        moments.append(now)
        for message in step.messages { receive(message) }
        if let seconds = step.seconds {
            now.addTimeInterval(seconds)
            _ = roster.expire(at: now)
        }
        expected.merge(step.states) { $1 }
        for (key, wanted) in expected {
            guard let id = ids[key], let fixture = roster[id] else { continue }
            compare(fixture, key, wanted, number)
        }
    }

    private mutating func compare(_ fixture: TrackedEntity, _ key: String, _ wanted: DeviceTable.State, _ number: Int) {
        let isAvailable = fixture.isOnline == true && !fixture.isExpired
        let tolerance = row.entities[key]?.tolerance ?? 0
        guard wanted.state != "unavailable", isAvailable else {
            wereAway.insert(key)
            if isAvailable != (wanted.state != "unavailable") {
                note(key, "step \(number) state", isAvailable ? fixture.state.value : "unavailable", wanted.state)
            }
            return
        }
        let word = wanted.state.hasPrefix("@") ? time(of: wanted.state) : wanted.state
        if !DeviceValueComparison.isSame(fixture.state.value, word, isConverted: tolerance > 0) {
            note(key, "step \(number) state", fixture.state.value, word)
        }
        let attributes = wanted.attributes ?? [:]
        let own = fixture.state.attributes
        for name in DeviceValueComparison.compared(fixture.entity.kind, isOn: fixture.state.value == "on", own, attributes) {
            if !DeviceValueComparison.isSame(own[name], attributes[name], named: name, within: tolerance) {
                note(key, "step \(number) \(name)", DeviceValueComparison.text(own[name]), DeviceValueComparison.text(attributes[name]))
            }
        }
    }

    /// The time of a step's messages, as an event's state.
    private func time(of mark: String) -> String {
        guard let number = Int(mark.dropFirst()), moments.indices.contains(number) else { return mark }
        return moments[number].formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    // MARK: Commands

    private mutating func sendCommand(_ command: DeviceTable.Command, _ number: Int) {
        let wanted = command.messages.map { "\($0.topic) \($0.payload ?? "")" }
        let told = commandMessages(command).map { "\($0.topic) \($0.payload)" }
        if told != wanted {
            note(command.entity, "command \(number) \(command.action.rawValue)", told.description, wanted.description)
        }
    }

    /// None for a command that the hub refuses: the entity is away, or does not support it.
    private func commandMessages(_ command: DeviceTable.Command) -> [CommandMessage] {
        guard let id = ids[command.entity], let fixture = roster[id], fixture.isOnline == true,
            fixture.entity.mapping.verbs.contains(command.action), let value = command.action.value.normalized(command.value)
        else { return [] }
        return fixture.entity.mapping.commandMessages(
            for: command.action, value: value, transition: nil, code: command.code, in: fixture.state) ?? []
    }
}
