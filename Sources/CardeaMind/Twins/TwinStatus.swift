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

/// What a twin can be asked for.
public enum TwinCapability: String, Codable, Hashable, Sendable, CaseIterable {
    case reported, desired, pending, divergence, history, prediction
}
