import CardeaModel

/// Messages on `/api/v1/realtime`, from clients and from the hub.
enum RealtimeMessageSchemas {
    static let fromClients = [
        AsyncAPI.Message(
            name: "subscribe", words: "Sent first, within 10 s; again at any time, to change the subscription",
            payload: .body(
                ["type": .constant("subscribe")],
                optional: [
                    "ticket": .text().about("If the upgrade carried no token; valid once"),
                    "after": .sequence.about("The last known event; null requests a snapshot"),
                    "kinds": names(64).about("Event types; default: all"), "devices": names(1000), "rooms": names(1000),
                ])),
        AsyncAPI.Message(name: "ping", words: "Answered with `pong`", payload: .body(["type": .constant("ping")])),
        AsyncAPI.Message(
            name: "init", words: "Instead of `subscribe`: from then on the hub sends only the messages named source_…",
            payload: .body(
                ["type": .constant("init")],
                optional: [
                    "ticket": .text().about("If the upgrade carried no token; valid once"),
                    "data": .answer(optional: ["subscriptions": .list(of: .text()).about("Default: all; unknown ones are ignored")]),
                ])),
    ]

    static let fromHub =
        [
            message("subscribed", "Events follow from here; `seq` is the latest sequence number", ["seq": .sequence]),
            message("pong", "Response to `ping`", [:]),
            message(
                "error", "The message was not understood; the connection stays open",
                ["code": .enumeration(["validation_error", "unknown_message"]), "message": .text()]),
        ] + inStream + inSourceFormat

    static let inStream =
        [
            message("gap", "The events in between are no longer stored; a snapshot follows", ["from": .sequence, "to": .sequence]),
            message(
                "snapshot", "The present state of everything that the subscriber may see",
                ["seq": .sequence, "devices": .list(of: .of(DeviceAnswer.self)), "timestamp": .time]),
        ] + RealtimeEvent.allCases.map { AsyncAPI.Message(name: $0.rawValue, words: $0.summary, payload: $0.schema) }

    /// The hub's messages after `init`: `{type, data, timestamp}`.
    private static let inSourceFormat = [
        source(
            "init_complete", "Response to `init`: all events follow from here",
            .answer(["client_id": .text(), "subscriptions": .list(of: .enumeration(["consciousness", "devices", "interview"]))])),
        source("pong", "Response to `ping`", .answer()),
        source("error", "The message was not understood; the connection stays open", .answer(["message": .text()])),
        source(RealtimeEvent.deviceUpdate, changed),
        source(RealtimeEvent.deviceRemoved, .of(DeviceRemovedData.self)),
        source("batch_device_update", "At most 64 devices that changed together", .answer(["devices": .list(of: changed)])),
        source("status_update", "The house's mood, whenever it changes", .of(ConsciousnessAnswer.self)),
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
