import CardeaHub
import CardeaModel
import Foundation

/// Looks at what one camera sends: keeps the last seconds, says that it is in reach, and tells what moves.
actor Lookout {
    private let plan: CameraPlan
    private let desk: any CameraDesk
    private let now: @Sendable () -> Date
    private var detector: MotionDetector
    private var ring: [(number: Int, picture: CameraPicture)] = []
    private var greyCount = 0
    private var pictureCount = 0
    private var open: Opened?
    private(set) var lastSeen = ContinuousClock.now

    /// A sighting that began and is not told yet: the best picture may be still to come.
    private struct Opened {
        let at: Date
        let number: Int
        var best: Int
        let zones: [String]
    }

    /// How long before a sighting is kept, and how long its best picture is waited for: seconds.
    static let preRoll = 4
    static let patience = 1.5

    init(_ plan: CameraPlan, desk: any CameraDesk, now: @escaping @Sendable () -> Date) {
        self.plan = plan
        self.desk = desk
        self.now = now
        detector = MotionDetector(plan.detection, rate: FFmpeg.rate)
    }

    /// The newest picture.
    var latest: CameraPicture? { ring.last?.picture }

    func take(_ sight: FFmpeg.Sight) async {
        lastSeen = .now
        switch sight {
        case .picture(let bytes):
            pictureCount += 1
            ring.append((pictureCount, CameraPicture(jpeg: Data(bytes), takenAt: now())))
            // What was before a sighting stays until it is told.
            let oldest = (open?.number ?? pictureCount) - Self.preRoll * FFmpeg.rate
            ring.removeAll { $0.number < oldest }
            if pictureCount == 1 { await desk.stands(plan.id, CameraStanding(isOnline: true, since: now())) }
        case .grey(let frame):
            greyCount += 1
            switch detector.see(frame) {
            case .began(let zones): open = Opened(at: now(), number: greyCount, best: greyCount, zones: zones)
            case .peak: open?.best = greyCount
            case .ended: await tell()
            case nil: break
            }
        }
        if let open, now().timeIntervalSince(open.at) >= Self.patience { await tell() }
    }

    /// Tells what is open, if the stream ends before its time.
    func end() async {
        await tell()
    }

    private func tell() async {
        guard let sighting = open else { return }
        open = nil
        // Both outputs show the same pictures in the same order, though not quite at the same time.
        let best = ring.min { abs($0.number - sighting.best) < abs($1.number - sighting.best) }?.picture
        let before = ring.filter { $0.number < sighting.number && (sighting.number - $0.number) % FFmpeg.rate == 0 }.map(\.picture)
        await desk.saw(
            CameraSighting(
                cameraID: plan.id, kind: .motion, at: sighting.at, zones: sighting.zones, picture: best?.jpeg, preRoll: before))
    }
}
