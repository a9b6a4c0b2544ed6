import CardeaModel
import CardeaStore
import Foundation

/// Who looks, as far as it decides what they see. Two of equal reach see the same, whoever they are.
public enum Visibility: Hashable, Sendable {
    /// Somebody of the house: every device, their own commands, and more by their rights.
    case resident(key: String, seesEverybody: Bool, seesGuests: Bool, seesIntegrations: Bool = false)
    /// A program of somebody's, for whatever they may move: every device, its own commands, and nothing else of the house.
    case program(key: String)
    /// A pass, or a program's token for some devices: its own entities, and nothing else of the house.
    ///
    /// - Parameters:
    ///   - guestID: whose pass; nil for a program's token.
    ///   - hours: when what happens at its doors is theirs to know; nil for always.
    case pass(guestID: String?, entities: Set<String>, devices: Set<String>, hours: Hours? = nil)

    /// The times in which a pass is good: what happens at its doors outside of them is not its guest's to know, then or later.
    public struct Hours: Hashable, Sendable {
        let since: Date
        let schedule: WeeklySchedule?
        let zone: TimeZone

        func contains(_ moment: Date) -> Bool { moment >= since && schedule?.contains(moment, in: zone) ?? true }
    }

    /// Whether nothing of a device they see is held back.
    public var seesWholeDevices: Bool {
        if case .pass = self { false } else { true }
    }

    /// The rows of the journal among which theirs are; nil for whoever sees more than some devices.
    var journalScope: Journal.Scope? {
        guard case .pass(let guestID, _, let devices, _) = self else { return nil }
        return Journal.Scope(deviceIDs: devices, subject: guestID)
    }

    /// What of a device they may see; nil for none of it.
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

    /// What of an event they may see; nil for none of it.
    public func filtered(_ event: JournalEvent) -> JournalEvent? {
        switch (self, event.fact) {
        case (.resident, .device), (.resident, .deviceRemoved), (.resident, .house), (.resident, .scene), (.resident, .room),
            (.resident, .camera), (.resident, .button), (.resident, .tag), (.resident, .maintenance), (.resident, .event),
            (.resident, .eventUpdated), (.resident, .eventRemoved),
            // Whoever kept anything of them is to let go of it, whatever they may see.
            (.resident, .personErased):
            return event
        case (.program, .device), (.program, .deviceRemoved), (.program, .house), (.program, .personErased): return event
        case (.program(let key), .command(let command)): return command.principal == key ? event : nil
        // What it may not ask for it is not told of either.
        case (.program, _): return nil
        case (.resident(let key, _, _, let settings), .mind(let news)):
            if news.part == .automation && !settings { return nil }
            return news.personID.map { key == "person:\($0)" } ?? true ? event : nil
        case (.resident(let key, let everybody, _, _), .command(let command)):
            return everybody || command.principal == key ? event : nil
        case (.resident(_, _, let guests, _), .guest): return guests ? event : nil
        case (.resident(_, _, _, let integrations), .integration): return integrations ? event : nil
        case (.resident(let key, let everybody, _, _), .person(let other)): return everybody || key == "person:\(other)" ? event : nil
        // Whoever lives here may confirm a phone that waits; one that is somebody's is theirs to know of.
        case (.resident(let key, let everybody, _, _), .phone(_, let other)):
            return other.map { everybody || key == "person:\($0)" } ?? true ? event : nil
        case (.pass(_, let entities, let devices, let hours), .device(let device, let said)):
            guard hours?.contains(event.at) ?? true else { return nil }
            guard let part = filtered(device) else {
                // Closed to guests just now: it goes from their screen, and what it says later is not told at all.
                guard said == nil, devices.contains(device.id) else { return nil }
                return JournalEvent(seq: event.seq, at: event.at, fact: .deviceRemoved(id: device.id))
            }
            // When another part of the device says something is not theirs to know either.
            if let said, !entities.contains(said.entityID) { return nil }
            return JournalEvent(seq: event.seq, at: event.at, fact: .device(part, said: said))
        case (.pass(_, _, let devices, _), .deviceRemoved(let id)): return devices.contains(id) ? event : nil
        case (.pass(let guestID, _, _, _), .command(let command)):
            return guestID != nil && command.guestID == guestID ? event : nil
        case (.pass(let guestID, _, _, _), .guest(let id, _)):
            // That something changed; what the house keeps about it is not theirs to read.
            return guestID == id ? JournalEvent(seq: event.seq, at: event.at, fact: .guest(id: id, [:])) : nil
        case (.pass, .person), (.pass, .personErased), (.pass, .house), (.pass, .scene), (.pass, .room), (.pass, .integration),
            (.pass, .phone),
            (.pass, .event), (.pass, .eventUpdated), (.pass, .eventRemoved), (.pass, .camera), (.pass, .button), (.pass, .tag),
            (.pass, .maintenance), (.pass, .mind):
            return nil
        }
    }
}
