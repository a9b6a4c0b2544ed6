import CardeaModel

/// A switch.
struct SwitchMapping: EntityMapping {
    private let report: StateReport

    init(_ report: StateReport, isFahrenheit: Bool) { self.report = report }

    let verbs: Set<Verb> = [.on, .off]

    var state: EntityState { EntityState(["on", "off"].contains(report.value) ? report.value : "unknown") }

    func serviceCall(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? {
        switch verb {
        case .on: ServiceCall("turn_on")
        case .off: ServiceCall("turn_off")
        default: nil
        }
    }
}
