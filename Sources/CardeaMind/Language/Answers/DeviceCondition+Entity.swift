import CardeaModel

extension DeviceCondition {
    /// The rank of an entity for a question about this condition: 0 is best, nil is unsuitable. A question about a whole set ("is anything
    /// on?") covers what people switch and open; a thermostat or a motion sensor must be named.
    func rank(_ entity: Entity, isNamed: Bool) -> Int? {
        switch self {
        case .on, .off:
            switch entity.kind {
            case .light: 0
            // A child lock that is on does not answer "is anything on?".
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
        // A child lock is not a door lock.
        case .locked, .unlocked: entity.kind == .lock && (isNamed || entity.category == nil) ? 0 : nil
        case .jammed: entity.kind == .lock || entity.kind == .cover ? 0 : nil
        }
    }

    /// Returns whether an entity that reports `value` meets this condition; nil if the value does not tell.
    func holds(_ value: String, _ entity: Entity) -> Bool? {
        guard value != "unknown", value != "unavailable", !value.isEmpty else { return nil }
        switch self {
        case .on: return isOn(value, entity)
        case .off: return isOn(value, entity).map(!)
        case .open: return isOpen(value, entity)
        case .closed: return isOpen(value, entity).map(!)
        // Only "locked" counts as locked: a jammed or moving bolt does not.
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
    /// The state that the action leads to; nil for actions without such a state.
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
            // A bolt reports who turned it; a contact only reports that the door is open.
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

    /// Returns whether the state means that the action was done (true) or undone (false); nil if neither.
    func isDone(_ value: String, _ entity: Entity) -> Bool? {
        switch self {
        case .open where entity.kind == .lock: DeviceCondition.unlocked.settled(value, entity)
        case .close where entity.kind == .lock: DeviceCondition.locked.settled(value, entity)
        default: outcome?.settled(value, entity)
        }
    }
}

extension DeviceCondition {
    /// Like `holds`, but nil while it moves or is stuck: a jammed bolt has opened nothing.
    fileprivate func settled(_ value: String, _ entity: Entity) -> Bool? {
        guard !["locking", "unlocking", "opening", "closing", "jammed"].contains(value) else { return nil }
        return holds(value, entity)
    }
}
