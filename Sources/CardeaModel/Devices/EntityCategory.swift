/// The role of an entity beside its device's main purpose (Home Assistant's `entity_category`). It lowers no risk: a lock of category
/// config is a lock.
public enum EntityCategory: String, Codable, Hashable, Sendable, CaseIterable {
    /// It configures the device, as a child lock does.
    case config
    /// It reports the device's condition, as its signal strength does.
    case diagnostic
}
