/// What every request of a client has, unless a call says otherwise.
public struct RequestDefaults: Hashable, Sendable {
    /// By their names in lower case. What a call says of itself, its token above all, cannot be replaced here.
    public var headers: [String: String]
    /// From the first byte out to the last byte in; for what is too large for that, how long nothing may move.
    public var timeout: Duration

    public init(headers: [String: String] = [:], timeout: Duration = .seconds(15)) {
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }) { first, _ in first }.filter { !Self.reserved.contains($0.key) }
        self.timeout = timeout
    }

    private static let reserved: Set = [
        "authorization", "connection", "content-length", "cookie", "host", "idempotency-key", "if-match", "if-none-match", "if-range",
        "range", "transfer-encoding",
    ]
}
