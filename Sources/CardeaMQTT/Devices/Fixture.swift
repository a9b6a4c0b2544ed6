import CardeaHub
import CardeaModel
import Foundation

/// One announced entity in the house.
struct Fixture: Sendable {
    let id: String
    let deviceID: String
    let entity: AnnouncedEntity
    /// As the entity last told it.
    var state = EntityState()
    var availability: Availability
    /// Something came from it on this connection.
    var wasHeard = false
    /// It has told its state since it was lost last.
    private var hasTold = false
    /// It came back, and what the broker keeps of it is to be heard again.
    var wantsHearing = false
    /// The topics on which it has spoken since it came back: what the broker keeps there is older. Nil where it did not go away.
    private var spokenOn: Set<String>?
    /// Its own availability says that it is away, while its device is there.
    var isAway = false
    /// Its values end, and it has told none yet or the last one's time is over.
    var isExpired: Bool
    /// The end of its last value, where values of it end.
    var expiresAt: Date?
    /// The value to which its last one falls back, and when.
    var relapse: (at: Date, value: String)?

    /// The next word of a sensor comes after nothing: it has told none yet, or the last message was empty.
    var isSilent = true

    /// Nil while it is not known.
    var isOnline: Bool? {
        availability.sources.isEmpty && availability.isReadable ? (wasHeard ? true : nil) : availability.isOnline
    }

    init(id: String, deviceID: String, entity: AnnouncedEntity) {
        self.id = id
        self.deviceID = deviceID
        self.entity = entity
        availability = entity.availability
        isExpired = entity.expiresAfter != nil
    }

    /// It does something, and never tells how it stands.
    var isAssumed: Bool { entity.kind != .button && !entity.wiring.verbs.isEmpty && entity.wiring.readings.isEmpty }

    /// The state as the house is told it: nobody knows how an entity stands that is away.
    var shown: EntityState { isAway || isExpired || !hasTold && state.isUnknown ? state.forgotten : state }

    /// The connection or its device was lost: whatever it told before, it may stand otherwise by now.
    mutating func forgetState() {
        state = entity.wiring.initialState
        entity.wiring.traits.apply(to: &state.attributes)
        (expiresAt, relapse) = (nil, nil)
        (hasTold, spokenOn) = (false, nil)
    }

    /// Its state is an event, or a word of a sensor that measures nothing: Zigbee2MQTT tells presses so, each ended by an empty message.
    var tellsPress: Bool {
        switch entity.kind {
        case .event: true
        case .sensor: isSilent && entity.unit == nil && state.attributes["state_class"] == nil && state.value != "unknown"
        default: false
        }
    }

    /// Takes in one message of its topics.
    ///
    /// - Returns: its device where the entity went away or came back, and its state where the message tells one.
    mutating func hear(_ heard: Heard, isFresh: Bool) -> (awayOrBack: String?, report: EntityReport?) {
        let wasOnline = isOnline
        wasHeard = true
        availability.hear(heard)
        let isOnline = isOnline
        let awayOrBack = isOnline == wasOnline ? nil : deviceID
        if awayOrBack != nil {
            if isOnline == false { forgetState() }
            wantsHearing = wasOnline == false && isOnline == true
            if wantsHearing { spokenOn = [] }
        }
        if let topics = spokenOn {
            if isFresh { spokenOn?.insert(heard.topic) } else if topics.contains(heard.topic) { return (awayOrBack, nil) }
        }
        guard let new = entity.wiring.state(state, after: heard) else { return (awayOrBack, nil) }
        state = new
        hasTold = true
        isExpired = false
        expiresAt = entity.expiresAfter.map { heard.at.addingTimeInterval($0) }
        relapse = entity.wiring.relapse(of: new).map { (heard.at.addingTimeInterval($0.seconds), $0.value) }
        let report = EntityReport(entityID: id, state: shown, isFresh: isFresh && !isAway, isPress: tellsPress)
        isSilent = new.value == "unknown"
        return (awayOrBack, report)
    }

    /// Takes the time of its last value into account: false where nothing changes.
    mutating func expire(at now: Date) -> Bool {
        if let end = expiresAt, end <= now {
            (expiresAt, relapse) = (nil, nil)
            isExpired = true
            return true
        }
        guard let relapse, relapse.at <= now else { return false }
        self.relapse = nil
        state.value = relapse.value
        return true
    }
}
