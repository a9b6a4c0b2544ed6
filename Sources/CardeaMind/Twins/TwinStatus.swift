import CardeaModel

/// How a twin stands to its device, by Seed 004's words.
public enum TwinStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// The device says what was asked of it, or nothing was asked.
    case synchronized
    /// It says something else, has said nothing yet, or is out of reach: how it stands now is not known.
    case outOfSync = "out_of_sync"
    /// Something was asked and there is still time to report it.
    case syncing
    /// A plan, or a device that is gone: there is nothing to be in step with.
    case noRealDevice = "no_real_device"
    /// The device says of itself that it is broken.
    case error
}

/// How much a twin carries.
public enum TwinFidelity: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
    /// What each entity last said, and when. A plan's is what was written down for it.
    case basic
    /// That, and what was asked of it: desired, pending and the divergence of the two from what it says; and its history, drawn from
    /// happenings.
    case advanced
    /// All that, and a model that says what comes next. Only a room's thermal twin is one: where none could be fitted there is none, and
    /// the twin says so by what it can do.
    case expert

    public static func < (one: TwinFidelity, other: TwinFidelity) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .basic: 0
        case .advanced: 1
        case .expert: 2
        }
    }
}

/// What a twin can be asked for.
public enum TwinCapability: String, Codable, Hashable, Sendable, CaseIterable {
    case reported, desired, pending, divergence, history, prediction
}
