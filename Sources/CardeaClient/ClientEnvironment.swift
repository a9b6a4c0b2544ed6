import Foundation

/// The world outside the client, so that a test can move it by hand.
public struct ClientEnvironment: Sendable {
    public var now: @Sendable () -> Date
    public var sleep: @Sendable (Duration) async throws -> Void
    /// A number from 0 to 1, so that those who failed together do not come back together.
    public var jitter: @Sendable () -> Double
    /// A new idempotency key for one command, by which the house tells a retry from a second command.
    public var makeIdempotencyKey: @Sendable () -> String

    public init(
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void,
        newKey: @escaping @Sendable () -> String, jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.now = now
        self.sleep = sleep
        self.makeIdempotencyKey = newKey
        self.jitter = jitter
    }

    public static let live = ClientEnvironment(
        now: { Date() }, sleep: { try await Task.sleep(for: $0) }, newKey: { UUID().uuidString.lowercased() })
}
