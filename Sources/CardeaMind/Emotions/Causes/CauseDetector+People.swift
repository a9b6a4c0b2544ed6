import CardeaModel
import Foundation

/// Causes from people: arrivals, absences, refused attempts.
extension CauseDetector {
    private func name(of actor: String?) -> String? { actor.flatMap { entityIndex.people[$0]?.name } }

    /// Refused attempts at a door, for six hours. The actor is part of the cause: an requester who may not see other people's attempts may
    /// still see their own.
    func refusals() -> [Cause] {
        let tries = recent(6 * Self.hour).filter { event in
            guard case .command(let verb, _, let refusal?) = event.fact, let place = entityIndex[event.entityID] else {
                return false
            }
            // A request that waits for approval was not refused.
            return place.entity.risk(of: verb) == .open && refusal != Refusal.awaitingApproval.name
        }
        return Dictionary(grouping: tries) { [$0.entityID ?? "", $0.actor ?? ""] }.compactMap { key, tries in
            let count = tries.count
            let tries = tries.suffix(Cause.evidenceLimit)
            guard let place = entityIndex[key.first], let first = tries.first, let last = tries.last else { return nil }
            let fresh = age(of: last) <= Self.hour ? 1 : 0.5
            let worry = min(0.3 + 0.2 * Double(count - 1), 1) * fresh
            let who = name(of: first.actor)
            let stateSentence: StateSentence =
                count == 1 ? (who == nil ? .tryRefused : .tryRefusedBy) : (who == nil ? .triesRefused : .triesRefusedBy)
            return Cause(
                "refused:\(place.entity.id):\(first.actor ?? "nobody")", .interaction, EmotionVector(worry: worry, boredom: -worry / 2),
                lexicon.stateSentence(
                    stateSentence, [.count: "\(count)", .time: clockTime(last.at)], names: [.thing: place.name, .who: who ?? ""]),
                on: tries.map(EvidenceReference.init), devices: [place.device.id], people: [first.actor].compactMap { $0 }, since: first.at)
        }
    }

    /// A person came home, or a guest came in, within the last half hour.
    func arrivals() -> [Cause] {
        recent(Self.hour / 2).compactMap { event in
            guard let actor = event.actor else { return nil }
            switch event.fact {
            case .presence(isHome: true):
                // A person who has left again adds no happiness any more.
                let last = events.last { $0.actor == actor && $0.fact.kind == .presence }
                guard last == event, entityIndex.people[actor]?.isHome != false else { return nil }
                return Cause(
                    "home:\(actor)", .interaction, EmotionVector(happiness: 0.8, boredom: -0.6, excitement: 0.4),
                    lexicon.stateSentence(
                        .hasComeHome, [.time: clockTime(event.at)], names: [.who: name(of: actor) ?? lexicon.stateText(.someone)]),
                    on: [EvidenceReference(event)], people: [actor], since: event.at)
            case .command(let verb, .confirmed, refusal: nil):
                guard actor.hasPrefix("guest:"), let place = entityIndex[event.entityID], place.entity.risk(of: verb) == .open else {
                    return nil
                }
                return Cause(
                    "guest:\(actor)", .interaction, EmotionVector(happiness: 0.3, boredom: -0.5, excitement: 0.8),
                    lexicon.stateSentence(
                        .hasComeIn, [.time: clockTime(event.at)],
                        names: [.who: name(of: actor) ?? AnswerFormatter.capitalized(lexicon.answerText(.aGuest)), .thing: place.name]),
                    on: [EvidenceReference(event)], devices: [place.device.id], people: [actor], since: event.at)
            default: return nil
            }
        }
    }

    /// All people have been away for hours. It is no cause if the household announced the absence.
    func absence() -> [Cause] {
        guard !house.isOnVacation else { return [] }
        let known = house.people.filter { $0.isHome != nil }
        guard !known.isEmpty, known.allSatisfy({ $0.isHome == false }) else { return [] }
        let leavings = known.compactMap { person in
            events.last { $0.actor == person.key && $0.fact == .presence(isHome: false) }
        }
        let lately = known.compactMap { person in events.last { $0.actor == person.key && $0.fact.kind == .presence } }
        // If no leaving is on record, it was before all recent events.
        let since = leavings.map(\.at).max() ?? events.first { age(of: $0) <= Self.day }?.at ?? now
        let hours = now.timeIntervalSince(since) / Self.hour
        guard hours >= 4 else { return [] }
        let boredom = min(0.3 + (hours - 4) / 12, 1)
        return [
            Cause(
                "absence", .interaction, EmotionVector(happiness: -0.2, boredom: boredom, excitement: -boredom / 2),
                lexicon.stateSentence(.nobodySince, [.when: self.since(since)], names: [:]),
                on: (leavings.isEmpty ? lately : leavings).sorted { $0.at < $1.at }.map(EvidenceReference.init),
                people: known.map(\.key), since: since)
        ]
    }

    /// People are or may be at home, it is day, and for six hours of it there were no commands, sightings or movements.
    func inactivity() -> [Cause] {
        guard !house.isOnVacation else { return [] }
        // From before the last day only beginnings are loaded, not what was between them.
        let recent = Array(recent(Self.day))
        guard let last = recent.last(where: isActivity) ?? recent.first else { return [] }
        let since = last.at
        // Sleep does not cause boredom: only the hours since the night count.
        let awake = (0..<24).prefix { !isNight(at: now.addingTimeInterval(-Double($0) * Self.hour)) }.count
        let hours = min(now.timeIntervalSince(since) / Self.hour, Double(awake))
        guard hours >= 6 else { return [] }
        let boredom = min(0.3 + (hours - 6) / 12, 1)
        return [
            Cause(
                "quiet", .interaction, EmotionVector(boredom: boredom, excitement: -boredom / 2),
                lexicon.stateSentence(.nothingSince, [.when: self.since(since)], names: [:]), on: [EvidenceReference(last)],
                needs: [.everything],
                since: since)
        ]
    }

    /// Returns true for events that people cause or meet with; readings of sensors alone do not count.
    func isActivity(_ event: HouseEvent) -> Bool {
        switch event.fact {
        case .command, .sighting, .presence: true
        case .state: event.entityID?.hasPrefix("sensor.") == false
        case .deviceStatus: false
        }
    }

    func clockTime(_ moment: Date) -> String { LocalHour.clock(LocalHour(moment, in: house.zone).minute) }
}
