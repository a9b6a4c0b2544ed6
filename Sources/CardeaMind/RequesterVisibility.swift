import CardeaModel

/// The part of the house that an requester may be told about. The hub derives it from the rights that apply everywhere; the mind obeys it.
public struct RequesterVisibility: Hashable, Sendable {
    /// The requester: `person:{id}`.
    public let key: String
    /// True if they may see the actions of other people.
    public var seesEverybody: Bool
    public var seesGuests: Bool
    /// True if they may see sightings by cameras and doorbells.
    public var seesEvents: Bool
    public var seesEnergy: Bool
    /// True if they may see actions of automations.
    public var seesAutomations = false
    /// True if they may open devices reserved for the people who look after the house. It keeps suggestions free of actions that the gate
    /// would refuse.
    public var opensSecurityDevices = true
    /// Nil for every device of the house.
    public var devices: Set<String>?

    public init(
        key: String, seesEverybody: Bool = false, seesGuests: Bool = false, seesEvents: Bool = true, seesEnergy: Bool = true,
        devices: Set<String>? = nil
    ) {
        self.key = key
        self.seesEverybody = seesEverybody
        self.seesGuests = seesGuests
        self.seesEvents = seesEvents
        self.seesEnergy = seesEnergy
        self.devices = devices
    }

    public func seesDevice(_ id: String) -> Bool { devices?.contains(id) ?? true }

    /// Returns the part of the event that the requester may see; nil if they may see none of it. The actor of a device's change may still be
    /// hidden: `view` leaves it out.
    public func redacted(_ event: HouseEvent) -> HouseEvent? {
        if let device = event.deviceID, !seesDevice(device) { return nil }
        switch event.fact {
        case .state:
            guard let actor = event.actor, !seesActions(of: actor) else { return event }
            var bare = event
            bare.actor = nil
            return bare
        case .command: return event.actor.map(seesActions) ?? seesEverybody ? event : nil
        case .sighting: return seesEvents ? event : nil
        case .presence: return event.actor.map(seesActions) ?? seesEverybody ? event : nil
        case .deviceStatus: return event
        }
    }

    private func seesActions(of actor: String) -> Bool {
        actor == key || seesEverybody || (seesGuests && actor.hasPrefix("guest:"))
    }
}

extension RequesterVisibility {
    /// The visibility of a person of the household, by the rights that they have everywhere.
    public init(of person: Person) {
        self.init(
            key: "person:\(person.id)", seesEverybody: person.rights.contains(.managePeople),
            seesGuests: person.rights.contains(.inviteGuests), seesEvents: true, seesEnergy: person.rights.contains(.viewEnergy))
        seesAutomations = person.rights.contains(.modifySettings)
        opensSecurityDevices = person.role == .owner || person.role == .admin
    }
}
