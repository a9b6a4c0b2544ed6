import CardeaModel

extension DeviceCondition {
    /// How well an entity answers whether it stands so; 0 is best, nil not at all. What is only meant by a whole set ("is anything on?") is
    /// what people switch and open; a thermostat or a motion sensor must be named.
    func rank(_ entity: Entity, isNamed: Bool) -> Int? {
        switch self {
        case .on, .off:
            switch entity.kind {
            case .light: 0
            // A child lock that is on is no answer to "is anything on?".
            case .switch, .fan, .media: isNamed || entity.category == nil ? 1 : nil
            case .climate: isNamed ? 2 : nil
            case .binarySensor: isNamed && !Self.openingClasses.contains(entity.deviceClass ?? "") ? 3 : nil
            default: nil
            }
        case .open, .closed:
            switch entity.kind {
            case .cover: 0
            case .binarySensor: Self.openingClasses.contains(entity.deviceClass ?? "") ? 1 : nil
            case .lock: isNamed ? 2 : nil
            default: nil
            }
        // A child lock is no door of the house.
        case .locked, .unlocked: entity.kind == .lock && (isNamed || entity.category == nil) ? 0 : nil
        case .jammed: entity.kind == .lock || entity.kind == .cover ? 0 : nil
        }
    }

    /// Whether an entity that says `value` stands so; nil where it says nothing that tells.
    func holds(_ value: String, _ entity: Entity) -> Bool? {
        guard value != "unknown", value != "unavailable", !value.isEmpty else { return nil }
        switch self {
        case .on: return isOn(value, entity)
        case .off: return isOn(value, entity).map(!)
        case .open: return isOpen(value, entity)
        case .closed: return isOpen(value, entity).map(!)
        // Only "locked" is locked: a jammed or moving bolt is not.
        case .locked: return entity.kind == .lock ? value == "locked" : nil
        case .unlocked: return entity.kind == .lock ? value != "locked" : nil
        case .jammed: return value == "jammed"
        }
    }

    private func isOn(_ value: String, _ entity: Entity) -> Bool? {
        switch entity.kind {
        case .light, .switch, .fan, .binarySensor: value == "on"
        case .media, .climate: !["off", "standby"].contains(value)
        default: nil
        }
    }

    private func isOpen(_ value: String, _ entity: Entity) -> Bool? {
        switch entity.kind {
        case .cover: value != "closed"
        case .binarySensor: value == "on"
        case .lock: value == "unlocked" || value == "open"
        default: nil
        }
    }

    static let openingClasses: Set<String> = ["door", "window", "garage_door", "opening", "skylight"]
}

extension ActionKind {
    /// How an entity stands once this was done to it; nil for doings that leave no state of their own.
    var outcome: DeviceCondition? {
        switch self {
        case .open: .open
        case .close: .closed
        case .lock: .locked
        case .unlock: .unlocked
        case .on: .on
        case .off: .off
        case .use, .set: nil
        }
    }

    var verbs: Set<Verb> {
        switch self {
        case .open: [.open, .unlock]
        case .close: [.close, .lock]
        case .lock: [.lock]
        case .unlock: [.unlock, .open]
        case .on: [.on, .play, .setBrightness, .setColor, .setPercentage]
        case .off: [.off]
        case .use: Set(Verb.allCases).subtracting([.read])
        case .set:
            [
                .setPosition, .setTilt, .setBrightness, .setColor, .setTemperature, .setPercentage, .setVolume, .setMode, .setPreset,
                .setEffect,
                .setDirection, .oscillate,
            ]
        }
    }

    func rank(_ entity: Entity, isNamed: Bool) -> Int? {
        switch self {
        case .open, .close:
            switch entity.kind {
            // The bolt knows who turned it; a contact only that the door stands open.
            case .cover, .lock: 0
            case .binarySensor: DeviceCondition.openingClasses.contains(entity.deviceClass ?? "") ? 1 : nil
            default: nil
            }
        case .lock, .unlock: entity.kind == .lock ? 0 : nil
        case .on, .off: DeviceCondition.on.rank(entity, isNamed: isNamed)
        case .use: entity.verbs.isEmpty ? nil : 0
        case .set: entity.verbs.isDisjoint(with: verbs) ? nil : 0
        }
    }

    /// Which state words say that it was done, and which that it was undone.
    func isDone(_ value: String, _ entity: Entity) -> Bool? {
        switch self {
        case .open where entity.kind == .lock: DeviceCondition.unlocked.settled(value, entity)
        case .close where entity.kind == .lock: DeviceCondition.locked.settled(value, entity)
        default: outcome?.settled(value, entity)
        }
    }
}

extension DeviceCondition {
    /// Like `holds`, and nil for what is still moving or stuck: a bolt that jams has opened nothing.
    fileprivate func settled(_ value: String, _ entity: Entity) -> Bool? {
        guard !["locking", "unlocking", "opening", "closing", "jammed"].contains(value) else { return nil }
        return holds(value, entity)
    }
}
