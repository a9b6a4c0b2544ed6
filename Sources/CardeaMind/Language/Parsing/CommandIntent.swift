import CardeaModel

/// A command that a person wants. It is only ever suggested.
public struct CommandIntent: Hashable, Sendable {
    public enum Change: Hashable, Sendable {
        case verb(Verb)
        /// °C.
        case degrees(Double)
        /// Of brightness, speed, volume or position. A way in moves only if the person said "open".
        case percent(Double, isOpening: Bool)
        /// A number without a unit: the requester's degrees for a heating, percent for the rest.
        case withoutUnit(Double)
        /// Warmer by so many °C, or cooler if negative; in the place that was mentioned before, if there is one.
        case warmer(Double, isThere: Bool)
        case scene(String)
    }

    public var change: Change
    public var subject = DeviceReference()
    /// True if its verb was read from a misspelt word.
    var isGuessed = false
}
