import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// A phone that asks for a pass of which somebody in the house has to say yes. The yes is for this phone, and for no other that shows the
/// same code.
public struct GuestPairingRequest: Hashable, Sendable {
    public let id: String
    public let guestID: String
    /// Four digits that the phone and the house show.
    public let number: String
    public let askedAt: Date
    public let approvedAt: Date?
    public let rejectedAt: Date?

    /// Seconds for which a phone waits for the yes.
    static let lifetime: TimeInterval = 900

    public var waitsUntil: Date { askedAt.addingTimeInterval(Self.lifetime) }

    func isWaiting(at now: Date) -> Bool { approvedAt == nil && rejectedAt == nil && waitsUntil > now }
}

/// Who shows a code: the key of their phone, the secret that an earlier answer gave it, both or neither.
struct PairingPhone: Sendable {
    let key: GuestPublicKey?
    let claimSecret: Secret?
    /// Whether they say that the code is used, and that they want the pass back which it was for.
    var asksForReplacement = false

    /// By what an ask of this phone may be known.
    var digests: [Data] { [key.map { Secret($0.text).digest }, claimSecret?.digest].compactMap { $0 } }
}
