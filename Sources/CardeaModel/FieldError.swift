/// What is wrong with one field of something people describe: a room, the house, their own preferences.
public enum FieldError: Error, Hashable, Sendable {
    case name(field: String, Name.NameError)
    case range(field: String, ClosedRange<Double>)
    case tooMany(field: String, Int)

    static func check(_ number: Double?, _ range: ClosedRange<Double>, _ field: String) throws(FieldError) {
        if let number, !range.contains(number) { throw .range(field: field, range) }
    }
}
