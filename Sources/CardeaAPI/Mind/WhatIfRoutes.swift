extension Route {
    public static var whatIf: Route {
        Route(
            .post, "/api/v1/predictions/what-if", .mind, "Predict the effect of a change from the house's history; nothing is executed",
            body: .json(WhatIfBody.self), .ok(WhatIfAnswer.self), fails: [.validation])
    }
}
