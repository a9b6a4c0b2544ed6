import CardeaModel

/// A picture that a device sends (Home Assistant: MQTT camera and image).
struct ImageMapping: EntityMapping {
    let verbs: Set<Verb> = []
    let commandTopics: Set<String> = []
    let stateTopics: [StateTopic] = []
    let picture: PictureTopic?

    init(_ fields: inout AnnouncementFields) {
        let reading = fields.stateTopic(fields.has("image_topic") ? "image_topic" : "topic")
        picture = reading.map {
            PictureTopic(
                topic: $0.topic, isBase64: fields.text("image_encoding") == "b64",
                contentType: String(fields.text("content_type", else: "image/jpeg").prefix(64)))
        }
        if picture == nil, fields.has("url_topic") {
            fields.addNotice("This picture comes as an address (url_topic), which is not read: let the device send it on image_topic.")
        }
    }

    func next(_ state: EntityState, after message: IncomingMessage) -> EntityState? { nil }

    func commandMessages(for verb: Verb, value: JSONValue?, transition: Double?, code: String?, in state: EntityState) -> [CommandMessage]?
    { nil }
}
