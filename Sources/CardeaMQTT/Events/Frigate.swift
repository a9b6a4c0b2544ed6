import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation
import Logging

/// A Frigate on the household's broker: what it sees is told to the house, each thing once, with its best picture.
actor Frigate {
    private let events: any EventDesk
    private let patience: Patience
    private let logger: Logger
    private let now: @Sendable () -> Date
    nonisolated let topics: FrigateTopics

    private var sightings = FrigateSightings()
    private var isThere: Bool?
    private let steps: AsyncStream<FrigateSightings.Step>
    private let step: AsyncStream<FrigateSightings.Step>.Continuation

    /// How long something new waits for its picture, and one with a picture for a better one.
    struct Patience: Sendable {
        var forPicture: Duration = .seconds(5)
        var forBetter: Duration = .seconds(1)
    }

    /// The largest picture that is read, in bytes.
    static let pictureLimit = 1024 * 1024

    init(
        prefix: String, events: any EventDesk, patience: Patience = Patience(), logger: Logger, now: @escaping @Sendable () -> Date
    ) {
        topics = FrigateTopics(prefix: prefix)
        self.events = events
        self.patience = patience
        self.logger = logger
        self.now = now
        (steps, step) = AsyncStream.makeStream()
    }

    var notices: [String] {
        var sentences: [String] = []
        if isThere == false { sentences.append("Frigate says that it is stopped.") }
        if sightings.passedOver > 0 {
            sentences.append(
                "Frigate told of more than \(FrigateSightings.mostInAMinute) things in a minute; \(sightings.passedOver) were passed over.")
        }
        return sentences
    }

    // MARK: What comes in

    func hear(_ message: ReceivedMessage) async {
        switch topics.read(message.topic) {
        case .available?: await stands(message.payload)
        case .events?: take(FrigateEvent(message.payload).flatMap { sightings.hear($0, at: now()) })
        case .reviews?: take(FrigateReview(message.payload).flatMap { sightings.hear($0, at: now()) })
        // What the broker kept is a picture of something that was there before.
        case .snapshot(let camera, let label)? where !message.isRetained && !message.payload.isEmpty:
            for step in sightings.show(message.payload, of: label, on: camera) { take(step) }
        case .snapshot(let camera, let label)? where !message.isRetained && message.isOversize:
            sightings.refuse(.tooLarge, of: label, on: camera)
        case .snapshot?, nil: break
        }
    }

    private func stands(_ word: [UInt8]) async {
        switch String(decoding: word.prefix(16), as: UTF8.self) {
        case "online": isThere = true
        case "offline", "stopped": isThere = false
        default: return
        }
        await events.stands(.frigate, isThere: isThere ?? true)
    }

    /// The broker is away, and what it last said of Frigate holds no longer.
    func lost() async {
        isThere = nil
        await events.stands(.frigate, isThere: true)
    }

    private func take(_ step: FrigateSightings.Step?) {
        if let step { self.step.yield(step) }
    }

    // MARK: Telling

    /// Tells the house of what has waited long enough, until it is cancelled.
    func serve() async {
        await withDiscardingTaskGroup { group in
            for await step in steps {
                let (id, rest): (String, Duration) =
                    switch step {
                    case .began(let id): (id, patience.forPicture)
                    case .pictured(let id): (id, patience.forBetter)
                    case .ended(let id): (id, .zero)
                    }
                group.addTask {
                    do { try await Task.sleep(for: rest) } catch { return }
                    await self.tell(id)
                }
            }
            group.cancelAll()
        }
    }

    /// Whichever of its steps comes first tells it; the others find nothing.
    private func tell(_ id: String) async {
        guard let sighting = sightings.take(id) else { return }
        do {
            try await events.saw(sighting)
        } catch {
            sightings.takeBack(id)
            logger.error("what Frigate saw could not be kept", metadata: ["error": "\(type(of: error))"])
        }
    }
}
