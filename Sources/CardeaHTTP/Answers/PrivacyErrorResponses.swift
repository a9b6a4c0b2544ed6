import CardeaHub
import CardeaModel
import HTTPTypes

extension APIResponseError {
    static func retention(_ problem: Retention.RetentionError) -> APIResponseError {
        switch problem {
        case .unknownKind(let kind):
            .validation(
                "days", "has an unknown kind: \(kind.prefix(64)). Use \(RetentionKind.allCases.map(\.rawValue).joined(separator: ", "))")
        case .days(let kind, let most):
            .validation("days", "must be from 1 to \(most) for \(kind.rawValue)")
        }
    }

    static func jobs(_ problem: Jobs.JobError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .tooOften(let wait): .rateLimited(wait)
        case .noFiles:
            APIResponseError(
                .conflict, "conflict", "This house stores no files, so exports are not available. Use a house with a data folder.")
        case .noArchive: .notFound
        case .hasEnded: APIResponseError(.conflict, "conflict", "This job has already ended and cannot be stopped.")
        case .cannotBeStopped: APIResponseError(.conflict, "conflict", "An erasure cannot be stopped once it has started.")
        }
    }
}
