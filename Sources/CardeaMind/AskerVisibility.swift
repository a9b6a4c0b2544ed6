import CardeaModel

/// What somebody who asks may be told. The hub says it, by the same rights as everywhere; the mind keeps to it.
public struct AskerVisibility: Hashable, Sendable {
    /// Who asks: `person:{id}`.
    public let key: String
    /// What others did, too.
    public var seesEverybody: Bool
    public var seesGuests: Bool
    /// What cameras and bells saw.
    public var seesEvents: Bool
    public var seesEnergy: Bool
    /// What the house does by itself.
    public var seesAutomations = false
    /// Opens what whoever looks after the house keeps to themselves. It is said so that nothing is suggested that the gate refuses.
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

    /// Whether they may be told of this at all. Whose doing a change of a device was may still be hidden from them: `view` leaves it out.
    public func redacted(_ happening: HouseEvent) -> HouseEvent? {
        if let device = happening.deviceID, !seesDevice(device) { return nil }
        switch happening.fact {
        case .state:
            guard let actor = happening.actor, !seesActions(of: actor) else { return happening }
            var bare = happening
            bare.actor = nil
            return bare
        case .command: return happening.actor.map(seesActions) ?? seesEverybody ? happening : nil
        case .sighting: return seesEvents ? happening : nil
        case .presence: return happening.actor.map(seesActions) ?? seesEverybody ? happening : nil
        case .deviceStatus: return happening
        }
    }

    private func seesActions(of actor: String) -> Bool {
        actor == key || seesEverybody || (seesGuests && actor.hasPrefix("guest:"))
    }
}

extension AskerVisibility {
    /// What somebody who lives here may be told, by the rights that they have everywhere.
    public init(of person: Person) {
        self.init(
            key: "person:\(person.id)", seesEverybody: person.rights.contains(.managePeople),
            seesGuests: person.rights.contains(.inviteGuests), seesEvents: true, seesEnergy: person.rights.contains(.viewEnergy))
        seesAutomations = person.rights.contains(.modifySettings)
        opensSecurityDevices = person.role == .owner || person.role == .admin
    }
}
