import CardeaClient
import CardeaSecurity
import Foundation

/// What somebody pastes when asked for a link or a code: `https://house.example/g#…`, or the code alone.
struct PastedLink: Sendable {
    let hub: HubAddress?
    let code: Secret

    /// - Parameter page: where such a link leads: `g` for a pass, `claim`, `join`.
    init(_ text: String, page: String) throws {
        guard text.contains("://") else {
            hub = nil
            code = Secret(text)
            return
        }
        guard var parts = URLComponents(string: text), let secret = parts.fragment, !secret.isEmpty else {
            throw Failure.usage("This link has no code after the #. Copy the whole of it.")
        }
        guard parts.path.hasSuffix("/\(page)") else {
            throw Failure.usage("This is a link of another kind: it leads to \"\(parts.path)\", not \"/\(page)\".")
        }
        parts.fragment = nil
        parts.path.removeLast(page.count + 1)
        hub = try HubAddress(parts.url?.absoluteString ?? "")
        code = Secret(secret)
    }
}
