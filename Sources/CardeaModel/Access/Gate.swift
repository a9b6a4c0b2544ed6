import Foundation

/// The only code that decides who may do what. A pure function of grant, request and time: no clock, no database, no way around it.
public enum Gate {
    /// The request to decide.
    public struct Request: Hashable, Sendable {
        public let deviceID: String
        public let entityID: String
        public let verb: Verb
        public let risk: Risk
        public let isSecurityDevice: Bool
        public let isGuestAccessible: Bool
        /// True if the request comes from the house's own network.
        public let isLocal: Bool

        public init(
            deviceID: String, entityID: String, verb: Verb, risk: Risk, isSecurityDevice: Bool, isGuestAccessible: Bool, isLocal: Bool
        ) {
            self.deviceID = deviceID
            self.entityID = entityID
            self.verb = verb
            self.risk = risk
            self.isSecurityDevice = isSecurityDevice
            self.isGuestAccessible = isGuestAccessible
            self.isLocal = isLocal
        }

        public init(_ verb: Verb, on entity: Entity, of device: Device, isLocal: Bool) {
            self.init(
                deviceID: device.id, entityID: entity.id, verb: verb, risk: entity.risk(of: verb),
                isSecurityDevice: device.isSecurityDevice || entity.restrictions.isSecurity,
                isGuestAccessible: device.isGuestAccessible && !entity.restrictions.isClosed, isLocal: isLocal)
        }
    }

    public enum Decision: Hashable, Sendable {
        case allow
        case ask
        case deny(Refusal)
    }

    /// One check of the grant, and its result.
    public struct Check: Hashable, Sendable {
        public let kind: Kind
        public let refusal: Refusal?
        public var passed: Bool { refusal == nil }

        public enum Kind: String, Hashable, Sendable, CaseIterable {
            // Final causes come before "not yet", and a person's decision comes before the clock's.
            case notRevoked = "not_revoked"
            case notExpired = "not_expired"
            case usesLeft = "uses_left"
            case approved
            case notSuspended = "not_suspended"
            case started
            case device
            case action
            case deviceFlags = "device_flags"
            case network
            case schedule
        }
    }

    /// Allows, refuses with the first reason, or requires that a person in the house is asked.
    public static func decide(_ request: Request, by grant: Grant?, at now: Date, zone: TimeZone) -> Decision {
        guard let grant else { return .deny(.noGrant) }
        for kind in Check.Kind.allCases {
            if let refusal = evaluate(kind, request, grant, now, zone) { return .deny(refusal) }
        }
        // Reading needs no approval; opening a door does.
        return grant.asksEachTime && request.risk > .read ? .ask : .allow
    }

    /// Returns every check in the order in which `decide` makes them, so that a person can see which one refuses.
    public static func explain(_ request: Request, by grant: Grant, at now: Date, zone: TimeZone) -> [Check] {
        Check.Kind.allCases.map { Check(kind: $0, refusal: evaluate($0, request, grant, now, zone)) }
    }

    /// Returns why the pass itself is invalid, for any request; nil if it is valid.
    public static func validityRefusal(of grant: Grant, at now: Date) -> Refusal? {
        for kind in Check.Kind.allCases {
            if let refusal = evaluatePass(kind, grant, now) { return refusal }
        }
        return nil
    }

    /// Returns why the pass does not allow viewing; nil if it does. A used-up pass still shows its doors, unless it is suspended as
    /// well.
    public static func viewRefusal(of grant: Grant, at now: Date) -> Refusal? {
        for kind in Check.Kind.allCases where kind != .usesLeft {
            if let refusal = evaluatePass(kind, grant, now) { return refusal }
        }
        return nil
    }

    /// Returns why a grant forbids every action on a device, as far as that is known without reading the device; nil if nothing is known
    /// to.
    public static func deviceRefusal(_ deviceID: String, by grant: Grant, at now: Date) -> Refusal? {
        if let refusal = validityRefusal(of: grant, at: now) { return refusal }
        if let only = grant.only, !only.contains(where: { $0.deviceID == deviceID }) { return .deviceNotInScope }
        switch grant.scope {
        case .role(let role, _): return role.rights.contains(.controlDevices) ? nil : .roleLacksRight
        case .list(let items): return items.contains { $0.deviceID == deviceID } ? nil : .deviceNotInScope
        }
    }

    private static func evaluate(_ kind: Check.Kind, _ request: Request, _ grant: Grant, _ now: Date, _ zone: TimeZone) -> Refusal? {
        switch kind {
        // Reading uses nothing up, so a used-up pass may still be read.
        case .usesLeft: return request.risk > .read ? evaluatePass(kind, grant, now) : nil
        case .device: return device(request, grant)
        case .action: return action(request, grant)
        case .deviceFlags: return flags(request, grant.scope)
        case .network: return grant.localOnly && !request.isLocal ? .forbiddenRemote : nil
        case .schedule:
            guard let schedule = grant.schedule, !schedule.contains(now, in: zone) else { return nil }
            return .outsideSchedule(next: schedule.nextOpening(after: now, in: zone))
        default: return evaluatePass(kind, grant, now)
        }
    }

    /// The checks that need no question.
    private static func evaluatePass(_ kind: Check.Kind, _ grant: Grant, _ now: Date) -> Refusal? {
        switch kind {
        case .notRevoked:
            if case .role(_, disabled: true) = grant.scope { return .noGrant }
            return grant.revokedAt.map { .revoked(at: $0) }
        case .notExpired:
            guard let expiresAt = grant.expiresAt, now >= expiresAt else { return nil }
            return .expired(at: expiresAt)
        case .usesLeft: return grant.useLimit > 0 && grant.useCount >= grant.useLimit ? .usedUp(limit: grant.useLimit) : nil
        case .approved:
            if grant.rejectedAt != nil { return .rejected }
            return grant.isApproved ? nil : .awaitingApproval
        case .notSuspended: return grant.suspendedAt == nil ? nil : .suspended
        case .started:
            guard let startsAt = grant.startsAt, now < startsAt else { return nil }
            return .notYetValid(startsAt: startsAt)
        case .device, .action, .deviceFlags, .network, .schedule: return nil
        }
    }

    private static func device(_ request: Request, _ grant: Grant) -> Refusal? {
        if let only = grant.only, named(request, in: only).isEmpty { return .deviceNotInScope }
        switch grant.scope {
        case .role: return nil
        case .list(let items): return named(request, in: items).isEmpty ? .deviceNotInScope : nil
        }
    }

    private static func action(_ request: Request, _ grant: Grant) -> Refusal? {
        if let only = grant.only, let refusal = action(request, in: only) { return refusal }
        switch grant.scope {
        case .role(let role, _): return role.rights.contains(.controlDevices) ? nil : .roleLacksRight
        case .list(let items): return action(request, in: items)
        }
    }

    private static func action(_ request: Request, in items: [Grant.Item]) -> Refusal? {
        let named = named(request, in: items)
        // A permission for any action on a device includes reading its state.
        if request.verb == .read || named.contains(where: { $0.verbs.contains(request.verb) }) { return nil }
        return named.isEmpty ? .deviceNotInScope : .actionNotAllowed
    }

    private static func named(_ request: Request, in items: [Grant.Item]) -> [Grant.Item] {
        items.filter { $0.deviceID == request.deviceID && $0.entityID == request.entityID }
    }

    private static func flags(_ request: Request, _ scope: Grant.Scope) -> Refusal? {
        switch scope {
        case .role(let role, _):
            request.isSecurityDevice && request.risk == .open && role != .owner && role != .admin ? .securityDevice : nil
        case .list:
            request.isGuestAccessible ? nil : .notGuestAccessible
        }
    }
}
