import CardeaSecurity
import Crypto
import Foundation

/// An authentication challenge of a camera: Basic (RFC 7617) or Digest (RFC 7616, and RFC 2069 for old cameras). HTTP and RTSP use the same
/// format.
struct SupportedChallenge: Hashable, Sendable {
    enum Scheme: Hashable, Sendable {
        case basic
        case digest(algorithm: Algorithm, nonce: String, opaque: String?, hasQOP: Bool)
    }

    enum Algorithm: String, Hashable, Sendable {
        case md5 = "MD5"
        case sha256 = "SHA-256"
    }

    let scheme: Scheme
    let realm: String
    /// The answer was right and the nonce too old.
    let isStale: Bool

    /// The strongest challenge of one reply that can be answered; nil if there is none.
    ///
    /// - Parameters:
    ///   - fields: the reply's `WWW-Authenticate` fields, each with one challenge or several.
    ///   - isEncrypted: true on a TLS connection. On a plain one Basic is never chosen beside Digest, not even beside a Digest that cannot
    ///     be answered: an attacker on the network could spoil it to read the password.
    static func strongest(_ fields: [String], isEncrypted: Bool) -> SupportedChallenge? {
        let offered = fields.flatMap(AuthenticationChallenge.all(in:))
        let allowsBasic = isEncrypted || !offersDigest(fields)
        return offered.compactMap(SupportedChallenge.init).filter { allowsBasic || $0.scheme != .basic }.max { $0.strength < $1.strength }
    }

    /// True if one of the challenges is Digest, even one that cannot be answered.
    static func offersDigest(_ fields: [String]) -> Bool {
        fields.flatMap(AuthenticationChallenge.all(in:)).contains { $0.scheme == "digest" }
    }

    private var strength: Int {
        switch scheme {
        case .basic: 0
        case .digest(.md5, _, _, _): 1
        case .digest(.sha256, _, _, _): 2
        }
    }

    /// - Parameter offered: a challenge; nil is made of one that cannot be answered.
    init?(_ offered: AuthenticationChallenge) {
        let parameters = offered.parameters
        realm = parameters["realm"] ?? ""
        isStale = parameters["stale"]?.lowercased() == "true"
        switch offered.scheme {
        case "basic": scheme = .basic
        case "digest":
            guard let nonce = parameters["nonce"], let algorithm = Algorithm(rawValue: (parameters["algorithm"] ?? "MD5").uppercased())
            else { return nil }
            let qop = parameters["qop"].map { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() } }
            guard qop == nil || qop?.contains("auth") == true else { return nil }
            scheme = .digest(algorithm: algorithm, nonce: nonce, opaque: parameters["opaque"], hasQOP: qop != nil)
        default: return nil
        }
    }

    /// The `Authorization` field for one request.
    ///
    /// - Parameter count: how often this challenge was answered, this time with it.
    func authorization(user: String, password: Secret, method: String, uri: String, count: Int, clientNonce: String) -> String {
        switch scheme {
        case .basic:
            return "Basic " + Data("\(user):\(password.reveal())".utf8).base64EncodedString()
        case .digest(let algorithm, let nonce, let opaque, let hasQOP):
            func hash(_ text: String) -> String {
                let data = Data(text.utf8)
                let bytes: [UInt8] =
                    switch algorithm {
                    case .md5: Array(Insecure.MD5.hash(data: data))
                    case .sha256: Array(SHA256.hash(data: data))
                    }
                return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
            let (secret, what) = (hash("\(user):\(realm):\(password.reveal())"), hash("\(method):\(uri)"))
            let number = String(count, radix: 16)
            let nc = String(repeating: "0", count: max(0, 8 - number.count)) + number
            let response = hasQOP ? hash("\(secret):\(nonce):\(nc):\(clientNonce):auth:\(what)") : hash("\(secret):\(nonce):\(what)")
            var field =
                "Digest username=\"\(Self.quoted(user))\", realm=\"\(Self.quoted(realm))\", nonce=\"\(Self.quoted(nonce))\", uri=\"\(uri)\", response=\"\(response)\""
            if algorithm == .sha256 { field += ", algorithm=SHA-256" }
            if let opaque { field += ", opaque=\"\(Self.quoted(opaque))\"" }
            if hasQOP { field += ", qop=auth, nc=\(nc), cnonce=\"\(clientNonce)\"" }
            return field
        }
    }

    private static func quoted(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
