import CardeaSecurity
import Foundation

/// What somebody pastes when asked for a link or a code: `https://house.example/g#…`, or the code alone.
public struct HouseLink: Sendable {
    /// The house it leads to; nil for a code alone.
    public let hub: HubAddress?
    /// What stands after the `#`, or the code as it was typed.
    public let code: Secret

    public enum Problem: Error, Hashable, Sendable {
        /// Nothing stands after the `#`.
        case noCode
        /// It leads elsewhere in the house.
        case otherPage(path: String)
        case address(ClientError)
    }

    /// - Parameter page: where such a link leads: `g` for a pass, `claim`, `join`.
    public init(_ typed: String, page: String) throws(Problem) {
        let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.contains("://") else {
            hub = nil
            code = Secret(text)
            return
        }
        guard var parts = URLComponents(string: text), let secret = parts.fragment, !secret.isEmpty else { throw .noCode }
        guard parts.path.hasSuffix("/\(page)") else { throw .otherPage(path: parts.path) }
        parts.fragment = nil
        parts.path.removeLast(page.count + 1)
        do throws(ClientError) {
            hub = try HubAddress(parts.url?.absoluteString ?? "")
        } catch {
            throw .address(error)
        }
        code = Secret(secret)
    }
}
