import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

/// An entry as `--json` prints it.
struct QueueEntryAnswer: Encodable {
    let id: String
    /// `control`, `edit`, `suspend`, `revoke`, `make`, `remove`, `remember`, `ask`, `invite`, `forget`, `add`, `complete`, `delete`, `off`
    /// or `tell`.
    let kind: String
    /// `device`, `room`, `scene`, `guest`, `memory`, `question`, `task`, `event`, `twin`, `automation`, `token`, `webhook` or `interview`.
    let subject: String
    let subjectID: String
    let name: String
    @Nullable private(set) var action: String?
    @Nullable private(set) var value: JSONValue?
    let madeAt: Date
    @Nullable private(set) var notAfter: Date?
    let tries: Int
    /// `waiting`, `sent` or `ended`.
    let status: String
    @Nullable private(set) var ending: OutboxOutcome?

    enum CodingKeys: String, CodingKey {
        case id, kind, subject, name, action, value, tries, status, ending
        case subjectID = "subject_id"
        case madeAt = "made_at"
        case notAfter = "not_after"
    }

    init(_ entry: OutboxEntry) {
        id = entry.id
        subject = entry.operation.subject.kind.rawValue
        subjectID = entry.operation.subject.id
        name = entry.operation.name
        madeAt = entry.madeAt
        tries = entry.tries
        switch entry.operation {
        case .control(let control):
            kind = "control"
            action = control.action
            value = control.value
        case .edit: kind = "edit"
        case .withdrawal(let withdrawal): kind = withdrawal.kind.rawValue
        case .scene(.make): kind = "make"
        case .scene(.remove): kind = "remove"
        case .memory: kind = "remember"
        case .request(let request): kind = request.verb
        case .question: kind = "ask"
        }
        switch entry.status {
        case .waiting: status = "waiting"
        case .sent: status = "sent"
        case .ended(let how):
            status = "ended"
            ending = how
        }
        notAfter = entry.notAfter
    }
}
