import CardeaModel

extension Route {
    public static var listEvents: Route {
        Route(
            .get, "/api/v1/mobile/events", .events, "What was seen at the house, newest first",
            query: [
                Parameter("camera_id", .text(1...100)), Parameter("start_time", .time), Parameter("end_time", .time),
                Parameter("smart_detection_type", .text(1...64, example: "person")), Parameter("limit", .integer(1...100)),
                Parameter("offset", .integer(from: 0)), Parameter("incident_id", .text(1...64)),
                Parameter("q", .text(1...256, example: "parcel").about("At least one word, at most eight; all of them are in it")),
                Parameter("cursor", .text(1...32).about("`next_cursor` of the page before; it takes the offset's place")),
            ], .ok(EventsAnswer.self))
    }

    public static var listRecentEvents: Route {
        Route(
            .get, "/api/v1/mobile/events/recent", .events, "What was seen last", query: [Parameter("limit", .integer(1...10))],
            .ok(RecentEventsAnswer.self))
    }

    public static var showEvent: Route {
        Route(.get, "/api/v1/mobile/events/{id}", .events, "One event", .ok(EventAnswer.self), fails: [.notFound])
    }

    public static var showEventThumbnail: Route {
        Route(
            .get, "/api/v1/mobile/events/{id}/thumbnail", .events, "Its picture in a list, about 30 to 50 KB", jpeg, partOfJPEG,
            fails: [.notFound, unsatisfiable], traits: [.entityTag])
    }

    public static var recordEvent: Route {
        Route(
            .post, "/api/v1/events", .events,
            "Say what was seen: for whoever sets the house up, and for programs whose token `records_events`",
            body: .json(RecordEventBody.self),
            .created(EventAnswer.self, "It is on the disk, with its picture or with why that is not kept"), fails: [.notFound],
            bodyLimit: 6 << 20)
    }

    public static var removeEvent: Route {
        Route(.delete, "/api/v1/events/{id}", .events, "Delete an event and its pictures, for good", .noContent, fails: [.notFound])
    }

    public static var exportEventPicture: Route {
        Route(
            .get, "/api/v1/events/{id}/picture", .events, "The whole picture, to be kept elsewhere", jpeg, partOfJPEG,
            fails: [.notFound, unsatisfiable], traits: [.entityTag])
    }

    public static var listIncidents: Route {
        Route(
            .get, "/api/v1/incidents", .events, "Events that belong together, newest first",
            query: [
                Parameter("limit", .integer(1...100)), Parameter("before", .time.about("Only those that began before it")),
            ], .ok(IncidentsAnswer.self))
    }

    private static let jpeg = Answer(status: 200, about: "JPEG", mediaType: "image/jpeg", schema: .text())
    private static let partOfJPEG = Answer(status: 206, about: "What `Range` asked for", mediaType: "image/jpeg", schema: .text())
    private static let unsatisfiable = ErrorCode(416, "range_not_satisfiable")
}
