import CardeaHub
import CardeaModel

extension HomeAssistantIntegration {
    /// Intervals and time limits.
    public struct Timing: Sendable {
        /// The time after its last message for which Home Assistant counts as responsive; after that it is checked before a command is
        /// sent.
        public var trustInterval: Duration
        /// The interval at which a silent connection is pinged.
        public var pingInterval: Duration
        /// The time limit for an answer to a ping, and for the first greeting.
        public var replyTimeout: Duration
        /// The polling interval while Home Assistant is starting.
        public var startupInterval: Duration
        /// The time for which a refused token is not tried again. Home Assistant notifies its owner of every wrong one.
        public var refusedTokenDelay: Duration

        public init(
            trust: Duration = .seconds(1), ping: Duration = .seconds(10), patience: Duration = .seconds(5),
            starting: Duration = .seconds(2),
            refusal: Duration = .seconds(600)
        ) {
            self.trustInterval = trust
            self.pingInterval = ping
            self.replyTimeout = patience
            self.startupInterval = starting
            self.refusedTokenDelay = refusal
        }
    }

    public func health() async -> IntegrationHealth {
        var health = currentHealth
        health.notices = mirror.foreignEntities.sorted().map {
            .init(entityID: $0, message: "Another integration already has this entity, so Home Assistant's is not shown.")
        }
        health.notices += announcementTracker.devices.values.flatMap(\.entities).compactMap { entity in
            entity.notice.map { .init(entityID: entity.id, message: $0) }
        }.sorted { $0.entityID ?? "" < $1.entityID ?? "" }
        health.notices += lastErrors.sorted { $0.key < $1.key }.map {
            .init(entityID: $0.key, message: "Home Assistant reported: \($0.value)")
        }
        var sentences = rejectedDevices.sorted { $0.key < $1.key }.map { "The device \($0.key) was not added: \($0.value)" }
        if session != nil, !mirror.isComplete { sentences.append("Home Assistant is still starting.") }
        if mirror.isFull {
            sentences.append("Home Assistant has more than \(HomeAssistantMirror.entityLimit) entities. The others are not shown.")
        }
        if overflows > 0 { sentences.append("Events were lost \(overflows) times because they came too fast. The states were read again.") }
        if lostReports > 0 { sentences.append("\(lostReports) reports of devices could not be stored. The states are read again.") }
        if settings.showsItsToken { sentences.append("The token is sent to Home Assistant unencrypted. Use https.") }
        health.notices += sentences.map { .init(entityID: nil, message: $0) }
        return health
    }
}
