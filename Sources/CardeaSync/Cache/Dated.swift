import Foundation

/// Something of the house, and since when nobody has heard otherwise.
public struct Dated<Value: Sendable>: Sendable {
    public let value: Value
    /// When this was last level with the house, by the clock here; nil where it never was.
    public let asOf: Date?

    public init(_ value: Value, asOf: Date?) {
        self.value = value
        self.asOf = asOf
    }

    public func map<Other: Sendable>(_ transform: (Value) throws -> Other) rethrows -> Dated<Other> {
        Dated<Other>(try transform(value), asOf: asOf)
    }
}
