import CardeaModel
import Foundation

/// Counts what was done to one thing, from what was asked of it and what it then said.
///
/// At a door each asking that was confirmed is one doing, also one that found the door so already. A change within the answer time of such an
/// asking is the same doing. A change that no asking explains is a doing of its own: by hand, or by nobody known.
struct DeedReading {
    let deed: Deed
    let thing: Thing
    let gaps: [Gap]
    private(set) var doings: [DoneDeed] = []
    /// True while it stands so, as far as it has said.
    private var isDone: Bool?
    /// The time of its last word on how it stands.
    private var saidAt: Date?
    /// Askings that were confirmed, of which no change has come yet.
    private var waiting: [Happening] = []
    /// Askings of which nobody knows what came of them, and which no change within the answer time explains.
    private(set) var unclear: [Happening] = []
    /// The first of the doings that were not undone yet.
    private var firstStanding = 0
    /// The last doing, where nothing that was asked explains it.
    private var unexplained: Int?

    /// Seconds by which an asking may be told later than the change that it brought about: one that took long is told by its end.
    private static let slack: TimeInterval = 1

    /// - Parameter isDone: whether it stood so before all of it; nil where nobody knows.
    init(_ deed: Deed, to thing: Thing, isDone: Bool?, gaps: [Gap]) {
        (self.deed, self.thing, self.isDone, self.gaps) = (deed, thing, isDone, gaps)
    }

    private var countsEachAsking: Bool { deed.countsEachAsking(of: thing.entity) }

    /// - Parameter happenings: of this thing, oldest first.
    mutating func read(_ happenings: [Happening]) -> [DoneDeed] {
        for happening in happenings {
            settle(until: happening.at)
            switch happening.fact {
            case .asked(let verb, .confirmed, _) where deed.verbs.contains(verb): take(asking: happening)
            case .asked(let verb, .unknown, refusal: nil) where deed.verbs.contains(verb): unclear.append(happening)
            case .state(let value):
                guard let isDone = deed.isDone(value, thing.entity) else { continue }
                if isDone { take(done: happening) } else { take(undone: happening) }
                (self.isDone, saidAt) = (isDone, happening.at)
            default: continue
            }
        }
        settle(until: nil)
        return doings
    }

    private mutating func take(asking ask: Happening) {
        guard let place = unexplained, doings.indices.contains(place) else { return waiting.append(ask) }
        let last = doings[place]
        guard ask.at.timeIntervalSince(last.at) <= Self.slack, last.actor == nil || last.actor == ask.actor else {
            return waiting.append(ask)
        }
        var doing = doing(at: last.at, asked: ask, events: [ask.id] + last.events)
        doing.undoneAt = last.undoneAt
        doings[place] = doing
        unexplained = nil
    }

    private mutating func take(done happening: Happening) {
        guard isDone != true else {
            // It was asked for, and stood so already.
            if !countsEachAsking { waiting = [] }
            return
        }
        // It came about, whoever of them brought it about.
        unclear.removeAll { happening.at.timeIntervalSince($0.at) <= Doings.pairing }
        let ask = waiting.popLast()
        if countsEachAsking { countWaiting() }
        waiting = []
        if let ask {
            doings.append(doing(at: happening.at, asked: ask, events: [ask.id, happening.id], actor: happening.actor))
            unexplained = nil
        } else {
            var doing = DoneDeed(
                deed: deed, deviceID: thing.device.id, entityID: thing.entity.id, at: happening.at, actor: happening.actor,
                events: [happening.id])
            if happening.actor == nil { doing.notBefore = gap(at: happening.at)?.from }
            unexplained = doings.count
            doings.append(doing)
        }
    }

    private mutating func take(undone happening: Happening) {
        guard isDone != false else { return }
        if countsEachAsking { countWaiting() }
        // Nobody knows when it was undone while its device was away.
        if gap(at: happening.at) == nil {
            for place in firstStanding..<doings.count where doings[place].undoneAt == nil { doings[place].undoneAt = happening.at }
        }
        firstStanding = doings.count
    }

    /// Counts what no change came of. Elsewhere than at a door one that changed nothing is none.
    private mutating func settle(until moment: Date?) {
        func isOver(_ ask: Happening) -> Bool { moment.map { $0 > ask.at + Doings.pairing } ?? true }
        for ask in waiting where isOver(ask) && (countsEachAsking || deed.outcome == nil || isDone != true) {
            doings.append(doing(at: ask.at, asked: ask, events: [ask.id]))
        }
        waiting.removeAll(where: isOver)
    }

    private mutating func countWaiting() {
        for ask in waiting { doings.append(doing(at: ask.at, asked: ask, events: [ask.id])) }
        waiting = []
    }

    /// The gap in which a thing came to stand as it says for the first time after it.
    private func gap(at moment: Date) -> Gap? {
        gaps.last { gap in
            gap.from < moment && (gap.to.map { moment <= $0 + Gap.settling } ?? true) && (saidAt.map { $0 <= gap.from } ?? true)
        }
    }

    /// - Parameter actor: by whom the change is known to be, where the asking does not say.
    private func doing(at moment: Date, asked ask: Happening, events: [String], actor: String? = nil) -> DoneDeed {
        var doing = DoneDeed(
            deed: deed, deviceID: thing.device.id, entityID: thing.entity.id, at: moment, actor: ask.actor ?? actor, events: events)
        doing.isErased = doing.actor == nil
        return doing
    }
}

extension Deed {
    /// True where each confirmed asking is one, though it changed nothing: somebody who opens an open door has opened it.
    func countsEachAsking(of entity: Entity) -> Bool {
        switch self {
        case .open, .close, .lock, .unlock: entity.kind == .lock || entity.kind == .cover
        case .on, .off, .use, .set: false
        }
    }
}
