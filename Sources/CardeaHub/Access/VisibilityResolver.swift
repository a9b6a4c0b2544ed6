import CardeaModel
import CardeaStore
import Foundation

/// Tells what somebody may look at now. Asked again and again while a connection stands, since rights change and passes end.
public struct VisibilityResolver: Sendable {
    let store: Store
    let live: LiveSessions
    let house: House
    let environment: HubEnvironment

    /// What `principal` may see. Refuses whoever may not look at all, or not any longer.
    @discardableResult
    public func requireVisibility(_ principal: Principal, by token: Data? = nil, isLocal: Bool) async throws -> Visibility {
        if let viewer = try await visibility(of: principal, by: token, isLocal: isLocal) { return viewer }
        guard case .person(_, let sessionID) = principal, try await live.person(of: sessionID, at: environment.now()) != nil else {
            throw People.PersonError.forbidden(.noGrant)
        }
        throw People.PersonError.forbidden(.roleLacksRight)
    }

    /// What `principal` may see; nil when they may not look at all, or not any longer.
    ///
    /// - Parameter token: SHA-256 of the token that was shown some time ago. A pass that another phone has taken since is not looked at
    ///   with the first one's. Nil where the token was looked at just now.
    public func visibility(of principal: Principal, by token: Data? = nil, isLocal: Bool) async throws -> Visibility? {
        let now = environment.now()
        switch principal {
        case .person(let id, let sessionID):
            guard let person = try await live.person(of: sessionID, at: now), person.id == id, person.rights.contains(.controlDevices)
            else { return nil }
            return .resident(
                key: principal.key, seesEverybody: person.rights.contains(.managePeople), seesGuests: person.rights.contains(.inviteGuests),
                seesIntegrations: person.rights.contains(.modifySettings))
        case .apiToken(let id, _):
            guard let grant = try await store.read({ try APITokens.grant(id, $0) }), Gate.validityRefusal(of: grant, at: now) == nil,
                case .role(let role, disabled: false) = grant.scope, role.rights.contains(.controlDevices)
            else { return nil }
            guard let only = grant.only else { return .program(key: principal.key) }
            return .pass(guestID: nil, entities: Set(only.map(\.entityID)), devices: Set(only.map(\.deviceID)))
        // What it may know is announced to it; an automation looks at nothing.
        case .integration, .automation: return nil
        case .guest(let id):
            let held = try await store.read { db -> (grant: Grant, since: Date)? in
                if let token, try !GuestAccess.isCurrent(token, db) { return nil }
                guard let grant = try GuestRecords.grant(id, db), let madeAt = try GuestRecords.madeAt(id, db) else { return nil }
                return (grant, max(madeAt, grant.startsAt ?? madeAt))
            }
            guard let (grant, since) = held, case .list(let items) = grant.scope, isLocal || !grant.localOnly else { return nil }
            // A pass that is used up still shows how its doors stand.
            guard Gate.viewRefusal(of: grant, at: now) == nil else { return nil }
            let hours = Visibility.Hours(since: since, schedule: grant.schedule, zone: house.current.timeZone)
            // Outside its hours its guest hears of the pass, and of no door.
            guard hours.contains(now) else { return .pass(guestID: id, entities: [], devices: [], hours: hours) }
            return .pass(guestID: id, entities: Set(items.map(\.entityID)), devices: Set(items.map(\.deviceID)), hours: hours)
        }
    }
}
