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
            "kind": .enumeration(CameraSourceKind.self),
            "url": .text(1...CameraAddress.maximumLength, example: "rtsp://192.168.1.20:554/stream1").about(
                "Neither on the hub's own machine nor link-local; of Frigate or Home Assistant for those kinds"),
        ],
        optional: [
            "username": .text(1...512).about("Here or in `url`"), "password": .text(1...512).about("Here or in `url`"),
            "camera": .text(1...128, example: "front_door").about("The camera's name in Frigate, or its entity in Home Assistant"),
            "token": .text(1...512).about("`home_assistant` only: a long-lived access token"),
        ])
}

extension CameraDetectionBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "motion": .boolean.about("`rtsp` only: true detects motion"), "sensitivity": .integer(1...100).about("50 by default"),
        "zones": .list(
            of: .body([
                "name": .name, "points": .list(of: .list(of: .number(0...1), 2...2), 3...CameraZone.cornerLimit),
            ]), 0...CameraDetection.zoneLimit
        ).about("Polygons of 3 to 32 corners, x from the left and y from the top, each 0 to 1. Without zones the whole picture counts"),
    ])
}

extension CameraAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "camera_id": .id, "name": .text(), "is_enabled": .boolean, "is_online": .boolean,
        "reason": .text().orNull.about("The reason why it is offline, in words"),
        "source": .answer(["kind": .enumeration(CameraSourceKind.self), "address": .text(), "has_credentials": .boolean]).about(
            "`address` is scheme, host and port"),
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
