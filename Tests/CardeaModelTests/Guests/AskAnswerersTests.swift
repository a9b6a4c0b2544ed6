import CardeaModel
import Foundation
import Testing

@Suite("Who answers a guest who asks to be let in")
struct AskAnswerersTests {
    private func person(_ role: Role, invites: Bool = false, isDisabled: Bool = false) -> Person {
        Person(
            id: "person", username: "person", name: "Person", role: role, canInviteGuests: invites, isDisabled: isDisabled,
            createdAt: .distantPast, lastSeenAt: nil)
    }

    @Test("Each choice includes those whom it names, and nobody whose account is closed")
    func included() {
        let people = [person(.owner), person(.admin), person(.member, invites: true), person(.member), person(.guest)]
        let expected: [AskAnswerers: [Bool]] = [
            .managers: [true, true, false, false, false], .inviters: [true, true, true, false, false],
            .everyone: [true, true, true, true, false],
        ]
        for choice in AskAnswerers.allCases {
            #expect(people.map(choice.include) == expected[choice])
            #expect(!choice.include(person(.owner, isDisabled: true)) && !choice.include(person(.member, invites: true, isDisabled: true)))
        }
        #expect(Set(AskAnswerers.allCases.map(\.sentence)).count == AskAnswerers.allCases.count)
    }
}
