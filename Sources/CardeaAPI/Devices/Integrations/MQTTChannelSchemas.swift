import CardeaModel

/// The hub's messages on an MQTT broker. Each device's announcement names the topics of its states and commands.
enum MQTTChannelSchemas {
    static let channels: [String: AsyncAPI.Channel] = [hub, houseChannels, frigateChannels, buttonChannels].reduce(into: [:]) { all, some in
        all.merge(some) { mine, _ in mine }
    }

    /// Announcements by others, and the states and commands of the announced entities.
    private static let hub: [String: AsyncAPI.Channel] = [
        "presence": AsyncAPI.Channel(
            address: "cardea/status", server: "broker", words: "Whether the hub is there: retained, QoS 1, and `offline` as its last will.",
            sends: [text("presence", "The hub is there, or is not", availability)]),
        "birth": AsyncAPI.Channel(
            address: "{prefix}/status", server: "broker", words: "Whoever announces devices comes back.", parameters: prefix,
            receives: [text("birth", "Announcements follow", .text(example: "online"))]),
        "announcement": announcement("{prefix}/{component}/{object}/config", [:]),
        "announcement_of_node": announcement("{prefix}/{component}/{node}/{object}/config", ["node": "Whose it is"]),
        "state": AsyncAPI.Channel(
            address: "{state_topic}", server: "broker", words: "What an entity says, on the topic its announcement named.",
            parameters: ["state_topic": "From the announcement, as are availability and attribute topics"],
            receives: [text("state", "Read by the announcement's template", .text(example: "LOCKED"))]),
        "picture": AsyncAPI.Channel(
            address: "{picture_topic}", server: "broker", words: "The picture of an image entity, on the topic its announcement named.",
            parameters: ["picture_topic": "From the announcement"],
            receives: [
                AsyncAPI.Message(
                    name: "picture", words: "JPEG, PNG, WebP or GIF of at most 4 MiB, or the same in Base64", payload: .text(),
                    contentType: "image/jpeg")
            ]),
        "command": AsyncAPI.Channel(
            address: "{command_topic}", server: "broker",
            words: "An order: once, QoS 0, never retained, with an expiry over MQTT 5. Never to `$` topics, nor to the hub's own.",
            parameters: ["command_topic": "From the announcement"],
            sends: [text("command", "As the announcement writes it", .text(example: "UNLOCK"))]),
    ]

    private static let prefix = ["prefix": "`homeassistant`, or what the settings say"]
    private static let availability = Schema.enumeration(["online", "offline"])

    /// Home Assistant's MQTT discovery; an empty one takes the entity away.
    private static func announcement(_ address: String, _ more: [String: String]) -> AsyncAPI.Channel {
        let parameters = ["component": "`lock`, `cover`, `sensor`, …, or `device` for several at once", "object": "Which one"]
        return AsyncAPI.Channel(
            address: address, server: "broker", words: "Home Assistant's MQTT discovery; an empty one takes the entity away.",
            parameters: prefix.merging(parameters) { $1 }.merging(more) { $1 },
            receives: [
                AsyncAPI.Message(name: "announcement", words: "What there is, and on which topics", payload: .map()),
                retainedMessageRemoved,
            ])
    }

    private static func text(_ name: String, _ words: String, _ payload: Schema) -> AsyncAPI.Message {
        AsyncAPI.Message(name: name, words: words, payload: payload, contentType: "text/plain")
    }

    /// The empty message that removes a retained one.
    private static let retainedMessageRemoved = text("taken_back", "It is announced no more", .constant(""))

    /// An object from another system, of which only some members are read.
    private static func partialObject(
        _ always: KeyValuePairs<String, Schema>, optional: KeyValuePairs<String, Schema> = [:]
    ) -> Schema {
        .both(.answer(always, optional: optional), .map())
    }
}

// MARK: The house's own

extension MQTTChannelSchemas {
    /// Channels of the house's own locks and sensors for Home Assistant, used if `announce_locks` is set, with the commands to these locks.
    private static let houseChannels: [String: AsyncAPI.Channel] = [
        "own_lock": retainedState(
            "{prefix}/lock/cardea_{house}/{lock}/config", "A lock of the house, announced by Home Assistant's MQTT discovery",
            announcedLock,
            AsyncAPI.Message(name: "own_lock", words: "Where it says how it is, and is asked", payload: lock)),
        "own_lock_state": retainedState(
            "cardea/{house}/{lock}/state", "How a lock of the house is. Said again where a command was turned down", lockParameters,
            text("own_lock_state", "`None` where nobody knows; a latch that is pulled is `UNLOCKED`", .enumeration(lockPayloads))),
        "own_lock_availability": retainedState(
            "cardea/{house}/{lock}/available", "Whether a lock of the house is in reach", lockParameters,
            text("own_lock_availability", "It is in reach, or is not", availability)),
        "own_lock_command": AsyncAPI.Channel(
            address: "cardea/{house}/{lock}/set", server: "broker", words: commandPayloads, parameters: lockParameters,
            receives: [AsyncAPI.Message(name: "own_lock_command", words: "At most 256 bytes", payload: request)]),
        "own_sensor": retainedState(
            "{prefix}/sensor/cardea_{house}/{sensor}/config",
            "What the house counts or names, announced by Home Assistant's MQTT discovery",
            announcedSensor, AsyncAPI.Message(name: "own_sensor", words: "Where it is said", payload: sensor)),
        "passes_in_use": retainedState(
            "cardea/{house}/passes/state", "How many passes are in use", houseParameters,
            text("passes_in_use", "A whole number", .text(matching: "^[0-9]+$", example: "1"))),
        "last_visitor": retainedState(
            "cardea/{house}/last_visitor/state", "Who last used a pass, where `announce_last_visitor` says so", houseParameters,
            text("last_visitor", "The pass's name; `None` where nobody did", .text(example: "Plumber"))),
    ]

    private static let houseParameters = ["house": "The first twelve letters and digits of the house's id"]
    private static let lockParameters = houseParameters.merging(["lock": "Which one: its entity's id in small letters, digits and `_`"]) {
        $1
    }
    private static let announcedLock = prefix.merging(lockParameters) { $1 }
    private static let announcedSensor = prefix.merging(houseParameters) { $1 }.merging(["sensor": "`passes` or `last_visitor`"]) { $1 }

    private static let lockPayloads = ["LOCKED", "UNLOCKED", "LOCKING", "UNLOCKING", "JAMMED", "None"]
    private static let commandPayloads =
        "What is to be done with a lock of the house, never retained: asked of the gate, as far as the owner lets Home Assistant"
        + " (`allow_lock`, `allow_open`). What the broker kept, nobody can read or was asked at another time is turned down, on record;"
        + " what comes once more does nothing."

    private static let request = partialObject([
        "do": .enumeration(["LOCK", "UNLOCK", "OPEN"]),
        "at": .number().about("Unix seconds when it was asked, at most 10 from the hub's clock"),
    ])

    /// A channel whose message the broker retains until the hub removes it.
    private static func retainedState(
        _ address: String, _ words: String, _ parameters: [String: String], _ message: AsyncAPI.Message
    ) -> AsyncAPI.Channel {
        AsyncAPI.Channel(
            address: address, server: "broker", words: "\(words): retained, QoS 1; an empty one takes it back.", parameters: parameters,
            sends: [message, retainedMessageRemoved])
    }

    private static let lock = Schema.answer(
        [
            "name": .text().orNull.about("null where it is called like its device"), "unique_id": .text(),
            "command_topic": .text().about("Of `own_lock_command`"), "state_topic": .text().about("Of `own_lock_state`"),
            "command_template": .text().about("Makes of Home Assistant's word what is heard there, with the moment it was asked"),
            "retain": .constant(false), "optimistic": .constant(false), "availability": places, "availability_mode": .constant("all"),
            "device": .answer(
                ["identifiers": .list(of: .text()), "name": .text(), "via_device": .text().about("The hub, as its sensors name it")],
                optional: ["manufacturer": .text(), "model": .text(), "suggested_area": .text().about("Its room")]),
            "origin": origin,
        ], optional: ["payload_open": .constant("OPEN").about("Where it has a latch that can be pulled")])

    private static let sensor = Schema.answer([
        "name": .text(), "unique_id": .text(), "state_topic": .text().about("Of `passes_in_use` or `last_visitor`"), "icon": .text(),
        "availability": places, "origin": origin,
        "device": .answer([
            "identifiers": .list(of: .text()), "name": .text().about("The house's"), "manufacturer": .constant("Cardea"),
            "model": .constant("Hub"),
        ]),
    ])

    private static let places = Schema.list(of: .answer(["topic": .text()])).about("Of `presence`, and a lock's own")
    private static let origin = Schema.answer(["name": .constant("Cardea")])
}

// MARK: Frigate

extension MQTTChannelSchemas {
    /// Messages of a Frigate about its detections, received if `frigate_prefix` is set.
    private static let frigateChannels: [String: AsyncAPI.Channel] = [
        "frigate_available": frigateObject(
            "{frigate}/available", "Whether Frigate is there",
            text("frigate_available", "Any other word is passed over", .enumeration(["online", "offline", "stopped"]))),
        "frigate_events": frigateObject(
            "{frigate}/events", "Each thing that Frigate follows, kept by the broker or not",
            AsyncAPI.Message(name: "frigate_event", words: "At most 64 KiB", payload: change(frigateEvent))),
        "frigate_reviews": frigateObject(
            "{frigate}/reviews", "What Frigate thinks should be looked at",
            AsyncAPI.Message(name: "frigate_review", words: "At most 64 KiB", payload: change(review))),
        "frigate_snapshot": frigateObject(
            "{frigate}/{camera}/{label}/snapshot", "A picture of what is followed there just now; one that the broker kept is passed over",
            AsyncAPI.Message(
                name: "frigate_snapshot", words: "The picture's bytes, at most 1 MiB", payload: .text(), contentType: "image/jpeg"),
            ["camera": "Frigate's name of it", "label": "What is in the picture"]),
    ]

    private static func frigateObject(
        _ address: String, _ words: String, _ message: AsyncAPI.Message, _ more: [String: String] = [:]
    ) -> AsyncAPI.Channel {
        AsyncAPI.Channel(
            address: address, server: "broker", words: "\(words).",
            parameters: ["frigate": "What the settings say; without them none of it is heard"].merging(more) { $1 }, receives: [message])
    }

    private static func change(_ after: Schema) -> Schema {
        partialObject(["type": .enumeration(["new", "update", "end"]), "after": after])
    }

    private static let names = Schema.list(of: .text())
    /// Unix seconds, as Frigate counts them.
    private static let moment = Schema.number(0...9_999_999_999).about("Unix seconds")

    private static let frigateEvent = partialObject(
        ["id": .text(1...64), "camera": .text(1...64), "label": .text(), "start_time": moment],
        optional: [
            "false_positive": .boolean.about("true: it is taken back"),
            "sub_label": .either(.text().orNull, .list(of: .anything)).about("Whom or what it recognised, with or without a score"),
            "entered_zones": names, "current_zones": names, "top_score": .number().orNull.about("0 to 1"), "score": .number().orNull,
        ])

    private static let review = partialObject(
        ["id": .text(1...64), "camera": .text(1...64), "start_time": moment, "severity": .text(example: "alert")],
        optional: [
            "data": partialObject(
                [:],
                optional: [
                    "detections": names.about("The ids of what belongs to it"), "objects": names, "audio": names.about("What was heard"),
                    "zones": names,
                ])
        ])
}

// MARK: Buttons

extension MQTTChannelSchemas {
    private static let buttonPayloads =
        "What a button says: once for each press, QoS 1, never retained; over MQTT 5 with an expiry of at most 5 s, and the press's number"
        + " as the user property `cardea-command-id`. On this broker, or on the one that is there for buttons alone."

    private static let buttonChannels: [String: AsyncAPI.Channel] = [
        "button": AsyncAPI.Channel(
            address: "{button_topic}", server: "broker",
            words: buttonPayloads,
            parameters: ["button_topic": "From the button's page"],
            sends: [
                text("press", "What was typed; the first `%T` became the encrypted moment", .text(example: "open")),
                AsyncAPI.Message(
                    name: "signed_press", words: "The same in an envelope that the device can check",
                    payload: .answer([
                        "command": .text().about("What was typed"), "device": .text().about("The topic"), "id": .id.about("Of this press"),
                        "time": .seconds, "mac": .text(matching: "^[0-9a-f]{64}$", example: String(repeating: "0", count: 64)),
                    ])),
            ]),
        "button_answer": AsyncAPI.Channel(
            address: "{button_state_topic}", server: "broker", words: "Where the device behind a button says that it has done it.",
            parameters: ["button_state_topic": "From the button's page"],
            receives: [
                text("done", "What the page says, or anything where it says nothing", .text()),
                AsyncAPI.Message(
                    name: "signed_done", words: "What was signed is answered by its number", payload: partialObject(["id": .id])),
            ]),
    ]
}
