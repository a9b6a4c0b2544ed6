import CardeaModel

/// A sensor.
struct SensorWiring: Wiring {
    private let said: Said
    private let conversion: Units.Conversion?

    init(_ said: Said, isFahrenheit: Bool) {
        self.said = said
        conversion = said.text("unit_of_measurement").flatMap { Units.conversion(from: $0, deviceClass: said.text("device_class")) }
    }

    let verbs: Set<Verb> = []

    var unit: String? {
        conversion?.unit ?? said.text("unit_of_measurement").map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 }
    }

    var state: EntityState {
        guard !Self.unknowns.contains(said.value), !Self.notNumbers.contains(said.value.lowercased()) else { return EntityState() }
        guard let conversion else { return EntityState(said.value) }
        guard let number = Double(said.value), number.isFinite else { return EntityState() }
        let converted = conversion.apply(number).rounded(to: 4)
        return EntityState(Int64(exactly: converted).map { String($0) } ?? String(converted))
    }

    /// What integrations say that have no value, and what their arithmetic makes of none.
    private static let unknowns: Set = ["", "None", "unknown", "unavailable"]
    private static let notNumbers: Set = ["nan", "+nan", "-nan", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"]

    func call(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? { nil }
}

/// A sensor that says yes or no.
struct BinarySensorWiring: Wiring {
    private let said: Said

    init(_ said: Said, isFahrenheit: Bool) { self.said = said }

    let verbs: Set<Verb> = []

    var state: EntityState { EntityState(["on", "off"].contains(said.value) ? said.value : "unknown") }

    func call(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? { nil }
}

/// A button. What Home Assistant says of it is when it was last pressed, and it says so before anything has moved.
struct ButtonWiring: Wiring {
    init(_ said: Said, isFahrenheit: Bool) {}

    let verbs: Set<Verb> = [.press]
    let state = EntityState()

    func call(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? {
        verb == .press ? ServiceCall("press") : nil
    }
}
