import CardeaAPI
import CardeaModel

/// Automations as text.
struct AutomationText {
    /// Device names by device id.
    let names: [String: String]

    static func status(_ automation: AutomationAnswer) -> String {
        if automation.isOn { return "on" }
        return switch automation.offBecause.flatMap(Automation.OffReason.init) {
        case .ownerLeft: "off: its owner no longer lives here"
        case .personLeft: "off: the person in its trigger no longer lives here"
        case nil: "off"
        }
    }

    func triggers(_ automation: AutomationAnswer) -> String {
        automation.triggers.isEmpty ? "never" : automation.triggers.map(trigger).joined(separator: ", or ")
    }

    func actions(_ automation: AutomationAnswer) -> String { automation.actions.map(action).joined(separator: ", ") }

    func trigger(_ trigger: AutomationTrigger) -> String {
        switch trigger {
        case .state(let entity, let to, let seconds): "\(entity) is \(to)" + (seconds > 0 ? " for \(seconds) s" : "")
        case .number(let entity, .above(let bound)): "\(entity) rises above \(StateText.number(bound))"
        case .number(let entity, .below(let bound)): "\(entity) falls below \(StateText.number(bound))"
        case .presence(.lastLeaves): "the last person leaves"
        case .presence(.firstArrives): "the first person comes home"
        case .presence(.leaves(let person)): "\(person) leaves"
        case .presence(.arrives(let person)): "\(person) comes home"
        case .time(let at, let days): "\(at)" + (days.count == 7 ? "" : " on \(days.sorted.map(\.rawValue).joined(separator: ", "))")
        case .seen(let type, let camera): "\(type) is seen" + (camera.map { " by \($0)" } ?? "")
        case .refused(let device): "access is refused" + (device.map { " at \(name($0))" } ?? "")
        case .offline(let device): "\(name(device)) cannot be reached"
        }
    }

    func condition(_ condition: AutomationCondition) -> String {
        switch condition {
        case .state(let entity, let value): "\(entity) is \(value)"
        case .time(let from, let to): "it is between \(from) and \(to)"
        case .weekdays(let days): "it is \(days.sorted.map(\.rawValue).joined(separator: ", "))"
        case .home(let anybody): anybody ? "somebody is home" : "nobody is home"
        case .all(let parts): "(" + parts.map(self.condition).joined(separator: " and ") + ")"
        case .any(let parts): "(" + parts.map(self.condition).joined(separator: " or ") + ")"
        case .not(let part): "not (\(self.condition(part)))"
        case .independent(let parts): "two independent sources confirm (" + parts.map(self.condition).joined(separator: ", ") + ")"
        }
    }

    func action(_ action: AutomationAction) -> String {
        switch action {
        case .control(let asked):
            "\(name(asked.deviceID)) \(asked.verb.rawValue)" + (asked.value?.number.map { " \(StateText.number($0))" } ?? "")
        case .scene(let id): "runs \(id)"
        case .notify(let words, let to): "notifies \(to == .owner ? "its owner" : "everybody"): \(words)"
        }
    }

    /// "ran: Front door lock confirmed, told"; or the reason why it did not run.
    func run(_ run: AutomationRunAnswer) -> String {
        let what =
            switch AutomationRun.Result(rawValue: run.result) {
            case .ran: run.isDry ? "would run" : "ran"
            case .loop: "stopped: it triggered itself"
            case .tooOften: "paused: it ran too often"
            case .late: "too late; did nothing"
            case .notKnown: "did nothing: \(unknownEntities(run.unknownEntities ?? []))"
            case .tried: "test run"
            case nil: run.result
            }
        let outcomes = run.outcomes.map { outcome in
            let subject = [outcome.deviceID.map(name), outcome.action].compactMap(\.self).joined(separator: " ")
            let status = outcome.status == "would" ? "" : outcome.status + (outcome.reason.map { " (\($0))" } ?? "")
            return [subject.isEmpty ? outcome.type : subject, status].filter { !$0.isEmpty }.joined(separator: " ")
        }
        return outcomes.isEmpty ? what : "\(what): \(outcomes.joined(separator: ", "))"
    }

    /// The text for entities whose state was not known.
    private func unknownEntities(_ entities: [String]) -> String {
        guard !entities.isEmpty else { return "presence is unknown" }
        return "the state of \(entities.joined(separator: " and ")) is unknown"
    }

    private func name(_ device: String) -> String { names[device] ?? device }
}
