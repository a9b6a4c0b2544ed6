import CardeaModel
import Foundation
import Synchronization

/// Exports the data that the mind has learned about a person.
extension Mind {
    /// The person's usual hours at home, corrections of these by any person, their corrections of the house's habits, and the causes of
    /// feelings that were about them alone. Memories of them are exported with the rows of the house.
    ///
    /// - Parameter key: `person:{id}`.
    public func personalData(of key: String) throws -> [JSONValue] {
        let (habits, causes) = state.withLock { ($0.habits, $0.mood.causes(of: key)) }
        return try (habits?.personalData(of: key) ?? []) + causes.map(\.exported)
    }
}

extension Habits {
    fileprivate func personalData(of person: String) throws -> [JSONValue] {
        var learned: [JSONValue] = []
        if let home = homes[person] {
            let week = (0..<7).map { day in
                JSONValue.array(
                    (0..<24).map { hour in
                        let (share, count) = home.hours.usual(at: day * 24 + hour)
                        return count > 0 ? .number((share * 1000).rounded() / 1000) : .null
                    })
            }
            // For each hour of the week from Monday on: the share of it in which they are at home, 0 to 1.
            learned.append(["what": "usually_at_home", "days": .number(Double(home.days)), "week": .array(week)])
        }
        for (key, corrected) in corrections.sorted(by: { $0.key < $1.key }) where corrected.by == person || key.subject == person {
            learned.append([
                "what": "put_right", "of": .string(key.subject), "aspect": .string(key.aspect.rawValue),
                "said": JSONValue.read([UInt8](try JSONEncoder().encode(corrected.correction))) ?? .null,
                "by": corrected.by == person ? .string(person) : .null, "at": .moment(corrected.at),
            ])
        }
        return learned
    }
}

extension Mood {
    /// The causes, present and past, that are about this person alone; the earliest first.
    fileprivate func causes(of person: String) -> [Cause] {
        let all = history.entries.flatMap { $0.state.shares.map(\.cause) + [$0.trigger].compactMap(\.self) } + state.shares.map(\.cause)
        var seen: Set<[String]> = []
        return all.filter { cause in
            cause.concerns(person) && cause.people.allSatisfy { $0 == person } && cause.grounds.allSatisfy { $0.actor ?? person == person }
                && seen.insert([cause.id, "\(cause.since.timeIntervalSince1970)"]).inserted
        }.sorted { $0.since < $1.since }
    }
}

extension Cause {
    fileprivate var exported: JSONValue {
        ["what": "felt", "because": .string(words.text), "since": .moment(since), "until": until.map { .moment($0) } ?? .null]
    }
}

extension JSONValue {
    fileprivate static func moment(_ moment: Date) -> JSONValue {
        .string(moment.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
}
