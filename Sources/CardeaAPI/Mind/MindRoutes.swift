extension Route {
    public static var askHouse: Route {
        Route(
            .post, "/api/v1/consciousness/query", .mind, "Ask a question or request an action; nothing is executed",
            body: .json(AskHouseBody.self), .ok(HouseReplyAnswer.self))
    }

    public static var showConsciousness: Route {
        Route(
            .get, "/api/v1/consciousness/status", .mind, "Get the state of the house's mind and its coverage",
            .ok(ConsciousnessAnswer.self))
    }

    public static var showEmotions: Route {
        Route(
            .get, "/api/v1/consciousness/emotions", .mind, "Get the house's mood with its reasons and history",
            query: [
                Parameter(
                    "time_range", .text(matching: "^[1-9][0-9]{0,3}[mhd]$", example: "1h").about("Period to look back; default: an hour")),
                Parameter("include_history", .boolean.about("Default true")),
            ], .ok(EmotionsAnswer.self))
    }
}
