import CardeaSecurity
import Crypto
import Foundation

/// What a camera asks before it shows anything: Basic (RFC 7617) or Digest (RFC 7616, and RFC 2069 as old cameras speak it). HTTP and RTSP
/// ask in the same words.
struct Challenge: Hashable, Sendable {
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

    /// The strongest of what the fields of one answer ask; nil where none can be answered.
    static func strongest(_ fields: [String]) -> Challenge? {
        let all = fields.compactMap(Challenge.init)
        return all.max { $0.strength < $1.strength }
    }

    private var strength: Int {
        switch scheme {
        case .basic: 0
        case .digest(.md5, _, _, _): 1
        case .digest(.sha256, _, _, _): 2
        }
    }

    init?(_ field: String) {
        guard field.utf8.count <= 2048 else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard let name = parts.first?.lowercased() else { return nil }
        let members = Self.members(parts.count > 1 ? parts[1] : "")
        realm = members["realm"] ?? ""
        isStale = members["stale"]?.lowercased() == "true"
        switch name {
        case "basic": scheme = .basic
        case "digest":
            guard let nonce = members["nonce"], let algorithm = Algorithm(rawValue: (members["algorithm"] ?? "MD5").uppercased()) else {
                return nil
            }
            let qop = members["qop"].map { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() } }
            guard qop == nil || qop?.contains("auth") == true else { return nil }
            scheme = .digest(algorithm: algorithm, nonce: nonce, opaque: members["opaque"], hasQOP: qop != nil)
        default: return nil
        }
    }

    /// `name="value", name=value`, in which a quoted value may hold commas.
    private static func members(_ text: Substring) -> [String: String] {
        var members: [String: String] = [:]
        var rest = text
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].trimmingCharacters(in: [" ", ",", "\t"]).lowercased()
            rest = rest[rest.index(after: equals)...].drop { $0 == " " }
            var value = ""
            if rest.first == "\"" {
                rest = rest.dropFirst()
                while let next = rest.popFirst(), next != "\"" {
                    value.append(next == "\\" ? rest.popFirst() ?? "\\" : next)
                }
            } else {
                value = rest.prefix { $0 != "," && $0 != " " }.trimmingCharacters(in: .whitespaces)
            }
            rest = rest.drop { $0 != "," }.dropFirst()
            if !name.isEmpty, members.count < 32 { members[name] = value }
        }
        return members
    }

    /// The `Authorization` field for one request.
    ///
    /// - Parameter count: how often this challenge was answered, this time with it.
    func answer(user: String, password: Secret, method: String, uri: String, count: Int, clientNonce: String) -> String {
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
