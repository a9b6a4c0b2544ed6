import CardeaModel
import Foundation

/// What has been so for longer than the happenings reach back.
extension CauseDetector {
    /// What is the case now and did not begin among the happenings: of each thing the last that is known of it before `border`.
    ///
    /// Only of what is in such a state: a house in which all is well looks nothing up.
    func beginningFilters(before border: Date) -> [HouseEventFilter] {
        let devices = house.devices.filter { device in
            (device.status == .offline || device.status == .error)
                && !events.contains { $0.deviceID == device.id && $0.fact.kind == .standing }
        }
        // What stands otherwise than it usually does, where it was not heard how that began.
        let odd = Set(habits.activeDeviations.filter { $0.grounds.isEmpty && $0.key.aspect != .level }.map(\.key.subject))
        let places = entityIndex.all.filter { (restsOnDuration($0) || odd.contains($0.entity.id)) && !hasReported($0.entity.id) }
        let known = house.people.filter { $0.isHome != nil }
        let absent = known.allSatisfy { $0.isHome == false } ? known : []
        let people = absent.filter { person in !events.contains { $0.actor == person.key && $0.fact.kind == .presence } }
        return devices.map { HouseEventFilter(devices: [$0.id], kinds: [.standing], to: border, limit: 1) }
            + places.map { HouseEventFilter(entities: [$0.entity.id], kinds: [.state], to: border, limit: 1) }
            + people.map { HouseEventFilter(actors: [$0.key], kinds: [.presence], to: border, limit: 1) }
    }

    /// The last that is known from before `border` of what is out of reach, new or in trouble and has not been heard of since.
    ///
    /// - Parameter begun: what was found by `beginnings`.
    func lastReportFilters(before border: Date, beside begun: [HouseEvent]) -> [HouseEventFilter] {
        unreportedDevices.filter { device in !begun.contains { Self.isReport($0, of: device) } }.map {
            HouseEventFilter(devices: [$0.id], kinds: [.state, .standing], to: border, limit: 1)
        }
    }

    /// Devices that a cause tells of however they stand, and of which nothing is among what happened.
    var unreportedDevices: [Device] {
        let troubled = Set(entityIndex.all.filter { restsOnDuration($0) }.map(\.device.id))
        return house.devices.filter { device in
            (device.status == .offline || device.status == .error || troubled.contains(device.id) || newSince(device) != nil)
                && !events.contains { Self.isReport($0, of: device) }
        }
    }

    /// Whether a cause rests on since when it says what it says now.
    private func restsOnDuration(_ place: EntityIndex.Entry) -> Bool {
        let (entity, word) = (place.entity, place.entity.state.value)
        if entity.deviceClass == "battery" {
            return entity.kind == .binarySensor ? word == "on" : ReadingPolicy.number(entity.state, of: entity.kind).map { $0 < 15 } == true
        }
        if entity.kind == .lock, word == "jammed" { return true }
        if Danger(entity) != nil { return word == "on" }
        return RestStateKind(entity)?.isWayIn == true && RestState(word) == .active
    }
}
