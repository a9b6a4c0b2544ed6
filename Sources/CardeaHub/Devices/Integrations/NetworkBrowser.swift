/// Looks around on the network nearby for what the house could be connected to. An integration fills it.
public protocol NetworkBrowser: Sendable {
    func snapshot() async -> NearbySnapshot
}
