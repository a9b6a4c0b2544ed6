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
        "status": .enumeration(["looking", "unavailable", "off"]).about("unavailable: no Bonjour daemon on the hub's machine"),
        "found": .list(of: .of(NearbyThingAnswer.self)), "more": .boolean.about("There are more than are listed"),
    ])
}

extension NearbyThingAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "kind": .enumeration(["home-assistant", "homekit", "matter"]), "name": .text(), "host": .text(example: "homeassistant.local"),
            "port": .integer(1...65_535), "advice": .enumeration(["connect", "connected", "through_home_assistant"]),
        ],
        optional: [
            "address": .text(example: "192.168.1.20"), "url": .text(example: "http://homeassistant.local:8123").about("Where to connect"),
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
            "announce_locks": .boolean.about("Tells Home Assistant of the house's own locks, and of how many passes are in use"),
            "announce_last_visitor": .boolean, "allow_lock": .boolean.about("Whether Home Assistant may lock them; true when left out"),
            "allow_open": .boolean.about("Whether it may unlock them; false when left out"),
            "frigate_prefix": .text(example: "frigate").about("Where a Frigate says what it sees; left out, the house does not listen"),
            "codes": .map(of: .text(1...64).orNull, atMost: 200)
                .about("Codes of locks and alarm panels by entity id; what is left out stays, null takes one away, none is ever shown"),
        ])
}

extension EndpointSettingsBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["host": .text(example: "broker.example")],
        optional: [
            "port": .integer(1...65_535).about("8883 where it is left out"), "client_id": .text(),
            "cert_pem": .text().about("Left out, the one before stays"), "key_pem": .text(),
            "ca_pem": .text().about("Whom to trust instead of what the system trusts"),
        ])
}

extension HomeAssistantSettingsBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [
            "url": .text(example: "http://home-assistant.home:8123").about("http, https, ws or wss; a host and perhaps a port")
        ],
        optional: [
            "token": .text().about("A long-lived access token; left out, the one before stays while the address is the same"),
            "ca_pem": .text().about("Whom to trust instead of what the system trusts; with https alone"),
        ])
}

extension VirtualFaultBody: SchemaRepresentable {
    public static let schema = Schema.body(["device_id": .deviceID, "fault": .enumeration(["none", "jam", "silent", "unreachable"])])
    public static let example: JSONValue? = ["device_id": "front-door", "fault": "none"]
}
