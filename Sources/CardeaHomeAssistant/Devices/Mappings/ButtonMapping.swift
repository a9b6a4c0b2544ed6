import CardeaModel

/// A button. Home Assistant reports the time of its last press, before anything has moved.
struct ButtonMapping: EntityMapping {
    init(_ report: StateReport, isFahrenheit: Bool) {}

    let verbs: Set<Verb> = [.press]
    let state = EntityState()

    func serviceCall(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? {
        verb == .press ? ServiceCall("press") : nil
    }
}
