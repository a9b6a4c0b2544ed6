/// What an entity is beside what its device is there for (Home Assistant's `entity_category`). It lowers no risk: a lock of category config
/// is a lock.
public enum EntityCategory: String, Codable, Hashable, Sendable, CaseIterable {
    /// It sets how the device works, as a child lock does.
    case config
    /// It tells how the device is, as its signal strength does.
    case diagnostic
}
