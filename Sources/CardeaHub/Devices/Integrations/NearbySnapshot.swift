/// What stands on the network nearby just now.
public struct NearbySnapshot: Sendable {
    public enum BrowsingStatus: String, CaseIterable, Sendable {
        case looking
        /// Nothing on this machine can be asked: no Bonjour daemon runs.
        case unavailable
        /// The hub was told not to look.
        case off
    }

    public let status: BrowsingStatus
    public let services: [NearbyService]
    /// There were more than are kept.
    public let isCut: Bool

    public init(sight: BrowsingStatus, things: [NearbyService] = [], isCut: Bool = false) {
        self.status = sight
        self.services = things
        self.isCut = isCut
    }
}
