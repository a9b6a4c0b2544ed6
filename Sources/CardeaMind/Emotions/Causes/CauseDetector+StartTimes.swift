import CardeaModel
import Foundation

/// Finds the beginning of states that have lasted longer than the loaded events reach back.
extension CauseDetector {
    /// Filters for current states that did not begin within the loaded events: for each subject, the last event known before `border`.
    ///
    /// Only for subjects in a state that matters, so a house without problems causes no lookup.
    func startTimeFilters(before border: Date) -> [HouseEventFilter] {
        let devices = house.devices.filter { device in
            (device.status == .offline || device.status == .error)
                && !events.contains { $0.deviceID == device.id && $0.fact.kind == .standing }
        }
        // Deviating entities whose beginning was not found.
        let odd = Set(habits.activeDeviations.filter { $0.grounds.isEmpty && $0.key.aspect != .level }.map(\.key.subject))
        let places = entityIndex.all.filter { (restsOnDuration($0) || odd.contains($0.entity.id)) && !hasReported($0.entity.id) }
        let known = house.people.filter { $0.isHome != nil }
        let absent = known.allSatisfy { $0.isHome == false } ? known : []
        let people = absent.filter { person in !events.contains { $0.actor == person.key && $0.fact.kind == .presence } }
        return devices.map { HouseEventFilter(devices: [$0.id], kinds: [.standing], to: border, limit: 1) }
            + places.map { HouseEventFilter(entities: [$0.entity.id], kinds: [.state], to: border, limit: 1) }
            + people.map { HouseEventFilter(actors: [$0.key], kinds: [.presence], to: border, limit: 1) }
    }

    /// Filters for the last report before `border` of devices that are offline, new or in trouble and have not reported since.
    ///
    /// - Parameter begun: the events found by `startTimeFilters`.
    func lastReportFilters(before border: Date, beside begun: [HouseEvent]) -> [HouseEventFilter] {
        unreportedDevices.filter { device in !begun.contains { Self.isReport($0, of: device) } }.map {
            HouseEventFilter(devices: [$0.id], kinds: [.state, .standing], to: border, limit: 1)
        }
    }

    /// Devices that causes are about whatever their state, and that have no report in the loaded events.
    var unreportedDevices: [Device] {
        let troubled = Set(entityIndex.all.filter { restsOnDuration($0) }.map(\.device.id))
        return house.devices.filter { device in
            (device.status == .offline || device.status == .error || troubled.contains(device.id) || newSince(device) != nil)
                && !events.contains { Self.isReport($0, of: device) }
        }
    }

    /// Returns true if a cause depends on how long the entity has been in its present state.
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
