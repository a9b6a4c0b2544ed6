import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Replaces the keys of a tag: request, write, read back, activate. Until then the tag's earlier keys are valid, and both sets are returned
/// on every request, so that an interrupted rotation can continue.
extension Tags {
    public struct KeyRotation: Sendable {
        public let tag: Tag
        /// The keys that are accepted until a touch made with the new ones was reported.
        public let old: SUNKeys
        public let new: SUNKeys
    }

    /// The keys that the tag has, and those that it is to get: the same until they were read back, and new ones after that.
    public func beginKeyRotation(_ id: String, by principal: Principal, origin: RequestOrigin) async throws -> KeyRotation {
        let now = environment.now()
        return try await store.auditedWrite("tag.keys", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            let (tag, uid, old) = try requireKeys(id, context.db)
            let new: SUNKeys
            if let next = try TagRecords.nextKeys(of: id, by: sealing, context.db) {
                new = next
            } else {
                let made = try TagKeyDerivation.rotatedKeys(for: uid, of: id, by: sealing, in: context.db)
                new = SUNKeys(meta: made.meta, file: made.file, names: old.names)
                try TagRecords.saveNextKeys(next: new, of: id, by: sealing, in: context.db)
            }
            try Self.record("tag.keys", id, in: context)
            return KeyRotation(tag: tag, old: old, new: new)
        }
    }

    /// The tag has its new keys: from now on it is believed by them alone.
    ///
    /// - Parameter link: a touch of it, made with them. It presses nothing, and no earlier one does.
    public func finishKeyRotation(_ id: String, readBack link: String, by principal: Principal, origin: RequestOrigin) async throws -> Tag {
        let now = environment.now()
        return try await store.auditedWrite("tag.write", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            let (tag, uid, old) = try requireKeys(id, context.db)
            let next = try TagRecords.nextKeys(of: id, by: sealing, context.db)
            guard let touch = Self.verifiedTouch(link, of: id, next ?? old), touch.uid == uid else { throw TagError.notReadBack }
            // A repeated call changes nothing.
            guard let next else { return tag }
            try TagRecords.activateKeys(next, of: id, uid: uid, at: now, by: sealing, in: context.db)
            _ = try TagRecords.advanceCounter(id, to: touch.counter, in: context.db)
            try Self.record("tag.write", id, in: context)
            return try TagRecords.one(id, context.db).orThrow(TagError.notFound)
        }
    }

    /// A tag that has keys to change.
    private func requireKeys(_ id: String, _ db: Database) throws -> (tag: Tag, uid: Data, keys: SUNKeys) {
        guard let tag = try TagRecords.one(id, db) else { throw TagError.notFound }
        guard tag.state == .active, let uid = tag.uid, let keys = try TagRecords.keys(of: id, by: sealing, db) else {
            throw TagError.keyless
        }
        return (tag, uid, keys)
    }

    /// Returns the touch that a link with the tag's id proves; nil if it was not made with these keys.
    private static func verifiedTouch(_ link: String, of id: String, _ keys: SUNKeys) -> SUNMessage.Touch? {
        guard case .touch(id, let values)? = try? TagLink(link) else { return nil }
        return verifiedTouch(values, keys)
    }

    /// Returns the touch that a link's values prove; nil if they were not made with these keys.
    static func verifiedTouch(_ values: [String: String], _ keys: SUNKeys) -> SUNMessage.Touch? {
        guard let message = try? keys.message(values), let touch = try? message.touch(keys.meta),
            (try? message.check(touch, keys.file)) != nil
        else { return nil }
        return touch
    }
}

extension TagRecords {
    fileprivate static func nextKeys(of id: String, by sealing: SealingKey, _ db: Database) throws -> SUNKeys? {
        try Data.fetchOne(db, sql: "SELECT next_keys FROM tags WHERE id = ?", arguments: [id]).map {
            try SUNKeys(sealed: $0, by: sealing, for: nextKeysSealingLabel(id))
        }
    }

    fileprivate static func saveNextKeys(next keys: SUNKeys, of id: String, by sealing: SealingKey, in db: Database) throws {
        try db.execute(
            sql: "UPDATE tags SET next_keys = ? WHERE id = ?", arguments: [try keys.sealed(by: sealing, for: nextKeysSealingLabel(id)), id])
    }

    /// The touch counter starts anew, as for another chip. With that the house knows the count again, also after a restore.
    fileprivate static func activateKeys(
        _ keys: SUNKeys, of id: String, uid: Data, at now: Date, by sealing: SealingKey, in db: Database
    ) throws {
        try db.execute(
            sql: "UPDATE tags SET keys = ?, chip = ?, next_keys = NULL, written_at = ?, unsynced_at = NULL WHERE id = ?",
            arguments: [
                try keys.sealed(by: sealing, for: sealingLabel(id)), sealing.mark(uid + keys.file.octets), now.milliseconds, id,
            ])
    }

    private static func nextKeysSealingLabel(_ id: String) -> String { "tags/\(id)/next_keys" }
}
