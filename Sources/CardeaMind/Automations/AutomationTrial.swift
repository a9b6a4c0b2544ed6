import CardeaModel
import Foundation

/// What an automation would have done over what was. It has no hands: whatever comes out, nothing is moved.
public struct AutomationTrial: Sendable {
    public let from: Date
    public let to: Date
    /// How many happenings and hours of readings it rests on.
    public let count: Int
    /// Oldest first.
    public let runs: [AutomationRun]

    /// How something stood when the time began.
    struct Beginning: Sendable {
        var states: [(entityID: String, value: String)] = []
        var homes: [(person: String, isHome: Bool)] = []
        var unreachable: Set<String> = []
        /// Devices of which it was not known how they stood.
        var away: Set<String> = []
        var residents: Set<String>?
        /// Of entities, by their ids.
        var integrations: [String: String] = [:]
        /// Of devices, by their ids.
        var entities: [String: [String]] = [:]
    }

    /// Something that was, in the order in which it was.
    enum Past: Sendable {
        case happening(Happening)
        case reading(entityID: String, value: Double, at: Date)

        var at: Date {
            switch self {
            case .happening(let happening): happening.at
            case .reading(_, _, let at): at
            }
        }
    }

    /// - Parameter past: oldest first.
    init(of automation: Automation, from: Date, to: Date, zone: TimeZone, beginning: Beginning, past: [Past]) {
        var subject = automation
        (subject.isOn, subject.changedAt) = (true, from)
        var engine = AutomationEngine(zone: zone, at: from, isReplay: true)
        engine.live(in: zone, residents: beginning.residents, integrations: beginning.integrations, entities: beginning.entities)
        for state in beginning.states { engine.know(entity: state.entityID, says: state.value, since: from) }
        for device in beginning.away {
            for entity in beginning.entities[device] ?? [] { engine.see(entity, says: "unknown", at: from) }
        }
        for home in beginning.homes { engine.know(person: home.person, isHome: home.isHome) }
        for device in beginning.unreachable { engine.know(device: device, isUnreachable: true) }
        engine.set([subject])
        var firings: [AutomationEngine.Firing] = []
        for one in past {
            switch one {
            case .happening(let happening): firings += engine.take(happening)
            case .reading(let entity, let value, let at): firings += engine.observe(entity, says: "\(value)", at: at)
            }
        }
        firings += engine.advance(to: to)
        (self.from, self.to, count) = (from, to, past.count)
        let would = automation.actions.map { Self.outcome(of: $0, status: "would") }
        runs = firings.enumerated().map { place, firing in
            AutomationRun(
                id: "\(place + 1)", automationID: automation.id, at: firing.at, trigger: firing.trigger, event: firing.happening,
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

    /// What is known of an hour is how low and how high it went, and not when: each bound is crossed at most once in it. Where it ended lower than
    /// it began, it was at its highest before it was at its lowest: a fall through a bound is no rise through it.
    static func past(of hour: HourlyReading, _ entityID: String) -> [Past] {
        let (one, other) = hour.last < hour.first ? (hour.high, hour.low) : (hour.low, hour.high)
        return [(0, hour.first), (1200, one), (2400, other), (3599, hour.last)].map { seconds, value in
            .reading(entityID: entityID, value: value, at: hour.hour.addingTimeInterval(seconds))
        }
    }
}

extension AutomationEngine.Firing.Verdict {
    var result: AutomationRun.Result {
        switch self {
        case .run: .ran
        case .loop: .loop
        case .tooOften: .tooOften
        case .notKnown: .notKnown
        }
    }
}
