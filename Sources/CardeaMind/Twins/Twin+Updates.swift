import CardeaModel
import Foundation

extension Twin {
    /// The twin of a device of the house, with recent commands to it; a basic twin ignores those.
    ///
    /// - Parameter askings: the commands that the requester may see, the oldest first.
    public init(
        of device: Device, asked askings: [RecordedCommand], fidelity: TwinFidelity = .advanced, model: ThermalTwin? = nil, at now: Date
    ) {
        self.init(of: device, fidelity: fidelity, model: model, at: now)
        guard fidelity >= .advanced else { return }
        // A failed or expired command leaves the earlier desired state as it was.
        for asking in askings where asking.deviceID == device.id && ![.failed, .expired].contains(asking.status) {
            let until = asking.at.addingTimeInterval(Self.reportTimeout)
            request(asking.verb, value: asking.value, of: asking.entityID, by: asking.actor, at: asking.at, until: until)
            if asking.status == .confirmed { update(asking.event) }
        }
        // A command that was done and no longer matches has been overtaken.
        update(device, at: now)
        expire(at: now)
    }
}

/// Updates of a twin. Late reports change nothing: a report older than the present one is ignored.
extension Twin {
    /// Updates the twin from the present device.
    public mutating func update(_ device: Device, at now: Date) {
        guard device.id == deviceID, device.revision >= revision else { return }
        revision = device.revision
        name = device.name
        deviceClass = device.deviceClass
        // A planned device reports nothing, and is not out of sync.
        if !device.isPlanned { setStatus(to: device.status, at: now) }
        let stored = Set(device.entities.map(\.id))
        reported = reported.filter { stored.contains($0.key) }
        desired = desired.filter { stored.contains($0.key) }
        for entity in device.entities {
            let before = reported[entity.id].flatMap { $0.kind == entity.kind ? $0 : nil }
            // The state is not known: the last state and its time are kept.
            if entity.state.hasNoState {
                let at = entity.lastReport?.at ?? before?.at
                let last = entity.lastReport?.state ?? before.flatMap { $0.state.hasNoState ? $0.last : $0.at == nil ? nil : $0.state }
                reported[entity.id] = ReportedState(kind: entity.kind, state: entity.state, at: at, last: last)
                continue
            }
            // The report dates from when the house last heard from the device, which may be long ago for an offline one.
            let at = max(device.stateChangedAt, device.lastSeenAt ?? .distantPast)
            if let beforeAt = before?.at, at < beforeAt { continue }
            reported[entity.id] = ReportedState(kind: entity.kind, state: entity.state, at: at)
            reconcile(entity.id)
        }
    }

    /// Applies an event of the house. Events of other devices are ignored.
    public mutating func update(_ event: HouseEvent) {
        guard event.deviceID == deviceID else { return }
        switch event.fact {
        case .state(let word): applyReport(word, from: event.entityID, at: event.at)
        case .command(let verb, let status, let refusal):
            guard refusal == nil, let entityID = event.entityID else { return }
            applyCommandStatus(verb, status, on: entityID, by: event.actor, at: event.at)
        case .deviceStatus(let status): setStatus(to: status, at: event.at)
        case .sighting, .presence: break
        }
    }

    /// Records a command with its value, such as brightness or temperature, which an event does not contain.
    ///
    /// - Parameter until: the time after which it is no longer waited for; nil if it holds until replaced, as in a plan.
    public mutating func request(
        _ verb: Verb, value: JSONValue? = nil, of entityID: String, by actor: String? = nil, at now: Date, until: Date?
    ) {
        guard verb != .read, let kind = reported[entityID]?.kind else { return }
        let desiredState = TwinDesiredState(verb, value: value, since: now, until: until, actor: actor)
        if let waiting = desired[entityID]?.first(where: { desiredState.controlledProperty == $0.controlledProperty && now < $0.since }),
            !waiting.isReported
        {
            return
        }
        desired[entityID] = (desired[entityID] ?? []).filter { !$0.isReplaced(by: desiredState, on: kind) } + [desiredState]
        // A lamp that is already on fulfils the command to switch it on.
        reconcile(entityID, asksNews: false)
    }

    /// The device was removed from the house. Its pending commands are dropped.
    public mutating func withdraw(at now: Date) {
        counterpart = .withdrawn(at: now)
        desired = [:]
    }

    /// Drops commands that were not reported in time. Only the last report is known then.
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
        // An event has the state only. Attributes come from the device, and old ones decide nothing.
        reconcile(entityID, keys: ["state"])
    }

    private mutating func applyCommandStatus(_ verb: Verb, _ status: CommandStatus, on entityID: String, by actor: String?, at moment: Date)
    {
        switch status {
        case .accepted, .dispatching:
            // The same command, reported again as it proceeds.
            if desired[entityID]?.contains(where: { $0.verb == verb && !$0.isReported && !$0.isExpired(at: moment) }) == true { return }
            request(verb, of: entityID, by: actor, at: moment, until: moment.addingTimeInterval(Self.reportTimeout))
        case .confirmed:
            confirm(verb, on: entityID)
        case .failed, .expired:
            desired[entityID]?.removeAll { $0.verb == verb && !$0.isReported && $0.since <= moment }
            if desired[entityID]?.isEmpty == true { desired[entityID] = nil }
        case .unknown:
            // It was sent and may have been done. The device's next report decides; until then it is still desired.
            break
        }
    }

    /// Marks a command as done, since the device said so. The new state comes with its own report.
    private mutating func confirm(_ verb: Verb, on entityID: String) {
        guard let report = reported[entityID], var desiredStates = desired[entityID] else { return }
        for place in desiredStates.indices where desiredStates[place].verb == verb {
            desiredStates[place].isReported = true
        }
        // A command without a comparable state, such as a button press, is over when it is done.
        desiredStates.removeAll { $0.verb == verb && $0.expected(of: report.kind).isEmpty }
        desired[entityID] = desiredStates.isEmpty ? nil : desiredStates
    }

    /// Compares the commands to an entity with its present state.
    ///
    /// - Parameters:
    ///   - keys: the attributes just reported; nil for all.
    ///   - asksNews: true if a command that was reported as done and no longer matches has been overtaken, for instance by a person who
    ///     turned the knob.
    private mutating func reconcile(_ entityID: String, keys: Set<String>? = nil, asksNews: Bool = true) {
        // An unknown state has overtaken nothing.
        guard let report = reported[entityID], !report.state.hasNoState, let desiredStates = desired[entityID] else { return }
        let stored = desiredStates.compactMap { desiredState -> TwinDesiredState? in
            var told = Set(desiredState.expected(of: report.kind).keys)
            // A heating that is on reports its mode as its state.
            if report.kind == .climate, desiredState.verb == .on { told.insert("state") }
            guard !told.isEmpty, keys.map({ !told.isDisjoint(with: $0) }) ?? true else { return desiredState }
            var desiredState = desiredState
            let isSo =
                report.at != nil
                && CommandConfirmation.evaluate(desiredState.verb, value: desiredState.value, kind: report.kind, state: report.state)
                    == .confirmed
            if isSo {
                desiredState.isReported = true
            } else if desiredState.isReported, asksNews {
                return nil
            }
            return desiredState
        }
        desired[entityID] = stored.isEmpty ? nil : stored
    }
}

extension Twin {
    /// The states of an entity in the order of time, without repetitions.
    public static func history(of entityID: String, in events: [HouseEvent]) -> [TwinHistoryEntry] {
        let said = events.sorted { $0.at < $1.at }.compactMap { event -> TwinHistoryEntry? in
            guard event.entityID == entityID, case .state(let word) = event.fact else { return nil }
            return TwinHistoryEntry(at: event.at, state: word, number: Double(word).flatMap { $0.isFinite ? $0 : nil })
        }
        return said.enumerated().filter { $0.offset == 0 || said[$0.offset - 1].state != $0.element.state }.map(\.element)
    }
}
