import CardeaModel
import CardeaStore
import Foundation

/// The part of the house that a viewer may see. Two viewers with equal rights have equal visibility.
public enum Visibility: Hashable, Sendable {
    /// A resident: every device, their own commands, and more by their rights.
    case resident(key: String, seesEverybody: Bool, seesGuests: Bool, seesIntegrations: Bool = false)
    /// A program with an unrestricted API token: every device, its own commands, and nothing else of the house.
    case program(key: String)
    /// A pass, or a program's token for some devices: its own entities, and nothing else of the house.
    ///
    /// - Parameters:
    ///   - guestID: the pass; nil for a program's token.
    ///   - hours: the times whose events at its doors are visible to it; nil for always.
    case pass(guestID: String?, entities: Set<String>, devices: Set<String>, hours: Hours? = nil)

    /// The times in which a pass is valid: its guest does not see events at its doors outside of them, then or later.
    public struct Hours: Hashable, Sendable {
        let since: Date
        let schedule: WeeklySchedule?
        let zone: TimeZone

        func contains(_ moment: Date) -> Bool { moment >= since && schedule?.contains(moment, in: zone) ?? true }
    }

    /// True if visible devices are shown in full. A pass sees only part of a device.
    public var seesWholeDevices: Bool {
        if case .pass = self { false } else { true }
    }

    /// The scope of the journal that contains every visible row; nil for viewers who see more than some devices.
    var journalScope: Journal.Scope? {
        guard case .pass(let guestID, _, let devices, _) = self else { return nil }
        return Journal.Scope(deviceIDs: devices, subject: guestID)
    }

    /// Returns the visible part of a device; nil if none of it is visible.
    public func filtered(_ device: Device) -> Device? {
        guard case .pass(let guestID, let entities, let devices, _) = self else { return device }
        guard devices.contains(device.id), guestID == nil || device.isGuestAccessible else { return nil }
        var part = device
        part.entities = device.entities.filter { entities.contains($0.id) }
        for index in part.entities.indices { part.entities[index].uniqueID = nil }
        part.attributes = [:]
        part.manufacturer = nil
        part.model = nil
        part.description = nil
        part.discovery = nil
        part.hubID = nil
        return part
    }

    /// Returns the visible part of an event; nil if none of it is visible.
    public func filtered(_ event: JournalEvent) -> JournalEvent? {
        switch (self, event.fact) {
        case (.resident, .device), (.resident, .deviceRemoved), (.resident, .house), (.resident, .scene), (.resident, .room),
            (.resident, .camera), (.resident, .button), (.resident, .tag), (.resident, .maintenance), (.resident, .event),
            (.resident, .eventUpdated), (.resident, .eventRemoved),
            // Replicas must delete their data about an erased person, whatever their visibility.
            (.resident, .personErased):
            return event
        case (.program, .device), (.program, .deviceRemoved), (.program, .house), (.program, .personErased): return event
        case (.program(let key), .command(let command)): return command.principal == key ? event : nil
        // A program does not receive events of what it may not request.
        case (.program, _): return nil
        case (.resident(let key, _, _, let settings), .mind(let news)):
            if news.part == .automation && !settings { return nil }
            return news.personID.map { key == "person:\($0)" } ?? true ? event : nil
        case (.resident(let key, let everybody, _, _), .command(let command)):
            return everybody || command.principal == key ? event : nil
        case (.resident(_, _, let guests, _), .guest): return guests ? event : nil
        case (.resident(_, _, _, let integrations), .integration): return integrations ? event : nil
        case (.resident(let key, let everybody, _, _), .person(let other)): return everybody || key == "person:\(other)" ? event : nil
        // Any resident may confirm a phone that waits. A phone with an owner is shown to them and to people who may manage people.
        case (.resident(let key, let everybody, _, _), .phone(_, let other)):
            return other.map { everybody || key == "person:\($0)" } ?? true ? event : nil
        case (.pass(_, let entities, let devices, let hours), .device(let device, let reported)):
            guard hours?.contains(event.at) ?? true else { return nil }
            guard let part = filtered(device) else {
                // The device is closed to guests: it disappears from their screens, and later changes are not sent.
                guard reported == nil, devices.contains(device.id) else { return nil }
                return JournalEvent(seq: event.seq, at: event.at, fact: .deviceRemoved(id: device.id))
            }
            // Reports of another part of the device are not theirs to see either.
            if let reported, !entities.contains(reported.entityID) { return nil }
            return JournalEvent(seq: event.seq, at: event.at, fact: .device(part, reported: reported))
        case (.pass(_, _, let devices, _), .deviceRemoved(let id)): return devices.contains(id) ? event : nil
        case (.pass(let guestID, _, _, _), .command(let command)):
            return guestID != nil && command.guestID == guestID ? event : nil
        case (.pass(let guestID, _, _, _), .guest(let id, _)):
            // Only the fact of the change: the house's notes about it are not theirs to read.
            return guestID == id ? JournalEvent(seq: event.seq, at: event.at, fact: .guest(id: id, [:])) : nil
        case (.pass, .person), (.pass, .personErased), (.pass, .house), (.pass, .scene), (.pass, .room), (.pass, .integration),
            (.pass, .phone),
            (.pass, .event), (.pass, .eventUpdated), (.pass, .eventRemoved), (.pass, .camera), (.pass, .button), (.pass, .tag),
            (.pass, .maintenance), (.pass, .mind):
            return nil
        }
    }
}
