import CardeaModel
import Foundation

/// Causes from commands given to the house, and from new things it learned.
extension CauseDetector {
    /// Commands of the last hour, by device and by actor. Commands that were done add happiness, failed ones add worry.
    func commandOutcomes() -> [Cause] {
        let asked = recent(Self.hour).filter { event in
            guard case .command(_, let status, refusal: nil) = event.fact else { return false }
            return status.isOver && entityIndex[event.entityID] != nil
        }
        return Dictionary(grouping: asked) { [$0.entityID ?? "", $0.actor ?? ""] }.flatMap { key, asked -> [Cause] in
            guard let place = entityIndex[key.first] else { return [] }
            let people = [asked.first?.actor].compactMap { $0 }.map(Self.person)
            let suffix = "\(place.entity.id):\(key.last ?? "")"
            var causes: [Cause] = []
            let done = asked.filter { $0.fact.status == .confirmed && !isSlow($0) }
            if let first = done.first {
                causes.append(
                    Cause(
                        "done:\(suffix)", .tasks, EmotionVector(happiness: min(0.2 * Double(done.count), 0.6), boredom: -0.2),
                        lexicon.stateSentence(
                            done.count == 1 ? .didOne : .didSeveral, [.count: "\(done.count)"], names: [.thing: place.name]),
                        on: done.map(EvidenceReference.init), devices: [place.device.id], people: people, since: first.at))
            }
            let undone = asked.filter { $0.fact.status == .failed || $0.fact.status == .unknown }
            if let first = undone.first {
                let worry = min(0.4 * Double(undone.count), 1)
                causes.append(
                    Cause(
                        "failed:\(suffix)", .tasks, EmotionVector(happiness: -worry * 0.7, worry: worry),
                        lexicon.stateSentence(
                            undone.count == 1 ? .failedOne : .failedSeveral, [.count: "\(undone.count)"], names: [.thing: place.name]),
                        on: undone.map(EvidenceReference.init), devices: [place.device.id], people: people, since: first.at))
            }
            return causes
        }
    }

    /// The person behind an actor, if a person's token or automation acted.
    private static func person(_ actor: String) -> String {
        guard actor.hasPrefix("token:") || actor.hasPrefix("automation:") else { return actor }
        let parts = actor.split(separator: ":", maxSplits: 2)
        return parts.count == 3 ? "person:\(parts[2])" : actor
    }

    /// Returns true if more than ten seconds lie between accepting a command and completing it, if both were reported.
    private func isSlow(_ done: HouseEvent) -> Bool {
        guard case .command(let verb, _, _) = done.fact else { return false }
        let begun = events.last { earlier in
            guard case .command(verb, let status, refusal: nil) = earlier.fact, !status.isOver else { return false }
            return earlier.entityID == done.entityID && earlier.actor == done.actor && earlier.at <= done.at
        }
        return begun.map { done.at.timeIntervalSince($0.at) > 10 && done.at.timeIntervalSince($0.at) < 120 } ?? false
    }

    /// Devices that the house has known for less than a day, each with its first event.
    func newDevices() -> [Cause] {
        house.devices.compactMap { device in
            guard let since = newSince(device) else { return nil }
            // The first report of a new device is a little older than the poll that found it.
            let first = events.first { Self.isReport($0, of: device) && $0.at >= since.addingTimeInterval(-Self.pollSlack) }
            return Cause(
                "new:\(device.id)", .learning, EmotionVector(happiness: 0.3, boredom: -0.5, excitement: 0.8),
                lexicon.stateSentence(.isNew, names: [.thing: device.name]),
                on: [first.map { EvidenceReference($0) } ?? lastReport(on: device)].compactMap { $0 }, devices: [device.id], since: since)
        }
    }

    /// Seconds between two polls of the house, with some to spare.
    private static let pollSlack: TimeInterval = 120

    /// The time since which a new device is known; nil if it is not new.
    func newSince(_ device: Device) -> Date? {
        guard let since = firstSeen.since[device.id], now.timeIntervalSince(since) < Self.day, since <= now else { return nil }
        return since
    }

    /// Habits that became sure within the last day.
    func learnedHabits() -> [Cause] {
        habits.learned(after: now.addingTimeInterval(-Self.day)).compactMap { key, at in
            let effects = EmotionVector(happiness: 0.1, boredom: -0.2, excitement: 0.3)
            if key.aspect == .home {
                guard let person = entityIndex.people[key.subject] else { return nil }
                return Cause(
                    "learned:home:\(key.subject)", .learning, effects, lexicon.stateSentence(.learnedHome, names: [.who: person.name]),
                    on: learningEvidence(of: key), people: [key.subject], since: at)
            }
            guard let place = entityIndex[key.subject] else { return nil }
            let words: StateSentence =
                switch key.aspect {
                case .closing: .learnedClosing
                case .hours: .learnedHours
                case .level, .home: .learnedLevel
                }
            let isEnergy = EnergyMetering.isEnergy(place.entity.deviceClass)
            return Cause(
                "learned:\(key.aspect.rawValue):\(key.subject)", .learning, effects,
                lexicon.stateSentence(words, names: [.thing: place.name]),
                on: learningEvidence(of: key), devices: [place.device.id],
                needs: isEnergy ? [.energy] : [], since: at)
        }
    }
}

extension CauseDetector {
    /// The last day's evidence for a habit: states, readings, or presence. If there was none for so long, the last known event.
    private func learningEvidence(of key: HabitKey) -> [EvidenceReference] {
        let recent = recent(Self.day)
        switch key.aspect {
        case .closing, .hours:
            let stood = recent.filter { $0.entityID == key.subject && $0.fact.kind == .state }.map { EvidenceReference($0) }
            let last = stood.isEmpty ? entityIndex[key.subject].flatMap { lastReport(of: key.subject, on: $0.device) } : nil
            return stood + [last].compactMap { $0 }
        case .home:
            let moved = recent.filter { $0.actor == key.subject && $0.fact.kind == .presence }.map { EvidenceReference($0) }
            let last = moved.isEmpty ? events.last { $0.actor == key.subject && $0.fact.kind == .presence } : nil
            return moved + [last].compactMap { $0 }.map { EvidenceReference($0) }
        case .level: return entityIndex[key.subject].map { readingEvidence($0, since: now.addingTimeInterval(-Self.day)) } ?? []
        }
    }
}

extension HouseEvent.Fact {
    fileprivate var status: CommandStatus? {
        if case .command(_, let status, _) = self { status } else { nil }
    }
}
