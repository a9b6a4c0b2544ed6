import CardeaMind
import CardeaModel
import Foundation

/// A question with what is right to answer, worked out from the record by plain loops, never by the code that answers.
public struct LabelledQuestion: Sendable {
    public let sentence: String
    public let asker: RecordedHouse.Asker
    public let expected: Expected
    public let requirement: Requirement?
    /// What the answer may rest on, where that is known beside what is expected.
    let evidence: ExpectedEvidence?

    /// What of a house must be there beside its record.
    public enum Requirement: Sendable {
        /// What people told it.
        case memory
    }

    public enum Expected: Sendable {
        /// Who did it and when, exactly, oldest first.
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
        /// What keeping the living room otherwise would take more, or less, in kWh; and what one of them costs.
        case imagined(Double, rate: Double)
        /// Says that it does not know.
        case unknown
        /// Says so, and names the word.
        case unknownWord(String)
        case clarification(Set<String>)
        /// In exactly these words.
        case exactText(String)
    }

    /// Whether nothing is to be answered.
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

    /// What everybody is answered alike.
    mutating func each(
        _ sentences: [String], _ expected: LabelledQuestion.Expected, about: LabelledQuestion.ExpectedEvidence? = nil,
        needs: LabelledQuestion.Requirement? = nil
    ) {
        ask(sentences, about: about, needs: needs) { _ in expected }
    }
}
