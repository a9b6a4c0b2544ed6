import CardeaAPI

/// A house that says it is there. Whether it is, its key must prove.
public struct DiscoveredHub: Hashable, Sendable {
    public let announcement: HouseAdvertisement
    /// The key it says it has.
    public let pin: Pin
    /// Under which it wants to be spoken to.
    public let hub: HubAddress
    public let route: HubRoute

    /// - Parameter host: its name on the network, for a sign whose address is none.
    /// - Returns: nil where the sign names no key.
    public init?(_ sign: HouseAdvertisement, host: String, address: String, port: Int) {
        let own = "https://\(HubRoute(.direct, host: host, port: port))"
        guard let pin = try? Pin(sign.pin), let hub = Self.https(sign.baseURL) ?? Self.https(own) else { return nil }
        self.announcement = sign
        self.pin = pin
        self.hub = hub
        route = HubRoute(.local, host: address, port: port)
    }

    private static func https(_ text: String) -> HubAddress? {
        text.hasPrefix("https://") ? try? HubAddress(text) : nil
    }
}
