/// The reason why a connection to Home Assistant could not be made, or ended.
enum HomeAssistantConnectionError: Error, Hashable, Sendable {
    case unreachable(String)
    case unknownHost(String)
    case timedOut(String)
    /// The certificate is not one we trust.
    case untrusted(String)
    /// No secure channel, for another reason.
    case tls(String)
    /// An answer of HTTP instead of a WebSocket.
    case notUpgraded(status: Int)
    case hungUp
    /// It is not what Home Assistant would say.
    case malformed
    /// The token is not accepted.
    case unauthorised
    /// It stopped answering.
    case unresponsive
    /// Home Assistant refused the request.
    case refused(String)
    case tooLarge
    case closed

    /// The error in words for the person who looks after the house.
    var message: String {
        switch self {
        case .unreachable(let words): words
        case .unknownHost(let host): "the host name \(host) is unknown"
        case .timedOut(let where_): "timed out: no answer from \(where_)"
        case .untrusted(let cause): "Home Assistant's certificate is not trusted: \(cause)"
        case .tls(let cause): "no TLS connection to Home Assistant: \(cause)"
        case .notUpgraded(let status) where (300..<400).contains(status):
            "the address answers with a redirect (HTTP \(status)), and redirects are not followed"
        case .notUpgraded(let status): "the address is not Home Assistant's WebSocket (HTTP \(status))"
        case .hungUp: "Home Assistant ended the connection"
        case .malformed: "the server's answers are not Home Assistant's"
        case .unauthorised: "wrong token: Home Assistant does not accept it"
        case .unresponsive: "timed out: Home Assistant no longer responds"
        case .refused(let words): "Home Assistant refuses to list its entities: \(words)"
        case .tooLarge: "Home Assistant sent a message that is too large"
        case .closed: "the connection was closed"
        }
    }
}
