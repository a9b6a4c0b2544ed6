import CardeaHub
import CardeaModel
import Foundation

/// One announced entity in the house.
struct TrackedEntity: Sendable {
    let id: String
    let deviceID: String
    let entity: AnnouncedEntity
    /// The last reported state.
    var state = EntityState()
    var availability: Availability
    /// Something came from it on this connection.
    var hasReceivedMessage = false
    /// True if it has reported its state since it was last unavailable.
    private var hasReportedState = false
    /// True if it came back and its retained messages must be read again.
    var needsRetainedMessage = false
    /// The topics with a message since it came back: retained messages there are older. Nil if it was not away.
    private var topicsHeardSinceReturn: Set<String>?
    /// Its own availability says that it is away, while its device is there.
    var isAway = false
    /// True if its values expire, and there is none yet or the last one has expired.
    var isExpired: Bool
    /// The end of its last value, where values of it end.
    var expiresAt: Date?
    /// The value to which its last one falls back, and when.
    var pendingReset: (at: Date, value: String)?

    /// True if a sensor's next report follows none: there was none yet, or the last message was empty.
    var isEmpty = true

    /// Nil while it is not known.
    var isOnline: Bool? {
        availability.sources.isEmpty && availability.isReadable ? (hasReceivedMessage ? true : nil) : availability.isOnline
    }

    init(id: String, deviceID: String, entity: AnnouncedEntity) {
        self.id = id
        self.deviceID = deviceID
        self.entity = entity
        availability = entity.availability
        isExpired = entity.expiresAfter != nil
    }

    /// True if it accepts commands and never reports its state.
    var isAssumed: Bool { entity.kind != .button && !entity.mapping.verbs.isEmpty && entity.mapping.stateTopics.isEmpty }

    /// The state as it is reported to the house; the state of an unavailable entity is unknown.
    var reportedState: EntityState { isAway || isExpired || !hasReportedState && state.isUnknown ? state.forgotten : state }

    /// The connection or its device was lost: the last reported state may be outdated.
    mutating func resetState() {
        state = entity.mapping.initialState
        entity.mapping.staticAttributes.apply(to: &state.attributes)
        (expiresAt, pendingReset) = (nil, nil)
        (hasReportedState, topicsHeardSinceReturn) = (false, nil)
    }

    /// True if its state is an event, or a word of a sensor that measures nothing: Zigbee2MQTT reports presses so, each ended by an empty
    /// message.
    var reportsPress: Bool {
        switch entity.kind {
        case .event: true
        case .sensor: isEmpty && entity.unit == nil && state.attributes["state_class"] == nil && state.value != "unknown"
        default: false
        }
    }

    /// Applies one message of its topics.
    ///
    /// - Returns: its device if the availability changed, and its state if the message contains one.
    mutating func receive(_ message: IncomingMessage, isFresh: Bool) -> (awayOrBack: String?, report: EntityReport?) {
        let wasOnline = isOnline
        hasReceivedMessage = true
        availability.receive(message)
        let isOnline = isOnline
        let awayOrBack = isOnline == wasOnline ? nil : deviceID
        if awayOrBack != nil {
            if isOnline == false { resetState() }
            needsRetainedMessage = wasOnline == false && isOnline == true
            if needsRetainedMessage { topicsHeardSinceReturn = [] }
        }
        if let topics = topicsHeardSinceReturn {
            if isFresh { topicsHeardSinceReturn?.insert(message.topic) } else if topics.contains(message.topic) { return (awayOrBack, nil) }
        }
        guard let new = entity.mapping.state(state, after: message) else { return (awayOrBack, nil) }
        state = new
        hasReportedState = true
        isExpired = false
        expiresAt = entity.expiresAfter.map { message.at.addingTimeInterval($0) }
        pendingReset = entity.mapping.delayedReset(of: new).map { (message.at.addingTimeInterval($0.seconds), $0.value) }
        let report = EntityReport(entityID: id, state: reportedState, isFresh: isFresh && !isAway, isPress: reportsPress)
        isEmpty = new.value == "unknown"
        return (awayOrBack, report)
    }

    /// Takes the time of its last value into account: false if nothing changes.
    mutating func expire(at now: Date) -> Bool {
        if let end = expiresAt, end <= now {
            (expiresAt, pendingReset) = (nil, nil)
            isExpired = true
            return true
        }
        guard let pendingReset, pendingReset.at <= now else { return false }
        self.pendingReset = nil
        state.value = pendingReset.value
        return true
    }
}
