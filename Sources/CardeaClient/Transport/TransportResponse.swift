import Foundation

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
