import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("New devices are taken in through a conversation")
struct InterviewHouseholdTests {
    @Test("Every household ends with the right devices, rooms and notes", arguments: Household.all)
    func ends(_ household: Household) throws {
        let told = try Told(household)

        #expect(told.takes == household.takes.sorted(), "\(told.transcript)")
        #expect(told.noted(current: true) == household.notes.sorted(), "\(told.transcript)")
        #expect(told.noted(current: false) == household.past.sorted(), "\(told.transcript)")
        #expect(told.proposes == household.proposes.sorted(), "\(told.transcript)")
        InterviewFuzzTests.check(told.interview, told.transcript)
        InterviewFuzzTests.check(told.drafts, told.transcript)
    }

    @Test("There are thirty households and more that say each something else")
    func many() {
        #expect(Set(Household.all.map(\.say)).count >= 30)
        #expect(Set(Household.all.map(\.name)).count == Household.all.count)
    }

    @Test("A restart and a pause after every message change nothing", arguments: Household.all)
    func restarts(_ household: Household) throws {
        let straight = try Told(household)
        let restarted = try Told(household, isRestarted: true)

        #expect(restarted.takes == straight.takes)
        #expect(restarted.drafts == straight.drafts)
        #expect(restarted.interview.candidates == straight.interview.candidates)
        #expect(restarted.interview.notes == straight.interview.notes)
        #expect(restarted.interview.status == straight.interview.status)
        #expect(restarted.interview.progress == straight.interview.progress)
    }

    @Test("Where every message stands by itself, their order is all the same", arguments: Household.all.filter(\.anyOrder))
    func orders(_ household: Household) throws {
        for seed in TestSeed.values(1..<UInt64(TestCount.of(16, full: 61))) {
            var dice = MemoryDice(seed: seed)
            let told = try Told(household, say: household.say.shuffled(using: &dice))
            #expect(told.takes == household.takes.sorted(), "seed \(seed): \(told.transcript)")
            #expect(told.noted(current: true) == household.notes.sorted(), "seed \(seed): \(told.transcript)")
        }
    }

    @Test("In any order, whatever it then means, it holds", arguments: Household.all)
    func anyOrder(_ household: Household) throws {
        for seed in TestSeed.values(1..<UInt64(TestCount.of(4, full: 13))) {
            var dice = MemoryDice(seed: seed)
            let told = try Told(household, say: household.say.shuffled(using: &dice))
            InterviewFuzzTests.check(told.interview, "seed \(seed): \(told.transcript)")
            InterviewFuzzTests.check(told.drafts, "seed \(seed): \(told.transcript)")
        }
    }
}
