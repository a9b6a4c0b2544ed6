import CardeaModel

/// A button. What Home Assistant says of it is when it was last pressed, and it says so before anything has moved.
struct ButtonMapping: EntityMapping {
    init(_ said: StateReport, isFahrenheit: Bool) {}

    let verbs: Set<Verb> = [.press]
    let state = EntityState()

    func serviceCall(_ verb: Verb, value: JSONValue?, transition: Double?) -> ServiceCall? {
        verb == .press ? ServiceCall("press") : nil
    }
}
