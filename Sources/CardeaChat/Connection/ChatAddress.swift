import CardeaModel
import Foundation

/// Where an endpoint that speaks as OpenAI's chat completions do is asked, as whoever runs the hub typed it.
///
/// Over TLS to anybody; over plain HTTP to this machine, or to an address of the house's own network, which is where a model of one's own
/// runs. A name is no such address: who answers to it is for others to say.
public struct ChatAddress: Hashable, Sendable {
    /// Scheme, host and port. It may be said in a log.
    public let origin: String
    /// What is asked.
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
