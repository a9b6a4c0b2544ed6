import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// A phone that asks for a pass that a resident has to approve. The approval is for this phone, not for another that shows the same code.
public struct GuestPairingRequest: Hashable, Sendable {
    public let id: String
    public let guestID: String
    /// Four digits that the phone and the house show.
    public let number: String
    public let askedAt: Date
    public let approvedAt: Date?
    public let rejectedAt: Date?

    /// Seconds for which a phone waits for approval.
    static let lifetime: TimeInterval = 900

    public var waitsUntil: Date { askedAt.addingTimeInterval(Self.lifetime) }

    func isWaiting(at now: Date) -> Bool { approvedAt == nil && rejectedAt == nil && waitsUntil > now }
}

/// The phone that shows a code: its key, the secret that an earlier answer gave it, both or neither.
struct PairingPhone: Sendable {
    let key: GuestPublicKey?
    let claimSecret: Secret?
    /// True if the request says that the code is used and asks for its pass again.
    var asksForReplacement = false

    /// The digests by which a request of this phone is found.
    var digests: [Data] { [key.map { Secret($0.text).digest }, claimSecret?.digest].compactMap { $0 } }
}
