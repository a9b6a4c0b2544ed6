import CardeaSecurity
import Foundation

/// A resident must approve.
public struct PendingApproval: Codable, Sendable {
    public let message: String?
    /// Seconds until it makes sense to ask again.
    public let retryAfter: Int?
    /// Unix seconds at which the question lapses.
    public let expiresAt: Int?
    /// The id of the waiting command, by which `GuestAccess.withdraw` cancels it. nil if a pass is waited for.
    public let commandID: String?
    /// Four digits that the house shows beside its question, so that both mean the same phone. nil if a door is waited for.
    public let number: String?
    /// Identifies a phone without a key: the next `GuestAccess.pair` sends it. Only in the first answer.
    public let claimSecret: Secret?

    enum CodingKeys: String, CodingKey {
        case message, number
        case claimSecret = "claim_secret"
        case retryAfter = "retry_after"
        case expiresAt = "expires_at"
        case commandID = "command_id"
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        message = try fields.decodeIfPresent(String.self, forKey: .message)
        retryAfter = try fields.decodeIfPresent(Int.self, forKey: .retryAfter)
        expiresAt = try fields.decodeIfPresent(Int.self, forKey: .expiresAt)
        commandID = try fields.decodeIfPresent(String.self, forKey: .commandID)
        number = try fields.decodeIfPresent(String.self, forKey: .number)
        claimSecret = try fields.decodeIfPresent(String.self, forKey: .claimSecret).map { Secret($0) }
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(message, forKey: .message)
        try fields.encodeIfPresent(retryAfter, forKey: .retryAfter)
        try fields.encodeIfPresent(expiresAt, forKey: .expiresAt)
        try fields.encodeIfPresent(commandID, forKey: .commandID)
        try fields.encodeIfPresent(number, forKey: .number)
        try fields.encodeIfPresent(claimSecret?.reveal(), forKey: .claimSecret)
    }
}
