import CardeaAPI
import CardeaAutomations
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaMindAdapter
import HTTPTypes
import Hummingbird

/// `/api/v1/automations`: the automations of the house.
struct AutomationsController: Sendable {
    let hub: Hub
    let automations: Automations

    func addRoutes(to table: RouteTable) {
        table.person(.listAutomations, list)
        table.person(.addAutomation, add)
        table.person(.showAutomation, show)
        table.person(.replaceAutomation, replace)
        table.person(.removeAutomation, remove)
        table.person(.showAutomationHistory, history)
        table.person(.tryAutomation, dryRun)
    }

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try await requireSettingsRight(principal)
        return try .encoding(AutomationsAnswer(automations: try await automations.all().map(AutomationAnswer.init)))
    }

    private func show(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try await requireSettingsRight(principal)
        let automation = try await automations.one(try context.id())
        if request.hasCached(version: automation.version) { return .notModified(automation.version) }
        return try .encoding(AutomationAnswer(automation)).withETag(automation.version)
    }

    private func history(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let query = request.uri.queryParameters
        let before = try query["before"].map { text in
            guard text.count <= 18, let number = Int64(text), number > 0 else {
                throw APIResponseError.validation("before", "must be the number of a run of an earlier page")
            }
            return "\(number)"
        }
        let limit = try DeviceQuery.number(query, "limit", 1...200) ?? 50
        try await requireSettingsRight(principal)
        let id = try context.id()
        let (runs, hasMore) = try await automations.history(of: id, before: before, limit: limit)
        return try .encoding(AutomationHistoryAnswer(automationID: id, runs: runs.map(AutomationRunAnswer.init), hasMore: hasMore))
    }

    private func add(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(AutomationBody.self)
        let author = try await author("automation.add", principal, context)
        let automation = try await hub.mindFeed.audited("automation.add", by: principal, origin: context.origin) {
            try await automations.add(hub.devices.formerIDs.current(body.draft), by: author)
        }
        return try .encoding(AutomationAnswer(automation), status: .created).withETag(automation.version)
    }

    private func replace(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(AutomationBody.self)
        let seen = try request.expectedVersion()
        let author = try await author("automation.change", principal, context)
        let id = try context.id()
        let automation = try await hub.mindFeed.audited("automation.change", by: principal, origin: context.origin) {
            try await automations.replace(id, with: hub.devices.formerIDs.current(body.draft), seen: seen, by: author)
        }
        return try .encoding(AutomationAnswer(automation)).withETag(automation.version)
    }

    private func remove(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let seen = try request.expectedVersion()
        _ = try await requireAuthor(principal, "automation.remove", context)
        try await automations.remove(
            try context.id(), seen: seen, record: hub.mindFeed.recorder("automation.remove", by: principal, origin: context.origin))
        return .noContent
    }

    private func dryRun(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(AutomationTrialBody.self)
        let person = try await requireAuthor(principal, "automation.try", context)
        let id = try context.id()
        let trial = try await automations.dryRun(id, days: body.days ?? 7, seenBy: RequesterVisibility(of: person))
        await hub.mindFeed.recordAnswer(person, citing: trial.runs.count, by: principal, origin: context.origin)
        return try .encoding(
            AutomationTrialAnswer(automationID: id, from: trial.from, to: trial.to, happenings: trial.evidenceCount, runs: trial.runs))
    }

    /// Requires the right to change settings. The route table records a refusal in the audit log.
    private func requireSettingsRight(_ principal: Principal) async throws {
        _ = try await hub.mindFeed.requester(principal, needing: .modifySettings)
    }

    private func author(_ action: String, _ principal: Principal, _ context: HubRequestContext) async throws -> Automations.Author {
        let (hands, insight, origin) = (HubHouseActuator(hub.automationGateway), hub.mindFeed, context.origin)
        return Automations.Author(
            try await requireAuthor(principal, action, context), record: insight.recorder(action, by: principal, origin: origin),
            write: { try insight.requiringStepUpForWiderAccess(for: principal, in: $0, $1) },
            nameProblem: { try await insight.nameProblem($0) },
            objection: { try await hands.objection(to: $0, previous: $1, by: principal, origin: origin) })
    }

    private func requireAuthor(_ principal: Principal, _ action: String, _ context: HubRequestContext) async throws -> Person {
        try await hub.mindFeed.requester(principal, for: action, needing: .modifySettings, origin: context.origin)
    }
}
