import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

/// A conflict as `--json` prints it.
struct ConflictAnswer: Encodable {
    let id: String
    /// `device`, `room` or `scene`.
    let subject: String
    let subjectID: String
    let name: String
    let foundAt: Date
    /// The thing as it would be with the change made here.
    let mine: JSONValue
    /// The thing as the house has it.
    let theirs: JSONValue
    let differences: [Difference]

    struct Difference: Encodable {
        let member: String
        let mine: JSONValue
        let theirs: JSONValue
    }

    enum CodingKeys: String, CodingKey {
        case id, subject, name, mine, theirs, differences
        case subjectID = "subject_id"
        case foundAt = "found_at"
    }

    init(_ conflict: Conflict) throws {
        id = conflict.id
        subject = conflict.local.subject.kind.rawValue
        subjectID = conflict.local.subject.id
        name = conflict.local.name
        foundAt = conflict.foundAt
        mine = try conflict.localApplied
        theirs = conflict.remote
        differences = try conflict.differences.map { Difference(member: $0.member, mine: $0.mine, theirs: $0.theirs) }
    }
}
