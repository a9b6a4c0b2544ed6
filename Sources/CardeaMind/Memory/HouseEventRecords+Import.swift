import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Imports past events where they overlap with the house's own records.
///
/// Two records of one house never agree to the millisecond, and neither knows the other's ids. So an event is recognised by its fact, its
/// subject, its actor, and by its time as far as clocks agree.
extension HouseEventRecords {
    /// Milliseconds by which the times of two records of one event may differ: between the house's own record and an imported one, and
    /// between two imported records, of which one may have whole seconds only.
    private static let (liveTolerance, importTolerance): (Int64, Int64) = (10_000, 1000)
    /// Milliseconds after a state within which the next record of the same state belongs to the same change, reported a little late.
    static let stateTolerance: Int64 = 300_000

    /// Returns whether an imported event is already on record.
    ///
    /// - Parameter past: the other states of the import.
    static func isDuplicate(_ event: HouseEvent, in past: ImportedStates, _ db: Database) throws -> Bool {
        switch event.fact {
        case .state, .presence, .deviceStatus: try isRedundantState(event, in: past, db)
        case .command, .sighting: try isRecorded(event, db)
        }
    }

    /// Returns true if the state before is the same, so that nothing changed, or if the next record is the same change.
    private static func isRedundantState(_ event: HouseEvent, in past: ImportedStates, _ db: Database) throws -> Bool {
        guard let thing = ImportedStates.Subject(event) else { return false }
        let (kind, at, word) = (event.fact.kind.rawValue, event.at.milliseconds, columns(of: event.fact).value)
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
        // The state was different in between, so the record belongs to a later change. If the interval is within the tolerance of clocks,
        // it belongs to the nearer one.
        guard saidAt - at <= liveTolerance else { return false }
        return after.again.map { abs($0 - saidAt) >= saidAt - at } ?? true
    }

    /// Returns true if the same command or sighting is on record at about the same moment. The actor is not always recorded; the house
    /// knows a sighting by its camera.
    private static func isRecorded(_ event: HouseEvent, _ db: Database) throws -> Bool {
        let (value, _, words) = columns(of: event.fact)
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
                event.fact.kind.rawValue, value, event.at.milliseconds, event.deviceID, event.entityID, event.actor,
                words,
            ]) ?? false
    }
}

/// The states in an import by subject, in the order in which they happened.
struct ImportedStates {
    /// An entity with states, a person who comes and goes, or a device that is online or offline.
    struct Subject: Hashable {
        /// The column that holds its id in the table of events.
        let column: String
        let id: String

        /// Nil for events that are no state: commands and sightings.
        init?(_ event: HouseEvent) {
            let named: (column: String, id: String?)
            switch event.fact {
            case .state: named = ("entity_id", event.entityID)
            case .presence: named = ("actor", event.actor)
            case .deviceStatus: named = ("device_id", event.deviceID)
            case .command, .sighting: return nil
            }
            guard let id = named.id else { return nil }
            (column, self.id) = (named.column, id)
        }
    }

    private let words: [Subject: [(at: Int64, word: String)]]

    /// - Parameter events: the reported events; those that were not imported are left out.
    init(_ events: [ReportedHouseEvent]) {
        var words: [Subject: [(at: Int64, word: String)]] = [:]
        for one in events where one.isImported {
            guard let thing = Subject(one.event) else { continue }
            words[thing, default: []].append((one.event.at.milliseconds, HouseEventRecords.columns(of: one.event.fact).value))
        }
        self.words = words.mapValues { said in said.sorted { $0.at < $1.at } }
    }

    /// The first change to another value after `word`, and the first return to `word` after that; nil if there is none. In milliseconds.
    func nextChange(_ at: Int64, _ word: String, of thing: Subject) -> (other: Int64, again: Int64?)? {
        let following = (words[thing] ?? []).drop { $0.at <= at }
        guard let other = following.firstIndex(where: { $0.word != word }) else { return nil }
        return (following[other].at, following[other...].first { $0.word == word }?.at)
    }
}
