import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The contact for reports of a weakness: `/.well-known/security.txt` (RFC 9116). Without a contact there is none.
public struct SecurityTxt: Hashable, Sendable {
    /// URIs, the preferred one first.
    public var contacts: [String]

    public init(contacts: [String] = []) { self.contacts = contacts }

    /// Returns whether the text is a web address over TLS, a mail address or a telephone number as a URI (section 2.5.3).
    public static func isContact(_ text: String) -> Bool {
        guard text.utf8.count <= 500, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: text) else {
            return false
        }
        return switch url.scheme {
        case "https": url.host() != nil
        case "mailto": text.dropFirst("mailto:".count).contains("@")
        case "tel": text.utf8.count > "tel:".count
        default: false
        }
    }

    /// The file's lines. It expires, so that the reader of an old copy asks again (section 2.5.5).
    ///
    /// - Parameter address: the house's address, for a reader who got the file elsewhere; named if it is over TLS.
    func text(at address: String, now: Date) -> String {
        var lines = contacts.map { "Contact: \($0)" }
        lines.append("Expires: \(now.addingTimeInterval(90 * 86_400).formatted(.iso8601))")
        lines.append("Preferred-Languages: en")
        if address.hasPrefix("https://") { lines.append("Canonical: \(address)/.well-known/security.txt") }
        return lines.joined(separator: "\n") + "\n"
    }

    func addRoutes(to table: RouteTable, address: CurrentPublicURL, now: @escaping @Sendable () -> Date) {
        guard !contacts.isEmpty else { return }
        table.page("/.well-known/security.txt") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "max-age=3600"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text(at: address.text, now: now()))))
        }
    }
}
