import CardeaModel
import Testing

@Suite("Tag policy")
struct TagPolicyTests {
    @Test("A static tag opens no door under any policy", arguments: TagPolicy.Permission.allCases, [false, true])
    func copies(leave: TagPolicy.Permission, isConfirmed: Bool) {
        let policy = TagPolicy(control: leave, open: leave)

        #expect(policy.decide(.static, .open, isConfirmed: isConfirmed) == .refuse(leave == .never ? .notByTag : .needsProof))
    }

    @Test("Live and SUN tags act at once; a static tag needs confirmation unless the policy allows control at once")
    func table() {
        let asks = TagPolicy()
        let trusts = TagPolicy(control: .atOnce, open: .atOnce)

        for kind in [TagKind.live, .sun] {
            for risk in [Risk.control, .open] { #expect(asks.decide(kind, risk, isConfirmed: false) == .act) }
        }
        #expect(asks.decide(.static, .control, isConfirmed: false) == .confirm)
        #expect(asks.decide(.static, .control, isConfirmed: true) == .act)
        #expect(trusts.decide(.static, .control, isConfirmed: false) == .act)
    }

    @Test("A touch without confirmation suffices for control as allowed, and never for doors or live links")
    func enough() {
        let (asks, trusts) = (TagPolicy(), TagPolicy(control: .atOnce, open: .atOnce))

        #expect(asks.allowsWithoutConfirmation(.sun, .control) && !asks.allowsWithoutConfirmation(.static, .control))
        #expect(trusts.allowsWithoutConfirmation(.sun, .control) && trusts.allowsWithoutConfirmation(.static, .control))
        for policy in [asks, trusts] {
            #expect(
                TagKind.allCases.allSatisfy { !policy.allowsWithoutConfirmation($0, .open) }
                    && !policy.allowsWithoutConfirmation(.live, .control))
        }
        #expect(!TagPolicy(isOn: false, control: .atOnce).allowsWithoutConfirmation(.sun, .control))
    }

    @Test("Tag policy `off` and `never` refuse every tag kind", arguments: TagKind.allCases)
    func off(kind: TagKind) {
        for risk in [Risk.control, .open] {
            #expect(TagPolicy(isOn: false, control: .atOnce, open: .atOnce).decide(kind, risk, isConfirmed: true) == .refuse(.off))
            #expect(TagPolicy(control: .never, open: .never).decide(kind, risk, isConfirmed: true) == .refuse(.notByTag))
        }
        #expect(TagPolicy(control: .never, open: .confirmed).decide(.sun, .open, isConfirmed: false) == .act)
    }
}
