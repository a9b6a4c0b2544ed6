import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/predictions`: what would be. Nothing is done by asking.
struct PredictionsController: Sendable {
    let hub: Hub
    let mind: Mind

    func addRoutes(to table: RouteTable) {
        table.person(.whatIf, whatIf)
    }

    func whatIf(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(WhatIfBody.self)
        guard (body.scenario?.unicodeScalars.count ?? 0) <= WhatIfBody.maxScenarioLength else {
            throw APIResponseError.validation("scenario", "must have at most \(WhatIfBody.maxScenarioLength) characters")
        }
        let person = try await hub.mindFeed.requester(principal, origin: context.origin)
        let draft = WhatIfRequest(
            scenario: body.scenario ?? "", changes: body.changes, duration: body.duration, metrics: body.metrics, from: body.from,
            days: body.days)
        let answer = try await mind.whatIf.answer(
            draft, seenBy: RequesterVisibility(of: person), preferences: try await hub.preferences.preferences(of: principal))
        await hub.mindFeed.recordAnswer(person, citing: answer.result.replay?.rows.count ?? 0, by: principal, origin: context.origin)
        return try .encoding(PredictionResponses.answer(answer, id: "analysis_" + hub.environment.newID(), in: mind.lexicon))
    }
}
