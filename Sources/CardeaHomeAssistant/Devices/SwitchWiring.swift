import CardeaModel

/// A switch.
struct SwitchWiring: Wiring {
    private let said: Said

    init(_ said: Said, isFahrenheit: Bool) { self.said = said }

    let verbs: Set<Verb> = [.on, .off]

    var state: EntityState { EntityState(["on", "off"].contains(said.value) ? said.value : "unknown") }

    func call(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? {
        switch verb {
        case .on: ServiceCall("turn_on")
        case .off: ServiceCall("turn_off")
        default: nil
        }
    }
}
