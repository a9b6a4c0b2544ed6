import CardeaModel

/// Finds the devices and rooms of a house that a reference means.
struct ReferenceResolver: Sendable {
    let house: HouseSnapshot

    enum Resolution: Sendable {
        case targets([DeviceEntity])
        /// Several could be meant.
        case ambiguous([Device])
        /// It was named, but cannot do what is asked.
        case unsupported(Device)
        /// There is no such thing there.
        case none
    }

    /// - Parameters:
    ///   - rank: the suitability of an entity, 0 for best; nil for one that is unsuitable.
    ///   - isSet: whether one word may mean several things.
    func resolve(_ subject: DeviceReference, isSet: Bool, rank: (Entity, _ isNamed: Bool) -> Int?) -> Resolution {
        func fitting(_ device: Device, _ isNamed: Bool) -> DeviceEntity? {
            device.entities.filter(\.isEnabled).compactMap { entity in
                rank(entity, isNamed).map { (DeviceEntity(device: device, entity: entity), $0) }
            }
            .min { $0.1 < $1.1 }?.0
        }
        if !subject.named.isEmpty {
            var targets: [DeviceEntity] = []
            for referents in subject.named {
                switch one(referents, subject, rank, fitting) {
                case .targets(let found): targets += found.filter { !targets.contains($0) }
                case let other: return other
                }
            }
            return .targets(targets.filter { !isExcepted($0.device, subject) })
        }
        let isTold = subject.kind != nil && subject.kind != .device
        let all = house.devices.filter { isThere($0, subject) && isOf($0, subject.kind) && !isExcepted($0, subject) }.compactMap {
            device -> DeviceEntity? in
            let entities = device.entities.filter { $0.isEnabled && Self.is($0, subject.kind) }
            return entities.compactMap { entity in rank(entity, isTold).map { (DeviceEntity(device: device, entity: entity), $0) } }.min {
                $0.1 < $1.1
            }?.0
        }
        // A planned device is not connected yet, so it has no state.
        let connected = all.filter { !$0.device.isPlanned }
        let targets = connected.isEmpty ? all : connected
        if targets.isEmpty { return .none }
        // "The lamp", but there are several.
        if subject.isOne, !subject.isAny, !isSet, targets.count > 1 { return .ambiguous(targets.map(\.device)) }
        return .targets(targets)
    }

    private func one(
        _ referents: [Referent], _ subject: DeviceReference, _ rank: (Entity, Bool) -> Int?, _ fitting: (Device, Bool) -> DeviceEntity?
    ) -> Resolution {
        var candidates: [DeviceEntity] = []
        var named: [Device] = []
        for referent in referents {
            switch referent {
            case .device(let id):
                guard let device = device(id), isThere(device, subject) || referents.count == 1 else { continue }
                named.append(device)
                if let target = fitting(device, true) { candidates.append(target) }
            case .entity(let id, let entityID):
                guard let device = device(id), let entity = device.entities.first(where: { $0.id == entityID }) else { continue }
                named.append(device)
                if rank(entity, true) != nil { candidates.append(DeviceEntity(device: device, entity: entity)) }
            case .room(let id):
                // "The garage" may be a room and a door: the door, if the question asks about one.
                guard candidates.isEmpty else { continue }
                candidates += house.devices.filter { $0.roomID == id && isOf($0, subject.kind) }.compactMap { fitting($0, false) }
            case .person, .guest, .scene, .camera: continue
            }
        }
        if candidates.isEmpty {
            return named.count == 1 ? named.first.map(Resolution.unsupported) ?? .none : named.isEmpty ? .none : .ambiguous(named)
        }
        if Set(candidates.map(\.device.id)).count > 1 {
            let ofKind = candidates.filter { isOf($0.device, subject.kind) }
            return ofKind.count == 1 ? .targets(ofKind) : .ambiguous((ofKind.isEmpty ? candidates : ofKind).map(\.device))
        }
        return .targets(candidates)
    }

    func device(_ id: String) -> Device? { house.devices.first { $0.id == id } }
    func room(_ id: String) -> Room? { house.rooms.first { $0.id == id } }

    /// The devices that a reference means, whatever they can do. A name with several meanings gives all of them.
    func devices(_ subject: DeviceReference) -> [Device] {
        if !subject.named.isEmpty {
            return subject.named.flatMap { referents in
                referents.flatMap { referent -> [Device] in
                    switch referent {
                    case .device(let id), .entity(let id, _): device(id).map { [$0] } ?? []
                    case .room(let id): house.devices.filter { $0.roomID == id }
                    case .person, .guest, .scene, .camera: []
                    }
                }
            }
        }
        return house.devices.filter { isThere($0, subject) && isOf($0, subject.kind) && !isExcepted($0, subject) }
    }

    /// The rooms that a reference means, by name or floor; every room if it names none.
    func rooms(_ subject: DeviceReference) -> [Room] {
        let named = subject.rooms + subject.named.joined().compactMap { if case .room(let id) = $0 { id } else { nil } }
        return house.rooms.filter { room in (named.isEmpty || named.contains(room.id)) && (subject.floor.map { isOn($0, room) } ?? true) }
    }

    func isThere(_ device: Device, _ subject: DeviceReference) -> Bool {
        if !subject.rooms.isEmpty { return device.roomID.map(subject.rooms.contains) ?? false }
        guard let floor = subject.floor else { return true }
        if floor == .outside, ThermalSensors.isOutside(device) { return true }
        guard let room = device.roomID.flatMap(room) else { return false }
        return isOn(floor, room)
    }

    private func isOn(_ floor: LexicalCategory.FloorWord, _ room: Room) -> Bool {
        let number = room.traits.floor
        switch floor {
        case .above: return number > 0
        case .below: return number <= 0
        case .ground: return number == 0
        case .basement: return number < 0
        case .first: return number == 1
        case .second: return number == 2
        case .third: return number == 3
        case .top: return number == house.rooms.map(\.traits.floor).max()
        case .house: return true
        case .outside: return ThermalSensors.isOutside(room)
        }
    }

    private func isExcepted(_ device: Device, _ subject: DeviceReference) -> Bool {
        device.roomID.map(subject.exceptRooms.contains) == true
            || subject.exceptKinds.contains { isOf(device, $0) }
            || subject.exceptNamed.joined().contains { referent in
                switch referent {
                case .device(let id), .entity(let id, _): id == device.id
                case .room(let id): id == device.roomID
                case .person, .guest, .scene, .camera: false
                }
            }
    }

    func isOf(_ device: Device, _ kind: DeviceCategory?) -> Bool {
        guard let kind, kind != .device else { return true }
        return device.entities.contains { $0.isEnabled && Self.is($0, kind) }
    }

    static func `is`(_ entity: Entity, _ kind: DeviceCategory?) -> Bool {
        switch kind {
        case nil, .device: true
        case .light: entity.kind == .light
        case .plug: entity.kind == .switch
        case .door:
            entity.kind == .lock || (entity.kind == .cover && entity.isWayIn)
                || (entity.kind == .binarySensor && ["door", "garage_door", "opening"].contains(entity.deviceClass))
        case .window: ["window", "skylight"].contains(entity.deviceClass) && [.binarySensor, .cover].contains(entity.kind)
        case .lock: entity.kind == .lock
        case .garage: entity.kind == .cover && entity.deviceClass == "garage"
        case .blind: entity.kind == .cover && !entity.isWayIn
        case .heating: entity.kind == .climate
        case .fan: entity.kind == .fan
        case .media: entity.kind == .media
        case .sensor: [.sensor, .binarySensor].contains(entity.kind)
        case .meter: EnergyMetering.isEnergy(entity.deviceClass)
        case .motion: entity.kind == .binarySensor && ["motion", "occupancy", "presence"].contains(entity.deviceClass)
        }
    }
}

extension HouseSnapshot {
    /// The devices that a sentence means: by name, by kind, by room or floor.
    public func devices(meantBy subject: DeviceReference) -> [Device] { ReferenceResolver(house: self).devices(subject) }

    /// The rooms that a sentence means; every room if it names none.
    public func rooms(meantBy subject: DeviceReference) -> [Room] { ReferenceResolver(house: self).rooms(subject) }
}
