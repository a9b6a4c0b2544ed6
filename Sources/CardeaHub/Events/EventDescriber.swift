import CardeaModel
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Has events without a description described from their pictures by the `PictureDescriber`; descriptions of a source stay.
///
/// The queue is only in memory. Events without a description are in the table, and those of the last minutes are read from there when the
/// hub starts. So described events are not described again, and interrupted ones are.
final class EventDescriber: Service, Sendable {
    private let store: Store
    private let events: Events
    private let describer: any PictureDescriber
    private let environment: HubEnvironment
    private let logger: Logger
    private let queue = Mutex(DescriptionQueue())
    /// Signals that an event waits, or a slot is free.
    private let signal = ChangeSignal()

    /// Seconds until it checks again without a signal.
    private static let idleInterval: TimeInterval = 3600
    /// Seconds before a description that could not be written is written again.
    private static let retryInterval: TimeInterval = 10

    init(store: Store, events: Events, describer: any PictureDescriber, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.events = events
        self.describer = describer
        self.environment = environment
        self.logger = logger
        store.onCommit { [weak self] rows in
            self?.enqueue(rows.filter { $0.kind == .eventRecorded }.compactMap { $0.about as? Event })
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                await self.resumePending()
                while !Task.isCancelled {
                    let seen = self.signal.changeCount
                    let next = self.startWork(in: &group)
                    do { try await self.signal.wait(after: seen, until: next, self.environment) } catch { break }
                }
                group.cancelAll()
            }
        }
    }

    /// Enqueues events seen just before the hub stopped that have no description yet.
    private func resumePending() async {
        let since = environment.now().addingTimeInterval(-DescriptionQueue.maxAge)
        do {
            enqueue(try await store.read { try EventRecords.undescribed(since: since, limit: DescriptionQueue.capacity, $0) }.reversed())
        } catch {
            // Those few events stay without a description; the hub need not stop for them.
            logger.error("events without a description could not be read", metadata: ["error": "\(type(of: error))"])
        }
    }

    private func enqueue(_ seen: [Event]) {
        let mute = seen.filter { $0.hasPicture && $0.description.isEmpty }
        if mute.isEmpty { return }
        let now = environment.now()
        queue.withLock { queue in
            for event in mute { queue.add(.init(id: event.id, at: event.at), at: now) }
        }
        signal.signal()
    }

    /// Starts work in every free slot, and returns the time of the next check.
    private func startWork(in group: inout DiscardingTaskGroup) -> Date {
        let now = environment.now()
        while let one = queue.withLock({ $0.dequeue(at: now) }) {
            group.addTask {
                let outcome = await self.describe(one)
                self.queue.withLock { $0.complete(one, outcome, at: self.environment.now()) }
                self.signal.signal()
            }
        }
        return queue.withLock { $0.nextAttempt(at: now) } ?? now.addingTimeInterval(Self.idleInterval)
    }

    private func describe(_ one: DescriptionQueue.Item) async -> PictureDescriptionResult {
        do {
            guard let picture = try await events.thumbnail(ofUndescribed: one.id) else { return .noDescription }
            let outcome = await describer.describe(picture)
            if case .text(let text) = outcome, let words = GeneratedDescription.cleaned(text) { try await saveDescription(words, of: one) }
            return outcome
        } catch is CancellationError {
            return .retry(after: nil)
        } catch {
            logger.error("event could not be described", metadata: ["error": "\(type(of: error))"])
            return .retry(after: nil)
        }
    }

    /// Retries until the disk accepts the description, which was paid for, and does not request it again.
    private func saveDescription(_ words: String, of one: DescriptionQueue.Item) async throws {
        while true {
            let now = environment.now()
            do {
                return try await store.write { db in
                    // The event may have been deleted while it was being described.
                    guard let event = try EventRecords.describe(one.id, as: words, by: .describer, in: db) else { return }
                    try Journal.append(.eventDescribed, subject: event.id, about: event, at: now, in: db)
                }
            } catch {
                guard now.timeIntervalSince(one.at) < DescriptionQueue.maxAge else { throw error }
                logger.error("event description could not be stored", metadata: ["error": "\(type(of: error))"])
                try await environment.sleep(now.addingTimeInterval(Self.retryInterval))
            }
        }
    }
}
