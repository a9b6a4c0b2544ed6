import CardeaModel
import Foundation
import Testing

@Suite("Effective access before and after a change")
struct EffectiveAccessTests {
    private let now = GateTests.noon
    private static let lock = Entity(id: "lock.front_door", kind: .lock, name: "Front door", verbs: [.lock, .unlock])
    private static let lamp = Entity(id: "light.hall", kind: .light, name: "Hall", verbs: [.on, .off])

    private func device(_ entity: Entity, isSecurityDevice: Bool = false, isGuestAccessible: Bool = true) -> Device {
        Device(
            id: "front-door", name: "Front door", deviceClass: .security, integration: "virtual", isSecurityDevice: isSecurityDevice,
            isGuestAccessible: isGuestAccessible, stateChangedAt: GateTests.noon, entities: [entity])
    }

    private func access(
        _ grant: Grant, _ device: Device? = nil, cause: String? = nil, conditions: Set<String> = []
    ) throws -> EffectiveAccess {
        let device = device ?? self.device(Self.lock)
        var access = EffectiveAccess()
        let door = try #require(EffectiveAccess.Door(Self.lock, of: device))
        access.add("somebody", holding: grant, of: door, cause: cause, conditions: conditions, at: now)
        return access
    }

    @Test("Only entities that let a person in count as doors")
    func doors() {
        #expect(EffectiveAccess.Door(Self.lamp, of: device(Self.lamp)) == nil)
        #expect(EffectiveAccess.Door(Self.lock, of: device(Self.lock))?.verbs == [.unlock])
    }

    @Test("Passes not yet open, outside their hours or used up count as access; expired, paused and revoked ones do not")
    func lasting() throws {
        let none = EffectiveAccess()
        let changes: [(Bool, (inout Grant) -> Void)] = [
            (true, { _ in }), (true, { $0.startsAt = .distantFuture }), (true, { $0.schedule = WeeklySchedule(lines: []) }),
            (true, { ($0.useLimit, $0.useCount) = (1, 1) }), (true, { $0.localOnly = true }), (false, { $0.expiresAt = GateTests.noon }),
            (false, { $0.suspendedAt = GateTests.noon }), (false, { $0.revokedAt = GateTests.noon }), (false, { $0.isApproved = false }),
        ]
        for (index, (counts, change)) in changes.enumerated() {
            var grant = GateTests.pass()
            change(&grant)
            #expect(try access(grant).widenedPaths(since: none).isEmpty != counts, "\(index)")
        }
    }

    @Test("Dropping an approval requirement widens access, and adding one narrows it")
    func asked() throws {
        var asking = GateTests.pass()
        asking.asksEachTime = true
        let (before, after) = (try access(asking), try access(GateTests.pass()))
        #expect(after.widenedPaths(since: before).count == 1)
        #expect(before.widenedPaths(since: after).isEmpty)
        #expect(after.widenedPaths(since: after).isEmpty)
        #expect(after.widenedPaths(since: before, besides: "somebody").isEmpty)
    }

    @Test("Clearing a device's guest and security restrictions widens access")
    func flags() throws {
        let (member, pass) = (Grant(id: "role", scope: .role(.member, disabled: false)), GateTests.pass())
        let (kept, closed) = (device(Self.lock, isSecurityDevice: true), device(Self.lock, isGuestAccessible: false))
        #expect(try access(member).widenedPaths(since: access(member, kept)).count == 1)
        #expect(try access(pass).widenedPaths(since: access(pass, closed)).count == 1)
        #expect(try access(pass, closed).widenedPaths(since: access(pass)).isEmpty)
    }

    @Test("Another trigger or one condition less widens an automation's access; one more condition does not")
    func causes() throws {
        let owner = Grant(id: "role", scope: .role(.owner, disabled: false))
        let one = try access(owner, cause: "a", conditions: ["night"])
        #expect(try access(owner, cause: "b", conditions: ["night"]).widenedPaths(since: one).map(\.cause) == ["b"])
        #expect(try access(owner, cause: "a").widenedPaths(since: one).count == 1)
        #expect(try access(owner, cause: "a", conditions: ["day"]).widenedPaths(since: one).count == 1)
        #expect(try access(owner, cause: "a", conditions: ["day", "night"]).widenedPaths(since: one).isEmpty)
    }
}
