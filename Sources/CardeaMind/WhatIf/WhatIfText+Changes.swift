import CardeaModel

/// The imagined changes, in words.
extension WhatIfText {
    /// "The Garage door", by the entity id; an unknown entity is shown by its id.
    func name(_ entityID: String, in house: HouseSnapshot) -> String {
        let device = house.devices.first { $0.entities.contains { $0.id == entityID } }
        return device.map { lexicon.answerText(.theThing, [.name: $0.name]) } ?? entityID
    }

    func change(_ change: WhatIfChange, in house: HouseSnapshot) -> String {
        switch change {
        case .temperature(let roomID, let celsius, let hours):
            let room = house.rooms.first { $0.id == roomID }?.name ?? roomID
            return daily(hours, [.room: room, .value: temperature(celsius)], .keepRoom, .keepRoomDaily)
        case .power(let deviceID, let isOn, let hours):
            let thing: [Placeholder: String] = [.thing: device(deviceID, house)]
            return isOn ? daily(hours, thing, .haveOn, .haveOnDaily) : daily(hours, thing, .haveOff, .haveOffDaily)
        case .watch(let entityID, let rule):
            return lexicon.stateText(rule == nil ? .watchNot : .watchOtherwise, [.thing: name(entityID, in: house)])
        case .access(let rule): return self.rule(rule, in: house)
        }
    }

    private func rule(_ rule: AccessReplay.RuleChange, in house: HouseSnapshot) -> String {
        func who(_ stateSentence: StateSentence, _ key: String, _ values: [Placeholder: String] = [:]) -> String {
            let name = (house.people + house.guests).first { $0.key == key }?.name ?? key
            return lexicon.stateText(stateSentence, values.merging([.who: name]) { value, _ in value })
        }
        func thing(_ stateSentence: StateSentence, _ id: String) -> String { lexicon.stateText(stateSentence, [.thing: device(id, house)]) }
        switch rule {
        case .schedule(let key, _): return who(.otherHours, key)
        case .useLimit(let key, let limit):
            return limit == 0 ? who(.noUseLimit, key) : who(limit == 1 ? .oneUse : .severalUses, key, [.count: "\(limit)"])
        case .expiry(let key, _): return who(.anotherEnd, key)
        case .asksEachTime(let key, let asks): return who(asks ? .askEachTime : .askNotEachTime, key)
        case .localOnly(let key, _): return who(.anotherReach, key)
        case .items(let key, _): return who(.otherDoors, key)
        case .revoked(let key, _): return who(.takeBack, key)
        case .role(let key, let role): return who(.withRole, key, [.name: role.rawValue])
        case .securityDevice(let id, let flag): return thing(flag ? .asSecurityDevice : .notAsSecurityDevice, id)
        case .guestAccessible(let id, let flag): return thing(flag ? .openToGuests : .closedToGuests, id)
        }
    }

    private func device(_ id: String, _ house: HouseSnapshot) -> String { house.devices.first { $0.id == id }?.name ?? id }

    private func daily(_ hours: QuietHours?, _ values: [Placeholder: String], _ always: StateSentence, _ within: StateSentence) -> String {
        guard let hours else { return lexicon.stateText(always, values) }
        return lexicon.stateText(within, values.merging([.from: "\(hours.from)", .to: "\(hours.to)"]) { value, _ in value })
    }
}
