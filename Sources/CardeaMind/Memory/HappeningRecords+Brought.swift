import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// A past that somebody brought along, where it overlaps with what is known already.
///
/// Two records of one house never agree to the millisecond, and none of them numbers what happens as the other does. So what happened is known by what it
/// was, of what and by whom, and by when it was as far as clocks agree.
extension HappeningRecords {
    /// Milliseconds by which two records of one moment may differ: that of the house and another's, and two that were written down alike, of which one may
    /// tell whole seconds.
    private static let (ownReach, broughtReach): (Int64, Int64) = (10_000, 1000)
    /// Milliseconds after a word within which the next record of the same word is of the same change, told a little late.
    private static let wordReach: Int64 = 300_000

    /// Whether a happening of a past that was brought along is on record already.
    static func isKnown(_ happening: Happening, _ db: Database) throws -> Bool {
        switch happening.fact {
        case .state: try isSaidAnyway(happening, "entity_id", happening.entityID, db)
        case .presence: try isSaidAnyway(happening, "actor", happening.actor, db)
        case .standing: try isSaidAnyway(happening, "device_id", happening.deviceID, db)
        case .asked, .seen: try isThere(happening, db)
        }
    }

    /// Whether the word before it is the same, so that nothing changed; or the next one is, so that the change is that one.
    ///
    /// - Parameter column: by which those of the same thing are found.
    private static func isSaidAnyway(_ happening: Happening, _ column: String, _ id: String?, _ db: Database) throws -> Bool {
        guard let id else { return false }
        let (kind, at) = (happening.fact.kind.rawValue, happening.at.milliseconds)
        let (word, _, _) = columns(of: happening.fact)
        let before = try String.fetchOne(
            db.cachedStatement(
                sql: "SELECT value FROM happenings WHERE \(column) = ? AND kind = ? AND at <= ? ORDER BY at DESC, number DESC LIMIT 1"),
            arguments: [id, kind, at])
        if before == word { return true }
        let next = try String.fetchOne(
            db.cachedStatement(
                sql: "SELECT value FROM happenings WHERE \(column) = ? AND kind = ? AND at BETWEEN ? AND ? ORDER BY at, number LIMIT 1"),
            arguments: [id, kind, at + 1, at + wordReach])
        return next == word
    }

    /// Whether the same was asked for or seen at about the same moment. Who asked is not always written down; what a camera saw, the house knows by its place.
    private static func isThere(_ happening: Happening, _ db: Database) throws -> Bool {
        let (value, _, words) = columns(of: happening.fact)
        return try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM happenings
                        WHERE kind = ?1 AND value = ?2 AND at BETWEEN ?3 - \(ownReach) AND ?3 + \(ownReach)
                            AND (source NOT GLOB 'past:*' OR abs(at - ?3) < \(broughtReach))
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
