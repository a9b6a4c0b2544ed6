import Foundation

/// An entity's last report, while nobody knows how it stands now.
public struct LastReport: Hashable, Sendable {
    public var state: EntityState
    /// When it said so last.
    public var at: Date

    public init(_ state: EntityState, at: Date) {
        self.state = state
        self.at = at
    }
}

extension Entity {
    /// Takes what was said of it as how it stands, or as its last report where that may have changed since.
    ///
    /// - Parameters:
    ///   - reportedAt: when it was said; nil where it never was.
    ///   - isKnown: whether it was said since its device was last lost, and its device can be reached.
    public mutating func updateState(as said: EntityState, reportedAt: Date?, isKnown: Bool) {
        // What stands open or shut by a guess is not known.
        let isKnown = isKnown && !(isAssumed && isWayIn)
        state = isKnown ? said : said.forgotten
        lastReport = isKnown || isAssumed || said.isUnknown ? nil : reportedAt.map { LastReport(said, at: $0) }
    }
}

extension Device {
    /// The same device as it last reported itself, and when the last of its entities did; nil where how it stands is known, or it never reported.
    public var lastReported: (device: Device, at: Date)? {
        guard let at = entities.compactMap(\.lastReport?.at).max() else { return nil }
        var device = self
        for index in entities.indices {
            if let last = entities[index].lastReport { device.entities[index].state = last.state }
        }
        return (device, at)
    }
}
