import CardeaMosquitto
import Foundation

extension MQTTConnectionError {
    /// The error in words for the person who looks after the house.
    var message: String {
        switch self {
        case .unreachable(let words): return words.lowercasedFirst
        case .unknownHost: return "the broker's host name is unknown"
        case .tls(let line): return Self.tlsMessage(line)
        case .hungUp: return "the broker closed the connection without an answer"
        case .refused(let code): return Self.refusalMessage(code)
        case .dismissed(let code): return Self.dismissalMessage(code)
        case .lost(let words): return "the connection to the broker was lost: \(words.lowercasedFirst)"
        case .unanswered: return "the broker does not respond"
        case .invalid(let words): return "the settings are not valid: \(words.lowercasedFirst)"
        case .congested: return "the network is congested"
        case .tooLate: return "the command expired before it was sent"
        case .closed: return "the connection was closed"
        }
    }

    private static func tlsMessage(_ line: String) -> String {
        // `OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed`
        let cause = line.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? line
        if line.contains("verify failed") || line.contains("host name") || line.contains("self-signed") || line.contains("self signed") {
            return "the broker's certificate is not trusted: \(cause)"
        }
        if line.contains("alert certificate required") || line.contains("alert handshake failure") || line.contains("bad certificate") {
            return "the broker requires a client certificate that it trusts: \(cause)"
        }
        if line.contains("wrong version number") { return "the broker does not speak TLS on this port: \(cause)" }
        // In these messages a path is the library's name for the given text.
        if line.contains("CA cert") || line.contains("cafile") { return "the CA certificate is not valid PEM" }
        if line.contains("client cert") || line.contains("certfile") { return "the client certificate is not valid PEM" }
        if line.contains("client key") || line.contains("keyfile") || line.contains("inconsistent") {
            return "the client key is not valid PEM, or does not match the client certificate"
        }
        return "no TLS connection to the broker: \(cause)"
    }

    private static func refusalMessage(_ code: Int32) -> String {
        switch code {
        case 1, 132: "the broker supports neither MQTT 5 nor 3.1.1"
        case 2, 133: "the broker does not accept the client id"
        case 3, 136: "the broker is not ready"
        case 4, 134: "not authorised: wrong user name or password"
        case 5, 135: "not authorised"
        case 137: "the broker is busy"
        case 138: "the broker has banned this client"
        case 149: "the broker rejects packets of this size"
        case 159: "the broker limits how often a client connects"
        default: "the broker refused the connection, reason code \(code)"
        }
    }

    private static func dismissalMessage(_ code: Int32) -> String {
        switch code {
        case 135: "no longer authorised"
        case 139: "the broker is shutting down"
        case 141: "the broker received nothing from the hub for too long"
        case 142: "another client uses the same client id"
        case 152: "the broker's administrator ended the connection"
        default: "the broker ended the connection, reason code \(code)"
        }
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
