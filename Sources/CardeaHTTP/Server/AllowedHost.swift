import CardeaModel
import Foundation
import Synchronization

/// A further name under which the hub answers.
public struct AllowedHost: Hashable, Sendable {
    /// In small letters, in ASCII (RFC 5891), without brackets.
    public let name: String
    /// Under which pages are open there, if that is not the usual one.
    public let port: Int?

    /// `name` or `name:port`; nil if it is neither.
    public init?(_ text: String) {
        guard let (name, port) = WebOrigin.authority(text), name.utf8.allSatisfy({ $0 > 0x20 && !"/@?#\\".utf8.contains($0) }) else {
            return nil
        }
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        guard let ascii = (isASCII ? name : URLComponents(string: "https://\(name)")?.encodedHost)?.lowercased(),
            WebOrigin.isHostName(ascii)
        else { return nil }
        (self.name, self.port) = (ascii, port)
    }
}
