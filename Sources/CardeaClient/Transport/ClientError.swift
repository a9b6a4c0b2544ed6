import CardeaModel
import CardeaSecurity
import Foundation

/// The reason why a call failed, on this side or on the hub's.
public enum ClientError: Error, Hashable, Sendable {
    /// Plain http to another machine. Tokens would be readable on the way, so nothing was sent.
    case insecureConnection(host: String)
    case invalidURL(String)
    /// The request cannot be encoded for the hub.
    case invalidRequest(String)
    /// No host answers at that address. Nothing was sent.
    case noConnection(host: String)
    /// The host that answers cannot prove to be the hub. Nothing was sent.
    case untrusted(host: String)
    /// The connection ended before the answer; the hub may have done it.
    case interrupted(host: String)
    /// No answer in time; the hub may have done it.
    case timeout(host: String)
    /// The hub failed several times in a row, and is left alone for a while. Nothing was sent.
    case circuitOpen(host: String, retryAfter: Duration)
    /// There is no session here, or it has ended.
    case unauthorized
    /// The house answered with an error.
    case api(APIError)
    /// The response does not follow the protocol.
    case invalidResponse(String)
    /// The tokens could not be read or kept.
    case storage(String)
    case cancelled

    /// True if the same call may succeed later with no change on this side.
    public var isRetryable: Bool {
        switch self {
        case .noConnection, .interrupted, .timeout, .circuitOpen: true
        case .api(let error): error.isRetryable
        case .insecureConnection, .invalidURL, .invalidRequest, .untrusted, .unauthorized, .invalidResponse, .storage, .cancelled: false
        }
    }

    /// A short title in the words of Seed 004: the head of a message whose body is `text`.
    public var title: String {
        switch self {
        case .noConnection: "No internet connection"
        case .unauthorized: "Authentication required"
        case .timeout: "No answer in time"
        case .circuitOpen: "The house does not answer"
        case .insecureConnection, .untrusted: "This connection is not safe"
        case .api(let error): error.message
        case .invalidURL, .invalidRequest, .interrupted, .invalidResponse, .storage, .cancelled: "An unexpected error occurred"
        }
    }

    /// True if the hub certainly received nothing.
    public var isCertainlyUnsent: Bool {
        switch self {
        case .noConnection, .untrusted, .circuitOpen: true
        default: false
        }
    }

    /// The message for a person: cause, reason and next step.
    public var text: String {
        switch self {
        case .insecureConnection(let host):
            "\(host) is another machine, and plain http would expose your tokens on the network. Use its https address."
        case .invalidURL(let url): "\"\(url)\" is not the address of a hub. Write it like https://house.example:8443."
        case .invalidRequest(let what): "This cannot be sent: \(what)."
        case .noConnection(let host):
            "No connection to the house at \(host). Nothing was sent. Check that the hub runs and that you are on its network."
        case .untrusted(let host):
            "\(host) could not prove that it is your house. Nothing was sent. Check the address and the hub's certificate."
        case .interrupted(let host): "The connection to \(host) ended before the answer. Check the state before you try again."
        case .timeout(let host): "\(host) did not answer in time. Check the state before you try again."
        case .circuitOpen(let host, let retryAfter):
            "\(host) failed several times, so requests are paused. Nothing was sent. Try again in \(retryAfter.components.seconds) s."
        case .unauthorized: "You are not signed in, or your session has ended. Sign in again."
        case .api(let error): error.message
        case .invalidResponse(let what):
            "The answer is not from a Cardea hub of this version: \(what). Check the address and update this program."
        case .storage(let what): what
        case .cancelled: "Cancelled."
        }
    }

    init(_ failure: TransportError, host: String) {
        switch failure {
        case .noConnection: self = .noConnection(host: host)
        case .untrusted: self = .untrusted(host: host)
        case .interrupted: self = .interrupted(host: host)
        case .timeout: self = .timeout(host: host)
        case .tooLarge: self = .invalidResponse("the answer is larger than 8 MiB")
        case .cancelled: self = .cancelled
        }
    }
}

extension ClientError {
    /// Wraps the error of a file that is stored on this machine.
    public init(_ problem: PrivateFile.FileError) {
        switch problem {
        case .denied(let words): self = .storage(words)
        case .unavailable(let reason): self = .storage("\(reason).")
        }
    }
}

extension ClientError: LocalizedError {
    public var errorDescription: String? { text }
}
