import CardeaModel

extension IntegrationAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "integration": .text(example: "mqtt"), "status": .enumeration(["connected", "connecting", "failed", "off"]),
            "since": .time.about("When the status last changed"),
            "devices": .integer().about("The number of its devices"),
            "notices": .list(of: .answer(["message": .text()], optional: ["entity_id": .entityID])),
        ], optional: ["reason": .text().about("In words"), "settings": .map().about("Without secrets")])
}

extension IntegrationsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["integrations": .list(of: .of(IntegrationAnswer.self))])
}

extension NearbyAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "status": .enumeration(["looking", "unavailable", "off"]).about("`unavailable` if no Bonjour daemon runs on the hub's machine"),
        "found": .list(of: .of(NearbyServiceAnswer.self)), "more": .boolean.about("True if there are more than are listed"),
    ])
}

extension NearbyServiceAnswer: SchemaRepresentable {
    public static let schemaName = "NearbyThingAnswer"
    public static let schema = Schema.answer(
        [
            "kind": .enumeration(["home-assistant", "homekit", "matter"]), "name": .text(), "host": .text(example: "homeassistant.local"),
            "port": .integer(1...65_535), "advice": .enumeration(["connect", "connected", "through_home_assistant"]),
        ],
        optional: [
            "address": .text(example: "192.168.1.20"),
            "url": .text(example: "http://homeassistant.local:8123").about("The address to connect to"),
            "model": .text(), "category": .text(example: "door lock").about("HomeKit's, in words"), "version": .text(example: "2026.11.1"),
            "is_paired": .boolean,
        ])
}

extension MQTTSettingsBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["host": .text(example: "broker.home"), "port": .integer(1...65_535)],
        optional: [
            "tls": .boolean, "ca_pem": .text().about("As `password`: the certificate authority to trust instead of the system's"),
            "cert_pem": .text().about("As `password`: the client certificate"), "key_pem": .text().about("As `password`: its private key"),
            "username": .text(), "password": .text().about("Omitted: stays while host, port and `tls` do. Empty: removed"),
            "client_id": .text(),
            "discovery_prefix": .text(example: "homeassistant").about("`homeassistant` by default. Slashes around it are removed"),
            "announce_locks": .boolean.about(
                "False by default. Announces the house's own locks and the number of passes in use to Home Assistant, by MQTT discovery"),
            "announce_last_visitor": .boolean.about("False by default. Announces the last user of a pass"),
            "allow_lock": .boolean.about("True by default: Home Assistant may lock the announced locks"),
            "allow_open": .boolean.about("False by default: Home Assistant may unlock and open them"),
            "frigate_prefix": .text(example: "frigate").about(
                "The topic prefix of a Frigate on that broker. Omitted or empty: none. Slashes at its end are removed"),
            "codes": .map(of: .text(1...64).orNull, atMost: 200).about(
                "`{entity_id: code}` of locks and alarm panels, sent with each command that needs one. An omitted code stays, null removes one"
            ),
        ])
}

extension EndpointSettingsBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["host": .text(example: "broker.example")],
        optional: [
            "port": .integer(1...65_535).about("8883 by default"), "client_id": .text(),
            "cert_pem": .text().about("The client certificate. Omitted: stays while the broker is the same"),
            "key_pem": .text().about("Its private key. Omitted: stays while the broker is the same"),
            "ca_pem": .text().about("The certificate authority to trust instead of the system's"),
        ])
}

extension HomeAssistantSettingsBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [
            "url": .text(example: "http://home-assistant.home:8123").about(
                "`http`, `https`, `ws` or `wss` with a host and perhaps a port; no user name, path or query")
        ],
        optional: [
            "token": .text().about("A long-lived access token. It is stored encrypted and never shown"),
            "ca_pem": .text().about("With `https` only: the certificate authority to trust instead of the system's. Empty: removed"),
        ])
}

extension VirtualFaultBody: SchemaRepresentable {
    public static let schema = Schema.body(["device_id": .deviceID, "fault": .enumeration(["none", "jam", "silent", "unreachable"])])
    public static let example: JSONValue? = ["device_id": "front-door", "fault": "none"]
}
