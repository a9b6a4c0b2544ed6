extension Route {
    public static var listAutomations: Route {
        Route(.get, "/api/v1/automations", .mind, "List automations", .ok(AutomationsAnswer.self))
    }

    public static var addAutomation: Route {
        Route(
            .post, "/api/v1/automations", .mind, "Create an automation; the caller is its owner",
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
            .put, "/api/v1/automations/{id}", .mind, "Replace an automation and become its owner; switching it off keeps its owner",
            body: .json(AutomationBody.self), .ok(AutomationAnswer.self), fails: [.automationNotFound], traits: [.stepUp, .ifMatch])
    }

    public static var removeAutomation: Route {
        Route(
            .delete, "/api/v1/automations/{id}", .mind, "Delete an automation with its runs", .noContent,
            fails: [.automationNotFound], traits: [.ifMatch])
    }

    public static var showAutomationHistory: Route {
        Route(
            .get, "/api/v1/automations/{id}/history", .mind, "List runs, newest first",
            query: [
                Parameter("limit", .integer(1...200).about("Default 50")),
                Parameter("before", .text(matching: "^[1-9][0-9]{0,17}$", example: "120").about("The last run of the page before")),
            ], .ok(AutomationHistoryAnswer.self), fails: [.automationNotFound])
    }

    public static var tryAutomation: Route {
        Route(
            .post, "/api/v1/automations/{id}/dry-run", .mind, "Simulate the automation over the last days; nothing is controlled",
            body: .json(AutomationTrialBody.self), .ok(AutomationTrialAnswer.self), fails: [.automationNotFound])
    }

    public static var sayPresence: Route {
        Route(
            .put, "/api/v1/people/me/presence", .people, "Set the caller's presence", body: .json(PresenceBody.self),
            .ok(PresenceAnswer.self))
    }
}
