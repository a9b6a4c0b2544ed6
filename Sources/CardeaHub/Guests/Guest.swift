import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// A pass as the house keeps it.
public struct Guest: Hashable, Sendable {
    public let id: String
    public let name: String
    public let grant: Grant
    public let items: [Item]
    public let createdBy: String
    public let createdByName: String?
    public let createdAt: Date
    public let expiresAt: Date
    public let requiresApproval: Bool
    public let presence: PresenceRequirement
    public let approvalAskedAt: Date?
    public let pairedAt: Date?
    /// The key that the pass is bound to; nil if it is bound to none.
    public let key: GuestPublicKey?
    public let lastUsedAt: Date?
    /// When a phone opened the current QR code's link.
    public let scannedAt: Date?
    public let version: Int

    /// One entity of the pass, in the words it was given.
    public struct Item: Hashable, Sendable {
        public let deviceID: String
        public let entityID: String
        public let deviceName: String?
        public let actions: [String]
    }

    public func status(at now: Date) -> GuestStatus {
        GuestStatus(of: grant, isPaired: pairedAt != nil, approvalAsked: approvalAskedAt != nil, at: now)
    }
}
