import Foundation

/// Sums and differences of times.
enum TimeArithmetic {
    /// Nil when neither value is a time.
    static func apply(_ operation: Expression.Operation, _ left: Value, _ right: Value) throws(TemplateError) -> Value? {
        switch (operation, left, right) {
        case (.add, .moment(let moment), .interval(let interval)), (.add, .interval(let interval), .moment(let moment)):
            return .moment(try moved(moment, by: interval.microseconds))
        case (.subtract, .moment(let moment), .interval(let interval)):
            return .moment(try moved(moment, by: -interval.microseconds))
        case (.subtract, .moment(let left), .moment(let right)):
            guard left.isAware == right.isAware else { throw .type("a time with a zone and one without cannot be subtracted") }
            // Within one zone Python compares local times.
            if left.zone == right.zone { return .interval(TimeDelta(microseconds: left.wall - right.wall)) }
            return .interval(TimeDelta(microseconds: left.instant - right.instant))
        case (.add, .interval(let left), .interval(let right)): return .interval(try interval(left.microseconds, right.microseconds))
        case (.subtract, .interval(let left), .interval(let right)): return .interval(try interval(left.microseconds, -right.microseconds))
        case (.divide, .interval(let left), .interval(let right)):
            guard right.microseconds != 0 else { throw .divisionByZero }
            return .float(Double(left.microseconds) / Double(right.microseconds))
        case (.multiply, .interval(let interval), _):
            guard let factor = right.number else { return nil }
            return .interval(try TimeDelta(seconds: Double(interval.microseconds) * factor / 1e6))
        case (.multiply, _, .interval(let interval)):
            guard let factor = left.number else { return nil }
            return .interval(try TimeDelta(seconds: Double(interval.microseconds) * factor / 1e6))
        case (.divide, .interval(let interval), _):
            guard let divisor = right.number else { return nil }
            guard divisor != 0 else { throw .divisionByZero }
            return .interval(try TimeDelta(seconds: Double(interval.microseconds) / divisor / 1e6))
        default: return nil
        }
    }

    private static func moved(_ moment: DateTime, by microseconds: Int) throws(TemplateError) -> DateTime {
        let (wall, overflow) = moment.wall.addingReportingOverflow(microseconds)
        guard !overflow else { throw .limit(.number) }
        return try DateTime(wall: wall, zone: moment.zone)
    }

    private static func interval(_ left: Int, _ right: Int) throws(TemplateError) -> TimeDelta {
        let (sum, overflow) = left.addingReportingOverflow(right)
        guard !overflow, sum > Int.min / 2, sum < Int.max / 2 else { throw .limit(.number) }
        return TimeDelta(microseconds: sum)
    }
}
