import CardeaModel
import Foundation
import Testing

@Suite("Approvers of guest requests")
struct ApproverGroupTests {
    private func person(_ role: Role, invites: Bool = false, isDisabled: Bool = false) -> Person {
        Person(
            id: "person", username: "person", name: "Person", role: role, canInviteGuests: invites, isDisabled: isDisabled,
            createdAt: .distantPast, lastSeenAt: nil)
    }

    @Test("Each group includes its roles and no disabled account")
    func included() {
        let people = [person(.owner), person(.admin), person(.member, invites: true), person(.member), person(.guest)]
        let expected: [ApproverGroup: [Bool]] = [
            .managers: [true, true, false, false, false], .inviters: [true, true, true, false, false],
            .everyone: [true, true, true, true, false],
        ]
        for choice in ApproverGroup.allCases {
            #expect(people.map(choice.includes) == expected[choice])
            #expect(
                !choice.includes(person(.owner, isDisabled: true)) && !choice.includes(person(.member, invites: true, isDisabled: true)))
        }
        #expect(Set(ApproverGroup.allCases.map(\.sentence)).count == ApproverGroup.allCases.count)
    }
}
