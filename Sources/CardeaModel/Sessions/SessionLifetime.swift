import Foundation

/// The lifetime of a session.
public enum SessionLifetime {
    /// Seconds after which an unused session ends.
    public static let idle: TimeInterval = 30 * 86_400
    /// Seconds after which one is over, however much it is used.
    public static let absolute: TimeInterval = 180 * 86_400
}
