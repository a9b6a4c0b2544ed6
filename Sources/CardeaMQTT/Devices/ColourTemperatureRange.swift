import CardeaModel
import Foundation

/// The whites in which a lamp shines, in kelvin.
struct ColourTemperatureRange: Hashable, Sendable {
    /// Nil if the announcement does not say.
    private let announced: [String: JSONValue]
    /// The warmest and the coldest; those that Home Assistant assumes if the announcement does not say.
    let warmest: Double
    let coldest: Double

    /// Mireds go before kelvin, as for Home Assistant.
    init(_ fields: AnnouncementFields) {
        func bound(mireds: String, kelvin: String) -> Double? {
            fields.number(mireds).flatMap(Colour.reciprocal) ?? fields.number(kelvin).flatMap { $0 > 0 ? $0 : nil }
        }
        let (warmest, coldest) = (
            bound(mireds: "max_mireds", kelvin: "min_kelvin"), bound(mireds: "min_mireds", kelvin: "max_kelvin")
        )
        announced = EntityState.whiteAttributes(from: warmest, to: coldest)
        self.warmest = warmest ?? 2000
        self.coldest = coldest ?? 6535
    }

    /// As attributes.
    var attributes: [String: JSONValue] { announced }

    /// The mireds of the coldest white, and how many there are to the warmest.
    private var mireds: (coldest: Double, range: Double) {
        let (low, high) = (Colour.reciprocal(coldest) ?? 0, Colour.reciprocal(warmest) ?? 0)
        return (low, high - low)
    }

    /// The warmth in kelvin at `share` of the way from the coldest to the warmest; 0 if there is none.
    func kelvin(at share: Double) -> Double {
        let (coldest, range) = mireds
        return Colour.reciprocal(coldest + share * range) ?? 0
    }

    /// The cold and the warm share of `brightness` that make a warmth in kelvin; nil if there is only one white.
    func levels(kelvin: Double, brightness: Double) -> (cold: Double, warm: Double)? {
        let (coldest, range) = mireds
        guard range != 0, let asked = Colour.reciprocal(kelvin) else { return nil }
        let cold = (coldest + range - asked) / range * brightness
        return (PythonNumber.round(cold), PythonNumber.round(brightness - cold))
    }
}
