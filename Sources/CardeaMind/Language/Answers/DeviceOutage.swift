import CardeaModel
import Foundation

/// A period in which a device was out of reach, so that actions on it are unknown.
struct DeviceOutage: Hashable, Sendable {
    let from: Date
    /// Nil while it lasts.
    var to: Date?

    /// Seconds; shorter outages do not count.
    static let minimumDuration: TimeInterval = 60
    /// Seconds after its return within which a device reports its state.
    static let settlingTime: TimeInterval = 60

    /// True if these outages cover the whole period.
    static func cover(_ gaps: [DeviceOutage], from: Date, to: Date) -> Bool {
        var reached = from
        for gap in gaps.sorted(by: { $0.from < $1.from }) where gap.from <= reached { reached = max(reached, gap.to ?? to) }
        return reached >= to
    }
}
