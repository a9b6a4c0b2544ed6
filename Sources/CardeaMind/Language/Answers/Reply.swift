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
