import Foundation

/// An invalid field of an automation; the message follows the field's name in a sentence.
public struct AutomationError: Error, Hashable, Sendable {
    public let field: String
    public let message: String

    public init(_ field: String, _ words: String) {
        self.field = field
        self.message = words
    }

    static func checkID(_ id: String, _ field: String) throws(AutomationError) {
        guard (1...128).contains(id.utf8.count) else { throw AutomationError(field, "must be an id of 1 to 128 bytes") }
    }

    static func check(_ number: Double, _ field: String) throws(AutomationError) {
        guard number.isFinite, abs(number) <= 1e12 else { throw AutomationError(field, "must be a number from -1e12 to 1e12") }
    }

    static func check(_ days: Set<Weekday>, _ field: String) throws(AutomationError) {
        guard !days.isEmpty else { throw AutomationError(field, "must have at least one day") }
    }
}
