/// The way in which a device is connected.
public enum ConnectionMethod: String, Codable, Hashable, Sendable, CaseIterable {
    case wifi, zigbee, zwave, bluetooth, cloud, local
}
