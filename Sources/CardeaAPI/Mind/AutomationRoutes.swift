extension Route {
    public static var listAutomations: Route {
        Route(.get, "/api/v1/automations", .mind, "What the house does by itself", .ok(AutomationsAnswer.self))
    }

    public static var addAutomation: Route {
        Route(
            .post, "/api/v1/automations", .mind, "Have the house do something by itself; you answer for it",
            body: .json(AutomationBody.self),
            .created(AutomationAnswer.self), fails: [.conflict], traits: [.stepUp])
    }

    public static var showAutomation: Route {
        Route(
            .get, "/api/v1/automations/{id}", .mind, "One automation", .ok(AutomationAnswer.self), fails: [.automationNotFound],
            traits: [.entityTag])
    }

    public static var replaceAutomation: Route {
        Route(
            .put, "/api/v1/automations/{id}", .mind, "Make it another, and answer for it; only switched off, it stays whose it was",
            body: .json(AutomationBody.self), .ok(AutomationAnswer.self), fails: [.automationNotFound], traits: [.stepUp, .ifMatch])
    }

    public static var removeAutomation: Route {
        Route(
            .delete, "/api/v1/automations/{id}", .mind, "The house does it no longer, and forgets what came of it", .noContent,
            fails: [.automationNotFound], traits: [.ifMatch])
    }

    public static var showAutomationHistory: Route {
        Route(
            .get, "/api/v1/automations/{id}/history", .mind, "What came of it, newest first",
            query: [
                Parameter("limit", .integer(1...200).about("50 when left out")),
                Parameter("before", .text(matching: "^[1-9][0-9]{0,17}$", example: "120").about("A run of the page before")),
            ], .ok(AutomationHistoryAnswer.self), fails: [.automationNotFound])
    }

    public static var tryAutomation: Route {
        Route(
            .post, "/api/v1/automations/{id}/dry-run", .mind, "What it would have done over the last days; nothing is moved",
            body: .json(AutomationTrialBody.self), .ok(AutomationTrialAnswer.self), fails: [.automationNotFound])
    }

    public static var sayPresence: Route {
        Route(
            .put, "/api/v1/people/me/presence", .people, "Say that you are home, or that you are not", body: .json(PresenceBody.self),
            .ok(PresenceAnswer.self))
    }
}
