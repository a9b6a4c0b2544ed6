import CardeaModel

extension Route {
    public static var listEvents: Route {
        Route(
            .get, "/api/v1/mobile/events", .events, "List events, newest first",
            query: [
                Parameter("camera_id", .text(1...100)), Parameter("start_time", .time), Parameter("end_time", .time),
                Parameter("smart_detection_type", .text(1...64, example: "person")), Parameter("limit", .integer(1...100)),
                Parameter("offset", .integer(from: 0)), Parameter("incident_id", .text(1...64)),
                Parameter("q", .text(1...256, example: "parcel").about("Search text of one to eight words; events contain all of them")),
                Parameter("cursor", .text(1...32).about("`next_cursor` of the page before; replaces `offset`")),
            ], .ok(EventsAnswer.self))
    }

    public static var listRecentEvents: Route {
        Route(
            .get, "/api/v1/mobile/events/recent", .events, "Get the latest events", query: [Parameter("limit", .integer(1...10))],
            .ok(RecentEventsAnswer.self))
    }

    public static var showEvent: Route {
        Route(.get, "/api/v1/mobile/events/{id}", .events, "One event", .ok(EventAnswer.self), fails: [.notFound])
    }

    public static var showEventThumbnail: Route {
        Route(
            .get, "/api/v1/mobile/events/{id}/thumbnail", .events, "The event's list picture, about 30 to 50 KB", jpeg, partOfJPEG,
            fails: [.notFound, unsatisfiable], traits: [.entityTag])
    }

    public static var recordEvent: Route {
        Route(
            .post, "/api/v1/events", .events,
            "Record an event: for people who may change settings, and for API tokens with `records_events`",
            body: .json(RecordEventBody.self),
            .created(EventAnswer.self, "The event is stored, with its picture or with the reason why the picture is not stored"),
            fails: [.notFound],
            bodyLimit: 6 << 20)
    }

    public static var removeEvent: Route {
        Route(.delete, "/api/v1/events/{id}", .events, "Delete an event and its pictures permanently", .noContent, fails: [.notFound])
    }

    public static var exportEventPicture: Route {
        Route(
            .get, "/api/v1/events/{id}/picture", .events, "Download the full picture", jpeg, partOfJPEG,
            fails: [.notFound, unsatisfiable], traits: [.entityTag])
    }

    public static var listIncidents: Route {
        Route(
            .get, "/api/v1/incidents", .events, "List incidents (groups of related events), newest first",
            query: [
                Parameter("limit", .integer(1...100)), Parameter("before", .time.about("Only incidents that began earlier")),
            ], .ok(IncidentsAnswer.self))
    }

    private static let jpeg = Answer(status: 200, about: "JPEG", mediaType: "image/jpeg", schema: .text())
    private static let partOfJPEG = Answer(status: 206, about: "The requested range", mediaType: "image/jpeg", schema: .text())
    private static let unsatisfiable = ErrorCode(416, "range_not_satisfiable")
}
