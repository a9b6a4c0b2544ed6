import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The fields of a thing by which it is found.
struct ReplicaDocumentOutline: Decodable {
    let name: String?
    private let entities: [Entity]?

    private struct Entity: Decodable {
        let kind: String?
        let type: String

        enum CodingKeys: String, CodingKey {
            case kind
            case type = "entity_type"
        }
    }

    var kinds: [EntityKind] { (entities ?? []).compactMap { EntityKind(rawValue: $0.kind ?? $0.type) } }
}

/// The table of things of the house.
struct ReplicaDocumentTable: Sendable {
    let sealing: SealingKey

    /// A keyed hash of a thing's id: rows are found by it, and it reveals nothing.
    func key(_ kind: ReplicaDocumentKind, _ id: String) -> Data {
        sealing.mark(Data("\(kind.rawValue)/\(id)".utf8))
    }

    /// A cursor, because all documents of a large house may not fit in memory beside the values made from them.
    func all(_ kind: ReplicaDocumentKind, in db: Database) throws -> some Cursor<ReplicaDocument> {
        try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT mark, sealed FROM documents WHERE kind = ? ORDER BY position"), arguments: [kind.rawValue]
        ).map { try open($0[1], kind: kind, mark: $0[0]) }
    }

    func find(_ kind: ReplicaDocumentKind, _ id: String, in db: Database) throws -> ReplicaDocument? {
        let mark = key(kind, id)
        return try Data.fetchOne(db.cachedStatement(sql: "SELECT sealed FROM documents WHERE mark = ?"), arguments: [mark]).map {
            try open($0, kind: kind, mark: mark)
        }
    }

    /// Stores the present state of a thing; a new one is added at the end.
    func store(_ document: ReplicaDocument, in db: Database) throws {
        let mark = key(document.kind, document.id)
        try db.cachedStatement(
            sql: """
                INSERT INTO documents (mark, kind, position, sealed)
                VALUES (:mark, :kind, (SELECT coalesce(max(position), -1) + 1 FROM documents WHERE kind = :kind), :sealed)
                ON CONFLICT (mark) DO UPDATE SET sealed = excluded.sealed
                """
        ).execute(arguments: ["mark": mark, "kind": document.kind.rawValue, "sealed": try seal(document, mark)])
    }

    /// Marks a kind as stale: a changed thing must still be read.
    func markStale(_ kind: ReplicaDocumentKind, in db: Database) throws {
        // A device comes whole with its event.
        guard kind != .device else { return }
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO stale_kinds (kind) VALUES (?)").execute(arguments: [kind.rawValue])
    }

    func remove(_ kind: ReplicaDocumentKind, _ id: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM documents WHERE mark = ?").execute(arguments: [key(kind, id)])
    }

    /// Replaces all documents of the kind by these, in this order.
    func replace(_ kind: ReplicaDocumentKind, with documents: [ReplicaDocument], in db: Database) throws {
        try db.execute(sql: "DELETE FROM documents WHERE kind = ?", arguments: [kind.rawValue])
        let statement = try db.cachedStatement(sql: "INSERT OR REPLACE INTO documents (mark, kind, position, sealed) VALUES (?, ?, ?, ?)")
        for (position, document) in documents.enumerated() {
            let mark = key(kind, document.id)
            try statement.execute(arguments: [mark, kind.rawValue, position, try seal(document, mark)])
        }
        try db.execute(sql: "DELETE FROM stale_kinds WHERE kind = ?", arguments: [kind.rawValue])
    }

    private func seal(_ document: ReplicaDocument, _ mark: Data) throws -> Data {
        // The id before the JSON, with its length: the JSON is kept as it is, and need not be escaped.
        let id = Data(document.id.utf8)
        var plain = withUnsafeBytes(of: UInt16(clamping: id.count).bigEndian) { Data($0) }
        plain.append(id.prefix(Int(UInt16.max)))
        plain.append(document.json)
        return try sealing.seal(plain, for: sealingContext(document.kind, mark))
    }

    private func open(_ sealed: Data, kind: ReplicaDocumentKind, mark: Data) throws -> ReplicaDocument {
        let plain = try sealing.open(sealed, for: sealingContext(kind, mark))
        let length = plain.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        let rest = plain.dropFirst(2)
        return ReplicaDocument(kind, String(decoding: rest.prefix(length), as: UTF8.self), json: Data(rest.dropFirst(length)))
    }

    /// Binds a sealed document to its row: in another row it cannot be decrypted.
    private func sealingContext(_ kind: ReplicaDocumentKind, _ mark: Data) -> String {
        "documents/\(kind.rawValue)/\(mark.base64EncodedString())"
    }
}
