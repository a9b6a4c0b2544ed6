import CardeaAPI

/// Finds houses on the local network. `BonjourFinder` of `CardeaClientBonjour` is one.
public protocol HubFinder: Sendable {
    /// Houses as they are found, once for each address. Ends after `patience`, and at once if discovery is not available.
    func discoverHubs(within patience: Duration) -> AsyncStream<DiscoveredHub>
}
