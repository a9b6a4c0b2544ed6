import CardeaHub
import CardeaModel

extension RealtimeBroadcaster {
    /// The events that a subscriber asked for; nil is everything.
    struct Filter: Hashable, Sendable {
        var kinds: Set<JournalEvent.Name>?
        var devices: Set<String>?
        var rooms: Set<String>?

        func matches(_ event: JournalEvent) -> Bool {
            if let kinds, !kinds.contains(event.name), !(event.name == .deviceUpdate && wantsBatches) { return false }
            switch event.fact {
            case .device(let device, _): return matches(device)
            case .deviceRemoved(let id): return devices?.contains(id) ?? true
            case .command(let command): return devices?.contains(command.deviceID) ?? true
            case .guest, .person, .personErased, .house, .scene, .integration, .phone, .event, .eventUpdated, .eventRemoved, .camera,
                .button,
                .tag,
                .maintenance,
                .mind:
                return true
            case .room(let id, _): return rooms?.contains(id) ?? true
            }
        }

        /// True only if batches are named: a subscriber to everything may be a reader that knows devices one by one.
        var wantsBatches: Bool { kinds?.contains(.batchDeviceUpdate) ?? false }

        func matches(_ device: Device) -> Bool {
            if let devices, !devices.contains(device.id) { return false }
            if let rooms, !(device.roomID.map(rooms.contains) ?? false) { return false }
            return true
        }

        /// The event for subscribers to a device's old room alone, after the device went to another room. Nil if it does not concern them.
        func removalEvent(_ event: JournalEvent) -> JournalEvent? {
            guard rooms != nil, case .device(let device, _) = event.fact, !matches(device) else { return nil }
            let gone = JournalEvent(seq: event.seq, at: event.at, fact: .deviceRemoved(id: device.id))
            return matches(gone) ? gone : nil
        }
    }

    /// The room of each device when it was last sent.
    struct RoomTracker: Sendable {
        private var rooms: [String: String?] = [:]

        /// The numbers of the events at which a device is in a different room than before. A device that was not sent yet may come from
        /// anywhere, so it counts too.
        mutating func moved(by events: [JournalEvent]) -> Set<Int64> {
            var moved: Set<Int64> = []
            for event in events {
                switch event.fact {
                case .device(let device, _):
                    if rooms.updateValue(device.roomID, forKey: device.id) != .some(device.roomID) { moved.insert(event.seq) }
                case .deviceRemoved(let id): rooms[id] = nil
                default: break
                }
            }
            return moved
        }
    }

    struct FilterError: Error {
        let message: String
    }

    static func filter(kinds: [String]?, devices: [String]?, rooms: [String]?) throws -> Filter {
        guard (kinds?.count ?? 0) <= 64, (devices?.count ?? 0) <= 1000, (rooms?.count ?? 0) <= 1000 else {
            throw FilterError(message: "A filter has at most 64 kinds, 1000 devices and 1000 rooms.")
        }
        // An unknown kind is not an error: a newer client may use an older hub.
        return Filter(
            kinds: kinds.map { Set($0.compactMap(JournalEvent.Name.init(rawValue:))) }, devices: devices.map { Set($0) },
            rooms: rooms.map { Set($0) })
    }
}
