extension Route {
    public static var listMaintenance: Route {
        Route(
            .get, "/api/v1/maintenance", .privacy, "What is to be done in the house, by the day on which it is due",
            query: [
                Parameter("due_before", .day.about("Only what is due before this day")),
                Parameter("overdue", .boolean.about("Only what was due before today")),
                Parameter("room_id", .text().about("Only what is in this room, or about a device there")),
                Parameter("device_id", .deviceID),
                Parameter("done", .boolean.about("Also what was to be done once, and is")),
            ], .ok(MaintenanceListAnswer.self))
    }

    public static var addMaintenance: Route {
        Route(
            .post, "/api/v1/maintenance", .privacy, "Something that is to be done, once or again and again",
            body: .json(MaintenanceBody.self), .created(MaintenanceAnswer.self), fails: [.conflict])
    }

    public static var showMaintenance: Route {
        Route(
            .get, "/api/v1/maintenance/{id}", .privacy, "One task", .ok(MaintenanceAnswer.self), fails: [.taskNotFound],
            traits: [.entityTag])
    }

    public static var changeMaintenance: Route {
        Route(
            .patch, "/api/v1/maintenance/{id}", .privacy, "Change a task; what is left out stays", body: .json(ChangeMaintenanceBody.self),
            .ok(MaintenanceAnswer.self), fails: [.taskNotFound], traits: [.ifMatch])
    }

    public static var removeMaintenance: Route {
        Route(
            .delete, "/api/v1/maintenance/{id}", .privacy, "Take a task out, with its history", .noContent, fails: [.taskNotFound],
            traits: [.ifMatch])
    }

    public static var completeMaintenance: Route {
        Route(
            .post, "/api/v1/maintenance/{id}/complete", .privacy, "Put down that it was done; it says when it is due next",
            body: .optionalJSON(CompleteMaintenanceBody.self), .ok(MaintenanceDoneAnswer.self), fails: [.taskNotFound, .conflict],
            traits: [.ifMatch])
    }

    public static var showMaintenanceHistory: Route {
        Route(
            .get, "/api/v1/maintenance/{id}/history", .privacy, "What was done, by whom and for how much, the latest first",
            query: [
                Parameter("limit", .integer(1...200).about("50 when left out")),
                Parameter("before", .text(matching: "^[1-9][0-9]{0,17}$", example: "120").about("The last one of the page before")),
            ], .ok(MaintenanceHistoryAnswer.self), fails: [.taskNotFound])
    }
}
