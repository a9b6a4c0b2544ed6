import CardeaSecurity
import Foundation

/// What somebody pastes when asked for a link or a code: `https://house.example/g#…`, `https://house.example/claim#…&pin=sha256%2F…`, or the code
/// alone. A sentence around the link and a mailing's parameters in it do not matter.
public struct HouseLink: Sendable {
    /// The house it leads to; nil for a code alone.
    public let hub: HubAddress?
    /// What stands after the `#`, or the code as it was typed, both cleaned.
    public let code: Secret
    /// The keys by which the house is known, where a claim link tells them. No other link may: a stranger could send one.
    public let pins: Set<Pin>

    public enum LinkError: Error, Hashable, Sendable {
        /// Nothing stands after the `#`.
        case noCode
        /// It leads elsewhere in the house.
        case unexpectedPath(path: String)
        case address(ClientError)
        /// One of its keys is not whole.
        case incompletePin
    }

    /// - Parameter page: where such a link leads: `g` for a pass, `claim`, `join`.
    public init(_ typed: String, page: String) throws(LinkError) {
        guard let link = PastedText.link(in: typed) else {
            hub = nil
            code = Secret(PastedText.normalized(typed))
            pins = []
            return
        }
        let fields = link.fragment.replacing("&amp;", with: "&").split(omittingEmptySubsequences: false) { $0 == "&" || $0 == "?" }
            .map(String.init)
        guard var parts = URLComponents(string: link.place), let secret = fields.first, !secret.isEmpty else { throw .noCode }
        var path = parts.path
        while path.hasSuffix("/") { path.removeLast() }
        guard path.hasSuffix("/\(page)") else { throw .unexpectedPath(path: parts.path) }
        parts.query = nil
        parts.path = String(path.dropLast(page.count + 1))
        do throws(ClientError) {
            hub = try HubAddress(parts.url?.absoluteString ?? "")
        } catch {
            throw .address(error)
        }
        code = Secret(secret)
        do throws(ClientError) {
            pins = page == "claim" ? try Self.pins(fields.dropFirst()) : []
        } catch {
            throw .incompletePin
        }
    }

    private static func pins(_ fields: some Sequence<String>) throws(ClientError) -> Set<Pin> {
        var pins: Set<Pin> = []
        for field in fields where field.hasPrefix("pin=") { pins.insert(try Pin(String(field.dropFirst("pin=".count)))) }
        return pins
    }
}
