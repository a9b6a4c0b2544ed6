import CardeaHub
import CardeaModel
import Foundation

/// The changes to report to the house and the broker.
extension DiscoveryRegistry {
    /// Returns the changes since the last call, in the order in which they must be reported.
    mutating func collectChanges(at now: Date) -> Changes {
        var changes = Changes()
        markDependentDevices()
        for deviceID in changedDevices.sorted() {
            if let device = devices[deviceID] {
                let described = description(of: deviceID, device.announced, device.entityIDs, at: now)
                hubs[deviceID] = described.hubID
                changes.announced.append(described)
                pendingAnnouncements[deviceID, default: 0] += 1
            } else {
                changes.withdrawn.append(deviceID)
                hubs[deviceID] = nil
                statuses[deviceID] = nil
            }
        }
        changedDevices = []
        guard topicsChanged else { return changes }
        topicsChanged = false
        let wanted = Set(listeners.keys)
        changes.subscribe = wanted.subtracting(subscribed).union(topicsToReread.intersection(wanted)).sorted()
        topicsToReread = []
        changes.unsubscribe = subscribed.subtracting(wanted).sorted()
        subscribed = wanted
        allocator.trim(to: Self.entityLimit * 4) { Set(trackedEntities.keys).union(devices.keys) }
        return changes
    }

    /// The announcement of a device was delivered to the house, or refused by it.
    mutating func acknowledge(_ deviceID: String) {
        guard let count = pendingAnnouncements[deviceID] else { return }
        pendingAnnouncements[deviceID] = count > 1 ? count - 1 : nil
    }

    /// The house does not know yet how this device is announced now.
    func isUnacknowledged(_ deviceID: String) -> Bool { changedDevices.contains(deviceID) || pendingAnnouncements[deviceID] != nil }

    /// Marks the devices to announce again because they are reached through a different device than was announced: it may come after them.
    private mutating func markDependentDevices() {
        guard !changedDevices.isEmpty else { return }
        for deviceID in changedDevices {
            if devices[deviceID] == nil { present.remove(deviceID) } else { present.insert(deviceID) }
        }
        for (deviceID, device) in devices where hubs[deviceID] != hub(of: deviceID, device.announced) { changedDevices.insert(deviceID) }
    }

    /// The device through which this one is reached; nil while the house does not have it.
    private func hub(of deviceID: String, _ device: AnnouncedDevice) -> String? {
        guard let via = device.viaDevice, let hub = allocator.deviceID(identifiedBy: via), hub != deviceID else { return nil }
        return present.contains(hub) ? hub : nil
    }

    /// The house knows the device only now; its status must be reported again.
    mutating func resendStatus(of deviceID: String) {
        statuses[deviceID] = nil
        devicesWithStatusChange.insert(deviceID)
    }

    /// Returns the devices whose status changed since the last call.
    mutating func changedStatuses(isConnected: Bool) -> [DeviceStatus: [String]] {
        var changed: [DeviceStatus: [String]] = [:]
        defer { devicesWithStatusChange = [] }
        for deviceID in devicesWithStatusChange {
            guard let device = devices[deviceID] else { continue }
            let status = isConnected ? status(of: device.entityIDs) : .unknown
            guard statuses[deviceID] != status else { continue }
            statuses[deviceID] = status
            changed[status, default: []].append(deviceID)
        }
        return changed.mapValues { $0.sorted() }
    }

    private func status(of entityIDs: [String]) -> DeviceStatus {
        let standings = entityIDs.compactMap { trackedEntities[$0]?.isOnline }
        if standings.contains(true) { return .online }
        return standings.contains(false) ? .offline : .unknown
    }

    private func description(of deviceID: String, _ device: AnnouncedDevice, _ entityIDs: [String], at now: Date) -> Device {
        let entities = entityIDs.compactMap { trackedEntities[$0] }.map(description)
        var attributes: [String: JSONValue] = [:]
        if let name = device.names.first { attributes[MQTTIntegration.identifierAttribute] = .string(name.legacyText) }
        attributes[MQTTIntegration.identifiersAttribute] = .array(allocator.names(of: deviceID).map(JSONValue.string))
        attributes[MQTTIntegration.entitiesAttribute] = .object(allocator.entityIDs(of: deviceID).mapValues(JSONValue.string))
        if let area = device.suggestedArea { attributes["suggested_area"] = .string(area) }
        if let version = device.softwareVersion { attributes["software_version"] = .string(version) }
        return Device(
            id: deviceID, name: device.name, deviceClass: DeviceClass(of: entities),
            integration: MQTTIntegration.name, manufacturer: device.manufacturer, model: device.model,
            attributes: attributes, stateChangedAt: now, discovery: "mqtt_discovery",
            hubID: hub(of: deviceID, device), entities: entities)
    }

    private func description(of fixture: TrackedEntity) -> Entity {
        Entity(
            id: fixture.id, uniqueID: fixture.entity.uniqueID, kind: fixture.entity.kind,
            name: fixture.entity.name ?? (devices[fixture.deviceID]?.announced ?? fixture.entity.device).name,
            deviceClass: fixture.entity.deviceClass,
            unit: fixture.entity.unit, icon: fixture.entity.icon, category: fixture.entity.category, isEnabled: fixture.entity.isEnabled,
            wiring: fixture.entity.commandFields, verbs: fixture.entity.mapping.verbs, state: fixture.reportedState,
            isAssumed: fixture.isAssumed, notice: fixture.entity.notice)
    }
}
