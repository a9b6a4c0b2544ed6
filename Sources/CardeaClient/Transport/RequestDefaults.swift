/// Defaults for every request of a client, unless a call overrides them.
public struct RequestDefaults: Hashable, Sendable {
    /// By lower-case name. Headers that a call sets itself, above all its token, cannot be replaced here.
    public var headers: [String: String]
    /// From the first byte sent to the last byte received; for larger transfers, the maximum time without progress.
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
