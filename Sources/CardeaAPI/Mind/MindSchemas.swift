import CardeaModel

extension AskHouseBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["query": .text(1...AskHouseBody.maxLength)],
        optional: [
            "context": .map(atMost: 32).about(
                "`conversation` (text) separates conversations of one person; with `asked_at` (time), the answer contains no suggestions"),
            "include_devices": .boolean.about("True to return the devices that the answer mentions"),
        ])
    public static let example: JSONValue? = ["query": "Who opened the back door yesterday evening?"]
}

extension HouseReplyAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "response": .text(), "confidence": .number(0...1).about("0 if the house does not know"),
            "context": .answer(
                ["events": .list(of: .id), "devices": .list(of: .deviceID)],
                optional: ["more_events": .integer(from: 1).about("Number of further sources that are not listed")]),
            "suggested_actions": .list(of: .of(SuggestedAction.self)), "choices": .list(of: .text()).about("Possible meanings"),
            "what_if": .of(WhatIfBody.self).orNull.about("Question for the same data by hour"),
        ], optional: ["for_interview": .boolean.about("True if the sentence describes devices that an interview would add")])
}

extension SuggestedAction: SchemaRepresentable {
    public static let schema = Schema.answer([
        "words": .text(example: "Turn off the study light"), "device_id": .deviceID.orNull, "entity_id": .entityID.orNull,
        "action": .enumeration(Verb.self).orNull, "value": .anything, "scene_id": .id.orNull,
        "memory": .text().orNull.about("The fact to remember"),
    ])
}

extension Schema {
    fileprivate static let share = number(0...1)
    fileprivate static let vector = list(of: number(-1...1), 4...4).about("happiness, worry, boredom, excitement")
    fileprivate static let emotion = enumeration(["happiness", "worry", "boredom", "excitement"])
}

extension EmotionalStateAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "happiness": .share, "worry": .share, "boredom": .share, "excitement": .share, "primary": .emotion,
            "primary_emotion": .emotion.about("Alias of primary"), "intensity": .share, "confidence": .share, "arousal": .share,
            "valence": .number(-1...1), "emotion_vector": .vector, "reasoning": .text(), "causes": .list(of: .of(CauseAnswer.self)),
        ], optional: ["fading": .list(of: .of(CauseAnswer.self)).about("Past events that still affect the mood")])
}

extension CauseAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "cause_id": .id, "kind": .enumeration(["health", "interaction", "environment", "tasks", "learning"]), "words": .text(),
        "shares": .vector, "events": .list(of: .id), "devices": .list(of: .deviceID), "since": .time,
    ])
}

extension ConsciousnessAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "status": .enumeration(["active", "inactive", "processing", "sleeping"]), "awareness_level": .share, "awareness": .map(of: .share),
        "emotional_state": .of(EmotionalStateAnswer.self), "active_devices": .integer(from: 0), "safla_loops": .integer(from: 0),
        "last_update": .time,
    ])
}

extension EmotionsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["current": .of(EmotionalStateAnswer.self)], optional: ["history": .list(of: .of(MoodMoment.self))])
}

extension MoodMoment: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["timestamp": .time, "emotion": .emotion, "emotion_vector": .vector, "trigger": .text().orNull],
        optional: ["trigger_events": .list(of: .id).about("Events behind the trigger")])
}
