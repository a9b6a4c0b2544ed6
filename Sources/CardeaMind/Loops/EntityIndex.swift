import CardeaModel

/// The entities of a house by id, with their devices and names.
struct EntityIndex: Sendable {
    private let entries: [String: Entry]
    /// Every enabled entity, in the order of its id.
    let all: [Entry]
    let devices: [String: Device]
    let rooms: [String: Room]
    let people: [String: Inhabitant]

    struct Entry: Sendable {
        let device: Device
        let entity: Entity
        /// The device's name, or the entity's if the device has several that could be meant.
        let name: String
    }

    init(_ snapshot: HouseSnapshot) {
        devices = Dictionary(snapshot.devices.map { ($0.id, $0) }) { one, _ in one }
        rooms = Dictionary(snapshot.rooms.map { ($0.id, $0) }) { one, _ in one }
        people = Dictionary((snapshot.people + snapshot.guests).map { ($0.key, $0) }) { one, _ in one }
        var places: [String: Entry] = [:]
        for device in snapshot.devices {
            for entity in device.entities where entity.isEnabled {
                let isAlone = device.entities.filter { $0.isEnabled && $0.kind == entity.kind }.count == 1
                places[entity.id] = Entry(device: device, entity: entity, name: isAlone || entity.name.isEmpty ? device.name : entity.name)
            }
        }
        self.entries = places
        all = places.sorted { $0.key < $1.key }.map(\.value)
    }

    subscript(entity: String?) -> Entry? { entity.flatMap { entries[$0] } }
}
