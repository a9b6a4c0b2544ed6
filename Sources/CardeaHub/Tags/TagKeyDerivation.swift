import CardeaSecurity
import Crypto
import Foundation
import GRDB

/// The key of which the keys of the house's own tags are made (NXP AN10922): none of them tells anything of another, and a tag that was taken
/// off a wall and opened gives away itself alone.
enum TagKeyDerivation {
    /// `meta` is the same for all tags of one master: until it is used nobody knows which tag speaks. `file` is of this chip as this tag: put in
    /// again it gets another, and what it said before is worth nothing.
    static func keys(for uid: Data, of tagID: String, by sealing: SealingKey, in db: Database) throws -> (meta: TagKey, file: TagKey) {
        let master = try readOrMakeMaster(by: sealing, in: db)
        return (
            try master.diversified(for: Data("cardea SDMMetaReadKey".utf8)),
            try master.diversified(for: uid + Data(SHA256.hash(data: Data(tagID.utf8))).prefix(16))
        )
    }

    /// Other keys for the same tag. The master is another from now on, so that whoever has found out the one before knows none of them.
    static func rotatedKeys(for uid: Data, of tagID: String, by sealing: SealingKey, in db: Database) throws -> (meta: TagKey, file: TagKey)
    {
        _ = try rotateMaster(by: sealing, in: db)
        return try keys(for: uid, of: tagID, by: sealing, in: db)
    }

    private static func readOrMakeMaster(by sealing: SealingKey, in db: Database) throws -> TagKey {
        if let sealed = try Data.fetchOne(db, sql: "SELECT master FROM tag_settings") {
            return try TagKey(hex: Secret(String(decoding: sealing.open(sealed, for: sealingLabel), as: UTF8.self)))
        }
        return try rotateMaster(by: sealing, in: db)
    }

    private static func rotateMaster(by sealing: SealingKey, in db: Database) throws -> TagKey {
        let made = TagKey.make()
        try db.execute(
            sql: "UPDATE tag_settings SET master = ?", arguments: [try sealing.seal(Data(made.hex.reveal().utf8), for: sealingLabel)])
        return made
    }

    private static let sealingLabel = "tag_settings/1/master"
}
