/// The whites that a light shines in, from warm to cold, in kelvin.
extension EntityState {
    /// The attributes in which a light says its warmest and its coldest white, in Home Assistant's words.
    public static let warmestWhite = "min_color_temp_kelvin", coldestWhite = "max_color_temp_kelvin"

    /// Both as attributes, in whole kelvin. Missing and impossible limits are omitted: empty, or the wrong way round.
    public static func whiteAttributes(from warmest: Double?, to coldest: Double?) -> [String: JSONValue] {
        let (warmest, coldest) = (kelvin(warmest), kelvin(coldest))
        if let warmest, let coldest, warmest > coldest { return [:] }
        var reported: [String: JSONValue] = [:]
        reported[warmestWhite] = warmest.map(JSONValue.number)
        reported[coldestWhite] = coldest.map(JSONValue.number)
        return reported
    }

    private static func kelvin(_ number: Double?) -> Double? {
        guard let number, (1...100_000).contains(number) else { return nil }
        return number.rounded()
    }
}

extension Entity {
    /// Those that this light says it shines in, as far as the house takes them at all; all that it takes if the light says nothing of
    /// it.
    public var whiteRange: ClosedRange<Double> {
        let lowest = state.attributes[EntityState.warmestWhite]?.number ?? Verb.warmth.lowerBound
        let highest = state.attributes[EntityState.coldestWhite]?.number ?? Verb.warmth.upperBound
        guard lowest <= highest, (lowest...highest).overlaps(Verb.warmth) else { return Verb.warmth }
        return (lowest...highest).clamped(to: Verb.warmth)
    }

    /// Returns the value in its stored form, if it is valid for this verb and this entity.
    ///
    /// - Parameter isExisting: true if it was decided before, when less may have been known of the light. A white outside its range then
    ///   becomes the nearest one; in a new request it is refused with the range.
    public func normalized(_ value: JSONValue?, for verb: Verb, isExisting: Bool = false) throws(DeviceAction.ActionError) -> JSONValue? {
        guard let accepted = verb.value.normalized(value) else { throw .value(verb) }
        guard verb == .setColor, let white = accepted?["temperature"]?.number, !whiteRange.contains(white) else { return accepted }
        guard isExisting else { throw .white(whiteRange) }
        return ["temperature": .number(min(max(white, whiteRange.lowerBound), whiteRange.upperBound))]
    }
}
