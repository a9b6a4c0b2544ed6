import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// The house's changes, line by line: for output that is no interactive terminal, and for programs.
struct WatchLines {
    let output: Output
    let zone: TimeZone
    private var lastSummaries: [String: String] = [:]

    init(output: Output, zone: TimeZone) {
        self.output = output
        self.zone = zone
    }

    /// The lines for `event`.
    ///
    /// - Parameter wanted: the ids of devices to include; empty for all.
    mutating func receive(_ event: LiveEvent, only wanted: Set<String>) throws -> [String] {
        if output.isJSON { return try json(event, only: wanted).map { [String(decoding: try WireFormat.encode($0), as: UTF8.self)] } ?? [] }
        switch event {
        case .snapshot(let devices): return snapshot(devices.filter { isWanted($0.deviceID, wanted) })
        case .device(let device, _) where isWanted(device.deviceID, wanted):
            let words = summary(of: device)
            // The revision rose without a visible difference.
            guard lastSummaries.updateValue(words, forKey: device.deviceID) != words else { return [] }
            return [line("\(output.bold(device.name))  \(words)")]
        case .deviceRemoved(let id) where isWanted(id, wanted):
            lastSummaries[id] = nil
            return [line("\(output.bold(id))  was removed")]
        case .command(let command) where isWanted(command.deviceID, wanted):
            return [line(output.dim("\(command.deviceID)  \(command.action.rawValue): \(command.status.rawValue)"))]
        case .interrupted(_, let pause):
            return [line(output.dim("The house cannot be reached. Retrying in \(max(1, pause.components.seconds)) s."))]
        case .changed(let what) where wanted.isEmpty: return [line(output.dim(what.text))]
        case .integrationStatus(let name, let status) where wanted.isEmpty: return [line(output.dim("\(name) is \(status)."))]
        case .eventRecorded(let event) where wanted.isEmpty: return [line(event.text)]
        case .eventDescribed(let event) where wanted.isEmpty: return [line(output.dim(event.text))]
        case .questionAnswered(let query, let response) where wanted.isEmpty:
            return [line(output.dim("You asked: \(query)")), line(output.dim(response))]
        case .connected, .device, .deviceRemoved, .command, .changed, .integrationStatus, .eventRecorded, .eventDescribed,
            .questionAnswered, .eventRemoved, .other:
            return []
        }
    }

    private mutating func snapshot(_ devices: [DeviceAnswer]) -> [String] {
        // After a lost connection it lists the changes since.
        let isFirst = lastSummaries.isEmpty
        var lines: [String] = []
        for device in devices {
            let words = summary(of: device)
            guard lastSummaries.updateValue(words, forKey: device.deviceID) != words, !isFirst else { continue }
            lines.append(line("\(output.bold(device.name))  \(words)"))
        }
        for id in lastSummaries.keys.filter({ id in !devices.contains { $0.deviceID == id } }).sorted() {
            lastSummaries[id] = nil
            lines.append(line("\(output.bold(id))  was removed"))
        }
        guard isFirst else { return lines }
        let rows = devices.map { [$0.name, $0.room ?? "", summary(of: $0)] }
        return [Table("NAME", "ROOM", "STATE", rows: rows).text(output), ""]
    }

    private func summary(of device: DeviceAnswer) -> String {
        StateText.summary(of: device, HouseClock(zone: zone, now: Date()))
    }

    private func isWanted(_ id: String, _ wanted: Set<String>) -> Bool { wanted.isEmpty || wanted.contains(id) }

    private func line(_ text: String) -> String { "\(output.dim(HouseClock.seconds(Date(), in: zone)))  \(text)" }

    private func json(_ event: LiveEvent, only wanted: Set<String>) throws -> JSONValue? {
        func object(_ type: String, _ members: [String: JSONValue] = [:]) -> JSONValue {
            .object(members.merging(["type": .string(type)]) { _, type in type })
        }
        switch event {
        case .connected: return object("connected")
        case .interrupted: return object("interrupted")
        case .snapshot(let devices):
            return object("snapshot", ["devices": .array(try devices.filter { isWanted($0.deviceID, wanted) }.map { try $0.jsonValue })])
        case .device(let device, let said):
            guard isWanted(device.deviceID, wanted) else { return nil }
            return object("device", ["device": try device.jsonValue, "said": try said?.jsonValue ?? .null])
        case .deviceRemoved(let id): return isWanted(id, wanted) ? object("device_removed", ["device_id": .string(id)]) : nil
        case .command(let command): return isWanted(command.deviceID, wanted) ? object("command", ["command": try command.jsonValue]) : nil
        case .changed(let what): return wanted.isEmpty ? object("changed", members(of: what)) : nil
        case .integrationStatus(let name, let status):
            return wanted.isEmpty ? object("integration", ["name": .string(name), "status": .string(status)]) : nil
        case .eventRecorded(let event):
            return wanted.isEmpty
                ? object("event", ["event": try JSONDecoder().decode(JSONValue.self, from: WireFormat.encode(event))]) : nil
        case .eventDescribed(let event):
            return wanted.isEmpty
                ? object("event_update", ["event": try JSONDecoder().decode(JSONValue.self, from: WireFormat.encode(event))]) : nil
        case .questionAnswered(let query, let response):
            return wanted.isEmpty ? object("asked", ["query": .string(query), "response": .string(response)]) : nil
        case .eventRemoved(let id): return wanted.isEmpty ? object("event_removed", ["event_id": .string(id)]) : nil
        case .other(let change): return wanted.isEmpty ? object(change.name, change.members) : nil
        }
    }

    private func members(of what: LiveEvent.ResourceName) -> [String: JSONValue] {
        switch what {
        case .guest(let id): ["guest_id": .string(id)]
        case .person(let id): ["person_id": .string(id)]
        case .scene(let id, let removed): ["scene_id": .string(id), "removed": .bool(removed)]
        case .room(let id, let removed): ["room_id": .string(id), "removed": .bool(removed)]
        case .house: ["house": .bool(true)]
        case .phone(let id, let waits): ["phone_id": .string(id), "waits": .bool(waits)]
        case .button(let id, let removed): ["button_id": .string(id), "removed": .bool(removed)]
        case .tag(let id, let removed): ["tag_id": id.map { .string($0) } ?? .null, "removed": .bool(removed)]
        case .maintenance(let id, let removed): ["task_id": .string(id), "removed": .bool(removed)]
        case .memory(let id, let removed): ["memory_id": .string(id), "removed": .bool(removed)]
        case .interview(let id, let status, let phase):
            ["interview_id": .string(id), "status": .string(status), "current_phase": .string(phase)]
        case .twin(let id, let removed): ["twin_id": .string(id), "removed": .bool(removed)]
        case .automation(let id, let removed): ["automation_id": .string(id), "removed": .bool(removed)]
        case .mind: ["mind": .bool(true)]
        }
    }
}

extension EventSummary {
    /// The event as one line.
    var text: String {
        let text = description.replacingOccurrences(of: "\n", with: " ")
        return "\(cameraName)  \(smartDetectionType.rawValue)"
            + (text.isEmpty ? "" : isDescribedByMachine ? ": \(text) (described by a language model)" : ": \(text)")
    }
}

extension LiveEvent.ResourceName {
    /// The change of the resource, in a sentence.
    var text: String {
        switch self {
        case .guest: "A pass changed."
        case .person: "A resident changed."
        case .scene(_, let removed): removed ? "A scene was removed." : "A scene changed."
        case .room(_, let removed): removed ? "A room was removed." : "A room changed."
        case .house: "The house's settings changed."
        case .button(_, let removed): removed ? "A button was removed." : "A button changed."
        case .tag(nil, _): "The tag policy changed."
        case .tag(_, let removed): removed ? "A tag was removed." : "A tag changed."
        case .maintenance(_, let removed): removed ? "A task was removed." : "A task changed, was done or is due."
        case .memory(_, let removed): removed ? "A memory was removed." : "A memory changed."
        case .interview(_, let status, _): status == "completed" ? "Your interview has ended." : "Your interview continued."
        case .twin(_, let removed): removed ? "A twin was removed." : "A twin changed."
        case .automation(_, let removed): removed ? "An automation was removed." : "An automation changed."
        case .mind: "The mood of the house changed."
        case .phone(_, let waits): waits ? "A phone waits to be paired, or no longer waits." : "One of your phones changed."
        }
    }
}

extension HouseClock {
    /// `14:31:07`
    static func seconds(_ date: Date, in zone: TimeZone) -> String {
        date.formatted(
            Date.VerbatimFormatStyle(
                format: "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)",
                timeZone: zone, calendar: Calendar(identifier: .gregorian)))
    }
}

extension ChangeEvent {
    /// The data of an event from a newer hub, unchanged.
    fileprivate var members: [String: JSONValue] {
        if case .other(let data) = content { ["data": data] } else { [:] }
    }
}
