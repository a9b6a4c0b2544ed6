import CardeaMind
import CardeaModel
import Foundation

/// A small house for the mood, and a seeded random generator.
enum EmotionFixtures {
    static let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    /// A Wednesday, three in the afternoon in Berlin.
    static let noon = date("2025-06-25T13:00:00Z")

    static func date(_ text: String) -> Date { (try? Date(text, strategy: .iso8601)) ?? .distantPast }

    static func device(
        _ id: String, _ name: String, room: String? = nil, status: DeviceStatus = .online, _ entities: Entity...
    ) -> Device {
        Device(
            id: id, name: name, deviceClass: DeviceClass(of: entities), roomID: room, integration: "test", status: status,
            stateChangedAt: noon.addingTimeInterval(-3600), lastSeenAt: noon, entities: entities)
    }

    static func entity(_ id: String, _ kind: EntityKind, _ state: String, deviceClass: String? = nil, unit: String? = nil) -> Entity {
        Entity(id: id, kind: kind, name: "", deviceClass: deviceClass, unit: unit, verbs: kind.verbs, state: EntityState(state))
    }

    static func house(_ devices: Device..., rooms: [Room] = [], people: [Inhabitant] = []) -> HouseSnapshot {
        HouseSnapshot(name: "Home", zone: zone, rooms: rooms, devices: devices, people: people)
    }

    static func event(
        _ number: Int, _ at: Date, device: String? = nil, entity: String? = nil, actor: String? = nil, _ fact: HouseEvent.Fact
    ) -> HouseEvent {
        HouseEvent(id: "happening_\(number)", at: at, deviceID: device, entityID: entity, actor: actor, fact: fact)
    }

    static let owner = RequesterVisibility(key: "person:ada", seesEverybody: true, seesGuests: true)
}

struct FixtureRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &self) }
    mutating func index(_ sides: Int) -> Int { .random(in: 0..<max(sides, 1), using: &self) }
    /// Normally distributed around zero with a deviation of one.
    mutating func gaussian() -> Double { (0..<12).reduce(-6) { sum, _ in sum + number(0...1) } }
}
