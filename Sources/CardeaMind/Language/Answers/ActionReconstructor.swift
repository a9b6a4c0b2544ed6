import CardeaModel
import Foundation

/// Reconstructs the actions on one thing from the commands to it and its reports.
///
/// For a door, each confirmed command is one action, even if the door was in that state already. A change within the response window of
/// such a command is the same action. A change that no command explains is an action of its own: by hand, or of unknown origin.
struct ActionReconstructor {
    let action: ActionKind
    let target: DeviceEntity
    let outages: [DeviceOutage]
    private(set) var actions: [ActionOccurrence] = []
    /// True while it is in the state that the action leads to, as far as it has reported.
    private var isDone: Bool?
    /// The time of its last state report.
    private var reportedAt: Date?
    /// Confirmed commands without a change so far.
    private var pendingCommands: [HouseEvent] = []
    /// Commands with an unknown outcome that no change within the response window explains.
    private(set) var unresolvedCommands: [HouseEvent] = []
    /// The index of the first action that has not been undone.
    private var firstStandingIndex = 0
    /// The index of the last action, if no command explains it.
    private var unexplainedIndex: Int?

    /// Seconds by which a command may be recorded after the change it caused: a slow command is recorded when it ends.
    private static let reportingSlack: TimeInterval = 1

    /// - Parameter isDone: whether it was in the state before all of this; nil if unknown.
    init(_ actionKind: ActionKind, to target: DeviceEntity, isDone: Bool?, gaps: [DeviceOutage]) {
        (self.action, self.target, self.isDone, self.outages) = (actionKind, target, isDone, gaps)
    }

    private var countsEachCommand: Bool { action.countsEachCommand(of: target.entity) }

    /// - Parameter events: the events of this thing, oldest first.
    mutating func reconstruct(_ events: [HouseEvent]) -> [ActionOccurrence] {
        for event in events {
            settle(until: event.at)
            switch event.fact {
            case .command(let verb, .confirmed, _) where action.verbs.contains(verb): addCommand(asking: event)
            case .command(let verb, .unknown, refusal: nil) where action.verbs.contains(verb): unresolvedCommands.append(event)
            case .state(let value):
                guard let isDone = action.isDone(value, target.entity) else { continue }
                if isDone { addChange(done: event) } else { addReversal(undone: event) }
                (self.isDone, reportedAt) = (isDone, event.at)
            default: continue
            }
        }
        settle(until: nil)
        return actions
    }

    private mutating func addCommand(asking ask: HouseEvent) {
        guard let place = unexplainedIndex, actions.indices.contains(place) else { return pendingCommands.append(ask) }
        let last = actions[place]
        guard ask.at.timeIntervalSince(last.at) <= Self.reportingSlack, last.actor == nil || last.actor == ask.actor else {
            return pendingCommands.append(ask)
        }
        var doing = occurrence(at: last.at, asked: ask, events: [ask.id] + last.events)
        doing.undoneAt = last.undoneAt
        actions[place] = doing
        unexplainedIndex = nil
    }

    private mutating func addChange(done event: HouseEvent) {
        guard isDone != true else {
            // A command to a thing that was in the state already.
            if !countsEachCommand { pendingCommands = [] }
            return
        }
        // The state was reached, whichever command caused it.
        unresolvedCommands.removeAll { event.at.timeIntervalSince($0.at) <= ActionHistory.responseWindow }
        let ask = pendingCommands.popLast()
        if countsEachCommand { countPending() }
        pendingCommands = []
        if let ask {
            actions.append(occurrence(at: event.at, asked: ask, events: [ask.id, event.id], actor: event.actor))
            unexplainedIndex = nil
        } else {
            var doing = ActionOccurrence(
                action: action, deviceID: target.device.id, entityID: target.entity.id, at: event.at, actor: event.actor,
                events: [event.id])
            if event.actor == nil { doing.notBefore = outage(at: event.at)?.from }
            unexplainedIndex = actions.count
            actions.append(doing)
        }
    }

    private mutating func addReversal(undone event: HouseEvent) {
        guard isDone != false else { return }
        if countsEachCommand { countPending() }
        // The time at which it was undone is unknown while its device was away.
        if outage(at: event.at) == nil {
            for place in firstStandingIndex..<actions.count where actions[place].undoneAt == nil { actions[place].undoneAt = event.at }
        }
        firstStandingIndex = actions.count
    }

    /// Counts commands without a change. Except on doors, a command that changed nothing is not an action.
    private mutating func settle(until moment: Date?) {
        func isOver(_ ask: HouseEvent) -> Bool { moment.map { $0 > ask.at + ActionHistory.responseWindow } ?? true }
        for ask in pendingCommands where isOver(ask) && (countsEachCommand || action.outcome == nil || isDone != true) {
            actions.append(occurrence(at: ask.at, asked: ask, events: [ask.id]))
        }
        pendingCommands.removeAll(where: isOver)
    }

    private mutating func countPending() {
        for ask in pendingCommands { actions.append(occurrence(at: ask.at, asked: ask, events: [ask.id])) }
        pendingCommands = []
    }

    /// The outage during which a thing reached the state that it reports first after it.
    private func outage(at moment: Date) -> DeviceOutage? {
        outages.last { gap in
            gap.from < moment && (gap.to.map { moment <= $0 + DeviceOutage.settlingTime } ?? true)
                && (reportedAt.map { $0 <= gap.from } ?? true)
        }
    }

    /// - Parameter actor: the actor of the change, if the command does not tell.
    private func occurrence(at moment: Date, asked ask: HouseEvent, events: [String], actor: String? = nil) -> ActionOccurrence {
        var doing = ActionOccurrence(
            action: action, deviceID: target.device.id, entityID: target.entity.id, at: moment, actor: ask.actor ?? actor, events: events)
        doing.isErased = doing.actor == nil
        return doing
    }
}

extension ActionKind {
    /// True if each confirmed command counts, even if it changed nothing: a person who opens an open door has opened it.
    func countsEachCommand(of entity: Entity) -> Bool {
        switch self {
        case .open, .close, .lock, .unlock: entity.kind == .lock || entity.kind == .cover
        case .on, .off, .use, .set: false
        }
    }
}
