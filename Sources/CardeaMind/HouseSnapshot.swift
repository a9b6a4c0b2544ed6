import CardeaModel
import Foundation

/// A snapshot of the house: everything the mind knows about its present state.
public struct HouseSnapshot: Sendable {
    public var name: String
    /// The time zone in which "yesterday evening" is meant.
    public var zone: TimeZone
    public var rooms: [Room]
    public var devices: [Device]
    public var people: [Inhabitant]
    /// People with temporary access, by the names of their passes.
    public var guests: [Inhabitant]
    public var scenes: [NamedScene]
    /// Cameras, doorbells, and other devices that have reported sightings.
    public var cameras: [NamedCamera] = []
    /// The sleeping hours; nil if not set.
    public var quietHours: QuietHours?
    /// The default room temperature in °C, for rooms without their own; nil if not known.
    public var defaultTemperature: Double?
    /// True if the household has said that it is away for days.
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

    /// The part of the snapshot that the requester may see.
    public func seen(by visibility: RequesterVisibility) -> HouseSnapshot {
        var part = self
        part.devices = devices.filter { visibility.seesDevice($0.id) }
        if !visibility.seesGuests { part.guests = [] }
        if !visibility.seesEvents { part.cameras = [] }
        if !visibility.seesEverybody {
            for place in part.people.indices where part.people[place].key != visibility.key { part.people[place].isHome = nil }
        }
        if !visibility.seesEnergy {
            part.devices = part.devices.map { device in
                var device = device
                device.entities.removeAll { EnergyMetering.isEnergy($0.deviceClass) }
                return device
            }
        }
        return part
    }
}
