import CardeaHub

extension MQTTIntegration {
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
        sentences += untaken.sorted { $0.key < $1.key }.prefix(Roster.problemLimit).map {
            "The house did not take the device \($0.key): \($0.value). Announced again under another name, it is taken."
        }
        if roster.isFull { sentences.append("More than \(Roster.entityLimit) entities are announced; the rest is not shown.") }
        if oversized > 0 { sentences.append("\(oversized) messages over \(Self.payloadLimit / 1024) KiB were not read.") }
        if dropped > 0 { sentences.append("\(dropped) messages came faster than they could be read; the states were read again.") }
        if lostReports > 0 { sentences.append("\(lostReports) reports of devices could not be kept yet; they are told again.") }
        if settings.showsItsPassword { sentences.append("The password goes to the broker unencrypted; TLS would hide it.") }
        notices += sentences.map { IntegrationHealth.Notice(entityID: nil, message: $0) }
        health.notices = notices
        return health
    }
}
