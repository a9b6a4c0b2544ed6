import Foundation

extension Renderer {
    /// Filters and functions of times.
    func callOnTime(_ builtin: Builtin, _ arguments: BoundArguments) throws(TemplateError) -> Value {
        let value = arguments.value
        switch builtin {
        case .now: return .moment(try DateTime(seconds: now.timeIntervalSince1970, zone: .local(zone)))
        case .utcnow: return .moment(try DateTime(seconds: now.timeIntervalSince1970, zone: .utc))
        case .todayAt: return .moment(try today(at: arguments[0]))
        case .asTimestamp:
            if case .moment(let moment) = value { return .float(try moment.timestamp(in: zone)) }
            guard let moment = DateTimeParser.iso(value.text) else { return try fallback(arguments[1], builtin, value) }
            return .float(try moment.timestamp(in: zone))
        case .asDatetime: return try datetime(arguments)
        case .asLocal:
            guard case .moment(let moment) = value else { throw .type("as_local takes a time, and not a \(value.typeName)") }
            return .moment(try local(moment))
        case .asTimedelta:
            guard case .string(let text) = value else { throw .type("as_timedelta takes a text, and not a \(value.typeName)") }
            guard let interval = try TimeDeltaParser.interval(text) else { return .null }
            return .interval(interval)
        case .strptime:
            guard case .string(let text) = value, case .string(let format)? = arguments[1],
                let moment = DateTimeParser.time(text, format: format)
            else { return try fallback(arguments[2], builtin, value) }
            return .moment(moment)
        case .timestampCustom:
            guard let moment = try moment(ofTimestamp: value, zone: arguments.isTrue(2, or: true) ? .local(zone) : .utc) else {
                return try fallback(arguments[3], builtin, value)
            }
            guard case .string(let format) = arguments[1] ?? .string("%Y-%m-%d %H:%M:%S") else {
                return try fallback(arguments[3], builtin, value)
            }
            return .string(try moment.text(format: format))
        case .timestampLocal, .timestampUTC:
            guard let moment = try moment(ofTimestamp: value, zone: builtin == .timestampLocal ? .local(zone) : .utc) else {
                return try fallback(arguments[1], builtin, value)
            }
            return .string(moment.text(separator: "T"))
        default: return .interval(try interval(arguments))
        }
    }

    private func fallback(_ standard: Value?, _ builtin: Builtin, _ value: Value) throws(TemplateError) -> Value {
        guard let standard else { throw .value("\(builtin.rawValue) got no time and has no default: \(String(value.text.prefix(40)))") }
        return standard
    }

    private func local(_ moment: DateTime) throws(TemplateError) -> DateTime {
        moment.isAware ? try moment.moved(to: .local(zone)) : try DateTime(wall: moment.wall, zone: .local(zone))
    }

    /// Nil for an invalid number or time.
    private func moment(ofTimestamp value: Value, zone: DateTime.Zone) throws(TemplateError) -> DateTime? {
        if value.isUndefined { return nil }
        guard let seconds = value.number else { return nil }
        return try? DateTime(seconds: seconds, zone: zone)
    }

    private func datetime(_ arguments: BoundArguments) throws(TemplateError) -> Value {
        let value = arguments.value
        if case .moment = value { return value }
        if let seconds = try value.asFloat(), let moment = try? DateTime(seconds: seconds, zone: .utc) { return .moment(moment) }
        if case .string(let text) = value {
            if let moment = DateTimeParser.iso(text) { return .moment(moment) }
            return arguments[1] ?? .null
        }
        return try fallback(arguments[1], .asDatetime, value)
    }

    private func today(at time: Value?) throws(TemplateError) -> DateTime {
        var fields = try DateTime(seconds: now.timeIntervalSince1970, zone: .local(zone)).fields
        (fields.hour, fields.minute, fields.second, fields.microsecond) = (0, 0, 0, 0)
        guard let time, time.isTrue else { return try DateTime(fields, zone: .local(zone)) }
        let parts = time.text.split(separator: ":", omittingEmptySubsequences: false)
        var numbers: [Int] = []
        for part in parts.prefix(3) { if let number = try NumberText.integer(String(part)) { numbers.append(number) } }
        guard parts.count >= 2, numbers.count == min(3, parts.count) else { throw .value("today_at takes a time of day") }
        fields.hour = numbers[0]
        fields.minute = numbers[1]
        fields.second = numbers.count > 2 ? numbers[2] : 0
        return try DateTime(fields, zone: .local(zone))
    }

    private func interval(_ arguments: BoundArguments) throws(TemplateError) -> TimeDelta {
        let scales = [86_400, 1, 1e-6, 1e-3, 60, 3_600, 604_800]
        var seconds = 0.0
        for (place, scale) in scales.enumerated() {
            guard let value = arguments[place] else { continue }
            guard let number = try value.defined().number else { throw .type("timedelta takes numbers, and not a \(value.typeName)") }
            seconds += number * scale
        }
        return try TimeDelta(seconds: seconds)
    }
}
