import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation
import Logging

/// A Frigate on the household's broker: its sightings are reported to the house, each once, with its best picture.
actor FrigateListener {
    private let events: any EventSink
    private let timing: Timing
    private let logger: Logger
    private let now: @Sendable () -> Date
    nonisolated let topics: FrigateTopics

    private var sightings = FrigateSightingTracker()
    private var isAvailable: Bool?
    private let steps: AsyncStream<FrigateSightingTracker.Step>
    private let step: AsyncStream<FrigateSightingTracker.Step>.Continuation

    /// The time for which a new event waits for its picture, and one with a picture for a better one.
    struct Timing: Sendable {
        var forPicture: Duration = .seconds(5)
        var forBetter: Duration = .seconds(1)
    }

    /// The largest picture that is read, in bytes.
    static let pictureLimit = 1024 * 1024

    init(
        prefix: String, events: any EventSink, patience: Timing = Timing(), logger: Logger, now: @escaping @Sendable () -> Date
    ) {
        topics = FrigateTopics(prefix: prefix)
        self.events = events
        self.timing = patience
        self.logger = logger
        self.now = now
        (steps, step) = AsyncStream.makeStream()
    }

    var notices: [String] {
        var sentences: [String] = []
        if isAvailable == false { sentences.append("Frigate reports that it is stopped.") }
        if sightings.passedOver > 0 {
            sentences.append(
                "Frigate reported more than \(FrigateSightingTracker.maximumPerMinute) sightings in a minute. \(sightings.passedOver) were ignored."
            )
        }
        return sentences
    }

    // MARK: Incoming messages

    func receive(_ message: ReceivedMessage) async {
        switch topics.read(message.topic) {
        case .available?: await updateAvailability(message.payload)
        case .events?: schedule(FrigateEvent(message.payload).flatMap { sightings.receive($0, at: now()) })
        case .reviews?: schedule(FrigateReview(message.payload).flatMap { sightings.receive($0, at: now()) })
        // A retained picture shows an earlier event.
        case .snapshot(let camera, let label)? where !message.isRetained && !message.payload.isEmpty:
            for step in sightings.attachPicture(message.payload, of: label, on: camera) { schedule(step) }
        case .snapshot(let camera, let label)? where !message.isRetained && message.isOversize:
            sightings.recordPictureError(.tooLarge, of: label, on: camera)
        case .snapshot?, nil: break
        }
    }

    private func updateAvailability(_ word: [UInt8]) async {
        switch String(decoding: word.prefix(16), as: UTF8.self) {
        case "online": isAvailable = true
        case "offline", "stopped": isAvailable = false
        default: return
        }
        await events.reportAvailability(.frigate, isThere: isAvailable ?? true)
    }

    /// The broker is away: Frigate's last reported status no longer holds.
    func connectionLost() async {
        isAvailable = nil
        await events.reportAvailability(.frigate, isThere: true)
    }

    private func schedule(_ step: FrigateSightingTracker.Step?) {
        if let step { self.step.yield(step) }
    }

    // MARK: Reporting

    /// Reports the sightings that have waited long enough, until it is cancelled.
    func serve() async {
        await withDiscardingTaskGroup { group in
            for await step in steps {
                let (id, rest): (String, Duration) =
                    switch step {
                    case .began(let id): (id, timing.forPicture)
                    case .pictured(let id): (id, timing.forBetter)
                    case .ended(let id): (id, .zero)
                    }
                group.addTask {
                    do { try await Task.sleep(for: rest) } catch { return }
                    await self.report(id)
                }
            }
            group.cancelAll()
        }
    }

    /// The first of its steps reports it; the others find nothing.
    private func report(_ id: String) async {
        guard let sighting = sightings.finish(id) else { return }
        do {
            try await events.report(sighting)
        } catch {
            sightings.reopen(id)
            logger.error("Frigate event could not be stored", metadata: ["error": "\(type(of: error))"])
        }
    }
}
