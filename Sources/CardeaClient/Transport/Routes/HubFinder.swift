import CardeaAPI

/// Looks for houses on the network nearby. One is `BonjourFinder` of `CardeaClientBonjour`.
public protocol HubFinder: Sendable {
    /// Houses as they are found, once for each address. Ends after `patience`, and at once where there is nothing to look with.
    func discoverHubs(within patience: Duration) -> AsyncStream<DiscoveredHub>
}
