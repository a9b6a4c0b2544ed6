import CardeaModel
import Foundation
import Testing

@Suite("Access decisions of the gate")
struct GateTests {
    static let noon = Date(timeIntervalSince1970: 1_795_262_400)
    static let door = Gate.Request(
        deviceID: "front-door", entityID: "lock.front_door", verb: .unlock, risk: .open, isSecurityDevice: false, isGuestAccessible: true,
        isLocal: true)

    static func pass(_ verbs: Set<Verb> = [.unlock]) -> Grant {
        Grant(
            id: "guest_1", scope: .list([.init(deviceID: "front-door", entityID: "lock.front_door", verbs: verbs)]),
            expiresAt: noon.addingTimeInterval(3600))
    }

    private func decide(_ grant: Grant?, _ request: Gate.Request = door) -> Gate.Decision {
        Gate.decide(request, by: grant, at: Self.noon, zone: .gmt)
    }

    @Test("A principal without a grant is refused")
    func noGrant() {
        #expect(decide(nil) == .deny(.noGrant))
    }

    @Test("A pass opens only what it lists")
    func scope() {
        var other = Self.door
        #expect(decide(Self.pass()) == .allow)
        other = Gate.Request(
            deviceID: "back-door", entityID: "lock.back_door", verb: .unlock, risk: .open, isSecurityDevice: false, isGuestAccessible: true,
            isLocal: true)
        #expect(decide(Self.pass(), other) == .deny(.deviceNotInScope))
        #expect(decide(Self.pass([.lock])) == .deny(.actionNotAllowed))
    }

    @Test("Each invalid state of a pass has its own refusal")
    func standings() {
        let cases: [((inout Grant) -> Void, Refusal)] = [
            ({ $0.revokedAt = Self.noon }, .revoked(at: Self.noon)),
            ({ $0.expiresAt = Self.noon }, .expired(at: Self.noon)),
            ({ $0.startsAt = Self.noon.addingTimeInterval(1) }, .notYetValid(startsAt: Self.noon.addingTimeInterval(1))),
            (
                {
                    $0.useLimit = 2; $0.useCount = 2
                }, .usedUp(limit: 2)
            ),
            ({ $0.suspendedAt = Self.noon }, .suspended),
            ({ $0.isApproved = false }, .awaitingApproval),
            ({ $0.rejectedAt = Self.noon }, .rejected),
        ]
        for (change, refusal) in cases {
            var grant = Self.pass()
            change(&grant)
            #expect(decide(grant) == .deny(refusal))
            #expect(Gate.validityRefusal(of: grant, at: Self.noon) == refusal)
        }
    }

    @Test("A pass starts at its first moment and has expired at its last")
    func edges() {
        var grant = Self.pass()
        grant.expiresAt = Self.noon.addingTimeInterval(0.001)
        grant.startsAt = Self.noon
        #expect(decide(grant) == .allow)
    }

    @Test("Expiry takes precedence over a start in the future")
    func order() {
        var grant = Self.pass()
        grant.suspendedAt = Self.noon
        grant.expiresAt = Self.noon
        grant.startsAt = Self.noon.addingTimeInterval(1)
        #expect(decide(grant) == .deny(.expired(at: Self.noon)))
        grant.revokedAt = Self.noon
        #expect(decide(grant) == .deny(.revoked(at: Self.noon)))
    }

    @Test("A door closed to guests refuses every pass")
    func flags() {
        let closed = Gate.Request(
            deviceID: "front-door", entityID: "lock.front_door", verb: .unlock, risk: .open, isSecurityDevice: false,
            isGuestAccessible: false, isLocal: true)
        #expect(decide(Self.pass(), closed) == .deny(.notGuestAccessible))
    }

    @Test("A pass for the local network is refused from outside")
    func network() {
        var grant = Self.pass()
        grant.localOnly = true
        let outside = Gate.Request(
            deviceID: "front-door", entityID: "lock.front_door", verb: .unlock, risk: .open, isSecurityDevice: false,
            isGuestAccessible: true, isLocal: false)
        #expect(decide(grant, outside) == .deny(.forbiddenRemote))
        #expect(decide(grant) == .allow)
    }

    @Test("A pass that asks each time asks for doors and allows reading")
    func asks() {
        var grant = Self.pass()
        grant.asksEachTime = true
        let look = Gate.Request(
            deviceID: "front-door", entityID: "lock.front_door", verb: .read, risk: .read, isSecurityDevice: false, isGuestAccessible: true,
            isLocal: true)
        #expect(decide(grant) == .ask)
        #expect(decide(grant, look) == .allow)
    }

    @Test("A used-up pass that is paused, expired, revoked or rejected cannot view")
    func lookingAtNothing() {
        var used = Self.pass()
        (used.useLimit, used.useCount) = (1, 1)
        #expect(Gate.viewRefusal(of: used, at: Self.noon) == nil)
        let changes: [((inout Grant) -> Void, Refusal)] = [
            ({ $0.suspendedAt = Self.noon }, .suspended), ({ $0.expiresAt = Self.noon }, .expired(at: Self.noon)),
            ({ $0.revokedAt = Self.noon }, .revoked(at: Self.noon)), ({ $0.rejectedAt = Self.noon }, .rejected),
        ]
        for (change, refusal) in changes {
            var grant = used
            change(&grant)
            #expect(Gate.viewRefusal(of: grant, at: Self.noon) == refusal)
        }
    }

    @Test("A used-up pass can still view")
    func looking() {
        var grant = Self.pass()
        grant.useLimit = 1
        grant.useCount = 1
        let look = Gate.Request(
            deviceID: "front-door", entityID: "lock.front_door", verb: .read, risk: .read, isSecurityDevice: false, isGuestAccessible: true,
            isLocal: true)
        #expect(decide(grant, look) == .allow)
        #expect(decide(grant) == .deny(.usedUp(limit: 1)))
    }

    @Test("Owner and admin open everything, a member all but security devices, a guest nothing", arguments: Role.allCases)
    func roles(role: Role) {
        let grant = Grant(id: "role:1", scope: .role(role, disabled: false))
        let safe = Gate.Request(
            deviceID: "safe", entityID: "lock.safe", verb: .unlock, risk: .open, isSecurityDevice: true, isGuestAccessible: false,
            isLocal: false)
        let lockIt = Gate.Request(
            deviceID: "safe", entityID: "lock.safe", verb: .lock, risk: .control, isSecurityDevice: true, isGuestAccessible: false,
            isLocal: false)
        switch role {
        case .owner, .admin:
            #expect(decide(grant) == .allow)
            #expect(decide(grant, safe) == .allow)
        case .member:
            #expect(decide(grant) == .allow)
            #expect(decide(grant, safe) == .deny(.securityDevice))
            #expect(decide(grant, lockIt) == .allow)
        case .guest:
            #expect(decide(grant) == .deny(.roleLacksRight))
        }
        #expect(decide(Grant(id: "role:1", scope: .role(role, disabled: true))) == .deny(.noGrant))
    }

    @Test("Each role has the rights of Seed 001")
    func rights() {
        #expect(Role.owner.rights == Set(Right.allCases))
        #expect(Role.admin.rights == Set(Right.allCases))
        #expect(Role.member.rights == [.controlDevices, .viewEnergy])
        #expect(Role.guest.rights.isEmpty)
        #expect(Role(named: "resident") == .member)
        #expect(Role(named: "child") == nil)
    }

    @Test("Only an owner grants or revokes the owner and admin roles")
    func managing() {
        for other in Role.allCases {
            #expect(Role.owner.mayManage(other))
            #expect(Role.admin.mayManage(other) == (other == .member || other == .guest))
            #expect(!Role.member.mayManage(other))
            #expect(!Role.guest.mayManage(other))
        }
    }

    @Test("A user cannot grant rights that they do not hold")
    func attenuation() throws {
        let member = Grant(id: "role:m", scope: .role(.member, disabled: false))
        let safe = Gate.Request(
            deviceID: "safe", entityID: "lock.safe", verb: .unlock, risk: .open, isSecurityDevice: true, isGuestAccessible: true,
            isLocal: true)
        try Attenuation.check([Self.door], heldBy: member)
        #expect(throws: Refusal.securityDevice) { try Attenuation.check([Self.door, safe], heldBy: member) }
        try Attenuation.check([Self.door, safe], heldBy: Grant(id: "role:o", scope: .role(.owner, disabled: false)))
    }

    @Test("Explaining runs the same checks in the same order as deciding")
    func explains() {
        var grant = Self.pass([.lock])
        grant.suspendedAt = Self.noon
        let checks = Gate.explain(Self.door, by: grant, at: Self.noon, zone: .gmt)
        #expect(checks.map(\.kind) == Gate.Check.Kind.allCases)
        #expect(checks.filter { !$0.passed }.map(\.kind) == [.notSuspended, .action])
        #expect(decide(grant) == .deny(.suspended))
    }
}
