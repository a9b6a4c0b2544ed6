import CardeaModel

extension AddCameraBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["name": .name, "source": .of(CameraSourceBody.self)],
        optional: ["detection": .of(CameraDetectionBody.self), "is_enabled": .boolean])
    public static let example: JSONValue? = [
        "name": "Front door",
        "source": ["kind": "rtsp", "url": "rtsp://192.168.1.20:554/stream1", "username": "cardea", "password": "a long one"],
        "detection": ["motion": true, "sensitivity": 50, "zones": []],
    ]
}

extension ChangeCameraBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "name": .name, "source": .of(CameraSourceBody.self), "detection": .of(CameraDetectionBody.self), "is_enabled": .boolean,
    ])
    public static let example: JSONValue? = ["is_enabled": false]
}

extension CameraSourceBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [
            "kind": .enumeration(CameraKind.self),
            "url": .text(1...CameraAddress.maximumLength, example: "rtsp://192.168.1.20:554/stream1").about(
                "Neither loopback nor link-local; for frigate and home_assistant, the address of their server"),
        ],
        optional: [
            "username": .text(1...512), "password": .text(1...512),
            "camera": .text(1...128, example: "front_door").about("The camera's name at Frigate or Home Assistant"),
            "token": .text(1...512).about("A long-lived access token; only for home_assistant"),
        ])
}

extension CameraDetectionBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "motion": .boolean.about("Only for rtsp"), "sensitivity": .integer(1...100),
        "zones": .list(
            of: .body([
                "name": .name, "points": .list(of: .list(of: .number(0...1), 2...2), 3...CameraZone.cornerLimit),
            ]), 0...CameraDetection.zoneLimit
        ).about("Motion zones as polygons, x and y from 0 to 1; empty for the whole picture"),
    ])
}

extension CameraAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "camera_id": .id, "name": .text(), "is_enabled": .boolean, "is_online": .boolean,
        "reason": .text().orNull.about("Reason why it is unreachable"),
        "source": .answer(["kind": .enumeration(CameraKind.self), "address": .text(), "has_credentials": .boolean]),
        "detection": .answer([
            "motion": .boolean, "sensitivity": .integer(1...100),
            "zones": .list(of: .answer(["name": .text(), "points": .list(of: .list(of: .number(0...1), 2...2))])),
        ]), "last_event_at": .time.orNull, "version": .version, "created_at": .time,
        "changed_at": .time,
    ])
}

extension CamerasAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["cameras": .list(of: .of(CameraAnswer.self)), "total": .integer()])
}

extension MobileCamerasAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "cameras": .list(
            of: .answer(
                ["id": .id, "name": .text(), "is_enabled": .boolean, "is_online": .boolean],
                optional: ["source_type": .enumeration(["protect", "rtsp", "usb"]), "last_event_at": .time]))
    ])
}
