import CardeaModel

extension AskHouseBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["query": .text(1...AskHouseBody.maxLength).about("A sentence in plain English")],
        optional: [
            "context": .map(atMost: 32).about(
                "At most 32 members. `conversation`, a text, separates several conversations of one person. `asked_at`, a time, says that the question waited for the house"
            ),
            "include_devices": .boolean.about("False leaves out `events` and `devices`"),
        ])
    public static let example: JSONValue? = ["query": "Who opened the back door yesterday evening?"]
}

extension HouseReplyAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "response": .text().about("A sentence in plain English"),
            "confidence": .number(0...1).about(
                "0 where the house does not know. Under 0.9 where the evidence is uncertain; `response` says why"),
            "context": .answer(
                ["events": .list(of: .id), "devices": .list(of: .deviceID)],
                optional: ["more_events": .integer(from: 1).about("Number of further sources that are not listed")]
            ).about(
                "The ids of the events that the answer is based on, at most 200, and its devices; `more_events` is the number of further events"
            ),
            "suggested_actions": .list(of: .of(SuggestedAction.self)).about(
                "Possible calls, to be sent by the reader in a separate request"),
            "choices": .list(of: .text()).about("The possible meanings, where the house asks back"),
            "what_if": .of(WhatIfBody.self).orNull.about(
                "The body of `POST /api/v1/predictions/what-if` that gives the same result hour by hour; null where nothing was imagined"),
        ],
        optional: [
            "for_interview": .boolean.about("True where the sentence described devices: an interview can add them from the same sentence")
        ])
}

extension SuggestedAction: SchemaRepresentable {
    public static let schema = Schema.answer([
        "words": .text(example: "Turn off the study light").about("The action in words"), "device_id": .deviceID.orNull,
        "entity_id": .entityID.orNull,
        "action": .enumeration(Verb.self).orNull, "value": .anything, "scene_id": .id.orNull.about("For `POST /scenes/{id}/run`"),
        "memory": .text().orNull.about("The text to remember"),
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
            "primary_emotion": .emotion.about("The same as `primary`"), "intensity": .share, "confidence": .share,
            "arousal": .share.about("(excitement + worry) / 2"),
            "valence": .number(-1...1).about("(happiness − worry + excitement − boredom) / 2"),
            "emotion_vector": .vector.about("`[happiness, worry, boredom, excitement]`"), "reasoning": .text().about("In words"),
            "causes": .list(of: .of(CauseAnswer.self)),
        ], optional: ["fading": .list(of: .of(CauseAnswer.self)).about("Ended causes that may still have an effect, the latest first")])
}

extension CauseAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "cause_id": .id, "kind": .enumeration(["health", "interaction", "environment", "tasks", "learning"]), "words": .text(),
        "shares": .vector.about("Its effect on `[happiness, worry, boredom, excitement]`"),
        "events": .list(of: .id).about("The ids of its events"), "devices": .list(of: .deviceID).about("The ids of its devices"),
        "since": .time,
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
