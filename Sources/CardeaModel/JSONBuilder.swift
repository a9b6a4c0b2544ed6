/// Makes the values of one kind out of what `JSONReader` reads.
@usableFromInline package protocol JSONBuilder {
    associatedtype Value
    /// The members of an object that is not yet read to its end.
    associatedtype Members

    /// The deepest nesting of objects and lists that is read.
    static var depthLimit: Int { get }

    static var null: Value { get }
    static func bool(_ bool: Bool) -> Value
    static func string(_ string: String) -> Value
    /// Nil for a number that the kind cannot hold.
    static func number(_ number: JSONNumber) -> Value?
    /// Nil for a list that the kind cannot hold.
    static func list(_ elements: [Value]) -> Value?

    static var noMembers: Members { get }
    /// False for a member that the kind cannot hold.
    static func add(_ value: Value, named name: String, to members: inout Members) -> Bool
    static func object(_ members: Members) -> Value
}
