extension Route {
    public static var realtime: Route {
        Route(
            .get, "/api/v1/realtime", .journal, "Subscribe to events over a WebSocket; /asyncapi.json describes the messages",
            Answer(status: 101, about: "Switches to WebSocket", mediaType: "", schema: nil),
            fails: [ErrorCode(426, "upgrade_required"), .validation, .unauthorized, .tokenExpired, .forbidden, .rateLimited])
    }

    public static var issueTicket: Route {
        Route(
            .post, "/api/v1/realtime/ticket", .journal, "Get a ticket for a browser's WebSocket, which cannot send headers",
            .created(TicketAnswer.self))
    }

    public static var streamEvents: Route {
        Route(
            .get, "/api/v1/realtime/events", .journal, "Subscribe to events as server-sent events; `Last-Event-ID` resumes",
            query: [
                Parameter("kinds", .text(example: "device_update,command_update")), Parameter("devices", .text()),
                Parameter("rooms", .text()),
                Parameter("after", .sequence),
            ], .text("text/event-stream", "Events, until the client disconnects"))
    }

    public static var listChanges: Route {
        Route(
            .get, "/api/v1/changes", .journal, "List events of the journal by page",
            query: [
                Parameter("after", .sequence.about("The last known event; omitted: no events, and `next` is the journal's present end")),
                Parameter("limit", .integer(1...500)),
            ], .ok(ChangesAnswer.self),
            fails: [ErrorCode(410, "cursor_too_old")])
    }
}
