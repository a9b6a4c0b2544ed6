import CardeaModel
import Foundation

/// `POST /api/v1/consciousness/query`
public struct AskHouseBody: WireFormat.Body, Encodable, Sendable {
    /// A sentence, 1 to 1000 characters.
    public var query: String
    /// What the asker's program knows beside it, at most 32 members. `conversation`, a text, tells several conversations of one person apart:
    /// what was said last in it is what "it" and "there" mean. `asked_at`, a time, says that the question waited for the house: then its answer
    /// suggests nothing, and stands in no conversation. The rest is not read.
    public var context: [String: JSONValue]?
    /// Whether the answer names the devices it speaks of. True where it is left out.
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

/// What the house answers. Nothing is done by answering.
public struct HouseReplyAnswer: Codable, Sendable {
    public let response: String
    /// 0 to 1; 0 where the house does not know, or did not understand.
    public let confidence: Double
    public let context: Context
    public let suggestedActions: [SuggestedAction]
    /// What may have been meant, where it was asked back.
    public let choices: [String]
    /// Where something was imagined: what to ask `POST /api/v1/predictions/what-if` for the same hour by hour.
    @Nullable public private(set) var whatIf: WhatIfBody?
    /// True where it was told of devices that an interview takes in, given the same sentence; else left out.
    public let forInterview: Bool?

    /// What the answer rests on.
    public struct Context: Codable, Sendable {
        /// The happenings, by their ids.
        public let events: [String]
        /// How many more happenings it rests on that are not named; left out where all of them are.
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
    /// What to remember, in words.
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
