import CardeaModel
import CardeaStore
import Synchronization

/// What the house could be connected to.
extension Integrations {
    public struct Nearby: Sendable {
        public let view: NearbyView
        public let suggestions: [Suggestion]
    }

    public struct Suggestion: Sendable {
        public let thing: NearbyThing
        public let advice: NearbyAdvice
    }

    /// Has these eyes look around from now on.
    public func look(with eyes: any NearbyEyes) {
        self.eyes.withLock { $0 = eyes }
    }

    /// What stands on the network nearby, and what can be done with it.
    public func nearby(seenBy principal: Principal) async throws -> Nearby {
        _ = try await store.read { try People.require(.modifySettings, of: principal, in: $0) }
        let view = await eyes.withLock({ $0 })?.view() ?? NearbyView(sight: .off)
        let connected = try await address(of: NearbyThing.Kind.homeAssistant.rawValue)
        return Nearby(view: view, suggestions: view.things.map { Suggestion(thing: $0, advice: NearbyAdvice($0, connectedTo: connected)) })
    }

    private func address(of integration: String) async throws -> NearbyAddress? {
        try await settings(shownOf: integration)?["url"]?.string.flatMap(NearbyAddress.init)
    }
}
