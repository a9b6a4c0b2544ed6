import CardeaModel
import Foundation

/// Red, green and blue, 0 to 255 each.
struct RGB: Hashable, Sendable {
    var red: Double
    var green: Double
    var blue: Double

    var highest: Double { max(red, green, blue) }
    var lowest: Double { min(red, green, blue) }

    func map(_ change: (Double) -> Double) -> RGB { RGB(red: change(red), green: change(green), blue: change(blue)) }
}

/// A colour as the house keeps it: hue in degrees, saturation in percent. Computed with the formulas and the rounding of Home Assistant.
struct Colour: Hashable, Sendable {
    let hue: Double
    let saturation: Double

    init(hue: Double, saturation: Double) {
        self.hue = hue
        self.saturation = saturation
    }

    /// The brightness of `rgb` is not part of the colour. Nil for values that are not finite.
    init?(_ rgb: RGB) {
        let (r, g, b) = (rgb.red / 255, rgb.green / 255, rgb.blue / 255)
        let (highest, lowest) = (max(r, g, b), min(r, g, b))
        guard highest.isFinite, lowest.isFinite else { return nil }
        guard highest != lowest else {
            self.init(hue: 0, saturation: 0)
            return
        }
        let spread = highest - lowest
        let (fromRed, fromGreen, fromBlue) = ((highest - r) / spread, (highest - g) / spread, (highest - b) / spread)
        let sector = r == highest ? fromBlue - fromGreen : g == highest ? 2 + fromRed - fromBlue : 4 + fromGreen - fromRed
        let turn = (sector / 6).truncatingRemainder(dividingBy: 1)
        let saturation = spread / highest * 100
        guard saturation.isFinite else { return nil }
        self.init(
            hue: PythonNumber.round((turn < 0 ? turn + 1 : turn) * 360, to: 3), saturation: PythonNumber.round(saturation, to: 3))
    }

    /// CIE 1931 chromaticity.
    init?(x: Double, y: Double) {
        guard let rgb = Self.rgb(x: x, y: y) else { return nil }
        self.init(rgb)
    }

    /// White light of a warmth in kelvin.
    init?(kelvin: Double) {
        self.init(Self.white(kelvin: kelvin))
    }

    /// In whole numbers.
    ///
    /// - Parameter value: percent of the full brightness.
    func rgb(value: Double = 100) -> RGB {
        let (turn, strength, level) = (hue / 360, saturation / 100, value / 100)
        guard strength != 0, turn.isFinite, turn.magnitude < 1000 else {
            let grey = PythonNumber.round(level * 255)
            return RGB(red: grey, green: grey, blue: grey)
        }
        let sector = (turn * 6).rounded(.towardZero)
        let within = turn * 6 - sector
        let low = level * (1 - strength)
        let falling = level * (1 - strength * within)
        let rising = level * (1 - strength * (1 - within))
        let whole = sector.truncatingRemainder(dividingBy: 6)
        let rgb =
            switch whole {
            case 0: RGB(red: level, green: rising, blue: low)
            case 1: RGB(red: falling, green: level, blue: low)
            case 2: RGB(red: low, green: level, blue: rising)
            case 3: RGB(red: low, green: falling, blue: level)
            case 4: RGB(red: rising, green: low, blue: level)
            default: RGB(red: level, green: low, blue: falling)
            }
        return rgb.map { PythonNumber.round($0 * 255) }
    }

    /// CIE 1931 chromaticity, to three decimals.
    var xy: (x: Double, y: Double) { Self.xy(rgb()) }

    var json: JSONValue { ["hue": .number(PythonNumber.round(hue, to: 1)), "saturation": .number(PythonNumber.round(saturation, to: 1))] }

    // MARK: Chromaticity (wide gamut, D65)

    private static func xy(_ rgb: RGB) -> (x: Double, y: Double) {
        guard rgb.red + rgb.green + rgb.blue != 0 else { return (0, 0) }
        let linear = rgb.map { part in
            let part = part / 255
            return part > 0.04045 ? pow((part + 0.055) / (1.0 + 0.055), 2.4) : part / 12.92
        }
        let x = linear.red * 0.664511 + linear.green * 0.154324 + linear.blue * 0.162028
        let y = linear.red * 0.283881 + linear.green * 0.668433 + linear.blue * 0.047685
        let z = linear.red * 0.000088 + linear.green * 0.072310 + linear.blue * 0.986039
        return (PythonNumber.round(x / (x + y + z), to: 3), PythonNumber.round(y / (x + y + z), to: 3))
    }

    /// At full brightness, in whole numbers; nil for values that are not finite.
    private static func rgb(x: Double, y: Double) -> RGB? {
        guard x.magnitude <= 100, y.magnitude <= 100 else { return nil }
        let y = y == 0 ? 0.00000000001 : y
        let (bigX, bigZ) = (1 / y * x, 1 / y * (1 - x - y))
        let gamma = RGB(
            red: bigX * 1.656492 - 0.354851 - bigZ * 0.255038, green: -bigX * 0.707196 + 1.655397 + bigZ * 0.036152,
            blue: bigX * 0.051713 - 0.121364 + bigZ * 1.011530
        ).map { max(0, $0 <= 0.0031308 ? 12.92 * $0 : (1.0 + 0.055) * pow($0, 1.0 / 2.4) - 0.055) }
        guard gamma.highest.isFinite else { return nil }
        let scaled = gamma.highest > 1 ? gamma.map { $0 / gamma.highest } : gamma
        return scaled.map { ($0 * 255).rounded(.towardZero) }
    }

    // MARK: White light

    /// The colour of white light, not rounded.
    static func white(kelvin: Double) -> RGB {
        let warmth = min(max(kelvin, 1000), 40_000) / 100
        func bounded(_ part: Double) -> Double { min(max(part, 0), 255) }
        return RGB(
            red: warmth <= 66 ? 255 : bounded(329.698727446 * pow(warmth - 60, -0.1332047592)),
            green: bounded(
                warmth <= 66 ? 99.4708025861 * log(warmth) - 161.1195681661 : 288.1221695283 * pow(warmth - 60, -0.0755148492)),
            blue: warmth >= 66 ? 255 : warmth <= 19 ? 0 : bounded(138.5177312231 * log(warmth - 10) - 305.0447927307))
    }

    /// The warmth in kelvin that is nearest to the colour.
    var nearestWhite: Double {
        let (x, y) = xy
        let n = (x - 0.3320) / (0.1858 - y)
        return (437 * pow(n, 3) + 3601 * pow(n, 2) + 6861 * n + 5517).rounded(.towardZero)
    }

    /// Kelvin from mireds, and mireds from kelvin, rounded down. Nil if there are none.
    static func reciprocal(_ number: Double) -> Double? {
        guard number > 0 else { return nil }
        let result = (1_000_000 / number).rounded(.down)
        return result.isFinite && result >= 1 ? result : nil
    }
}
