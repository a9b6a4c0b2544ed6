/// What a hand that taps feels, as data for whoever has a phone to render.
public struct Feedback: Hashable, Sendable {
    public struct Beat: Hashable, Sendable {
        public enum Kind: Hashable, Sendable {
            case mediumImpact
            case error
        }

        /// Seconds after the first.
        public let at: Double
        public let kind: Kind
    }

    public let beats: [Beat]

    /// Two medium impacts, the second a fifth of a second after the first. After a tap alone, never after a press on the screen (Seed 002, item 15).
    public static let tapDone = Feedback(beats: [Beat(at: 0, kind: .mediumImpact), Beat(at: 0.2, kind: .mediumImpact)])
    /// One, for whatever came to nothing (item 14).
    public static let failed = Feedback(beats: [Beat(at: 0, kind: .error)])
    public static let none = Feedback(beats: [])
}
