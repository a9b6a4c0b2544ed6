import CardeaModel

/// Finds motion in successive grey pictures: differences from a recent background, in cells of ten by ten.
///
/// A change of light is no motion: the whole picture's shift of brightness is subtracted first. An object that comes and stays, such as a
/// parked car, becomes part of the background after some seconds. A picture in which nearly everything changes at once, such as by the
/// camera's own switch to infrared, starts a new background.
struct MotionDetector: Sendable {
    /// The beginning and the end of motion.
    enum MotionChange: Hashable, Sendable {
        /// Something moves, since `began`; these are the zones.
        case began(zones: [String])
        /// More of it moves than ever since it began.
        case peak
        case ended
    }

    struct Cells {
        static let side = 10
        static let columns = GreyFrame.width / side
        static let rows = GreyFrame.height / side
        static let count = columns * rows
    }

    /// A zone as its cells.
    private struct Zone {
        let name: String?
        let cells: [Int]
    }

    private let zones: [Zone]
    private let watched: Set<Int>
    /// The change in brightness that counts for a place, of 255.
    let threshold: Int
    /// The share of a zone's cells that must have changed.
    private let share: Double
    /// Pictures in a row with motion before it is reported; without, before it has ended.
    private let least: Int
    private let quiet: Int

    /// The usual brightness of each place, times 256.
    private var background: [Int32] = []
    private var moving = 0
    private var still = 0
    private var isReported = false
    private var peakAmount = 0
    private var warmUp = 0
    private var seenZones: Set<String> = []

    /// - Parameter rate: pictures a second.
    init(_ detection: CameraDetection, rate: Int) {
        let places = (0..<Cells.count).map { cell in
            CameraZone.Corner(
                x: (Double(cell % Cells.columns) + 0.5) / Double(Cells.columns),
                y: (Double(cell / Cells.columns) + 0.5) / Double(Cells.rows))
        }
        zones =
            detection.zones.isEmpty
            ? [Zone(name: nil, cells: Array(places.indices))]
            : detection.zones.map { zone in Zone(name: zone.name, cells: places.indices.filter { zone.contains(places[$0]) }) }
        watched = Set(zones.flatMap(\.cells))
        let sensitivity = Double(min(max(detection.sensitivity, 1), 100))
        threshold = Int(46 - 0.3 * sensitivity)
        share = 0.05 * (1 - sensitivity / 101)
        least = max(2, rate * 2 / 5)
        quiet = max(rate * 2, 2)
    }

    /// Takes the next picture in.
    mutating func process(_ frame: GreyFrame) -> MotionChange? {
        guard background.count == GreyFrame.size else {
            begin(frame)
            return nil
        }
        let shift = lightShift(frame)
        var changed = [Int](repeating: 0, count: Cells.count)
        for place in frame.pixels.indices {
            let brightness = Int32(frame.pixels[place]) * 256
            if abs(brightness - background[place] - shift) > Int32(threshold) * 256 {
                changed[place / GreyFrame.width / Cells.side * Cells.columns + place % GreyFrame.width / Cells.side] += 1
            }
            // A running average over about six seconds at five pictures a second; slower where something moves, so that a slow walker does
            // not become part of the background.
            background[place] += (brightness - background[place]) / (moving > 0 ? 64 : 24)
        }
        if warmUp > 0 {
            warmUp -= 1
            return nil
        }
        // A quarter of the cell: less is noise at an edge.
        let cells = changed.indices.filter { changed[$0] * 4 >= Cells.side * Cells.side }
        guard cells.count * 10 < Cells.count * 6 else {
            begin(frame)
            return updateState(moves: false, amount: 0, zones: [])
        }
        let moved = Set(cells).intersection(watched)
        let hit = zones.filter { zone in
            let count = zone.cells.count { moved.contains($0) }
            return count > 0 && Double(count) >= max(1, share * Double(zone.cells.count))
        }
        return updateState(moves: !hit.isEmpty, amount: moved.count, zones: hit.compactMap(\.name))
    }

    private mutating func updateState(moves: Bool, amount: Int, zones: [String]) -> MotionChange? {
        guard moves else {
            still += 1
            if still >= 2 { moving = 0 }
            guard isReported, still >= quiet else { return nil }
            isReported = false
            peakAmount = 0
            seenZones = []
            return .ended
        }
        still = 0
        moving += 1
        seenZones.formUnion(zones)
        if !isReported {
            guard moving >= least else {
                peakAmount = max(peakAmount, amount)
                return nil
            }
            isReported = true
            peakAmount = amount
            return .began(zones: seenZones.sorted())
        }
        guard amount > peakAmount else { return nil }
        peakAmount = amount
        return .peak
    }

    /// Starts with a new background: the first frame contains no motion.
    private mutating func begin(_ frame: GreyFrame) {
        background = frame.pixels.map { Int32($0) * 256 }
        warmUp = 3
        moving = 0
    }

    /// By how much the whole picture is brighter than the place was: the middle of all differences, which what moves in a part of it does
    /// not change.
    private func lightShift(_ frame: GreyFrame) -> Int32 {
        var counts = [Int](repeating: 0, count: 511)
        for place in frame.pixels.indices { counts[Int(frame.pixels[place]) - Int(background[place] >> 8) + 255] += 1 }
        var left = GreyFrame.size / 2
        for (value, count) in counts.enumerated() {
            left -= count
            if left < 0 { return Int32(value - 255) * 256 }
        }
        return 0
    }
}
