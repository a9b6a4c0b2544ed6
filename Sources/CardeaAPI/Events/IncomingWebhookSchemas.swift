import CardeaModel

extension MakeWebhookBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["name": .name.about("The name of the reporting device"), "make": .enumeration(IncomingWebhookVendor.self)],
        optional: [
            "camera_id": .id.about("The camera or device of its events. Omitted: lists show its name instead"),
            "type": .detectionType.about("Type of events whose report names none. Default: ring"),
        ])
    public static let example: JSONValue? = ["name": "Front door bell", "make": "doorbird"]
}

extension WebhookAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "webhook_id": .id, "name": .text(), "make": .enumeration(IncomingWebhookVendor.self).about("The form of the reports"),
            "type": .text(example: "ring").about("The type of an event whose report does not give one"),
            "created_at": .time,
            "refused_count": .integer(from: 0).about("Reports over the limit since the hub's start"),
        ],
        optional: [
            "camera_id": .id, "last_used_at": .time.about("To the minute"),
            "url": .text(example: "http://192.168.1.2:8380/hook/7Zk0bq2mXv1cWn4TgYh8Ag").about(
                "Shown once, in the answer that creates it. `/ring`, `/motion` or another type may follow"),
        ])
}

extension WebhooksAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "webhooks": .list(of: .of(WebhookAnswer.self)), "total": .integer(from: 0),
        "is_plain": .boolean.about("True if reports over plain HTTP are accepted"),
    ])
}
