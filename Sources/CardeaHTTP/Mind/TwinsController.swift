import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/v1/twins`: each device's last report and its requested state.
struct TwinsController: Sendable {
    let hub: Hub
    let mind: Mind

    func addRoutes(to table: RouteTable) {
        table.person(.listTwins, list)
        table.person(.makeTwin, make)
        table.person(.showTwin, show)
        table.person(.removeTwin, remove)
    }

    func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let wanted = try TwinResponses.Filter(request.uri.queryParameters)
        let sight = RequesterVisibility(of: try await hub.mindFeed.requester(principal))
        let (twins, at) = try await mind.twins.all(seenBy: sight)
        return try .encoding(TwinsAnswer(twins: twins.map { TwinResponses.answer($0, at: at) }.filter(wanted.matches)))
    }

    func make(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(TwinBody.self)
        let person = try await hub.mindFeed.requester(principal, for: "twin.make", needing: .modifySettings, origin: context.origin)
        let made = try await mind.twins.create(
            try TwinResponses.draft(body), seenBy: RequesterVisibility(of: person),
            record: hub.mindFeed.recorder("twin.make", by: principal, origin: context.origin))
        return try .encoding(CreatedTwinAnswer(TwinResponses.answer(made.twin, at: made.at)), status: .created)
    }

    private func show(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let sight = RequesterVisibility(of: try await hub.mindFeed.requester(principal))
        return try .encoding(TwinResponses.detail(try await mind.twins.one(try context.id(), seenBy: sight), in: mind.lexicon))
    }

    private func remove(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let person = try await hub.mindFeed.requester(principal, for: "twin.remove", needing: .modifySettings, origin: context.origin)
        try await mind.twins.remove(
            try context.id(), seenBy: RequesterVisibility(of: person),
            record: hub.mindFeed.recorder("twin.remove", by: principal, origin: context.origin))
        return .noContent
    }
}

extension EstimateAnswer {
    /// JSON has no number for infinity; a trillion of anything in a house means the same.
    init(_ estimate: Estimate) {
        func finite(_ number: Double) -> Double { number.isNaN ? 0 : min(max(number, -1e12), 1e12) }
        self.init(value: finite(estimate.value), low: finite(estimate.low), high: finite(estimate.high))
    }
}
