import CardeaMind
import CardeaModel
import Foundation

/// A question with what is right to answer, worked out from the record by plain loops, never by the code that answers.
public struct Labelled: Sendable {
    public let sentence: String
    public let asker: RecordedHouse.Asker
    public let expected: Expected
    public let needs: Need?
    /// What the answer may rest on, where that is known beside what is expected.
    let about: About?

    /// What of a house must be there beside its record.
    public enum Need: Sendable {
        /// What people told it.
        case memory
    }

    public enum Expected: Sendable {
        /// Who did it and when, exactly, oldest first.
        case doings([(at: Date, actor: String?)])
        case lastDoing(at: Date, actor: String?)
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
        case happenings([String], saying: [String] = [])
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
        case askedBack(Set<String>)
        /// In exactly these words.
        case says(String)
    }

    /// Whether nothing is to be answered.
    public var isUnanswerable: Bool {
        switch expected {
        case .unknown, .unknownWord, .askedBack: true
        default: false
        }
    }

    public static let all = all(of: .shared)

    /// Every question there is, by everybody who asks.
    public static func all(of house: RecordedHouse) -> [Labelled] {
        var labels = Labels(truth: Truth(house: house))
        labels.doors()
        labels.standing()
        labels.airAndEnergy()
        labels.people()
        labels.alarms()
        labels.wishes()
        labels.feelings()
        labels.memories()
        labels.unknown()
        labels.whatIf()
        return labels.all
    }
}

/// Labels being written.
struct Labels {
    let truth: Truth
    private(set) var all: [Labelled] = []

    init(truth: Truth) { self.truth = truth }

    /// - Parameter expected: nil for whoever does not ask it.
    mutating func ask(
        _ sentences: [String], about: Labelled.About? = nil, needs: Labelled.Need? = nil,
        _ expected: (RecordedHouse.Asker) -> Labelled.Expected?
    ) {
        for sentence in sentences {
            all += RecordedHouse.Asker.allCases.compactMap { asker in
                expected(asker).map { Labelled(sentence: sentence, asker: asker, expected: $0, needs: needs, about: about) }
            }
        }
    }

    /// What everybody is answered alike.
    mutating func each(
        _ sentences: [String], _ expected: Labelled.Expected, about: Labelled.About? = nil, needs: Labelled.Need? = nil
    ) {
        ask(sentences, about: about, needs: needs) { _ in expected }
    }
}
