import Foundation

/// An entity's last report, while its present state is unknown.
public struct LastReport: Hashable, Sendable {
    public var state: EntityState
    /// The time of that report.
    public var at: Date

    public init(_ state: EntityState, at: Date) {
        self.state = state
        self.at = at
    }
}

extension Entity {
    /// Stores a reported state as the present one, or as the last report if it may have changed since.
    ///
    /// - Parameters:
    ///   - reportedAt: the time of the report; nil if there was none.
    ///   - isKnown: true if it was reported since its device was last lost, and its device can be reached.
    public mutating func updateState(as reported: EntityState, reportedAt: Date?, isKnown: Bool) {
        // A way in with an assumed state is unknown.
        let isKnown = isKnown && !(isAssumed && isWayIn)
        state = isKnown ? reported : reported.forgotten
        lastReport = isKnown || isAssumed || reported.isUnknown ? nil : reportedAt.map { LastReport(reported, at: $0) }
    }
}

extension Device {
    /// The same device with its last reported states, and the time of the latest one; nil if its state is known, or it never reported.
    public var lastReported: (device: Device, at: Date)? {
        guard let at = entities.compactMap(\.lastReport?.at).max() else { return nil }
        var device = self
        for index in entities.indices {
            if let last = entities[index].lastReport { device.entities[index].state = last.state }
        }
        return (device, at)
    }
}
