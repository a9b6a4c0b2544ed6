/// Whether a device can be reached now.
public enum DeviceStatus: String, Codable, Hashable, Sendable, CaseIterable {
    case online, offline, unknown, error
}
