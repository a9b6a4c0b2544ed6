import CardeaModel

/// A fan.
struct FanMapping: EntityMapping {
    private let report: StateReport

    init(_ report: StateReport, isFahrenheit: Bool) { self.report = report }

    // Bit 1: speed.
    var verbs: Set<Verb> { report.hasFeature(1) ? [.on, .off, .setPercentage] : [.on, .off] }

    var state: EntityState {
        var attributes: [String: JSONValue] = [:]
        attributes["percentage"] = report.percentage("percentage").map { .number($0) }
        return EntityState(["on", "off"].contains(report.value) ? report.value : "unknown", attributes: attributes)
    }

    func serviceCall(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? {
        guard verbs.contains(verb) else { return nil }
        switch verb {
        case .on: return ServiceCall("turn_on")
        case .off: return ServiceCall("turn_off")
        case .setPercentage:
            guard let percent = value?.number else { return nil }
            return percent <= 0 ? ServiceCall("turn_off") : ServiceCall("set_percentage", ["percentage": .number(percent.rounded())])
        default: return nil
        }
    }
}
