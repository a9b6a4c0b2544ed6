import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// The mind in `/api/v1`'s words.
enum MindResponses {
    /// `90m`, `8h`, `7d`: seconds.
    static func span(_ text: String) throws -> TimeInterval {
        let units: [Character: Double] = ["m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()), (1...9999).contains(number),
            text.first != "0", text.first != "+"
        else { throw APIResponseError.validation("time_range", "must be a number of minutes, hours or days, such as 90m, 8h or 7d") }
        return Double(number) * unit
    }

    /// Events that an answer names at most. The number of the others is given too.
    private static let maxEvents = 200

    static func reply(_ reply: Reply, hasDevices: Bool) -> HouseReplyAnswer {
        let more = reply.moreEvents + max(reply.events.count - maxEvents, 0)
        return HouseReplyAnswer(
            response: reply.response, confidence: reply.confidence,
            context: .init(
                events: Array(reply.events.prefix(maxEvents)), moreEvents: more > 0 ? more : nil, devices: hasDevices ? reply.devices : []),
            suggestedActions: reply.suggestions.map { suggestion in
                switch suggestion.action {
                case .device(let id, let entityID, let verb, let value):
                    SuggestedAction(words: suggestion.words, deviceID: id, entityID: entityID, action: verb, value: value)
                case .scene(let id): SuggestedAction(words: suggestion.words, sceneID: id)
                case .memory(let content): SuggestedAction(words: suggestion.words, memory: content)
                }
            }, choices: reply.choices,
            whatIf: reply.whatIfQuestion?.draft.map {
                WhatIfBody(changes: $0.changes, duration: $0.duration, metrics: $0.metrics, from: $0.from, days: $0.days)
            }, forInterview: reply.isForInterview ? true : nil)
    }

    static func state(_ mood: MoodAnswer) -> EmotionalStateAnswer {
        let state = mood.state
        return EmotionalStateAnswer(
            vector: vector(state.values), primary: state.primary.rawValue, intensity: state.intensity, confidence: state.confidence,
            arousal: state.arousal, valence: state.valence, reasoning: mood.words,
            causes: state.shares.map { cause($0.cause, shares: vector($0.amounts), in: mood.temperatureUnit) },
            fading: state.fading.map { over in cause(over, shares: Emotion.allCases.map { over.pull(on: $0) }, in: mood.temperatureUnit) })
    }

    private static func cause(_ cause: Cause, shares: [Double], in degrees: TemperatureUnit) -> CauseAnswer {
        CauseAnswer(
            causeID: cause.id, kind: cause.kind.rawValue, words: cause.words.text(in: degrees), shares: shares, events: cause.events,
            devices: cause.devices, since: cause.since)
    }

    static func moment(_ entry: EmotionHistory.Entry, in degrees: TemperatureUnit) -> MoodMoment {
        MoodMoment(
            timestamp: entry.at, emotion: entry.state.primary.rawValue, emotionVector: vector(entry.state.values),
            trigger: entry.trigger?.words.text(in: degrees), triggerEvents: entry.trigger?.events ?? [])
    }

    private static func vector(_ values: EmotionVector) -> [Double] { Emotion.allCases.map { values[$0] } }
}
