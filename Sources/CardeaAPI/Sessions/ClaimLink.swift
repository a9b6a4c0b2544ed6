/// A link that makes the person who opens it the owner of a new house, once: `https://home.example/claim#cardea_ct_…&pin=sha256%2F…`.
///
/// Its secret is behind the `#`, which is never sent to a server and never logged.
public struct ClaimLink: Sendable {
    /// Without a slash at its end.
    private let url: String
    private let token: String
    /// RFC 7469: the hub's key and its backup key. Browsers ignore them; a terminal recognises the hub by them from the first message on.
    private let pins: [String]

    public init(url: String, token: String, pins: [String]) {
        self.url = url
        self.token = token
        self.pins = pins
    }

    public var web: String { ([url + "/claim#" + token] + pins.map { PairingLink.formEncoded([("pin", $0)]) }).joined(separator: "&") }
}
