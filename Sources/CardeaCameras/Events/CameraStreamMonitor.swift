import CardeaHub
import CardeaModel
import Foundation

/// Monitors the stream of one camera: keeps the last seconds, reports that it is reachable, and detects motion.
actor CameraStreamMonitor {
    private let plan: CameraConfiguration
    private let sink: any CameraSink
    private let now: @Sendable () -> Date
    private var detector: MotionDetector
    private var ring: [(number: Int, picture: CameraPicture)] = []
    private var greyCount = 0
    private var pictureCount = 0
    private var pendingSighting: PendingSighting?
    private(set) var lastSeen = ContinuousClock.now

    /// A sighting that began and is not reported yet: the best picture may be still to come.
    private struct PendingSighting {
        let at: Date
        let number: Int
        var best: Int
        let zones: [String]
    }

    /// Seconds that are kept before a sighting, and that its best picture is waited for.
    static let preRoll = 4
    static let bestPictureWait = 1.5

    init(_ plan: CameraConfiguration, sink: any CameraSink, now: @escaping @Sendable () -> Date) {
        self.plan = plan
        self.sink = sink
        self.now = now
        detector = MotionDetector(plan.detection, rate: FFmpeg.rate)
    }

    /// The newest picture.
    var latest: CameraPicture? { ring.last?.picture }

    func process(_ sight: FFmpeg.StreamOutput) async {
        lastSeen = .now
        switch sight {
        case .picture(let bytes):
            pictureCount += 1
            ring.append((pictureCount, CameraPicture(jpeg: Data(bytes), takenAt: now())))
            // The pictures before a sighting are kept until it is reported.
            let oldest = (pendingSighting?.number ?? pictureCount) - Self.preRoll * FFmpeg.rate
            ring.removeAll { $0.number < oldest }
            if pictureCount == 1 { await sink.reportStatus(plan.id, CameraStatus(isOnline: true, since: now())) }
        case .grey(let frame):
            greyCount += 1
            switch detector.process(frame) {
            case .began(let zones): pendingSighting = PendingSighting(at: now(), number: greyCount, best: greyCount, zones: zones)
            case .peak: pendingSighting?.best = greyCount
            case .ended: await report()
            case nil: break
            }
        }
        if let pendingSighting, now().timeIntervalSince(pendingSighting.at) >= Self.bestPictureWait { await report() }
    }

    /// Reports an open sighting if the stream ends early.
    func end() async {
        await report()
    }

    private func report() async {
        guard let sighting = pendingSighting else { return }
        pendingSighting = nil
        // Both outputs show the same pictures in the same order, though not quite at the same time.
        let best = ring.min { abs($0.number - sighting.best) < abs($1.number - sighting.best) }?.picture
        let before = ring.filter { $0.number < sighting.number && (sighting.number - $0.number) % FFmpeg.rate == 0 }.map(\.picture)
        await sink.report(
            CameraEvent(
                cameraID: plan.id, kind: .motion, at: sighting.at, zones: sighting.zones, picture: best?.jpeg, preRoll: before))
    }
}
