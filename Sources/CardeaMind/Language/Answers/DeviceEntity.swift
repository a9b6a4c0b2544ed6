import CardeaModel

/// One entity of one device that a sentence is about.
struct DeviceEntity: Hashable, Sendable {
    let device: Device
    let entity: Entity
}
