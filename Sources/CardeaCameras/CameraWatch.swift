import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Looks through the house's cameras: takes their pictures, watches their streams for motion, and knows which are in reach.
public final class CameraWatch: CameraEyes, Service, Sendable {
    private let desk: any CameraDesk
    private let reach: Reach
    private let relay: RTSPRelay
    private let http: HTTPPicture
    private let ffmpeg = FFmpeg()
    private let snapshots = Snapshots()
    private let pace: Pace
    private let now: @Sendable () -> Date
    private let logger: Logger
    /// Who looks at a stream just now, by camera.
    private let lookouts = Mutex<[String: Lookout]>([:])

    /// How long things take.
    public struct Pace: Sendable {
        /// A picture is taken within this, or not at all.
        public var picture: Duration = .seconds(12)
        /// A stream that shows nothing for so long has stopped.
        public var silence: Duration = .seconds(10)
        /// How often a camera that is not watched is looked at.
        public var look: Duration = .seconds(60)
        /// How often somebody who looks on gets a picture.
        public var preview: Duration = .milliseconds(400)
        public var again = Backoff(base: .seconds(2), cap: .seconds(60))

        public init() {}
    }

    /// - Parameter allowsLoopback: whether a camera may be on this very machine, as behind a Frigate that runs on it.
    public init(
        desk: any CameraDesk, allowsLoopback: Bool = false, pace: Pace = Pace(), now: @escaping @Sendable () -> Date = { Date() },
        logger: Logger
    ) {
        self.desk = desk
        reach = Reach(allowsLoopback: allowsLoopback)
        relay = RTSPRelay(reach: reach)
        http = HTTPPicture(reach: reach)
        self.pace = pace
        self.now = now
        self.logger = logger
    }

    // MARK: Eyes

    public func check(_ source: CameraSource) async throws(CameraTrouble) {
        do {
            _ = try await reach.resolve(source.address)
        } catch {
            // A name that nobody knows today may be known tomorrow.
            if case .refusedAddress = error { throw error }
        }
    }

    public func picture(of plan: CameraPlan) async throws(CameraTrouble) -> CameraPicture {
        if let latest = await lookouts.withLock({ $0[plan.id] })?.latest, now().timeIntervalSince(latest.takenAt) < 2 { return latest }
        do {
            return try await snapshots.picture("\(plan.id) \(plan.version)") { [self] in
                CameraPicture(jpeg: Data(try await within(pace.picture) { try await self.take(plan.source) }), takenAt: now())
            }
        } catch {
            throw error as? CameraTrouble ?? .silent
        }
    }

    public func pictures(of plan: CameraPlan) -> AsyncThrowingStream<CameraPicture, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            // Ended by whoever reads: with the stream it ends too.
            let task = Task { [self] in
                do {
                    var last = Date.distantPast
                    while !Task.isCancelled {
                        let picture = try await picture(of: plan)
                        if picture.takenAt > last { continuation.yield(picture) }
                        last = picture.takenAt
                        try await Task.sleep(for: pace.preview)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func take(_ source: CameraSource) async throws -> [UInt8] {
        switch source.kind {
        case .rtsp: try await relay.open(to: source) { [ffmpeg] in try await ffmpeg.picture(url: $0) }
        case .http, .frigate, .homeAssistant: try await ffmpeg.picture(from: try await http.get(source))
        }
    }

    // MARK: Watching

    /// One camera that is looked after: by which plan, and how that is ended.
    private struct Running {
        let version: Int
        let stop: AsyncStream<Never>.Continuation
    }

    public func run() async throws {
        let plans = await desk.plans()
        await withDiscardingTaskGroup { group in
            var running: [String: Running] = [:]
            for await wanted in plans.cancelOnGracefulShutdown() {
                let versions = Dictionary(wanted.map { ($0.id, $0.version) }) { first, _ in first }
                for (id, one) in running where versions[id] != one.version {
                    one.stop.finish()
                    running[id] = nil
                }
                for plan in wanted where running[plan.id] == nil {
                    let (stopped, stop) = AsyncStream<Never>.makeStream()
                    running[plan.id] = Running(version: plan.version, stop: stop)
                    group.addTask {
                        await withTaskGroup { pair in
                            pair.addTask { await self.lookAfter(plan) }
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

    private func lookAfter(_ plan: CameraPlan) async {
        var backoff = pace.again
        while !Task.isCancelled {
            let began = ContinuousClock.now
            var rest: Duration
            var trouble: CameraTrouble?
            do {
                if plan.source.kind.isStream, plan.detection.motion {
                    try await watch(plan)
                    trouble = .silent
                } else {
                    _ = try await picture(of: plan)
                }
            } catch {
                trouble = error as? CameraTrouble ?? .silent
            }
            if Task.isCancelled { return }
            await desk.stands(plan.id, CameraStanding(isOnline: trouble == nil, trouble: trouble, since: now()))
            if trouble == nil || ContinuousClock.now - began > .seconds(60) { backoff.reset() }
            rest = trouble == nil ? pace.look : backoff.next(luck: Double.random(in: 0.5...1))
            do { try await Task.sleep(for: rest) } catch { return }
        }
    }

    /// Watches the stream until it ends.
    private func watch(_ plan: CameraPlan) async throws {
        let lookout = Lookout(plan, desk: desk, now: now)
        lookouts.withLock { $0[plan.id] = lookout }
        defer { lookouts.withLock { if $0[plan.id] === lookout { $0[plan.id] = nil } } }
        do {
            try await relay.open(to: plan.source) { [ffmpeg, pace] url in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await ffmpeg.watch(url: url) { await lookout.take($0) } }
                    group.addTask {
                        while true {
                            try await Task.sleep(for: pace.silence / 4)
                            if await ContinuousClock.now - lookout.lastSeen > pace.silence { throw CameraTrouble.silent }
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
