/// Seed 004's classes of devices.
public enum DeviceClass: String, Codable, Hashable, Sendable, CaseIterable {
    case light, sensor, climate, security, entertainment, appliance, hub, other

    /// Derives the class from the most important function among the entities.
    public init(of entities: [Entity]) {
        let kinds = Set(entities.map(\.kind))
        self =
            if entities.contains(where: { $0.kind == .lock || $0.kind == .alarm || ($0.kind == .cover && $0.isWayIn) }) {
                .security
            } else if !kinds.isDisjoint(with: [.climate, .fan]) {
                .climate
            } else if kinds.contains(.light) {
                .light
            } else if kinds.contains(.media) {
                .entertainment
            } else if !kinds.isDisjoint(with: [.switch, .cover, .valve, .button]) {
                .appliance
            } else {
                kinds.isEmpty ? .other : .sensor
            }
    }
}
