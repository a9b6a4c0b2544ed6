import CardeaModel

/// What is said on `/api/v1/realtime`, by either side.
enum RealtimeWords {
    static let ofClients = [
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
    ]

    static let ofHub =
        [
            plain("subscribed", "From here on events are told; `seq` is the latest row", ["seq": .sequence]),
            plain("pong", "The answer to `ping`", [:]),
            plain(
                "error", "The message was not understood; the socket stays",
                ["code": .words(["validation_error", "unknown_message"]), "message": .text()]),
        ] + ofStream

    static let ofStream =
        [
            plain("gap", "What happened between is told no longer; a snapshot follows", ["from": .sequence, "to": .sequence]),
            plain(
                "snapshot", "Everything the listener sees, as it stands",
                ["seq": .sequence, "devices": .list(of: .of(DeviceAnswer.self)), "timestamp": .time]),
        ] + RealtimeEvent.allCases.map { AsyncAPI.Message(name: $0.rawValue, words: $0.words, payload: $0.schema) }

    private static func plain(_ type: String, _ words: String, _ fields: KeyValuePairs<String, Schema>) -> AsyncAPI.Message {
        AsyncAPI.Message(name: type, words: words, payload: .both(.answer(["type": .constant(.string(type))]), .answer(fields)))
    }

    private static func names(_ most: Int) -> Schema { .list(of: .text(), 0...most) }
}
