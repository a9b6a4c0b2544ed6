import Testing

@testable import CardeaMQTT

@Suite("Colour conversions match Home Assistant 2025.4")
struct ColourTests {
    @Test(
        "Hue and saturation convert to RGB and chromaticity",
        arguments: [
            (0, 0, RGB(red: 255, green: 255, blue: 255), [0.323, 0.329]), (0, 100, RGB(red: 255, green: 0, blue: 0), [0.701, 0.299]),
            (33.3, 71.2, RGB(red: 255, green: 174, blue: 73), [0.526, 0.405]),
            (59.9, 99.9, RGB(red: 255, green: 255, blue: 0), [0.444, 0.517]),
            (120, 50, RGB(red: 128, green: 255, blue: 128), [0.245, 0.545]),
            (200, 10, RGB(red: 230, green: 246, blue: 255), [0.3, 0.321]), (240, 100, RGB(red: 0, green: 0, blue: 255), [0.136, 0.04]),
            (300, 37, RGB(red: 255, green: 161, blue: 255), [0.358, 0.231]),
            (359.9, 80, RGB(red: 255, green: 51, blue: 51), [0.663, 0.302]),
        ] as [(Double, Double, RGB, [Double])])
    func told(hue: Double, saturation: Double, rgb: RGB, xy: [Double]) {
        let colour = Colour(hue: hue, saturation: saturation)

        #expect(colour.rgb() == rgb)
        #expect([colour.xy.x, colour.xy.y] == xy)
    }

    @Test(
        "Chromaticity converts to hue and saturation",
        arguments: [
            ([0.3, 0.3], [234.0, 11.765]), ([0.64, 0.33], [12.981, 81.569]), ([0.15, 0.06], [241.188, 79.216]),
            ([0.5, 0.4], [32.484, 61.569]), ([0.701, 0.299], [0.0, 100.0]), ([0.2, 0.6], [131.314, 68.627]),
        ])
    func chromaticity(xy: [Double], expected: [Double]) throws {
        let colour = try #require(Colour(x: xy[0], y: xy[1]))

        #expect([colour.hue, colour.saturation] == expected)
    }

    @Test(
        "White light converts to hue and saturation",
        arguments: [
            (1500, [25.471, 100.0]), (2000, [30.601, 94.547]), (2700, [28.395, 65.723]), (4000, [26.812, 34.87]),
            (6500, [49.231, 1.944]), (6600, [0.0, 0.0]), (6700, [294.406, 2.452]), (10_000, [221.575, 20.9]), (50_000, [220.341, 40.52]),
        ] as [(Double, [Double])])
    func white(kelvin: Double, expected: [Double]) throws {
        let colour = try #require(Colour(kelvin: kelvin))

        #expect([colour.hue, colour.saturation] == expected)
    }

    @Test("RGB channels convert to hue and saturation at any brightness")
    func channels() {
        #expect(Colour(RGB(red: 10, green: 20, blue: 30)) == Colour(hue: 210, saturation: 66.667))
        #expect(Colour(RGB(red: 12, green: 200, blue: 255)) == Colour(hue: 193.58, saturation: 95.294))
        #expect(Colour(RGB(red: 1, green: 1, blue: 1)) == Colour(hue: 0, saturation: 0))
        #expect(Colour(RGB(red: 0, green: 0, blue: 0)) == Colour(hue: 0, saturation: 0))
        #expect(Colour(RGB(red: .infinity, green: 0, blue: 0)) == nil)
    }

    @Test("Mireds and kelvin are rounded down")
    func reciprocal() {
        #expect(Colour.reciprocal(454) == 2202)
        #expect(Colour.reciprocal(2700) == 370)
        #expect(Colour.reciprocal(0) == nil)
        #expect(Colour.reciprocal(-1) == nil)
        #expect(Colour.reciprocal(.leastNonzeroMagnitude) == nil)
    }

    @Test("Numbers are parsed and rounded as in Python")
    func numbers() {
        #expect(["12", " 7 ", "1e3", ".5", "5.", "-.5", "+2"].map(PythonNumber.finite) == [12, 7, 1000, 0.5, 5, -0.5, 2])
        #expect(["", ".", "x", "0x1A", "nan", "-inf", "1,2", "--1"].allSatisfy { PythonNumber.finite($0) == nil })
        #expect(["12", "-3"].map(PythonNumber.integer) == [12, -3])
        #expect(["12.0", "1e3", ""].allSatisfy { PythonNumber.integer($0) == nil })
        #expect([0.5, 1.5, 2.5, -0.5].map(PythonNumber.round) == [0, 2, 2, 0])
        #expect(PythonNumber.floorDivide(-7, by: 2) == -4)
        #expect(PythonNumber.floorDivide(7, by: -2) == -4)
        #expect(PythonNumber.floorDivide(1, by: 0) == nil)
        #expect([21, 21.5, 0.1].map(PythonNumber.text) == ["21.0", "21.5", "0.1"])
    }
}
