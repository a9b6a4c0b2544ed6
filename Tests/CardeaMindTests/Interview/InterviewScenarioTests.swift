import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Interview scenarios")
struct InterviewScenarioTests {
    @Test("Every scenario ends with the expected devices, rooms and notes", arguments: InterviewScenario.all)
    func ends(_ household: InterviewScenario) throws {
        let told = try InterviewTranscript(household)

        #expect(told.devices == household.expectedDevices.sorted(), "\(told.transcript)")
        #expect(told.notes(current: true) == household.expectedNotes.sorted(), "\(told.transcript)")
        #expect(told.notes(current: false) == household.expectedPastNotes.sorted(), "\(told.transcript)")
        #expect(told.newRooms == household.expectedNewRooms.sorted(), "\(told.transcript)")
        InterviewFuzzTests.check(told.interview, told.transcript)
        InterviewFuzzTests.check(told.drafts, told.transcript)
    }

    @Test("There are at least thirty distinct scenarios")
    func many() {
        #expect(Set(InterviewScenario.all.map(\.messages)).count >= 30)
        #expect(Set(InterviewScenario.all.map(\.name)).count == InterviewScenario.all.count)
    }

    @Test("A restart and a pause after every message change nothing", arguments: InterviewScenario.all)
    func restarts(_ household: InterviewScenario) throws {
        let straight = try InterviewTranscript(household)
        let restarted = try InterviewTranscript(household, isRestarted: true)

        #expect(restarted.devices == straight.devices)
        #expect(restarted.drafts == straight.drafts)
        #expect(restarted.interview.candidates == straight.interview.candidates)
        #expect(restarted.interview.notes == straight.interview.notes)
        #expect(restarted.interview.status == straight.interview.status)
        #expect(restarted.interview.progress == straight.interview.progress)
    }

    @Test(
        "The order of independent messages does not change the result", arguments: InterviewScenario.all.filter(\.isOrderIndependent))
    func orders(_ household: InterviewScenario) throws {
        for seed in TestSeed.values(1..<UInt64(TestRepetitions.of(16, full: 61))) {
            var dice = SeededMemoryGenerator(seed: seed)
            let told = try InterviewTranscript(household, say: household.messages.shuffled(using: &dice))
            #expect(told.devices == household.expectedDevices.sorted(), "seed \(seed): \(told.transcript)")
            #expect(told.notes(current: true) == household.expectedNotes.sorted(), "seed \(seed): \(told.transcript)")
        }
    }

    @Test("Any message order keeps the interview's invariants", arguments: InterviewScenario.all)
    func anyOrder(_ household: InterviewScenario) throws {
        for seed in TestSeed.values(1..<UInt64(TestRepetitions.of(4, full: 13))) {
            var dice = SeededMemoryGenerator(seed: seed)
            let told = try InterviewTranscript(household, say: household.messages.shuffled(using: &dice))
            InterviewFuzzTests.check(told.interview, "seed \(seed): \(told.transcript)")
            InterviewFuzzTests.check(told.drafts, "seed \(seed): \(told.transcript)")
        }
    }
}
