import CardeaModel
import Foundation

/// Since when the house knows its devices: what is new is exciting for a day.
public struct KnownSince: Codable, Hashable, Sendable {
    /// By the device's id.
    public private(set) var since: [String: Date] = [:]
    private var hasBegun = false

    public init() {}

    /// Takes in the devices there are. Those of the first time were always there; one that left and comes again is new again.
    public mutating func update(_ picture: HouseSnapshot, at now: Date) {
        let ids = Set(picture.devices.map(\.id))
        since = since.filter { ids.contains($0.key) }
        for id in ids where since[id] == nil { since[id] = hasBegun ? now : .distantPast }
        if !ids.isEmpty { hasBegun = true }
    }
}
