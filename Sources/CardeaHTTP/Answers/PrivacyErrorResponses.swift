import CardeaHub
import CardeaModel
import HTTPTypes

extension APIResponseError {
    static func retention(_ problem: Retention.RetentionError) -> APIResponseError {
        switch problem {
        case .unknownKind(let kind):
            .validation(
                "days", "knows no \(kind.prefix(64)): it is one of \(RetentionKind.allCases.map(\.rawValue).joined(separator: ", "))")
        case .days(let kind, let most):
            .validation("days", "of \(kind.rawValue) are 1 to \(most): the house can keep it for less, never for longer")
        }
    }

    static func jobs(_ problem: Jobs.JobError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .tooOften(let wait): .rateLimited(wait)
        case .noFiles:
            APIResponseError(.conflict, "conflict", "This house keeps no files, so there is nothing to pack. A house of your own does.")
        case .noArchive: .notFound
        case .hasEnded: APIResponseError(.conflict, "conflict", "It is at its end already: there is nothing to stop.")
        case .cannotBeStopped: APIResponseError(.conflict, "conflict", "An erasure goes on to its end: half of one would be none.")
        }
    }
}
