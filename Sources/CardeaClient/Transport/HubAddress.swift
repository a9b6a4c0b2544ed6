import Foundation

/// The address of a hub: `https://house.example`, or plain http on this very machine.
///
/// The one way to a URL that a token is ever sent to, so the rule about https is kept here.
public struct HubAddress: Hashable, Sendable, CustomStringConvertible {
    private let root: String
    public let host: String

    /// Reads an address as a person types it; the default scheme is https, or http for this machine.
    public init(_ typed: String) throws(ClientError) {
        let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        let hasScheme = text.contains("://")
        guard var parts = URLComponents(string: hasScheme ? text : "https://\(text)"),
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else { throw .invalidURL(String(text.prefix(200))) }
        let isLoopback = Self.isLoopback(host)
        if !hasScheme && isLoopback { parts.scheme = "http" }
        parts.scheme = parts.scheme?.lowercased()
        switch parts.scheme {
        case "https": break
        case "http" where isLoopback: break
        case "http": throw .insecureConnection(host: host)
        default: throw .invalidURL(String(text.prefix(200)))
        }
        while parts.path.hasSuffix("/") { parts.path.removeLast() }
        guard let root = parts.url?.absoluteString else { throw .invalidURL(String(text.prefix(200))) }
        self.root = root
        self.host = host
    }

    public var description: String { root }

    /// `GET {hub}/api/v1/devices/front-door`: every segment is escaped, so none can climb out of its place.
    func url(_ segments: [String], query: [(String, String)] = []) throws(ClientError) -> URL {
        guard !segments.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
            throw .invalidURL(segments.joined(separator: "/"))
        }
        let path = segments.map { "/" + Self.escape($0) }.joined()
        let question = query.map { "\(Self.escape($0))=\(Self.escape($1))" }.joined(separator: "&")
        guard let url = URL(string: root + path + (question.isEmpty ? "" : "?" + question)) else { throw .invalidURL(path) }
        return url
    }

    private static func escape(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// `localhost`, 127.0.0.0/8 and ::1, each written whole: `127.0.0.1.example` is another host.
    static func isLoopback(_ host: String) -> Bool {
        let name = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        if name == "localhost" || name == "::1" { return true }
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.allSatisfy { $0 != nil } && numbers.first == 127
    }
}

extension HubAddress: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(root)
    }
}
