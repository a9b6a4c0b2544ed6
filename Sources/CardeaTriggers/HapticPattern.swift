/// The vibration for a tap, as data for a phone to render.
public struct HapticPattern: Hashable, Sendable {
    public struct Pulse: Hashable, Sendable {
        public enum Kind: Hashable, Sendable {
            case mediumImpact
            case error
        }

        /// Seconds after the first.
        public let at: Double
        public let kind: Kind
    }

    public let beats: [Pulse]

    /// Two medium impacts, the second a fifth of a second after the first. After a tap alone, never after a press on the screen (Seed 002,
    /// item 15).
    public static let tapDone = HapticPattern(beats: [Pulse(at: 0, kind: .mediumImpact), Pulse(at: 0.2, kind: .mediumImpact)])
    /// One, for every failure (item 14).
    public static let failed = HapticPattern(beats: [Pulse(at: 0, kind: .error)])
    public static let none = HapticPattern(beats: [])
}
