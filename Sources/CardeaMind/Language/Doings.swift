import CardeaModel
import Foundation

/// What was done to things in a time, put together from what was asked of them and what they then said.
struct Doings: Sendable {
    let recollection: any Recollection
    let sight: Sight

    /// Seconds within which a state that follows an ask is what became of it.
    static let pairing: TimeInterval = 120
    /// More happenings than this are not one answer.
    static let most = 20_000

    /// Everything wanted, oldest first, and whether it is all of it.
    func all(_ wanted: HappeningFilter) async throws -> (happenings: [Happening], isWhole: Bool) {
        var wanted = wanted
        wanted.newestFirst = false
        wanted.limit = 1000
        var found: [Happening] = []
        var seen: Set<String> = []
        while true {
            let page = try await recollection.happenings(wanted, seenBy: sight)
            // The last moment is asked for again, since several things may have happened in it.
            let fresh = page.filter { seen.insert($0.id).inserted }
            found += fresh
            guard page.count >= 1000 else { return (found, true) }
            guard !fresh.isEmpty, found.count < Self.most, let last = page.last else { return (found, false) }
            wanted.from = last.at
        }
    }

    /// The latest of what happened that fits.
    func latest(_ wanted: HappeningFilter, _ fits: (Happening) -> Bool) async throws -> Happening? {
        var wanted = wanted
        wanted.newestFirst = true
        wanted.limit = 1000
        var seen: Set<String> = []
        while seen.count < Self.most {
            let page = try await recollection.happenings(wanted, seenBy: sight)
            let fresh = page.filter { seen.insert($0.id).inserted }
            if let found = fresh.first(where: fits) { return found }
            guard page.count >= 1000, !fresh.isEmpty, let last = page.last else { return nil }
            // The last moment is asked for again, since several things may have happened in it.
            wanted.to = last.at.addingTimeInterval(0.001)
        }
        return nil
    }

    /// How often and when `deed` was done to the things, oldest first.
    func done(_ deed: Deed, to things: [Thing], in period: Period?) async throws -> (doings: [DoneDeed], isWhole: Bool) {
        let entities = Set(things.map(\.entity.id))
        guard !entities.isEmpty else { return ([], true) }
        let wanted = HappeningFilter(
            devices: Set(things.map(\.device.id)), kinds: [.state, .asked], from: period?.from.map { $0 - Self.pairing },
            to: period.map { $0.to + Self.pairing })
        let (happenings, isWhole) = try await all(wanted)
        var doings: [DoneDeed] = []
        for thing in things {
            var before: Bool?
            if let from = wanted.from { before = try await state(of: thing, before: from).flatMap { deed.isDone($0, thing.entity) } }
            let own = happenings.filter {
                ($0.entityID ?? $0.deviceID) == thing.entity.id || ($0.entityID == nil && $0.deviceID == thing.device.id)
            }
            doings += done(deed, to: thing, own, before)
        }
        doings = doings.filter { period?.contains($0.at) ?? true }.sorted { ($0.at, $0.entityID) < ($1.at, $1.entityID) }
        return (doings, isWhole)
    }

    private func done(_ deed: Deed, to thing: Thing, _ happenings: [Happening], _ before: Bool?) -> [DoneDeed] {
        var doings: [DoneDeed] = []
        var before = before
        // Asked and confirmed, and not yet seen to have happened.
        var waiting: [Happening] = []
        func settle(until moment: Date?) {
            for ask in waiting where moment.map({ $0 > ask.at + Self.pairing }) ?? true {
                // A state that never came: what was confirmed is still a doing. One that changed nothing is none.
                if deed.outcome == nil || before != true { doings.append(doing(deed, thing, ask.at, ask.actor, [ask.id])) }
            }
            waiting.removeAll { ask in moment.map { $0 > ask.at + Self.pairing } ?? true }
        }
        for happening in happenings {
            settle(until: happening.at)
            switch happening.fact {
            case .asked(let verb, .confirmed, _) where deed.verbs.contains(verb): waiting.append(happening)
            case .state(let value):
                guard let isDone = deed.isDone(value, thing.entity) else { continue }
                defer { before = isDone }
                if isDone, before != true {
                    let ask = waiting.popLast()
                    waiting = []
                    doings.append(
                        doing(deed, thing, happening.at, ask?.actor ?? happening.actor, [ask?.id, happening.id].compactMap(\.self)))
                } else if !isDone, before != false, let last = doings.indices.last, doings[last].undoneAt == nil {
                    doings[last].undoneAt = happening.at
                } else if isDone {
                    // Asked for, and it stood so already.
                    waiting = []
                }
            default: continue
            }
        }
        settle(until: nil)
        return doings
    }

    private func doing(_ deed: Deed, _ thing: Thing, _ at: Date, _ actor: String?, _ events: [String]) -> DoneDeed {
        DoneDeed(deed: deed, deviceID: thing.device.id, entityID: thing.entity.id, at: at, actor: actor, events: events)
    }

    /// The last or first time it was done, by whom it may be; looked for in steps, so that a long memory is not read whole.
    func last(_ deed: Deed, to things: [Thing], in period: Period?, now: Date, isFirst: Bool, who: (DoneDeed) -> Bool) async throws
        -> DoneDeed?
    {
        if isFirst || period?.from != nil {
            let doings = try await done(deed, to: things, in: period).doings.filter(who)
            return isFirst ? doings.first : doings.last
        }
        var to = period?.to ?? now
        for days in [2.0, 14, 60, 200, 500] {
            let from = to - days * 86_400
            if let found = try await done(deed, to: things, in: Period(from: from, to: to, words: "")).doings.last(where: who) {
                return found
            }
            to = from
        }
        return nil
    }

    /// What an entity had said last before a moment.
    func state(of thing: Thing, before moment: Date) async throws -> String? { try await word(of: thing, before: moment)?.value }

    private func word(of thing: Thing, before moment: Date) async throws -> (value: String, id: String)? {
        let wanted = HappeningFilter(devices: [thing.device.id], entities: [thing.entity.id], kinds: [.state], to: moment, limit: 1)
        guard let said = try await recollection.happenings(wanted, seenBy: sight).first, case .state(let value) = said.fact else {
            return nil
        }
        return (value, said.id)
    }

    /// How a thing stood within a time.
    struct Stood {
        /// From when to when it stood as was asked.
        var stretches: [(Date, Date)] = []
        var events: [String] = []
        /// Whether anything of it is known at all.
        var isKnown: Bool
        /// Whether it is known to have stood otherwise, for however short.
        var isBroken = false
        /// Whether nothing of the time is unknown.
        var isWhole: Bool
    }

    /// From when to when a thing stood so, within a time; what was before anything is remembered counts as not known.
    func stretches(_ condition: Condition, of thing: Thing, from: Date, to: Date) async throws -> Stood {
        var since: Date?
        let before = try await word(of: thing, before: from)
        let stoodBefore = before.flatMap { condition.holds($0.value, thing.entity) }
        // As far back as anything is remembered is as far as is asked.
        var stood = Stood(isKnown: before != nil, isBroken: stoodBefore == false, isWhole: stoodBefore != nil || from == .distantPast)
        if stoodBefore == true { since = from }
        let wanted = HappeningFilter(devices: [thing.device.id], entities: [thing.entity.id], kinds: [.state], from: from, to: to)
        for happening in try await all(wanted).happenings {
            guard case .state(let value) = happening.fact else { continue }
            stood.isKnown = true
            let said = condition.holds(value, thing.entity)
            if said == nil { stood.isWhole = false }
            if said == false { stood.isBroken = true }
            let holds = said ?? false
            if holds, since == nil {
                since = happening.at
                stood.events.append(happening.id)
            } else if !holds, let start = since {
                stood.stretches.append((start, happening.at))
                stood.events.append(happening.id)
                since = nil
            }
        }
        if let since { stood.stretches.append((since, to)) }
        if !stood.isKnown { stood.isWhole = false }
        // Where nothing changed, it rests on what was said before.
        if stood.events.isEmpty { stood.events = [before?.id].compactMap(\.self) }
        return stood
    }
}
