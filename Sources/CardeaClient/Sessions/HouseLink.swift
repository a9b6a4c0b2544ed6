import CardeaSecurity
import Foundation

/// What somebody pastes when asked for a link or a code: `https://house.example/g#…`, `https://house.example/claim#…&pin=sha256%2F…`, or the code
/// alone.
public struct HouseLink: Sendable {
    /// The house it leads to; nil for a code alone.
    public let hub: HubAddress?
    /// What stands after the `#`, or the code as it was typed.
    public let code: Secret
    /// The keys by which the house is known, where a claim link tells them. No other link may: a stranger could send one.
    public let pins: Set<Pin>

    public enum Problem: Error, Hashable, Sendable {
        /// Nothing stands after the `#`.
        case noCode
        /// It leads elsewhere in the house.
        case otherPage(path: String)
        case address(ClientError)
        /// One of its keys is not whole.
        case cutOff
    }

    /// - Parameter page: where such a link leads: `g` for a pass, `claim`, `join`.
    public init(_ typed: String, page: String) throws(Problem) {
        let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.contains("://") else {
            hub = nil
            code = Secret(text)
            pins = []
            return
        }
        guard var parts = URLComponents(string: text), let behind = parts.percentEncodedFragment else { throw .noCode }
        let fields = behind.split(separator: "&", omittingEmptySubsequences: false).map { $0.removingPercentEncoding ?? "" }
        guard let secret = fields.first, !secret.isEmpty else { throw .noCode }
        guard parts.path.hasSuffix("/\(page)") else { throw .otherPage(path: parts.path) }
        parts.fragment = nil
        parts.path.removeLast(page.count + 1)
        do throws(ClientError) {
            hub = try HubAddress(parts.url?.absoluteString ?? "")
        } catch {
            throw .address(error)
        }
        code = Secret(secret)
        do throws(ClientError) {
            pins = page == "claim" ? try Self.pins(fields.dropFirst()) : []
        } catch {
            throw .cutOff
        }
    }

    private static func pins(_ fields: some Sequence<String>) throws(ClientError) -> Set<Pin> {
        var pins: Set<Pin> = []
        for field in fields where field.hasPrefix("pin=") { pins.insert(try Pin(String(field.dropFirst("pin=".count)))) }
        return pins
    }
}
