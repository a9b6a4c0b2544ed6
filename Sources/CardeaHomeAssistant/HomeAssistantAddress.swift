import Foundation

/// The address of Home Assistant: `http://homeassistant.local:8123`. `ws` means the same as `http`, and `wss` as `https`.
public struct HomeAssistantAddress: Hashable, Sendable, CustomStringConvertible {
    public let isSecure: Bool
    public let host: String
    public let port: Int

    public enum AddressError: Error, Hashable, Sendable {
        case notAnAddress
        case scheme
        case credentials
        case path
    }

    public init(_ text: String) throws(AddressError) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count <= 512, let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased() else {
            throw .notAnAddress
        }
        guard let isSecure = ["http": false, "ws": false, "https": true, "wss": true][scheme] else { throw .scheme }
        guard parts.user == nil, parts.password == nil else { throw .credentials }
        guard parts.path.isEmpty || parts.path == "/", parts.query == nil, parts.fragment == nil else { throw .path }
        let host = (parts.host ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        let port = parts.port ?? (isSecure ? 443 : 80)
        guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), (1...65_535).contains(port)
        else { throw .notAnAddress }
        self.isSecure = isSecure
        self.host = host
        self.port = port
    }

    /// As a person would write it.
    public var description: String { "\(isSecure ? "https" : "http")://\(authority)" }

    /// Host and port, as the `Host` field has it.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }

    /// An address is not a name: TLS asks for the certificate of the address itself then.
    var serverName: String? { host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." } ? nil : host }
}

extension HomeAssistantAddress.AddressError {
    /// The message for the person who typed the address.
    public var message: String {
        switch self {
        case .notAnAddress: "must be an address such as http://homeassistant.local:8123"
        case .scheme: "must begin with http, https, ws or wss"
        case .credentials: "must not have a user name or a password. Send the token in its own field"
        case .path: "must end after the host and the port. Remove the path"
        }
    }
}
