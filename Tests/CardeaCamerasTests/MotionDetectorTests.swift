import CardeaModel
import CardeaTestSupport
import Testing

@testable import CardeaCameras

@Suite("Motion detection in grey pictures")
struct MotionDetectorTests {
    @Test("A moving box is detected once, from its entry to its exit")
    func crossing() throws {
        var scene = SyntheticScene(seed: 1)
        var detector = MotionDetector(CameraDetection(motion: true), rate: 5)

        let findings = scene.play(seconds: 20, rate: 5, in: &detector) { second in
            (8..<11).contains(second) ? [.box(x: Int((second - 8) * 50), y: 30, width: 18, height: 30, shade: 230)] : []
        }

        #expect(findings.compactMap(\.began).count == 1 && findings.count { $0.finding == .ended } == 1)
        let began = try #require(findings.first { $0.finding.isBeginning })
        #expect((8.0..<9.0).contains(began.second))
    }

    @Test(
        "A still scene with noise, light changes or slow dimming has no motion",
        arguments: Array(stride(from: 19, through: 0, by: TestRepetitions.isFull ? -1 : -4)))
    func still(seed: Int) {
        var scene = SyntheticScene(seed: UInt64(seed), noise: 10)
        var detector = MotionDetector(CameraDetection(motion: true, sensitivity: 5 + seed * 5), rate: 5)

        let findings = scene.play(seconds: 60, rate: 5, in: &detector) { second in
            // A lamp goes on at 20 and off at 40; the evening darkens slowly.
            [.light(Int(second < 20 ? 0 : second < 40 ? 40 : -10) - Int(second / 3))]
        }

        #expect(findings.isEmpty)
    }

    @Test("Motion outside the zones is ignored, and motion inside names the zone")
    func zones() {
        let left = CameraZone(name: "Path", corners: [.init(x: 0, y: 0), .init(x: 0.4, y: 0), .init(x: 0.4, y: 1), .init(x: 0, y: 1)])
        func found(atX x: Int) -> [[String]] {
            var scene = SyntheticScene(seed: 3)
            var detector = MotionDetector(CameraDetection(motion: true, zones: [left]), rate: 5)
            return scene.play(seconds: 15, rate: 5, in: &detector) { second in
                (6..<9).contains(second) ? [.box(x: x, y: 10 + Int((second - 6) * 12), width: 20, height: 20, shade: 240)] : []
            }.compactMap(\.began)
        }

        #expect(found(atX: 120) == [])
        #expect(found(atX: 20) == [["Path"]])
    }

    @Test("A switch to night mode is no motion, and motion after it is detected")
    func night() {
        var scene = SyntheticScene(seed: 5)
        var detector = MotionDetector(CameraDetection(motion: true), rate: 5)

        let findings = scene.play(seconds: 40, rate: 5, in: &detector) { second in
            let night: [SyntheticScene.MovingObject] = second >= 10 ? [.negative] : []
            return (25..<28).contains(second)
                ? night + [.box(x: Int((second - 25) * 45), y: 40, width: 20, height: 30, shade: 250)] : night
        }

        let beginnings = findings.filter { $0.finding.isBeginning }.map(\.second)
        #expect(beginnings.count == 1 && (25.0..<26.5).contains(beginnings.first ?? 0))
    }

    @Test("A flicker of one picture is no motion, and a lasting object becomes background")
    func flickerAndParking() {
        var scene = SyntheticScene(seed: 7)
        var detector = MotionDetector(CameraDetection(motion: true), rate: 5)

        let findings = scene.play(seconds: 90, rate: 5, in: &detector) { second in
            let flash: [SyntheticScene.MovingObject] = Int(second * 5) == 30 ? [.box(x: 40, y: 20, width: 40, height: 40, shade: 255)] : []
            return flash + (second >= 20 ? [.box(x: 90, y: 40, width: 40, height: 30, shade: 220)] : [])
        }

        #expect(findings.filter { $0.finding.isBeginning }.map { Int($0.second) } == [20] && findings.last?.finding == .ended)
    }

    @Test(
        "For any pictures motion starts and ends alternate",
        arguments: TestSeed.values(100..<112 as Range<UInt64>))
    func alternates(seed: UInt64) {
        var dice = XorshiftGenerator(seed: seed)
        var detector = MotionDetector(CameraDetection(motion: true, sensitivity: dice.next(100) + 1), rate: 5)
        var isOn = false

        for _ in 0..<150 {
            let base = UInt8(dice.next(256))
            let wild = dice.next(2) == 0
            let pixels = (0..<GreyFrame.size).map { wild && $0 % 7 == 0 ? UInt8(truncatingIfNeeded: $0) : base }
            guard let frame = GreyFrame(pixels), let finding = detector.process(frame) else { continue }
            switch finding {
            case .began:
                #expect(!isOn)
                isOn = true
            case .peak: #expect(isOn)
            case .ended:
                #expect(isOn)
                isOn = false
            }
        }
    }

    @Test("A higher sensitivity detects all that a lower one detects")
    func sensitivity() {
        func finds(_ sensitivity: Int, side: Int) -> Bool {
            var scene = SyntheticScene(seed: 11, noise: 4)
            var detector = MotionDetector(CameraDetection(motion: true, sensitivity: sensitivity), rate: 5)
            return scene.play(seconds: 12, rate: 5, in: &detector) { second in
                (5..<8).contains(second) ? [.box(x: Int((second - 5) * 40), y: 30, width: side, height: side, shade: 170)] : []
            }.contains { $0.finding.isBeginning }
        }

        for side in [6, 10, 16, 24, 40] {
            let found = [10, 40, 70, 100].map { finds($0, side: side) }
            #expect(found == found.sorted { !$0 && $1 }, "\(side): \(found)")
        }
        #expect(finds(100, side: 10) && finds(50, side: 24) && !finds(10, side: 6))
    }
}

/// A wall with a pattern, noise, light, and objects that move in front of it.
struct SyntheticScene {
    enum MovingObject {
        case box(x: Int, y: Int, width: Int, height: Int, shade: UInt8)
        case light(Int)
        case negative
    }

    private static let wall = (0..<GreyFrame.size).map { 60 + ($0 % GreyFrame.width) / 8 * 4 % 90 + $0 / GreyFrame.width / 2 }

    private var dice: XorshiftGenerator
    private let noise: Int

    init(seed: UInt64, noise: Int = 5) {
        dice = XorshiftGenerator(seed: seed)
        self.noise = noise
    }

    mutating func play(
        seconds: Int, rate: Int, in detector: inout MotionDetector, _ things: (Double) -> [MovingObject]
    ) -> [DetectedChange] {
        var findings: [DetectedChange] = []
        for number in 0..<seconds * rate {
            let second = Double(number) / Double(rate)
            guard let frame = GreyFrame(draw(things(second))), let finding = detector.process(frame) else { continue }
            findings.append(DetectedChange(second: second, finding: finding))
        }
        return findings.filter { $0.finding != .peak }
    }

    private mutating func draw(_ things: [MovingObject]) -> [UInt8] {
        var pixels = Self.wall
        for thing in things {
            switch thing {
            case .light(let shift): pixels = pixels.map { $0 + shift }
            case .negative: pixels = pixels.map { 235 - $0 }
            case .box(let x, let y, let width, let height, let shade):
                for row in max(0, y)..<min(GreyFrame.height, y + height) {
                    for column in max(0, x)..<min(GreyFrame.width, max(0, x) + width) {
                        pixels[row * GreyFrame.width + column] = Int(shade)
                    }
                }
            }
        }
        return pixels.map { UInt8(clamping: $0 + dice.next(2 * noise + 1) - noise) }
    }
}

extension MotionDetector.MotionChange {
    var isBeginning: Bool { if case .began = self { true } else { false } }
}

struct DetectedChange {
    let second: Double
    let finding: MotionDetector.MotionChange

    var began: [String]? { if case .began(let zones) = finding { zones } else { nil } }
}
