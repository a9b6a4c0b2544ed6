import CardeaModel
import Foundation

/// The time since which the house knows each device. New devices are exciting for a day.
public struct DeviceFirstSeen: Codable, Hashable, Sendable {
    /// The time by device id.
    public private(set) var since: [String: Date] = [:]
    private var hasBegun = false

    public init() {}

    /// Records the present devices. Those of the first call count as known already; a device that left and comes back is new again.
    public mutating func update(_ snapshot: HouseSnapshot, at now: Date) {
        let ids = Set(snapshot.devices.map(\.id))
        since = since.filter { ids.contains($0.key) }
        for id in ids where since[id] == nil { since[id] = hasBegun ? now : .distantPast }
        if !ids.isEmpty { hasBegun = true }
    }
}
