import Foundation

/// The address of a camera: `rtsp://192.168.1.20:554/stream1`. It holds no credentials; user and password are kept apart.
public struct CameraAddress: Hashable, Sendable {
    public let scheme: String
    public let host: String
    public let port: Int
    /// Path and query of the request; begins with a slash.
    public let target: String
    /// The user and the password from before the host, if they were typed there.
    public let user: String?
    public let password: String?

    public enum AddressError: Error, Hashable, Sendable, CaseIterable {
        case notAnAddress
        case scheme
        case tooLong
        /// A password with `/ ? # @` in it, or a path with `@`: the address has two meanings.
        case ambiguous
    }

    /// Longer than any camera's.
    public static let maximumLength = 1024
    private static let ports = ["rtsp": 554, "rtsps": 322, "http": 80, "https": 443]

    /// Reads an address as a person types it, with user name and password before the host or without.
    public init(_ text: String, schemes: Set<String>) throws(AddressError) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
        let credentials = try AddressCredentials(text)
        try self.init(bare: credentials.address, user: credentials.user, password: credentials.password, schemes: schemes)
    }

    /// Reads an address as it is stored.
    ///
    /// - Parameter bare: `url` of an address; an `@` in it belongs to the path.
    public init(bare: String, user: String? = nil, password: String? = nil, schemes: Set<String>) throws(AddressError) {
        // Characters that could break a header or a playlist are not allowed in a camera's address.
        guard bare.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }), let parts = URLComponents(string: bare),
            parts.user == nil, parts.password == nil, let scheme = parts.scheme?.lowercased()
        else { throw .notAnAddress }
        guard schemes.contains(scheme), let usual = Self.ports[scheme] else { throw .scheme }
        let host = (parts.host ?? "").trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        let port = parts.port ?? usual
        guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(Self.isHostByte), (1...65_535).contains(port),
            parts.fragment == nil
        else { throw .notAnAddress }
        self.scheme = scheme
        self.host = host
        self.port = port
        let path = parts.percentEncodedPath
        target = (path.hasPrefix("/") ? path : "/" + path) + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
        self.user = user
        self.password = password
    }

    public var isSecure: Bool { scheme == "rtsps" || scheme == "https" }

    /// Host and port, as they are spoken.
    public var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    /// All that may be shown of it.
    public var displayText: String { "\(scheme)://\(authority)" }

    /// The whole of it, with nothing that signs in.
    public var url: String { displayText + target }

    /// Letters, digits and what names and addresses are divided by.
    private static func isHostByte(_ byte: UInt8) -> Bool { isNameByte(byte) || byte == UInt8(ascii: ":") }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension CameraAddress.AddressError {
    /// A message for the person who typed it.
    public var message: String {
        switch self {
        case .notAnAddress:
            "must be an address such as rtsp://192.168.1.20:554/stream1. In a password, write / ? # @ and % as %2F %3F %23 %40 and %25"
        case .scheme: "must begin with rtsp or rtsps for a stream, and with http or https for all other kinds"
        case .ambiguous:
            "is ambiguous. Send user name and password in their own fields, or write / ? # @ and % in them as %2F %3F %23 %40 and %25"
        case .tooLong: "must have at most \(CameraAddress.maximumLength) characters"
        }
    }
}
