import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/activity` and `/api/v1/explain`: what was tried, and why it went as it did.
struct AccessHarness: Sendable {
    let hub: Hub

    func add(to table: RouteTable) {
        table.person(.listActivity, activity)
        table.person(.explain, explain)
    }

    private func activity(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let query = request.uri.queryParameters
        let limit = try Self.number(query["limit"].map(String.init), "limit") ?? 50
        let filter = Activity.Filter(
            guestID: query["guest_id"].map(String.init), deviceID: query["device_id"].map(String.init),
            result: query["result"].map(String.init), before: try Self.number(query["before"].map(String.init), "before"), limit: limit)
        let entries = try await hub.activity.entries(filter, seenBy: principal, origin: context.origin)
        let more = entries.count == filter.limit ? entries.last?.id : nil
        return try .encoding(ActivityAnswer(entries: entries.map(ActivityWire.entry), nextBefore: more))
    }

    private func explain(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let body = try await request.read(ExplainBody.self)
        guard let verb = ActionName(body.action)?.verb ?? Verb(named: body.action) else {
            throw Problem(.badRequest, "unsupported_action", "The house does not know the action \(body.action.prefix(64)).")
        }
        let explanation = try await hub.explaining.explain(
            .init(
                guestID: body.guestID, personID: body.personID, deviceID: body.deviceID, entityID: body.entityID, verb: verb, at: body.at,
                isLocal: !(body.remote ?? false)), by: principal)
        let checks = explanation.checks.map {
            ExplainAnswer.Check(check: $0.kind.rawValue, passed: $0.passed, detail: $0.refusal?.sentence)
        }
        let (decision, refusal): (String, Refusal?) =
            switch explanation.decision {
            case .allow: ("allow", nil)
            case .ask: ("ask", nil)
            case .deny(let refusal): ("deny", refusal)
            }
        return try .encoding(
            ExplainAnswer(
                decision: decision, reason: refusal?.name, details: refusal?.details ?? [:], grantID: explanation.grantID, checks: checks))
    }

    static func number(_ text: String?, _ name: String) throws -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), number > 0 else { throw Problem.validation(name, "is a whole number above 0") }
        return number
    }
}
