import CardeaModel
import Foundation

/// The reply to a sentence.
public struct Reply: Hashable, Sendable {
    /// One or two sentences.
    public var response: String
    /// 0 to 1; 0 if the house does not know, or did not understand.
    public var confidence: Double
    /// The ids of the events that are the evidence.
    public var events: [String] = []
    /// The number of further events that are evidence and are not listed.
    public var moreEvents = 0
    /// The ids of the devices it mentions.
    public var devices: [String] = []
    /// Commands that are possible now. Answering runs none of them.
    public var suggestions: [Suggestion] = []
    /// The choices when the reply asks back: sentences or names.
    public var choices: [String] = []
    /// True if the person described devices that an interview could create.
    public var isForInterview = false
    /// True if the sentence could not be read, so that nothing was answered.
    var isUnread = false
    /// The answer as facts, for programs.
    public var facts: [AnswerFact] = []
    /// The what-if question, for callers that need the result hour by hour.
    public var whatIfQuestion: WhatIfQuestion?
    /// The context in which the next sentence is read.
    public var context: ConversationContext?
    /// The question as it was understood.
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

/// One action on a device.
public struct ActionOccurrence: Hashable, Sendable {
    public let action: ActionKind
    public let deviceID: String
    public let entityID: String
    public let at: Date
    /// Nil if the actor is unknown, if the record of it was erased, or if the asker may not know it.
    public let actor: String?
    /// The ids of the events that show it.
    public let events: [String]
    /// The time at which it was undone, within the period asked about.
    public var undoneAt: Date?
    /// The earliest possible time, if it was done while its device was out of reach and is known since `at`; otherwise nil.
    public var notBefore: Date?
    /// True if it was commanded, and the record no longer has the actor.
    public var isErased = false
}
