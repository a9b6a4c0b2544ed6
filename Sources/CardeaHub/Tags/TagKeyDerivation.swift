import CardeaSecurity
import Crypto
import Foundation
import GRDB

/// The master key from which the keys of the house's own tags are derived (NXP AN10922): no key reveals another one, and a tag that is
/// removed and opened reveals only its own.
enum TagKeyDerivation {
    /// `meta` is the same for all tags of one master: until it is used, the tag is unknown. `file` is for this chip as this tag: registered
    /// again it gets another one, and its earlier links are invalid.
    static func keys(for uid: Data, of tagID: String, by sealing: SealingKey, in db: Database) throws -> (meta: TagKey, file: TagKey) {
        let master = try readOrMakeMaster(by: sealing, in: db)
        return (
            try master.diversified(for: Data("cardea SDMMetaReadKey".utf8)),
            try master.diversified(for: uid + Data(SHA256.hash(data: Data(tagID.utf8))).prefix(16))
        )
    }

    /// Derives other keys for the same tag. The master is replaced, so that the earlier one reveals none of them.
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
