import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// A paired phone, as its person sees it.
public struct PairedPhone: Hashable, Sendable {
    /// The hub's id of the phone. The phone's own id is not shown.
    public let id: String
    public let name: String
    public let model: String?
    public let platform: PhoneDescription.Platform?
    public let pairedAt: Date
    public let lastUsedAt: Date
    /// The time at which it expires if it is not used; each use of its refresh token extends that.
    public let expiresAt: Date
    /// The address of the last pairing.
    public let address: String?
    public let isLocal: Bool
}
