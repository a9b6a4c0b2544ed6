import CardeaModel

/// What somebody wants done. It is only ever suggested.
public struct CommandIntent: Hashable, Sendable {
    public enum Change: Hashable, Sendable {
        case verb(Verb)
        /// °C.
        case degrees(Double)
        /// Of brightness, speed, volume or position. A way in is moved only where somebody said "open".
        case percent(Double, isOpening: Bool)
        /// A number without a unit: the asker's degrees for a heating, percent for the rest.
        case withoutUnit(Double)
        /// Warmer by so many °C, or cooler; where something was spoken of before, there.
        case warmer(Double, isThere: Bool)
        case scene(String)
    }

    public var change: Change
    public var subject = DeviceReference()
    /// Whether its verb was read out of a slip of the finger.
    var isGuessed = false
}
