import CardeaModel
import Foundation

extension Twin {
    /// The twin of a device of the house, with what was asked of it lately; a basic one does not look at that.
    ///
    /// - Parameter askings: the oldest first, and only such as may be told.
    public init(
        of device: Device, asked askings: [RecordedCommand], fidelity: TwinFidelity = .advanced, model: ThermalTwin? = nil, at now: Date
    ) {
        self.init(of: device, fidelity: fidelity, model: model, at: now)
        guard fidelity >= .advanced else { return }
        // What came to nothing leaves what was wanted before as it was.
        for asking in askings where asking.deviceID == device.id && ![.failed, .expired].contains(asking.status) {
            let until = asking.at.addingTimeInterval(Self.reportTimeout)
            request(asking.verb, value: asking.value, of: asking.entityID, by: asking.actor, at: asking.at, until: until)
            if asking.status == .confirmed { update(asking.event) }
        }
        // What was done once and is otherwise now has been overtaken.
        update(device, at: now)
        expire(at: now)
    }
}

/// What moves a twin. Late news changes nothing: a report older than the one that is kept is passed over.
extension Twin {
    /// The device as the house has it now.
    public mutating func update(_ device: Device, at now: Date) {
        guard device.id == deviceID, device.revision >= revision else { return }
        revision = device.revision
        name = device.name
        deviceClass = device.deviceClass
        // What is only planned says nothing, and is not out of step with anything.
        if !device.isPlanned { setStatus(to: device.status, at: now) }
        let kept = Set(device.entities.map(\.id))
        reported = reported.filter { kept.contains($0.key) }
        desired = desired.filter { kept.contains($0.key) }
        for entity in device.entities {
            let before = reported[entity.id].flatMap { $0.kind == entity.kind ? $0 : nil }
            // Nobody knows how it stands: when it last said something, and what, is kept.
            if entity.state.hasNoState {
                let at = entity.lastReport?.at ?? before?.at
                let last = entity.lastReport?.state ?? before.flatMap { $0.state.hasNoState ? $0.last : $0.at == nil ? nil : $0.state }
                reported[entity.id] = ReportedState(kind: entity.kind, state: entity.state, at: at, last: last)
                continue
            }
            // What it says it said when the house last heard of it, which may be long ago for one that is out of reach.
            let at = max(device.stateChangedAt, device.lastSeenAt ?? .distantPast)
            if let beforeAt = before?.at, at < beforeAt { continue }
            reported[entity.id] = ReportedState(kind: entity.kind, state: entity.state, at: at)
            reconcile(entity.id)
        }
    }

    /// Something that happened in the house. What is another device's is passed over.
    public mutating func update(_ happening: HouseEvent) {
        guard happening.deviceID == deviceID else { return }
        switch happening.fact {
        case .state(let word): applyReport(word, from: happening.entityID, at: happening.at)
        case .command(let verb, let status, let refusal):
            guard refusal == nil, let entityID = happening.entityID else { return }
            applyCommandStatus(verb, status, on: entityID, by: happening.actor, at: happening.at)
        case .deviceStatus(let status): setStatus(to: status, at: happening.at)
        case .sighting, .presence: break
        }
    }

    /// Somebody asks for something, with what a happening does not tell: how bright, how warm.
    ///
    /// - Parameter until: when nobody waits for it any more; nil for a wish that stands until another, as a plan's does.
    public mutating func request(
        _ verb: Verb, value: JSONValue? = nil, of entityID: String, by actor: String? = nil, at now: Date, until: Date?
    ) {
        guard verb != .read, let kind = reported[entityID]?.kind else { return }
        let wish = TwinDesiredState(verb, value: value, since: now, until: until, actor: actor)
        if let waiting = desired[entityID]?.first(where: { wish.controlledProperty == $0.controlledProperty && now < $0.since }),
            !waiting.isReported
        {
            return
        }
        desired[entityID] = (desired[entityID] ?? []).filter { !$0.isReplaced(by: wish, on: kind) } + [wish]
        // Asked of a lamp that is on already, it is so.
        reconcile(entityID, asksNews: false)
    }

    /// It was taken out of the house. Nobody waits for anything it was asked.
    public mutating func withdraw(at now: Date) {
        counterpart = .withdrawn(at: now)
        desired = [:]
    }

    /// Forgets what was asked and not reported in its time: what it last said is all that is known again.
    public mutating func expire(at now: Date) {
        desired = desired.mapValues { $0.filter { !$0.isExpired(at: now) } }.filter { !$0.value.isEmpty }
    }

    // MARK: Reports

    private mutating func setStatus(to status: DeviceStatus, at now: Date) {
        switch counterpart {
        case .device(status, _): break
        case .device(_, let since) where now < since: break
        case .device, .planned, .withdrawn: counterpart = .device(status, since: now)
        }
    }

    private mutating func applyReport(_ word: String, from entityID: String?, at moment: Date) {
        guard let entityID, var report = reported[entityID], report.at.map({ $0 <= moment }) ?? true else { return }
        let isKnown = !EntityState(word).hasNoState
        if isKnown {
            (report.last, report.at) = (nil, moment)
        } else if report.at != nil, !report.state.hasNoState {
            report.last = report.state
        }
        report.state.value = word
        reported[entityID] = report
        // A happening tells the word alone: attributes are the device's to tell, and settle nothing by being old.
        reconcile(entityID, keys: ["state"])
    }

    private mutating func applyCommandStatus(_ verb: Verb, _ status: CommandStatus, on entityID: String, by actor: String?, at moment: Date)
    {
        switch status {
        case .accepted, .dispatching:
            // The same asking, told again as it moves on.
            if desired[entityID]?.contains(where: { $0.verb == verb && !$0.isReported && !$0.isExpired(at: moment) }) == true { return }
            request(verb, of: entityID, by: actor, at: moment, until: moment.addingTimeInterval(Self.reportTimeout))
        case .confirmed:
            confirm(verb, on: entityID)
        case .failed, .expired:
            desired[entityID]?.removeAll { $0.verb == verb && !$0.isReported && $0.since <= moment }
            if desired[entityID]?.isEmpty == true { desired[entityID] = nil }
        case .unknown:
            // Sent, and it may have happened: what the device says next decides, and until then it is still wanted.
            break
        }
    }

    /// The device has said that it is done; how it is now, its own report tells.
    private mutating func confirm(_ verb: Verb, on entityID: String) {
        guard let report = reported[entityID], var wishes = desired[entityID] else { return }
        for place in wishes.indices where wishes[place].verb == verb {
            wishes[place].isReported = true
        }
        // What cannot be compared with anything, such as a press, is over when it is done.
        wishes.removeAll { $0.verb == verb && $0.expected(of: report.kind).isEmpty }
        desired[entityID] = wishes.isEmpty ? nil : wishes
    }

    /// Looks at what was asked of an entity in the light of what it now says.
    ///
    /// - Parameters:
    ///   - keys: those it has just told of; nil for all.
    ///   - asksNews: whether what was reported once and is otherwise now has been overtaken: somebody turned the knob.
    private mutating func reconcile(_ entityID: String, keys: Set<String>? = nil, asksNews: Bool = true) {
        // What is not known has overtaken nothing.
        guard let report = reported[entityID], !report.state.hasNoState, let wishes = desired[entityID] else { return }
        let kept = wishes.compactMap { wish -> TwinDesiredState? in
            var told = Set(wish.expected(of: report.kind).keys)
            // A heating that is on calls itself by what it does.
            if report.kind == .climate, wish.verb == .on { told.insert("state") }
            guard !told.isEmpty, keys.map({ !told.isDisjoint(with: $0) }) ?? true else { return wish }
            var wish = wish
            let isSo =
                report.at != nil
                && CommandConfirmation.evaluate(wish.verb, value: wish.value, kind: report.kind, state: report.state) == .confirmed
            if isSo {
                wish.isReported = true
            } else if wish.isReported, asksNews {
                return nil
            }
            return wish
        }
        desired[entityID] = kept.isEmpty ? nil : kept
    }
}

/// A value of an entity's history, for a plot.
public struct TwinHistoryEntry: Hashable, Sendable {
    public let at: Date
    /// What it said.
    public let state: String
    /// The word as a number, where it is one.
    public let number: Double?
}

extension Twin {
    /// What an entity said, in the order of time, without saying the same twice.
    public static func history(of entityID: String, in happenings: [HouseEvent]) -> [TwinHistoryEntry] {
        let said = happenings.sorted { $0.at < $1.at }.compactMap { happening -> TwinHistoryEntry? in
            guard happening.entityID == entityID, case .state(let word) = happening.fact else { return nil }
            return TwinHistoryEntry(at: happening.at, state: word, number: Double(word).flatMap { $0.isFinite ? $0 : nil })
        }
        return said.enumerated().filter { $0.offset == 0 || said[$0.offset - 1].state != $0.element.state }.map(\.element)
    }
}
