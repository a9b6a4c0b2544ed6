/// An invalid field in a description of a room or of the house, or in a person's preferences.
public enum FieldError: Error, Hashable, Sendable {
    case name(field: String, Name.NameError)
    case range(field: String, ClosedRange<Double>)
    case tooMany(field: String, Int)

    static func check(_ number: Double?, _ range: ClosedRange<Double>, _ field: String) throws(FieldError) {
        if let number, !range.contains(number) { throw .range(field: field, range) }
    }
}
