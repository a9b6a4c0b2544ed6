import Foundation

/// Python's arithmetic. Integers have 64 bits: a larger result is a named error.
enum Arithmetic {
    static func apply(_ operation: Expression.Operation, _ left: Value, _ right: Value) throws(TemplateError) -> Value {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return try integers(operation, left, right)
        case (.float(let left), .float(let right)): return try floats(operation, left, right)
        default: break
        }
        if case .string(let format) = left, operation == .remainder {
            return .string(try PrintfFormat.text(format, right))
        }
        _ = try left.defined()
        _ = try right.defined()
        if let left = left.index, let right = right.index { return try integers(operation, left, right) }
        if let left = left.number, let right = right.number { return try floats(operation, left, right) }
        if let result = try TimeArithmetic.apply(operation, left, right) { return result }
        switch (operation, left, right) {
        case (.add, .string(let left), .string(let right)):
            guard left.utf8.count + right.utf8.count <= TemplateLimits.text else { throw .limit(.text) }
            return .string(left + right)
        case (.add, .sequence(let left), .sequence(let right)) where left.kind == right.kind && (left.kind == .list || left.kind == .tuple):
            guard left.values.count + right.values.count <= TemplateLimits.elements else { throw .limit(.text) }
            return .sequence(try Value.Items(left.kind, left.values + right.values))
        case (.multiply, _, _):
            if let count = right.index, let result = try repeated(left, count) { return result }
            if let count = left.index, let result = try repeated(right, count) { return result }
        default: break
        }
        throw .type("\(operation) does not take \(left.typeName) and \(right.typeName)")
    }

    private static func repeated(_ value: Value, _ count: Int) throws(TemplateError) -> Value? {
        let count = max(0, count)
        switch value {
        case .string(let text):
            guard !text.isEmpty, count > 0 else { return .string("") }
            guard count <= TemplateLimits.text / text.utf8.count else { throw .limit(.text) }
            return .string(String(repeating: text, count: count))
        case .sequence(let items) where items.kind == .list || items.kind == .tuple:
            guard !items.values.isEmpty, count > 0 else { return .sequence(try Value.Items(items.kind, [])) }
            guard count <= TemplateLimits.elements / items.values.count else { throw .limit(.text) }
            return .sequence(try Value.Items(items.kind, Array(repeatElement(items.values, count: count).joined())))
        default: return nil
        }
    }

    private static func checked(_ result: (partialValue: Int, overflow: Bool)) throws(TemplateError) -> Int {
        guard !result.overflow else { throw .limit(.number) }
        return result.partialValue
    }

    private static func integers(_ operation: Expression.Operation, _ left: Int, _ right: Int) throws(TemplateError) -> Value {
        switch operation {
        case .add: return .integer(try checked(left.addingReportingOverflow(right)))
        case .subtract: return .integer(try checked(left.subtractingReportingOverflow(right)))
        case .multiply: return .integer(try checked(left.multipliedReportingOverflow(by: right)))
        case .divide:
            guard right != 0 else { throw .divisionByZero }
            return .float(Double(left) / Double(right))
        case .floorDivide:
            guard right != 0 else { throw .divisionByZero }
            let quotient = try checked(left.dividedReportingOverflow(by: right))
            return .integer(left % right != 0 && (left < 0) != (right < 0) ? quotient - 1 : quotient)
        case .remainder:
            guard right != 0 else { throw .divisionByZero }
            let (rest, overflow) = left.remainderReportingOverflow(dividingBy: right)
            if overflow { return .integer(0) }
            return .integer(rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest)
        case .power:
            guard right >= 0 else { return try floats(.power, Double(left), Double(right)) }
            return .integer(try power(left, right))
        }
    }

    private static func power(_ base: Int, _ exponent: Int) throws(TemplateError) -> Int {
        if base == 1 || exponent == 0 { return 1 }
        if base == 0 { return 0 }
        if base == -1 { return exponent.isMultiple(of: 2) ? 1 : -1 }
        guard exponent < 64 else { throw .limit(.number) }
        var result = 1
        for _ in 0..<exponent { result = try checked(result.multipliedReportingOverflow(by: base)) }
        return result
    }

    private static func floats(_ operation: Expression.Operation, _ left: Double, _ right: Double) throws(TemplateError) -> Value {
        switch operation {
        case .add: return .float(left + right)
        case .subtract: return .float(left - right)
        case .multiply: return .float(left * right)
        case .divide:
            guard right != 0 else { throw .divisionByZero }
            return .float(left / right)
        case .floorDivide:
            guard right != 0 else { throw .divisionByZero }
            return .float(quotient(left, right))
        case .remainder:
            guard right != 0 else { throw .divisionByZero }
            return .float(remainder(left, right))
        case .power:
            if left == 0, right < 0 { throw .divisionByZero }
            if left < 0, left.isFinite, right.isFinite, right != right.rounded() {
                throw .value("a power of a negative number is not real")
            }
            let result = pow(left, right)
            guard !result.isInfinite || left.isInfinite || right.isInfinite else { throw .limit(.number) }
            return .float(result)
        }
    }

    /// With the sign of the divisor.
    private static func remainder(_ left: Double, _ right: Double) -> Double {
        let rest = left.truncatingRemainder(dividingBy: right)
        if rest == 0 { return right.sign == .minus ? -0.0 : 0.0 }
        return (rest < 0) != (right < 0) ? rest + right : rest
    }

    private static func quotient(_ left: Double, _ right: Double) -> Double {
        let rest = left.truncatingRemainder(dividingBy: right)
        var result = (left - rest) / right
        if rest != 0, (rest < 0) != (right < 0) { result -= 1 }
        guard result != 0 else { return (left / right).sign == .minus ? -0.0 : 0.0 }
        let floor = result.rounded(.down)
        return result - floor > 0.5 ? floor + 1 : floor
    }

    static func negative(_ value: Value) throws(TemplateError) -> Value {
        switch try value.defined() {
        case .float(let number): return .float(-number)
        case .interval(let interval):
            return .interval(TimeDelta(microseconds: try checked((0).subtractingReportingOverflow(interval.microseconds))))
        default:
            guard let number = value.index else { throw .type("a \(value.typeName) has no sign") }
            return .integer(try checked((0).subtractingReportingOverflow(number)))
        }
    }

    static func positive(_ value: Value) throws(TemplateError) -> Value {
        switch try value.defined() {
        case .float, .interval: return value
        default:
            guard let number = value.index else { throw .type("a \(value.typeName) has no sign") }
            return .integer(number)
        }
    }

    static func magnitude(_ value: Value) throws(TemplateError) -> Value {
        switch value {
        case .float(let number): return .float(number.magnitude)
        case .interval(let interval): return interval.microseconds < 0 ? try negative(value) : value
        default:
            guard let number = value.index else { throw .type("a \(value.typeName) has no absolute value") }
            return number < 0 ? try negative(.integer(number)) : .integer(number)
        }
    }
}
