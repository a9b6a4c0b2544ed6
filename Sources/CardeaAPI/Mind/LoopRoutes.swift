extension Route {
    public static var showLoops: Route {
        Route(
            .get, "/api/v1/safla/status", .mind, "List the mind's loops: sense, analyse, answer, learn", .ok(LoopsAnswer.self))
    }

    public static var triggerLoop: Route {
        Route(
            .post, "/api/v1/safla/trigger", .mind, "Run a loop now", body: .json(TriggerLoopBody.self),
            .ok(TriggeredLoopAnswer.self), fails: [.loopNotFound])
    }
}
