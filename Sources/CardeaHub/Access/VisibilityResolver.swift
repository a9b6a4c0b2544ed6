import CardeaModel
import CardeaStore
import Foundation

/// Resolves what a person may see now. Called repeatedly while a connection is open, since rights change and passes end.
public struct VisibilityResolver: Sendable {
    let store: Store
    let live: SessionCache
    let house: House
    let environment: HubEnvironment

    /// The visibility of `principal`. Throws if they may not see anything, or no longer.
    @discardableResult
    public func requireVisibility(_ principal: Principal, by token: Data? = nil, isLocal: Bool) async throws -> Visibility {
        if let viewer = try await visibility(of: principal, by: token, isLocal: isLocal) { return viewer }
        guard case .person(_, let sessionID) = principal, try await live.person(of: sessionID, at: environment.now()) != nil else {
            throw People.PersonError.forbidden(.noGrant)
        }
        throw People.PersonError.forbidden(.roleLacksRight)
    }

    /// The visibility of `principal`; nil if they may not look at all, or no longer.
    ///
    /// - Parameter token: SHA-256 of the token used some time ago. If another phone has taken over the pass since, the first one's token no
    ///   longer grants visibility. nil if the token was checked just now.
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
        // Integrations receive announcements instead; an automation reads nothing.
        case .integration, .automation: return nil
        case .guest(let id):
            let held = try await store.read { db -> (grant: Grant, since: Date)? in
                if let token, try !GuestAccess.isCurrent(token, db) { return nil }
                guard let grant = try GuestRecords.grant(id, db), let madeAt = try GuestRecords.madeAt(id, db) else { return nil }
                return (grant, max(madeAt, grant.startsAt ?? madeAt))
            }
            guard let (grant, since) = held, case .list(let items) = grant.scope, isLocal || !grant.localOnly else { return nil }
            // A pass without remaining uses still shows its doors' state.
            guard Gate.viewRefusal(of: grant, at: now) == nil else { return nil }
            let hours = Visibility.Hours(since: since, schedule: grant.schedule, zone: house.current.timeZone)
            // Outside the pass's hours its guest sees the pass, and no door.
            guard hours.contains(now) else { return .pass(guestID: id, entities: [], devices: [], hours: hours) }
            return .pass(guestID: id, entities: Set(items.map(\.entityID)), devices: Set(items.map(\.deviceID)), hours: hours)
        }
    }
}
