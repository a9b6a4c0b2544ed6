import CardeaModel

/// The relation of a twin to its device, in Seed 004's words.
public enum TwinStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// The device reports the desired state, or there is none.
    case synchronized
    /// The device reports another state, has not reported yet, or is offline, so that its state is not known.
    case outOfSync = "out_of_sync"
    /// A command was sent and there is still time for its report.
    case syncing
    /// A planned or removed device, so there is nothing to be in sync with.
    case noRealDevice = "no_real_device"
    /// The device reports an error.
    case error
}

/// The parts of a twin that can be requested.
public enum TwinCapability: String, Codable, Hashable, Sendable, CaseIterable {
    case reported, desired, pending, divergence, history, prediction
}
