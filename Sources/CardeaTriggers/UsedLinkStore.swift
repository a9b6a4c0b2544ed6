import CardeaSecurity
import Foundation

/// The links that were used, until their time would have passed anyway.
///
/// Kept with the app's settings, so that a link is used up for an app that was ended and started again, too. Nothing in it makes a link.
public struct UsedLinkStore: Codable, Hashable, Sendable {
    /// A limit that keeps the store small.
    static let limit = 256

    /// The second in which each was made, by its digest.
    private var made: [Data: Int64] = [:]
    /// Every link made up to this time counts as used, because there were too many to keep; nil if all were kept.
    private var forgotten: Int64?

    public init() {}

    /// - Returns: false if it was used before, or may have been.
    mutating func markUsed(_ link: SignedActionLink, at now: Date) -> Bool {
        if let forgotten, link.timestamp <= forgotten { return false }
        // Two tolerances, so that a clock set back finds every used link.
        let oldest = Int64(now.timeIntervalSince1970) - 2 * SignedActionLink.clockTolerance
        made = made.filter { $0.value >= oldest }
        guard made.updateValue(link.timestamp, forKey: link.digest) == nil else { return false }
        while made.count > Self.limit, let (digest, second) = made.min(by: { $0.value < $1.value }) {
            made[digest] = nil
            forgotten = max(forgotten ?? second, second)
        }
        return true
    }
}
