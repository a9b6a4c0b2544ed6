import Foundation

/// What carries a request to the hub and its answer back. On Linux it is `NIOTransport` of
/// `CardeaClientNIO`, on Apple's systems `URLSessionTransport`.
///
/// A transport follows no redirect, asks no proxy, keeps no cookies and tries nothing twice: what may be repeated is decided above it.
public protocol Transport: Sendable {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse

    /// Answers as soon as the head of the answer is there, with a body that goes on coming. The request's timeout is for the head.
    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream
}

/// An answer whose body comes bit by bit, such as a stream of events. To let go of it is to close the connection.
public struct TransportStream: Sendable {
    public let status: Int
    /// Ends where the other side ended it; throws `TransportFailure` where the line broke.
    public let parts: AsyncThrowingStream<Data, any Error>

    public init(status: Int, parts: AsyncThrowingStream<Data, any Error>) {
        self.status = status
        self.parts = parts
    }
}

public struct TransportRequest: Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    public var method: Method
    public var url: URL
    /// Names in lower case.
    public var headers: [String: String]
    public var body: Data?
    /// From the first byte out to the last byte in.
    public var timeout: Duration
    /// Where to connect instead of where the URL leads; only where the hub is known by its key.
    public var route: HubRoute?

    public init(method: Method, url: URL, headers: [String: String] = [:], body: Data? = nil, timeout: Duration = .seconds(15)) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

// Headers and bodies hold tokens and passwords, so a request that is printed shows neither.
extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(method.rawValue) \(url.path)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

public struct TransportResponse: Sendable {
    public var status: Int
    private var headers: [String: String]
    public var body: Data

    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }, uniquingKeysWith: { first, _ in first })
        self.body = body
    }

    /// The value of a header, by its name in any case.
    public subscript(header name: String) -> String? { headers[name.lowercased()] }
}

extension TransportResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(status), \(body.count) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why no answer came.
public enum TransportError: Error, Hashable, Sendable {
    /// No connection came about, so nothing was sent.
    case noConnection
    /// The other side could not prove who it is, so nothing was sent.
    case untrusted
    /// Sent, perhaps, and the connection ended before the answer did.
    case interrupted
    /// Sent, perhaps, and no answer in time.
    case timeout
    /// The answer is larger than this side takes.
    case tooLarge
    /// Whoever asked no longer wants to know.
    case cancelled

    /// Whether the hub may have heard the request all the same.
    public var mayHaveArrived: Bool {
        switch self {
        case .noConnection, .untrusted: false
        case .interrupted, .timeout, .tooLarge, .cancelled: true
        }
    }
}
