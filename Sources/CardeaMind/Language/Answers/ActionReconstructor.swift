import CardeaModel
import Foundation

/// Counts what was done to one thing, from what was asked of it and what it then said.
///
/// At a door each asking that was confirmed is one doing, also one that found the door so already. A change within the answer time of such an
/// asking is the same doing. A change that no asking explains is a doing of its own: by hand, or by nobody known.
struct ActionReconstructor {
    let action: ActionKind
    let target: DeviceEntity
    let outages: [DeviceOutage]
    private(set) var actions: [ActionOccurrence] = []
    /// True while it stands so, as far as it has said.
    private var isDone: Bool?
    /// The time of its last word on how it stands.
    private var reportedAt: Date?
    /// Askings that were confirmed, of which no change has come yet.
    private var pendingCommands: [HouseEvent] = []
    /// Askings of which nobody knows what came of them, and which no change within the answer time explains.
    private(set) var unresolvedCommands: [HouseEvent] = []
    /// The first of the doings that were not undone yet.
    private var firstStandingIndex = 0
    /// The last doing, where nothing that was asked explains it.
    private var unexplainedIndex: Int?

    /// Seconds by which an asking may be told later than the change that it brought about: one that took long is told by its end.
    private static let reportingSlack: TimeInterval = 1

    /// - Parameter isDone: whether it stood so before all of it; nil where nobody knows.
    init(_ deed: ActionKind, to thing: DeviceEntity, isDone: Bool?, gaps: [DeviceOutage]) {
        (self.action, self.target, self.isDone, self.outages) = (deed, thing, isDone, gaps)
    }

    private var countsEachCommand: Bool { action.countsEachCommand(of: target.entity) }

    /// - Parameter happenings: of this thing, oldest first.
    mutating func reconstruct(_ happenings: [HouseEvent]) -> [ActionOccurrence] {
        for happening in happenings {
            settle(until: happening.at)
            switch happening.fact {
            case .command(let verb, .confirmed, _) where action.verbs.contains(verb): addCommand(asking: happening)
            case .command(let verb, .unknown, refusal: nil) where action.verbs.contains(verb): unresolvedCommands.append(happening)
            case .state(let value):
                guard let isDone = action.isDone(value, target.entity) else { continue }
                if isDone { addChange(done: happening) } else { addReversal(undone: happening) }
                (self.isDone, reportedAt) = (isDone, happening.at)
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

    private mutating func addChange(done happening: HouseEvent) {
        guard isDone != true else {
            // It was asked for, and stood so already.
            if !countsEachCommand { pendingCommands = [] }
            return
        }
        // It came about, whoever of them brought it about.
        unresolvedCommands.removeAll { happening.at.timeIntervalSince($0.at) <= ActionHistory.responseWindow }
        let ask = pendingCommands.popLast()
        if countsEachCommand { countPending() }
        pendingCommands = []
        if let ask {
            actions.append(occurrence(at: happening.at, asked: ask, events: [ask.id, happening.id], actor: happening.actor))
            unexplainedIndex = nil
        } else {
            var doing = ActionOccurrence(
                action: action, deviceID: target.device.id, entityID: target.entity.id, at: happening.at, actor: happening.actor,
                events: [happening.id])
            if happening.actor == nil { doing.notBefore = outage(at: happening.at)?.from }
            unexplainedIndex = actions.count
            actions.append(doing)
        }
    }

    private mutating func addReversal(undone happening: HouseEvent) {
        guard isDone != false else { return }
        if countsEachCommand { countPending() }
        // Nobody knows when it was undone while its device was away.
        if outage(at: happening.at) == nil {
            for place in firstStandingIndex..<actions.count where actions[place].undoneAt == nil { actions[place].undoneAt = happening.at }
        }
        firstStandingIndex = actions.count
    }

    /// Counts what no change came of. Elsewhere than at a door one that changed nothing is none.
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

    /// The gap in which a thing came to stand as it says for the first time after it.
    private func outage(at moment: Date) -> DeviceOutage? {
        outages.last { gap in
            gap.from < moment && (gap.to.map { moment <= $0 + DeviceOutage.settlingTime } ?? true)
                && (reportedAt.map { $0 <= gap.from } ?? true)
        }
    }

    /// - Parameter actor: by whom the change is known to be, where the asking does not say.
    private func occurrence(at moment: Date, asked ask: HouseEvent, events: [String], actor: String? = nil) -> ActionOccurrence {
        var doing = ActionOccurrence(
            action: action, deviceID: target.device.id, entityID: target.entity.id, at: moment, actor: ask.actor ?? actor, events: events)
        doing.isErased = doing.actor == nil
        return doing
    }
}

extension ActionKind {
    /// True where each confirmed asking is one, though it changed nothing: somebody who opens an open door has opened it.
    func countsEachCommand(of entity: Entity) -> Bool {
        switch self {
        case .open, .close, .lock, .unlock: entity.kind == .lock || entity.kind == .cover
        case .on, .off, .use, .set: false
        }
    }
}
