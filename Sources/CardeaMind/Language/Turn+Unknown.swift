import CardeaModel
import Foundation

/// Things of which nobody knows how they stand, and what keeps an answer about the others from being sure.
extension Turn {
    /// "The back door is not known; it last reported locked at 23:34." Of one that never reported, that the house is not sure of it.
    func unknown(_ things: [Thing]) async throws -> String {
        var sentences: [String] = []
        var silent: [Thing] = []
        for thing in things {
            if let sentence = try await unknown(thing) {
                sentences.append(Telling.capital(sentence))
            } else {
                silent.append(thing)
            }
        }
        if sentences.count > 5 { sentences = Array(sentences.prefix(5)) + [say(.moreNotTold, [.count: String(sentences.count - 5)])] }
        if !silent.isEmpty { sentences.append(say(.notSureOf, [.list: telling.list(silent.map(name), atMost: 5)])) }
        return sentences.joined(separator: " ")
    }

    /// Nil of one that never said or was asked anything.
    private func unknown(_ thing: Thing) async throws -> String? {
        if thing.entity.isAssumed { return try await assumed(thing) }
        guard let report = thing.entity.lastReport else { return nil }
        let isDanger = Danger(thing.entity) != nil && report.state.value == "on"
        let condition = isDanger ? word(of: thing) : condition(thing, saying: report.state)
        return say(
            isMany(thing) ? .notKnownLastMany : .notKnownLast,
            [.thing: name(thing), .condition: condition, .when: telling.report(report.at)])
    }

    /// Of one that never reports, what it was last asked to do.
    private func assumed(_ thing: Thing) async throws -> String {
        let wanted = HappeningFilter(devices: [thing.device.id], entities: [thing.entity.id], kinds: [.asked])
        // Without a wide sight the last asking that may be told need not be the last.
        let asked =
            sight.seesEverybody
            ? try await recollection.happenings(wanted, seenBy: sight).first { happening in
                if case .asked(_, let status, refusal: nil) = happening.fact { status != .failed && status != .expired } else { false }
            } : nil
        guard let asked, case .asked(let verb, _, _) = asked.fact else { return say(.assumedNever, [.thing: name(thing)]) }
        return say(.assumedAsked, [.thing: name(thing), .verb: said(verb), .when: telling.report(asked.at)])
    }

    /// How a thing stands that says this of itself: "locked", "21.3 °C", or its own word.
    func condition(_ thing: Thing, saying state: EntityState) -> String {
        var entity = thing.entity
        entity.state = state
        if let number = Double(state.value), number.isFinite { return telling.amount(number, entity.unit) }
        guard Condition.on.holds(state.value, entity) != nil || Condition.open.holds(state.value, entity) != nil else {
            return lexicon.say(.quoted, [.name: String(state.value.prefix(40))])
        }
        return word(Thing(device: thing.device, entity: entity))
    }

    /// True of a device that says so itself, and of one whose connection was lost after it had reported something.
    func isOutOfReach(_ device: Device) -> Bool {
        switch device.status {
        case .offline, .error: true
        case .unknown: device.entities.contains { $0.lastReport != nil }
        case .online: false
        }
    }

    /// The doubts how these stand now: some are only assumed, or said nothing for longer than is usual.
    func sureness(of things: [Thing]) async throws -> Sureness {
        var doubts: [Doubt] = []
        let assumed = things.filter(\.entity.isAssumed)
        if !assumed.isEmpty { doubts.append(.assumed(things: assumed.map(name))) }
        var known: Set<String> = []
        for thing in things.prefix(Self.cited) where known.insert(thing.device.id).inserted {
            if let doubt = try await silence(of: thing.device) { doubts.append(doubt) }
        }
        return Sureness(doubts: doubts)
    }

    /// How far back a device's usual interval is looked for.
    private static let rhythmReach: TimeInterval = 14 * 86_400

    private func silence(of device: Device) async throws -> Doubt? {
        if let seen = device.lastSeenAt, now.timeIntervalSince(seen) < ReportRhythm.patience { return nil }
        var hours: Set<Date> = []
        for sensor in device.entities.filter({ $0.isEnabled && $0.kind == .sensor }).prefix(4) {
            let told = try await recollection.hours(of: sensor.id, from: now - Self.rhythmReach, to: now, seenBy: sight)
            hours.formUnion(told.map(\.hour))
        }
        guard let rhythm = ReportRhythm(hours.sorted()), let since = rhythm.silence(at: now, seen: device.lastSeenAt) else { return nil }
        return .silent(thing: telling.thing(device.name), since: since, usual: rhythm.longest)
    }
}
