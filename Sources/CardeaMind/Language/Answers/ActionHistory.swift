import CardeaModel
import Foundation

/// Reconstructs the actions on devices in a period, from the commands and the state reports that followed.
struct ActionHistory: Sendable {
    let houseHistory: any HouseHistory
    let visibility: RequesterVisibility

    /// Seconds after a command within which a state report counts as its result.
    static let responseWindow: TimeInterval = 120
    /// A period with more events than this is not examined in full.
    static let eventLimit = 20_000

    /// All matching events, oldest first, and whether the list is complete.
    func all(_ wanted: HouseEventFilter) async throws -> (events: [HouseEvent], isWhole: Bool) {
        var wanted = wanted
        wanted.newestFirst = false
        wanted.limit = 1000
        var found: [HouseEvent] = []
        var seen: Set<String> = []
        while true {
            let page = try await houseHistory.events(wanted, seenBy: visibility)
            // The last moment is queried again, since it may have several events.
            let fresh = page.filter { seen.insert($0.id).inserted }
            found += fresh
            guard page.count >= 1000 else { return (found, true) }
            guard !fresh.isEmpty, found.count < Self.eventLimit, let last = page.last else { return (found, false) }
            wanted.from = last.at
        }
    }

    /// The latest matching event for which `fits` is true.
    func latest(_ wanted: HouseEventFilter, _ fits: (HouseEvent) -> Bool) async throws -> HouseEvent? {
        var wanted = wanted
        wanted.newestFirst = true
        wanted.limit = 1000
        var seen: Set<String> = []
        while seen.count < Self.eventLimit {
            let page = try await houseHistory.events(wanted, seenBy: visibility)
            let fresh = page.filter { seen.insert($0.id).inserted }
            if let found = fresh.first(where: fits) { return found }
            guard page.count >= 1000, !fresh.isEmpty, let last = page.last else { return nil }
            // The last moment is queried again, since it may have several events.
            wanted.to = last.at.addingTimeInterval(0.001)
        }
        return nil
    }

    struct Actions: Sendable {
        /// Oldest first.
        var actions: [ActionOccurrence] = []
        /// Commands whose outcome is unknown.
        var unresolvedCommands: [HouseEvent] = []
        /// False if there were more events than are examined.
        var isWhole = true
    }

    /// The actions of kind `deed` on these things in a period.
    func actions(_ actionKind: ActionKind, to targets: [DeviceEntity], in period: Period?) async throws -> Actions {
        let entities = Set(targets.map(\.entity.id))
        guard !entities.isEmpty else { return Actions() }
        let wanted = HouseEventFilter(
            devices: Set(targets.map(\.device.id)), kinds: [.state, .asked], from: period?.from.map { $0 - Self.responseWindow },
            to: period.map { $0.to + Self.responseWindow })
        let (events, isWhole) = try await all(wanted)
        let gaps = try await outages(of: Set(targets.map(\.device.id)), from: wanted.from, to: wanted.to)
        var done = Actions(isWhole: isWhole)
        for target in targets {
            var before: Bool?
            if let from = wanted.from {
                before = try await state(of: target, before: from).flatMap { actionKind.isDone($0, target.entity) }
            }
            let own = events.filter {
                ($0.entityID ?? $0.deviceID) == target.entity.id || ($0.entityID == nil && $0.deviceID == target.device.id)
            }
            var reading = ActionReconstructor(actionKind, to: target, isDone: before, gaps: gaps[target.device.id] ?? [])
            done.actions += reading.reconstruct(own)
            done.unresolvedCommands += reading.unresolvedCommands
        }
        func isWithin(_ moment: Date) -> Bool { period?.contains(moment) ?? true }
        done.actions = done.actions.filter { isWithin($0.at) }.sorted { ($0.at, $0.entityID) < ($1.at, $1.entityID) }
        // An event without an entity was read once for each entity.
        var known: Set<String> = []
        done.unresolvedCommands = done.unresolvedCommands.filter { isWithin($0.at) && known.insert($0.id).inserted }.sorted {
            $0.at < $1.at
        }
        return done
    }

    /// The last command before a moment whose outcome is unknown.
    func lastUnresolvedCommand(_ actionKind: ActionKind, to targets: [DeviceEntity], before moment: Date) async throws -> HouseEvent? {
        let wanted = HouseEventFilter(devices: Set(targets.map(\.device.id)), kinds: [.asked], to: moment)
        let entities = Set(targets.map(\.entity.id))
        return try await latest(wanted) { event in
            guard case .command(let verb, .unknown, refusal: nil) = event.fact, actionKind.verbs.contains(verb) else { return false }
            return event.entityID.map(entities.contains) ?? true
        }
    }

    /// Seconds before a period in which to look for the beginning of an outage that lasted into it.
    private static let outageLookback: TimeInterval = 30 * 86_400

    /// The outages of devices within a period, by device id. An outage ends when the device is in reach again, or reports anything. For a
    /// device that reports itself as away, no other report ends it.
    ///
    /// - Parameter shortest: shorter outages, in seconds, are left out.
    func outages(
        of devices: Set<String>, from: Date?, to: Date?, shortest: TimeInterval = DeviceOutage.minimumDuration
    ) async throws -> [String: [DeviceOutage]] {
        let wanted = HouseEventFilter(devices: devices, kinds: [.standing], from: from.map { $0 - Self.outageLookback }, to: to)
        var (lost, gaps): ([String: (at: Date, saysSo: Bool)], [String: [DeviceOutage]]) = ([:], [:])
        for event in try await all(wanted).events {
            guard let device = event.deviceID, case .deviceStatus(let status) = event.fact else { continue }
            let isLoss = status == .offline || status == .unknown
            guard let loss = lost[device] else {
                lost[device] = isLoss ? (at: event.at, saysSo: status == .offline) : nil
                continue
            }
            var end = isLoss ? nil : event.at
            if !loss.saysSo, event.at.timeIntervalSince(loss.at) >= DeviceOutage.minimumDuration {
                end = try await firstReport(of: device, after: loss.at, before: event.at) ?? end
            }
            guard let end else {
                // Lost again, it is still lost.
                lost[device] = (at: loss.at, saysSo: loss.saysSo || status == .offline)
                continue
            }
            gaps[device, default: []].append(DeviceOutage(from: loss.at, to: end))
            lost[device] = isLoss ? (at: event.at, saysSo: status == .offline) : nil
        }
        for (device, loss) in lost {
            let end = loss.saysSo ? nil : try await firstReport(of: device, after: loss.at, before: to)
            gaps[device, default: []].append(DeviceOutage(from: loss.at, to: end))
        }
        return gaps.mapValues { gaps in
            gaps.filter { gap in
                guard let end = gap.to else { return true }
                return end.timeIntervalSince(gap.from) >= shortest && from.map { end > $0 } ?? true
            }
        }.filter { !$0.value.isEmpty }
    }

    /// The time of a device's first report after it was lost; nil if there was none.
    private func firstReport(of device: String, after loss: Date, before moment: Date?) async throws -> Date? {
        let wanted = HouseEventFilter(
            devices: [device], kinds: [.state], from: loss.addingTimeInterval(0.001), to: moment, newestFirst: false, limit: 100)
        return try await houseHistory.events(wanted, seenBy: visibility).first { event in
            if case .state(let value) = event.fact { !["unknown", "unavailable", ""].contains(value) } else { false }
        }?.at
    }

    /// The last or first time that an action was done, by an actor that `who` accepts. Searches in steps, so that a long record is not read
    /// whole.
    func last(
        _ actionKind: ActionKind, to targets: [DeviceEntity], in period: Period?, now: Date, isFirst: Bool, who: (ActionOccurrence) -> Bool
    )
        async throws
        -> ActionOccurrence?
    {
        if isFirst || period?.from != nil {
            let doings = try await actions(actionKind, to: targets, in: period).actions.filter(who)
            return isFirst ? doings.first : doings.last
        }
        var to = period?.to ?? now
        for days in [2.0, 14, 60, 200, 500] {
            let from = to - days * 86_400
            if let found = try await actions(actionKind, to: targets, in: Period(from: from, to: to, words: "")).actions.last(where: who) {
                return found
            }
            to = from
        }
        return nil
    }

    /// The last state that an entity reported before a moment; nil if there is none.
    func state(of target: DeviceEntity, before moment: Date) async throws -> String? {
        try await lastReport(of: target, before: moment)?.value
    }

    private func lastReport(of target: DeviceEntity, before moment: Date) async throws -> (value: String, id: String)? {
        let wanted = HouseEventFilter(devices: [target.device.id], entities: [target.entity.id], kinds: [.state], to: moment, limit: 1)
        guard let said = try await houseHistory.events(wanted, seenBy: visibility).first, case .state(let value) = said.fact else {
            return nil
        }
        return (value, said.id)
    }

    /// The history of one state of a thing within a period.
    struct StateHistory {
        /// The intervals in which the condition was met.
        var intervals: [(Date, Date)] = []
        var events: [String] = []
        /// True if any of its states in the period is known.
        var isKnown: Bool
        /// True if it is known to have been in another state, however briefly.
        var isInterrupted = false
        /// True if its state is known for the whole period.
        var isWhole: Bool
    }

    /// One step in a thing's history: a report, or the beginning or end of an outage.
    private enum StateStep {
        case reported(String, id: String)
        case disconnected
        case reconnected
    }

    /// The intervals in which the state of a thing was unknown.
    ///
    /// The state is known again after an outage if it is known now. If it is not, the thing has not reported since its device was last
    /// lost, however briefly, so the last interval is open until it reports.
    private func unknownIntervals(_ target: DeviceEntity, from: Date) async throws -> [DeviceOutage] {
        let device = target.device.id
        let losses =
            try await outages(of: [device], from: from.addingTimeInterval(-Self.outageLookback), to: nil, shortest: 0)[device] ?? []
        var found = losses.filter { gap in
            guard let end = gap.to else { return true }
            return end > from && end.timeIntervalSince(gap.from) >= DeviceOutage.minimumDuration
        }
        if target.entity.lastReport != nil, let last = losses.last {
            if found.last == last { found.removeLast() }
            found.append(DeviceOutage(from: last.from))
        }
        return found
    }

    /// The intervals of a period in which a thing met the condition. The time before the oldest record and the time in which its device was
    /// out of reach count as unknown.
    func stateHistory(_ condition: DeviceCondition, of target: DeviceEntity, from: Date, to: Date) async throws -> StateHistory {
        let before = try await lastReport(of: target, before: from)
        let gaps = try await unknownIntervals(target, from: from).filter { $0.from < to }
        let wasAway = gaps.contains { $0.from <= from }
        var (value, isKnown) = (before?.value, !wasAway)
        func holds() -> Bool? { isKnown ? value.flatMap { condition.holds($0, target.entity) } : nil }
        // A question without a beginning goes back only as far as the record does.
        var stood = StateHistory(
            isKnown: holds() != nil, isInterrupted: holds() == false, isWhole: holds() != nil || from == .distantPast && !wasAway)
        if before != nil, !wasAway { stood.isKnown = true }
        var since = holds() == true ? from : nil
        let wanted = HouseEventFilter(devices: [target.device.id], entities: [target.entity.id], kinds: [.state], from: from, to: to)
        var steps: [(at: Date, step: StateStep)] = []
        for gap in gaps {
            if gap.from > from { steps.append((at: gap.from, step: .disconnected)) }
            if let end = gap.to, end < to { steps.append((at: end, step: .reconnected)) }
        }
        for event in try await all(wanted).events {
            if case .state(let said) = event.fact { steps.append((at: event.at, step: .reported(said, id: event.id))) }
        }
        let sorted = steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        for (at, step) in sorted.map(\.element) {
            var event: String?
            switch step {
            case .reported(let said, let id): (value, isKnown, event, stood.isKnown) = (said, true, id, true)
            case .disconnected: isKnown = false
            case .reconnected: isKnown = true
            }
            let now = holds()
            // The time before its first report was already counted as unknown at the beginning.
            if now == nil, value != nil || !isKnown { stood.isWhole = false }
            if now == false { stood.isInterrupted = true }
            if now != nil { stood.isKnown = true }
            if now == true, since == nil {
                since = at
                stood.events += [event].compactMap(\.self)
            } else if now != true, let start = since {
                stood.intervals.append((start, at))
                stood.events += [event].compactMap(\.self)
                since = nil
            }
        }
        if let since { stood.intervals.append((since, to)) }
        if !stood.isKnown { stood.isWhole = false }
        // If nothing changed, the last report before the period is the evidence.
        if stood.events.isEmpty { stood.events = [before?.id].compactMap(\.self) }
        return stood
    }
}
