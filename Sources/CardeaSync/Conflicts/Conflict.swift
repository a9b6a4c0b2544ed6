import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// A change made here that met another's: both versions, until somebody decides. How devices stand never conflicts, since the latest
/// word counts (Seed 004, item 36); what people wrote does.
public struct Conflict: Sendable {
    /// The operation that met it.
    public let id: String
    /// What was wished here.
    public let local: OutboxOperation.Edit
    /// The thing as somebody else left it: the house's JSON.
    public let remote: JSONValue
    public let foundAt: Date

    /// The thing as it would be with the change made here.
    public var localApplied: JSONValue {
        get throws {
            guard case .object(let members) = remote, case .object(let said) = try local.body else { return remote }
            return .object(members.merging(said) { _, mine in mine })
        }
    }

    /// What the two disagree about: member, here, there.
    public var differences: [(member: String, mine: JSONValue, theirs: JSONValue)] {
        get throws {
            guard case .object(let said) = try local.body else { return [] }
            return said.sorted { $0.key < $1.key }.compactMap { name, mine in
                let other = remote[name] ?? .null
                return other == mine ? nil : (name, mine, other)
            }
        }
    }
}

extension Conflict {
    /// What decides it as somebody made of both: this side's change, with these members as they are given here.
    ///
    /// - Parameter members: by the names `differences` has, in the wire's form.
    /// - Throws: `ConflictMergeError` where the change says nothing of such a member, or the member cannot be so.
    public func merged(_ members: [String: JSONValue]) throws -> ConflictResolution {
        guard case .object(let said) = try local.body else { return .useLocal }
        if let stranger = members.keys.sorted().first(where: { said[$0] == nil }) {
            throw ConflictMergeError.unknownMember(stranger, known: said.keys.sorted())
        }
        let merged = try WireFormat.encode(JSONValue.object(said.merging(members) { _, chosen in chosen }))
        do throws(WireFormat.BodyError) {
            return .merge(try local.change.replacingBody(merged))
        } catch {
            throw ConflictMergeError.invalidValue(error)
        }
    }
}

/// Why two versions cannot be brought together like that.
public enum ConflictMergeError: Error, Hashable, Sendable, LocalizedError {
    case unknownMember(String, known: [String])
    case invalidValue(WireFormat.BodyError)

    public var errorDescription: String? {
        switch self {
        case .unknownMember(let name, let known):
            "There is nothing called \"\(name)\" to decide. There is: \(known.joined(separator: ", "))."
        case .invalidValue(.field(let name, let why)): "\(name) \(why)."
        case .invalidValue: "What it was to become is not what the house takes."
        }
    }
}

/// How a conflict ends.
public enum ConflictResolution: Sendable {
    /// As it was wished here.
    case useLocal
    /// As somebody else left it.
    case useRemote
    /// As somebody made of both.
    case merge(OutboxOperation.Edit.Change)
}

/// Conflicts as rows.
struct ConflictTable: Sendable {
    let sealing: SealingKey

    private struct SealedVersions: Codable {
        let mine: OutboxOperation.Edit
        let theirs: JSONValue
    }

    func add(_ id: String, lane: Data, _ mine: OutboxOperation.Edit, theirs: JSONValue, at now: Date, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO conflicts (id, lane, sealed, found_at) VALUES (?, ?, ?, ?)",
            arguments: [
                id, lane, try sealing.seal(JSONEncoder().encode(SealedVersions(mine: mine, theirs: theirs)), for: "conflicts/\(id)"),
                now.milliseconds,
            ])
    }

    func all(in db: Database) throws -> [Conflict] {
        try Row.fetchAll(db, sql: "SELECT id, sealed, found_at FROM conflicts ORDER BY found_at, id").map(conflict)
    }

    func find(_ id: String, in db: Database) throws -> Conflict? {
        try Row.fetchOne(db, sql: "SELECT id, sealed, found_at FROM conflicts WHERE id = ?", arguments: [id]).map(conflict)
    }

    /// Things that nothing is sent about, because somebody must decide first.
    func blockedLanes(in db: Database) throws -> Set<Data> {
        try Data.fetchSet(db, sql: "SELECT lane FROM conflicts")
    }

    func remove(_ id: String, in db: Database) throws {
        try db.execute(sql: "DELETE FROM conflicts WHERE id = ?", arguments: [id])
    }

    private func conflict(_ row: Row) throws -> Conflict {
        let id: String = row[0]
        let sealed = try JSONDecoder().decode(SealedVersions.self, from: sealing.open(row[1], for: "conflicts/\(id)"))
        return Conflict(id: id, local: sealed.mine, remote: sealed.theirs, foundAt: Date(milliseconds: row[2]))
    }
}
