import CardeaMind
import CardeaModel
import Foundation

/// A question with its right answer, computed from the history by plain loops, never by the code under test.
public struct LabelledQuestion: Sendable {
    public let sentence: String
    public let asker: RecordedHouse.Asker
    public let expected: Expected
    public let requirement: Requirement?
    /// The evidence that the answer may rest on; nil if only `expected` restricts it.
    let evidence: ExpectedEvidence?

    /// Something the house must have in addition to its record.
    public enum Requirement: Sendable {
        /// Memories that people told the house.
        case memory
    }

    public enum Expected: Sendable {
        /// Exactly these actors and times, oldest first.
        case actions([(at: Date, actor: String?)])
        case lastAction(at: Date, actor: String?)
        case count(Int)
        case truth(Bool)
        /// Exactly these devices hold.
        case devices(Set<String>)
        /// Of one sensor, lamp or heating, by its entity; a cost is a meter's reading too.
        case number(Double, within: Double, of: String)
        case seconds(TimeInterval)
        case moment(Date)
        case people(Set<String>)
        case room(String)
        /// Exactly these rooms, by their names.
        case rooms(Set<String>)
        case suggestions(Set<String>)
        /// Cites exactly these, and contains these words.
        case events([String], saying: [String] = [])
        /// States the mood, in the sentence that matches its numbers, with exactly these causes.
        case feels(String, devices: Set<String>, events: Set<String>)
        /// Repeats a stored memory.
        case remembers(String)
        /// The extra energy in kWh, or the saving, of keeping the living room otherwise; and the price of one kWh.
        case imagined(Double, rate: Double)
        /// Says that it does not know.
        case unknown
        /// Says that it does not know a word, and names it.
        case unknownWord(String)
        case clarification(Set<String>)
        /// In exactly these words.
        case exactText(String)
    }

    /// True if the house must not answer the question.
    public var isUnanswerable: Bool {
        switch expected {
        case .unknown, .unknownWord, .clarification: true
        default: false
        }
    }

    public static let all = all(of: .shared)

    /// All questions, by all requesters.
    public static func all(of house: RecordedHouse) -> [LabelledQuestion] {
        var labels = QuestionSetBuilder(truth: GroundTruth(house: house))
        labels.doors()
        labels.states()
        labels.airAndEnergy()
        labels.people()
        labels.alarms()
        labels.commands()
        labels.feelings()
        labels.memories()
        labels.unknown()
        labels.whatIf()
        return labels.all
    }
}

/// A builder of labelled questions.
struct QuestionSetBuilder {
    let truth: GroundTruth
    private(set) var all: [LabelledQuestion] = []

    init(truth: GroundTruth) { self.truth = truth }

    /// - Parameter expected: nil for an requester who does not ask it.
    mutating func ask(
        _ sentences: [String], about: LabelledQuestion.ExpectedEvidence? = nil, needs: LabelledQuestion.Requirement? = nil,
        _ expected: (RecordedHouse.Asker) -> LabelledQuestion.Expected?
    ) {
        for sentence in sentences {
            all += RecordedHouse.Asker.allCases.compactMap { asker in
                expected(asker).map {
                    LabelledQuestion(sentence: sentence, asker: asker, expected: $0, requirement: needs, evidence: about)
                }
            }
        }
    }

    /// Adds questions with the same answer for every requester.
    mutating func each(
        _ sentences: [String], _ expected: LabelledQuestion.Expected, about: LabelledQuestion.ExpectedEvidence? = nil,
        needs: LabelledQuestion.Requirement? = nil
    ) {
        ask(sentences, about: about, needs: needs) { _ in expected }
    }
}
