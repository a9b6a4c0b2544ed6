import CardeaMind
import CardeaModel
import Foundation

extension Labelled {
    /// What an answer may rest on: what happened to what was asked about, of the kind that was asked for, or hours that it measured.
    struct About: Sendable {
        /// Entities, devices and people, by their ids.
        let ids: Set<String>
        let kinds: Set<HappeningFilter.Kind>
        /// Whether there is something to cite, whichever the answer is.
        let isThere: Bool

        /// What there is in the house is no matter of what happened.
        static let nothing = About(ids: [], kinds: [], isThere: false)

        /// How things stand, or stood: what each of them said.
        static func standing(of ids: some Sequence<String>) -> About { About(ids: Set(ids), kinds: [.state], isThere: true) }

        /// Whether each can be reached.
        static func reach(of ids: some Sequence<String>) -> About { About(ids: Set(ids), kinds: [.standing], isThere: true) }

        /// Where people are, and when they came and went.
        static func presence(of ids: some Sequence<String>) -> About { About(ids: Set(ids), kinds: [.presence], isThere: true) }

        /// What was done: what was asked for, and what then was so. What was not done leaves nothing to cite.
        static func doing(to ids: some Sequence<String>) -> About { About(ids: Set(ids), kinds: [.state, .asked], isThere: false) }

        /// What a number is that nobody may have written down.
        static func number(of ids: some Sequence<String>) -> About { About(ids: Set(ids), kinds: [.state], isThere: false) }

        fileprivate var isNothing: Bool { kinds.isEmpty }

        fileprivate func covers(_ id: String, in house: RecordedHouse) -> Bool {
            guard id.hasPrefix("happening_") else {
                guard kinds.contains(.state) else { return false }
                return house.picture.devices.contains { device in
                    device.entities.contains { entity in
                        (ids.contains(device.id) || ids.contains(entity.id)) && id.hasPrefix("readings_\(entity.id)_")
                    }
                }
            }
            guard let happening = house.happenings.first(where: { $0.id == id }) else { return false }
            return kinds.contains(happening.fact.kind)
                && [happening.entityID, happening.deviceID, happening.actor].contains { $0.map(ids.contains) ?? false }
        }
    }

    /// What an answer rests on and should not; nil where all of it is of the things, or of whom, it tells of.
    func irrelevance(of reply: Reply, in house: RecordedHouse) -> String? {
        guard reply.confidence > 0 else { return nil }
        if let about {
            let others = reply.events.filter { !about.covers($0, in: house) }
            guard others.isEmpty else { return "cites \(others), which are not what was asked about" }
            if reply.events.isEmpty, !about.isNothing, about.isThere || isSomething { return "cites nothing of what was asked about" }
        }
        let events = Set(reply.events)
        let cited = house.happenings.filter { events.contains($0.id) }
        switch expected {
        case .devices(let wanted):
            guard !wanted.isEmpty, !cited.isEmpty else { return nil }
            func isWanted(_ happening: Happening) -> Bool { happening.deviceID.map(wanted.contains) ?? false }
            // Beside what was asked about there is nothing but these.
            let isRight = about == nil ? cited.allSatisfy(isWanted) : cited.contains(where: isWanted)
            return isRight ? nil : "cites \(cited.map(\.id)), and not of \(wanted)"
        case .people(let wanted):
            guard !wanted.isEmpty, !cited.isEmpty else { return nil }
            func isWanted(_ happening: Happening) -> Bool {
                happening.fact.kind == .presence && (happening.actor.map(wanted.contains) ?? false)
            }
            let isRight = about == nil ? cited.allSatisfy(isWanted) : cited.contains(where: isWanted)
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
