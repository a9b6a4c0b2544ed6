/// The reachability of a device.
public enum DeviceStatus: String, Codable, Hashable, Sendable, CaseIterable {
    case online, offline, unknown, error
}
