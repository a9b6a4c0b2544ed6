import CardeaModel

extension MakeWebhookBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["name": .name.about("Who reports"), "make": .enumeration(WebhookVendor.self)],
        optional: [
            "camera_id": .id.about("The camera or device for which it reports. Left out: its name stands for it in lists"),
            "type": .detectionType.about("Of an event whose report does not say it. Left out: ring"),
        ])
    public static let example: JSONValue? = ["name": "Front door bell", "make": "doorbird"]
}

extension WebhookAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "webhook_id": .id, "name": .text(), "make": .enumeration(WebhookVendor.self), "type": .text(example: "ring"),
            "created_at": .time,
            "refused_count": .integer(from: 0).about("Reports that were too many, since the hub was started"),
        ],
        optional: [
            "camera_id": .id, "last_used_at": .time.about("To the minute"),
            "url": .text(example: "http://192.168.1.2:8380/hook/7Zk0bq2mXv1cWn4TgYh8Ag").about(
                "Shown once, by making it. `/ring`, `/motion` or another type may follow"),
        ])
}

extension WebhooksAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "webhooks": .list(of: .of(WebhookAnswer.self)), "total": .integer(from: 0),
        "is_plain": .boolean.about("Reports are taken over plain HTTP too"),
    ])
}
