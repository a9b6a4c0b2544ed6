import CardeaModel
import Foundation

/// The house as it stands: everything the mind knows of it now.
public struct HouseSnapshot: Sendable {
    public var name: String
    /// By whose clock "yesterday evening" is meant.
    public var zone: TimeZone
    public var rooms: [Room]
    public var devices: [Device]
    public var people: [Inhabitant]
    /// Who is let in for a while, by the names that passes have.
    public var guests: [Inhabitant]
    public var scenes: [NamedScene]
    /// Where something is seen or heard: cameras, bells, and whatever else told of somebody.
    public var cameras: [NamedCamera] = []
    /// When people sleep; nil where nobody has said.
    public var quietHours: QuietHours?
    /// How warm it should be where nobody has said so of a room, in °C; nil where that is not known.
    public var defaultTemperature: Double?
    /// Whether the household has said that nobody is at home for days.
    public var isOnVacation = false

    public init(
        name: String, zone: TimeZone, rooms: [Room] = [], devices: [Device] = [], people: [Inhabitant] = [], guests: [Inhabitant] = [],
        scenes: [NamedScene] = [], quietHours: QuietHours? = nil
    ) {
        self.name = name
        self.zone = zone
        self.rooms = rooms
        self.devices = devices
        self.people = people
        self.guests = guests
        self.scenes = scenes
        self.quietHours = quietHours
    }

    /// The integrations of entities, by their ids.
    public var integrationsByEntity: [String: String] {
        Dictionary(
            devices.flatMap { device in device.entities.map { ($0.id, device.integration) } }, uniquingKeysWith: { first, _ in first })
    }

    /// The entities of devices, by their ids.
    public var entityIDsByDevice: [String: [String]] {
        Dictionary(devices.map { ($0.id, $0.entities.map(\.id)) }, uniquingKeysWith: { first, _ in first })
    }

    /// What of it somebody may see.
    public func seen(by sight: AskerVisibility) -> HouseSnapshot {
        var part = self
        part.devices = devices.filter { sight.seesDevice($0.id) }
        if !sight.seesGuests { part.guests = [] }
        if !sight.seesEvents { part.cameras = [] }
        if !sight.seesEverybody {
            for place in part.people.indices where part.people[place].key != sight.key { part.people[place].isHome = nil }
        }
        if !sight.seesEnergy {
            part.devices = part.devices.map { device in
                var device = device
                device.entities.removeAll { Metering.isEnergy($0.deviceClass) }
                return device
            }
        }
        return part
    }
}
