import CardeaAPI

/// An announced house. Its key must prove that it is that house.
public struct DiscoveredHub: Hashable, Sendable {
    public let announcement: HouseAdvertisement
    /// The announced key.
    public let pin: Pin
    /// The announced address.
    public let hub: HubAddress
    public let route: HubRoute

    /// - Parameter host: its name on the network, for a sign whose address is none.
    /// - Returns: nil if the sign names no key.
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
