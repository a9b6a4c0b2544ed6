import CardeaModel

/// A sensor.
struct SensorMapping: EntityMapping {
    private let report: StateReport
    private let conversion: UnitConversion.Factor?

    init(_ report: StateReport, isFahrenheit: Bool) {
        self.report = report
        conversion = report.text("unit_of_measurement").flatMap {
            UnitConversion.conversion(from: $0, deviceClass: report.text("device_class"))
        }
    }

    let verbs: Set<Verb> = []

    var unit: String? {
        conversion?.unit ?? report.text("unit_of_measurement").map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 }
    }

    var state: EntityState {
        guard !Self.unknowns.contains(report.value), !Self.notNumbers.contains(report.value.lowercased()) else { return EntityState() }
        guard let conversion else { return EntityState(report.value) }
        guard let number = Double(report.value), number.isFinite else { return EntityState() }
        let converted = conversion.apply(number).rounded(to: 4)
        return EntityState(Int64(exactly: converted).map { String($0) } ?? String(converted))
    }

    /// The states that integrations report without a value, and the results of arithmetic on one.
    private static let unknowns: Set = ["", "None", "unknown", "unavailable"]
    private static let notNumbers: Set = ["nan", "+nan", "-nan", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"]

    func serviceCall(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? { nil }
}
