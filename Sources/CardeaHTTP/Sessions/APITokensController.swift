import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/auth/api-tokens`: tokens for programs.
struct APITokensController: Sendable {
    let hub: Hub

    func addRoutes(to table: RouteTable) {
        table.person(.listAPITokens) { _, _, principal in
            try .encoding(APITokensAnswer(tokens: try await hub.apiTokens.all(of: principal).map { Self.answer($0) }))
        }
        table.person(.makeAPIToken) { request, context, principal in
            let body = try await request.decodeBody(MakeAPITokenBody.self)
            let draft = APITokens.Draft(
                name: body.name, items: body.grants?.map { .init(deviceID: $0.deviceID, entityID: $0.entityID, actions: $0.actions) },
                role: body.role, expiresAt: body.expiresAt, recordsEvents: body.recordsEvents ?? false)
            let (token, secret) = try await hub.apiTokens.make(draft, by: principal, origin: context.origin)
            return try .encoding(Self.answer(token, secret: secret.reveal()), status: .created)
        }
        table.person(.revokeAPIToken) { _, context, principal in
            try await hub.apiTokens.revoke(try context.id(), by: principal, origin: context.origin)
            return .noContent
        }
    }

    private static func answer(_ token: APIToken, secret: String? = nil) -> APITokenAnswer {
        APITokenAnswer(
            tokenID: token.id, name: token.name, role: token.role,
            grants: token.items?.map {
                GrantBody(deviceID: $0.deviceID, entityID: $0.entityID, actions: $0.verbs.map(\.rawValue).sorted())
            }, createdAt: token.createdAt, expiresAt: token.expiresAt, lastUsedAt: token.lastUsedAt,
            recordsEvents: token.recordsEvents, token: secret)
    }
}
