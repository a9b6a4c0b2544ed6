/// Searches the local network for services that the house could be connected to. An integration implements it.
public protocol NetworkBrowser: Sendable {
    func snapshot() async -> NearbySnapshot
}
