import CardeaHub
import CardeaModel

extension TestHouse {
    /// Adds a sensor that reports a danger, by default smoke. It has not reported yet.
    public func alarm(_ id: String = "smoke", name: String = "Hall alarm", of danger: String = "smoke") async throws {
        let sensor = Entity(
            id: "binary_sensor.\(id)", kind: .binarySensor, name: id, deviceClass: danger, verbs: [], state: EntityState("unknown"))
        try await hub.devices.announce(
            Device(
                id: id, name: name, deviceClass: .sensor, integration: "scripted", status: .online, stateChangedAt: clock.now,
                entities: [sensor]))
    }
}
