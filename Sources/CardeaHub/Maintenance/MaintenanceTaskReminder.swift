import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle

/// Notifies the household when a task is due: once for each due date, and not in the house's quiet hours.
public struct MaintenanceTaskReminder: Service {
    private let store: Store
    private let house: House
    private let environment: HubEnvironment
    private let logger: Logger
    private let signal = ChangeSignal()

    /// The interval of checks without a change: a clock may be set, and a house moved to another zone.
    private static let idleInterval: TimeInterval = 3600
    /// Reminders per transaction.
    private static let batchSize = 100

    init(store: Store, house: House, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.house = house
        self.environment = environment
        self.logger = logger
        store.onCommit { [signal] rows in
            if rows.contains(where: { $0.kind == .maintenanceChanged || $0.kind == .houseChanged }) { signal.signal() }
        }
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let seen = signal.changeCount
                var next = environment.now().addingTimeInterval(Self.idleInterval)
                do {
                    if let due = try await sendReminders() { next = min(next, due) }
                } catch is CancellationError {
                    return
                } catch {
                    // The task still waits for its reminder.
                    logger.error("maintenance reminder could not be sent", metadata: ["error": "\(type(of: error))"])
                    next = environment.now().addingTimeInterval(10)
                }
                do { try await signal.wait(after: seen, until: next, environment) } catch { return }
            }
        }
    }

    /// Writes a reminder for every task that is due. `run` calls it.
    ///
    /// - Returns: the time of the next reminder; nil if there is none.
    @discardableResult
    public func sendReminders() async throws -> Date? {
        while true {
            try Task.checkCancellation()
            let (now, facts) = (environment.now(), house.current)
            let moment = { @Sendable (due: MaintenanceTask.Due) in
                due.notificationTime(in: facts.timeZone, quiet: facts.preferences.quietHours)
            }
            let (reminders, next) = try await store.write { db in
                var (reminders, next) = (0, Date?.none)
                for task in try MaintenanceTaskRecords.awaitingReminder(limit: Self.batchSize, db) {
                    guard let due = task.due else { continue }
                    guard moment(due) <= now else {
                        next = min(next ?? .distantFuture, moment(due))
                        continue
                    }
                    try MaintenanceTaskRecords.markReminded(task.id, on: due.on, in: db)
                    try Journal.append(
                        .maintenanceChanged, deviceID: task.deviceID, subject: task.id, data: ["due_on": .string(due.on.description)],
                        at: now, in: db)
                    reminders += 1
                }
                return (reminders, next)
            }
            if reminders < Self.batchSize { return next }
        }
    }
}
