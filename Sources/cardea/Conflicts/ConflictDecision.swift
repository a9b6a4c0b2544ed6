import CardeaModel
import CardeaSync

/// The decision between two versions, field by field.
struct ConflictDecision {
    private let conflict: Conflict
    private let differences: [(member: String, mine: JSONValue, theirs: JSONValue)]
    private(set) var chosen: [String: JSONValue] = [:]

    init(_ conflict: Conflict) throws {
        self.conflict = conflict
        differences = try conflict.differences
    }

    /// The fields that are not decided yet.
    var undecided: [(member: String, mine: JSONValue, theirs: JSONValue)] { differences.filter { chosen[$0.member] == nil } }

    mutating func choose(_ side: ConflictResolveCommand.Side) {
        guard side != .merge else { return }
        for one in undecided { chosen[one.member] = side == .mine ? one.mine : one.theirs }
    }

    /// - Parameter value: `mine`, `theirs`, or the value itself: JSON if the field is no text.
    mutating func choose(_ member: String, _ value: String) {
        let both = differences.first { $0.member == member }
        switch (value, both) {
        case ("mine", let both?): chosen[member] = both.mine
        case ("theirs", let both?): chosen[member] = both.theirs
        case (_, let both?) where both.mine.string != nil || both.theirs.string != nil: chosen[member] = .string(value)
        default: chosen[member] = ParsedValue(argument: value)?.json ?? .string(value)
        }
    }

    /// - Precondition: nothing is open.
    var resolution: ConflictResolution {
        get throws {
            if isAll(\.theirs) { return .useRemote }
            return isAll(\.mine) ? .useLocal : try conflict.merged(chosen)
        }
    }

    var isAllTheirs: Bool { isAll(\.theirs) }

    private func isAll(_ side: KeyPath<(member: String, mine: JSONValue, theirs: JSONValue), JSONValue>) -> Bool {
        chosen.count == differences.count && differences.allSatisfy { chosen[$0.member] == $0[keyPath: side] }
    }
}
