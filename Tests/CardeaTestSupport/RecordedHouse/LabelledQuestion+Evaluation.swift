import CardeaMind
import CardeaModel
import Foundation

/// Judges whether an answer is right.
extension LabelledQuestion {
    /// All errors of an answer: its text, its evidence, and content that the requester may not see.
    public func problems(with reply: Reply, in house: RecordedHouse) -> [String] {
        var problems: [String] = []
        func check(_ isRight: Bool, _ problem: @autoclosure () -> String) { if !isRight { problems.append(problem()) } }
        check(!reply.response.isEmpty && !reply.response.contains("{") && !reply.response.contains("  "), "not a sentence")
        check((0...1).contains(reply.confidence), "confidence out of bounds")
        let visibility = house.visibility(of: asker)
        for id in reply.events { check(isEvidence(id, in: house, seenBy: visibility), "cites \(id), which is not there for them") }
        check(reply.devices.allSatisfy { id in house.snapshot.devices.contains { $0.id == id } }, "speaks of devices that are not there")
        if reply.confidence > 0, requiresEvidence { check(!reply.events.isEmpty || !reply.devices.isEmpty, "rests on nothing") }
        if let problem = irrelevantEvidence(of: reply, in: house) { problems.append(problem) }
        if case .number = expected, reply.confidence > 0, reply.question.map({ $0.intent.isRead }) ?? true {
            check(!reply.events.isEmpty, "does not cite what it read")
        }
        let hidden = (house.snapshot.people + house.snapshot.guests).filter { !house.reveals($0.key, to: asker) }
        let told = hidden.map(\.name).filter { reply.response.contains($0) && !sentence.lowercased().contains($0.lowercased()) }
        check(told.isEmpty, "tells of \(told)")
        let actors = reply.facts.compactMap { finding -> String? in
            switch finding {
            case .action(let doing): doing.actor
            case .person(let key): key
            default: nil
            }
        }
        check(actors.allSatisfy { house.reveals($0, to: asker) }, "finds \(actors)")
        if let problem = problem(with: reply, in: house) { problems.append(problem) }
        if let problem = wording(of: reply, in: house) { problems.append(problem) }
        return problems
    }

    /// An event that they may see, hours of a sensor that they see, or a person's statement.
    private func isEvidence(_ id: String, in house: RecordedHouse, seenBy visibility: RequesterVisibility) -> Bool {
        if id.hasPrefix("happening_") { return house.events.first { $0.id == id }.flatMap(visibility.redacted) != nil }
        if case .remembers = expected { return id.hasPrefix("memory_") }
        guard let (entity, from, to) = Self.hours(id), Self.isThere(entity, from, in: house), Self.isThere(entity, to, in: house) else {
            return false
        }
        let device = house.snapshot.devices.first { $0.entities.contains { $0.id == entity } }
        return device.map { visibility.seesDevice($0.id) } ?? false
    }

    /// The cited hours' entity, and the first and the last of them: `readings_{entity}_{first}_{count}`, in hours since 1970.
    private static func hours(_ id: String) -> (entity: String, first: Date, last: Date)? {
        let parts = id.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count > 3, parts[0] == "readings", let first = Int(parts[parts.count - 2]), let count = Int(parts[parts.count - 1]),
            count > 0
        else { return nil }
        let start = Date(timeIntervalSince1970: Double(first) * 3600)
        return (parts[1..<parts.count - 2].joined(separator: "_"), start, start + Double(count - 1) * 3600)
    }

    /// Returns whether the record has readings for that hour. An entity without a record has only its present value, at the present hour.
    private static func isThere(_ entity: String, _ hour: Date, in house: RecordedHouse) -> Bool {
        guard let hours = house.hours[entity] else { return hour <= RecordedHouse.now && RecordedHouse.now < hour + 3600 }
        return hours.contains { $0.hour == hour }
    }

    /// Returns whether a cited item is a report of one of these entities, or a command to one.
    private func isOf(_ entities: [String], _ id: String, in house: RecordedHouse) -> Bool {
        guard id.hasPrefix("happening_") else { return entities.contains { id.hasPrefix("readings_\($0)_") } }
        return house.events.first { $0.id == id }?.entityID.map(entities.contains) ?? false
    }

    private var requiresEvidence: Bool {
        switch expected {
        case .count, .truth, .devices, .number, .people, .room, .seconds, .moment, .actions, .lastAction, .feels, .remembers, .imagined:
            true
        default: false
        }
    }

    /// The error in the content of a reply; nil if there is none.
    public func problem(with reply: Reply, in house: RecordedHouse) -> String? {
        let doings = reply.facts.compactMap { if case .action(let doing) = $0 { doing } else { nil } }
        let devices = reply.facts.compactMap { finding -> String? in
            switch finding {
            case .device(let id): id
            case .number(_, _, let of) where reply.question?.intent == .lowBatteries: of
            default: nil
            }
        }
        func isCited(_ doing: ActionOccurrence) -> Bool {
            !doing.events.isEmpty && Set(doing.events).isSubset(of: reply.events)
                && doing.events.allSatisfy { id in
                    house.events.contains {
                        $0.id == id && $0.deviceID == doing.deviceID && abs($0.at.timeIntervalSince(doing.at)) <= 120
                    }
                }
        }
        switch expected {
        case .actions(let wanted):
            guard reply.confidence > 0 else { return "did not answer" }
            guard doings.map(\.at) == wanted.map(\.at) else { return "found \(doings.map(\.at)), not \(wanted.map(\.at))" }
            guard doings.map(\.actor) == wanted.map(\.actor) else { return "found \(doings.map(\.actor)), not \(wanted.map(\.actor))" }
            guard doings.allSatisfy(isCited) else { return "does not cite what it rests on" }
            if wanted.count <= 4 { guard wanted.allSatisfy({ reply.response.contains(clock($0.at)) }) else { return "does not say when" } }
            guard wanted.allSatisfy({ name($0.actor, in: house).map { reply.response.localizedCaseInsensitiveContains($0) } ?? true })
            else {
                return "does not say who"
            }
            return nil
        case .lastAction(let at, let actor):
            guard let doing = doings.first, doing.at == at, doing.actor == actor else {
                return "found \(doings), not \(at) by \(actor ?? "nobody")"
            }
            return reply.response.contains(clock(at)) && isCited(doing) ? nil : "does not say when, or on what it rests"
        case .count(let count):
            guard reply.facts.contains(.count(count)) else { return "found \(reply.facts.prefix(2)), not \(count)" }
            let words = ["not once", "once", "twice", "one "]
            return reply.response.contains(String(count)) || (count < 3 && words.contains { reply.response.contains($0) })
                ? nil : "does not say \(count)"
        case .truth(let isSo):
            guard reply.confidence > 0, reply.facts.contains(.truth(isSo)) || (isSo && !doings.isEmpty) else {
                return "found \(reply.facts.prefix(3)), not \(isSo)"
            }
            return reply.facts.contains(.truth(!isSo)) ? "says both" : nil
        case .devices(let wanted):
            guard reply.confidence > 0, Set(devices) == wanted else { return "found \(devices), not \(wanted)" }
            return wanted.allSatisfy { id in
                house.snapshot.devices.contains { $0.id == id && reply.response.localizedCaseInsensitiveContains($0.name) }
            } ? nil : "does not name them"
        case .number(let wanted, let within, _):
            let numbers = reply.facts.compactMap { if case .number(let value, _, _) = $0 { value } else { nil } }
            guard let first = numbers.first, abs(first - wanted) < within + 0.000_001 else { return "found \(numbers), not \(wanted)" }
            return reply.response.contains(where: \.isNumber) ? nil : "does not say it"
        case .seconds(let wanted):
            let sum = reply.facts.compactMap { if case .seconds(let value) = $0 { value } else { nil } }.reduce(0.0) { $0 + $1 }
            return abs(sum - wanted) < 1 ? nil : "found \(sum) s, not \(wanted) s"
        case .moment(let wanted):
            guard reply.facts.contains(.moment(wanted)) else { return "found \(reply.facts), not \(wanted)" }
            return reply.response.contains(clock(wanted)) && !reply.events.isEmpty ? nil : "does not say when, or on what it rests"
        case .people(let wanted):
            let people = Set(reply.facts.compactMap { if case .person(let key) = $0 { key } else { nil } })
            return people == wanted && reply.confidence > 0 ? nil : "found \(people), not \(wanted)"
        case .room(let wanted): return reply.facts.contains(.room(wanted)) ? nil : "found \(reply.facts)"
        case .rooms(let wanted):
            let found = Set(reply.facts.compactMap { if case .room(let id) = $0 { id } else { nil } })
            guard found == wanted, reply.confidence > 0, reply.events.isEmpty else { return "found \(found), not \(wanted)" }
            let misnamed = house.snapshot.rooms.filter { reply.response.contains($0.name) != wanted.contains($0.id) }.map(\.name)
            return misnamed.isEmpty ? nil : "is not right about \(misnamed)"
        case .suggestions(let wanted):
            let found = Set(reply.suggestions.map(short))
            return found == wanted ? nil : "suggests \(found), not \(wanted)"
        case .events(let wanted, let words):
            guard reply.events == wanted, reply.confidence > 0 else { return "cites \(reply.events), not \(wanted)" }
            let unsaid = words.filter { !reply.response.localizedCaseInsensitiveContains($0) }
            return unsaid.isEmpty ? nil : "does not say \(unsaid)"
        case .feels(let word, let devices, let events):
            guard reply.confidence > 0, Self.isSo(word, in: reply.response) else { return "does not say how \(word) it is" }
            guard Set(reply.devices) == devices else { return "speaks of \(reply.devices), not of \(devices)" }
            // A sensor's hours are those of its topic, in any number; events are complete.
            let hours = reply.events.filter { $0.hasPrefix("readings_") }
            guard Set(reply.events).subtracting(hours) == events else { return "rests on \(reply.events), not on \(events)" }
            let sensors = house.snapshot.devices.filter { devices.contains($0.id) }.flatMap(\.entities).map { "readings_\($0.id)_" }
            guard hours.allSatisfy({ id in sensors.contains { id.hasPrefix($0) } }) else { return "rests on hours of others, \(hours)" }
            return house.snapshot.devices.allSatisfy { !devices.contains($0.id) || reply.response.contains($0.name) }
                ? nil : "does not name what moves it"
        case .remembers(let words):
            return reply.response.contains(words) && reply.events.count == 1 && reply.confidence > 0 ? nil : "does not say \(words)"
        case .imagined(let more, let rate): return whatIfProblem(more, rate: rate, reply, in: house)
        case .unknown:
            guard reply.confidence == 0, reply.suggestions.isEmpty, reply.facts.isEmpty else { return "answers what it cannot know" }
            return Self.unknownPhrases.contains { reply.response.localizedCaseInsensitiveContains($0) }
                ? nil : "does not say that it does not know"
        case .unknownWord(let word):
            return reply.confidence == 0 && reply.suggestions.isEmpty && reply.response.contains(word)
                ? nil : "does not say that it does not know \(word)"
        case .clarification(let choices):
            return reply.confidence == 0 && choices.isSubset(of: Set(reply.choices)) && reply.suggestions.isEmpty
                ? nil : "offers \(reply.choices)"
        case .exactText(let words):
            return reply.response.caseInsensitiveCompare(words) == .orderedSame && reply.confidence > 0 ? nil : "does not say “\(words)”"
        }
    }

    /// The lexicon's phrases by which an answer says that the house does not know, cannot tell or must not, or asks back.
    private static let unknownPhrases = [
        "do not know", "do not understand", "do not remember", "do not guess", "cannot", "not sure", "not something", "not by you",
        "not known", "know of no", "remember no", "nothing tells me", "nothing measures", "would tell me", "no readings",
        "no camera or bell", "nobody told me", "which one do you mean", "goes from", "only imagine", "please ask me",
    ]

    /// The usual happiness and worry of a quiet house, in percent.
    private static let usual = ["happy": 60.0, "worried": 20]

    /// Returns whether a reply begins with the mood, in the sentence that matches its numbers. A feeling much weaker than usual is not
    /// mentioned.
    private static func isSo(_ word: String, in response: String) -> Bool {
        let opening = response.prefix { $0 != "." }
        guard let numbers = opening.firstMatch(of: #/: (\d+) %, where (\d+) % is usual$/#), let value = Double(numbers.1),
            let usual = Double(numbers.2), usual == Self.usual[word]
        else { return false }
        let said = String(opening.prefix { $0 != ":" })
        // Values are said in whole percent, and may be off by half of one.
        return [-0.5, 0, 0.5].contains { "I am " + (comparisonWord(of: word, by: value + $0 - usual) ?? "") == said }
    }

    /// - Parameter difference: from the usual value, in percent.
    private static func comparisonWord(of word: String, by difference: Double) -> String? {
        switch difference {
        case 15...: word
        case 2..<15: "a little more \(word) than usual"
        case -2..<2: "as \(word) as usual"
        case -15 ..< -2: "a little less \(word) than usual"
        default: nil
        }
    }

    /// The entities that give the living room's temperature.
    private static let temperatureEntities = ["sensor.living_temperature", "sensor.garden_temperature", "sensor.living_heating_power"]

    /// Checks a what-if answer. It is right to one swing of the thermostat, since that swing may come before the end or after it. The
    /// answer must give an interval and rest on the room's own sensors.
    private func whatIfProblem(_ more: Double, rate: Double, _ reply: Reply, in house: RecordedHouse) -> String? {
        guard reply.confidence > 0, reply.facts.count == 2, case .number(let cost, nil, _)? = reply.facts.first,
            case .number(let energy, "kWh", _)? = reply.facts.last
        else { return "found \(reply.facts), and no cost and energy" }
        guard abs(energy - more) < RecordedHouse.swing, abs(cost - more * rate) < RecordedHouse.swing * rate else {
            return "found \(energy) kWh for \(cost), not \(more) kWh"
        }
        guard reply.response.hasPrefix("Keeping the Living room at "), Self.interval(in: reply.response)?.contains(cost) == true else {
            return "does not say \(cost), with how sure that is"
        }
        let uncited = Self.temperatureEntities.filter { sensor in !reply.events.contains { $0.hasPrefix("readings_\(sensor)_") } }
        guard uncited.isEmpty, reply.events.allSatisfy({ isOf(Self.temperatureEntities, $0, in: house) }) else {
            return "rests on \(reply.events)"
        }
        return Set(reply.devices) == ["living-sensor", "garden-sensor", "living-heating"] && reply.whatIfQuestion != nil
            ? nil : "speaks of \(reply.devices)"
    }

    /// The cost interval in the sentence, where "more than usual" means more than nothing; as wide as its two digits allow.
    private static func interval(in response: String) -> ClosedRange<Double>? {
        let usual = response.firstMatch(of: #/lies between (-?\d+(?:\.\d+)?) and (-?\d+(?:\.\d+)?)/#)
        let told = response.firstMatch(of: #/\((-?\d+(?:\.\d+)?) to (-?\d+(?:\.\d+)?)\)/#)
        guard let found = usual ?? told, let low = Double(found.1), let high = Double(found.2), low <= high else { return nil }
        let digit = 0.005_001
        let (least, most) = response.contains("would save about ") ? (-high, -low) : (low, high)
        return (least - digit)...(most + digit)
    }

    // MARK: Expected text

    /// The error in the wording of a reply, apart from its facts; nil if there is none.
    private func wording(of reply: Reply, in house: RecordedHouse) -> String? {
        guard reply.confidence > 0 else { return nil }
        switch expected {
        case .truth(let isSo):
            // An uncertain answer contains no yes or no.
            guard reply.confidence > 0.5, reply.question?.isYesNo == true else { return nil }
            return reply.response.hasPrefix(isSo ? "Yes, " : "No, ") ? nil : "does not begin with \(isSo ? "yes" : "no")"
        case .number(_, _, let entity):
            let found = reply.facts.compactMap { if case .number(let value, _, _) = $0 { value } else { nil } }
            guard let first = found.first, Self.containsNumber(first, in: reply.response) else { return "does not say \(found)" }
            return reply.events.allSatisfy { isOf([entity], $0, in: house) } ? nil : "rests on \(reply.events), and not on \(entity) alone"
        case .room(let room):
            let name = house.snapshot.rooms.first { $0.id == room }?.name ?? room
            return reply.response.localizedCaseInsensitiveContains(name) ? nil : "does not say \(name)"
        case .people(let people):
            let unsaid = people.map { name($0, in: house) ?? "you" }.filter { !reply.response.localizedCaseInsensitiveContains($0) }
            return unsaid.isEmpty ? nil : "does not say \(unsaid)"
        default: return nil
        }
    }

    /// A number in its spoken form: with one decimal if it is not zero, and money with two.
    private static func containsNumber(_ number: Double, in response: String) -> Bool {
        let points = CharacterSet(charactersIn: ".")
        let said = Set(response.split { !$0.isNumber && $0 != "." && $0 != "-" }.map { $0.trimmingCharacters(in: points) })
        let tenths = (number * 10).rounded() / 10
        let cents = Int((abs(number) * 100).rounded())
        let money = (number < 0 ? "-" : "") + "\(cents / 100)." + (cents % 100 < 10 ? "0" : "") + "\(cents % 100)"
        let plain = Int(exactly: tenths).map { String($0) } ?? String(tenths)
        return said.contains(plain) || said.contains(money)
    }

    private func clock(_ date: Date) -> String {
        let parts = RecordedHouse.calendar.dateComponents([.hour, .minute], from: date)
        let two = { (number: Int?) in (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return two(parts.hour) + ":" + two(parts.minute)
    }

    /// The name of an actor; nil for the requester, who is "you".
    private func name(_ actor: String?, in house: RecordedHouse) -> String? {
        guard let actor, actor != house.key(of: asker) else { return nil }
        return (house.snapshot.people + house.snapshot.guests).first { $0.key == actor }?.name
    }

    private func short(_ suggestion: Suggestion) -> String {
        switch suggestion.action {
        case .device(let id, _, let verb, let value):
            [id, verb.rawValue, value.map { String(Int($0)) }].compactMap(\.self).joined(separator: " ")
        case .scene(let id): "scene \(id)"
        case .memory(let content): "memory \(content)"
        }
    }
}

extension Question {
    /// True if the answer is yes or no. A question whether a person was home on some day is answered by their place, and whether a device
    /// was offline by the time.
    fileprivate var isYesNo: Bool {
        switch intent {
        case .isIt, .did, .compare, .danger(_, .now), .danger(_, .whether): return true
        case .presence:
            guard case .actors? = actors else { return false }
            return period == nil && during == nil
        default: return false
        }
    }
}

extension QueryIntent {
    /// True if a number comes from recorded sensor readings. A battery reports its level now and then, and it is not recorded.
    fileprivate var isRead: Bool {
        switch self {
        case .measure(.battery, _), .lowBatteries: false
        default: true
        }
    }
}
