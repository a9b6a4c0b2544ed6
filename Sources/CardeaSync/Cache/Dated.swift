import Foundation

/// A value from the house, and the time of its last confirmation.
public struct Dated<Value: Sendable>: Sendable {
    public let value: Value
    /// The time of the last sync, by the clock here; nil if there was none.
    public let asOf: Date?

    public init(_ value: Value, asOf: Date?) {
        self.value = value
        self.asOf = asOf
    }

    public func map<Other: Sendable>(_ transform: (Value) throws -> Other) rethrows -> Dated<Other> {
        Dated<Other>(try transform(value), asOf: asOf)
    }
}
