/// A number with the range in which the true value lies in 95 of 100 cases.
public struct EstimateAnswer: Codable, Hashable, Sendable {
    public let value: Double
    public let low: Double
    public let high: Double

    public init(value: Double, low: Double, high: Double) {
        self.value = value
        self.low = low
        self.high = high
    }
}

extension EstimateAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["value": .number(), "low": .number(), "high": .number()])
}
