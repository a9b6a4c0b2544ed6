import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// While nobody is at home for days: tells everybody who lives here of a door or a window that was opened, and that nobody asked the
/// house to open. It is told at once and at every hour, as a danger is.
public final class VacationWatch: Service, Sendable {
    private let store: Store
    private let house: House
    private let devices: Devices
    private let surroundings: Surroundings
    private let logger: Logger
    private let signal = ChangeSignal()
    /// How each door stood when it was last known; nil while somebody is at home.
    private let known = Mutex<[String: Bool]?>(nil)

    /// Seconds before an opening in which somebody of the house, or a guest, may have opened the way for it.
    private static let explained: TimeInterval = 300
    /// Seconds until a look though nothing changed, and until one after an error.
    private static let rest: TimeInterval = 3600
    private static let pause: TimeInterval = 10

    private struct Opening: Sendable {
        let deviceID: String
        let name: String
        let entityID: String
        /// A contact tells of a door that something else unlocks.
        let isContact: Bool
    }

    init(store: Store, house: House, devices: Devices, surroundings: Surroundings, logger: Logger) {
        self.store = store
        self.house = house
        self.devices = devices
        self.surroundings = surroundings
        self.logger = logger
        store.onCommit { [signal, house] rows in
            if house.now.preferences.isOnVacation || rows.contains(where: { $0.kind == .houseChanged }) { signal.changed() }
        }
    }

    public func run() async throws {
        try await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                let seen = signal.changes
                var pause = Self.rest
                do {
                    try await look()
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("a door that was opened could not be told of", metadata: ["error": "\(type(of: error))"])
                    pause = Self.pause
                }
                do {
                    try await signal.change(after: seen, until: surroundings.now().addingTimeInterval(pause), surroundings)
                } catch is CancellationError { return }
            }
        }
    }

    /// Looks at every door. `run` does it; nobody else need.
    func look() async throws {
        guard house.now.preferences.isOnVacation else { return known.withLock { $0 = nil } }
        var doors = known.withLock { $0 } ?? [:]
        var opened: [Opening] = []
        for device in devices.all.devices {
            for entity in device.entities where entity.isEnabled {
                // After a start it is its last report that tells how it stood.
                if doors[entity.id] == nil { doors[entity.id] = entity.stoodOpen }
                // A door that is not known now stays as it was: found open again, it was open before.
                guard device.status != .offline, let isOpen = entity.standsOpen else { continue }
                let last = doors.updateValue(isOpen, forKey: entity.id)
                guard isOpen, last == false else { continue }
                opened.append(.init(deviceID: device.id, name: device.name, entityID: entity.id, isContact: entity.isOpening))
            }
        }
        if !opened.isEmpty { try await tell(opened) }
        // Kept once it is told: an error is tried again.
        known.withLock { [doors] in $0 = doors }
    }

    private func tell(_ opened: [Opening]) async throws {
        let now = surroundings.now()
        try await store.write { db in
            for opening in opened where try !Self.isExplained(opening, at: now, db) {
                let words = "“\(opening.name)” was opened, and nobody asked the house for it. Nobody is at home for days."
                try Journal.append(
                    .mindChanged, deviceID: opening.deviceID, subject: "vacation:\(opening.entityID):\(now.milliseconds)",
                    data: [
                        "notice": .string(NoticeKind.danger.rawValue), "words": .string(words),
                        "incident": .string("vacation:\(opening.entityID)"),
                    ], at: now, in: db)
            }
        }
    }

    /// Whether a pass, a person or something that they set up opened it. A contact is explained by any door that was.
    private static func isExplained(_ opening: Opening, at now: Date, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT 1 FROM commands WHERE risk = 'open' AND status IN ('dispatching', 'confirmed', 'unknown') AND accepted_at > ?
                    AND (? OR entity_id = ?) LIMIT 1
                    """),
            arguments: [now.addingTimeInterval(-explained).milliseconds, opening.isContact, opening.entityID]) == true
    }
}

extension Entity {
    /// Whether somebody could come in there by its last report; nil where how it stands is known, or it never reported.
    fileprivate var stoodOpen: Bool? {
        guard let lastReport else { return nil }
        var last = self
        last.state = lastReport.state
        return last.standsOpen
    }
}
