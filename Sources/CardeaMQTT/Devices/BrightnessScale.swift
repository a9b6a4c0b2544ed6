import CardeaModel

/// The brightness of lamps: percents for the house, 1 to 255 for Home Assistant, and the device's own scale.
enum BrightnessScale {
    /// 0 to 255 for a percentage; nil for an invalid one.
    static func level(_ percent: Double?) -> Double? {
        guard let percent, percent >= 0, percent <= 100 else { return nil }
        return PythonNumber.round(percent * 255 / 100)
    }

    /// Returns the last reported level, 0 to 255, of a lamp of `scale`; the house stores a percentage. Nil if there is no report yet.
    static func level(in state: EntityState, scale: Double) -> Double? {
        guard let percent = state.attributes["brightness"]?.number, percent > 0, percent <= 100 else { return nil }
        // The house rounds percentages; the device's value is the nearest whole number.
        let own = scale <= 1000 ? PythonNumber.round(percent * scale / 100) : percent * scale / 100
        return min(PythonNumber.round(own / scale * 255), 255)
    }

    /// Percents of a lamp's own value, to one decimal.
    static func percent(_ value: Double, scale: Double) -> JSONValue {
        .number(PythonNumber.round(min(max(value / scale * 100, 0), 100), to: 1))
    }
}
