import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// A past that somebody brought along, where it overlaps with what is known already.
///
/// Two records of one house never agree to the millisecond, and none of them numbers what happens as the other does. So what happened is known by what it
/// was, of what and by whom, and by when it was as far as clocks agree.
extension HouseEventRecords {
    /// Milliseconds by which two records of one moment may differ: that of the house and another's, and two that were written down alike, of which one may
    /// tell whole seconds.
    private static let (liveTolerance, importTolerance): (Int64, Int64) = (10_000, 1000)
    /// Milliseconds after a word within which the next record of the same word is of the same change, told a little late.
    static let stateTolerance: Int64 = 300_000

    /// Whether a happening of a past that was brought along is on record already.
    ///
    /// - Parameter past: what that past tells besides.
    static func isDuplicate(_ happening: HouseEvent, in past: ImportedStates, _ db: Database) throws -> Bool {
        switch happening.fact {
        case .state, .presence, .deviceStatus: try isRedundantState(happening, in: past, db)
        case .command, .sighting: try isRecorded(happening, db)
        }
    }

    /// Whether the word before it is the same, so that nothing changed; or the next one is, so that the change is that one.
    private static func isRedundantState(_ happening: HouseEvent, in past: ImportedStates, _ db: Database) throws -> Bool {
        guard let thing = ImportedStates.Subject(happening) else { return false }
        let (kind, at, word) = (happening.fact.kind.rawValue, happening.at.milliseconds, columns(of: happening.fact).value)
        let before = try String.fetchOne(
            db.cachedStatement(
                sql: "SELECT value FROM happenings WHERE \(thing.column) = ? AND kind = ? AND at <= ? ORDER BY at DESC, number DESC LIMIT 1"
            ),
            arguments: [thing.id, kind, at])
        if before == word { return true }
        let next = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT at, value FROM happenings WHERE \(thing.column) = ? AND kind = ? AND at BETWEEN ? AND ?
                    ORDER BY at, number LIMIT 1
                    """),
            arguments: [thing.id, kind, at + 1, at + stateTolerance])
        guard let next, next[1] as String == word else { return false }
        let saidAt = next[0] as Int64
        guard let after = past.nextChange(at, word, of: thing), after.other < saidAt else { return true }
        // It was otherwise in between, so that the word on record is of a later change; where that is as brief as clocks differ, of the one that
        // lies nearer.
        guard saidAt - at <= liveTolerance else { return false }
        return after.again.map { abs($0 - saidAt) >= saidAt - at } ?? true
    }

    /// Whether the same was asked for or seen at about the same moment. Who asked is not always written down; what a camera saw, the house knows by its place.
    private static func isRecorded(_ happening: HouseEvent, _ db: Database) throws -> Bool {
        let (value, _, words) = columns(of: happening.fact)
        return try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM happenings
                        WHERE kind = ?1 AND value = ?2 AND at BETWEEN ?3 - \(liveTolerance) AND ?3 + \(liveTolerance)
                            AND (source NOT GLOB 'past:*' OR abs(at - ?3) < \(importTolerance))
                            AND (entity_id IN (?4, ?5) OR (device_id IS ?4 AND (entity_id IS NULL OR ?5 IS NULL)))
                            AND (actor IS ?6 OR actor IS NULL OR ?6 IS NULL)
                            AND (value <> 'other' OR opened(words, 'happenings.words', source) IS ?7))
                    """),
            arguments: [
                happening.fact.kind.rawValue, value, happening.at.milliseconds, happening.deviceID, happening.entityID, happening.actor,
                words,
            ]) ?? false
    }
}

/// What a past that is brought along says of each thing, in the order in which it happened.
struct ImportedStates {
    /// An entity that says something, somebody who comes and goes, or a device in or out of reach.
    struct Subject: Hashable {
        /// The column by which happenings of it are found.
        let column: String
        let id: String

        /// Nil for what is no word of a thing: something that was asked for, or seen.
        init?(_ happening: HouseEvent) {
            let named: (column: String, id: String?)
            switch happening.fact {
            case .state: named = ("entity_id", happening.entityID)
            case .presence: named = ("actor", happening.actor)
            case .deviceStatus: named = ("device_id", happening.deviceID)
            case .command, .sighting: return nil
            }
            guard let id = named.id else { return nil }
            (column, self.id) = (named.column, id)
        }
    }

    private let words: [Subject: [(at: Int64, word: String)]]

    /// - Parameter told: what was not brought along is left out.
    init(_ told: [ReportedHouseEvent]) {
        var words: [Subject: [(at: Int64, word: String)]] = [:]
        for one in told where one.isImported {
            guard let thing = Subject(one.event) else { continue }
            words[thing, default: []].append((one.event.at.milliseconds, HouseEventRecords.columns(of: one.event.fact).value))
        }
        self.words = words.mapValues { said in said.sorted { $0.at < $1.at } }
    }

    /// When a thing said something else after `word`, and when it said `word` again after that; nil where it never did. In milliseconds.
    func nextChange(_ at: Int64, _ word: String, of thing: Subject) -> (other: Int64, again: Int64?)? {
        let following = (words[thing] ?? []).drop { $0.at <= at }
        guard let other = following.firstIndex(where: { $0.word != word }) else { return nil }
        return (following[other].at, following[other...].first { $0.word == word }?.at)
    }
}
