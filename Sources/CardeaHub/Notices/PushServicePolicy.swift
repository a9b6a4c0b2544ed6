import Foundation

/// The rules for the address of a push service. An address that a browser hands in must not have the hub send to machines of the
/// household's own network (OWASP, "Server-Side Request Forgery Prevention"): it is https on port 443, at a DNS name. At each connection
/// only public addresses are used, and no redirect is followed; that part is `CardeaPush`'s.
public struct PushServicePolicy: Sendable {
    private let trustedOrigins: Set<String>
    private let ownHosts: Set<String>

    /// - Parameters:
    ///   - others: origins that the household trusts beside those, such as `https://push.example.org`: a service of its own, at any
    ///     address.
    ///   - own: the names under which the hub itself is reached.
    public init(others: Set<String> = [], own: Set<String> = []) {
        self.trustedOrigins = Set(others.map { $0.lowercased() })
        self.ownHosts = Set(own.map { $0.lowercased() })
    }

    /// The rule that an address breaks.
    public enum AddressError: Error, Hashable, Sendable, CaseIterable {
        case tooLong, notURL, credentials, fragment, notHTTPS, otherPort, notDNSName, ownName

        /// The requirement that the address fails, in words that follow the field's name.
        var message: String {
            switch self {
            case .tooLong: "must have at most 2048 bytes"
            case .notURL: "must be the URL that the browser gives"
            case .credentials: "must not have a user name or a password"
            case .fragment: "must not have a fragment (#…)"
            case .notHTTPS: "must begin with https://" + Self.ownServiceHint
            case .otherPort: "must use port 443" + Self.ownServiceHint
            case .notDNSName: "must have a DNS name as its host, not an IP address" + Self.ownServiceHint
            case .ownName: "must not be on this hub's host" + Self.ownServiceHint
            }
        }

        private static let ownServiceHint = ". To use a push service of your own, start the hub with --push-service"
    }

    /// The push endpoint of one browser.
    struct Endpoint: Hashable {
        /// The origin, such as `https://updates.push.services.mozilla.com`.
        let service: String
        /// The name to look up, in small letters; nil for a service that the household named.
        let host: String?
        /// The URL to ask. Its host is written as in `host`.
        let url: String
    }

    func endpoint(of endpoint: String) throws(AddressError) -> Endpoint {
        guard endpoint.utf8.count <= 2048 else { throw .tooLong }
        guard let url = URL(string: endpoint), let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(), !host.isEmpty
        else { throw .notURL }
        guard url.user == nil, url.password == nil else { throw .credentials }
        guard url.fragment == nil else { throw .fragment }
        let origin = "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
        if trustedOrigins.contains(origin) { return Endpoint(service: origin, host: nil, url: endpoint) }
        guard scheme == "https" else { throw .notHTTPS }
        guard url.port == nil || url.port == 443 else { throw .otherPort }
        guard Self.isDNSName(host) else { throw .notDNSName }
        guard !ownHosts.contains(host) else { throw .ownName }
        let service = "https://\(host)"
        let query = url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        return Endpoint(service: service, host: host, url: service + url.path(percentEncoded: true) + query)
    }

    /// An origin that ``init(others:own:)`` takes: scheme, host and port if it is not the scheme's own.
    public static func isOrigin(_ text: String) -> Bool {
        guard let target = try? PushServicePolicy(others: [text]).endpoint(of: text + "/x") else { return false }
        return target.host == nil
    }

    /// Two labels or more of letters, digits and hyphens (RFC 1123), of which the last begins with a letter: so it is no IPv4 address in
    /// any writing, and no two readers take it for two hosts.
    private static func isDNSName(_ host: String) -> Bool {
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let hyphen = UInt8(ascii: "-")
        guard host.utf8.count <= 253, labels.count >= 2, let first = labels.last?.first, letters.contains(first) else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == hyphen }
        }
    }
}
