import CardeaModel

/// A sensor with two states.
struct BinarySensorMapping: EntityMapping {
    private let report: StateReport

    init(_ report: StateReport, isFahrenheit: Bool) { self.report = report }

    let verbs: Set<Verb> = []

    var state: EntityState { EntityState(["on", "off"].contains(report.value) ? report.value : "unknown") }

    func serviceCall(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? { nil }
}
