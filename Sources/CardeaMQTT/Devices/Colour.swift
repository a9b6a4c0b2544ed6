import CardeaModel
import Foundation

/// A colour as the house keeps it, and as lamps write it. Hue in degrees, saturation in percent.
struct Colour: Hashable, Sendable {
    let hue: Double
    let saturation: Double

    init(hue: Double, saturation: Double) {
        let turned = hue.truncatingRemainder(dividingBy: 360)
        self.hue = turned < 0 ? turned + 360 : turned
        self.saturation = min(max(saturation, 0), 100)
    }

    /// Three numbers, 0 to 255 each; their brightness is not colour.
    init?(rgb parts: [Double]) {
        guard parts.count == 3, let highest = parts.max(), let lowest = parts.min(), highest > 0, lowest >= 0, highest.isFinite else {
            return nil
        }
        let spread = highest - lowest
        guard spread > 0 else {
            self.init(hue: 0, saturation: 0)
            return
        }
        let (r, g, b) = Self.three(parts)
        let sector =
            if highest == r { (g - b) / spread } else if highest == g { 2 + (b - r) / spread } else { 4 + (r - g) / spread }
        self.init(hue: sector * 60, saturation: spread / highest * 100)
    }

    /// CIE 1931 chromaticity, by way of linear sRGB (D65).
    init?(x: Double, y: Double) {
        guard x >= 0, y > 0.0001, x <= 1, y <= 1 else { return nil }
        let (bigX, bigZ) = (x / y, (1 - x - y) / y)
        let linear = [
            3.2406 * bigX - 1.5372 - 0.4986 * bigZ,
            -0.9689 * bigX + 1.8758 + 0.0415 * bigZ,
            0.0557 * bigX - 0.2040 + 1.0570 * bigZ,
        ].map { max(0, $0) }
        guard let highest = linear.max(), highest > 0 else { return nil }
        self.init(rgb: linear.map { Self.gamma($0 / highest) * 255 })
    }

    /// Full brightness, 0 to 255 each.
    var rgb: [Double] {
        let sector = hue / 60
        let low = 1 - saturation / 100
        let rising = 1 - saturation / 100 * (1 - (sector - sector.rounded(.down)))
        let falling = 1 - saturation / 100 * (sector - sector.rounded(.down))
        let parts: [Double] =
            switch sector {
            case ..<1: [1, rising, low]
            case ..<2: [falling, 1, low]
            case ..<3: [low, 1, rising]
            case ..<4: [low, falling, 1]
            case ..<5: [rising, low, 1]
            default: [1, low, falling]
            }
        return parts.map { $0 * 255 }
    }

    var xy: (x: Double, y: Double) {
        let linear = rgb.map { Self.linear($0 / 255) }
        let (r, g, b) = Self.three(linear)
        let x = 0.4124 * r + 0.3576 * g + 0.1805 * b
        let y = 0.2126 * r + 0.7152 * g + 0.0722 * b
        let z = 0.0193 * r + 0.1192 * g + 0.9505 * b
        let sum = x + y + z
        return sum > 0 ? (x / sum, y / sum) : (0.3127, 0.3290)
    }

    var json: JSONValue { ["hue": .number(Text.round(hue, 1)), "saturation": .number(Text.round(saturation, 1))] }

    private static func three(_ parts: [Double]) -> (Double, Double, Double) {
        var parts = parts.makeIterator()
        return (parts.next() ?? 0, parts.next() ?? 0, parts.next() ?? 0)
    }

    private static func linear(_ part: Double) -> Double {
        part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }

    private static func gamma(_ part: Double) -> Double {
        part <= 0.0031308 ? part * 12.92 : 1.055 * pow(part, 1 / 2.4) - 0.055
    }

    /// Warmth in Kelvin from what a lamp says: Kelvin or mireds.
    static func kelvin(_ number: Double, isKelvin: Bool) -> Double? {
        guard number > 0, number.isFinite else { return nil }
        let kelvin = Text.round(isKelvin ? number : 1_000_000 / number)
        return kelvin.isFinite ? kelvin : nil
    }

    /// The whites that an announcement says a lamp shines in, as attributes. Mireds go before kelvin, as for Home Assistant.
    static func whites(_ fields: Fields) -> [String: JSONValue] {
        func said(mireds: String, kelvin name: String) -> Double? {
            fields.number(mireds).flatMap { kelvin($0, isKelvin: false) } ?? fields.number(name)
        }
        return EntityState.whites(
            from: said(mireds: "max_mireds", kelvin: "min_kelvin"), to: said(mireds: "min_mireds", kelvin: "max_kelvin"))
    }

    static func deviceTemperature(_ kelvin: Double, isKelvin: Bool) -> Double? {
        guard kelvin > 0, kelvin.isFinite else { return nil }
        return Text.round(isKelvin ? kelvin : 1_000_000 / kelvin)
    }
}
