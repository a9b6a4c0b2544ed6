extension Route {
    public static var realtime: Route {
        Route(
            .get, "/api/v1/realtime", .journal, "What happens, as it happens: a WebSocket; /asyncapi.json says what is told",
            Answer(status: 101, about: "From here on a WebSocket", mediaType: "", schema: nil),
            fails: [ErrorCode(426, "upgrade_required"), .validation, .unauthorized, .tokenExpired, .forbidden, .rateLimited])
    }

    public static var issueTicket: Route {
        Route(
            .post, "/api/v1/realtime/ticket", .journal, "What a browser, which cannot send a header, says first on its WebSocket",
            .created(TicketAnswer.self))
    }

    public static var streamEvents: Route {
        Route(
            .get, "/api/v1/realtime/events", .journal, "The same as server-sent events; `Last-Event-ID` resumes",
            query: [
                Parameter("kinds", .text(example: "device_update,command_update")), Parameter("devices", .text()),
                Parameter("rooms", .text()),
                Parameter("after", .sequence),
            ], .text("text/event-stream", "Events, until the listener goes"))
    }

    public static var listChanges: Route {
        Route(
            .get, "/api/v1/changes", .journal, "The same events, a page at a time",
            query: [
                Parameter("after", .sequence.about("The last event that is known; left out: none, and `next` is where the journal is now")),
                Parameter("limit", .integer(1...500)),
            ], .ok(ChangesAnswer.self),
            fails: [ErrorCode(410, "cursor_too_old")])
    }
}
