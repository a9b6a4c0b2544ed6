import CardeaModel
import Foundation

/// The address of an endpoint compatible with OpenAI's chat completions, as the hub's operator typed it.
///
/// TLS is required, except for this machine and for addresses of the house's own network, on which a local model runs. A name does not
/// count as such an address, because others decide which machine answers to it.
public struct LanguageModelAddress: Hashable, Sendable {
    /// Scheme, host and port. It may be logged.
    public let origin: String
    /// The URL of the requests.
    let completionsURL: String

    /// - Parameter text: the base, as `https://api.example.org/v1`.
    /// - Returns: nil for what is no such address.
    public init?(_ text: String) {
        guard text.utf8.count <= 2048, let url = URL(string: text, encodingInvalidCharacters: false), let scheme = url.scheme?.lowercased(),
            let host = url.host()?.lowercased(), !host.isEmpty, url.user == nil, url.password == nil, url.query == nil, url.fragment == nil
        else { return nil }
        let bare = host.trimmingCharacters(in: ["[", "]"])
        guard scheme == "https" || scheme == "http" && (bare == "localhost" || LocalNetwork.contains(bare)) else { return nil }
        origin = "\(scheme)://\(bare.contains(":") ? "[\(bare)]" : bare)" + (url.port.map { ":\($0)" } ?? "")
        var path = url.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        completionsURL = origin + path + "/chat/completions"
    }
}
