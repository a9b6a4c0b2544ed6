import CardeaModel
import CardeaStore
import Synchronization

/// Services that the house could be connected to.
extension Integrations {
    public struct NearbyServices: Sendable {
        public let snapshot: NearbySnapshot
        public let suggestions: [Suggestion]
    }

    public struct Suggestion: Sendable {
        public let service: NearbyService
        public let advice: NearbyServiceAdvice
    }

    /// Sets the browser that searches the local network.
    public func setNetworkBrowser(with browser: any NetworkBrowser) {
        self.networkBrowser.withLock { $0 = browser }
    }

    /// The services on the local network, each with advice on how to connect it.
    public func nearby(seenBy principal: Principal) async throws -> NearbyServices {
        _ = try await store.read { try People.require(.modifySettings, of: principal, in: $0) }
        let view = await networkBrowser.withLock({ $0 })?.snapshot() ?? NearbySnapshot(sight: .off)
        let connected = try await address(of: NearbyService.Kind.homeAssistant.rawValue)
        return NearbyServices(
            snapshot: view,
            suggestions: view.services.map { Suggestion(service: $0, advice: NearbyServiceAdvice($0, connectedTo: connected)) })
    }

    private func address(of integration: String) async throws -> NearbyAddress? {
        try await settings(visibleOf: integration)?["url"]?.string.flatMap(NearbyAddress.init)
    }
}
