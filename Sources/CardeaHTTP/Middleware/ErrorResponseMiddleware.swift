import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import Logging

/// Turns every error into the answer of the API family that was called.
struct ErrorResponseMiddleware: RouterMiddleware {
    typealias Context = HubRequestContext
    let environment: HubEnvironment

    func handle(_ request: Request, context: HubRequestContext, next: (Request, HubRequestContext) async throws -> Response) async throws
        -> Response
    {
        do {
            return try await next(request, context)
        } catch {
            let problem = APIResponseError(error, at: request.uri.path)
            if problem.status.code >= 500, problem.code == "internal_error" || Self.isDatabaseCorruption(error) {
                // Only the error's type and number: its text could contain data that must not be logged.
                let code = (error as? DatabaseError).map { " \($0.extendedResultCode.rawValue)" } ?? ""
                context.logger.error(
                    "request failed",
                    metadata: ["request_id": "\(context.origin.requestID ?? "none")", "error": "\(type(of: error))\(code)"])
            }
            return try response(problem, request, context)
        }
    }

    private func response(_ problem: APIResponseError, _ request: Request, _ context: HubRequestContext) throws -> Response {
        let body: Data
        if request.uri.path.hasPrefix("/api/guest_access") {
            var fields: [String: JSONValue] = ["success": false, "error": .string(problem.code), "message": .string(problem.message)]
            fields.merge(problem.details) { existing, _ in existing }
            if let retryAfter = problem.retryAfter { fields["retry_after"] = .number(Double(retryAfter)) }
            body = try WireFormat.encode(JSONValue.object(fields))
        } else {
            let answer = ErrorAnswer(
                code: problem.code, message: problem.message, details: problem.details, timestamp: environment.now(),
                requestID: context.origin.requestID ?? "")
            body =
                try request.uri.path.hasPrefix("/api/v1/mobile/") ? WireFormat.encode(MobileErrorAnswer(answer)) : WireFormat.encode(answer)
        }
        var response = Response.json(body, status: problem.status)
        if let retryAfter = problem.retryAfter { response.headers[.retryAfter] = "\(retryAfter)" }
        response.headers.append(contentsOf: problem.rateLimitFields)
        if let nonce = problem.nonce { response.headers[.dpopNonce] = nonce }
        if let version = problem.version { response.headers[.eTag] = "\"\(version)\"" }
        if problem.isReplay { response.headers[.idempotentReplayed] = "true" }
        if !problem.allowedMethods.isEmpty { response.headers[.allow] = problem.allowedMethods.joined(separator: ", ") }
        if let challenge = problem.challenge { response.headers[.wwwAuthenticate] = challenge.headerValue }
        return response
    }

    /// Returns whether the database is damaged or its disk cannot be read. Unlike a full disk, this cannot be seen from outside.
    private static func isDatabaseCorruption(_ error: any Error) -> Bool { (error as? DatabaseError)?.resultCode == .SQLITE_CORRUPT }
}
