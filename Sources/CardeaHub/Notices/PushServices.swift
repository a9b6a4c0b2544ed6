import Foundation

/// The push services that browsers use. The hub sends to nobody else: an address that somebody signed in hands in is no way to have it ask
/// machines of the household's own network (OWASP, "Server-Side Request Forgery Prevention").
public struct PushServices: Sendable {
    /// Those of Chrome and others, Firefox, Safari and Edge: the host itself, or where it begins with a dot, every host below.
    static let known = [
        "fcm.googleapis.com", "updates.push.services.mozilla.com", ".push.services.mozilla.com", ".push.apple.com",
        ".notify.windows.com",
    ]

    private let others: Set<String>

    /// - Parameter others: origins that the household trusts beside these, such as `https://push.example.org`: a service of its own.
    public init(others: Set<String> = []) {
        self.others = Set(others.map { $0.lowercased() })
    }

    /// The origin to send to; nil for an address that is none of a push service.
    public func origin(of endpoint: String) -> String? {
        guard endpoint.utf8.count <= 2048, let url = URL(string: endpoint), let scheme = url.scheme?.lowercased(),
            let host = url.host()?.lowercased(), url.user == nil, url.password == nil, url.fragment == nil
        else { return nil }
        let origin = "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
        if others.contains(origin) { return origin }
        // Nothing that two readers of addresses might take for two hosts.
        let isPlain = host.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || "0123456789.-".utf8.contains($0) }
        guard scheme == "https", url.port == nil || url.port == 443, isPlain else { return nil }
        let isKnown = Self.known.contains { $0.hasPrefix(".") ? host.hasSuffix($0) : host == $0 }
        return isKnown ? "https://\(host)" : nil
    }
}
