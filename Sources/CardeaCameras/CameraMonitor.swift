import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Looks through the house's cameras: takes their pictures, watches their streams for motion, and knows which are in reach.
public final class CameraMonitor: CameraReader, Service, Sendable {
    private let sink: any CameraSink
    private let connector: CameraConnector
    private let relay: RTSPRelay
    private let http: HTTPPictureClient
    private let ffmpeg = FFmpeg()
    private let snapshotQueue = SnapshotQueue()
    private let timing: Timing
    private let now: @Sendable () -> Date
    private let logger: Logger
    /// The active stream monitors, by camera id.
    private let streamMonitors = Mutex<[String: CameraStreamMonitor]>([:])

    /// Intervals and time limits.
    public struct Timing: Sendable {
        /// A picture is taken within this, or not at all.
        public var pictureTimeout: Duration = .seconds(12)
        /// A stream that shows nothing for so long has stopped.
        public var silenceTimeout: Duration = .seconds(10)
        /// The interval at which a camera without viewers is polled.
        public var pollInterval: Duration = .seconds(60)
        /// The interval of pictures for a viewer.
        public var previewInterval: Duration = .milliseconds(400)
        public var backoff = Backoff(base: .seconds(2), cap: .seconds(60))

        public init() {}
    }

    /// - Parameter allowsLoopback: whether a camera may be on this very machine, as behind a Frigate that runs on it.
    public init(
        sink: any CameraSink, allowsLoopback: Bool = false, pace: Timing = Timing(), now: @escaping @Sendable () -> Date = { Date() },
        logger: Logger
    ) {
        self.sink = sink
        connector = CameraConnector(allowsLoopback: allowsLoopback)
        relay = RTSPRelay(connector: connector)
        http = HTTPPictureClient(connector: connector)
        self.timing = pace
        self.now = now
        self.logger = logger
    }

    // MARK: Cameras

    public func check(_ source: CameraSource) async throws(CameraUnavailableError) {
        do {
            _ = try await connector.resolve(source.address)
        } catch {
            // A name that cannot be resolved now may be later.
            if case .refusedAddress = error { throw error }
        }
    }

    public func picture(of plan: CameraConfiguration) async throws(CameraUnavailableError) -> CameraPicture {
        if let latest = await streamMonitors.withLock({ $0[plan.id] })?.latest, now().timeIntervalSince(latest.takenAt) < 2 {
            return latest
        }
        do {
            return try await snapshotQueue.picture("\(plan.id) \(plan.version)") { [self] in
                CameraPicture(
                    jpeg: Data(try await withTimeout(timing.pictureTimeout) { try await self.fetchPicture(plan.source) }), takenAt: now())
            }
        } catch {
            throw error as? CameraUnavailableError ?? .stalled
        }
    }

    public func pictures(of plan: CameraConfiguration) -> AsyncThrowingStream<CameraPicture, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            // Ended by the reader: with the stream it ends too.
            let task = Task { [self] in
                do {
                    var last = Date.distantPast
                    while !Task.isCancelled {
                        let picture = try await picture(of: plan)
                        if picture.takenAt > last { continuation.yield(picture) }
                        last = picture.takenAt
                        try await Task.sleep(for: timing.previewInterval)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func fetchPicture(_ source: CameraSource) async throws -> [UInt8] {
        switch source.kind {
        case .rtsp: try await relay.open(to: source) { [ffmpeg] in try await ffmpeg.picture(url: $0) }
        case .http, .frigate, .homeAssistant: try await ffmpeg.picture(from: try await http.fetch(source))
        }
    }

    // MARK: Watching

    /// One monitored camera: its plan, and the way to end the monitoring.
    private struct MonitoredCamera {
        let version: Int
        let stop: AsyncStream<Never>.Continuation
    }

    public func run() async throws {
        let plans = await sink.configurations()
        await withDiscardingTaskGroup { group in
            var running: [String: MonitoredCamera] = [:]
            for await wanted in plans.cancelOnGracefulShutdown() {
                let versions = Dictionary(wanted.map { ($0.id, $0.version) }) { first, _ in first }
                for (id, one) in running where versions[id] != one.version {
                    one.stop.finish()
                    running[id] = nil
                }
                for plan in wanted where running[plan.id] == nil {
                    let (stopped, stop) = AsyncStream<Never>.makeStream()
                    running[plan.id] = MonitoredCamera(version: plan.version, stop: stop)
                    group.addTask {
                        await withTaskGroup { pair in
                            pair.addTask { await self.monitor(plan) }
                            pair.addTask { for await _ in stopped {} }
                            await pair.next()
                            pair.cancelAll()
                        }
                    }
                }
            }
            group.cancelAll()
        }
    }

    private func monitor(_ plan: CameraConfiguration) async {
        var backoff = timing.backoff
        while !Task.isCancelled {
            let began = ContinuousClock.now
            var rest: Duration
            var failure: CameraUnavailableError?
            do {
                if plan.source.kind.isStream, plan.detection.motion {
                    try await watchStream(plan)
                    failure = .stalled
                } else {
                    _ = try await picture(of: plan)
                }
            } catch {
                failure = error as? CameraUnavailableError ?? .stalled
            }
            if Task.isCancelled { return }
            await sink.reportStatus(plan.id, CameraStatus(isOnline: failure == nil, error: failure, since: now()))
            if failure == nil || ContinuousClock.now - began > .seconds(60) { backoff.reset() }
            rest = failure == nil ? timing.pollInterval : backoff.next(random: Double.random(in: 0.5...1))
            do { try await Task.sleep(for: rest) } catch { return }
        }
    }

    /// Watches the stream until it ends.
    private func watchStream(_ plan: CameraConfiguration) async throws {
        let lookout = CameraStreamMonitor(plan, sink: sink, now: now)
        streamMonitors.withLock { $0[plan.id] = lookout }
        defer { streamMonitors.withLock { if $0[plan.id] === lookout { $0[plan.id] = nil } } }
        do {
            try await relay.open(to: plan.source) { [ffmpeg, timing] url in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await ffmpeg.watch(url: url) { await lookout.process($0) } }
                    group.addTask {
                        while true {
                            try await Task.sleep(for: timing.silenceTimeout / 4)
                            if await ContinuousClock.now - lookout.lastSeen > timing.silenceTimeout { throw CameraUnavailableError.stalled }
                        }
                    }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        } catch {
            await lookout.end()
            throw error
        }
        await lookout.end()
    }
}
