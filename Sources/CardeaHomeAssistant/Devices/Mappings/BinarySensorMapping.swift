import CardeaModel

/// A sensor with two states.
struct BinarySensorMapping: EntityMapping {
    private let report: StateReport

    init(_ said: StateReport, isFahrenheit: Bool) { self.report = said }

    let verbs: Set<Verb> = []

    var state: EntityState { EntityState(["on", "off"].contains(report.value) ? report.value : "unknown") }

    func serviceCall(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? { nil }
}
