import CardeaModel
import Foundation

/// One fact of an answer.
public enum AnswerFact: Hashable, Sendable {
    case truth(Bool)
    case action(ActionOccurrence)
    case count(Int)
    case seconds(TimeInterval)
    case moment(Date)
    case number(Double, unit: String?, of: String?)
    case device(String)
    case room(String)
    case person(String)
    case event(String)
}
