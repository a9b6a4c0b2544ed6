import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes

/// Errors of cameras, as status and code.
extension APIResponseError {
    static func cameras(_ problem: Cameras.CameraError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "camera_not_found", "There is no camera with this id. Reload the list of cameras.")
        case .name(let problem): .name(problem, field: "name")
        case .field(let problem): .field(problem)
        case .source("source", let words): .validation("source", words)
        case .source(let field, let words): .validation("source.\(field)", words)
        case .motionNeedsStream:
            .validation(
                "detection.motion",
                "needs a source of kind rtsp, because motion is detected in a stream. Change the source, or set it to false")
        case .full: APIResponseError(.conflict, "conflict", "The house has the maximum number of cameras. Remove one first.")
        case .stale(let seen): .preconditionFailed(CameraResponses.answer(seen), version: seen.camera.version)
        case .offline(let trouble):
            APIResponseError(
                .serviceUnavailable, "camera_offline", "The camera is offline: \(trouble.message).",
                details: ["reason": .string(trouble.message)], retryAfter: 10)
        case .tooMany(let wait): .rateLimited(wait)
        }
    }

    static func webhooks(_ problem: IncomingWebhooks.WebhookError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .name(let problem): .name(problem, field: "name")
        case .field(let field, let words): .validation(field, words)
        case .full: APIResponseError(.conflict, "conflict", "The house has the maximum number of webhooks. Revoke one first.")
        case .tooMany(let wait): .rateLimited(wait)
        case .unreadable:
            APIResponseError(
                .badRequest, "invalid_request",
                "The type of the event cannot be read from the body. Add the type to the end of the webhook's URL.")
        }
    }
}
