import CardeaMind
import CardeaModel
import Foundation

extension LabelledQuestion {
    /// The evidence that an answer may rest on: events of the right kinds about the subjects of the question, or their hourly readings.
    struct ExpectedEvidence: Sendable {
        /// Entities, devices and people, by their ids.
        let ids: Set<String>
        let kinds: Set<HouseEventFilter.Kind>
        /// True if there is something to cite, whatever the answer is.
        let hasEvidence: Bool

        /// No evidence: questions about the inventory of the house do not rest on events.
        static let nothing = ExpectedEvidence(ids: [], kinds: [], hasEvidence: false)

        /// States, present or past: the report of each.
        static func states(of ids: some Sequence<String>) -> ExpectedEvidence {
            ExpectedEvidence(ids: Set(ids), kinds: [.state], hasEvidence: true)
        }

        /// Reachability of each device.
        static func reachability(of ids: some Sequence<String>) -> ExpectedEvidence {
            ExpectedEvidence(ids: Set(ids), kinds: [.standing], hasEvidence: true)
        }

        /// Presence of people: their places, arrivals and departures.
        static func presence(of ids: some Sequence<String>) -> ExpectedEvidence {
            ExpectedEvidence(ids: Set(ids), kinds: [.presence], hasEvidence: true)
        }

        /// Actions: commands and the states that followed. An action that did not happen leaves nothing to cite.
        static func actions(to ids: some Sequence<String>) -> ExpectedEvidence {
            ExpectedEvidence(ids: Set(ids), kinds: [.state, .asked], hasEvidence: false)
        }

        /// A number that may not have been recorded.
        static func number(of ids: some Sequence<String>) -> ExpectedEvidence {
            ExpectedEvidence(ids: Set(ids), kinds: [.state], hasEvidence: false)
        }

        fileprivate var isNothing: Bool { kinds.isEmpty }

        fileprivate func covers(_ id: String, in house: RecordedHouse) -> Bool {
            guard id.hasPrefix("happening_") else {
                guard kinds.contains(.state) else { return false }
                return house.snapshot.devices.contains { device in
                    device.entities.contains { entity in
                        (ids.contains(device.id) || ids.contains(entity.id)) && id.hasPrefix("readings_\(entity.id)_")
                    }
                }
            }
            guard let happening = house.events.first(where: { $0.id == id }) else { return false }
            return kinds.contains(happening.fact.kind)
                && [happening.entityID, happening.deviceID, happening.actor].contains { $0.map(ids.contains) ?? false }
        }
    }

    /// The error in the evidence that a reply cites; nil if all of it concerns the subjects of the answer.
    func irrelevantEvidence(of reply: Reply, in house: RecordedHouse) -> String? {
        guard reply.confidence > 0 else { return nil }
        if let evidence {
            let others = reply.events.filter { !evidence.covers($0, in: house) }
            guard others.isEmpty else { return "cites \(others), which are not what was asked about" }
            if reply.events.isEmpty, !evidence.isNothing, evidence.hasEvidence || isSomething {
                return "cites nothing of what was asked about"
            }
        }
        let events = Set(reply.events)
        let cited = house.events.filter { events.contains($0.id) }
        switch expected {
        case .devices(let wanted):
            guard !wanted.isEmpty, !cited.isEmpty else { return nil }
            func isWanted(_ happening: HouseEvent) -> Bool { happening.deviceID.map(wanted.contains) ?? false }
            // Beside the requested evidence there is nothing else.
            let isRight = evidence == nil ? cited.allSatisfy(isWanted) : cited.contains(where: isWanted)
            return isRight ? nil : "cites \(cited.map(\.id)), and not of \(wanted)"
        case .people(let wanted):
            guard !wanted.isEmpty, !cited.isEmpty else { return nil }
            func isWanted(_ happening: HouseEvent) -> Bool {
                happening.fact.kind == .presence && (happening.actor.map(wanted.contains) ?? false)
            }
            let isRight = evidence == nil ? cited.allSatisfy(isWanted) : cited.contains(where: isWanted)
            return isRight ? nil : "cites \(cited.map(\.id)), and not of \(wanted)"
        default: return nil
        }
    }

    private var isSomething: Bool {
        switch expected {
        case .truth(let isSo): isSo
        case .count(let count): count > 0
        default: false
        }
    }
}
