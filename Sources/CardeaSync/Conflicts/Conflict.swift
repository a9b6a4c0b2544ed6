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
