import CardeaModel

/// Realtime events, and the messages that the hub sends and receives on an MQTT broker, as an AsyncAPI 3.0 document.
public enum AsyncAPI {
    public static var document: JSONValue {
        [
            "asyncapi": "3.0.0",
            "info": [
                "title": "Cardea", "version": .string(ProtocolHistory.latest.name),
                "description": "Events of the house, and its devices over MQTT. The HTTP API is described in /openapi.json.",
                "license": ["name": "Apache-2.0"],
            ],
            "servers": [
                "hub": [
                    "host": "hub", "protocol": "wss", "description": "This hub; `ws` only on its own machine",
                    "security": [["$ref": "#/components/securitySchemes/bearer"]],
                ],
                "broker": [
                    "host": "broker", "protocol": "mqtt", "protocolVersion": "5",
                    "description": "The configured MQTT broker; MQTT 3.1.1 is supported too",
                ],
            ],
            "channels": .object(channels.mapValues(\.json)),
            "operations": .object(operations),
            "components": [
                "schemas": OpenAPI.schemas(channels.values.flatMap { $0.messages.map(\.payload) }),
                "securitySchemes": [
                    "bearer": [
                        "type": "http", "scheme": "bearer",
                        "description": "An access token, an API token or a pass token. Browsers send a ticket in `subscribe` instead.",
                    ]
                ],
            ],
        ]
    }

    static let channels: [String: Channel] = [
        "realtime": Channel(
            address: "/api/v1/realtime", server: "hub", words: "WebSocket, version 13, without extensions.",
            receives: RealtimeMessageSchemas.fromClients, sends: RealtimeMessageSchemas.fromHub),
        "stream": Channel(
            address: "/api/v1/realtime/events", server: "hub",
            words: "Server-sent events: `id` is the row's number, `event` the type. `Last-Event-ID` resumes.",
            sends: RealtimeMessageSchemas.inStream),
    ].merging(MQTTChannelSchemas.channels) { own, _ in own }

    private static var operations: [String: JSONValue] {
        channels.reduce(into: [:]) { operations, channel in
            for (action, messages) in [("receive", channel.value.receives), ("send", channel.value.sends)] where !messages.isEmpty {
                let place = "#/channels/\(channel.key)"
                operations["\(action)_\(channel.key)"] = [
                    "action": .string(action), "channel": ["$ref": .string(place)], "summary": .string(channel.value.words),
                    "messages": .array(messages.map { ["$ref": .string("\(place)/messages/\($0.name)")] }),
                ]
            }
        }
    }
}

extension AsyncAPI {
    struct Message {
        let name: String
        let words: String
        let payload: Schema
        var contentType = "application/json"

        var json: JSONValue {
            ["name": .string(name), "summary": .string(words), "contentType": .string(contentType), "payload": payload.json]
        }
    }

    /// The address of messages, with those that the hub receives and sends there.
    struct Channel {
        let address: String
        let server: String
        let words: String
        /// Descriptions of the parameters in braces in the address.
        var parameters: [String: String] = [:]
        var receives: [Message] = []
        var sends: [Message] = []

        var messages: [Message] { receives + sends }

        var json: JSONValue {
            var json: [String: JSONValue] = [
                "address": .string(address), "description": .string(words), "servers": [["$ref": .string("#/servers/\(server)")]],
                "messages": .object(Dictionary(messages.map { ($0.name, $0.json) }) { first, _ in first }),
            ]
            if !parameters.isEmpty { json["parameters"] = .object(parameters.mapValues { ["description": .string($0)] }) }
            return .object(json)
        }
    }
}
