import CardeaHub
import Hummingbird
import NIOCore

/// The context of a request: its origin and its number.
struct HubRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address of the peer; nil if there is no socket.
    let peer: String?
    /// The connection, for the one route that upgrades it to another protocol.
    let channel: any Channel
    /// The connection's place; nil if there is no socket.
    let connectionSlot: ConnectionSlot?
    /// Set by `HostValidationMiddleware` once it knows the trusted address.
    var origin: RequestOrigin
    /// True if a refresh token may be sent and received in a cookie; false below `/v1`.
    var acceptsCookies = true

    init(source: Source) {
        coreContext = .init(source: source)
        channel = source.channel
        connectionSlot = ConnectionSlot.current
        peer = source.channel.remoteAddress?.ipAddress
        origin = RequestOrigin(remote: peer, isLocal: true, requestID: nil)
    }
}
