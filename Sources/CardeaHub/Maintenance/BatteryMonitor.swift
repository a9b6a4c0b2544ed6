import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle

/// Adds a maintenance task for a low battery: one per device, made by the house.
public struct BatteryMonitor: Service {
    private let store: Store
    private let house: House
    private let devices: Devices
    private let environment: HubEnvironment
    private let logger: Logger

    /// Seconds between two checks: no battery is empty within the hour in which it becomes low.
    private static let interval: TimeInterval = 3600

    init(store: Store, house: House, devices: Devices, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.house = house
        self.devices = devices
        self.environment = environment
        self.logger = logger
    }

    public func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await check()
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning("low-battery task could not be added", metadata: ["error": "\(type(of: error))"])
                }
                do { try await environment.sleep(environment.now().addingTimeInterval(Self.interval)) } catch is CancellationError {
                    return
                }
            }
        }
    }

    /// Checks every battery. `run` calls it.
    public func check() async throws {
        let low = devices.all.devices.filter { device in LowBatteryPolicy.level(of: device).map { $0 <= LowBatteryPolicy.threshold } == true
        }
        let now = environment.now()
        // Most of them have their task: then no write is needed.
        let new = try await store.read { db in try low.filter { try Self.needsTask($0, at: now, db) } }
        guard !new.isEmpty else { return }
        // Due in the morning, not in the middle of the night in which it became low.
        let due = CalendarDay(now, in: house.current.timeZone).adding(days: 1)
        try await store.write { db in
            for device in new where try Self.needsTask(device, at: now, db) { try Self.saveTask(device, due: due, at: now, in: db) }
        }
    }

    private static func needsTask(_ device: Device, at now: Date, _ db: Database) throws -> Bool {
        guard let level = LowBatteryPolicy.level(of: device) else { return false }
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT coalesce(max(done_at IS NULL), 0), max(done_at) FROM maintenance_tasks
                WHERE id = :task OR (device_id = :device AND category = 'battery')
                """, arguments: ["task": LowBatteryPolicy.taskID(for: device.id), "device": device.id])
        guard let row else { return false }
        let (isOpen, done): (Bool, Int64?) = (row[0], row[1])
        let settled = try [done, removalTime(device, since: now.addingTimeInterval(-LowBatteryPolicy.gracePeriod), db)].compactMap(\.self)
            .max()
        return LowBatteryPolicy.shouldCreateTask(at: level, hasOpenTask: isOpen, settledAt: settled.map(Date.init(milliseconds:)), now: now)
    }

    /// When the task was removed; nil if that is longer ago, or never happened.
    private static func removalTime(_ device: Device, since moment: Date, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT max(at) FROM journal
                WHERE kind = 'maintenance_changed' AND subject = ? AND at > ? AND json_extract(data, '$.removed') = 1
                """, arguments: [LowBatteryPolicy.taskID(for: device.id), moment.milliseconds])
    }

    /// Saves the task of a low battery. What people changed in it is kept; only its due date is new.
    private static func saveTask(_ device: Device, due: CalendarDay, at now: Date, in db: Database) throws {
        let id = LowBatteryPolicy.taskID(for: device.id)
        let known = try MaintenanceTaskRecords.one(id, db)
        if known == nil, try MaintenanceTaskRecords.count(db) >= MaintenanceTasks.limit { return }
        var task =
            known
            ?? MaintenanceTask(
                id: id, title: LowBatteryPolicy.title(for: device.name), category: .battery, deviceID: device.id, isPredictive: true,
                version: 0,
                createdAt: now, changedAt: now)
        task.due = .init(on: due)
        task.doneAt = nil
        task.version += 1
        task.changedAt = now
        try MaintenanceTaskRecords.write(task, in: db)
        let seq = try Journal.append(.maintenanceChanged, deviceID: device.id, subject: id, at: now, in: db)
        let action = known == nil ? "maintenance.add" : "maintenance.change"
        try AuditLog.append(.init(who: .house, action: action, result: .done, journalSeq: seq), in: .house(db, at: now))
    }
}
