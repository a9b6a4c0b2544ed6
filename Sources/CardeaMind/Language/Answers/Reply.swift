import CardeaModel
import Foundation

/// What the house answers.
public struct Reply: Hashable, Sendable {
    /// One or two sentences.
    public var response: String
    /// 0 to 1; 0 where the house does not know, or did not understand.
    public var confidence: Double
    /// The happenings it rests on, by their ids.
    public var events: [String] = []
    /// How many more it rests on that are not named.
    public var moreEvents = 0
    /// The devices it speaks of.
    public var devices: [String] = []
    /// What could be done. Nothing is done by answering.
    public var suggestions: [Suggestion] = []
    /// What may have been meant, where it was asked back: sentences or names to choose from.
    public var choices: [String] = []
    /// It was told of devices that an interview would take in.
    public var isForInterview = false
    /// The sentence could not be read, so that nothing was answered.
    var isUnread = false
    /// The answer as facts, for whoever does not read sentences.
    public var facts: [AnswerFact] = []
    /// What was imagined, for whoever wants it hour by hour.
    public var whatIfQuestion: WhatIfQuestion?
    /// What was understood, for the next sentence.
    public var context: ConversationContext?
    /// What the question was understood to be.
    public var question: Question? { context?.question }

    public init(_ response: String, confidence: Double = 1) {
        self.response = response
        self.confidence = confidence
    }
}

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

/// That somebody did something.
public struct ActionOccurrence: Hashable, Sendable {
    public let action: ActionKind
    public let deviceID: String
    public let entityID: String
    public let at: Date
    /// Nil where nobody is known to have, where the record of it was erased, or where the asker may not know who.
    public let actor: String?
    /// The happenings that say so.
    public let events: [String]
    /// When it was undone again, within the time asked about.
    public var undoneAt: Date?
    /// The earliest it can have been, where it was done at some time while its device was out of reach and is known since `at`; else nil.
    public var notBefore: Date?
    /// Somebody asked for it, and the record no longer says who.
    public var isErased = false
}
