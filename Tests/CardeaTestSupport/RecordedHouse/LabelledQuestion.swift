import CardeaMind
import CardeaModel
import Foundation

/// A question with what is right to answer, worked out from the record by plain loops, never by the code that answers.
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
        /// Of one sensor, lamp or heating, by its entity; a cost too is what a meter counted.
        case number(Double, within: Double, of: String)
        case seconds(TimeInterval)
        case moment(Date)
        case people(Set<String>)
        case room(String)
        /// Exactly these rooms, by their names.
        case rooms(Set<String>)
        case suggestions(Set<String>)
        /// Cites exactly these, and says these words.
        case events([String], saying: [String] = [])
        /// Says how it feels, in the sentence that is right for its numbers, and by exactly these.
        case feels(String, devices: Set<String>, events: Set<String>)
        /// Says again what it was told.
        case remembers(String)
        /// The extra energy in kWh, or the saving, of keeping the living room otherwise; and the price of one kWh.
        case imagined(Double, rate: Double)
        /// Says that it does not know.
        case unknown
        /// Says so, and names the word.
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

    /// Every question there is, by everybody who asks.
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

/// Labels being written.
struct QuestionSetBuilder {
    let truth: GroundTruth
    private(set) var all: [LabelledQuestion] = []

    init(truth: GroundTruth) { self.truth = truth }

    /// - Parameter expected: nil for whoever does not ask it.
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

    /// Adds questions with the same answer for every asker.
    mutating func each(
        _ sentences: [String], _ expected: LabelledQuestion.Expected, about: LabelledQuestion.ExpectedEvidence? = nil,
        needs: LabelledQuestion.Requirement? = nil
    ) {
        ask(sentences, about: about, needs: needs) { _ in expected }
    }
}
