import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Interview invariants under fuzzing")
struct InterviewFuzzTests {
    /// Checks the invariants of every interview.
    static func check(_ interview: Interview, _ hint: @autoclosure () -> String) {
        let progress = interview.progress
        #expect((0...100).contains(progress.completionPercentage), "\(hint())")
        #expect(progress.devicesConfirmed + progress.devicesPending == progress.totalDevicesMentioned, "\(hint())")
        #expect(progress.devicesConfirmed >= 0 && progress.devicesPending >= 0, "\(hint())")
        #expect(interview.candidates.count <= Interview.candidateLimit, "\(hint())")
        #expect(Set(interview.candidates.map(\.id)).count == interview.candidates.count, "\(hint())")
        #expect(interview.notes.count <= Interview.noteLimit, "\(hint())")
        #expect(interview.rooms.count <= Interview.roomLimit, "\(hint())")
        #expect(interview.conversation.count <= Interview.messageLimit, "\(hint())")
        for candidate in interview.candidates {
            #expect((1...Interview.countLimit).contains(candidate.count), "\(hint())")
            #expect((0...1).contains(candidate.confidence), "\(hint())")
            #expect(candidate.matched.count <= candidate.count, "\(hint())")
            #expect(candidate.words.allSatisfy { !$0.isEmpty && $0.count <= 200 }, "\(hint())")
            if candidate.status == .pending { #expect(candidate.missing.isEmpty, "\(hint())") }
        }
        // One thing is one device: no two candidates share one.
        let given = interview.candidates.filter { $0.status != .rejected }.flatMap(\.matched)
        #expect(Set(given).count == given.count, "\(hint())")
    }

    static func check(_ drafts: [Interview.DeviceDraft], _ hint: @autoclosure () -> String) {
        for draft in drafts {
            #expect((try? Name.check(draft.name)) == draft.name, "\(hint())")
            if let text = draft.description { #expect((try? Name.checkDescription(text)) == text, "\(hint())") }
            if case .new(let name, _) = draft.room { #expect((try? Name.check(name)) == name, "\(hint())") }
        }
    }

    private static let scraps =
        InterviewScenario.all.flatMap(\.messages) + [
            "yes", "no", "both", "all", "none", "neither", "the first one", "I don't know", "skip", "next", "done", "the kitchen", "five",
            "everywhere",
            "all but the lamps", "only the Yale", "what have you got so far?", "help", "it", "forget everything", "call it \"Bob\"",
            "scratch that", "is it?",
        ]

    private static let strange: [String] = [
        "\u{202E}lamp", "lamp\u{0}", "🛋️🛋️ two lamps", "a\u{301}\u{301}\u{301} fan", "\"", "“", "'", "a lamp called", "called called called",
        "999999999999999999999 lamps",
        "0 lamps", "-3 lamps", "x2 x2 x2", "in in in the the the", "kitchen kitchen kitchen", "not not not a", "Hue Hue Hue Yale", ",,,,",
        ".,.;!?",
        "the the", "a a a", "两盏灯在厨房", "مصباح", "½ lamp", "٣ lamps", "every every room", "in every room", "lamp lamp lamp", "1e9 lamps",
        "each each",
    ]

    private static func message(_ dice: inout SeededMemoryGenerator) -> String {
        let scrap = scraps[dice.below(scraps.count)]
        switch dice.below(8) {
        case 0: return scrap
        case 1: return strange[dice.below(strange.count)] + " " + scrap
        case 2:
            // Words of two messages, shuffled.
            let words = (scrap + " " + scraps[dice.below(scraps.count)]).split(separator: " ").shuffled(using: &dice)
            return words.prefix(dice.below(30) + 1).joined(separator: " ")
        case 3:
            // Letters dropped, doubled and swapped.
            var letters = Array(scrap)
            for _ in 0..<(dice.below(6) + 1) where !letters.isEmpty {
                let place = dice.below(letters.count)
                switch dice.below(3) {
                case 0: letters.remove(at: place)
                case 1: letters.insert(letters[place], at: place)
                default: letters.swapAt(place, dice.below(letters.count))
                }
            }
            return String(letters)
        case 4:
            let scalars = (0..<dice.below(80)).compactMap { _ in Unicode.Scalar(UInt32(dice.below(0x11_0000))) }
            return String(String.UnicodeScalarView(scalars))
        case 5: return strange[dice.below(strange.count)]
        case 6: return String(scrap.prefix(dice.below(scrap.count + 1)))
        default:
            return (0..<(dice.below(4) + 1)).map { _ in scraps[dice.below(scraps.count)] }.joined(
                separator: [" ", ", ", " and ", ". ", "\n"][dice.below(5)])
        }
    }

    /// Sends a message, and resumes a paused interview; false once it is over.
    private static func say(_ message: String, to interview: inout Interview, at now: Date) throws -> Bool {
        let heard: Result<Interview.Reply, Interview.ConversationError> = Result { () throws(Interview.ConversationError) in
            try interview.receive(message, at: now)
        }
        switch heard {
        case .success(let reply): check(reply.drafts, message)
        // The message was empty.
        case .failure(.empty): break
        case .failure(.notActive(.paused)): _ = try interview.resume(at: now)
        case .failure(.notActive): return false
        case .failure(let other): throw other
        }
        return true
    }

    /// `CARDEA_FUZZED_REMARKS` sets the number of messages; `make chaos` runs twenty thousand.
    @Test("Misspelt, truncated and shuffled messages keep the interview consistent")
    func fuzz() throws {
        var dice = SeededMemoryGenerator(seed: TestSeed.value(7))
        var said = 0
        let count = TestRepetitions.of(500, full: 4_000, variable: "CARDEA_FUZZED_REMARKS")
        while said < count {
            let household = InterviewScenario.all[dice.below(InterviewScenario.all.count)]
            let now = InterviewScenario.start
            var (interview, _) = Interview.start(id: "i", in: household.snapshot, discovered: household.discovered, at: now)
            for _ in 0..<(dice.below(40) + 5) {
                let message = Self.message(&dice)
                said += 1
                guard try Self.say(message, to: &interview, at: now) else { break }
                Self.check(interview, "\(message), seed \(dice.seed)")
            }
            if interview.status == .active { Self.check(try interview.confirm(.all, at: now).drafts, "confirm, seed \(dice.seed)") }
            Self.check(interview, "end, seed \(dice.seed)")
            #expect(try Interview.restored(from: interview.archived()) == interview, "seed \(dice.seed)")
        }
    }

    @Test("Long input stays within the interview's limits")
    func bounded() throws {
        var (interview, _) = Interview.start(id: "i", in: InterviewScenario.all[0].snapshot, discovered: [], at: InterviewScenario.start)
        let brands = ["Hue", "Ikea", "Osram", "Lifx", "Wiz"]
        for number in 0..<400 {
            let message = (0..<5).map { "a \(brands[$0]) lamp called “N\(number) \($0)” in the \($0)th scullery" }.joined(separator: ", ")
            _ = try interview.receive(message + ", and a cellar fan \(number) that isn't connected.", at: InterviewScenario.start)
        }
        _ = try interview.receive(String(repeating: "forty lamps in every room and ", count: 400), at: InterviewScenario.start)
        _ = try interview.receive(String(repeating: "a\u{301}", count: 100_000), at: InterviewScenario.start)

        Self.check(interview, "bounds")
        #expect(interview.candidates.count == Interview.candidateLimit)
        #expect(try interview.archived().count < 1_000_000)
    }
}
