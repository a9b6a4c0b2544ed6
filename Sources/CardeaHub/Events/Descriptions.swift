import CardeaModel
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Has events that came without words put into some, from their pictures, by whoever `PictureDescriber` is; what a source said stays.
///
/// What waits is kept in memory alone: events without words stand in the table, and those of the last minutes are looked up there when the
/// hub starts. So nothing that has words is asked about again, and what a crash interrupted is.
final class Descriptions: Service, Sendable {
    private let store: Store
    private let events: Events
    private let describer: any PictureDescriber
    private let surroundings: Surroundings
    private let logger: Logger
    private let queue = Mutex(DescriptionQueue())
    /// An event waits, or a hand is free.
    private let signal = ChangeSignal()

    /// When it looks again though nobody has called.
    private static let rest: TimeInterval = 3600
    /// Seconds before words that could not be written are written again.
    private static let writesAgain: TimeInterval = 10

    init(store: Store, events: Events, describer: any PictureDescriber, surroundings: Surroundings, logger: Logger) {
        self.store = store
        self.events = events
        self.describer = describer
        self.surroundings = surroundings
        self.logger = logger
        store.onCommit { [weak self] rows in
            self?.add(rows.filter { $0.kind == .eventRecorded }.compactMap { $0.about as? Event })
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                await self.pickUp()
                while !Task.isCancelled {
                    let seen = self.signal.changes
                    let next = self.begin(in: &group)
                    do { try await self.signal.change(after: seen, until: next, self.surroundings) } catch { break }
                }
                group.cancelAll()
            }
        }
    }

    /// What was seen just before the hub stopped, and has no words yet.
    private func pickUp() async {
        let since = surroundings.now().addingTimeInterval(-DescriptionQueue.fresh)
        do {
            add(try await store.read { try EventRecords.undescribed(since: since, limit: DescriptionQueue.mayWait, $0) }.reversed())
        } catch {
            // Those few stay without words; the house need not stand still for them.
            logger.error("events without words could not be looked up", metadata: ["error": "\(type(of: error))"])
        }
    }

    private func add(_ seen: [Event]) {
        let mute = seen.filter { $0.hasPicture && $0.description.isEmpty }
        if mute.isEmpty { return }
        let now = surroundings.now()
        queue.withLock { queue in
            for event in mute { queue.add(.init(id: event.id, at: event.at), at: now) }
        }
        signal.changed()
    }

    /// Sets every free hand to work, and says when to look again.
    private func begin(in group: inout DiscardingTaskGroup) -> Date {
        let now = surroundings.now()
        while let one = queue.withLock({ $0.take(at: now) }) {
            group.addTask {
                let outcome = await self.describe(one)
                self.queue.withLock { $0.settle(one, outcome, at: self.surroundings.now()) }
                self.signal.changed()
            }
        }
        return queue.withLock { $0.next(at: now) } ?? now.addingTimeInterval(Self.rest)
    }

    private func describe(_ one: DescriptionQueue.Waiting) async -> PictureDescription {
        do {
            guard let picture = try await events.thumbnail(ofUndescribed: one.id) else { return .nothing }
            let outcome = await describer.describe(picture)
            if case .said(let text) = outcome, let words = MachineWords.cleaned(text) { try await write(words, of: one) }
            return outcome
        } catch is CancellationError {
            return .later(after: nil)
        } catch {
            logger.error("an event could not be put into words", metadata: ["error": "\(type(of: error))"])
            return .later(after: nil)
        }
    }

    /// Words that were paid for are written when the disk takes them, and not asked for again.
    private func write(_ words: String, of one: DescriptionQueue.Waiting) async throws {
        while true {
            let now = surroundings.now()
            do {
                return try await store.write { db in
                    // It may have been deleted while somebody thought about it.
                    guard let event = try EventRecords.describe(one.id, as: words, by: .describer, in: db) else { return }
                    try Journal.append(.eventDescribed, subject: event.id, about: event, at: now, in: db)
                }
            } catch {
                guard now.timeIntervalSince(one.at) < DescriptionQueue.fresh else { throw error }
                logger.error("an event's words could not be written", metadata: ["error": "\(type(of: error))"])
                try await surroundings.sleep(now.addingTimeInterval(Self.writesAgain))
            }
        }
    }
}
