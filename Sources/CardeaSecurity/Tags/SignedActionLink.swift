import Crypto
import Foundation

/// A link that something alive has just made, such as a screen that shows a code: it fires one button, now (Seed 002, items 5 to 8).
///
/// `smp://action?idx=0&ts=1700000000&sig=…` in an app, and the same query behind `/t/action` on the house's own address. On a tag, which
/// cannot count the time, such a link is dead two minutes after it was written.
public struct SignedActionLink: Hashable, Sendable {
    /// The button's fixed number.
    public let index: Int
    /// Unix seconds of when it was made.
    public let timestamp: Int64
    private let signature: Data

    public static let scheme = "smp"
    /// The allowed difference of the two clocks in seconds, either way.
    public static let clockTolerance: Int64 = 120
    static let digitLimit = 12
    static let highestIndex = 9999

    public enum LinkError: Error, Equatable {
        /// No such link; a parameter twice, one too many or one too few.
        case malformed
        /// Made too long ago, or by a clock that is far ahead.
        case stale
        /// Not made with this button's secret.
        case forged
    }

    /// Reads a link without believing it.
    public init(_ text: String) throws(LinkError) {
        guard text.utf8.count <= 512 else { throw .malformed }
        let text = PastedText.tagLink(text)
        guard let parts = URLComponents(string: text), parts.user == nil, parts.password == nil, Self.isCanonical(parts, text),
            let query = parts.percentEncodedQuery
        else { throw .malformed }
        var values: [Substring: Substring] = [:]
        // Every spelling of a link is used up together, because its signature is stored.
        for item in query.split(separator: "&", omittingEmptySubsequences: false) {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, values.updateValue(pair[1], forKey: pair[0]) == nil else { throw .malformed }
        }
        guard values.count == 3, let idx = values["idx"].flatMap(Self.number), idx <= Self.highestIndex,
            let ts = values["ts"].flatMap(Self.number), let sig = values["sig"],
            sig.utf8.allSatisfy({ !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }), let signature = Hexadecimal.decode(sig),
            signature.count == SHA256.byteCount
        else { throw .malformed }
        (index, timestamp, self.signature) = (Int(idx), ts, signature)
    }

    private static func isCanonical(_ parts: URLComponents, _ text: String) -> Bool {
        switch parts.scheme?.lowercased() {
        // Compared literally: an empty port or an escaped host would be another spelling of the same link.
        case scheme: text.lowercased().hasPrefix("\(scheme)://action?")
        case "https", "http": parts.percentEncodedPath.split(separator: "/") == ["t", "action"]
        default: false
        }
    }

    /// Decimal digits without a sign or a zero before them.
    private static func number(_ text: Substring) -> Int64? {
        guard (1...digitLimit).contains(text.utf8.count), text == "0" || text.utf8.first != UInt8(ascii: "0"),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int64(text)
    }

    /// A digest by which the link is recognised, and from which the link cannot be made: 32 octets.
    public var digest: Data { Data(SHA256.hash(data: signature)) }

    /// Makes one.
    ///
    /// - Parameter index: 0 to 9999.
    /// - Returns: its query, to be put behind `smp://action?` or the house's own page.
    public static func query(index: Int, at moment: Date, _ secret: ButtonSecret) -> Secret {
        let payload = payload(index, Int64(moment.timeIntervalSince1970.rounded(.down)))
        return Secret("\(payload)&sig=\(Hexadecimal.encode(HMAC<SHA256>.authenticationCode(for: Data(payload.utf8), using: secret.key)))")
    }

    /// Refuses a link that was not made with the button's secret, or not just now. Whether it was used before is for others to know.
    public func check(_ secret: ButtonSecret, at now: Date) throws(LinkError) {
        // In this order, so that the timing reveals nothing about a self-made link.
        let payload = Data(Self.payload(index, timestamp).utf8)
        guard HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: payload, using: secret.key) else { throw .forged }
        guard abs(now.timeIntervalSince1970 - Double(timestamp)) <= Double(Self.clockTolerance) else { throw .stale }
    }

    private static func payload(_ index: Int, _ timestamp: Int64) -> String { "idx=\(index)&ts=\(timestamp)" }
}
