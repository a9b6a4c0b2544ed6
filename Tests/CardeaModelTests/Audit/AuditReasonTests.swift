import CardeaModel
import Testing

@Suite("Audit reasons")
struct AuditReasonTests {
    @Test("Each reason is lowercase, and refusals and sign-in methods use their wire name")
    func words() {
        for reason in AuditReason.allCases {
            #expect(reason.rawValue.wholeMatch(of: /[a-z]+([_-][a-z]+)*/) != nil, "\(reason.rawValue)")
        }
        for refusal in TagRefusal.allCases { #expect(refusal.auditReason.rawValue == refusal.rawValue) }
        for refusal in ProofRefusal.allCases { #expect(refusal.auditReason.rawValue == refusal.rawValue) }
        for way in SignInMethod.allCases { #expect(way.auditReason.rawValue == way.rawValue) }
    }
}
