import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Alerts all residents when, while they are away for days, a door or window is opened without a command to the house. It alerts at once
/// and every hour, as for a danger.
public final class VacationMonitor: Service, Sendable {
    private let store: Store
    private let house: House
    private let devices: Devices
    private let environment: HubEnvironment
    private let logger: Logger
    private let signal = ChangeSignal()
    /// The last known state of each door; nil while a resident is at home.
    private let lastStates = Mutex<[String: Bool]?>(nil)

    /// Seconds before an opening in which a resident or a guest may have caused it.
    private static let explanationWindow: TimeInterval = 300
    /// Seconds until a check without a change, and until one after an error.
    private static let idleInterval: TimeInterval = 3600
    private static let retryInterval: TimeInterval = 10

    private struct Opening: Sendable {
        let deviceID: String
        let name: String
        let entityID: String
        /// A contact reports a door that another device unlocks.
        let isContact: Bool
    }

    init(store: Store, house: House, devices: Devices, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.house = house
        self.devices = devices
        self.environment = environment
        self.logger = logger
        store.onCommit { [signal, house] rows in
            if house.current.preferences.isOnVacation || rows.contains(where: { $0.kind == .houseChanged }) { signal.signal() }
        }
    }

    public func run() async throws {
        try await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                let seen = signal.changeCount
                var pause = Self.idleInterval
                do {
                    try await check()
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("vacation door notification could not be sent", metadata: ["error": "\(type(of: error))"])
                    pause = Self.retryInterval
                }
                do {
                    try await signal.wait(after: seen, until: environment.now().addingTimeInterval(pause), environment)
                } catch is CancellationError { return }
            }
        }
    }

    /// Checks every door. `run` calls it; other callers need not.
    func check() async throws {
        guard house.current.preferences.isOnVacation else { return lastStates.withLock { $0 = nil } }
        var doors = lastStates.withLock { $0 } ?? [:]
        var opened: [Opening] = []
        for device in devices.all.devices {
            for entity in device.entities where entity.isEnabled {
                // After a start, the last report gives the previous state.
                if doors[entity.id] == nil { doors[entity.id] = entity.wasLastOpen }
                // A door of unknown state keeps its last known one: if it is open when it reports again, it was open before.
                guard device.status != .offline, let isOpen = entity.isOpen else { continue }
                let last = doors.updateValue(isOpen, forKey: entity.id)
                guard isOpen, last == false else { continue }
                opened.append(.init(deviceID: device.id, name: device.name, entityID: entity.id, isContact: entity.isOpeningContact))
            }
        }
        if !opened.isEmpty { try await notify(opened) }
        // Stored after the alert is written: after an error it is tried again.
        lastStates.withLock { [doors] in $0 = doors }
    }

    private func notify(_ opened: [Opening]) async throws {
        let now = environment.now()
        try await store.write { db in
            for opening in opened where try !Self.isExplained(opening, at: now, db) {
                let words = "“\(opening.name)” was opened, but not through the house, while nobody is at home. Check the door."
                try Journal.append(
                    .mindChanged, deviceID: opening.deviceID, subject: "vacation:\(opening.entityID):\(now.milliseconds)",
                    data: [
                        "notice": .string(NoticeKind.danger.rawValue), "words": .string(words),
                        "incident": .string("vacation:\(opening.entityID)"),
                    ], at: now, in: db)
            }
        }
    }

    /// Returns whether a pass, a person or something that they set up opened it. A contact is explained by any door that was opened.
    private static func isExplained(_ opening: Opening, at now: Date, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT 1 FROM commands WHERE risk = 'open' AND status IN ('dispatching', 'confirmed', 'unknown') AND accepted_at > ?
                    AND (? OR entity_id = ?) LIMIT 1
                    """),
            arguments: [now.addingTimeInterval(-explanationWindow).milliseconds, opening.isContact, opening.entityID]) == true
    }
}

extension Entity {
    /// True if its last report was open; nil if its state is known, or it never reported.
    fileprivate var wasLastOpen: Bool? {
        guard let lastReport else { return nil }
        var last = self
        last.state = lastReport.state
        return last.isOpen
    }
}
