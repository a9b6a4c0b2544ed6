import Foundation

/// The house's mood (Seed 004, item 21), with the reasons that the caller may know.
public struct EmotionalStateAnswer: Codable, Sendable {
    public let happiness: Double
    public let worry: Double
    public let boredom: Double
    public let excitement: Double
    /// The highest of the four.
    public let primary: String
    /// The same, under the contract's name for it; nil from a hub that does not know that name yet.
    public let primaryEmotion: String?
    /// 0 to 1: how far the primary one is from where it usually is.
    public let intensity: Double
    public let confidence: Double
    /// (excitement + worry) / 2, 0 to 1.
    public let arousal: Double
    /// (happiness − worry + excitement − boredom) / 2, −1 to 1.
    public let valence: Double
    /// `[happiness, worry, boredom, excitement]`
    public let emotionVector: [Double]
    /// The reasons, in a few sentences.
    public let reasoning: String
    /// The causes of the mood, the strongest first.
    public let causes: [CauseAnswer]
    /// Causes that are over and may still have an effect, the latest first; their shares are those from while they lasted. Nil from a hub
    /// that does not send it.
    public let fading: [CauseAnswer]?

    enum CodingKeys: String, CodingKey {
        case happiness, worry, boredom, excitement, primary, intensity, confidence, arousal, valence, reasoning, causes, fading
        case primaryEmotion = "primary_emotion"
        case emotionVector = "emotion_vector"
    }

    /// - Parameter vector: `[happiness, worry, boredom, excitement]`; with fewer values the others are 0.
    public init(
        vector: [Double], primary: String, intensity: Double, confidence: Double, arousal: Double, valence: Double, reasoning: String,
        causes: [CauseAnswer], fading: [CauseAnswer]? = nil
    ) {
        func value(_ place: Int) -> Double { vector.indices.contains(place) ? vector[place] : 0 }
        (happiness, worry, boredom, excitement) = (value(0), value(1), value(2), value(3))
        emotionVector = [happiness, worry, boredom, excitement]
        self.primary = primary
        primaryEmotion = primary
        self.intensity = intensity
        self.confidence = confidence
        self.arousal = arousal
        self.valence = valence
        self.reasoning = reasoning
        self.causes = causes
        self.fading = fading
    }
}

/// One thing that moves the house, and by how much.
public struct CauseAnswer: Codable, Sendable {
    public let causeID: String
    /// `health`, `interaction`, `environment`, `tasks` or `learning`.
    public let kind: String
    public let words: String
    /// Its effect on each of `[happiness, worry, boredom, excitement]`, positive or negative.
    public let shares: [Double]
    public let events: [String]
    public let devices: [String]
    public let since: Date

    enum CodingKeys: String, CodingKey {
        case kind, words, shares, events, devices, since
        case causeID = "cause_id"
    }

    public init(causeID: String, kind: String, words: String, shares: [Double], events: [String], devices: [String], since: Date) {
        self.causeID = causeID
        self.kind = kind
        self.words = words
        self.shares = shares
        self.events = events
        self.devices = devices
        self.since = since
    }
}

/// `GET /api/v1/consciousness/status`
public struct ConsciousnessAnswer: Codable, Sendable {
    /// `active`, `inactive`, `processing` or `sleeping`.
    public let status: String
    /// 0 to 1.
    public let awarenessLevel: Double
    /// The components of the awareness, each 0 to 1.
    public let awareness: [String: Double]
    public let emotionalState: EmotionalStateAnswer
    /// The reachable devices, of those that the caller may see.
    public let activeDevices: Int
    /// Loops that run.
    public let saflaLoops: Int
    public let lastUpdate: Date

    enum CodingKeys: String, CodingKey {
        case status, awareness
        case awarenessLevel = "awareness_level"
        case emotionalState = "emotional_state"
        case activeDevices = "active_devices"
        case saflaLoops = "safla_loops"
        case lastUpdate = "last_update"
    }

    public init(
        status: String, awarenessLevel: Double, awareness: [String: Double], emotionalState: EmotionalStateAnswer, activeDevices: Int,
        saflaLoops: Int, lastUpdate: Date
    ) {
        self.status = status
        self.awarenessLevel = awarenessLevel
        self.awareness = awareness
        self.emotionalState = emotionalState
        self.activeDevices = activeDevices
        self.saflaLoops = saflaLoops
        self.lastUpdate = lastUpdate
    }
}

/// `GET /api/v1/consciousness/emotions`
public struct EmotionsAnswer: Codable, Sendable {
    public let current: EmotionalStateAnswer
    /// Oldest first; nil unless requested.
    public let history: [MoodMoment]?

    public init(current: EmotionalStateAnswer, history: [MoodMoment]?) {
        self.current = current
        self.history = history
    }
}

/// The house's mood at one moment.
public struct MoodMoment: Codable, Sendable {
    public let timestamp: Date
    /// The strongest emotion.
    public let emotion: String
    public let emotionVector: [Double]
    /// The cause; nil if the caller may not know it, or if there was no particular one.
    @Nullable public private(set) var trigger: String?
    /// The ids of what happened that the trigger rests on; nil from a house that does not tell it.
    public let triggerEvents: [String]?

    enum CodingKeys: String, CodingKey {
        case timestamp, emotion, trigger
        case emotionVector = "emotion_vector"
        case triggerEvents = "trigger_events"
    }

    public init(timestamp: Date, emotion: String, emotionVector: [Double], trigger: String?, triggerEvents: [String]? = nil) {
        self.timestamp = timestamp
        self.emotion = emotion
        self.emotionVector = emotionVector
        self.trigger = trigger
        self.triggerEvents = triggerEvents
    }
}
