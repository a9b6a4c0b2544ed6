import Foundation

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
    /// From the first byte sent to the last byte received.
    public var timeout: Duration
    /// The endpoint to connect to instead of the URL's own; only for a hub whose key is pinned.
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
