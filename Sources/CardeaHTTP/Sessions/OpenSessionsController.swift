import CardeaAPI
import CardeaHub
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/auth/sessions`, `/api/v1/people/{id}/sessions` and `/api/v1/auth/step-up`: listing and ending sessions, and the step-up.
struct OpenSessionsController: Sendable {
    let hub: Hub
    let origins: HubOrigins

    func addRoutes(to table: RouteTable) {
        table.person(.listSessions) { _, _, principal in
            try Self.list(try await hub.sessions.open(seenBy: principal))
        }
        table.person(.endSessions, revokeAll)
        table.person(.endSession) { _, context, principal in
            try await hub.sessions.end(try context.id(), by: principal, origin: context.origin)
            return .noContent
        }
        table.person(.listSessionsOfPerson) { _, context, principal in
            try Self.list(try await hub.sessions.open(of: try context.id(), seenBy: principal))
        }
        table.person(.endSessionsOfPerson) { _, context, principal in
            try .encoding(
                RevokedAnswer(revoked: try await hub.sessions.endAll(of: try context.id(), by: principal, origin: context.origin)))
        }
        table.person(.endSessionOfPerson) { _, context, principal in
            try await hub.sessions.end(
                try context.id("session_id"), of: try context.id(), by: principal, origin: context.origin)
            return .noContent
        }
        table.person(.stepUp, stepUp)
    }

    private func revokeAll(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody()
        let keeps = data.isEmpty ? true : try WireFormat.readBody(RevokeSessionsBody.self, from: data).keepCurrent ?? true
        return try .encoding(
            RevokedAnswer(revoked: try await hub.sessions.endAll(keepCurrent: keeps, by: principal, origin: context.origin)))
    }

    private func stepUp(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(StepUpBody.self)
        let until: Date
        switch (body.password, body.credential) {
        case (let password?, nil):
            until = try await hub.sessions.stepUp(password: Secret(password), by: principal, origin: context.origin)
        case (nil, let credential?):
            let party = try PasskeyEncoding.relyingParty(of: request, origins: origins)
            until = try await hub.passkeys.stepUp(
                try PasskeyEncoding.assertion(credential), at: party, by: principal, origin: context.origin)
        default: throw APIResponseError.validation("password", "send either password or credential")
        }
        return try .encoding(StepUpAnswer(until: until))
    }

    private static func list(_ sessions: [OpenSession]) throws -> Response {
        try .encoding(
            OpenSessionsAnswer(
                sessions: sessions.map {
                    OpenSessionAnswer(
                        sessionID: $0.id, device: $0.device, place: $0.isLocal ? "local network" : $0.address, signedInBy: $0.signedInBy,
                        createdAt: $0.createdAt, lastUsedAt: $0.lastUsedAt, expiresAt: $0.expiresAt, current: $0.isCurrent)
                }))
    }
}
