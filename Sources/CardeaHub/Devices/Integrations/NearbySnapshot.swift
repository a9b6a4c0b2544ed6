/// The services found on the local network.
public struct NearbySnapshot: Sendable {
    public enum BrowsingStatus: String, CaseIterable, Sendable {
        case looking
        /// This machine cannot browse: no Bonjour daemon runs.
        case unavailable
        /// Browsing is switched off.
        case off
    }

    public let status: BrowsingStatus
    public let services: [NearbyService]
    /// True if there were more services than are kept.
    public let isCut: Bool

    public init(sight: BrowsingStatus, services: [NearbyService] = [], isCut: Bool = false) {
        self.status = sight
        self.services = services
        self.isCut = isCut
    }
}
