import CardeaSecurity
import Foundation

/// A pasted link or code: `https://house.example/g#…`, `https://house.example/claim#…&pin=sha256%2F…`, or the code alone. Text around the
/// link and tracking parameters in it are ignored.
public struct HouseLink: Sendable {
    /// The house it leads to; nil for a code alone.
    public let hub: HubAddress?
    /// The text after the `#`, or the typed code; both normalised.
    public let code: Secret
    /// The keys that identify the house, if a claim link contains them. No other link may: an attacker could send one.
    public let pins: Set<Pin>

    public enum LinkError: Error, Hashable, Sendable {
        /// Nothing follows the `#`.
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
