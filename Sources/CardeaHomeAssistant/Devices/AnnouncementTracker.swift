import CardeaModel
import Foundation

/// The devices that were announced to the house, so that only changes are announced again.
struct AnnouncementTracker: Sendable {
    /// Devices as they were announced, by id.
    private(set) var devices: [String: Device] = [:]
    /// The device of each entity.
    private(set) var owners: [String: String] = [:]
    private var statuses: [String: DeviceStatus] = [:]

    struct Changes: Sendable {
        var announced: [Device] = []
        var withdrawn: [String] = []
        /// Devices that lose an entity to another one, without the entities that they gain.
        var left: [Device] = []
    }

    /// - Parameter known: devices of an earlier run, as the house has them.
    init(known: [Device] = []) {
        for device in known {
            devices[device.id] = device.descriptionOnly
            statuses[device.id] = device.status
            for entity in device.entities { owners[entity.id] = device.id }
        }
    }

    /// Returns the announcements needed to bring the house to `arranged`.
    ///
    /// - Parameter isComplete: false while Home Assistant is still starting. Nothing is withdrawn then.
    func changes(to arranged: [Device], isComplete: Bool) -> Changes {
        var changes = Changes()
        for device in arranged {
            var device = device.descriptionOnly
            if !isComplete, let known = devices[device.id] {
                let there = Set(device.entities.map(\.id))
                device.entities += known.entities.filter { !there.contains($0.id) }
                device.hubID = device.hubID ?? known.hubID
            }
            if devices[device.id] != device { changes.announced.append(device) }
        }
        let moved = Set(changes.announced.flatMap { device in device.entities.map(\.id).filter { (owners[$0] ?? device.id) != device.id } })
        changes.left = changes.announced.compactMap { device in
            let had = Set(devices[device.id]?.entities.map(\.id) ?? [])
            guard !had.isDisjoint(with: moved) else { return nil }
            var device = device
            device.entities.removeAll { !had.contains($0.id) }
            return device.entities.isEmpty ? nil : device
        }
        if isComplete {
            let stays = Set(arranged.map(\.id))
            changes.withdrawn = devices.keys.filter { !stays.contains($0) }.sorted()
        }
        return changes
    }

    /// Records that the house has accepted the device.
    mutating func recordAnnounced(_ device: Device) {
        for entity in devices[device.id]?.entities ?? [] { owners[entity.id] = nil }
        devices[device.id] = device
        for entity in device.entities { owners[entity.id] = device.id }
    }

    /// The house has let the device go.
    mutating func recordWithdrawn(_ deviceID: String) {
        for entity in devices.removeValue(forKey: deviceID)?.entities ?? [] where owners[entity.id] == deviceID { owners[entity.id] = nil }
        statuses[deviceID] = nil
    }

    /// Returns the devices whose status differs from the reported one, by `isAway` of their entities. A device is there as soon as one of
    /// them is. While Home Assistant is not connected, every status is unknown.
    mutating func changedStatuses(isConnected: Bool, isAway: (String) -> Bool) -> [DeviceStatus: [String]] {
        var changed: [DeviceStatus: [String]] = [:]
        for (id, device) in devices {
            let status: DeviceStatus = !isConnected ? .unknown : device.entities.contains { !isAway($0.id) } ? .online : .offline
            guard statuses[id] != status else { continue }
            statuses[id] = status
            changed[status, default: []].append(id)
        }
        return changed.mapValues { $0.sorted() }
    }

    /// The house could not store these statuses: they must be reported again.
    mutating func resendStatuses(of deviceIDs: [String]) {
        for id in deviceIDs { statuses[id] = nil }
    }
}

extension Device {
    /// Only what describes it: no state, no moment, no room or flag that a person may have changed.
    fileprivate var descriptionOnly: Device {
        Device(
            id: id, name: name, deviceClass: deviceClass, roomID: roomID, integration: integration, manufacturer: manufacturer,
            model: model,
            attributes: attributes.filter { [HomeAssistantMirror.keyAttribute, HomeAssistantMirror.entitiesAttribute].contains($0.key) },
            stateChangedAt: .distantPast, hubID: hubID,
            entities: entities.map { entity in
                var entity = entity
                entity.state = EntityState()
                entity.lastReport = nil
                return entity
            })
    }
}
