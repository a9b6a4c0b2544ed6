import Foundation

/// Time, waiting and new names come from here, so that a test can hold them in its hand.
public struct Surroundings: Sendable {
    public var now: @Sendable () -> Date
    /// Waits until the moment has come, or throws when cancelled.
    public var sleep: @Sendable (_ until: Date) async throws -> Void
    /// A new identifier that has never been used: 128 random bits as hex.
    public var newID: @Sendable () -> String

    public init(
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Date) async throws -> Void,
        newID: @escaping @Sendable () -> String
    ) {
        self.now = now
        self.sleep = sleep
        self.newID = newID
    }

    /// The world as it is.
    public static let real = Surroundings(
        // Whole milliseconds, as everything is kept.
        now: { Date(timeIntervalSince1970: (Date().timeIntervalSince1970 * 1000).rounded(.down) / 1000) },
        sleep: { until in
            let seconds = until.timeIntervalSinceNow
            guard seconds > 0 else { return try Task.checkCancellation() }
            try await Task.sleep(for: .milliseconds(Int64((min(seconds, 86_400 * 365) * 1000).rounded(.up))))
        },
        newID: { UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased() })
}
