import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// A change made here that conflicts with another: both versions, until a person decides. Device states never conflict, since the latest
/// value counts (Seed 004, item 36); texts and settings that people edit do.
public struct Conflict: Sendable {
    /// The operation that conflicts.
    public let id: String
    /// The edit made here.
    public let local: OutboxOperation.Edit
    /// The thing as changed elsewhere: the house's JSON.
    public let remote: JSONValue
    public let foundAt: Date

    /// The thing as it would be with the change made here.
    public var localApplied: JSONValue {
        get throws {
            guard case .object(let members) = remote, case .object(let edited) = try local.body else { return remote }
            return .object(members.merging(edited) { _, mine in mine })
        }
    }

    /// The members on which the two versions differ: name, local value, remote value.
    public var differences: [(member: String, mine: JSONValue, theirs: JSONValue)] {
        get throws {
            guard case .object(let edited) = try local.body else { return [] }
            return edited.sorted { $0.key < $1.key }.compactMap { name, mine in
                let other = remote[name] ?? .null
                return other == mine ? nil : (name, mine, other)
            }
        }
    }
}

extension Conflict {
    /// The resolution that merges both versions: this side's change, with the given members replaced.
    ///
    /// - Parameter members: by the names in `differences`, in the wire's form.
    /// - Throws: `ConflictMergeError` if the change has no such member, or the value is not valid for it.
    public func merged(_ members: [String: JSONValue]) throws -> ConflictResolution {
        guard case .object(let edited) = try local.body else { return .useLocal }
        if let stranger = members.keys.sorted().first(where: { edited[$0] == nil }) {
            throw ConflictMergeError.unknownMember(stranger, known: edited.keys.sorted())
        }
        let merged = try WireFormat.encode(JSONValue.object(edited.merging(members) { _, chosen in chosen }))
        do throws(WireFormat.BodyError) {
            return .merge(try local.change.replacingBody(merged))
        } catch {
            throw ConflictMergeError.invalidValue(error)
        }
    }
}
