import CardeaModel
import Foundation

/// Decides when people are notified that the state of doors is unknown, and that it is known again: after a minute, once, and for all doors
/// behind one connection together.
struct DoorAvailabilityTracker: Hashable, Sendable {
    /// A door that reports its state, or whose device can be unreachable.
    struct Door: Hashable, Sendable {
        let entityID: String
        let deviceID: String
        let integration: String
        let name: String
        let isKnown: Bool
        /// True if the device reports itself as unreachable.
        let isOffline: Bool
        /// Its present state, in a word.
        let state: String
        let last: LastReport?
    }

    /// The cause of an outage: a connection with all doors behind it, or one device.
    enum Cause: Hashable, Sendable {
        case connection(String)
        case device(String)

        var name: String {
            switch self {
            case .connection(let integration): "connection:\(integration)"
            case .device(let id): "device:\(id)"
            }
        }

        /// The integration whose connection it is.
        fileprivate var integration: String? {
            if case .connection(let integration) = self { integration } else { nil }
        }

        init?(named name: String) {
            let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
            switch (parts.first, parts.last) {
            case ("connection"?, let integration?) where parts.count == 2: self = .connection(integration)
            case ("device"?, let id?) where parts.count == 2: self = .device(id)
            default: return nil
            }
        }
    }

    /// One notification.
    struct Change: Hashable, Sendable {
        let integration: String
        /// True if the connection was lost or found again.
        let isOfConnection: Bool
        let isLoss: Bool
        /// Those that are not known, or that are known again.
        var doors: [Door] = []
        /// Those of a connection that was found again that are not known yet.
        var stillUnknown: [Door] = []
        /// The causes that count as notified from now on; those in `found` no longer do.
        var lost: [Cause] = []
        var found: [Cause] = []
    }

    private struct Outage: Hashable, Sendable {
        var since: Date
        var isNotified: Bool
        var members: Set<String> = []
        /// The time since which the connection is up again.
        var reconnectedSince: Date?
    }

    /// Seconds before a notification.
    static let gracePeriod: TimeInterval = 60

    private var outages: [Cause: Outage] = [:]
    /// The outages that an earlier run of the hub notified about, until the first check.
    private var restoredCauses: Set<Cause>

    init(notified earlier: Set<Cause> = []) { self.restoredCauses = earlier }

    /// Integrations whose connection counts as lost.
    var connections: Set<String> {
        Set(restoredCauses.union(outages.keys).compactMap(\.integration))
    }

    /// - Parameters:
    ///   - doors: every door, in the house's order.
    ///   - down: integrations without a connection.
    mutating func update(at doors: [Door], down: Set<String>, now: Date) -> [Change] {
        let byID = Dictionary(doors.map { ($0.entityID, $0) }, uniquingKeysWith: { first, _ in first })
        restore(doors, now: now)
        addOutages(doors, down: down, now: now)
        mergeIntoConnections(byID, down: down)
        let left = splitFromConnections(byID, down: down, now: now)
        return collectChanges(doors, left: left, now: now)
    }

    private mutating func restore(_ doors: [Door], now: Date) {
        for cause in restoredCauses {
            let members = doors.filter { door in
                switch cause {
                case .connection(let integration): door.integration == integration && !restoredCauses.contains(.device(door.deviceID))
                case .device(let id): door.deviceID == id
                }
            }
            outages[cause] = Outage(since: now, isNotified: true, members: Set(members.map(\.entityID)))
        }
        restoredCauses = []
    }

    private mutating func addOutages(_ doors: [Door], down: Set<String>, now: Date) {
        let held = Set(outages.values.flatMap(\.members))
        for door in doors where !door.isKnown && !held.contains(door.entityID) {
            let cause: Cause = down.contains(door.integration) ? .connection(door.integration) : .device(door.deviceID)
            move([door.entityID], to: cause, since: now, isNotified: false)
        }
    }

    /// Doors without a notification whose connection is lost as well become part of that outage.
    private mutating func mergeIntoConnections(_ doors: [String: Door], down: Set<String>) {
        for (cause, episode) in outages {
            guard cause.integration == nil, !episode.isNotified, let door = episode.members.compactMap({ doors[$0] }).first,
                down.contains(door.integration)
            else { continue }
            outages[cause] = nil
            move(episode.members, to: .connection(door.integration), since: episode.since, isNotified: false)
        }
    }

    /// Handles connections that are up again. Doors that are still unknown a minute later are outages of their own, without a second
    /// notification.
    ///
    /// - Returns: those doors, by their connection.
    private mutating func splitFromConnections(_ doors: [String: Door], down: Set<String>, now: Date) -> [Cause: Set<String>] {
        var left: [Cause: Set<String>] = [:]
        for (cause, episode) in outages {
            guard let integration = cause.integration else { continue }
            guard !down.contains(integration) else {
                outages[cause]?.reconnectedSince = nil
                continue
            }
            let unknown = episode.members.filter { doors[$0]?.isKnown == false }
            guard !unknown.isEmpty else { continue }
            if episode.isNotified {
                let since = episode.reconnectedSince ?? now
                outages[cause]?.reconnectedSince = since
                guard now.timeIntervalSince(since) >= Self.gracePeriod else { continue }
                left[cause] = unknown
            }
            outages[cause]?.members.subtract(unknown)
            for id in unknown {
                guard let door = doors[id] else { continue }
                move([id], to: .device(door.deviceID), since: episode.since, isNotified: episode.isNotified)
            }
        }
        return left
    }

    private mutating func move(_ members: Set<String>, to cause: Cause, since: Date, isNotified: Bool) {
        var episode = outages[cause] ?? Outage(since: since, isNotified: isNotified)
        episode.since = min(episode.since, since)
        episode.isNotified = episode.isNotified || isNotified
        episode.members.formUnion(members)
        outages[cause] = episode
    }

    /// One notification covers all doors of an integration that were lost, or found again, in one check.
    private struct ChangeKey: Hashable {
        let integration: String
        let isOfConnection: Bool
        let isLoss: Bool
    }

    private mutating func collectChanges(_ doors: [Door], left: [Cause: Set<String>], now: Date) -> [Change] {
        var (topics, news): ([ChangeKey], [ChangeKey: Change]) = ([], [:])
        for (cause, episode) in outages.sorted(by: { $0.key.name < $1.key.name }) {
            let members = doors.filter { episode.members.contains($0.entityID) }
            let unknown = members.filter { !$0.isKnown }
            let isOver = unknown.isEmpty
            if isOver { outages[cause] = nil }
            // A door that came back in time was never notified about, so it is not among those that come back later.
            if !isOver, !episode.isNotified { outages[cause]?.members = Set(unknown.map(\.entityID)) }
            let isDue = !isOver && !episode.isNotified && now.timeIntervalSince(episode.since) >= Self.gracePeriod
            // Doors behind the connection may not have reported since it is up again; its outage is over all the same.
            let others = doors.filter { left[cause]?.contains($0.entityID) == true }
            guard isDue || (isOver && episode.isNotified), let integration = (members.first ?? others.first)?.integration else { continue }
            if isDue { outages[cause]?.isNotified = true }
            let topic = ChangeKey(integration: integration, isOfConnection: cause.integration != nil, isLoss: isDue)
            if news[topic] == nil { topics.append(topic) }
            var change = news[topic] ?? Change(integration: integration, isOfConnection: topic.isOfConnection, isLoss: isDue)
            change.doors += isDue ? unknown : members
            if isDue { change.lost.append(cause) } else { change.found.append(cause) }
            change.stillUnknown += others
            change.lost += Set(others.map { Cause.device($0.deviceID) }).sorted { $0.name < $1.name }
            news[topic] = change
        }
        return topics.compactMap { topic in
            guard var change = news[topic] else { return nil }
            let ids = Set(change.doors.map(\.entityID))
            change.doors = doors.filter { ids.contains($0.entityID) }
            return change
        }
    }
}

extension DoorAvailabilityTracker.Door {
    /// Returns every door with a meaningful state: a button or a relay opens a door without knowing its state.
    static func all(in devices: [Device]) -> [Self] {
        devices.filter { !$0.isPlanned }.flatMap { device in
            let doors = device.entities.filter { entity in
                entity.isEnabled && entity.isWayIn && ![.button, .switch].contains(entity.kind) && !device.isIncidental(entity)
            }
            return doors.map { entity in
                Self(
                    entityID: entity.id, deviceID: device.id, integration: device.integration,
                    name: doors.count > 1 ? "\(device.name), \(entity.name)" : device.name,
                    isKnown: entity.isAssumed ? device.status == .online : entity.lastReport == nil,
                    isOffline: device.status == .offline, state: entity.state.value, last: entity.lastReport)
            }
        }
    }
}
