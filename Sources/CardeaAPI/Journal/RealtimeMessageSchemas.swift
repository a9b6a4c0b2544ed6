import CardeaModel

/// Messages on `/api/v1/realtime`, from clients and from the hub.
enum RealtimeMessageSchemas {
    static let fromClients = [
        AsyncAPI.Message(
            name: "subscribe", words: "First, within 10 s; again at any time, to hear something else",
            payload: .body(
                ["type": .constant("subscribe")],
                optional: [
                    "ticket": .text().about("Where no token came with the upgrade; good once"),
                    "after": .sequence.about("The last event that is known; null asks for a snapshot"),
                    "kinds": names(64).about("Types of events; left out: all"), "devices": names(1000), "rooms": names(1000),
                ])),
        AsyncAPI.Message(name: "ping", words: "Answered by `pong`", payload: .body(["type": .constant("ping")])),
        AsyncAPI.Message(
            name: "init", words: "In place of `subscribe`: from then on the hub says the messages called source_… alone",
            payload: .body(
                ["type": .constant("init")],
                optional: [
                    "ticket": .text().about("Where no token came with the upgrade; good once"),
                    "data": .answer(optional: ["subscriptions": .list(of: .text()).about("Left out: all; unknown ones are passed over")]),
                ])),
    ]

    static let fromHub =
        [
            message("subscribed", "From here on events are told; `seq` is the latest row", ["seq": .sequence]),
            message("pong", "The answer to `ping`", [:]),
            message(
                "error", "The message was not understood; the socket stays",
                ["code": .enumeration(["validation_error", "unknown_message"]), "message": .text()]),
        ] + inStream + inSourceFormat

    static let inStream =
        [
            message("gap", "What happened between is told no longer; a snapshot follows", ["from": .sequence, "to": .sequence]),
            message(
                "snapshot", "Everything the listener sees, as it stands",
                ["seq": .sequence, "devices": .list(of: .of(DeviceAnswer.self)), "timestamp": .time]),
        ] + RealtimeEvent.allCases.map { AsyncAPI.Message(name: $0.rawValue, words: $0.summary, payload: $0.schema) }

    /// The hub's messages after `init`: `{type, data, timestamp}`.
    private static let inSourceFormat = [
        source(
            "init_complete", "The answer to `init`: everything that happens from here on is told",
            .answer(["client_id": .text(), "subscriptions": .list(of: .enumeration(["consciousness", "devices", "interview"]))])),
        source("pong", "The answer to `ping`", .answer()),
        source("error", "The message was not understood; the socket stays", .answer(["message": .text()])),
        source(RealtimeEvent.deviceUpdate, changed),
        source(RealtimeEvent.deviceRemoved, .of(DeviceRemovedData.self)),
        source("batch_device_update", "Devices that changed together, at most 64", .answer(["devices": .list(of: changed)])),
        source("status_update", "How the house is, whenever it is otherwise than it said last", .of(ConsciousnessAnswer.self)),
        source(RealtimeEvent.consciousnessQuery, RealtimeEvent.consciousnessQuery.data),
        source(RealtimeEvent.interviewUpdate, RealtimeEvent.interviewUpdate.data),
    ]

    private static let changed = Schema.answer(["device_id": .deviceID, "device": .of(DeviceDTO.self)])

    private static func source(_ event: RealtimeEvent, _ data: Schema) -> AsyncAPI.Message { source(event.rawValue, event.summary, data) }

    private static func source(_ type: String, _ words: String, _ data: Schema) -> AsyncAPI.Message {
        AsyncAPI.Message(
            name: "source_\(type)", words: "After `init`. \(words)",
            payload: .answer(["type": .constant(.string(type)), "data": data, "timestamp": .time]))
    }

    private static func message(_ type: String, _ words: String, _ fields: KeyValuePairs<String, Schema>) -> AsyncAPI.Message {
        AsyncAPI.Message(name: type, words: words, payload: .both(.answer(["type": .constant(.string(type))]), .answer(fields)))
    }

    private static func names(_ most: Int) -> Schema { .list(of: .text(), 0...most) }
}
