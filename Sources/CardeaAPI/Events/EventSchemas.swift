import CardeaModel

extension RecordEventBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [
            "source": .name.about("The reporting script, bell or camera system"),
            "type": .detectionType.about("`person`, `vehicle`, `package`, `animal`, `motion`, `ring` or another word"),
            "occurred_at": .time.about("At most five minutes ahead of the house's clock"),
        ],
        optional: [
            "camera_id": .name.about("A camera or device of the house. Omitted: lists show the source instead"),
            "description": .text(0...2000),
            "confidence": .integer(0...100).about("Percent"),
            "image_base64": .text().about(
                "A JPEG of at most 8192 pixels a side; Base64 or a `data:` URL. The body has at most 6 MiB. See `picture_problem`"),
        ])
    public static let example: JSONValue? = [
        "source": "porch-script", "type": "package", "description": "A parcel on the mat", "occurred_at": "2026-11-21T14:31:07Z",
    ]
}

extension EventSummary: SchemaRepresentable {
    public static let schema = Schema.answer(
        fields,
        optional: [
            "confidence": .integer(0...100).about("Percent"),
            "description_source": .text(example: "describer").about(
                "`describer`: a machine wrote `description` from the picture. Absent: it is the source's text"),
            "picture_problem": .answer([
                "code": .text(example: "not_jpeg"), "detail": .text().about("One readable sentence"),
            ]).about("The reason why its picture was not kept. Absent: it was kept, or none was sent"),
        ])

    fileprivate static let fields: KeyValuePairs<String, Schema> = [
        "id": .id, "camera_id": .id.about("The source where no camera is named"),
        "camera_name": .text().about("The name at the time of the event"), "timestamp": .time.about("The time of the event"),
        "description": .text().about("May be empty"),
        "smart_detection_type": .text(example: "person").about("Clients accept unknown words"),
        "has_thumbnail": .boolean, "incident_id": .id.about("The visit that it belongs to"),
    ]
}

extension EventAnswer: SchemaRepresentable {
    public static let schema = Schema.both(
        .of(EventSummary.self),
        .answer(
            ["is_doorbell_ring": .boolean, "source": .text(), "created_at": .time],
            optional: ["thumbnail_url": .text(), "picture_url": .text()]))
}

extension EventsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "events": .list(of: .of(EventSummary.self)), "total_count": .integer(from: 0).about("Searches count to 1 000 at most"),
            "has_more": .boolean,
        ], optional: ["next_offset": .integer(from: 0), "next_cursor": .text().about("New events do not move the pages")])
}

extension RecentEventsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["events": .list(of: .of(EventSummary.self))])
}

extension IncidentsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "incidents": .list(
            of: .answer(
                [
                    "incident_id": .id, "camera_id": .id, "started_at": .time, "ended_at": .time, "types": .list(of: .text()),
                    "event_count": .integer(from: 0), "is_doorbell_ring": .boolean,
                ], optional: ["last_event_id": .id]))
    ])
}

extension Schema {
    static let detectionType = text(matching: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$", example: "person")
}
