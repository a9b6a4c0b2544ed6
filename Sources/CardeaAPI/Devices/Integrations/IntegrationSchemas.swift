import CardeaModel

extension IntegrationAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "integration": .text(example: "mqtt"), "status": .enumeration(["connected", "connecting", "failed", "off"]), "since": .time,
            "devices": .integer(), "notices": .list(of: .answer(["message": .text()], optional: ["entity_id": .entityID])),
        ], optional: ["reason": .text().about("In words"), "settings": .map().about("Without secrets")])
}

extension IntegrationsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["integrations": .list(of: .of(IntegrationAnswer.self))])
}

extension NearbyAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "status": .enumeration(["looking", "unavailable", "off"]).about("`unavailable` if no Bonjour daemon runs on the hub's machine"),
        "found": .list(of: .of(NearbyThingAnswer.self)), "more": .boolean.about("True if there are more than are listed"),
    ])
}

extension NearbyThingAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "kind": .enumeration(["home-assistant", "homekit", "matter"]), "name": .text(), "host": .text(example: "homeassistant.local"),
            "port": .integer(1...65_535), "advice": .enumeration(["connect", "connected", "through_home_assistant"]),
        ],
        optional: [
            "address": .text(example: "192.168.1.20"),
            "url": .text(example: "http://homeassistant.local:8123").about("The address to connect to"),
            "model": .text(), "category": .text(example: "door lock").about("In words"), "version": .text(example: "2026.11.1"),
            "is_paired": .boolean,
        ])
}

extension MQTTSettingsBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["host": .text(example: "broker.home"), "port": .integer(1...65_535)],
        optional: [
            "tls": .boolean, "ca_pem": .text(), "cert_pem": .text(), "key_pem": .text(), "username": .text(), "password": .text(),
            "client_id": .text(), "discovery_prefix": .text(example: "homeassistant"),
            "announce_locks": .boolean.about("Exports the house's own locks and the number of passes in use to Home Assistant"),
            "announce_last_visitor": .boolean, "allow_lock": .boolean.about("True if Home Assistant may lock them; default true"),
            "allow_open": .boolean.about("True if Home Assistant may unlock them; default false"),
            "frigate_prefix": .text(example: "frigate").about("Frigate's MQTT topic prefix; omitted: Frigate's events are ignored"),
            "codes": .map(of: .text(1...64).orNull, atMost: 200)
                .about("Codes of locks and alarm panels by entity id; omitted codes stay, null deletes one, and codes are never returned"),
        ])
}

extension EndpointSettingsBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["host": .text(example: "broker.example")],
        optional: [
            "port": .integer(1...65_535).about("Default 8883"), "client_id": .text(),
            "cert_pem": .text().about("Omitted: the stored one stays"), "key_pem": .text(),
            "ca_pem": .text().about("CA certificates trusted instead of the system's"),
        ])
}

extension HomeAssistantSettingsBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [
            "url": .text(example: "http://home-assistant.home:8123").about("URL with http, https, ws or wss, a host and an optional port")
        ],
        optional: [
            "token": .text().about("A long-lived access token; omitted: the stored one stays while the address is unchanged"),
            "ca_pem": .text().about("CA certificates trusted instead of the system's; only with https"),
        ])
}

extension VirtualFaultBody: SchemaRepresentable {
    public static let schema = Schema.body(["device_id": .deviceID, "fault": .enumeration(["none", "jam", "silent", "unreachable"])])
    public static let example: JSONValue? = ["device_id": "front-door", "fault": "none"]
}
