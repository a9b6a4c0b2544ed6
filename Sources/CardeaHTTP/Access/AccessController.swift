import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// `/api/v1/activity`, `/api/v1/explain` and `/api/v1/access-changes`: attempts, the reasons for their results, and recent changes of
/// access.
struct AccessController: Sendable {
    let hub: Hub

    func addRoutes(to table: RouteTable) {
        table.person(.listActivity, activity)
        table.person(.listAccessChanges) { _, context, principal in
            let id = try context.id()
            let changes = try await hub.accessChanges.all(of: id == "me" ? nil : id, seenBy: principal)
            return try .encoding(AccessChangesAnswer(days: AccessChanges.days, changes: changes.map(AccessChangeAnswer.init)))
        }
        table.person(.turnAccess) { request, context, principal in
            let body = try await request.decodeBody(TurnAccessBody.self)
            guard let kind = AccessResourceKind(rawValue: try context.id("thing")) else { throw AccessChanges.AccessChangeError.notFound }
            try await hub.accessChanges.turn(kind, try context.id(), on: body.isOn, by: principal, origin: context.origin)
            return .noContent
        }
        table.person(.explainByAddress) { request, _, principal in
            try await explanation(try Self.parseQuestion(request.uri.queryParameters), by: principal)
        }
        table.person(.explain) { request, context, principal in
            let body = try await request.decodeBody(ExplainBody.self)
            return try await hub.readAuditor.read(at: "explain", by: principal, origin: context.origin) {
                try await explanation(body, by: principal)
            }
        }
    }

    private func activity(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let query = request.uri.queryParameters
        let limit = try Self.number(query["limit"].map(String.init), "limit") ?? 50
        let filter = ActivityLog.Filter(
            guestID: query["guest_id"].map(String.init), deviceID: query["device_id"].map(String.init),
            result: query["result"].map(String.init), before: try Self.number(query["before"].map(String.init), "before"), limit: limit)
        let entries = try await hub.activity.entries(filter, seenBy: principal, origin: context.origin)
        let more = entries.count == filter.limit ? entries.last?.id : nil
        return try .encoding(ActivityAnswer(entries: entries.map(ActivityResponses.entry), nextBefore: more))
    }

    /// The question, read from the query of a URL.
    private static func parseQuestion(_ query: FlatDictionary<Substring, Substring>) throws -> ExplainBody {
        func text(_ name: String) -> String? { query[name[...]].map(String.init) }
        guard let deviceID = text("device_id") else { throw APIResponseError.validation("device_id", "is required") }
        guard let action = text("action") else { throw APIResponseError.validation("action", "is required") }
        var body = ExplainBody(guestID: text("guest_id"), personID: text("person_id"), deviceID: deviceID, action: action)
        body.entityID = text("entity_id")
        body.at = try text("at").map { text in
            guard let date = Timestamp.date(text) else {
                throw APIResponseError.validation("at", "must be a time such as 2026-11-21T14:31:07Z")
            }
            return date
        }
        body.remote = try text("remote").map { text in
            guard let remote = Bool(text) else { throw APIResponseError.validation("remote", "must be true or false") }
            return remote
        }
        return body
    }

    private func explanation(_ body: ExplainBody, by principal: Principal) async throws -> Response {
        guard let verb = ActionName(body.action)?.verb ?? Verb(named: body.action) else {
            throw APIResponseError.unknownAction(body.action)
        }
        let explanation = try await hub.accessExplainer.explain(
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
        let asked = explanation.answerers.map { ["answered_by": JSONValue.string($0.rawValue)] }
        return try .encoding(
            ExplainAnswer(
                decision: decision, reason: refusal?.name, details: refusal?.details ?? asked ?? [:], grantID: explanation.grantID,
                checks: checks))
    }

    static func number(_ text: String?, _ name: String) throws -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), number > 0 else { throw APIResponseError.validation(name, "must be a whole number above 0") }
        return number
    }
}
