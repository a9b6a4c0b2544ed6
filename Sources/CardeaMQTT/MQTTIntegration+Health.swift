import CardeaHub
import CardeaModel

extension MQTTIntegration {
    /// What the house could not keep, as on a full disk.
    struct Owed {
        /// As they were announced, by their ids.
        var devices: [String: Device] = [:]
        var withdrawn: Set<String> = []
        /// What devices said, and whether they are there.
        var reports = 0
        /// Which of the devices that are just being announced or withdrawn is at which turn.
        private var turns: [String: UInt64] = [:]
        private var count: UInt64 = 0

        mutating func begin(of deviceID: String) -> UInt64 {
            devices[deviceID] = nil
            withdrawn.remove(deviceID)
            count &+= 1
            turns[deviceID] = count
            return count
        }

        /// Whether it was the latest word of this device: an older one that comes to its end after a newer one owes nothing.
        mutating func end(_ turn: UInt64, of deviceID: String) -> Bool {
            guard turns[deviceID] == turn else { return false }
            turns[deviceID] = nil
            return true
        }

        var isEmpty: Bool { devices.isEmpty && withdrawn.isEmpty && reports == 0 }
    }

    /// Another one on the same broker finds what is kept there, and looks after it.
    public func takeLeave(for next: (any RunningIntegration)?) async {
        if let next = next as? MQTTIntegration, next.settings.sharesBroker(with: settings) { return }
        if let announcer, let connection { await announcer.leave(on: connection) }
    }

    public func health() async -> IntegrationHealth {
        var health = standing
        var notices = roster.notices.map { IntegrationHealth.Notice(entityID: $0.entityID, message: $0.message) }
        var sentences = refusals.sorted { $0.key < $1.key }.map(\.value)
        sentences += roster.problems.sorted { $0.key < $1.key }.map(\.value)
        sentences += await announcer?.notices ?? []
        sentences += await frigate?.notices ?? []
        sentences += untaken.sorted { $0.key < $1.key }.filter { owed.devices[$0.key] == nil }.prefix(Roster.problemLimit).map {
            "The house did not take the device \($0.key): \($0.value). Announced again under another name, it is taken."
        }
        if roster.isFull { sentences.append("More than \(Roster.entityLimit) entities are announced; the rest is not shown.") }
        if oversized > 0 { sentences.append("\(oversized) messages over \(Self.payloadLimit / 1024) KiB were not read.") }
        if dropped > 0 { sentences.append("\(dropped) messages came faster than they could be read; the states were read again.") }
        if !owed.devices.isEmpty {
            let names = owed.devices.keys.sorted().prefix(Roster.problemLimit).joined(separator: ", ")
            sentences.append("Not taken in yet, since the house could write nothing down; announced to it again: \(names).")
        }
        if owed.reports > 0 { sentences.append("\(owed.reports) reports of devices could not be kept yet; they are told again.") }
        if settings.showsItsPassword { sentences.append("The password goes to the broker unencrypted; TLS would hide it.") }
        notices += sentences.map { IntegrationHealth.Notice(entityID: nil, message: $0) }
        health.notices = notices
        return health
    }
}
