import CardeaHub
import CardeaModel

extension MQTTIntegration {
    /// The updates that the house could not store, for example because of a full disk.
    struct UndeliveredUpdates {
        /// As they were announced, by their ids.
        var devices: [String: Device] = [:]
        var withdrawn: Set<String> = []
        /// The number of state and availability reports that could not be stored.
        var reports = 0
        /// The sequence number of each device that is being announced or withdrawn.
        private var sequenceNumbers: [String: UInt64] = [:]
        private var lastSequenceNumber: UInt64 = 0

        mutating func begin(of deviceID: String) -> UInt64 {
            devices[deviceID] = nil
            withdrawn.remove(deviceID)
            lastSequenceNumber &+= 1
            sequenceNumbers[deviceID] = lastSequenceNumber
            return lastSequenceNumber
        }

        /// Returns true if this was the latest update of the device. An older one that ends after a newer one is ignored.
        mutating func end(_ turn: UInt64, of deviceID: String) -> Bool {
            guard sequenceNumbers[deviceID] == turn else { return false }
            sequenceNumbers[deviceID] = nil
            return true
        }

        var isEmpty: Bool { devices.isEmpty && withdrawn.isEmpty && reports == 0 }
    }

    /// Leaves the retained messages to another integration on the same broker.
    public func cleanUp(for next: (any RunningIntegration)?) async {
        if let next = next as? MQTTIntegration, next.settings.sharesBroker(with: settings) { return }
        if let discoveryPublisher, let connection { await discoveryPublisher.withdrawAll(on: connection) }
    }

    public func health() async -> IntegrationHealth {
        var health = currentHealth
        var notices = registry.notices.map { IntegrationHealth.Notice(entityID: $0.entityID, message: $0.message) }
        var sentences = refusals.sorted { $0.key < $1.key }.map(\.value)
        sentences += registry.problems.sorted { $0.key < $1.key }.map(\.value)
        sentences += await discoveryPublisher?.notices ?? []
        sentences += await frigateListener?.notices ?? []
        sentences += rejectedDevices.sorted { $0.key < $1.key }.filter { undelivered.devices[$0.key] == nil }.prefix(
            DiscoveryRegistry.problemLimit
        ).map {
            "The device \($0.key) was not added: \($0.value). Announce it under another name."
        }
        if registry.isFull {
            sentences.append("More than \(DiscoveryRegistry.entityLimit) entities are announced. The others are not shown.")
        }
        if oversized > 0 { sentences.append("\(oversized) messages over \(Self.payloadLimit / 1024) KiB were ignored.") }
        if dropped > 0 { sentences.append("\(dropped) messages were lost because they came too fast. The states were read again.") }
        if !undelivered.devices.isEmpty {
            let names = undelivered.devices.keys.sorted().prefix(DiscoveryRegistry.problemLimit).joined(separator: ", ")
            sentences.append("Not added yet, because the house could not write to its disk: \(names). The hub tries again.")
        }
        if undelivered.reports > 0 {
            sentences.append("\(undelivered.reports) reports of devices could not be stored yet. The hub tries again.")
        }
        if settings.showsItsPassword { sentences.append("The password is sent to the broker unencrypted. Use TLS.") }
        notices += sentences.map { IntegrationHealth.Notice(entityID: nil, message: $0) }
        health.notices = notices
        return health
    }
}
