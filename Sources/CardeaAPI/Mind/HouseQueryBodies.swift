import CardeaModel
import Foundation

/// `POST /api/v1/consciousness/query`
public struct AskHouseBody: WireFormat.Body, Encodable, Sendable {
    /// A sentence, 1 to 1000 characters.
    public var query: String
    /// Context from the caller's program, at most 32 members. `conversation`, a text, tells several conversations of one person apart: "it"
    /// and "there" refer to what was said last in the same one. `asked_at`, a time, marks a question that waited for the house: its answer
    /// suggests nothing and belongs to no conversation. Other members are not read.
    public var context: [String: JSONValue]?
    /// True if the answer is to name the devices it is about. True if omitted.
    public var includeDevices: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case query, context
        case includeDevices = "include_devices"
    }

    public static let maxLength = 1000
    /// The member of `context` with the time at which a question was asked that waited for the house.
    public static let askedAt = "asked_at"

    public init(query: String, context: [String: JSONValue]? = nil, includeDevices: Bool? = nil) {
        self.query = query
        self.context = context
        self.includeDevices = includeDevices
    }
}

/// The house's answer to a question. Answering executes no action.
public struct HouseReplyAnswer: Codable, Sendable {
    public let response: String
    /// 0 to 1; 0 if the house does not know, or did not understand.
    public let confidence: Double
    public let context: Context
    public let suggestedActions: [SuggestedAction]
    /// The possible meanings, if the house asks back.
    public let choices: [String]
    /// The body with which `POST /api/v1/predictions/what-if` predicts the same hour by hour; null unless the question imagines a change.
    @Nullable public private(set) var whatIf: WhatIfBody?
    /// True if the question describes new devices, which an interview would add if it got the same sentence; left out otherwise.
    public let forInterview: Bool?

    /// The events and devices that the answer rests on.
    public struct Context: Codable, Sendable {
        /// The happenings, by their ids.
        public let events: [String]
        /// The number of further events used that are not named; omitted if all are.
        public let moreEvents: Int?
        /// The devices, by their ids.
        public let devices: [String]

        enum CodingKeys: String, CodingKey {
            case events, devices
            case moreEvents = "more_events"
        }

        public init(events: [String], moreEvents: Int? = nil, devices: [String]) {
            self.events = events
            self.moreEvents = moreEvents
            self.devices = devices
        }
    }

    enum CodingKeys: String, CodingKey {
        case response, confidence, context, choices
        case suggestedActions = "suggested_actions"
        case whatIf = "what_if"
        case forInterview = "for_interview"
    }

    public init(
        response: String, confidence: Double, context: Context, suggestedActions: [SuggestedAction] = [], choices: [String] = [],
        whatIf: WhatIfBody? = nil, forInterview: Bool? = nil
    ) {
        self.response = response
        self.confidence = confidence
        self.context = context
        self.suggestedActions = suggestedActions
        self.choices = choices
        self.whatIf = whatIf
        self.forInterview = forInterview
    }
}

/// Something that could be done: the body of `PUT /api/v1/devices/{id}/control`, a scene to run, or what to remember by
/// `POST /api/v1/memory`. It is done only by asking for it.
public struct SuggestedAction: Codable, Sendable {
    public let words: String
    @Nullable public private(set) var deviceID: String?
    @Nullable public private(set) var entityID: String?
    @Nullable public private(set) var action: String?
    @Nullable public private(set) var value: JSONValue?
    @Nullable public private(set) var sceneID: String?
    /// The content to remember, in words.
    @Nullable public private(set) var memory: String?

    enum CodingKeys: String, CodingKey {
        case words, action, value, memory
        case deviceID = "device_id"
        case entityID = "entity_id"
        case sceneID = "scene_id"
    }

    public init(words: String, deviceID: String, entityID: String, action: Verb, value: Double?) {
        self.words = words
        self.deviceID = deviceID
        self.entityID = entityID
        self.action = action.rawValue
        self.value = value.map(JSONValue.number)
    }

    public init(words: String, sceneID: String) {
        self.words = words
        self.sceneID = sceneID
    }

    public init(words: String, memory: String) {
        self.words = words
        self.memory = memory
    }
}
