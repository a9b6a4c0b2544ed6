import CardeaModel
import Testing

@Suite("Why, in the words of the record")
struct AuditReasonTests {
    @Test("Each is a word of small letters, and what refuses says it by the name that the wire has for it")
    func words() {
        for reason in AuditReason.allCases {
            #expect(reason.rawValue.wholeMatch(of: /[a-z]+([_-][a-z]+)*/) != nil, "\(reason.rawValue)")
        }
        for refusal in TagRefusal.allCases { #expect(refusal.auditReason.rawValue == refusal.rawValue) }
        for refusal in ProofRefusal.allCases { #expect(refusal.auditReason.rawValue == refusal.rawValue) }
        for way in SignInMethod.allCases { #expect(way.auditReason.rawValue == way.rawValue) }
    }
}
