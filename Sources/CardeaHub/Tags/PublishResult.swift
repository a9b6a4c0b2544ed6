import CardeaModel
import Foundation

/// The result of publishing.
public enum PublishResult: Hashable, Sendable {
    /// The broker has it.
    case acknowledged
    /// It went out, and the broker did not say that it has it.
    case unacknowledged
    /// Definitely not published; why, in words.
    case refused(String)

    // The seed's words for it (Seed 002).
    public static let notConnected = PublishResult.refused("client not connected")
    public static let dropped = PublishResult.refused("message dropped")
    static let timeout = "timeout"
}
