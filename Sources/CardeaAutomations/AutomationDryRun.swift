import CardeaModel
import Foundation

/// A simulation of an automation over past events. It has no access to devices, so nothing is moved.
public struct AutomationDryRun: Sendable {
    public let from: Date
    public let to: Date
    /// The number of events and hourly readings that it is based on.
    public let evidenceCount: Int
    /// Oldest first.
    public let runs: [AutomationRun]

    /// The state at the beginning of the period.
    struct InitialState: Sendable {
        var states: [(entityID: String, value: String)] = []
        var presence: [(person: String, isHome: Bool)] = []
        var unreachable: Set<String> = []
        /// Devices whose state was not known.
        var unknownDevices: Set<String> = []
        var residents: Set<String>?
        /// Of entities, by their ids.
        var integrations: [String: String] = [:]
        /// Of devices, by their ids.
        var entities: [String: [String]] = [:]
    }

    /// A past event, in the order in which it happened.
    enum PastEvent: Sendable {
        case event(HouseEvent)
        case reading(entityID: String, value: Double, at: Date)

        var at: Date {
            switch self {
            case .event(let event): event.at
            case .reading(_, _, let at): at
            }
        }
    }

    /// - Parameter past: oldest first.
    init(of automation: Automation, from: Date, to: Date, zone: TimeZone, beginning: InitialState, past: [PastEvent]) {
        var subject = automation
        (subject.isOn, subject.changedAt) = (true, from)
        var engine = AutomationEvaluator(zone: zone, at: from, isReplay: true)
        engine.configure(in: zone, residents: beginning.residents, integrations: beginning.integrations, entities: beginning.entities)
        for state in beginning.states { engine.seed(entity: state.entityID, value: state.value, since: from) }
        for device in beginning.unknownDevices {
            for entity in beginning.entities[device] ?? [] { engine.reconcile(entity, value: "unknown", at: from) }
        }
        for home in beginning.presence { engine.seed(person: home.person, isHome: home.isHome) }
        for device in beginning.unreachable { engine.seed(device: device, isUnreachable: true) }
        engine.set([subject])
        var firings: [AutomationEvaluator.Activation] = []
        for one in past {
            switch one {
            case .event(let event): firings += engine.receive(event)
            case .reading(let entity, let value, let at): firings += engine.observe(entity, value: "\(value)", at: at)
            }
        }
        firings += engine.advance(to: to)
        (self.from, self.to, evidenceCount) = (from, to, past.count)
        let would = automation.actions.map { Self.outcome(of: $0, status: "would") }
        runs = firings.enumerated().map { place, firing in
            AutomationRun(
                id: "\(place + 1)", automationID: automation.id, at: firing.at, trigger: firing.trigger, event: firing.eventID,
                result: firing.verdict.result, isDry: true, outcomes: firing.verdict == .run ? would : [],
                unknown: firing.unknown)
        }
    }

    static func outcome(of action: AutomationAction, status: String, reason: String? = nil) -> AutomationRun.Outcome {
        switch action {
        case .control(let asked):
            .init(.control, deviceID: asked.deviceID, entityID: asked.entityID, verb: asked.verb, status: status, reason: reason)
        case .scene: .init(.scene, status: status, reason: reason)
        case .notify: .init(.notify, status: status, reason: reason)
        }
    }

    /// The values within an hour. Only its lowest and highest values are known, not their times, so each bound is crossed at most once.
    /// If the hour ended lower than it began, the highest value comes before the lowest: a fall through a bound is no rise through it.
    static func readings(of hour: HourlyReading, _ entityID: String) -> [PastEvent] {
        let (one, other) = hour.last < hour.first ? (hour.high, hour.low) : (hour.low, hour.high)
        return [(0, hour.first), (1200, one), (2400, other), (3599, hour.last)].map { seconds, value in
            .reading(entityID: entityID, value: value, at: hour.hour.addingTimeInterval(seconds))
        }
    }
}

extension AutomationEvaluator.Activation.Verdict {
    var result: AutomationRun.Result {
        switch self {
        case .run: .ran
        case .loop: .loop
        case .tooOften: .tooOften
        case .notKnown: .notKnown
        }
    }
}
