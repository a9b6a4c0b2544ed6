import CardeaModel
import CardeaStore
import GRDB

/// The previous names of people. Only the person sees them, in their own export; an erasure uses them to find mentions.
enum PreviousNames {
    /// Previous names per person: more than anyone has, and few enough for a row.
    static let limit = 100

    /// The earliest first.
    static func names(_ personID: String, _ db: Database) throws -> [String] {
        let text = try String.fetchOne(
            db, sql: "SELECT opened(former_names, 'people.former_names', id) FROM people WHERE id = ?", arguments: [personID])
        guard let text, case .array(let names)? = JSONValue.read(Array(text.utf8)) else { return [] }
        return names.compactMap(\.string)
    }

    static func add(_ name: String, of personID: String, in db: Database) throws {
        let names = (try names(personID, db).filter { $0 != name } + [name]).suffix(limit)
        try db.execute(
            sql: "UPDATE people SET former_names = sealed(?, 'people.former_names', id) WHERE id = ?",
            arguments: [try JSONText.encode(.array(names.map(JSONValue.string))), personID])
    }
}
