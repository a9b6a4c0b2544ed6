import Foundation

/// How long somebody stays signed in.
public enum SessionLifetime {
    /// Seconds after which a session that nobody used is over.
    public static let idle: TimeInterval = 30 * 86_400
    /// Seconds after which one is over, however much it is used.
    public static let absolute: TimeInterval = 180 * 86_400
}
