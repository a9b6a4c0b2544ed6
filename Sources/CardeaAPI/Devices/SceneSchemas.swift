import CardeaModel

extension SceneBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["name": .name, "actions": .list(of: .of(DeviceActionBody.self), 1...50)],
        optional: ["icon": .text(1...64, example: "moon")])
    public static let example: JSONValue? = [
        "name": "Good night", "icon": "moon", "actions": [["device_id": "front-door", "action": "lock"]],
    ]
}

extension SceneAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "scene_id": .id, "name": .text(), "icon": .text().orNull, "actions": .list(of: .of(DeviceActionBody.self)), "version": .version,
        "created_at": .time, "changed_at": .time,
    ])
}

extension ScenesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["scenes": .list(of: .of(SceneAnswer.self)), "total": .integer()])
}
