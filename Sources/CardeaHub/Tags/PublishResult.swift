import CardeaModel
import Foundation

/// The result of publishing.
public enum PublishResult: Hashable, Sendable {
    /// The broker has it.
    case acknowledged
    /// It was sent, and the broker did not acknowledge it.
    case unacknowledged
    /// Definitely not published; why, in words.
    case refused(String)

    // Seed 002's error texts.
    public static let notConnected = PublishResult.refused("client not connected")
    public static let dropped = PublishResult.refused("message dropped")
    static let timeout = "timeout"
}
