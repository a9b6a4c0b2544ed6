import CardeaModel

extension Wiring {
    /// The topics that the commands of an entity go to.
    ///
    /// A wiring tells them only by its messages, so it is asked for one of each verb, with a value of every form and a code of every length.
    func commandTopics(in state: EntityState) -> Set<String> {
        var topics: Set<String> = []
        let names = ["effect_list", "preset_modes", EntityState.modes].compactMap { list -> JSONValue? in
            if case .array(let names)? = traits.values[list] ?? state.attributes[list] { names.first } else { nil }
        }
        for verb in verbs {
            let codes: [String?] = needsCode(verb) ? (1...12).map { String(repeating: "0", count: $0) } : [nil]
            let values: [JSONValue?] = verb.value == .none ? [nil] : Self.values + names
            for code in codes {
                for value in values {
                    let telegrams = telegrams(for: verb, value: value, transition: nil, code: code, in: state) ?? []
                    topics.formUnion(telegrams.map(\.topic))
                }
            }
        }
        return topics
    }

    private static var values: [JSONValue?] {
        [
            50, 20, true, "home", "forward", "heat", "off", ["hue": 120, "saturation": 50], ["temperature": 3000], ["white": 50],
            ["low": 18, "high": 22],
        ]
    }
}
