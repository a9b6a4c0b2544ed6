import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/consciousness`: the house's answers and its mood.
struct MindController: Sendable {
    let hub: Hub
    let mind: Mind

    func addRoutes(to table: RouteTable) {
        table.person(.askHouse, ask)
        table.person(.showConsciousness, status)
        table.person(.showEmotions, emotions)
    }

    func ask(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(AskHouseBody.self)
        guard (1...AskHouseBody.maxLength).contains(body.query.unicodeScalars.count) else {
            throw APIResponseError.validation("query", "must have 1 to \(AskHouseBody.maxLength) characters")
        }
        guard (body.context?.count ?? 0) <= 32 else { throw APIResponseError.validation("context", "must have at most 32 fields") }
        let isLate = try isLate(body)
        let person = try await hub.mindFeed.requester(principal, origin: context.origin)
        let reply = try await mind.answer(
            body.query, in: body.context?["conversation"]?.string.map { String($0.prefix(64)) } ?? "",
            seenBy: RequesterVisibility(of: person),
            preferences: try await hub.preferences.preferences(of: principal), isLate: isLate)
        await hub.mindFeed.recordAnswer(person, citing: reply.events.count, by: principal, origin: context.origin)
        return try .encoding(MindResponses.reply(reply, hasDevices: body.includeDevices ?? true))
    }

    /// True for a question that waited for the house.
    private func isLate(_ body: AskHouseBody) throws -> Bool {
        guard let askedAt = body.context?[AskHouseBody.askedAt], askedAt != .null else { return false }
        guard askedAt.string.flatMap(Timestamp.date) != nil else {
            throw APIResponseError.validation("context.\(AskHouseBody.askedAt)", "must be a time such as 2026-11-29T08:00:00Z")
        }
        return true
    }

    func status(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try .encoding(try await consciousness(principal))
    }

    /// The house's status, as far as the principal may know it.
    func consciousness(_ principal: Principal) async throws -> ConsciousnessAnswer {
        let sight = RequesterVisibility(of: try await hub.mindFeed.requester(principal))
        let (awareness, devices) = await mind.awareness(seenBy: sight)
        let mood = mind.mood(seenBy: sight, degrees: try await hub.preferences.preferences(of: principal).temperatureUnit)
        return ConsciousnessAnswer(
            status: awareness.status.rawValue, awarenessLevel: awareness.level,
            awareness: Dictionary(awareness.parts.map { ($0.name.rawValue, $0.value) }, uniquingKeysWith: { first, _ in first }),
            emotionalState: MindResponses.state(mood), activeDevices: devices.count { $0.status == .online },
            saflaLoops: mind.loopsStatus().activeLoops, lastUpdate: mind.polledAt)
    }

    func emotions(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let query = request.uri.queryParameters
        let span = try query["time_range"].map { try MindResponses.span(String($0)) } ?? 3600
        let hasHistory = try query["include_history"].map { text in
            guard let flag = Bool(String(text)) else { throw APIResponseError.validation("include_history", "must be true or false") }
            return flag
        }
        let sight = RequesterVisibility(of: try await hub.mindFeed.requester(principal))
        let degrees = try await hub.preferences.preferences(of: principal).temperatureUnit
        let now = hub.environment.now()
        let moments =
            hasHistory == false
            ? nil
            : mind.moodHistory(from: now.addingTimeInterval(-span), to: now.addingTimeInterval(1), seenBy: sight).map {
                MindResponses.moment($0, in: degrees)
            }
        return try .encoding(
            EmotionsAnswer(current: MindResponses.state(mind.mood(seenBy: sight, degrees: degrees)), history: moments))
    }
}
