import CardeaModel
import Foundation
import GRDB

/// Resolves the selected items to entities and actions, and refuses those that the owner does not hold.
enum GuestGrantResolver {
    struct ResolvedItem {
        let deviceID: String
        let entityID: String
        let actions: [String]
    }

    static func resolve(_ items: [Guests.Draft.Item], grantedBy granter: Grant, in db: Database) throws -> [ResolvedItem] {
        var resolved: [ResolvedItem] = []
        var requests: [Gate.Request] = []
        for (index, item) in items.enumerated() {
            let field = "grants.\(index)"
            let place = try AliasRecords.resolvePlace(item.deviceID, item.entityID, db)
            guard let device = try DeviceRecords.one(place.deviceID, db) else {
                throw Guests.GuestError.invalid(
                    field: "\(field).device_id", message: "is unknown: \(item.deviceID.prefix(64)). Use the id of a device of this house")
            }
            guard device.isGuestAccessible else { throw Guests.GuestError.forbidden(.notGuestAccessible) }
            let candidates = device.entities.filter { place.entityID == nil || $0.id == place.entityID }
            guard !candidates.isEmpty else {
                throw Guests.GuestError.invalid(field: "\(field).entity_id", message: "must be an entity of \(device.name)")
            }
            for entity in candidates {
                var actions: [String] = []
                for action in item.actions where !actions.contains(action) {
                    guard let verb = verb(action, on: entity) else { continue }
                    // An action name with another meaning elsewhere is stored with its meaning here: `open` on a lock without a latch.
                    let plain = ActionName(action)?.verb ?? Verb(named: action)
                    actions.append(plain == verb ? action : ActionName.dottedName(verb, on: entity.kind))
                    requests.append(Gate.Request(verb, on: entity, of: device, isLocal: true))
                }
                guard actions.isEmpty || !entity.restrictions.isClosed else { throw Guests.GuestError.forbidden(.notGuestAccessible) }
                if !actions.isEmpty { resolved.append(ResolvedItem(deviceID: device.id, entityID: entity.id, actions: actions)) }
            }
            for action in item.actions where !candidates.contains(where: { verb(action, on: $0) != nil }) {
                throw Guests.GuestError.invalid(
                    field: "\(field).actions", message: "has an action that \(device.name) does not support: \(action.prefix(64))")
            }
            guard !item.actions.isEmpty, item.actions.count <= 32 else {
                throw Guests.GuestError.invalid(field: "\(field).actions", message: "must have 1 to 32 actions")
            }
        }
        guard Set(resolved.map(\.entityID)).count == resolved.count else {
            throw Guests.GuestError.invalid(field: "grants", message: "has a device twice. Put its actions into one entry")
        }
        do { try Attenuation.check(requests, heldBy: granter) } catch { throw Guests.GuestError.forbidden(error) }
        return resolved
    }

    /// Refuses a person who could not grant the pass today: passing it on is granting it again. Devices that were removed open nothing.
    static func requireGrantable(_ guest: Guest, grantedBy granter: Grant, in db: Database) throws {
        var requests: [Gate.Request] = []
        for item in guest.items {
            guard let device = try DeviceRecords.one(item.deviceID, db),
                let entity = device.entities.first(where: { $0.id == item.entityID })
            else { continue }
            requests += item.actions.compactMap { verb($0, on: entity) }.map { Gate.Request($0, on: entity, of: device, isLocal: true) }
        }
        do { try Attenuation.check(requests, heldBy: granter) } catch { throw Guests.GuestError.forbidden(error) }
    }

    /// Returns the verb that the action's name means for this entity; nil if it means none.
    static func verb(_ action: String, on entity: Entity) -> Verb? {
        if let dotted = ActionName(action) { return dotted.kinds.contains(entity.kind) ? entity.resolve(dotted.verb) : nil }
        return Verb(named: action).flatMap(entity.resolve)
    }
}
