import CardeaModel
import Testing

@Suite("What a house leaves to tags")
struct TagPolicyTests {
    @Test("What can be copied opens no door, whatever the house leaves to tags", arguments: TagPolicy.Permission.allCases, [false, true])
    func copies(leave: TagPolicy.Permission, isConfirmed: Bool) {
        let policy = TagPolicy(control: leave, open: leave)

        #expect(policy.decide(.static, .open, isConfirmed: isConfirmed) == .refuse(leave == .never ? .notByTag : .needsProof))
    }

    @Test("What proves itself is heard; what does not is asked about, unless the house leaves comfort to a touch")
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

    @Test("A touch is enough for what changes comfort, where the house leaves it to that tag; never for a door, nor for a live link")
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

    @Test("Off is off, and never is never, for every kind of tag", arguments: TagKind.allCases)
    func off(kind: TagKind) {
        for risk in [Risk.control, .open] {
            #expect(TagPolicy(isOn: false, control: .atOnce, open: .atOnce).decide(kind, risk, isConfirmed: true) == .refuse(.off))
            #expect(TagPolicy(control: .never, open: .never).decide(kind, risk, isConfirmed: true) == .refuse(.notByTag))
        }
        #expect(TagPolicy(control: .never, open: .confirmed).decide(.sun, .open, isConfirmed: false) == .act)
    }
}
