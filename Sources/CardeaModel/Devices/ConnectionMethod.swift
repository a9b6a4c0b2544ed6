/// How a device is reached.
public enum ConnectionMethod: String, Codable, Hashable, Sendable, CaseIterable {
    case wifi, zigbee, zwave, bluetooth, cloud, local
}
