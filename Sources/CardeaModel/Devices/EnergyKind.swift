public enum EnergyKind: String, Codable, Hashable, Sendable, CaseIterable {
    case electricity, gas, water, solar

    /// The unit in which it is counted.
    public var unit: String {
        switch self {
        case .electricity, .solar: "kWh"
        case .gas: "m³"
        case .water: "L"
        }
    }

    /// Returns the cost of `amount` by a person's rates; nil if they have no rate for this kind.
    public func cost(of amount: Double, by preferences: Preferences) -> Double? {
        switch self {
        case .electricity: amount * preferences.energyCostRate
        case .water: amount * preferences.waterCostRate
        case .solar: 0
        case .gas: nil
        }
    }
}
