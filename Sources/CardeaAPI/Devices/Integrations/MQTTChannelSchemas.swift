import CardeaModel

/// The hub's messages on an MQTT broker. Each device's announcement names the topics of its states and commands.
enum MQTTChannelSchemas {
    static let channels: [String: AsyncAPI.Channel] = [hub, houseChannels, frigateChannels, buttonChannels].reduce(into: [:]) { all, some in
        all.merge(some) { own, _ in own }
    }

    /// Announcements by others, and the states and commands of the announced entities.
    private static let hub: [String: AsyncAPI.Channel] = [
        "presence": AsyncAPI.Channel(
            address: "cardea/status", server: "broker", words: "The hub's availability: retained, QoS 1, and `offline` as its last will.",
            sends: [text("presence", "`online` or `offline`", availability)]),
        "birth": AsyncAPI.Channel(
            address: "{prefix}/status", server: "broker", words: "The birth message of Home Assistant or of a bridge.", parameters: prefix,
            receives: [text("birth", "Devices announce themselves again", .text(example: "online"))]),
        "announcement": announcement("{prefix}/{component}/{object}/config", [:]),
        "announcement_of_node": announcement("{prefix}/{component}/{node}/{object}/config", ["node": "The device's node id"]),
        "state": AsyncAPI.Channel(
            address: "{state_topic}", server: "broker", words: "An entity's state, on the topic of its announcement.",
            parameters: ["state_topic": "Named by the announcement, like availability and attribute topics"],
            receives: [text("state", "Parsed with the announcement's template", .text(example: "LOCKED"))]),
        "picture": AsyncAPI.Channel(
            address: "{picture_topic}", server: "broker", words: "The picture of an image entity, on the topic of its announcement.",
            parameters: ["picture_topic": "Named by the announcement"],
            receives: [
                AsyncAPI.Message(
                    name: "picture", words: "JPEG, PNG, WebP or GIF of at most 4 MiB, or the same in Base64", payload: .text(),
                    contentType: "image/jpeg")
            ]),
        "command": AsyncAPI.Channel(
            address: "{command_topic}", server: "broker",
            words: "A command: sent once, QoS 0, never retained, with an expiry over MQTT 5. Never to `$` topics or the hub's own topics.",
            parameters: ["command_topic": "Named by the announcement"],
            sends: [text("command", "In the announcement's form", .text(example: "UNLOCK"))]),
    ]

    private static let prefix = ["prefix": "`homeassistant`, or the configured prefix"]
    private static let availability = Schema.enumeration(["online", "offline"])

    /// Home Assistant's MQTT discovery; an empty one takes the entity away.
    private static func announcement(_ address: String, _ more: [String: String]) -> AsyncAPI.Channel {
        let parameters = ["component": "`lock`, `cover`, `sensor`, …, or `device` for several at once", "object": "The id of the object"]
        return AsyncAPI.Channel(
            address: address, server: "broker", words: "Home Assistant's MQTT discovery; an empty message removes the entity.",
            parameters: prefix.merging(parameters) { $1 }.merging(more) { $1 },
            receives: [
                AsyncAPI.Message(name: "announcement", words: "The devices and their topics", payload: .map()),
                retainedMessageRemoved,
            ])
    }

    private static func text(_ name: String, _ words: String, _ payload: Schema) -> AsyncAPI.Message {
        AsyncAPI.Message(name: name, words: words, payload: payload, contentType: "text/plain")
    }

    /// The empty message that removes a retained one.
    private static let retainedMessageRemoved = text("taken_back", "The announcement is withdrawn", .constant(""))

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
            AsyncAPI.Message(name: "own_lock", words: "Its state and command topics", payload: lock)),
        "own_lock_state": retainedState(
            "cardea/{house}/{lock}/state", "The state of a lock of the house. Published again after a refused command", lockParameters,
            text("own_lock_state", "`None` if unknown; a pulled latch is `UNLOCKED`", .enumeration(lockPayloads))),
        "own_lock_availability": retainedState(
            "cardea/{house}/{lock}/available", "The availability of a lock of the house", lockParameters,
            text("own_lock_availability", "`online` or `offline`", availability)),
        "own_lock_command": AsyncAPI.Channel(
            address: "cardea/{house}/{lock}/set", server: "broker", words: commandPayloads, parameters: lockParameters,
            receives: [AsyncAPI.Message(name: "own_lock_command", words: "At most 256 bytes", payload: request)]),
        "own_sensor": retainedState(
            "{prefix}/sensor/cardea_{house}/{sensor}/config",
            "A sensor of the house, announced by Home Assistant's MQTT discovery",
            announcedSensor, AsyncAPI.Message(name: "own_sensor", words: "Its state topic", payload: sensor)),
        "passes_in_use": retainedState(
            "cardea/{house}/passes/state", "The number of passes in use", houseParameters,
            text("passes_in_use", "A whole number", .text(matching: "^[0-9]+$", example: "1"))),
        "last_visitor": retainedState(
            "cardea/{house}/last_visitor/state", "The guest who last used a pass, if `announce_last_visitor` is set", houseParameters,
            text("last_visitor", "The pass's name; `None` if no pass was used", .text(example: "Plumber"))),
    ]

    private static let houseParameters = ["house": "The first twelve characters of the house's id"]
    private static let lockParameters = houseParameters.merging(["lock": "The entity's id in lower-case letters, digits and `_`"]) {
        $1
    }
    private static let announcedLock = prefix.merging(lockParameters) { $1 }
    private static let announcedSensor = prefix.merging(houseParameters) { $1 }.merging(["sensor": "`passes` or `last_visitor`"]) { $1 }

    private static let lockPayloads = ["LOCKED", "UNLOCKED", "LOCKING", "UNLOCKING", "JAMMED", "None"]
    private static let commandPayloads =
        "A command to a lock of the house, never retained. The access rules decide, within what the owner allows Home Assistant"
        + " (`allow_lock`, `allow_open`). A command that is retained, unreadable or out of date is refused and recorded;"
        + " a repeated command does nothing."

    private static let request = partialObject([
        "do": .enumeration(["LOCK", "UNLOCK", "OPEN"]),
        "at": .number().about("Unix time of the command in seconds, at most 10 s from the hub's clock"),
    ])

    /// A channel whose message the broker retains until the hub removes it.
    private static func retainedState(
        _ address: String, _ words: String, _ parameters: [String: String], _ message: AsyncAPI.Message
    ) -> AsyncAPI.Channel {
        AsyncAPI.Channel(
            address: address, server: "broker", words: "\(words): retained, QoS 1; an empty message removes it.", parameters: parameters,
            sends: [message, retainedMessageRemoved])
    }

    private static let lock = Schema.answer(
        [
            "name": .text().orNull.about("null if it has its device's name"), "unique_id": .text(),
            "command_topic": .text().about("The topic of `own_lock_command`"),
            "state_topic": .text().about("The topic of `own_lock_state`"),
            "command_template": .text().about(
                "Template that turns Home Assistant's command into the payload, with the time of the command"),
            "retain": .constant(false), "optimistic": .constant(false), "availability": places, "availability_mode": .constant("all"),
            "device": .answer(
                ["identifiers": .list(of: .text()), "name": .text(), "via_device": .text().about("The hub's device entry")],
                optional: ["manufacturer": .text(), "model": .text(), "suggested_area": .text().about("The room of the lock")]),
            "origin": origin,
        ], optional: ["payload_open": .constant("OPEN").about("Only for locks with a latch")])

    private static let sensor = Schema.answer([
        "name": .text(), "unique_id": .text(), "state_topic": .text().about("State of `passes_in_use` or `last_visitor`"), "icon": .text(),
        "availability": places, "origin": origin,
        "device": .answer([
            "identifiers": .list(of: .text()), "name": .text().about("The house's name"), "manufacturer": .constant("Cardea"),
            "model": .constant("Hub"),
        ]),
    ])

    private static let places = Schema.list(of: .answer(["topic": .text()])).about("Availability of `presence`, and of a lock itself")
    private static let origin = Schema.answer(["name": .constant("Cardea")])
}

// MARK: Frigate

extension MQTTChannelSchemas {
    /// Messages of a Frigate about its detections, received if `frigate_prefix` is set.
    private static let frigateChannels: [String: AsyncAPI.Channel] = [
        "frigate_available": frigateObject(
            "{frigate}/available", "Frigate's availability",
            text("frigate_available", "Other values are ignored", .enumeration(["online", "offline", "stopped"]))),
        "frigate_events": frigateObject(
            "{frigate}/events", "Each object that Frigate tracks, retained or not",
            AsyncAPI.Message(name: "frigate_event", words: "At most 64 KiB", payload: change(frigateEvent))),
        "frigate_reviews": frigateObject(
            "{frigate}/reviews", "Frigate's review items",
            AsyncAPI.Message(name: "frigate_review", words: "At most 64 KiB", payload: change(review))),
        "frigate_snapshot": frigateObject(
            "{frigate}/{camera}/{label}/snapshot", "A picture of a tracked object; retained messages are ignored",
            AsyncAPI.Message(
                name: "frigate_snapshot", words: "A JPEG of at most 1 MiB", payload: .text(), contentType: "image/jpeg"),
            ["camera": "Frigate's camera name", "label": "The object's label"]),
    ]

    private static func frigateObject(
        _ address: String, _ words: String, _ message: AsyncAPI.Message, _ more: [String: String] = [:]
    ) -> AsyncAPI.Channel {
        AsyncAPI.Channel(
            address: address, server: "broker", words: "\(words).",
            parameters: ["frigate": "The configured prefix; without one, Frigate's topics are not subscribed"].merging(more) { $1 },
            receives: [message])
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
            "false_positive": .boolean.about("`true` withdraws it"),
            "sub_label": .either(.text().orNull, .list(of: .anything)).about("The recognised person or object, with or without a score"),
            "entered_zones": names, "current_zones": names, "top_score": .number().orNull.about("0 to 1"), "score": .number().orNull,
        ])

    private static let review = partialObject(
        ["id": .text(1...64), "camera": .text(1...64), "start_time": moment, "severity": .text(example: "alert")],
        optional: [
            "data": partialObject(
                [:],
                optional: [
                    "detections": names.about("Ids of its detections"), "objects": names, "audio": names.about("Audio label"),
                    "zones": names,
                ])
        ])
}

// MARK: Buttons

extension MQTTChannelSchemas {
    private static let buttonPayloads =
        "A button's message: once per press, QoS 1, never retained; over MQTT 5 with an expiry of at most 5 s, and the press's id"
        + " as the user property `cardea-command-id`. Sent to this broker, or to the separate broker for buttons."

    private static let buttonChannels: [String: AsyncAPI.Channel] = [
        "button": AsyncAPI.Channel(
            address: "{button_topic}", server: "broker",
            words: buttonPayloads,
            parameters: ["button_topic": "From the button's settings"],
            sends: [
                text("press", "The configured payload; the first `%T` is replaced by the encrypted time", .text(example: "open")),
                AsyncAPI.Message(
                    name: "signed_press", words: "The payload in a signed envelope that the device can verify",
                    payload: .answer([
                        "command": .text().about("The configured payload"), "device": .text().about("The topic"),
                        "id": .id.about("Id of this press"),
                        "time": .seconds, "mac": .text(matching: "^[0-9a-f]{64}$", example: String(repeating: "0", count: 64)),
                    ])),
            ]),
        "button_answer": AsyncAPI.Channel(
            address: "{button_state_topic}", server: "broker", words: "The topic on which the device confirms a button's message.",
            parameters: ["button_state_topic": "From the button's settings"],
            receives: [
                text("done", "The configured confirmation, or any message if none is configured", .text()),
                AsyncAPI.Message(
                    name: "signed_done", words: "A signed message is confirmed by its id", payload: partialObject(["id": .id])),
            ]),
    ]
}
